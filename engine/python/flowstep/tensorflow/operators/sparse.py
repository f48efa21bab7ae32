# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""SparseTensor and what is done with it (tf.sparse)."""

import collections
import numbers

import numpy as np

from .. import dtypes, nest
from ..control import control_flow
from ..framework import dispatch, ops, tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.operation import _TensorLike
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, check_ops, math_ops

SparseTensorValue = collections.namedtuple("SparseTensorValue", ["indices", "values", "dense_shape"])


class SparseTensor(_TensorLike):
    """Values at indices of a tensor that is zero elsewhere."""

    @classmethod
    def from_value(cls, sparse_tensor_value):
        value = sparse_tensor_value
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
        found = []
        for tensor in (self._indices, self._values, self._dense_shape):
            found.extend(op for op in tensor.consumers() if op not in found)
        return found

    def eval(self, feed_dict=None, session=None):
        from ..sessions import session as session_lib
        parts = [self._indices, self._values, self._dense_shape]
        return SparseTensorValue(*session_lib.eval_using_default_session(parts, feed_dict, self.graph, session))

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


nest.register_composite(SparseTensor, lambda value: [value.indices, value.values, value.dense_shape],
                        lambda value, parts: SparseTensor(*parts))


dispatch.kind(SparseTensor)


def _over_values(op_type):
    """An op of one input over what a sparse tensor holds."""
    def function(x, name=None):
        if not isinstance(x, SparseTensor):
            return NotImplemented
        return SparseTensor(x.indices, ops.apply_op(op_type, x=x.values, name=name), x.dense_shape)
    return function


for _kind in "Abs Erf Neg Sign Sqrt Square Tanh".split():
    dispatch.register(_kind.lower(), _over_values(_kind))


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


def sparse_placeholder(dtype, shape=None, name=None):
    """tf.sparse_placeholder: three placeholders, fed with a SparseTensorValue."""
    prefix = name + "/" if name is not None else None

    def part(kind, dims, suffix):
        return array_ops.placeholder(kind, shape=dims, name=None if prefix is None else prefix + suffix)
    rank = None
    if shape is not None:
        rank = shape.shape.dims[0].value if isinstance(shape, ops.Tensor) else len(shape)
    if shape is None or not isinstance(shape, ops.Tensor) and any(
            tensor_shape.dimension_value(d) is None for d in shape):
        dense_shape = part(dtypes.int64, [rank], "shape")
    else:
        dense_shape = convert_to_tensor(shape, dtype=dtypes.int64, name=None if prefix is None else prefix + "shape")
    values = part(dtype, [None], "values")
    return SparseTensor(values=values, indices=part(dtypes.int64, [None, rank], "indices"), dense_shape=dense_shape)


def _required(items):
    if not isinstance(items, (list, tuple)):
        raise TypeError("Inputs must be a list or tuple.")
    return [to_sparse(item) for item in items]


def _parts(prefix, x):
    """The three inputs of an op that takes a sparse tensor."""
    return {prefix + "indices": x.indices, prefix + "values": x.values, prefix + "shape": x.dense_shape}


# -- made from others

def from_dense(tensor, name=None):
    with name_scope(name, "dense_to_sparse"):
        tensor = convert_to_tensor(tensor)
        indices = array_ops.where_v2(math_ops.not_equal(tensor, ops.constant(0, tensor.dtype)))
        values = array_ops.gather_nd(tensor, indices)
        return SparseTensor(indices, values, array_ops.shape(tensor, out_type=dtypes.int64))


def _int64(value, name):
    if isinstance(value, numbers.Integral):
        return convert_to_tensor(value, name=name, dtype=dtypes.int64)
    if not isinstance(value, Tensor):
        raise TypeError("{} must be an integer value".format(name))
    return value if value.dtype == dtypes.int64 else math_ops.cast(value, dtypes.int64)


def sparse_eye(num_rows, num_columns=None, dtype=dtypes.float32, name=None):
    with name_scope(name, default_name="eye", values=[num_rows, num_columns]):
        num_rows = _int64(num_rows, "num_rows")
        num_columns = num_rows if num_columns is None else _int64(num_columns, "num_columns")
        size = math_ops.minimum(num_rows, num_columns)
        places = math_ops.range(size, dtype=dtypes.int64)
        indices = array_ops.stack([places, places], axis=1)
        return SparseTensor(indices=indices, values=array_ops.ones(size, dtype=dtype),
                            dense_shape=[num_rows, num_columns])


