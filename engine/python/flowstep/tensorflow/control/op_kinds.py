# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What an op of a branch or loop is in it, told from its type and where it stands."""

from . import functional


def __getattr__(name):
    if name == "ENABLE_CONTROL_FLOW_V2":
        return functional.control_flow_v2_enabled()
    raise AttributeError("module 'tensorflow.python.ops.control_flow_util' has no attribute '%s'" % name)


def _of_types(*types):
    return lambda op: op.type in types


IsSwitch, IsMerge = _of_types("Switch", "RefSwitch"), _of_types("Merge", "RefMerge")
IsLoopEnter, IsLoopExit = _of_types("Enter", "RefEnter"), _of_types("Exit", "RefExit")


def _around(op):
    """The context that an op's readers are in, as long as they do not enter another loop."""
    context = op._get_control_flow_context()
    return context.outer_context if context is not None and IsLoopEnter(op) else context


def GetOutputContext(op):
    """The context of what an op gives."""
    context = op._get_control_flow_context()
    return context.outer_context if context is not None and IsLoopExit(op) else context


def _is_branch(context):
    return context is not None and context.IsCondContext()


def _is_in_loop(op):
    context = op._get_control_flow_context()
    return context is not None and context.IsWhileContext()


def IsCondSwitch(op):
    return IsSwitch(op) and bool(op.outputs) and all(_is_branch(_around(reader)) for t in op.outputs for reader in t.consumers())


def IsCondMerge(op):
    return IsMerge(op) and bool(op.inputs) and all(_is_branch(GetOutputContext(t.op)) for t in op.inputs)


def IsLoopSwitch(op):
    return IsSwitch(op) and _is_in_loop(op) and not IsCondSwitch(op)


def IsLoopMerge(op):
    return IsMerge(op) and _is_in_loop(op) and not IsCondMerge(op)


def IsLoopConstantEnter(op):
    return IsLoopEnter(op) and op.get_attr("is_constant")


def GetContainingWhileContext(ctxt, stop_ctxt=None):
    """The innermost loop around a context, itself counted; None from stop_ctxt on."""
    while ctxt is not None:
        if ctxt.IsWhileContext() or ctxt is stop_ctxt:
            return ctxt
        ctxt = ctxt.outer_context
    return None


def GetContainingCondContext(ctxt):
    while ctxt is not None and not ctxt.IsCondContext():
        ctxt = ctxt.outer_context
    return ctxt


def IsContainingContext(ctxt, maybe_containing_ctxt):
    while ctxt is not maybe_containing_ctxt:
        if ctxt is None:
            return False
        ctxt = ctxt.outer_context
    return True


def IsInWhileLoop(op):
    return GetContainingWhileContext(op._get_control_flow_context()) is not None


def IsInCond(op):
    return GetContainingCondContext(op._get_control_flow_context()) is not None


def IsInXLAContext(op):
    return False


def OpInContext(op, ctxt):
    return IsContainingContext(op._get_control_flow_context(), ctxt)


def TensorInContext(tensor, ctxt):
    return OpInContext(tensor.op, ctxt)
