# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""SparseTensor and what is done with it (tf.sparse)."""

import collections

import numpy as np

from . import array_ops, dtypes, math_ops, ops, tensor_shape
from .graph import Tensor, name_scope
from .ops import apply_op, convert_to_tensor

SparseTensorValue = collections.namedtuple("SparseTensorValue", ["indices", "values", "dense_shape"])


class SparseTensor:
    """Values at indices of a tensor that is zero elsewhere."""

    @classmethod
    def from_value(cls, value):
        if isinstance(value, SparseTensor):
            return value
        if not isinstance(value, (SparseTensorValue, tuple)) or not hasattr(value, "dense_shape"):
            raise TypeError("Neither a SparseTensor nor SparseTensorValue: %s." % value)
        return SparseTensor(value.indices, value.values, value.dense_shape)

    def __init__(self, indices, values, dense_shape):
        with name_scope(None, "SparseTensor", [indices, values, dense_shape]):
            indices = convert_to_tensor(indices, name="indices", dtype=dtypes.int64)
            values = convert_to_tensor(values, name="values")
            dense_shape = convert_to_tensor(dense_shape, name="dense_shape", dtype=dtypes.int64)
        self._indices, self._values, self._dense_shape = indices, values, dense_shape
        indices_dims = indices.shape.with_rank(2)
        values_dims = values.shape.with_rank(1)
        shape_dims = dense_shape.shape.with_rank(1)
        indices_dims.dims[0].merge_with(values_dims.dims[0])
        indices_dims.dims[1].merge_with(shape_dims.dims[0])

    indices = property(lambda self: self._indices)
    values = property(lambda self: self._values)
    dense_shape = property(lambda self: self._dense_shape)
    op = property(lambda self: self._values.op)
    dtype = property(lambda self: self._values.dtype)
    graph = property(lambda self: self._indices.graph)

    @property
    def shape(self):
        return ops.constant_value_as_shape(self._dense_shape)

    def get_shape(self):
        return self.shape

    def _as_graph_element(self):
        """What says which graph it belongs to."""
        return self._values

    def consumers(self):
        found = set()
        for tensor in (self._indices, self._values, self._dense_shape):
            found.update(tensor.consumers())
        return found

    def eval(self, feed_dict=None, session=None):
        from . import session as session_lib
        return session_lib.eval_using_default_session(self, feed_dict, self.graph, session)

    def __str__(self):
        return "SparseTensor(indices=%s, values=%s, dense_shape=%s)" % (self._indices, self._values, self._dense_shape)

    def _with_dense(self, op_type, scope, other):
        with name_scope(None, scope, [self._indices, self._values, self._dense_shape, other]) as name:
            other = convert_to_tensor(other, dtype=self._values.dtype.base_dtype, name="y")
            values = apply_op(op_type, sp_indices=self._indices, sp_values=self._values, sp_shape=self._dense_shape,
                              dense=other, name=name)
        return SparseTensor(self._indices, values, self._dense_shape)

    def __truediv__(self, other):
        return self._with_dense("SparseDenseCwiseDiv", "truediv", other)

    def __mul__(self, other):
        return self._with_dense("SparseDenseCwiseMul", "mul", other)


def is_sparse(value):
    return isinstance(value, (SparseTensor, SparseTensorValue))


def to_sparse(value):
    """A SparseTensor of one or of its value."""
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


def convert_to_tensor_or_sparse_tensor(value, dtype=None, name=None):
    if isinstance(value, SparseTensorValue):
        value = SparseTensor.from_value(value)
    if isinstance(value, SparseTensor):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise RuntimeError("Sparse dtype: requested = %s, actual = %s" % (dtypes.as_dtype(dtype).name,
                                                                            value.dtype.name))
        return value
    return ops.internal_convert_to_tensor(value, dtype, name)


def sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value=0, validate_indices=True, name=None):
    return apply_op("SparseToDense", sparse_indices=sparse_indices, output_shape=output_shape,
                    sparse_values=sparse_values, default_value=default_value, validate_indices=validate_indices, name=name)


def sparse_tensor_to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    sp_input = to_sparse(sp_input)
    if default_value is None:
        default_value = array_ops.zeros([], dtype=sp_input.dtype)
    return sparse_to_dense(sp_input.indices, sp_input.dense_shape, sp_input.values, default_value=default_value,
                           validate_indices=validate_indices, name=name)


def sparse_placeholder(dtype, shape=None, name=None):
    if shape is None:
        rank = None
        shape = array_ops.placeholder(dtypes.int64, shape=[rank], name=name + "/shape" if name is not None else None)
    else:
        if isinstance(shape, Tensor):
            rank = shape.shape[0]
        else:
            dims = [-1 if d is None else d for d in tensor_shape.TensorShape(shape).as_list()]
            rank = len(dims)
            shape = convert_to_tensor(np.array(dims, np.int64), dtype=dtypes.int64)
    return SparseTensor(
        values=array_ops.placeholder(dtype, shape=[None], name=name + "/values" if name is not None else None),
        indices=array_ops.placeholder(dtypes.int64, shape=[None, rank],
                                      name=name + "/indices" if name is not None else None), dense_shape=shape)


