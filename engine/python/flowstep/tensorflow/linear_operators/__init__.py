# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.linalg.LinearOperator and its kinds."""

from . import rules  # noqa: F401
from .base import LinearOperator  # noqa: F401
from .joined import (LinearOperatorAdjoint, LinearOperatorBlockDiag, LinearOperatorComposition, LinearOperatorInversion,  # noqa: F401
                     LinearOperatorKronecker, LinearOperatorLowRankUpdate)
from .plain import (LinearOperatorDiag, LinearOperatorFullMatrix, LinearOperatorIdentity, LinearOperatorLowerTriangular,  # noqa: F401
                    LinearOperatorScaledIdentity)
from .special import LinearOperatorHouseholder, LinearOperatorZeros  # noqa: F401
from .spectral import (LinearOperatorCirculant, LinearOperatorCirculant2D, LinearOperatorCirculant3D,  # noqa: F401
                       LinearOperatorToeplitz)

NAMES = [name for name in dir() if name.startswith("LinearOperator")]
