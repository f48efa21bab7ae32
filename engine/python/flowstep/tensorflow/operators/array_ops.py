# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Composites over shapes, slices and joins (tf.concat, tf.reshape, t[...])."""

import builtins
import functools
import operator
import sys

import numpy as np

from .. import dtypes
from ..framework import dispatch, ops, tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.ops import IndexedSlices, apply_op, constant, constant_value, convert_to_tensor, peek_value


def _op(op_type, *names):
    """The op's function; names are those that it is called with here."""
    return ops.wrapper(op_type)


def identity(input, name=None):
    if isinstance(input, ops.IndexedSlices):
        return IndexedSlices(identity(input.values), input.indices, input.dense_shape)
    return apply_op("Identity", input=input, name=name)


stop_gradient = _op("StopGradient", "input")
prevent_gradient = _op("PreventGradient", "input")
invert_permutation = _op("InvertPermutation", "x")
scatter_nd = _op("ScatterNd", "indices", "updates", "shape")
tile = _op("Tile", "input", "multiples")
space_to_batch_nd = _op("SpaceToBatchND", "input", "block_shape", "paddings")
batch_to_space_nd = _op("BatchToSpaceND", "input", "block_shape", "crops")
diag = _op("Diag", "diagonal")
diag_part = _op("DiagPart", "input")


def matrix_diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0):
    """TF: what comes after the name is not heeded before the second release of the op."""
    return apply_op("MatrixDiag", diagonal=diagonal, name=name)


@dispatch.composite
def matrix_diag_part(input, name="diag_part", k=0, padding_value=0):
    return apply_op("MatrixDiagPart", input=input, name=name)


def matrix_set_diag(input, diagonal, name="set_diag", k=0):
    return apply_op("MatrixSetDiag", input=input, diagonal=diagonal, name=name)


broadcast_to = _op("BroadcastTo", "input", "shape")
roll = _op("Roll", "input", "shift", "axis")
unique = _op("Unique", "x", "out_idx")


def reshape(tensor, shape, name=None):
    return apply_op("Reshape", tensor=tensor, shape=shape, name=name)


def shape(input, name=None, out_type=dtypes.int32):
    return shape_internal(input, name, True, out_type)


def _is_sparse(value):
    return type(value).__name__ in ("SparseTensor", "SparseTensorValue")


def shape_internal(input, name=None, optimize=True, out_type=dtypes.int32):
    with name_scope(name, "Shape", [input]) as scope:
        if _is_sparse(input):
            from . import math_ops
            return math_ops.cast(input.dense_shape, out_type)
        # TF: a list is made a tensor to look at it, and once more for the op.
        known = convert_to_tensor(input)
        if optimize and known.shape.is_fully_defined():
            return constant(np.array(known.shape.as_list(), out_type.as_numpy_dtype), out_type, name=scope)
        return apply_op("Shape", input=input, out_type=out_type, name=scope)


def size(input, name=None, out_type=dtypes.int32):
    with name_scope(name, "Size", [input]) as scope:
        if _is_sparse(input):
            from . import math_ops
            dims = math_ops.cast(input.dense_shape, out_type)
            return apply_op("Prod", input=dims, reduction_indices=0, name=scope)
        known = convert_to_tensor(input)
        if known.shape.is_fully_defined():
            return constant(known.shape.num_elements(), out_type, name=scope)
        return apply_op("Size", input=input, out_type=out_type, name=scope)


@dispatch.composite
def rank(input, name=None):
    return rank_internal(input, name)


def rank_internal(input, name=None, optimize=True):
    with name_scope(name, "Rank", [input]) as scope:
        if _is_sparse(input):
            return apply_op("Size", input=input.dense_shape, name=scope)
        known = convert_to_tensor(input)
        if optimize and known.shape.ndims is not None:
            return constant(known.shape.ndims, dtypes.int32, name=scope)
        return apply_op("Rank", input=input, name=scope)


