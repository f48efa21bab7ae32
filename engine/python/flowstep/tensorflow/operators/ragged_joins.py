# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.ragged: ragged tensors joined, stacked, gathered from and masked."""

from .. import dtypes
from ..framework import dispatch
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, check_ops, linalg, math_ops
from .ragged_ops import map_flat_values, same_splits
from .ragged_tensors import RaggedTensor, from_value, positive_axis, row_splits_to_segment_ids


def _is_ragged(value):
    return isinstance(value, RaggedTensor)


def _splits_dtype(tensors):
    """The one dtype of the splits of all that are ragged."""
    kinds = {t.row_splits.dtype for t in tensors if _is_ragged(t)}
    if len(kinds) > 1:
        raise ValueError("Input RaggedTensors have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to "
                         "convert them to compatible dtypes.")
    return kinds.pop() if kinds else dtypes.int64


def _splits_of(lengths):
    return array_ops.concat([[0], math_ops.cumsum(lengths)], axis=-1)


# -- one more dimension, rows by number

def expand_dims(input, axis, name=None):
    with name_scope(name, "RaggedExpandDims", [input]):
        input = from_value(input, name="input")
        if not _is_ragged(input):
            return array_ops.expand_dims(input, axis)
        axis = positive_axis(axis, None if input.shape.ndims is None else input.shape.ndims + 1)
        if axis == 0:
            values, splits = input, array_ops.stack([0, input.nrows()])
        elif axis == 1:
            values, splits = input, math_ops.range(input.nrows() + 1)
        else:
            values, splits = expand_dims(input.values, axis - 1), input.row_splits
        return RaggedTensor.from_row_splits(values, splits, validate=False)


def gather(params, indices, validate_indices=None, axis=0, batch_dims=0, name=None):
    if axis != 0:
        raise ValueError("axis != 0 is not supported for ragged gather yet.")
    if batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    with name_scope(name, "RaggedGather", [params, indices]):
        params, indices = from_value(params, name="params"), from_value(indices, name="indices")
        _splits_dtype([params, indices])
        if _is_ragged(indices):
            return indices.with_values(gather(params, indices.values))
        if not _is_ragged(params):
            return array_ops.gather(params, indices)
        if indices.shape.ndims is None:
            raise ValueError("indices.shape.ndims must be known statically")
        given = params.nested_row_splits
        *splits, values = apply_op("RaggedGather", params_nested_splits=list(given), params_dense_values=params.flat_values,
                                   indices=indices, OUTPUT_RAGGED_RANK=indices.shape.ndims + len(given) - 1)
        splits = splits[0] if len(splits) == 1 and isinstance(splits[0], (list, tuple)) else splits
        return RaggedTensor.from_nested_row_splits(values, splits, validate=False)


# -- several

def concat(values, axis, name=None):
    values = values if isinstance(values, (list, tuple)) else [values]
    with name_scope(name, "RaggedConcat", values):
        return _joined(values, axis, stacked=False)


def stack(values, axis=0, name=None):
    values = values if isinstance(values, (list, tuple)) else [values]
    with name_scope(name, "RaggedConcat", values):
        return _joined(values, axis, stacked=True)


def _joined(inputs, axis, stacked):
    if not inputs:
        raise ValueError("rt_inputs may not be empty.")
    inputs = [from_value(x, name="rt_input") for x in inputs]
    kind = _splits_dtype(inputs)
    if len(inputs) == 1:
        return expand_dims(inputs[0], axis=axis) if stacked else inputs[0]
    ndims = None
    for x in inputs:
        if ndims is None:
            ndims = x.shape.ndims
        else:
            x.shape.assert_has_rank(ndims)
    made = ndims if ndims is None or not stacked else ndims + 1
    axis = positive_axis(axis, made)
    if not any(_is_ragged(x) for x in inputs) and ndims is not None and axis in (made - 1, ndims - 1):
        return (array_ops.stack if stacked else array_ops.concat)(inputs, axis)
    inputs = [x if _is_ragged(x) else RaggedTensor.from_tensor(x, ragged_rank=1, row_splits_dtype=kind) for x in inputs]
    rank = max(x.ragged_rank for x in inputs)
    inputs = [_of_ragged_rank(x, rank, kind) for x in inputs]
    if axis == 0:
        return _one_after_the_other(inputs, stacked)
    if axis == 1:
        return _side_by_side(inputs, stacked)
    with control_dependencies(same_splits([[x.row_splits] for x in inputs])):
        return RaggedTensor.from_row_splits(_joined([x.values for x in inputs], axis - 1, stacked), inputs[0].row_splits,
                                            validate=False)


