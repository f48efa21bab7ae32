# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Control flow of functions that were defined (Defun): one If, While, For or SymbolicGradient op."""

from .. import dtypes
from ..framework import ops, proto
from ..framework.graph import Operation
from ..operators import math_ops
from . import defun


def If(cond, inputs, then_branch, else_branch, name=None):
    kinds = [arg.type for arg in then_branch.definition.signature.output_arg]
    return ops.apply_op("If", cond=cond, input=inputs, Tout=kinds, then_branch=then_branch, else_branch=else_branch, name=name)


def Gradient(inputs, f, name=None):
    """What f's gradient is of its arguments and of the gradients of its results."""
    kinds = [arg.type for arg in f.definition.signature.input_arg]
    return ops.apply_op("SymbolicGradient", input=inputs, Tout=kinds, f=f, name=name)


def _results(result):
    if isinstance(result, Operation):
        return ()
    return result if isinstance(result, tuple) else (result,)


def _with_captures(body):
    """body, and after its results what it reads of the graphs around it."""
    def Wrapper(*args):
        """A wrapper that handles loop-carried captured inputs."""
        result = body(*args)
        return _results(result) + tuple(defun.get_extra_args())
    return defun.Defun(*body.declared_input_types, func_name="%s_Wrapper" % body.name)(Wrapper)


def _without(cond, kinds, count):
    def CondWrapper(*args):
        """A wrapper that handles loop-carried captured inputs."""
        return cond(*args[:count])
    return defun.Defun(*kinds, func_name="%s_Wrapper" % cond.name)(CondWrapper)


def _keep_with_host(op, inputs, outputs):
    for key, numbers in (("_input_hostmem", inputs), ("_output_hostmem", outputs)):
        op._set_attr(key, proto.AttrValue(list=proto.message_class("AttrValue.ListValue")(i=numbers)))


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
        _keep_with_host(made[0].op, hostmem, hostmem)
    return made


def _as_while(start, limit, delta, inputs, body, name, hostmem):
    """A For as a While that counts from 0 and carries where it starts and how far it goes each time."""
    stride = math_ops.abs(delta)
    count = math_ops.cast(math_ops.cast(math_ops.abs(limit - start) + stride - 1, dtypes.float32)
                          / math_ops.cast(stride, dtypes.float32), dtypes.int32)
    kinds = [dtypes.int32] * 4 + list(body.declared_input_types)[1:]

    def WhileCond(i, n, *args):
        return i < n

    def WhileBody(i, n, start, delta, *args):
        """A While wrapper for forbody that handles loop-carried captured inputs."""
        made = _results(body(start + i * delta, *args))
        return (i + 1, n, start, delta) + made
    cond = defun.Defun(*kinds, func_name="%s_Cond" % body.name)(WhileCond)
    body_of_while = defun.Defun(*kinds, func_name="%s_Body" % body.name)(WhileBody)
    with_host = [0, 1, 2, 3] + [4 + i for i in hostmem or ()]
    return list(While([0, count, start, delta] + inputs, cond, body_of_while, name=name, hostmem=with_host)[4:])


def For(start, limit, delta, inputs, body, name=None, hostmem=None, rewrite_with_while=None):
    """What the values are after body of (i, *values) for each i of a range."""
    if rewrite_with_while:
        return _as_while(start, limit, delta, inputs, body, name, hostmem)
    captured = list(body.captured_inputs)
    if captured:
        body = _with_captures(body)
    made = ops.apply_op("For", start=start, limit=limit, delta=delta, input=list(inputs) + captured, body=body, name=name)
    made = made[:len(made) - len(captured)]
    if hostmem:
        _keep_with_host(made[0].op, [3 + i for i in hostmem], hostmem)
    return made
