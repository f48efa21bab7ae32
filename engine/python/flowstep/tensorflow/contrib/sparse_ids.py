# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: dense values as sparse ones, by what says nothing."""

import numbers

from .. import dtypes
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..operators import array_ops, math_ops
from ..operators.sparse import SparseTensor


def _ignored(dtype, value):
    """The value that says nothing; unless it is told, the one that a dtype begins with."""
    if value is None:
        value = "" if dtype == dtypes.string else dtype.as_numpy_dtype(0)
    return math_ops.cast(value, dtype, name="ignore_value")


def dense_to_sparse_tensor(dense_tensor, ignore_value=None):
    with name_scope("DenseToSparseTensor"):
        dense_tensor = convert_to_tensor(dense_tensor)
        ignored = _ignored(dense_tensor.dtype, ignore_value)
        indices = array_ops.where(math_ops.not_equal(dense_tensor, ignored), name="indices")
        values = array_ops.gather_nd(dense_tensor, indices, name="values")
        return SparseTensor(indices, values, array_ops.shape(dense_tensor, out_type=dtypes.int64, name="dense_shape"))


def indicators_to_sparse_ids(indicators, ignore_value=None, dtype=dtypes.int64):
    """The place in its row of each value that is not ignored, rows packed to the left."""
    if not dtype.is_integer:
        raise ValueError("Invalid dtype {} not integer.".format(dtype))
    with name_scope(None, "indicators_to_sparse_ids", (indicators, ignore_value)):
        indicators = convert_to_tensor(indicators, name="indicators")
        missing = math_ops.equal(indicators, _ignored(indicators.dtype, ignore_value), name="missing")
        zeros = array_ops.zeros_like(indicators, dtype=dtypes.int64, name="zeros")
        ones = array_ops.ones_like(indicators, dtype=dtypes.int64, name="ones")
        found = array_ops.where(missing, zeros, ones, name="binary_indicators")
        # Counted from one, since zero says that there is none.
        places = array_ops.where(missing, zeros, math_ops.cumsum(found, axis=-1), "row_index_indicators")
        width = array_ops.reshape(math_ops.reduce_max(places), shape=(1,), name="result_last_dim")
        packed = dense_to_sparse_tensor(places, ignore_value=0)
        columns = array_ops.reshape(packed.values - 1, (-1, 1))
        return SparseTensor(
            indices=array_ops.concat((packed.indices[:, :-1], columns), axis=1, name="indices"),
            values=math_ops.cast(packed.indices[:, -1], dtype=dtype, name="values"),
            dense_shape=array_ops.concat((packed.dense_shape[0:-1], width), axis=0, name="dense_shape"))


def sparse_row_envelope(sparse_input, row_axis=0, col_axis=1, name=None):
    """How far each row reaches."""
    if not (isinstance(row_axis, numbers.Integral) and isinstance(col_axis, numbers.Integral)):
        raise ValueError("`row_axis` and `col_axis` must be integers.")
    if row_axis == col_axis:
        raise ValueError("Row and column can not be the same axis.")
    with name_scope(name, "sparse_row_envelope", [sparse_input]):
        rows, columns = sparse_input.indices[:, row_axis], sparse_input.indices[:, col_axis]
        count = math_ops.cast(sparse_input.dense_shape[row_axis], dtypes.int32)
        ends = math_ops.unsorted_segment_max(columns + 1, rows, count, name=name)
        zeros = array_ops.zeros_like(ends)
        return array_ops.where(ends > zeros, ends, zeros)
