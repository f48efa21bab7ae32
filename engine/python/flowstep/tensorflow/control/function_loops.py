# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Loops of functions that were defined (Defun): one While op."""

from ..framework import ops, proto
from ..framework.graph import Operation
from . import defun


def _with_captures(body):
    """body, and after its results what it reads of the graphs around it."""
    def Wrapper(*args):
        """A wrapper that handles loop-carried captured inputs."""
        result = body(*args)
        extra = tuple(defun.get_extra_args())
        if isinstance(result, Operation):
            return extra
        return (result if isinstance(result, tuple) else (result,)) + extra
    return defun.Defun(*body.declared_input_types, func_name="%s_Wrapper" % body.name)(Wrapper)


def _without(cond, kinds, count):
    def CondWrapper(*args):
        """A wrapper that handles loop-carried captured inputs."""
        return cond(*args[:count])
    return defun.Defun(*kinds, func_name="%s_Wrapper" % cond.name)(CondWrapper)


def While(input_, cond, body, name=None, hostmem=None):
    """What the values are when cond says no more; hostmem are the numbers of those that stay with the host."""
    if cond.captured_inputs:
        raise ValueError("While op 'cond' argument must be a function without implicitly captured inputs.")
    kinds = body.declared_input_types
    if cond.declared_input_types != kinds:
        raise ValueError("While op 'cond' and 'body' signatures do not match. %r vs %r" % (cond.declared_input_types, kinds))
    captured = list(body.captured_inputs)
    if captured:
        cond = _without(cond, list(kinds) + [t.dtype for t in captured], len(kinds))
        body = _with_captures(body)
    made = ops.apply_op("While", input=list(input_) + captured, cond=cond, body=body, name=name)
    made = made[:len(made) - len(captured)]
    if hostmem:
        for key in ("_input_hostmem", "_output_hostmem"):
            made[0].op._set_attr(key, proto.AttrValue(list=proto.message_class("AttrValue.ListValue")(i=hostmem)))
    return made