def shape_n(input, out_type=dtypes.int32, name=None):
    return apply_op("ShapeN", input=input, out_type=out_type, name=name)


@dispatch.composite
def expand_dims(input, axis=None, name=None, dim=None):
    axis = ops.either("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return apply_op("ExpandDims", input=input, dim=axis, name=name)


def squeeze(input, axis=None, name=None, squeeze_dims=None):
    axis = ops.either("axis", axis, "squeeze_dims", squeeze_dims)
    if np.isscalar(axis):
        axis = [axis]
    return apply_op("Squeeze", input=input, squeeze_dims=axis, name=name)


@dispatch.composite
def concat(values, axis, name="concat"):
    if not isinstance(values, (list, tuple)):
        values = [values]
    if len(values) == 1:
        with name_scope(name) as scope:
            convert_to_tensor(axis, name="concat_dim", dtype=dtypes.int32).shape.assert_has_rank(0)
            return identity(values[0], name=name)
    return apply_op("ConcatV2", values=list(values), axis=axis, name=name)


@dispatch.composite
def stack(values, axis=0, name="stack"):
    if axis == 0:
        try:
            value = convert_to_tensor(values, name=name)
            return value
        except (TypeError, ValueError):
            pass
    first = convert_to_tensor(values[0], name="value")
    dims = first.shape.ndims
    if dims is not None and not -dims - 1 <= axis <= dims:
        raise ValueError("axis = %d not in [%d, %d)" % (axis, -dims - 1, dims + 1))
    return apply_op("Pack", values=list(values), axis=axis, name=name)


def unstack(value, num=None, axis=0, name="unstack"):
    if num is None:
        value = convert_to_tensor(value)
        dims = value.shape
        if dims.ndims is not None:
            if axis < -dims.ndims or axis >= dims.ndims:
                raise ValueError("axis = %d not in [%d, %d)" % (axis, -dims.ndims, dims.ndims))
            num = dims[axis].value
    if num is None:
        raise ValueError("Cannot infer num from shape %s" % dims)
    return apply_op("Unpack", value=value, num=num, axis=axis, name=name)


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    sizes = convert_to_tensor(num_or_size_splits)
    if isinstance(num_or_size_splits, (int, tensor_shape.Dimension)):
        return apply_op("Split", split_dim=axis, num_split=num_or_size_splits, value=value, name=name)
    if sizes.shape.ndims == 0:
        raise ValueError("Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: %s"
                         % (num_or_size_splits,))
    if num is None:
        num = sizes._dims[0] if sizes._dims else None
        if num is None:
            raise ValueError("Cannot infer num from shape %s" % num_or_size_splits)
    return apply_op("SplitV", value=value, size_splits=sizes, split_dim=axis, num_split=num, name=name)


def slice(input_, begin, size, name=None):
    return apply_op("Slice", input=input_, begin=begin, size=size, name=name)


def transpose(a, perm=None, name="transpose", conjugate=False):
    with name_scope(name, "transpose", [a]) as scope:
        op_type = "ConjugateTranspose" if conjugate and convert_to_tensor(a).dtype.is_complex else "Transpose"
        if perm is not None:
            return apply_op(op_type, x=a, perm=perm, name=scope)
        a = convert_to_tensor(a, name="a")
        from . import math_ops
        if a.shape.ndims is None:
            r = apply_op("Rank", input=a)
            return apply_op(op_type, x=a, perm=(r - 1) - apply_op("Range", start=0, limit=r, delta=1), name=scope)
        return apply_op(op_type, x=a, perm=np.arange(a.shape.ndims - 1, -1, -1, dtype=np.int32), name=scope)


@dispatch.composite
def gather(params, indices, validate_indices=None, name=None, axis=None, batch_dims=0):
    if axis is None:
        axis = batch_dims
    if isinstance(axis, Tensor) and constant_value(axis) is None or (
            constant_value(axis) if isinstance(axis, Tensor) else axis) != 0:
        return apply_op("GatherV2", params=params, indices=indices, axis=axis, batch_dims=batch_dims, name=name)
    try:
        return params.sparse_read(indices, name=name)
    except AttributeError:
        pass
    return apply_op("GatherV2", params=params, indices=indices, axis=axis, name=name)


gather_v2 = gather


def gather_nd(params, indices, name=None, batch_dims=0):
    known = constant_value(batch_dims)
    if known is None or known != 0:
        from . import batch_gathers
        return batch_gathers.batch_gather_nd(params, indices, batch_dims, name)
    try:
        return params.gather_nd(indices, name=name)
    except AttributeError:
        return apply_op("GatherNd", params=params, indices=indices, name=name)


def fill(dims, value, name=None):
    return apply_op("Fill", dims=dims, value=value, name=name)


def _constant_if_small(value, dims, dtype, name):
    try:
        count = int(np.prod(dims))
        if count < 1000:
            return ops._constant(value, dtype, dims, name, False, True)
    except (TypeError, ValueError):
        pass
    return None


def _has_tensors(dims):
    return isinstance(dims, (list, tuple)) and any(isinstance(d, Tensor) for d in dims)


def _filled(name_default, number):
    def function(shape, dtype=dtypes.float32, name=None):
        dtype = dtypes.as_dtype(dtype).base_dtype
        with name_scope(name, name_default, [shape]) as scope:
            if dtype == dtypes.bool:
                value = bool(number)
            elif dtype == dtypes.string and not number:
                value = ""
            else:
                value = number
            if not isinstance(shape, Tensor):
                dims = None
                if _has_tensors(shape):
                    # TF: whether it is small is asked of numpy, and that builds a product and a comparison.
                    functools.reduce(operator.mul, shape) < 1000
                else:
                    try:
                        dims = tensor_shape.as_shape(shape)
                    except (TypeError, ValueError):
                        pass
                if dims is not None and dims.is_fully_defined():
                    # TF: a plain number as shape is not taken for a small one.
                    result = None if isinstance(shape, (int, np.integer)) else \
                        _constant_if_small(value, dims.as_list(), dtype, scope)
                    if result is not None:
                        return result
                    shape = ops._shape_to_tensor(dims, dtypes.int32, "shape_as_tensor")
                else:
                    shape = convert_to_tensor(shape, dtype=dtypes.int32)
            if not shape.shape.ndims:
                shape = reshape(shape, [-1])
            return fill(shape, constant(value, dtype=dtype), name=scope)
    return function


zeros = _filled("zeros", 0)
ones = _filled("ones", 1)


def zeros_like(tensor, dtype=None, name=None, optimize=True):
    with name_scope(name, "zeros_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        if optimize and tensor.shape.is_fully_defined() and tensor.dtype.base_dtype != dtypes.variant:
            return zeros(tensor.shape, dtype=dtype or tensor.dtype, name=scope)
        if dtype is not None and dtype != tensor.dtype and dtype != dtypes.variant:
            return zeros(shape_internal(tensor, optimize=optimize), dtype=dtype, name=scope)
        return apply_op("ZerosLike", x=tensor, name=scope)


def ones_like(tensor, dtype=None, name=None, optimize=True):
    with name_scope(name, "ones_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        dims = shape_internal(tensor, optimize=optimize)
        result = ones(dims, dtype=dtype or tensor.dtype, name=scope)
        result.set_shape(tensor.shape)
        return result


def placeholder(dtype, shape=None, name=None):
    return apply_op("Placeholder", dtype=dtype, shape=shape, name=name)


def placeholder_with_default(input, shape, name=None):
    return apply_op("PlaceholderWithDefault", input=input, shape=shape, name=name)


def pad(tensor, paddings, mode="CONSTANT", name=None, constant_values=0):
    mode = mode.upper()
    if mode == "CONSTANT":
        if not isinstance(constant_values, Tensor) and constant_values == 0:
            result = apply_op("Pad", input=tensor, paddings=paddings, name=name)
        else:
            result = apply_op("PadV2", input=tensor, paddings=paddings, constant_values=constant_values, name=name)
    elif mode not in ("REFLECT", "SYMMETRIC"):
        raise ValueError("Unknown padding mode: %s" % mode)
    else:
        result = apply_op("MirrorPad", input=tensor, paddings=paddings, mode=mode, name=name)
    _pad_known(result)
    return result


def _pad_known(result):
    """TF: rows of the paddings that are known tell their dimensions, whatever the others are."""
    before, known = result.op.inputs[0].shape, constant_value(result.op.inputs[1], partial=True)
    if result.shape.is_fully_defined() or before.ndims is None or known is None:
        return
    dims = [None if row is None or dim is None or any(n is None for n in row) else dim + builtins.sum(row)
            for row, dim in zip(known, before.as_list())]
    result.set_shape(dims)


def space_to_batch(input, paddings, block_size=None, name=None, block_shape=None):
    block = ops.either("block_shape", block_shape, "block_size",
                       None if block_size is None else np.array([block_size, block_size], np.int64))
    return apply_op("SpaceToBatchND", input=input, paddings=paddings, block_shape=block, name=name)


def batch_to_space(input, crops, block_size, name=None, block_shape=None):
    block = ops.either("block_shape", block_shape, "block_size",
                       None if block_size is None else np.array([block_size, block_size], np.int64))
    result = apply_op("BatchToSpaceND", input=input, crops=crops, block_shape=block, name=name)
    result.set_shape(result.shape.with_rank(4))
    return result


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    with name_scope(name, "one_hot", [indices, depth, on_value, off_value, axis, dtype]) as scope:
        on_given, off_given = on_value is not None, off_value is not None
        # TF: each is made a tensor to see its dtype, and again where the op takes it.
        on_kind = convert_to_tensor(on_value).dtype.base_dtype if on_given else None
        off_kind = convert_to_tensor(off_value).dtype.base_dtype if off_given else None
        if dtype is None:
            dtype = on_kind if on_given else off_kind if off_given else dtypes.float32
            if on_given and off_given and on_kind != off_kind:
                raise TypeError("dtype {0} of on_value does not match dtype {1} of off_value".format(on_kind, off_kind))
        for kind, what in ((on_kind, "on_value"), (off_kind, "off_value")):
            if kind is not None and kind != dtype:
                raise TypeError("dtype {0} of {2} does not match dtype parameter {1}".format(kind, dtype, what))
        if not on_given:
            on_value = convert_to_tensor(1, dtype, name="on_value")
        if not off_given:
            off_value = convert_to_tensor(0, dtype, name="off_value")
        return apply_op("OneHot", indices=indices, depth=depth, on_value=on_value, off_value=off_value,
                        axis=-1 if axis is None else axis, name=scope)


def where(condition, x=None, y=None, name=None):
    if x is None and y is None:
        with name_scope(name, "Where", [condition]) as scope:
            condition = convert_to_tensor(condition, preferred_dtype=dtypes.bool, name="condition")
            return apply_op("Where", input=condition, name=scope)
    if x is not None and y is not None:
        return apply_op("Select", condition=condition, t=x, e=y, name=name)
    raise ValueError("x and y must both be non-None or both be None.")


def where_v2(condition, x=None, y=None, name=None):
    if x is not None and y is not None:
        return apply_op("SelectV2", condition=condition, t=x, e=y, name=name)
    return where(condition, x, y, name)


def boolean_mask(tensor, mask, name="boolean_mask", axis=None):
    with name_scope(name, values=[tensor, mask]):
        tensor = convert_to_tensor(tensor, name="tensor")
        mask = convert_to_tensor(mask, name="mask")
        ndims = mask.shape.ndims
        if ndims == 0:
            raise ValueError("mask cannot be scalar.")
        if ndims is None:
            raise ValueError("Number of mask dimensions must be specified, even if some dimensions are None.  E.g. shape=[None] "
                             "is ok, but shape=None is not.")
        axis = 0 if axis is None else axis
        tensor.shape[axis:axis + ndims].assert_is_compatible_with(mask.shape)
        from . import math_ops
        leading = math_ops.reduce_prod(shape(tensor)[axis:axis + ndims], [0])
        tensor = reshape(tensor, concat([shape(tensor)[:axis], [leading], shape(tensor)[axis + ndims:]], 0))
        first = tensor_shape.TensorShape(tensor.shape[axis:axis + ndims]).num_elements() \
            if tensor.shape.ndims is not None else None
        dims = tensor.shape
        if dims.ndims is not None:
            tensor.set_shape(tensor_shape.as_shape(dims[:axis]).concatenate([None]).concatenate(dims[axis + 1:])
                             if first is None else dims)
        mask = reshape(mask, [-1])
        indices = squeeze(where(mask), axis=[1])
        return gather(tensor, indices, axis=axis)


def sequence_mask(lengths, maxlen=None, dtype=dtypes.bool, name=None):
    from . import math_ops
    with name_scope(name, "SequenceMask", [lengths, maxlen]):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            maxlen = apply_op("Max", input=lengths, reduction_indices=math_ops._reduction_dims(lengths, None))
            maxlen = math_ops.maximum(constant(0, maxlen.dtype), maxlen)
        else:
            maxlen = convert_to_tensor(maxlen)
        if maxlen.shape.ndims not in (None, 0):
            raise ValueError("maxlen must be scalar for sequence_mask")
        row = apply_op("Range", start=constant(0, maxlen.dtype), limit=maxlen, delta=constant(1, maxlen.dtype))
        # TF: this cast is made also where it changes nothing.
        matrix = apply_op("Cast", x=expand_dims(lengths, -1), SrcT=lengths.dtype.base_dtype, DstT=maxlen.dtype)
        result = math_ops.less(row, matrix)
        return result if dtypes.as_dtype(dtype) == dtypes.bool else math_ops.cast(result, dtype)


def reverse_v2(tensor, axis, name=None):
    return apply_op("ReverseV2", tensor=tensor, axis=axis, name=name)


reverse = reverse_v2


def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None, batch_dim=None):
    return apply_op("ReverseSequence", input=input, seq_lengths=seq_lengths,
                    seq_dim=ops.either("seq_axis", seq_axis, "seq_dim", seq_dim),
                    batch_dim=ops.either("batch_axis", batch_axis, "batch_dim", batch_dim), name=name)


def edit_distance(hypothesis, truth, normalize=True, name="edit_distance"):
    from .sparse import SparseTensor, SparseTensorValue
    for value, what in ((hypothesis, "Hypothesis"), (truth, "Truth")):
        if not isinstance(value, (SparseTensor, SparseTensorValue)):
            raise TypeError("%s must be a SparseTensor." % what)
    return apply_op("EditDistance", hypothesis_indices=hypothesis.indices, hypothesis_values=hypothesis.values,
                    hypothesis_shape=hypothesis.dense_shape, truth_indices=truth.indices, truth_values=truth.values,
                    truth_shape=truth.dense_shape, normalize=normalize, name=name)


def setdiff1d(x, y, index_dtype=dtypes.int32, name=None):
    return apply_op("ListDiff", x=x, y=y, out_idx=index_dtype, name=name)


def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    with name_scope(name, "histogram_fixed_width", [values, value_range, nbins]) as name:
        return apply_op("HistogramFixedWidth", values=values, value_range=value_range, nbins=nbins, dtype=dtype, name=name)


def meshgrid(*args, indexing="xy", name="meshgrid"):
    if indexing not in ("xy", "ij"):
        raise ValueError("indexing parameter must be either 'xy' or 'ij'")
    with name_scope(name, "meshgrid", args):
        ndim = len(args)
        output = [reshape(stack(x), (1,) * i + (-1,) + (1,) * (ndim - i - 1)) for i, x in enumerate(args)]
        shapes = [size(x) for x in args]
        dtype = convert_to_tensor(args[0]).dtype.base_dtype
        if indexing == "xy" and ndim > 1:
            output[0] = reshape(output[0], (1, -1) + (1,) * (ndim - 2))
            output[1] = reshape(output[1], (-1, 1) + (1,) * (ndim - 2))
            shapes[0], shapes[1] = shapes[1], shapes[0]
        factor = ones(shapes, dtype)
        return [x * factor for x in output]


# -- t[...]

def _check_index(index):
    if isinstance(index, (int, tensor_shape.Dimension)):
        return
    dtype = getattr(index, "dtype", None)
    if dtype is not None and dtypes.as_dtype(dtype).base_dtype in (dtypes.int32, dtypes.int64) and \
            not (index.shape and len(index.shape) == 1):
        return
    raise TypeError("Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 "
                    "tensors are valid indices, got %r" % (index,))


def slice_helper(tensor, spec, var=None):
    """tensor[spec]: a StridedSlice with the masks that the parts of spec ask for."""
    if isinstance(spec, bool) or isinstance(spec, (Tensor, np.ndarray)) and spec.dtype == dtypes.bool:
        return boolean_mask(tensor, spec)
    spec = list(spec) if isinstance(spec, (list, tuple)) else [spec]
    begin, end, strides = [], [], []
    masks = dict(begin_mask=0, end_mask=0, shrink_axis_mask=0, new_axis_mask=0, ellipsis_mask=0)
    for i, s in enumerate(spec):
        if isinstance(s, builtins.slice):
            if s.start is not None and (isinstance(s.start, Tensor) or s.start != sys.maxsize):
                _check_index(s.start)
                begin.append(s.start)
            else:
                begin.append(0)
                masks["begin_mask"] |= 1 << i
            if s.stop is not None and (isinstance(s.stop, Tensor) or s.stop != sys.maxsize):
                _check_index(s.stop)
                end.append(s.stop)
            else:
                end.append(0)
                masks["end_mask"] |= 1 << i
            if s.step is not None:
                _check_index(s.step)
            strides.append(1 if s.step is None else s.step)
        elif s is Ellipsis or s is None:
            begin.append(0)
            end.append(0)
            strides.append(1)
            masks["ellipsis_mask" if s is Ellipsis else "new_axis_mask"] |= 1 << i
        else:
            _check_index(s)
            begin.append(s)
            end.append(s + 1)
            strides.append(1)
            masks["shrink_axis_mask"] |= 1 << i
    with name_scope(None, "strided_slice", [tensor] + begin + end + strides) as scope:
        if begin:
            packed = [stack(begin), stack(end), stack(strides)]
            if any(t.dtype == dtypes.int64 for t in packed):
                packed = [t if t.dtype == dtypes.int64 else apply_op("Cast", x=t, DstT=dtypes.int64) for t in packed]
            packed_begin, packed_end, packed_strides = packed
        else:
            packed_begin = packed_end = packed_strides = constant([], dtypes.int32)
        return strided_slice(tensor, packed_begin, packed_end, packed_strides, name=scope, var=var, **masks)


def strided_slice(input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0,
                  shrink_axis_mask=0, var=None, name=None):
    if strides is None:
        strides = ones_like(begin)
    masks = dict(begin_mask=begin_mask, end_mask=end_mask, ellipsis_mask=ellipsis_mask, new_axis_mask=new_axis_mask,
                 shrink_axis_mask=shrink_axis_mask)
    result = apply_op("StridedSlice", input=input_, begin=begin, end=end, strides=strides, name=name, **masks)

    def assign(val, name=None):
        if var is None:
            raise ValueError("Sliced assignment is only supported for variables")
        return var._assign_slice(begin, end, strides, val, parent + "_assign" if name is None else name, masks)
    parent = name or result.op.name
    result.assign = assign
    return result


Tensor.__getitem__ = slice_helper
