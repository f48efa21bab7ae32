# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.ragged: making ragged tensors, taking parts of them, and the functions of tf that take them."""

import numpy as np

from .. import dtypes
from ..control import control_flow
from ..framework import dispatch, ops, tensor_shape
from ..framework.graph import Tensor, control_dependencies, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, check_ops, math_ops
from .ragged_tensors import RaggedTensor, RaggedTensorValue, positive_axis, row_splits_to_segment_ids
from .ragged_tensors import segment_ids_to_row_splits


def is_ragged(value):
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


# -- from nested lists

def constant(pylist, dtype=None, ragged_rank=None, inner_shape=None, name=None, row_splits_dtype=dtypes.int64):
    def rows(values, splits):
        return RaggedTensor.from_row_splits(values, ops.constant(splits, dtype=row_splits_dtype), validate=False)

    def flat(values, shape, **named):
        return ops.constant(values, dtype, shape, **named)
    with name_scope(name, "RaggedConstant"):
        return _nested(rows, flat, pylist, ragged_rank, inner_shape)


def constant_value(pylist, dtype=None, ragged_rank=None, inner_shape=None, row_splits_dtype="int64"):
    dtype = dtype.as_numpy_dtype if isinstance(dtype, dtypes.DType) else dtype
    kind = dtypes.as_dtype(row_splits_dtype).as_numpy_dtype
    return _nested(lambda values, splits: RaggedTensorValue(values, np.array(splits, dtype=kind)),
                   lambda values, shape, name=None: np.reshape(np.array(values, dtype=dtype), shape),
                   pylist, ragged_rank, inner_shape)


def _nested(make_rows, make_flat, pylist, ragged_rank, inner_shape):
    if is_ragged(pylist):
        raise TypeError("pylist may not be a RaggedTensor or RaggedTensorValue.")
    if _is_scalar(pylist):
        if ragged_rank:
            raise ValueError("Invalid pylist=%r: incompatible with ragged_rank=%d" % (pylist, ragged_rank))
        if inner_shape:
            raise ValueError("Invalid pylist=%r: incompatible with dim(inner_shape)=%d" % (pylist, len(inner_shape)))
        return make_flat(pylist, ())
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError("Invalid ragged_rank=%r: must be nonnegative" % ragged_rank)
    scalars, deepest = _depths(pylist)
    if scalars is not None and deepest > scalars:
        raise ValueError("Invalid pylist=%r: empty list nesting is greater than scalar value nesting" % pylist)
    if inner_shape is not None and ragged_rank is not None:
        wanted = ragged_rank + len(inner_shape) + 1
        if wanted != scalars if scalars is not None else wanted < deepest:
            raise ValueError("Invalid pylist=%r: incompatible with ragged_rank=%d and dim(inner_shape)=%d" % (
                pylist, ragged_rank, len(inner_shape)))
    if ragged_rank == 0 or ragged_rank is None and (
            deepest < 2 or inner_shape is not None and deepest - len(inner_shape) < 2):
        return make_flat(pylist, inner_shape)
    if inner_shape is None:
        inner_shape = () if ragged_rank is None else _inner_shape(pylist, ragged_rank)
    if ragged_rank is None:
        ragged_rank = max(1, deepest - 1 if scalars is None else scalars - 1 - len(inner_shape))
    splits, values = [], pylist
    for _ in range(ragged_rank):
        splits.append([0])
        joined = []
        for row in values:
            splits[-1].append(splits[-1][-1] + len(row))
            joined.extend(row)
        values = joined
    values = make_flat(values, (len(values),) + tuple(inner_shape), name="values")
    for row_splits in reversed(splits):
        values = make_rows(values, row_splits)
    return values


def _is_scalar(value):
    return not isinstance(value, (list, tuple)) and np.ndim(value) == 0


def _depths(pylist):
    """At what depth the scalars are, and how deep the lists go."""
    if _is_scalar(pylist):
        return 0, 0
    scalars, deepest = None, 1
    for child in pylist:
        below, most = _depths(child)
        if below is not None:
            if scalars is not None and scalars != below + 1:
                raise ValueError("all scalar values must have the same nesting depth")
            scalars = below + 1
        deepest = max(deepest, most + 1)
    return scalars, deepest


def _inner_shape(pylist, ragged_rank):
    values = pylist
    for dim in range(ragged_rank):
        if any(_is_scalar(value) for value in values):
            raise ValueError("pylist has scalar values depth %d, but ragged_rank=%d requires scalar value depth greater than "
                             "%d" % (dim + 1, ragged_rank, ragged_rank))
        values = sum((list(value) for value in values), [])
    shape, level = [], values
    while not _is_scalar(level):
        shape.append(len(level))
        if not len(level):
            break
        level = level[0]

    def check(item, shape):
        if _is_scalar(item) == bool(shape) or shape and shape[0] != len(item):
            raise ValueError("inner values have inconsistent shape")
        for child in item if shape else ():
            check(child, shape[1:])
    check(values, shape)
    return tuple(shape[1:])


