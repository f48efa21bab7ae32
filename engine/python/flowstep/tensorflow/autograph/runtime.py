# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What converted functions know as ag__."""

from .calls import callee  # noqa: F401
from .checks import Undefined, UndefinedReturnValue  # noqa: F401
from .operators import and_, for_stmt, if_expression, if_stmt, no_state, not_, or_, retval, set_no_state, while_stmt
