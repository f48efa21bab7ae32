# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.framework: tensors that are made sure to have a shape."""

import numpy as np

from .. import dtypes
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import Tensor, name_scope
from ..framework.ops import convert_to_tensor
from ..framework.tensor_shape import TensorShape
from ..operators import array_ops, math_ops


def _beside(tensor, values):
    return name_scope("%s/" % tensor.op.name, values=values)


def _compatible(expected, actual):
    with name_scope("shape_tensor_equal", values=[expected, actual]) as scope:
        same = math_ops.logical_or(math_ops.equal(expected, -1), math_ops.equal(expected, actual, "equal"),
                                   name="exclude_partial_shape")
        return math_ops.reduce_all(same, name=scope)


def _is_shape(expected, tensor, actual, told):
    with name_scope("is_shape", values=[tensor]) as scope:
        size = array_ops.size(told)
        with name_scope("is_rank", values=[tensor]) as rank_scope:
            size = convert_to_tensor(size, name="expected")
            is_rank = math_ops.equal(size, array_ops.rank(tensor, name="actual"), name=rank_scope)
        return math_ops.logical_and(is_rank, _compatible(expected, actual), name=scope)


def _assert_shape(expected, tensor, told):
    """told is the wanted shape as it was given: TF makes a tensor of that."""
    with name_scope("assert_shape", values=[tensor]) as scope:
        actual = array_ops.shape(tensor, name="actual")
        return control_flow.Assert(
            _is_shape(expected, tensor, actual, told),
            ["Wrong shape for %s [expected] [actual]." % tensor.name, told, actual], name=scope)


def _as_numbers(expected, tensor):
    """The wanted shape as a tensor or as int32 numbers."""
    if isinstance(expected, TensorShape):
        expected = [-1 if d is None else d for d in expected.as_list()]
    kind, rank = getattr(expected, "dtype", None), None
    if not isinstance(expected, Tensor):
        array = np.asarray(expected, np.int32 if len(expected) == 0 else None)
        expected = array.astype(np.int32) if isinstance(expected, (list, tuple)) and array.dtype == np.int64 else array
        kind, rank = expected.dtype, expected.ndim
    if rank is not None and rank > 1:
        raise ValueError("Invalid rank %s for shape %s expected of tensor %s." % (rank, expected, tensor.name))
    if dtypes.as_dtype(kind).base_dtype != dtypes.int32:
        raise ValueError("Invalid dtype %s for shape %s expected of tensor %s." % (kind, expected, tensor.name))
    return expected


def with_shape(expected_shape, tensor):
    """The tensor; an assertion goes with it where it may have another shape."""
    expected, actual = _as_numbers(expected_shape, tensor), tensor.shape
    is_shape = isinstance(expected_shape, TensorShape)
    told = expected_shape if is_shape and expected_shape.is_fully_defined() else expected
    dynamic = isinstance(expected, Tensor)
    if dynamic or not actual.is_fully_defined():
        with _beside(tensor, [tensor]):
            if not dynamic and len(expected) == 0:
                return array_ops.reshape(tensor, [])
            with graph_lib.control_dependencies([_assert_shape(expected, tensor, told)]):
                result = array_ops.identity(tensor)
            if not dynamic:
                # TF: -1 stands for any size in a TensorShape's numbers alone.
                result.set_shape(expected_shape if is_shape else [int(d) for d in expected])
            return result
    if not actual.is_compatible_with([None if d < 0 else int(d) for d in expected]):
        if len(expected) == 0 and actual.is_compatible_with([1]):
            with _beside(tensor, [tensor]):
                return array_ops.reshape(tensor, [])
        raise ValueError("Invalid shape for tensor %s, expected %s, got %s." % (tensor.name, expected, actual))
    return tensor


def with_same_shape(expected_tensor, tensor):
    """The tensor, with the shape of another."""
    with _beside(tensor, [expected_tensor, tensor]):
        known = expected_tensor.shape
        if known.is_fully_defined():
            return with_shape(known.as_list(), tensor)
        return with_shape(array_ops.shape(expected_tensor, name="expected_shape"), tensor)
