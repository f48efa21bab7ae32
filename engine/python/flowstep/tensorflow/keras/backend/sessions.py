# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The learning phase, and the session that models run in."""

import contextlib

from ...framework import graph as graph_lib, proto
from ...framework.graph import Tensor, get_default_graph, name_scope
from ...learning.layers_base import track_variable  # noqa: F401
from ...operators import array_ops
from ...sessions import session as session_lib
from ...state import variables

_session = [None]
_manual = [False]
_looked = [False]


def _new_phase():
    with name_scope(""):
        return array_ops.placeholder_with_default(False, shape=(), name="keras_learning_phase")


def learning_phase():
    with graph_lib.init_scope():
        memo = get_default_graph()._memo
        if "learning phase" not in memo:
            memo["learning phase"] = _new_phase()
        return memo["learning phase"]


def is_symbolic_phase():
    return isinstance(get_default_graph()._memo.get("learning phase"), Tensor)


def set_learning_phase(value):
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    get_default_graph()._memo["learning phase"] = value


@contextlib.contextmanager
def learning_phase_scope(value):
    memo = get_default_graph()._memo
    before = memo.get("learning phase")
    set_learning_phase(value)
    try:
        yield
    finally:
        if before is None:
            memo.pop("learning phase", None)
        else:
            memo["learning phase"] = before


def track_optimizer(optimizer):
    get_default_graph()._memo.setdefault("keras optimizers", []).append(optimizer)


def _initialize_variables(session):
    memo = get_default_graph()._memo
    known = list(memo.get("keras variables", []))
    for optimizer in memo.get("keras optimizers", []):
        known.extend(optimizer.variables())
    candidates = []
    for v in known:
        if not getattr(v, "_keras_initialized", False) and not any(v is c for c in candidates):
            candidates.append(v)
    if not candidates:
        return
    flags = session.run([variables.is_variable_initialized(v) for v in candidates])
    missing = [v for v, flag in zip(candidates, flags) if not flag]
    for v in candidates:
        v._keras_initialized = True
    if missing:
        session.run(variables.variables_initializer(missing))


def get_session(op_input_list=()):
    session = session_lib.get_default_session()
    if session is None:
        if _session[0] is None or _session[0].graph is not get_default_graph():
            _session[0] = session_lib.Session(config=proto.ConfigProto(allow_soft_placement=True))
        session = _session[0]
    if not _manual[0]:
        with session.graph.as_default():
            _initialize_variables(session)
    return session


def look_for_gpus():
    """Asked before channels come first, once a process, of the models' session, which gives the variables their first
    values and so leaves its nodes in the graph. There are none: what reads channels first transposes."""
    if not _looked[0]:
        _looked[0] = True
        get_session()


def set_session(session):
    _session[0] = session


def manual_variable_initialization(value):
    _manual[0] = value


def clear_session():
    graph_lib.reset_default_graph()
    _session[0] = None
    get_default_graph()._memo["learning phase"] = _new_phase()