def sparse_concat(axis=None, sp_inputs=None, name=None, expand_nonconcat_dim=False, concat_dim=None,
                  expand_nonconcat_dims=None):
    axis = ops.either("axis", axis, "concat_dim", concat_dim)
    inputs = _required(sp_inputs)
    if len(inputs) == 1:
        return inputs[0]
    shapes = [x.dense_shape for x in inputs]
    if expand_nonconcat_dim or expand_nonconcat_dims:
        largest = math_ops.reduce_max(array_ops.concat([array_ops.reshape(s, [1, -1]) for s in shapes], 0), 0)
        shapes = [array_ops.concat([largest[:axis], s[-1:] if axis == -1 else s[axis:axis + 1],
                                    [] if axis == -1 else largest[axis + 1:]], 0) for s in shapes]
    indices, values, shape = apply_op("SparseConcat", indices=[x.indices for x in inputs],
                                      values=[x.values for x in inputs], shapes=shapes, concat_dim=axis, name=name)
    known = [ops.constant_value(s) for s in shapes]
    if all(k is not None for k in known):
        whole = np.array(known[0])
        whole[axis] = sum(k[axis] for k in known)
        shape = convert_to_tensor(whole)
    return SparseTensor(indices, values, shape)


def sparse_split(keyword_required=None, sp_input=None, num_split=None, axis=None, name=None, split_dim=None):
    if keyword_required is not None:
        raise ValueError("Keyword arguments are required for this function.")
    for given, what in ((sp_input, "sp_input"), (num_split, "num_split"), (axis if axis is not None else split_dim, "axis")):
        if given is None:
            raise ValueError("%s is required" % what)
    x = to_sparse(sp_input)
    indices, values, shapes = apply_op("SparseSplit", split_dim=axis if axis is not None else split_dim,
                                       indices=x.indices, values=x.values, shape=x.dense_shape, num_split=num_split,
                                       name=name)
    return [SparseTensor(*parts) for parts in zip(indices, values, shapes)]


def sparse_slice(sp_input, start, size, name=None):
    x = to_sparse(sp_input)
    start = convert_to_tensor(start, dtypes.int64)
    size = convert_to_tensor(size, dtypes.int64)
    with name_scope(name, "SparseSlice", [x]) as name:
        return SparseTensor(*apply_op("SparseSlice", start=start, size=size, name=name, **_parts("", x)))


def sparse_reorder(sp_input, name=None):
    x = to_sparse(sp_input)
    indices, values = apply_op("SparseReorder", input_indices=x.indices, input_values=x.values,
                               input_shape=x.dense_shape, name=name)
    if x.shape.is_fully_defined():
        return SparseTensor(indices, values, x.shape.as_list())
    return SparseTensor(indices, values, array_ops.identity(x.dense_shape))