def _of_ragged_rank(x, rank, kind):
    if rank <= 0:
        return x
    if not _is_ragged(x):
        x = RaggedTensor.from_tensor(x, row_splits_dtype=kind)
    return x if x.ragged_rank >= rank else x.with_values(_of_ragged_rank(x.values, rank - 1, kind))


def _joined_splits(splits):
    parts, offset = [splits[0]], splits[0][-1]
    for more in splits[1:]:
        parts.append(more[1:] + offset)
        offset += more[-1]
    return array_ops.concat(parts, axis=0)


def _one_after_the_other(inputs, stacked):
    values = array_ops.concat([x.flat_values for x in inputs], axis=0)
    splits = [_joined_splits(level) for level in zip(*[x.nested_row_splits for x in inputs])]
    if stacked:
        splits.insert(0, _splits_of(array_ops.stack([x.nrows() for x in inputs])))
    return RaggedTensor.from_nested_row_splits(values, splits, validate=False)


def _side_by_side(inputs, stacked):
    count, rows = len(inputs), inputs[0].nrows()
    checks = [check_ops.assert_equal(x.nrows(), rows, message="Input tensors have incompatible shapes.")
              for x in inputs[1:]]
    with control_dependencies(checks):
        whole = _one_after_the_other(inputs, False)
        order = array_ops.reshape(math_ops.range(rows * count), [count, -1])
        order = array_ops.reshape(array_ops.transpose(order), [-1])
        mixed = gather(whole, order)
        splits = math_ops.range(0, rows * count + 1, count) if stacked else mixed.row_splits[::count]
        for x in inputs:
            known = x.shape.as_list()[0]
            splits.set_shape([None if known is None else known + 1])
        return RaggedTensor.from_row_splits(mixed if stacked else mixed.values, splits, validate=False)


# -- what a mask keeps

def boolean_mask(data, mask, name=None):
    with name_scope(name, "RaggedMask", [data, mask]):
        data, mask = from_value(data, name="data"), from_value(mask, dtypes.bool, name="mask")
        kind = _splits_dtype([data, mask])
        if mask.shape.ndims is None:
            raise ValueError("mask.shape.ndims must be known statically.")
        if mask.shape.ndims == 0:
            raise ValueError("mask cannot be scalar.")
        if _is_ragged(mask):
            return _masked_by_ragged(data, mask, kind)
        if _is_ragged(data) and mask.shape.ndims == 1:
            splits = _splits_of(array_ops.boolean_mask(data.row_lengths(), mask))
            kept = array_ops.gather(mask, row_splits_to_segment_ids(data.row_splits))
            return RaggedTensor.from_row_splits(boolean_mask(data.values, kept), splits, validate=False)
        if _is_ragged(data):
            return boolean_mask(data, RaggedTensor.from_tensor(
                mask, ragged_rank=min(data.ragged_rank, mask.shape.ndims - 1), row_splits_dtype=data.row_splits.dtype))
        return _masked_dense(data, mask, kind)


def _masked_by_ragged(data, mask, kind):
    if not _is_ragged(data):
        data = RaggedTensor.from_tensor(data, ragged_rank=mask.ragged_rank, row_splits_dtype=mask.row_splits.dtype)
    with control_dependencies(same_splits([mask.nested_row_splits, data.nested_row_splits[:mask.ragged_rank]])):
        splits = []
        while _is_ragged(mask):
            if mask.shape.ndims > 2:
                splits.append(mask.row_splits)
            else:
                ones = map_flat_values(math_ops.cast, mask, dtype=kind)
                splits.append(_splits_of(math_ops.reduce_sum(ones, axis=1)))
            mask, data = mask.values, data.values
        return RaggedTensor.from_nested_row_splits(boolean_mask(data, mask), splits, validate=False)