def placeholder(dtype, ragged_rank, value_shape=None, name=None):
    if ragged_rank == 0:
        return array_ops.placeholder(dtype, value_shape, name)
    with name_scope(name, "RaggedPlaceholder", []):
        shape = tensor_shape.TensorShape([None]).concatenate(tensor_shape.as_shape(value_shape))
        result = array_ops.placeholder(dtype, shape, "flat_values")
        for i in reversed(range(ragged_rank)):
            splits = array_ops.placeholder(dtypes.int64, [None], "row_splits_%d" % i)
            result = RaggedTensor(result, splits, internal=True)
        return result


_RANGES = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]


def range_(starts, limits=None, deltas=1, dtype=None, name=None, row_splits_dtype=dtypes.int64):
    if limits is None:
        starts, limits = 0, starts
    with name_scope(name, "RaggedRange", [starts, limits, deltas]) as name:
        given = [convert_to_tensor(value, dtype=dtype, name=key) for value, key in (
            (starts, "starts"), (limits, "limits"), (deltas, "deltas"))]
        if dtype is None:
            kind = max([value.dtype for value in given], key=_RANGES.index)
            given = [math_ops.cast(value, kind) for value in given]
        made = apply_op("RaggedRange", starts=given[0], limits=given[1], deltas=given[2],
                        Tsplits=dtypes.as_dtype(row_splits_dtype), name=name)
        return RaggedTensor.from_row_splits(made[1], made[0], validate=False)


range_.__name__ = range_.__qualname__ = "range"


# -- functions of the values

def map_flat_values(op, *args, **kwargs):
    splits = []

    def flat(value):
        if isinstance(value, RaggedTensor):
            splits.append(value.nested_row_splits)
            return value.flat_values
        if isinstance(value, (list, tuple)):
            return type(value)(flat(item) for item in value)
        return {key: flat(item) for key, item in value.items()} if isinstance(value, dict) else value
    inner, named = flat(args), flat(kwargs)
    if not splits:
        return op(*args, **kwargs)
    with control_dependencies(same_splits(splits)):
        return RaggedTensor.from_nested_row_splits(op(*inner, **named), splits[0], validate=False)


def same_splits(lists):
    words = "Inputs must have identical ragged splits"
    if len({splits[0].dtype for splits in lists}) > 1:
        raise ValueError("Input RaggedTensors have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to "
                         "convert them to compatible dtypes.")
    if any(len(splits) != len(lists[0]) for splits in lists):
        raise ValueError(words)
    return [check_ops.assert_equal(a, b, message=words) for splits in lists[1:] for a, b in zip(lists[0], splits)]


# TF: not all ops of one argument; sigmoid and tanh take none.
_UNARY = """Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh DecodeBase64 DecodeCompressed Digamma EncodeBase64 Erf Erfc Exp
    Expm1 Floor Invert IsFinite IsInf IsNan Lgamma Log Log1p LogicalNot Neg Reciprocal Rint Rsqrt Sign Sin Sinh Sqrt Square Tan
    StringToHashBucketFast StringToHashBucketStrong UnicodeScript""".split()


def _elementwise(op_type):
    function = ops.wrapper(op_type)

    def handle(**arguments):
        key, x = next(iter(arguments.items()))
        if not isinstance(x, RaggedTensor):
            return NotImplemented
        rest = {k: v for k, v in arguments.items() if k != key}
        return x.with_flat_values(function(x.flat_values, **rest))
    return function.__name__, handle


for _type in _UNARY:
    dispatch.register(*_elementwise(_type))
dispatch.register("abs", _elementwise("Abs")[1])


def _rank(input, name=None):
    if not isinstance(input, RaggedTensor):
        return NotImplemented
    with name_scope(name, "RaggedRank", [input.flat_values]):
        return input.ragged_rank + array_ops.rank(input.flat_values)


dispatch.register("rank", _rank)