def _implied(x, shape, dims):
    """The whole new shape where all is known, or None; an error where it cannot be."""
    given = ops.constant_value(shape)
    if given is not None and sum(d == -1 for d in given) > 1:
        raise ValueError("At most one dimension can be inferred (-1). Found: %s" % given)
    size, whole = int(np.prod(x.shape.as_list())), list(dims)
    unknown = [i for i, d in enumerate(dims) if d is None]
    if len(unknown) > 1:
        return None
    for i in unknown:
        whole[i] = int(size // np.prod([d for d in dims if d is not None]))
    if np.prod(whole) != size:
        raise ValueError("Cannot reshape a tensor with %d elements to shape %s (%d elements)." %
                         (size, list(dims), np.prod(whole)))
    return whole


def sparse_reshape(sp_input, shape, name=None):
    x = to_sparse(sp_input)
    shape = math_ops.cast(shape, dtype=dtypes.int64)
    with name_scope(name, "SparseReshape", [x]) as name:
        indices, new_shape = apply_op("SparseReshape", input_indices=x.indices, input_shape=x.dense_shape,
                                      new_shape=shape, name=name)
        dims = ops.constant_value_as_shape(shape)
        if dims.ndims is not None and x.shape.is_fully_defined():
            whole = _implied(x, shape, dims.as_list())
            if whole is not None:
                new_shape = ops.constant(whole, dtype=dtypes.int64)
        return SparseTensor(indices, array_ops.identity(x.values), new_shape)


def sparse_expand_dims(sp_input, axis=None, name=None):
    rank = sp_input.dense_shape.shape[0]
    with name_scope(name, default_name="expand_dims", values=[sp_input]):
        axis = -1 if axis is None else axis
        if isinstance(axis, numbers.Integral):
            axis = convert_to_tensor(axis, name="axis", dtype=dtypes.int32)
        elif not isinstance(axis, Tensor):
            raise TypeError("axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]")
        axis = array_ops.where_v2(axis >= 0, axis, axis + rank + 1)
        count = array_ops.shape(sp_input.indices)[0]
        column = array_ops.zeros([count, 1], dtype=dtypes.int64)
        before = array_ops.slice(sp_input.indices, [0, 0], [-1, axis])
        after = array_ops.slice(sp_input.indices, [0, axis], [-1, -1])
        indices = array_ops.concat([before, column, after], axis=1)
        shape_before = array_ops.slice(sp_input.dense_shape, [0], [axis])
        shape_after = array_ops.slice(sp_input.dense_shape, [axis], [-1])
        one = convert_to_tensor([1], name="new_shape", dtype=dtypes.int64)
        shape = array_ops.concat([shape_before, one, shape_after], axis=0)
        return SparseTensor(indices=indices, values=sp_input.values, dense_shape=shape)


def sparse_transpose(sp_input, perm=None, name=None):
    with name_scope(name, "SparseTranspose", [sp_input]) as name:
        if perm is None:
            rank = array_ops.rank(sp_input)
            perm = (rank - 1) - math_ops.range(0, rank, 1)
        indices = sp_input.indices
        transposed = array_ops.transpose(array_ops.gather(array_ops.transpose(indices), perm))
        permuted = ops.constant_value(convert_to_tensor(perm))
        if permuted is not None and sp_input.shape.is_fully_defined():
            old = sp_input.shape.as_list()
            dense_shape = [old[i] for i in permuted]
        else:
            dense_shape = array_ops.gather(sp_input.dense_shape, perm)
        return sparse_reorder(SparseTensor(transposed, sp_input.values, dense_shape))


# -- chosen elements

def sparse_retain(sp_input, to_retain):
    x = to_sparse(sp_input)
    to_retain = convert_to_tensor(to_retain)
    to_retain.shape.assert_has_rank(1)
    if x.values.shape.dims is not None and to_retain.shape.dims is not None:
        x.values.shape.dims[0].merge_with(to_retain.shape.dims[0])
    places = array_ops.reshape(array_ops.where_v2(to_retain), [-1])
    indices = array_ops.gather(x.indices, places)
    values = array_ops.gather(x.values, places)
    return SparseTensor(indices, values, array_ops.identity(x.dense_shape))


def sparse_fill_empty_rows(sp_input, default_value, name=None):
    x = to_sparse(sp_input)
    with name_scope(name, "SparseFillEmptyRows", [x]):
        default_value = convert_to_tensor(default_value, dtype=x.values.dtype)
        indices, values, was_empty, _ = apply_op("SparseFillEmptyRows", indices=x.indices, values=x.values,
                                                 dense_shape=x.dense_shape, default_value=default_value)
        return SparseTensor(indices=indices, values=values, dense_shape=x.dense_shape), was_empty


def sparse_reset_shape(sp_input, new_shape=None):
    x = to_sparse(sp_input)
    indices, values = array_ops.identity(x.indices), array_ops.identity(x.values)
    old = array_ops.identity(x.dense_shape)
    if new_shape is None:
        needed = math_ops.reduce_max(indices, axis=0)
        zero = ops.constant(0, dtype=dtypes.int64)
        shape = math_ops.maximum(zero, math_ops.add(needed, array_ops.ones_like(old)))
        return SparseTensor(indices, values, shape)
    shape = convert_to_tensor(new_shape)
    shape.shape.assert_has_rank(1)
    shape = math_ops.cast(shape, dtypes.int64)
    if shape.shape.ndims is not None:
        shape.shape.dims[0].merge_with(old.shape.dims[0])
    known = ops.constant_value(shape)
    if known is not None and x.shape.is_fully_defined():
        dims = np.array(x.shape.as_list())
        if not np.all(dims <= known):
            raise ValueError("Requested new_shape should have dimension sizes >= sp_input.shape.  Found new_shape (%s), "
                             "sp_input.shape (%s)." % (dims, known))
        shape = known
    else:
        shape = control_flow.with_dependencies(
            [check_ops.assert_equal(array_ops.shape(old), array_ops.shape(shape))], shape)
        shape = control_flow.with_dependencies([check_ops.assert_less_equal(old, shape)], shape)
    return SparseTensor(indices, values, shape)


# -- to dense

def sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value=0, validate_indices=True, name=None):
    return apply_op("SparseToDense", sparse_indices=sparse_indices, output_shape=output_shape,
                    sparse_values=sparse_values, default_value=default_value, validate_indices=validate_indices,
                    name=name)


