# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Initial values that read other variables (semantics 3.5): the path is copied, reads become initialized values."""

from . import ops
from .graph import GraphKeys, get_default_graph

_KEPT = ("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "If")
_READS = ("Variable", "VariableV2", "VarHandleOp", "ReadVariableOp", "VariableOp")


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


def replace_reads(variable, value):
    if _has_cycle(value.op, {}):
        return value
    return _safe(variable, value, {})


def _safe(variable, tensor, cache):
    op = tensor.op
    if op.type in _READS:
        found = _find(tensor) if op.type not in ("ReadVariableOp",) else None
        return found.initialized_value() if found is not None else tensor
    if op.type in _KEPT:
        return tensor
    if op.type == "Identity" and len(op.inputs) == 1 and op.inputs[0].op.type in _READS:
        found = _find(op.inputs[0])
        if found is not None:
            return found.initialized_value()
    new_inputs, changed = [], False
    for source in op.inputs:
        new = _safe(variable, source, cache)
        new_inputs.append(new)
        changed = changed or new is not source
    if not changed:
        return tensor
    kind = "Switch" if op.type == "RefSwitch" else op.type
    name = (op.name + "_" + variable.name).replace(":", "_")
    from ._engine import Flow
    attrs = Flow.AttrList.new()
    source = op.graph._builder.get_node_attrs(op._index)
    for i in range(source.get_length()):
        attrs.set(source.get_name(i), source.get_value(i))
    return op.graph._add(kind, new_inputs, attrs, name).outputs[tensor.value_index]


def _find(tensor):
    graph = get_default_graph()
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for v in graph._collections.get(key, []):
            if getattr(v, "op", None) is tensor.op:
                return v
    return None