def sparse_retain(sp_input, to_retain):
    sp_input = to_sparse(sp_input)
    to_retain = convert_to_tensor(to_retain)
    retain_shape = to_retain.shape
    if retain_shape.ndims is not None:
        sp_input.values.shape.merge_with(retain_shape)
    where_true = array_ops.reshape(array_ops.where(to_retain), [-1])
    return SparseTensor(array_ops.gather(sp_input.indices, where_true), array_ops.gather(sp_input.values, where_true),
                        array_ops.identity(sp_input.dense_shape))


def sparse_reorder(sp_input, name=None):
    sp_input = to_sparse(sp_input)
    indices, values = apply_op("SparseReorder", input_indices=sp_input.indices, input_values=sp_input.values,
                               input_shape=sp_input.dense_shape, name=name)
    if sp_input.shape.is_fully_defined():
        return SparseTensor(indices, values, sp_input.dense_shape)
    return SparseTensor(indices, values, array_ops.identity(sp_input.dense_shape))


def sparse_tensor_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    sp_a = to_sparse(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul", [sp_a.indices, sp_a.values, b]) as name:
        b = convert_to_tensor(b, name="b")
        return apply_op("SparseTensorDenseMatMul", a_indices=sp_a.indices, a_values=sp_a.values,
                        a_shape=sp_a.dense_shape, b=b, adjoint_a=adjoint_a, adjoint_b=adjoint_b)


def _axes(sp_input, axis):
    if axis is not None:
        return axis
    rank = sp_input.dense_shape.shape.dims[0].value
    if rank is not None:
        return ops.constant(np.arange(rank), dtype=dtypes.int32)
    return math_ops.range(0, array_ops.size(sp_input.dense_shape))


def sparse_reduce_sum(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    axis = reduction_axes if axis is None else axis
    return apply_op("SparseReduceSum", input_indices=sp_input.indices, input_values=sp_input.values,
                    input_shape=sp_input.dense_shape, reduction_axes=_axes(sp_input, axis),
                    keep_dims=bool(keepdims or keep_dims))


def sparse_reduce_max(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    axis = reduction_axes if axis is None else axis
    return apply_op("SparseReduceMax", input_indices=sp_input.indices, input_values=sp_input.values,
                    input_shape=sp_input.dense_shape, reduction_axes=_axes(sp_input, axis),
                    keep_dims=bool(keepdims or keep_dims))


def sparse_reshape(sp_input, shape, name=None):
    sp_input = to_sparse(sp_input)
    shape = math_ops.cast(shape, dtypes.int64)
    with name_scope(name, "SparseReshape", [sp_input]) as name:
        indices, new_shape = apply_op("SparseReshape", input_indices=sp_input.indices,
                                      input_shape=sp_input.dense_shape, new_shape=shape, name=name)
        return SparseTensor(indices, array_ops.identity(sp_input.values), new_shape)


def sparse_transpose(sp_input, perm=None, name=None):
    with name_scope(name, "SparseTranspose", [sp_input]) as name:
        if perm is None:
            rank = array_ops.rank(sp_input)
            perm = (rank - 1) - math_ops.range(0, rank, 1)
        indices = sp_input.indices
        indices = array_ops.transpose(array_ops.gather(array_ops.transpose(indices), perm))
        order = ops.constant_value(convert_to_tensor(perm))
        if order is not None and sp_input.shape.is_fully_defined():
            dims = [sp_input.shape.as_list()[p] for p in order]
        else:
            dims = array_ops.gather(sp_input.dense_shape, perm)
        return sparse_reorder(SparseTensor(indices, sp_input.values, dims))


def sparse_add(a, b, threshold=None, thresh=None):
    threshold = thresh if threshold is None else threshold
    threshold = 0 if threshold is None else threshold
    if not is_sparse(a) and not is_sparse(b):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if is_sparse(a) and is_sparse(b):
        a, b = to_sparse(a), to_sparse(b)
        thresh = convert_to_tensor(threshold, dtype=a.values.dtype.real_dtype.base_dtype, name="threshold")
        made = apply_op("SparseAdd", a_indices=a.indices, a_values=a.values, a_shape=a.dense_shape, b_indices=b.indices,
                        b_values=b.values, b_shape=b.dense_shape, thresh=thresh)
        dims = made[2]
        if a.shape.is_fully_defined() and b.shape.is_fully_defined():
            dims = [max(x, y) for x, y in zip(a.shape.as_list(), b.shape.as_list())]
        return SparseTensor(made[0], made[1], dims)
    if is_sparse(b):
        a, b = b, a
    return apply_op("SparseTensorDenseAdd", a_indices=a.indices, a_values=a.values, a_shape=a.dense_shape, b=b)


def sparse_concat(axis, sp_inputs, name=None, expand_nonconcat_dim=False, concat_dim=None):
    axis = concat_dim if axis is None else axis
    inputs = [to_sparse(s) for s in sp_inputs]
    if len(inputs) == 1:
        return inputs[0]
    made = apply_op("SparseConcat", indices=[s.indices for s in inputs], values=[s.values for s in inputs],
                    shapes=[s.dense_shape for s in inputs], concat_dim=axis, name=name)
    dims = [ops.constant_value(s.dense_shape) for s in inputs]
    if any(d is None for d in dims):
        return SparseTensor(made[0], made[1], made[2])
    shape = np.array(dims[0])
    shape[axis] = sum(d[axis] for d in dims)
    return SparseTensor(made[0], made[1], convert_to_tensor(shape))


def sparse_slice(sp_input, start, size, name=None):
    sp_input = to_sparse(sp_input)
    start = convert_to_tensor(start, dtypes.int64)
    size = convert_to_tensor(size, dtypes.int64)
    with name_scope(name, "SparseSlice", [sp_input]) as name:
        made = apply_op("SparseSlice", indices=sp_input.indices, values=sp_input.values, shape=sp_input.dense_shape,
                        start=start, size=size, name=name)
        return SparseTensor(made[0], made[1], made[2])


def sparse_softmax(sp_input, name=None):
    with name_scope(name, "SparseSoftmax", [sp_input.indices, sp_input.values]) as name:
        values = apply_op("SparseSoftmax", sp_indices=sp_input.indices, sp_values=sp_input.values,
                          sp_shape=sp_input.dense_shape)
        return SparseTensor(sp_input.indices, values, sp_input.dense_shape)


def sparse_fill_empty_rows(sp_input, default_value, name=None):
    sp_input = to_sparse(sp_input)
    with name_scope(name, "SparseFillEmptyRows", [sp_input]):
        default_value = convert_to_tensor(default_value, dtype=sp_input.values.dtype)
        indices, values, empty, _ = apply_op("SparseFillEmptyRows", indices=sp_input.indices, values=sp_input.values,
                                             dense_shape=sp_input.dense_shape, default_value=default_value)
        return SparseTensor(indices, values, sp_input.dense_shape), empty


def sparse_merge(sp_ids, sp_values, vocab_size, name=None, already_sorted=False):
    """A SparseTensor whose ids are indices of the last dimensions."""
    if isinstance(sp_ids, SparseTensorValue) or isinstance(sp_ids, SparseTensor):
        sp_ids, vocab_size = [sp_ids], [vocab_size]
    else:
        if not isinstance(vocab_size, (list, tuple)):
            raise TypeError("vocab_size has to be a list of Tensors or Python ints. Found %s" % type(vocab_size))
        if len(sp_ids) != len(vocab_size):
            raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    with name_scope(name, "SparseMerge", [sp_ids[0].indices, sp_values.values]):
        sp_ids, sp_values = [to_sparse(s) for s in sp_ids], to_sparse(sp_values)
        ids = [array_ops.expand_dims(math_ops.cast(s.values, dtypes.int64), axis=1) for s in sp_ids]
        vocab_size = [math_ops.cast(v, dtypes.int64) for v in vocab_size]
        columns = sp_ids[0].indices[:, :-1]
        indices = array_ops.concat([columns] + ids, axis=1)
        dims = array_ops.concat([sp_ids[0].dense_shape[:-1], vocab_size], axis=0)
        result = SparseTensor(indices, sp_values.values, dims)
        if already_sorted:
            return result
        result = sparse_reorder(result)
        return SparseTensor(result.indices, result.values, dims)


def from_dense(tensor, name=None):
    with name_scope(name, "dense_to_sparse"):
        tensor = convert_to_tensor(tensor)
        indices = array_ops.where(math_ops.not_equal(tensor, ops.constant(0, tensor.dtype)))
        return SparseTensor(indices, array_ops.gather_nd(tensor, indices), array_ops.shape(tensor, out_type=dtypes.int64))


def sparse_to_indicator(sp_input, vocab_size, name=None):
    sp_input = to_sparse(sp_input)
    with name_scope(name, "SparseToIndicator", [sp_input]) as name:
        count = array_ops.shape(sp_input.indices)[0]
        new_values = array_ops.fill(array_ops.expand_dims(count, 0), True)
        sp_new = sparse_merge(sp_input, SparseTensor(sp_input.indices, new_values, sp_input.dense_shape), vocab_size)
        return sparse_tensor_to_dense(sp_new, default_value=False, validate_indices=False, name=name)