def sparse_tensor_to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    x = to_sparse(sp_input)
    if default_value is None:
        default_value = array_ops.zeros([], dtype=x.dtype)
    return sparse_to_dense(x.indices, x.dense_shape, x.values, default_value, validate_indices, name)


def sparse_to_indicator(sp_input, vocab_size, name=None):
    x = to_sparse(sp_input)
    with name_scope(name, "SparseToIndicator", [x]) as name:
        count = array_ops.shape(x.indices)[0]
        true = array_ops.fill(array_ops.expand_dims(count, 0), True)
        merged = sparse_merge(x, SparseTensor(x.indices, true, x.dense_shape), vocab_size, name)
        return sparse_tensor_to_dense(merged, default_value=False, validate_indices=False, name=name)


def sparse_merge(sp_ids, sp_values, vocab_size, name=None, already_sorted=False):
    if is_sparse(sp_ids):
        if not isinstance(vocab_size, (Tensor, numbers.Integral)):
            raise TypeError("vocab_size has to be a Tensor or Python int. Found %s" % type(vocab_size))
        sp_ids, vocab_size = [sp_ids], [vocab_size]
    if len(sp_ids) != len(vocab_size):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    with name_scope(name, "SparseMerge", [sp_ids, sp_values]):
        sp_ids = [to_sparse(x) for x in sp_ids]
        sp_values = to_sparse(sp_values)
        ids = []
        for x in sp_ids:
            column = x.values if x.dtype == dtypes.int64 else math_ops.cast(x.values, dtypes.int64)
            ids.append(array_ops.expand_dims(column, axis=1))
        vocab_size = [math_ops.cast(v, dtypes.int64) for v in vocab_size]
        kept = sp_ids[0].indices[:, :-1]
        indices = array_ops.concat([kept] + ids, 1)
        shape = array_ops.concat([sp_ids[0].dense_shape[:-1], vocab_size], 0)
        result = SparseTensor(indices, sp_values.values, shape)
        if already_sorted:
            return result
        result = sparse_reorder(result)
        return SparseTensor(result.indices, result.values, shape)


# -- arithmetic

def sparse_add(a, b, threshold=None, thresh=None):
    threshold = threshold if threshold is not None else thresh if thresh is not None else 0
    if not is_sparse(a) and not is_sparse(b):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if is_sparse(a) and is_sparse(b):
        a, b = to_sparse(a), to_sparse(b)
        threshold = convert_to_tensor(threshold, dtype=a.values.dtype.real_dtype.base_dtype, name="threshold")
        indices, values, shape = apply_op("SparseAdd", thresh=threshold, **_parts("a_", a), **_parts("b_", b))
        a.shape.assert_is_compatible_with(b.shape)
        if a.shape.is_fully_defined() and b.shape.is_fully_defined():
            shape = [max(x, y) for x, y in zip(a.shape.as_list(), b.shape.as_list())]
        return SparseTensor(indices, values, shape)
    if is_sparse(b):
        a, b = b, a
    return apply_op("SparseTensorDenseAdd", b=b, **_parts("a_", a))