def _segment(function, data, segment_ids, num_segments, name=None):
    """A segment sum, or the like, of rows."""
    if not (is_ragged(data) or is_ragged(segment_ids)):
        return function(data, segment_ids, num_segments, name=name)
    with name_scope(name, "RaggedSegment", [num_segments]):
        if is_ragged(segment_ids):
            if not is_ragged(data):
                raise ValueError("segment_ids.shape must be a prefix of data.shape, but segment_ids is ragged and data is not.")
            check = check_ops.assert_equal(segment_ids.row_splits, data.row_splits,
                                           message="segment_ids.shape must be a prefix of data.shape")
            with control_dependencies([check]):
                return _segment(function, data.values, segment_ids.values, num_segments)
        segment_ids = convert_to_tensor(segment_ids, name="segment_ids")
        lengths = data.row_splits[1:] - data.row_splits[:-1]
        longest = math_ops.maximum(math_ops.unsorted_segment_max(lengths, segment_ids, num_segments), 0)
        zero = array_ops.zeros([1], longest.dtype)
        splits = array_ops.concat([zero, math_ops.cumsum(longest)], axis=0)
        starts = array_ops.gather(splits, segment_ids)
        index = range_(starts, starts + lengths).values
        values = _segment(function, data.values, index, splits[-1])
        return RaggedTensor.from_row_splits(values, splits, validate=False)


def _reduced(reduce, segment, x, axis, name=None):
    if not is_ragged(x):
        return reduce(x, axis, name=name)
    if isinstance(axis, Tensor):
        axis = ops.constant_value(axis)
        if axis is None:
            raise ValueError("axis must be known at graph construction time.")
        axis = axis.tolist()
    if axis is None:
        return reduce(x.flat_values, None, name=name)
    with name_scope(name, "RaggedReduce", [x.flat_values]):
        if isinstance(axis, (tuple, list)):
            if not axis:
                return x
            if len(axis) > 1:
                axis = sorted(positive_axis(a, x.shape.ndims) for a in axis)
                return _reduced(reduce, segment, _reduced(reduce, segment, x, axis[-1]), axis[:-1])
            axis = axis[0]
        axis = positive_axis(axis, x.shape.ndims)
        if axis == 0:
            lengths = x.row_splits[1:] - x.row_splits[:-1]
            count = math_ops.maximum(math_ops.reduce_max(lengths), 0)
            return _segment(segment, x.values, range_(lengths).values, count)
        if axis == 1:
            count = array_ops.shape(x.row_splits)[0] - 1
            return _segment(segment, x.values, row_splits_to_segment_ids(x.row_splits), count)
        return x.with_values(_reduced(reduce, segment, x.values, axis - 1))


def _reduction(name, segment):
    reduce = getattr(math_ops, name)

    def handle(input_tensor, axis=None, keepdims=None, name=None, **_):
        if not is_ragged(input_tensor):
            return NotImplemented
        if keepdims:
            raise ValueError("keepdims=True is not supported for RaggedTensors.")
        return _reduced(reduce, segment, input_tensor, axis, name or scope)
    scope = "Ragged" + "".join(part.capitalize() for part in name.split("_"))
    dispatch.register(name, handle)


for _name in ("sum", "prod", "min", "max"):
    _reduction("reduce_" + _name, getattr(math_ops, "unsorted_segment_" + _name))


def _sum(x, axis):
    return _reduced(math_ops.reduce_sum, math_ops.unsorted_segment_sum, x, axis, "RaggedReduceSum")


def _product(x, axis):
    return _reduced(math_ops.reduce_prod, math_ops.unsorted_segment_prod, x, axis, "RaggedReduceProd")


def _mean(x, axis, name):
    with name_scope(name, "RaggedReduceMean", [x.flat_values]):
        total = _sum(x, axis)
        ones = RaggedTensor.from_nested_row_splits(array_ops.ones_like(x.flat_values), x.nested_row_splits, validate=False)
        count = _sum(ones, axis)
        if not is_ragged(total):
            return total / count
        return RaggedTensor.from_nested_row_splits(total.flat_values / count.flat_values, total.nested_row_splits,
                                                   validate=False)


def _cast_flat(x, dtype):
    return x.with_flat_values(math_ops.cast(x.flat_values, dtype)) if is_ragged(x) else math_ops.cast(x, dtype)


def _of_truth(scope, reduce):
    """Whether all or any are true, by products or sums of numbers."""
    def reduced(x, axis, name):
        with name_scope(name, scope, [x.flat_values]):
            return _cast_flat(reduce(_cast_flat(x, dtypes.int32), axis), dtypes.bool)
    return reduced


def _composed(name, reduced):
    def handle(input_tensor, axis=None, keepdims=None, name=None, **_):
        if not is_ragged(input_tensor):
            return NotImplemented
        if keepdims:
            raise ValueError("keepdims=True is not supported for RaggedTensors.")
        return reduced(input_tensor, axis, name)
    dispatch.register(name, handle)


_composed("reduce_mean", _mean)
_composed("reduce_all", _of_truth("RaggedReduceAll", _product))
_composed("reduce_any", _of_truth("RaggedReduceAny", _sum))


