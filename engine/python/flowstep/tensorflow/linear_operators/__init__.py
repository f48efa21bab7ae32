# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.linalg.LinearOperator and its kinds."""

from . import rules  # noqa: F401
from .base import LinearOperator  # noqa: F401
from .joined import LinearOperatorAdjoint, LinearOperatorBlockDiag, LinearOperatorComposition, LinearOperatorInversion
from .joined import LinearOperatorKronecker, LinearOperatorLowRankUpdate
from .plain import LinearOperatorDiag, LinearOperatorFullMatrix, LinearOperatorIdentity, LinearOperatorLowerTriangular
from .plain import LinearOperatorScaledIdentity
from .special import LinearOperatorHouseholder, LinearOperatorZeros  # noqa: F401
from .spectral import LinearOperatorCirculant, LinearOperatorCirculant2D, LinearOperatorCirculant3D
from .spectral import LinearOperatorToeplitz

NAMES = [name for name in dir() if name.startswith("LinearOperator")]
