# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Checks: what is known while building is checked at once, the rest by Assert ops (tf.assert_equal, tf.debugging)."""

import collections

import numpy as np

from .. import dtypes, errors
from ..control import control_flow
from ..framework import graph as graph_lib, ops, tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, constant_value, convert_to_tensor
from . import array_ops, math_ops

_NUMERIC = (dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8,
            dtypes.qint8, dtypes.qint32, dtypes.quint8, dtypes.complex64)


def _static_text(item):
    if not isinstance(item, Tensor):
        return str(item)
    value = constant_value(item)
    return str(item) if value is None else str(value)


def _refuse(data):
    raise errors.InvalidArgumentError(None, None, "\n".join(_static_text(item) for item in data))


# -- element by element

def _compare(sign, scope, test, static_test, x, y, data, summarize, message, name):
    with name_scope(name, scope, [x, y, data]):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y")
        if data is None:
            data = ["Condition x %s y did not hold element-wise:" % sign, "x (%s) = " % x.name, x, "y (%s) = " % y.name,
                    y]
        if message is not None:
            data = [message] + list(data)
        condition = math_ops.reduce_all(test(x, y))
        x_static, y_static = constant_value(x), constant_value(y)
        if x_static is not None and y_static is not None and not np.all(static_test(x_static, y_static)):
            _refuse(data)
        return control_flow.Assert(condition, data, summarize=summarize)


def _comparison(sign, scope, test, static_test):
    def function(x, y, data=None, summarize=None, message=None, name=None):
        return _compare(sign, scope, test, static_test, x, y, data, summarize, message, name)
    function.__name__ = scope
    return function


assert_none_equal = _comparison("!=", "assert_none_equal", math_ops.not_equal, np.not_equal)
assert_less = _comparison("<", "assert_less", math_ops.less, np.less)
assert_less_equal = _comparison("<=", "assert_less_equal", math_ops.less_equal, np.less_equal)
assert_greater = _comparison(">", "assert_greater", math_ops.greater, np.greater)
assert_greater_equal = _comparison(">=", "assert_greater_equal", math_ops.greater_equal, np.greater_equal)


def assert_equal(x, y, data=None, summarize=None, message=None, name=None):
    with name_scope(name, "assert_equal", [x, y, data]):
        if x is y:
            return control_flow.no_op()
    return _compare("==", "assert_equal", math_ops.equal, np.equal, x, y, data, summarize, message, name)


def _sign_check(scope, heading, check, zero_first):
    def function(x, data=None, summarize=None, message=None, name=None):
        with name_scope(name, scope, [x, data]):
            x = convert_to_tensor(x, name="x")
            if data is None:
                data = [message or ""] + heading(x.name) + [x]
            zero = convert_to_tensor(0, dtype=x.dtype)
            return check(*((zero, x) if zero_first else (x, zero)), data=data, summarize=summarize)
    function.__name__ = scope
    return function


def _heading(sign):
    return lambda name: ["Condition x %s 0 did not hold element-wise:" % sign, "x (%s) = " % name]


assert_negative = _sign_check("assert_negative", _heading("<"), assert_less, False)
assert_positive = _sign_check("assert_positive", _heading(">"), assert_less, True)
assert_non_negative = _sign_check("assert_non_negative", _heading(">="), assert_less_equal, True)
# TF: this one alone has both parts of its heading in one string.
assert_non_positive = _sign_check("assert_non_positive",
                                  lambda name: ["Condition x <= 0 did not hold element-wise:x (%s) = " % name],
                                  assert_less_equal, False)


def assert_near(x, y, rtol=None, atol=None, data=None, summarize=None, message=None, name=None):
    with name_scope(name, "assert_near", [x, y, rtol, atol, data]):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype)
        tolerance = 10 * np.finfo(x.dtype.as_numpy_dtype).eps
        rtol = convert_to_tensor(tolerance if rtol is None else rtol, name="rtol", dtype=x.dtype)
        atol = convert_to_tensor(tolerance if atol is None else atol, name="atol", dtype=x.dtype)
        if data is None:
            data = [message or "", "x and y not equal to tolerance rtol = %s, atol = %s" % (rtol, atol),
                    "x (%s) = " % x.name, x, "y (%s) = " % y.name, y]
        allowed = atol + rtol * math_ops.abs(y)
        diff = math_ops.abs(x - y)
        return control_flow.Assert(math_ops.reduce_all(math_ops.less(diff, allowed)), data, summarize=summarize)