def _masked_dense(data, mask, kind):
    kept, ndims = array_ops.boolean_mask(data, mask), mask.shape.ndims
    if ndims < 2:
        return kept
    lengths = array_ops.reshape(math_ops.count_nonzero(mask, axis=-1, dtype=kind), [-1])
    kept = RaggedTensor.from_row_lengths(kept, lengths, validate=False)
    if ndims > 2:
        shape = array_ops.shape(mask, out_type=kind)
        sizes = math_ops.cumprod(shape) + 1
        for dim in range(ndims - 3, -1, -1):
            each = shape[dim + 1]
            kept = RaggedTensor.from_row_splits(kept, math_ops.range(sizes[dim]) * each, validate=False)
    return kept


def _instead(function, *tensors):
    def handle(**arguments):
        # TF: what is not ragged is made a tensor to see whether it could be one, and is then made once more.
        for name in tensors:
            value = arguments[name]
            for x in value if isinstance(value, (list, tuple)) and name == "values" else [value]:
                if not _is_ragged(x):
                    convert_to_tensor(x)
        return function(**arguments)
    return handle


for _function, *_tensors in ((concat, "values"), (stack, "values"), (expand_dims, "input"), (gather, "params", "indices")):
    dispatch.register(_function.__name__, _instead(_function, *_tensors))

# -- rows of what belongs together

def stack_dynamic_partitions(data, partitions, num_partitions, name=None):
    """Row i is what of data has the partition i."""
    with name_scope(name, "SegmentStack", [data, partitions, num_partitions]):
        data = from_value(data, name="data")
        kind = data.row_splits.dtype if _is_ragged(data) else None
        partitions = from_value(partitions, name="partitions", preferred_dtype=kind)
        num_partitions = convert_to_tensor(num_partitions, name="num_partitions", preferred_dtype=partitions.dtype)
        if kind is not None:
            partitions = _cast(partitions, kind)
        num_partitions = math_ops.cast(num_partitions, partitions.dtype)
        rank = partitions.shape.ndims
        if rank is None:
            raise ValueError("partitions must have known rank.")
        num_partitions.shape.assert_has_rank(0)
        partitions.shape.assert_is_compatible_with(data.shape[:rank])
        if rank == 0:
            return RaggedTensor.from_value_rowids(values=array_ops.stack([data]), value_rowids=array_ops.stack([partitions]),
                                                  nrows=num_partitions, validate=False)
        if rank == 1:
            return _stacked_rows(data, partitions, num_partitions)
        if not _is_ragged(data):
            data = RaggedTensor.from_tensor(data, row_splits_dtype=partitions.dtype, ragged_rank=1)
        if not _is_ragged(partitions):
            partitions = RaggedTensor.from_tensor(partitions, row_splits_dtype=partitions.dtype,
                                                  ragged_rank=max(data.ragged_rank, rank - 1))
        check = check_ops.assert_equal(data.row_splits, partitions.row_splits,
                                       message="data and partitions have incompatible ragged shapes")
        with control_dependencies([check]):
            return stack_dynamic_partitions(data.values, partitions.values, num_partitions)


def _cast(value, dtype):
    if not _is_ragged(value):
        return math_ops.cast(value, dtype)
    with name_scope(None, "Cast", []):   # TF: first tries it as one tensor, and the name is taken
        pass
    return map_flat_values(math_ops.cast, value, dtype)


def _stacked_rows(data, partitions, num_partitions):
    order = linalg.argsort(partitions, stable=True)
    rows = array_ops.gather(partitions, order)
    # TF: by a gather that takes ragged ones as well.
    values = gather(data, order) if _is_ragged(data) else array_ops.gather(data, order)
    check = check_ops.assert_less(rows[-1:], num_partitions, message="partitions must be less than num_partitions")
    with control_dependencies([check]):
        return RaggedTensor.from_value_rowids(values, rows, nrows=num_partitions, validate=False)


NAMES = dict(boolean_mask=boolean_mask, stack=stack, stack_dynamic_partitions=stack_dynamic_partitions)
