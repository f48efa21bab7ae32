# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Initial values that read other variables (semantics 3.5): the path is copied, reads become initialized values."""

from ..framework._engine import Flow
from ..framework.graph import GraphKeys

_KEPT = ("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "If")


def _has_cycle(op, state):
    seen = state.get(op)
    if seen is not None:
        return seen == 1
    state[op] = 1
    for source in [t.op for t in op.inputs] + op.control_inputs:
        if _has_cycle(source, state):
            return True
    state[op] = 2
    return False


def replace_reads(name, value):
    """The value with initialized values for the variables it reads; name is the scope of the variable it is for."""
    if _has_cycle(value.op, {}):
        return value
    return _safe(name, value, {})


def _safe(name, tensor, cache):
    op = cache.get(tensor.op)
    if op is None:
        op = cache[tensor.op] = _safe_op(name, tensor.op, cache)
    return op.outputs[tensor.value_index]


def _safe_op(name, op, cache):
    if op.type in _KEPT:
        return op
    if op.type in ("Variable", "VariableV2", "VarHandleOp"):
        found = _find(op)
        return op if found is None else found.initialized_value().op
    inputs = [_safe(name, source, cache) for source in op.inputs]
    if all(new is old for new, old in zip(inputs, op.inputs)):
        return op
    attrs = Flow.AttrList.new()
    source = op.graph._builder.get_node_attrs(op._index)
    for i in range(source.get_length()):
        attrs.set(source.get_name(i), source.get_value(i))
    return op.graph._add("Switch" if op.type == "RefSwitch" else op.type, inputs, attrs,
                         (op.name + "_" + name).replace(":", "_"))


def _find(op):
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in op.graph._collections.get(key, []):
            if getattr(variable, "name", None) in (op.name, op.name + ":0"):
                return variable
    return None