# -- ranks

class _RankError(Exception):
    """The rank is known and is not one that is allowed."""


def _check_ranks(x, ranks, static_test, dynamic_test, data, summarize):
    for rank in ranks:
        assert_type(rank, dtypes.int32)
    known = [constant_value(rank) for rank in ranks]
    if all(k is not None for k in known):
        if any(k.ndim != 0 for k in known):
            raise ValueError("Rank must be a scalar.")
        if x.shape.ndims is not None:
            if not static_test(x.shape.ndims, [int(k) for k in known]):
                raise _RankError()
            return control_flow.no_op(name="static_checks_determined_all_ok")
    condition = dynamic_test(array_ops.rank(x), ranks)
    for rank, value in zip(ranks, known):
        if value is None:
            check = assert_rank(rank, 0, data=["Rank must be a scalar. Received rank: ", rank])
            condition = control_flow.with_dependencies([check], condition)
    return control_flow.Assert(condition, data, summarize=summarize)


def _rank_check(scope, words, static_test, dynamic_test):
    def function(x, rank, data=None, summarize=None, message=None, name=None):
        with name_scope(name, scope, (x, rank) + tuple(data or [])):
            x = convert_to_tensor(x, name="x")
            rank = convert_to_tensor(rank, name="rank")
            message = message or ""
            if data is None:
                data = [message, "Tensor %s must have rank%s" % (x.name, words), rank, "Received shape: ",
                        array_ops.shape(x)]
            try:
                return _check_ranks(x, [rank], lambda actual, given: static_test(actual, given[0]),
                                    lambda actual, given: dynamic_test(actual, given[0]), data, summarize)
            except _RankError:
                raise ValueError("%s.  Tensor %s must have rank%s %d.  Received rank %d, shape %s" % (
                    message, x.name, words, constant_value(rank), x.shape.ndims, x.shape)) from None
    function.__name__ = scope
    return function


assert_rank = _rank_check("assert_rank", "", lambda actual, given: actual == given, math_ops.equal)
assert_rank_at_least = _rank_check("assert_rank_at_least", " at least", lambda actual, given: actual >= given,
                                   math_ops.greater_equal)


def _any_rank(actual, ranks):
    if len(ranks) < 1:
        return convert_to_tensor(False)
    result = math_ops.equal(ranks[0], actual)
    for rank in ranks[1:]:
        result = math_ops.logical_or(result, math_ops.equal(rank, actual))
    return result


def assert_rank_in(x, ranks, data=None, summarize=None, message=None, name=None):
    with name_scope(name, "assert_rank_in", (x,) + tuple(ranks) + tuple(data or [])):
        x = convert_to_tensor(x, name="x")
        ranks = tuple(convert_to_tensor(rank, name="rank") for rank in ranks)
        message = message or ""
        if data is None:
            data = [message, "Tensor %s must have rank in" % x.name] + list(ranks) + ["Received shape: ",
                                                                                       array_ops.shape(x)]
        try:
            return _check_ranks(x, ranks, lambda actual, given: actual in given, _any_rank, data, summarize)
        except _RankError:
            given = tuple(constant_value(rank) for rank in ranks)
            raise ValueError("%s.  Tensor %s must have rank in %s.  Received rank %d, shape %s" % (
                message, x.name, given, x.shape.ndims, x.shape)) from None


def assert_scalar(tensor, name=None, message=None):
    with name_scope(name, "assert_scalar", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name=scope)
        if tensor.shape.ndims != 0:
            raise ValueError("%sExpected scalar shape for %s, saw shape: %s." % (message or "", tensor.name, tensor.shape))
        return tensor


# -- types