def sparse_tensor_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    a = to_sparse(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul", [a.indices, a.values, b]) as name:
        b = convert_to_tensor(b, name="b")
        return apply_op("SparseTensorDenseMatMul", b=b, adjoint_a=adjoint_a, adjoint_b=adjoint_b, **_parts("a_", a))


def sparse_softmax(sp_input, name=None):
    with name_scope(name, "SparseSoftmax", [sp_input.indices, sp_input.values]) as name:
        values = apply_op("SparseSoftmax", sp_indices=sp_input.indices, sp_values=sp_input.values,
                          sp_shape=sp_input.dense_shape)
        return SparseTensor(sp_input.indices, values, sp_input.dense_shape)


def _pairwise(op_type, scope):
    def function(sp_a, sp_b, name=None):
        with name_scope(name, scope, [sp_a.indices, sp_a.values, sp_b.indices, sp_b.values]) as name:
            indices, values = apply_op(op_type, name=name, **_parts("a_", sp_a), **_parts("b_", sp_b))
        return SparseTensor(indices, values, sp_a.dense_shape)
    return function


sparse_maximum = _pairwise("SparseSparseMaximum", "SparseSparseMaximum")
sparse_minimum = _pairwise("SparseSparseMinimum", "SparseSparseMinimum")


def _reduction(op_type):
    def function(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
        axis = axis if axis is not None else reduction_axes
        keep = bool(ops.either("keepdims", keepdims, "keep_dims", keep_dims))
        if axis is None:
            rank = sp_input.dense_shape.shape.dims[0].value if sp_input.dense_shape.shape.is_fully_defined() else None
            axis = ops.constant(np.arange(rank, dtype=np.int32)) if rank is not None else \
                math_ops.range(0, array_ops.size(sp_input.dense_shape))
        result = apply_op(op_type, reduction_axes=axis, keep_dims=keep, **_parts("input_", sp_input))
        return SparseTensor(*result) if op_type.endswith("Sparse") else result
    return function


sparse_reduce_sum, sparse_reduce_max = _reduction("SparseReduceSum"), _reduction("SparseReduceMax")
sparse_reduce_sum_sparse, sparse_reduce_max_sparse = _reduction("SparseReduceSumSparse"), \
    _reduction("SparseReduceMaxSparse")


def serialize_sparse(sp_input, name=None, out_type=dtypes.string):
    sp_input = to_sparse(sp_input)
    """The three parts as a vector of bytes."""
    return apply_op("SerializeSparse", sparse_indices=sp_input.indices, sparse_values=sp_input.values,
                    sparse_shape=sp_input.dense_shape, out_type=out_type, name=name)


def serialize_many_sparse(sp_input, name=None, out_type=dtypes.string):
    sp_input = to_sparse(sp_input)
    return apply_op("SerializeManySparse", sparse_indices=sp_input.indices, sparse_values=sp_input.values,
                    sparse_shape=sp_input.dense_shape, out_type=out_type, name=name)


def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None):
    """A batch of what serialize_sparse() made, one dimension more."""
    indices, values, shape = apply_op("DeserializeManySparse", serialized_sparse=serialized_sparse, dtype=dtype, name=name)
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)


# TF: how SparseCross starts to hash unless told otherwise.
_HASH_KEY = 0xDECAFCAFFE


def _crossed(inputs, hashed, num_buckets, hash_key, name):
    """All combinations of the features of each row, as text or as hashes of it."""
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(x, (SparseTensor, Tensor)) for x in inputs):
        raise TypeError("All inputs must be SparseTensors")
    sparse_ones = [x for x in inputs if isinstance(x, SparseTensor)]
    kinds = []

    def settled(x):
        if x.dtype != dtypes.string:
            kinds.append(x)
            return math_ops.cast(x, dtypes.int64)
        return x
    values = [settled(x.values) for x in sparse_ones]
    dense = [settled(x) for x in inputs if not isinstance(x, SparseTensor)]
    made = apply_op("SparseCross", indices=[x.indices for x in sparse_ones], values=values,
                    shapes=[x.dense_shape for x in sparse_ones], dense_inputs=dense, hashed_output=hashed,
                    num_buckets=num_buckets, hash_key=hash_key or _HASH_KEY,
                    out_type=dtypes.int64 if hashed else dtypes.string,
                    internal_type=dtypes.int64 if kinds else dtypes.string, name=name)
    return SparseTensor(*made)


def sparse_cross(inputs, name=None):
    return _crossed(inputs, False, 0, None, name)


def sparse_cross_hashed(inputs, num_buckets=0, hash_key=None, name=None):
    return _crossed(inputs, True, num_buckets, hash_key, name)