# -- rows and parts of rows

def getitem(rows, key):
    with name_scope(None, "RaggedGetItem", [rows.flat_values]):
        return _taken(rows, list(key) if isinstance(key, (list, tuple)) else [key])


def _taken(rows, keys):
    if not keys:
        return rows
    key, inner = keys[0], keys[1:]
    if key is Ellipsis:
        return _taken(rows, _without_ellipsis(keys, rows.shape.ndims))
    if key is None:
        made = _taken(rows, inner)
        count = array_ops.shape(made.row_splits, out_type=made.row_splits.dtype)[0]
        return RaggedTensor.from_row_splits(made, array_ops.stack([0, count - 1]), validate=False)
    if isinstance(key, slice):
        return _inner(_sliced(rows, key), inner)
    starts, limits = rows.row_splits[:-1], rows.row_splits[1:]
    start = starts[key]
    row = rows.values[start:limits[key]]
    return row[tuple(inner) if isinstance(row, Tensor) else inner] if inner or isinstance(row, Tensor) else row


def _sliced(rows, key):
    if key.start is None and key.stop is None and key.step is None:
        return rows
    starts, limits = rows.row_splits[:-1][key], rows.row_splits[1:][key]
    zero = array_ops.zeros([1], rows.row_splits.dtype)
    if key.step is not None and key.step != 1:
        return _of_ranges(starts, limits, 1, rows.values)
    splits = array_ops.concat([zero[array_ops.size(starts):], starts[:1], limits], axis=0)
    first, last = splits[0], splits[-1]
    return RaggedTensor.from_row_splits(rows.values[first:last], splits - first, validate=False)


def _inner(rows, keys):
    if not keys:
        return rows
    if isinstance(rows, Tensor):
        return rows[tuple([slice(None)] + keys)]
    key = keys[0]
    if key is Ellipsis:
        return _inner(rows, _without_ellipsis(keys, rows.values.shape.ndims))
    if key is None:
        made = _inner(rows, keys[1:])
        count = array_ops.shape(made.row_splits, out_type=made.row_splits.dtype)[0]
        return RaggedTensor.from_row_splits(made, math_ops.range(count), validate=False)
    if not isinstance(key, slice):
        raise ValueError("Cannot index into an inner ragged dimension.")
    if key.start is None and key.stop is None and key.step is None:
        return rows.with_values(_inner(rows.values, keys[1:]))
    starts, limits = rows.row_splits[:-1], rows.row_splits[1:]
    if key.start is not None and key.start != 0:
        starts = _moved(key.start, rows.row_splits[:-1], rows.row_splits[1:])
    if key.stop is not None and key.stop != 0:
        limits = _moved(key.stop, rows.row_splits[:-1], rows.row_splits[1:])
    made = _of_ranges(starts, limits, key.step, rows.values)
    return made.with_values(_inner(made.values, keys[1:]))


def _without_ellipsis(keys, ndims):
    if ndims is None:
        raise ValueError("Ellipsis not supported for unknown shape RaggedTensors")
    count = sum(1 for key in keys if key is not None)
    if count > ndims + 1:
        raise IndexError("Too many indices for RaggedTensor")
    return keys[1:] if count == ndims + 1 else [slice(None)] + keys


def _of_ranges(starts, limits, step, values):
    step = convert_to_tensor(1 if step is None else step, name="step")
    if not step.dtype.is_integer:
        raise TypeError("slice strides must be integers or None")
    index = range_(starts, limits, math_ops.cast(step, starts.dtype), row_splits_dtype=starts.dtype)
    if isinstance(values, RaggedTensor):
        raise NotImplementedError("Slices of the rows of rows that are ragged themselves are not made here")
    return index.with_values(array_ops.gather(params=values, indices=index.values))


def _moved(offset, starts, limits):
    if isinstance(offset, Tensor):
        offset = math_ops.cast(offset, starts.dtype)
        return control_flow.cond(offset >= 0, lambda: math_ops.minimum(starts + offset, limits),
                                 lambda: math_ops.maximum(limits + offset, starts))
    if not isinstance(offset, int):
        raise TypeError("slice offsets must be integers or None")
    return math_ops.minimum(starts + offset, limits) if offset > 0 else math_ops.maximum(limits + offset, starts)


NAMES = dict(RaggedTensorValue=RaggedTensorValue, constant=constant, constant_value=constant_value,
             map_flat_values=map_flat_values, placeholder=placeholder, range=range_,
             row_splits_to_segment_ids=row_splits_to_segment_ids, segment_ids_to_row_splits=segment_ids_to_row_splits)