def assert_integer(x, message=None, name=None):
    with name_scope(name, "assert_integer", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError('%s  Expected "x" to be integer type.  Found: %s of dtype %s' % (message or "", x.name, x.dtype))
        return control_flow.no_op("statically_determined_was_integer")


def assert_type(tensor, tf_type, message=None, name=None):
    with name_scope(name, "assert_type", [tensor]):
        tensor = convert_to_tensor(tensor, name="tensor")
        if tensor.dtype != tf_type:
            raise TypeError("%s  %s must be of type %s" % (message or "", tensor.name, tf_type))
        return control_flow.no_op("statically_determined_correct_type")


def is_numeric_tensor(tensor):
    return isinstance(tensor, Tensor) and tensor.dtype in _NUMERIC


def _same_base_type(items, expected):
    first = None
    for item in items:
        if item is None:
            continue
        kind = item.dtype.base_dtype
        if not expected:
            expected, first = kind, getattr(item, "name", None) or str(item)
        elif expected != kind:
            raise ValueError("%s, type=%s, must be of the same type (%s)%s." % (
                getattr(item, "name", None) or str(item), kind, expected, " as %s" % first if first else ""))
    return expected


def assert_same_float_dtype(tensors=None, dtype=None):
    if tensors:
        dtype = _same_base_type(tensors, dtype)
    if not dtype:
        return dtypes.float32
    if not dtype.is_floating:
        raise ValueError("Expected floating point type, got %s." % dtype)
    return dtype


def assert_proper_iterable(values):
    from .sparse import SparseTensor
    if isinstance(values, (Tensor, SparseTensor, np.ndarray, str, bytes)):
        raise TypeError('Expected argument "values" to be a "proper" iterable.  Found: %s' % type(values))
    if not hasattr(values, "__iter__"):
        raise TypeError('Expected argument "values" to be iterable.  Found: %s' % type(values))


# -- shapes by symbols

_Sizes = collections.namedtuple("_Sizes", ["x", "innermost", "actual", "symbolic"])


def _sizes_of(x):
    dynamic = array_ops.shape(x)
    if x.shape.ndims == 0:
        return (1,)
    if x.shape.ndims is not None:
        return [int(d) if d is not None else dynamic[i] for i, d in enumerate(x.shape.as_list())]
    no_rank = math_ops.equal(array_ops.rank(x), 0)
    return control_flow.cond(no_rank, lambda: ops.constant([1]), lambda: dynamic)


def _known(size):
    try:
        int(size)
    except (ValueError, TypeError):
        return False
    return True


def _read_symbols(tensor, symbols, message):
    if not hasattr(symbols, "__iter__") and not hasattr(symbols, "__getitem__"):
        raise ValueError("%s.  Tensor %s.  Specified shape must be an iterable.  An iterable has the attribute `__iter__` "
                         "or `__getitem__`.  Received specified shape: %s" % (message, tensor.name, symbols))
    symbols = tuple(symbols)
    for i, symbol in enumerate(symbols):
        if symbol in (Ellipsis, "*") and i != 0:
            raise ValueError("%s.  Tensor %s specified shape index %d.  Symbol `...` or `*` for a variable number of "
                             "unspecified dimensions is only allowed as the first entry" % (message, tensor.name, i))
    innermost = bool(symbols) and symbols[0] in (Ellipsis, "*")
    actual = _sizes_of(tensor)
    if innermost:
        symbols = symbols[1:]
    return _Sizes(tensor, innermost, actual, symbols or (1,))


def _rank_assertions(all_sizes, data, summarize, message, name):
    options = dict(data=data, summarize=summarize, message=message, name=name)
    result = []
    for sizes in all_sizes:
        rank = len(sizes.symbolic)
        if sizes.innermost:
            if rank > 1:
                result.append(assert_rank_at_least(x=sizes.x, rank=rank, **options))
        elif rank <= 1:
            result.append(assert_rank_in(x=sizes.x, ranks=[0, 1], **options))
        else:
            result.append(assert_rank(x=sizes.x, rank=rank, **options))
    return result


def _size_assertion(sizes, dim, wanted, origin, data, summarize, message):
    actual = sizes.actual[dim]
    if _known(actual) and _known(wanted):
        if int(actual) != int(wanted):
            raise ValueError("%s.  %s.  Tensor %s dimension %s must have size %d.  Received size %d, shape %s" % (
                message, origin, sizes.x.name, dim, wanted, actual, sizes.x.shape))
        return None
    condition = math_ops.equal(convert_to_tensor(actual), convert_to_tensor(wanted))
    if data is None:
        data = [message, origin, "Tensor %s dimension" % sizes.x.name, dim, "must have size", wanted, "Received shape: ",
                array_ops.shape(sizes.x)]
    return control_flow.Assert(condition, data, summarize=summarize)


def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
    if isinstance(shapes, dict):
        shapes = shapes.items()
    message = message or ""
    with name_scope(name, "assert_shapes", [shapes, data]):
        given = [(convert_to_tensor(x), s) for x, s in shapes if s is not None]
        all_sizes = [_read_symbols(x, s, message) for x, s in given]
        rank_checks = _rank_assertions(all_sizes, data, summarize, message, name)
        size_checks, seen = [], {}
        for sizes in all_sizes:
            for i, symbol in enumerate(sizes.symbolic):
                if symbol in (None, "."):
                    continue
                dim = i - len(sizes.symbolic) if sizes.innermost else i
                if _known(symbol):
                    wanted, origin = int(symbol), "Specified explicitly"
                elif symbol in seen:
                    wanted, by, at = seen[symbol]
                    origin = "Specified by tensor %s dimension %d" % (by.name, at)
                else:
                    seen[symbol] = sizes.actual[dim], sizes.x, dim
                    continue
                check = _size_assertion(sizes, dim, wanted, origin, data, summarize, message)
                if check is not None:
                    size_checks.append(check)
        with graph_lib.control_dependencies(rank_checks):
            return control_flow.group(size_checks)


# -- order

def _differences(x):
    x = array_ops.reshape(x, [-1])
    if not is_numeric_tensor(x):
        raise TypeError("Expected x to be numeric, instead found: %s" % x)
    short = math_ops.less(array_ops.size(x), 2)
    length = array_ops.shape(x) - 1
    return control_flow.cond(
        short, lambda: convert_to_tensor([], dtype=x.dtype),
        lambda: array_ops.strided_slice(x, [1], [1] + length) - array_ops.strided_slice(x, [0], length))


def _in_order(scope, test):
    def function(x, name=None):
        with name_scope(name, scope, [x]):
            diff = _differences(x)
            return math_ops.reduce_all(test(convert_to_tensor(0, dtype=diff.dtype), diff))
    function.__name__ = scope
    return function


is_non_decreasing = _in_order("is_non_decreasing", math_ops.less_equal)
is_strictly_increasing = _in_order("is_strictly_increasing", math_ops.less)


# -- numbers

def ensure_shape(x, shape, name=None):
    return apply_op("EnsureShape", input=x, shape=tensor_shape.as_shape(shape), name=name)


def check_numerics(tensor, message, name=None):
    return apply_op("CheckNumerics", tensor=tensor, message=message, name=name)


def verify_tensor_all_finite(t=None, msg=None, name=None, x=None, message=None):
    x = x if x is not None else t
    message = message if message is not None else msg
    with name_scope(name, "VerifyFinite", [x]) as name:
        x = convert_to_tensor(x, name="x")
        with graph_lib.colocate_with(x):
            return control_flow.with_dependencies([check_numerics(x, message=message)], x)


assert_all_finite = verify_tensor_all_finite


def add_check_numerics_ops():
    """One op that fails where any float tensor of the graph holds NaN or infinity."""
    checks = []
    for op in graph_lib.get_default_graph().get_operations():
        for output in op.outputs:
            if output.dtype in (dtypes.float16, dtypes.float32, dtypes.float64):
                if op._get_control_flow_context() is not None:
                    raise ValueError("`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow operations "
                                     "such as `tf.cond()` or `tf.while_loop()`.")
                with graph_lib.control_dependencies(checks):
                    checks = [check_numerics(output, message=output.op.name + ":%d" % output.value_index)]
    return control_flow.group(*checks)
