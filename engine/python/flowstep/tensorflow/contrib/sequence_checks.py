# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Checks of the sequences of tf.contrib.training, when they are made and when they run: who fails is told by name."""

from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.ops import Tensor, constant_value
from ..framework.tensor_shape import TensorShape
from ..operators import array_ops, math_ops, string_ops


def check_keys(what, tensors):
    for k in tensors:
        if not isinstance(k, str):
            raise TypeError("%s must be string: %s" % (what, k))
        if ":" in k:
            raise ValueError("%s may not have a colon: '%s'" % (what, k))


def assert_fully_defined(label, tensors, ignore_first_dimension=False):
    for k, v in tensors.items():
        if not v.shape[int(ignore_first_dimension):].is_fully_defined():
            raise ValueError("Shape for %s %s is not fully defined %s: %s" % (
                label, k, "(ignoring first dimension)" if ignore_first_dimension else "", v.shape))


def _multiple_check(value, multiple_of, remainder, words):
    is_one = math_ops.logical_and(math_ops.equal(remainder, 0), math_ops.not_equal(value, 0))
    return control_flow.Assert(is_one, [string_ops.string_join([
        words, string_ops.as_string(multiple_of), ", but saw value: ", string_ops.as_string(value),
        ". Consider setting pad=True."])])


def check_multiple_of(value, multiple_of):
    check = _multiple_check(value, multiple_of, math_ops.mod(value, multiple_of),
                            "Tensor %s should be a multiple of: " % value.name)
    with graph_lib.control_dependencies([check]):
        return array_ops.identity(value, name="multiple_of_checked")


def check_first_dimension(kind, key, size, multiple_of, *values):
    """The values, once their first dimension was seen to be a multiple."""
    check = _multiple_check(size, multiple_of, size % multiple_of,
                            "%s %s first dimension should be a multiple of: " % (kind, key))
    with graph_lib.control_dependencies([check]):
        return [array_ops.identity(value, name="multiple_of_checked") for value in values]


def _merge(what, value, label, merge):
    try:
        value.set_shape(merge(value.shape))
    except ValueError as error:
        raise ValueError("%s check failed for %s: %s" % (what, label, error)) from None


def check_rank(value, expected):
    right = math_ops.equal(expected, array_ops.rank(value))
    words = string_ops.string_join(["Rank of tensor %s should be: " % value.name, string_ops.as_string(expected),
                                    ", shape received:"])
    with graph_lib.control_dependencies([control_flow.Assert(right, [words, array_ops.shape(value)])]):
        checked = array_ops.identity(value, name="rank_checked")
    known = constant_value(expected) if isinstance(expected, Tensor) else expected
    if known is not None:
        _merge("Rank", checked, value.name, lambda shape: shape.with_rank(int(known)))
    return checked


def check_shape(value, expected):
    if isinstance(expected, TensorShape):
        expected = expected.as_list()
    if isinstance(expected, Tensor):
        known = constant_value(expected)
        expected = expected if known is None else [int(size) for size in known]
    value = check_rank(value, array_ops.size(expected) if isinstance(expected, Tensor) else len(expected))
    right = math_ops.reduce_all(math_ops.equal(expected, array_ops.shape(value)))
    words = string_ops.string_join(["Shape of tensor %s should be: " % value.name, string_ops.as_string(expected),
                                    ", shape received: ", string_ops.as_string(array_ops.shape(value))])
    with graph_lib.control_dependencies([control_flow.Assert(right, [words])]):
        checked = array_ops.identity(value, name="shape_checked")
    if not isinstance(expected, Tensor):
        _merge("Shape", checked, value.name, lambda shape: shape.merge_with(expected))
    return checked


def check_dimensions(value, dimensions, sizes, debug_prefix):
    if len(dimensions) != len(sizes):
        raise ValueError("len(dimensions) != len(expected_sizes): %d vs. %d" % (len(dimensions), len(sizes)))
    if value.shape.ndims is not None:
        if value.shape.ndims <= max(dimensions):
            raise ValueError("%s: rank of input is not greater than max(dimensions): %d vs. %d" % (
                debug_prefix, value.shape.ndims, max(dimensions)))
        known = value.shape.as_list()
        for i, size in zip(dimensions, sizes):
            known[i] = known[i] if isinstance(size, Tensor) else size
        _merge("Dimensions", value, debug_prefix, lambda shape: shape.merge_with(known))

    def has(i, size):
        right = math_ops.equal(size, array_ops.shape(value)[i])
        return control_flow.Assert(right, [string_ops.string_join([
            "Dimension %d of tensor labeled %s should be: " % (i, debug_prefix), string_ops.as_string(size),
            ", shape received: ", string_ops.as_string(array_ops.shape(value))])])
    with graph_lib.control_dependencies([has(i, size) for i, size in zip(dimensions, sizes)]):
        return array_ops.identity(value, name="dims_checked_%s" % debug_prefix)
