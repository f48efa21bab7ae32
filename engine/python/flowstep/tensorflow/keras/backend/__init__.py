# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.backend: one namespace of what its modules have."""

from .settings import *  # noqa: F401,F403
from .naming import *  # noqa: F401,F403
from .sessions import *  # noqa: F401,F403
from .values import *  # noqa: F401,F403
from .shapes import *  # noqa: F401,F403
from .arithmetic import *  # noqa: F401,F403
from .convolutions import *  # noqa: F401,F403
from .randoms import *  # noqa: F401,F403
from .networks import *  # noqa: F401,F403
from .normalizations import *  # noqa: F401,F403
from .alignments import *  # noqa: F401,F403
from .choices import *  # noqa: F401,F403
from .functions import *  # noqa: F401,F403
