# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Operators between a ragged tensor and numbers, or tensors of fewer dimensions than its values have."""

from ..framework import dispatch
from ..framework.ops import convert_to_tensor
from . import math_ops
from .ragged_tensors import RaggedTensor

_BINARY = """add atan2 complex div_no_nan divide equal floordiv floormod greater greater_equal less less_equal logical_and
    logical_or logical_xor maximum minimum multiply not_equal pow squared_difference subtract truediv""".split()
_OPERATORS = {"ge": "greater_equal", "gt": "greater", "le": "less_equal", "lt": "less"}
# Operators that have one for the right operand, too.
_BOTH_WAYS = {"and": "logical_and", "or": "logical_or", "xor": "logical_xor", "add": "add", "floordiv": "floordiv",
              "mod": "floormod", "mul": "multiply", "pow": "pow", "sub": "subtract", "truediv": "truediv"}


def _fits(ragged, other):
    """Whether every value of the ragged tensor meets the whole other one; TF spreads other pairs by their dynamic shapes."""
    ranks = ragged.flat_values.shape.ndims, other.shape.ndims
    return None not in ranks and ranks[1] < ranks[0]


def _handler(function):
    def handle(**arguments):
        (x_name, x), (y_name, y) = list(arguments.items())[:2]
        if isinstance(x, RaggedTensor) == isinstance(y, RaggedTensor):
            return NotImplemented
        ragged, other = (x, y) if isinstance(x, RaggedTensor) else (y, x)
        try:
            other = convert_to_tensor(other, name=y_name if ragged is x else x_name, preferred_dtype=ragged.dtype)
        except (TypeError, ValueError):
            return NotImplemented
        if not _fits(ragged, other):
            return NotImplemented
        values = (ragged.flat_values, other) if ragged is x else (other, ragged.flat_values)
        rest = {key: value for key, value in list(arguments.items())[2:]}
        return ragged.with_flat_values(function(*values, **rest))
    return handle


def _operator(function):
    function = dispatch.composite(function)
    return lambda x, y: function(x, y)


def _mirrored(function):
    function = dispatch.composite(function)
    return lambda y, x: function(x, y)


def _no_truth(_):
    raise TypeError("RaggedTensor may not be used as a boolean.")


for _name in _BINARY:
    _function = getattr(math_ops, _name)
    dispatch.register(_function.__name__, _handler(_function))
for _name, _of in dict(_OPERATORS, **_BOTH_WAYS).items():
    setattr(RaggedTensor, "__%s__" % _name, _operator(getattr(math_ops, _of)))
for _name, _of in _BOTH_WAYS.items():
    setattr(RaggedTensor, "__r%s__" % _name, _mirrored(getattr(math_ops, _of)))
RaggedTensor.__invert__ = lambda x: math_ops.logical_not(x)
RaggedTensor.__neg__ = lambda x: math_ops.negative(x)
RaggedTensor.__abs__ = lambda x: dispatch.composite(math_ops.abs)(x)
RaggedTensor.__bool__ = _no_truth
