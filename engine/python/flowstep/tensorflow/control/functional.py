# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Which version of control flow cond, while_loop and TensorArray make."""

from ..framework.graph import get_default_graph
from .func_graph import FuncGraph

_enabled = [False]
# Whether an op gives all values of its bodies, whatever stands around it; None: where a gradient may be wanted.
intermediates = {"all": None}


def enable_control_flow_v2():
    set_control_flow_v2(True)


def disable_control_flow_v2():
    set_control_flow_v2(False)


def control_flow_v2_enabled():
    return _enabled[0]


def set_control_flow_v2(enabled):
    _enabled[0] = enabled


def output_all_intermediates(state):
    intermediates["all"] = state


def is_version_2():
    """Whether the default graph is one where control flow is of version 2: bodies of functions always are."""
    return _enabled[0] or isinstance(get_default_graph(), FuncGraph)


def cond(*arguments):
    from . import cond_v2
    return cond_v2.cond(*arguments)


def while_loop(*arguments):
    from . import while_v2
    return while_v2.while_loop(*arguments)
