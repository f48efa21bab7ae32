# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Features as a forest's ops take them: one matrix, and the text that says what its columns are."""

from ... import dtypes
from ...framework import tf_logging as logging
from ...framework.ops import apply_op, convert_to_tensor
from ...operators import array_ops, math_ops, sparse

DATA_FLOAT, DATA_CATEGORICAL = 0, 1
DTYPE_TO_FTYPE = {dtypes.string: DATA_CATEGORICAL, dtypes.int32: DATA_CATEGORICAL, dtypes.int64: DATA_CATEGORICAL,
                  dtypes.float32: DATA_FLOAT, dtypes.float64: DATA_FLOAT}


def CastToFloat(tensor):
    if tensor.dtype == dtypes.string:
        return apply_op("ReinterpretStringToFloat", input_data=tensor)
    return math_ops.cast(tensor, dtypes.float32) if tensor.dtype.is_integer else tensor


class DataColumn:
    def __init__(self):
        self.name, self.original_type, self.size = "", "", 0

    def SerializeToString(self):
        return "name: {0} original_type: {1} size: {2}".format(self.name, self.original_type, self.size)


class DataColumnCollection:
    def __init__(self):
        self.cols = []

    def add(self):
        self.cols.append(DataColumn())
        return self.cols[-1]

    def size(self):
        return len(self.cols)

    def SerializeToString(self):
        return "".join("{%s}" % column.SerializeToString() for column in self.cols)


class TensorForestDataSpec:
    """What the columns are."""

    def __init__(self):
        self.sparse, self.dense, self.dense_features_size = DataColumnCollection(), DataColumnCollection(), 0

    def SerializeToString(self):
        return "dense_features_size: %d dense: [%s] sparse: [%s]" % (
            self.dense_features_size, self.dense.SerializeToString(), self.sparse.SerializeToString())


def _add(columns, name, kind, size):
    column = columns.add()
    column.name, column.original_type, column.size = name, kind, size


def GetColumnName(column_key, col_num):
    return column_key if isinstance(column_key, str) else getattr(column_key, "column_name", str(col_num))


def _of_dict(data, spec):
    dense, of_sparse = [], []
    for key in sorted(data):
        value = data[key]
        if isinstance(value, sparse.SparseTensor):
            if value.dtype == dtypes.float32:
                logging.info("TensorForest does not support sparse continuous.")
                continue
            if not spec.sparse.size():
                _add(spec.sparse, "all_sparse", DATA_CATEGORICAL, -1)
            of_sparse.append(sparse.SparseTensor(value.indices, CastToFloat(value.values), value.dense_shape))
        else:
            size = 1 if len(value.get_shape()) == 1 else value.get_shape()[1].value
            _add(spec.dense, GetColumnName(key, len(dense)), DTYPE_TO_FTYPE[value.dtype], size)
            spec.dense_features_size += size
            dense.append(CastToFloat(value))
    joined = array_ops.concat(dense, 1) if dense else None
    joined_sparse = sparse.sparse_concat(1, of_sparse) if of_sparse else None
    logging.info(spec.SerializeToString())
    return joined, joined_sparse, spec


def ParseDataTensorOrDict(data):
    """(the dense features, the sparse ones, what they are); None for what there is not."""
    spec = TensorForestDataSpec()
    if isinstance(data, dict):
        return _of_dict(data, spec)
    if isinstance(data, sparse.SparseTensor):
        _add(spec.sparse, "sparse_features", DTYPE_TO_FTYPE[data.dtype], -1)
        return None, data, spec
    data = convert_to_tensor(data)
    spec.dense_features_size = data.get_shape()[1]
    _add(spec.dense, "dense_features", DTYPE_TO_FTYPE[data.dtype], spec.dense_features_size)
    return data, None, spec


def ParseLabelTensorOrDict(labels):
    if isinstance(labels, dict):
        labels = array_ops.concat([labels[key] for key in sorted(labels)], 1)
    elif isinstance(labels, sparse.SparseTensor):
        labels = sparse.sparse_tensor_to_dense(labels, default_value=-1)
    return math_ops.cast(labels, dtypes.float32)
