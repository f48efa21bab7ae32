# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Operators and arithmetic composites (a + b, tf.reduce_mean, tf.cast)."""

import builtins
import collections.abc

import numpy as np

from .. import dtypes
from ..framework import dispatch, ops, tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.ops import IndexedSlices, apply_op, constant, convert_to_tensor
from . import array_ops
from .array_ops import _op

for _name, _type in {
        "neg": "Neg", "exp": "Exp", "expm1": "Expm1", "log": "Log", "log1p": "Log1p", "sin": "Sin", "cos": "Cos",
        "tan": "Tan", "asin": "Asin", "acos": "Acos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "asinh": "Asinh",
        "acosh": "Acosh", "atanh": "Atanh", "sqrt": "Sqrt", "rsqrt": "Rsqrt", "square": "Square", "sigmoid": "Sigmoid",
        "tanh": "Tanh", "sign": "Sign", "floor": "Floor", "ceil": "Ceil", "rint": "Rint", "erf": "Erf", "erfc": "Erfc",
        "lgamma": "Lgamma", "digamma": "Digamma", "is_nan": "IsNan", "is_inf": "IsInf", "is_finite": "IsFinite",
        "reciprocal": "Reciprocal", "logical_not": "LogicalNot", "negative": "Neg", "inv": "Inv"}.items():
    globals()[_name] = _op(_type, "x")
for _name, _type in {
        "add": "Add", "add_v2": "AddV2", "maximum": "Maximum", "minimum": "Minimum", "squared_difference": "SquaredDifference",
        "less": "Less", "less_equal": "LessEqual", "greater": "Greater", "greater_equal": "GreaterEqual",
        "logical_and": "LogicalAnd", "logical_or": "LogicalOr",
        "floordiv_op": "FloorDiv", "floormod": "FloorMod", "mod": "FloorMod", "truncatediv": "TruncateDiv",
        "truncatemod": "TruncateMod", "realdiv": "RealDiv", "xdivy": "Xdivy",
        "xlogy": "Xlogy", "multiply_op": "Mul", "subtract_op": "Sub"}.items():
    globals()[_name] = _op(_type, "x", "y")


def equal(x, y, name=None):
    return apply_op("Equal", x=x, y=y, name=name)


def not_equal(x, y, name=None):
    return apply_op("NotEqual", x=x, y=y, name=name)


atan2 = _op("Atan2", "y", "x")
igamma = _op("Igamma", "a", "x")
zeta = _op("Zeta", "x", "q")
multiply = mul = _op("Mul", "x", "y")
subtract = sub = _op("Sub", "x", "y")
ceiling = ceil  # noqa: F821
cross = _op("Cross", "a", "b")
segment_sum = _op("SegmentSum", "data", "segment_ids")
segment_mean = _op("SegmentMean", "data", "segment_ids")
segment_max = _op("SegmentMax", "data", "segment_ids")
unsorted_segment_sum = _op("UnsortedSegmentSum", "data", "segment_ids", "num_segments")
unsorted_segment_max = _op("UnsortedSegmentMax", "data", "segment_ids", "num_segments")
unsorted_segment_min = _op("UnsortedSegmentMin", "data", "segment_ids", "num_segments")
unsorted_segment_prod = _op("UnsortedSegmentProd", "data", "segment_ids", "num_segments")
segment_min = _op("SegmentMin", "data", "segment_ids")
segment_prod = _op("SegmentProd", "data", "segment_ids")


def _sparse_segment(op_type):
    def function(data, indices, segment_ids, name=None, num_segments=None):
        if num_segments is None:
            return apply_op(op_type, data=data, indices=indices, segment_ids=segment_ids, name=name)
        return apply_op(op_type + "WithNumSegments", data=data, indices=indices, segment_ids=segment_ids,
                        num_segments=num_segments, name=name)
    return function


sparse_segment_sum, sparse_segment_mean = _sparse_segment("SparseSegmentSum"), _sparse_segment("SparseSegmentMean")
sparse_segment_sqrt_n = _sparse_segment("SparseSegmentSqrtN")


@dispatch.composite
def abs(x, name=None):
    with name_scope(name, "Abs", [x]) as name:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            return apply_op("ComplexAbs", x=x, Tout=x.dtype.real_dtype, name=name)
        return apply_op("Abs", x=x, name=name)


def round(x, name=None):
    x = convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else apply_op("Round", x=x, name=name)


def pow(x, y, name=None):
    with name_scope(name, "Pow", [x]) as name:
        return apply_op("Pow", x=x, y=y, name=name)


def divide(x, y, name=None):
    return convert_to_tensor(x) / y if name is None else truediv(x, y, name)


def cast(x, dtype, name=None):
    from .sparse import SparseTensor
    base = dtypes.as_dtype(dtype).base_dtype
    if (isinstance(x, Tensor) or hasattr(x, "handle")) and base == x.dtype:
        return x
    with name_scope(name, "Cast", [x]) as name:
        if isinstance(x, IndexedSlices):
            return IndexedSlices(cast(x.values, base, name=name), x.indices, x.dense_shape)
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, cast(x.values, base, name=name), x.dense_shape)
        x = convert_to_tensor(x, name="x")
        if x.dtype.base_dtype != base:
            x = apply_op("Cast", x=x, SrcT=x.dtype.base_dtype, DstT=base, name=name)
        return x


def to_float(x, name="ToFloat"):
    return cast(x, dtypes.float32, name=name)


def to_double(x, name="ToDouble"):
    return cast(x, dtypes.float64, name=name)


def to_int32(x, name="ToInt32"):
    return cast(x, dtypes.int32, name=name)


def to_int64(x, name="ToInt64"):
    return cast(x, dtypes.int64, name=name)


def saturate_cast(value, dtype, name=None):
    with name_scope(name, "saturate_cast", [value]) as name:
        value = convert_to_tensor(value, name="value")
        dtype = dtypes.as_dtype(dtype).base_dtype
        if value.dtype.min < dtype.min:
            value = maximum(value, convert_to_tensor(dtype.min, dtype=value.dtype, name="min"))  # noqa: F821
        if value.dtype.max > dtype.max:
            value = minimum(value, convert_to_tensor(dtype.max, dtype=value.dtype, name="max"))  # noqa: F821
        return cast(value, dtype, name=name)


def range(start, limit=None, delta=1, dtype=None, name="range"):
    if limit is None:
        start, limit = 0, start
    with name_scope(name, "Range", [start, limit, delta]) as name:
        start = convert_to_tensor(start, dtype=dtype, name="start")
        limit = convert_to_tensor(limit, dtype=dtype, name="limit")
        delta = convert_to_tensor(delta, dtype=dtype, name="delta")
        if dtype is None:
            order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
            assert all(t.dtype in order for t in (start, limit, delta))
            kind = order[max(order.index(t.dtype) for t in (start, delta, limit))]
            start, limit, delta = cast(start, kind), cast(limit, kind), cast(delta, kind)
        return apply_op("Range", start=start, limit=limit, delta=delta, name=name)


def linspace(start, stop, num, name=None):
    return apply_op("LinSpace", start=start, stop=stop, num=num, name=name)


lin_space = linspace
_TRUEDIV = {1: None, 19: None, 2: None, 8: None, 18: None, 14: None, 3: dtypes.float64, 9: dtypes.float64,
            4: dtypes.float32, 6: dtypes.float32, 5: dtypes.float32, 17: dtypes.float32}


def _truediv(x, y, name=None):
    with name_scope(name, "truediv", [x, y]) as name:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y")
        if x.dtype.base_dtype != y.dtype.base_dtype:
            raise TypeError("x and y must have the same dtype, got %r != %r" % (x.dtype.base_dtype, y.dtype.base_dtype))
        if x.dtype.base_dtype.as_datatype_enum not in _TRUEDIV:
            raise TypeError("Invalid dtype %r in __truediv__" % x.dtype)
        dtype = _TRUEDIV[x.dtype.base_dtype.as_datatype_enum]
        if dtype is not None:
            x, y = cast(x, dtype), cast(y, dtype)
        return apply_op("RealDiv", x=x, y=y, name=name)


def truediv(x, y, name=None):
    return _truediv(x, y, name)


def div(x, y, name=None):
    with name_scope(name, "div", [x, y]) as name:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        return apply_op("RealDiv" if x.dtype.is_floating or x.dtype.is_complex else "FloorDiv", x=x, y=y, name=name)


def _no_nan(scope, op_type):
    def function(x, y, name=None):
        with name_scope(name, scope, [x, y]) as name:
            x = convert_to_tensor(x, name="x")
            y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
            return apply_op(op_type, x=x, y=y, name=name)
    return function


div_no_nan, multiply_no_nan = _no_nan("div_no_nan", "DivNoNan"), _no_nan("multiply_no_nan", "MulNoNan")


def floordiv(x, y, name=None):
    with name_scope(name, "floordiv", [x, y]) as name:
        return apply_op("FloorDiv", x=x, y=y, name=name)


def floor_div(x, y, name=None):
    return apply_op("FloorDiv", x=x, y=y, name=name)


def _mul_dispatch(x, y, name=None):
    return apply_op("Mul", x=x, y=y, name=name)


def logical_xor(x, y, name="LogicalXor"):
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name=name)  # noqa: F821


def complex(real, imag, name=None):
    real, imag = convert_to_tensor(real, name="real"), convert_to_tensor(imag, name="imag")
    kinds = (real.dtype, imag.dtype)
    if kinds not in ((dtypes.float32, dtypes.float32), (dtypes.float64, dtypes.float64)):
        raise TypeError("real and imag have incorrect types: {} {}".format(real.dtype.name, imag.dtype.name))
    kind = dtypes.complex64 if real.dtype == dtypes.float32 else dtypes.complex128
    return apply_op("Complex", real=real, imag=imag, Tout=kind, name=name)


def real(input, name=None):
    with name_scope(name, "Real", [input]) as name:
        if not isinstance(input, Tensor):
            input = convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return input
        return apply_op("Real", input=input, Tout=input.dtype.real_dtype, name=name)


def imag(input, name=None):
    with name_scope(name, "Imag", [input]) as name:
        input = convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return array_ops.zeros_like(input)
        return apply_op("Imag", input=input, Tout=input.dtype.real_dtype, name=name)


def angle(input, name=None):
    with name_scope(name, "Angle", [input]) as name:
        input = convert_to_tensor(input, name="input")
        if not input.dtype.is_complex:
            return array_ops.zeros_like(input)
        return apply_op("Angle", input=input, Tout=input.dtype.real_dtype, name=name)


def bessel_i0(x, name=None):
    with name_scope(name, "bessel_i0", [x]):
        return exp(abs(x)) * apply_op("BesselI0e", x=x)  # noqa: F821


def bessel_i1(x, name=None):
    with name_scope(name, "bessel_i1", [x]):
        return exp(abs(x)) * apply_op("BesselI1e", x=x)  # noqa: F821


def reciprocal_no_nan(x, name=None):
    with name_scope(name, "reciprocal_no_nan", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        one = constant(1, dtype=x.dtype.base_dtype, name="one")
        return apply_op("DivNoNan", x=one, y=x, name=scope)


# -- operators

def _as_operand(y, x):
    if hasattr(y, "_as_operand_beside"):
        return y
    return convert_to_tensor(y, preferred_dtype=x.dtype.base_dtype, name="y")


def _operator(function, name):
    def forward(x, y):
        with name_scope(None, name, [x, y]) as scope:
            y = _as_operand(y, x)
            return function(x, y, name=scope)

    def backward(y, x):
        with name_scope(None, name, [x, y]) as scope:
            x = convert_to_tensor(x, dtype=y.dtype.base_dtype, name="x")
            return function(x, y, name=scope)
    return forward, backward


def _numeric(x):
    if not (x.dtype.is_floating or x.dtype.is_integer):
        raise TypeError("Expected numeric or variant tensor, got dtype %r" % x.dtype)
    return x


def conj(x, name=None):
    if isinstance(x, Tensor) and not (x.dtype.is_complex or x.dtype == dtypes.variant):
        return _numeric(x)
    with name_scope(name, "Conj", [x]) as name:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex or x.dtype == dtypes.variant:
            return apply_op("Conj", input=x, name=name)
        return _numeric(x)


@dispatch.composite
def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False,
           b_is_sparse=False, name=None):
    with name_scope(name, "MatMul", [a, b]) as name:
        if transpose_a and adjoint_a:
            raise ValueError("Only one of transpose_a and adjoint_a can be True.")
        if transpose_b and adjoint_b:
            raise ValueError("Only one of transpose_b and adjoint_b can be True.")
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, name="b", dtype=None if isinstance(b, Tensor) else a.dtype.base_dtype)
        batched = any(n is None or n > 2 for n in (a.shape.ndims, b.shape.ndims))
        if batched and not (a_is_sparse or b_is_sparse):
            a, b = conj(a) if transpose_a else a, conj(b) if transpose_b else b
            return apply_op("BatchMatMulV2", x=a, y=b, adj_x=adjoint_a or transpose_a, adj_y=adjoint_b or transpose_b,
                            name=name)
        a, b = conj(a) if adjoint_a else a, conj(b) if adjoint_b else b
        transpose_a, transpose_b = transpose_a or adjoint_a, transpose_b or adjoint_b
        kinds = (dtypes.bfloat16, dtypes.float32)
        if (a_is_sparse or b_is_sparse) and a.dtype.base_dtype in kinds and b.dtype.base_dtype in kinds \
                or dtypes.bfloat16 in (a.dtype, b.dtype) and a.dtype != b.dtype:
            result = apply_op("SparseMatMul", a=a, b=b, transpose_a=transpose_a, transpose_b=transpose_b,
                              a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse, name=name)
            return cast(result, dtypes.bfloat16) if a.dtype == b.dtype == dtypes.bfloat16 else result
        return apply_op("MatMul", a=a, b=b, transpose_a=transpose_a, transpose_b=transpose_b, name=name)


_BINARY = {
    "add": (_op("AddV2", "x", "y"), "add"), "sub": (sub, "sub"), "mul": (_mul_dispatch, "mul"), "div": (div, "div"),
    "truediv": (_truediv, "truediv"), "floordiv": (floordiv, "floordiv"), "mod": (_op("FloorMod", "x", "y"), "mod"),
    "pow": (pow, "pow"), "and": (_op("LogicalAnd", "x", "y"), "and"), "or": (_op("LogicalOr", "x", "y"), "or"),
    "xor": (logical_xor, "xor"), "matmul": (matmul, "matmul"),
}


def _add_operator(x, y, name=None):
    return apply_op("Add" if convert_to_tensor(x).dtype == dtypes.string else "AddV2", x=x, y=y, name=name)


_BINARY["add"] = (_add_operator, "add")
OPERATORS = {}
for _name, (_function, _scope) in _BINARY.items():
    _forward, _backward = _operator(_function, _scope)
    OPERATORS["__%s__" % _name] = _forward
    OPERATORS["__r%s__" % _name] = _backward
OPERATORS.update({
    "__neg__": lambda x: neg(x), "__abs__": lambda x: abs(x), "__invert__": lambda x: logical_not(x),  # noqa: F821
    "__lt__": lambda x, y: less(x, y), "__le__": lambda x, y: less_equal(x, y),  # noqa: F821
    "__gt__": lambda x, y: greater(x, y), "__ge__": lambda x, y: greater_equal(x, y),  # noqa: F821
})
for _name, _function in OPERATORS.items():
    setattr(Tensor, _name, _function)


# -- reductions

def _reduction_dims(x, axis):
    if axis is not None:
        return axis
    if isinstance(x, Tensor) and x.shape.ndims is not None:
        return constant(np.arange(x.shape.ndims, dtype=np.int32))
    return range(0, array_ops.rank(x))


def _reduction(op_type):
    def function(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
        axis = ops.either("axis", axis, "reduction_indices", reduction_indices)
        keep = ops.either("keepdims", keepdims, "keep_dims", keep_dims)
        keep = False if keep is None else keep
        dims = _reduction_dims(input_tensor, axis)
        result = apply_op(op_type, input=input_tensor, reduction_indices=dims, keep_dims=keep, name=name)
        if axis is None and not keep:
            result.set_shape([])
        return result
    return dispatch.composite(function, _REDUCTIONS.get(op_type, op_type))


_REDUCTIONS = {op_type: "reduce_" + op_type.lower() for op_type in ("Sum", "Mean", "Prod", "Max", "Min", "All", "Any")}
reduce_sum, reduce_mean, reduce_prod = _reduction("Sum"), _reduction("Mean"), _reduction("Prod")
reduce_max, reduce_min = _reduction("Max"), _reduction("Min")
reduce_all, reduce_any = _reduction("All"), _reduction("Any")


def reduce_logsumexp(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    axis = ops.either("axis", axis, "reduction_indices", reduction_indices)
    keep = bool(ops.either("keepdims", keepdims, "keep_dims", keep_dims))
    input_tensor = convert_to_tensor(input_tensor)
    with name_scope(name, "ReduceLogSumExp", [input_tensor]) as name:
        raw_max = reduce_max(input_tensor, axis=axis, keepdims=True)
        my_max = array_ops.stop_gradient(array_ops.where(is_finite(raw_max), raw_max,  # noqa: F821
                                                         array_ops.zeros_like(raw_max)))
        result = log(reduce_sum(exp(subtract(input_tensor, my_max)), axis, keepdims=keep))  # noqa: F821
        if not keep:
            my_max = array_ops.reshape(my_max, array_ops.shape(result))
        return add(result, my_max)  # noqa: F821


def count_nonzero(input_tensor=None, axis=None, keepdims=None, dtype=dtypes.int64, name=None, reduction_indices=None,
                  keep_dims=None, input=None):
    input_tensor = ops.either("input", input, "input_tensor", input_tensor)
    axis = ops.either("axis", axis, "reduction_indices", reduction_indices)
    keepdims = ops.either("keepdims", keepdims, "keep_dims", keep_dims)
    with name_scope(name, "count_nonzero", [input_tensor]):
        input_tensor = convert_to_tensor(input_tensor, name="input")
        zero = array_ops.zeros([], dtype=input_tensor.dtype)
        return cast(reduce_sum(cast(not_equal(input_tensor, zero), dtypes.int64), axis, keepdims), dtype)  # noqa: F821


def argmax(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    axis = ops.either("axis", axis, "dimension", dimension)
    axis = 0 if axis is None else axis
    return apply_op("ArgMax", input=input, dimension=axis, output_type=output_type, name=name)


def argmin(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    axis = ops.either("axis", axis, "dimension", dimension)
    axis = 0 if axis is None else axis
    return apply_op("ArgMin", input=input, dimension=axis, output_type=output_type, name=name)


arg_max, arg_min = ops.wrapper("ArgMax", "arg_max"), ops.wrapper("ArgMin", "arg_min")


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    with name_scope(name, "Cumsum", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return apply_op("Cumsum", x=x, axis=axis, exclusive=exclusive, reverse=reverse, name=name)


def cumprod(x, axis=0, exclusive=False, reverse=False, name=None):
    with name_scope(name, "Cumprod", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return apply_op("Cumprod", x=x, axis=axis, exclusive=exclusive, reverse=reverse, name=name)


def add_n(inputs, name=None):
    if isinstance(inputs, Tensor):
        next(iter(inputs))
    wrong = ValueError("inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape")
    if not inputs or not isinstance(inputs, (list, tuple)):
        raise wrong
    inputs = ops.convert_n_to_tensor_or_indexed_slices(inputs)
    if not all(isinstance(i, (Tensor, IndexedSlices)) for i in inputs):
        raise wrong
    if len(inputs) == 1:
        return array_ops.identity(inputs[0], name=name) if name else inputs[0]
    return apply_op("AddN", inputs=inputs, name=name)


def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    wrong = ValueError("inputs must be a list of at least one Tensor with the same dtype and shape")
    if not inputs or not isinstance(inputs, (list, tuple)):
        raise wrong
    inputs = [ops.internal_convert_to_tensor_or_indexed_slices(value) for value in inputs]
    if not all(isinstance(x, Tensor) and x.dtype == inputs[0].dtype for x in inputs):
        raise wrong
    merged = tensor_shape.TensorShape(shape)
    for value in inputs:
        merged = merged.merge_with(value.shape)
    if tensor_dtype is not None and tensor_dtype != inputs[0].dtype:
        raise TypeError("tensor_dtype is %s, but input is of type %s" % (tensor_dtype, inputs[0].dtype))
    if len(inputs) == 1 and name is None:
        return inputs[0]
    if len(inputs) == 1:
        return array_ops.identity(inputs[0], name=name)
    return apply_op("AccumulateNV2", inputs=inputs, shape=merged, name=name)


def _as_matrix(a, axes, flipped):
    """(a with those axes as its columns, or as its rows where flipped, sizes of the others, what is known of these)."""
    static = None
    if a.shape.ndims is not None and isinstance(axes, (list, tuple)):
        dims = a.shape.as_list()
        axes = [i if i >= 0 else i + len(dims) for i in axes]
        free = [i for i in builtins.range(len(dims)) if i not in axes]
        static = [dims[i] for i in free]
        if a.shape.is_fully_defined():
            sizes = [int(np.prod(static)), int(np.prod([dims[i] for i in axes]))]
            perm = axes + free if flipped else free + axes
            return array_ops.reshape(array_ops.transpose(a, perm), sizes[::-1] if flipped else sizes), static, static
        axes = convert_to_tensor(axes, dtype=dtypes.int32, name="axes")
        free = convert_to_tensor(free, dtype=dtypes.int32, name="free")
        dims = array_ops.shape(a)
    else:
        dims, rank = array_ops.shape(a), array_ops.rank(a)
        axes = convert_to_tensor(axes, dtype=dtypes.int32, name="axes")
        axes = array_ops.where(axes >= 0, axes, axes + rank)
        free = apply_op("ListDiff", x=range(rank), y=axes, out_idx=dtypes.int32)[0]
    free_dims = array_ops.gather(dims, free)
    axes_dims = array_ops.gather(dims, axes)
    sizes = [reduce_prod(free_dims), reduce_prod(axes_dims)]
    perm = array_ops.concat([axes, free] if flipped else [free, axes], 0)
    new_shape = array_ops.stack(sizes[::-1] if flipped else sizes)
    return array_ops.reshape(array_ops.transpose(a, perm), new_shape), free_dims, static


def _contracted_axes(a, axes):
    """The axes of a and those of b that are summed over."""
    if not isinstance(axes, int):
        if isinstance(axes, (list, tuple)) and len(axes) != 2:
            raise ValueError("'axes' must be an integer or have length 2.")
        of_a, of_b = (list(x) if isinstance(x, (list, tuple)) else [x] for x in axes)
        if len(of_a) != len(of_b):
            raise ValueError("Different number of contraction axes 'a' and 'b', %s != %s." % (len(of_a), len(of_b)))
        return of_a, of_b
    if axes < 0:
        raise ValueError("'axes' must be at least 0.")
    if a.shape.ndims is None:
        rank = array_ops.rank(a)
        return range(rank - axes, rank, dtype=dtypes.int32), range(axes, dtype=dtypes.int32)
    if axes > a.shape.ndims:
        raise ValueError("'axes' must not be larger than the number of dimensions of tensor %s." % a)
    return list(builtins.range(a.shape.ndims - axes, a.shape.ndims)), list(builtins.range(axes))


def tensordot(a, b, axes, name=None):
    with name_scope(name, "Tensordot", [a, b, axes]) as name:
        a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
        axes_a, axes_b = _contracted_axes(a, axes)
        a_matrix, a_free, a_static = _as_matrix(a, axes_a, False)
        b_matrix, b_free, b_static = _as_matrix(b, axes_b, True)
        product = matmul(a_matrix, b_matrix)
        if isinstance(a_free, list) and isinstance(b_free, list):
            return array_ops.reshape(product, a_free + b_free, name=name)
        a_free = convert_to_tensor(a_free, dtype=dtypes.int32)
        b_free = convert_to_tensor(b_free, dtype=dtypes.int32)
        result = array_ops.reshape(product, array_ops.concat([a_free, b_free], 0), name=name)
        if a_static is not None and b_static is not None:
            result.set_shape(a_static + b_static)
        return result


def _segment_sizes(data, segment_ids, num_segments):
    ones = array_ops.ones(array_ops.shape_internal(segment_ids), dtype=data.dtype)
    sizes = unsorted_segment_sum(ones, segment_ids, num_segments)
    rest = data.shape.ndims - segment_ids.shape.ndims
    return maximum(array_ops.reshape(sizes, [num_segments] + [1] * rest), 1)  # noqa: F821


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    with name_scope(name, "UnsortedSegmentMean"):
        data, segment_ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        sizes = _segment_sizes(data, segment_ids, num_segments)
        return unsorted_segment_sum(data, segment_ids, num_segments) / sizes


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    with name_scope(name, "UnsortedSegmentSqrtN"):
        data, segment_ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        sizes = _segment_sizes(data, segment_ids, num_segments)
        return unsorted_segment_sum(data, segment_ids, num_segments) / sqrt(sizes)  # noqa: F821


def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    with name_scope(name or "reduce_variance"):
        means = reduce_mean(input_tensor, axis=axis, keepdims=True)
        return reduce_mean(square(input_tensor - means), axis=axis, keepdims=keepdims)  # noqa: F821


def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    with name_scope(name or "reduce_std"):
        return sqrt(reduce_variance(input_tensor, axis=axis, keepdims=keepdims))  # noqa: F821


reduce_euclidean_norm = _reduction("EuclideanNorm")


def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None):
    with name_scope(name, "CumulativeLogsumexp", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return apply_op("CumulativeLogsumexp", x=x, axis=axis, exclusive=exclusive, reverse=reverse, name=name)


def polyval(coeffs, x, name=None):
    with name_scope(name, "polyval", list(coeffs) + [x]) as name:
        x = convert_to_tensor(x, name="x")
        if len(coeffs) < 1:
            return array_ops.zeros_like(x, name=name)
        coeffs = [convert_to_tensor(c, name="coeff_%d" % i) for i, c in enumerate(coeffs)]
        result = coeffs[0]
        for c in coeffs[1:]:
            result = c + result * x
        return result


def scalar_mul(scalar, x, name=None):
    scalar = convert_to_tensor(scalar, dtype=x.dtype.base_dtype, name="scalar")
    if scalar.shape.ndims != 0:
        raise ValueError("Only scalar multiply works, got shape %s" % scalar.shape)
    if isinstance(x, IndexedSlices):
        return IndexedSlices(apply_op("Mul", x=scalar, y=x.values, name=name), x.indices, x.dense_shape)
    return apply_op("Mul", x=scalar, y=x, name=name)


def bincount(arr, weights=None, minlength=None, maxlength=None, dtype=dtypes.int32):
    with name_scope("bincount"):
        return _bincount(arr, weights, minlength, maxlength, dtype)


def _bincount(arr, weights, minlength, maxlength, dtype):
    arr = convert_to_tensor(arr, name="arr", dtype=dtypes.int32)
    nonempty = reduce_prod(array_ops.shape(arr)) > 0
    output_size = cast(nonempty, dtypes.int32) * (reduce_max(arr) + 1)
    if minlength is not None:
        output_size = maximum(convert_to_tensor(minlength, name="minlength", dtype=dtypes.int32), output_size)  # noqa: F821
    if maxlength is not None:
        output_size = minimum(convert_to_tensor(maxlength, name="maxlength", dtype=dtypes.int32), output_size)  # noqa: F821
    weights = constant([], dtype) if weights is None else weights
    return apply_op("Bincount", arr=arr, size=output_size, weights=weights)


# -- clipping

def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    with name_scope(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as name:
        values = convert_to_tensor(t.values if isinstance(t, IndexedSlices) else t, name="t")
        t_min = minimum(values, clip_value_max)  # noqa: F821
        t_max = maximum(t_min, clip_value_min, name=name)  # noqa: F821
        if isinstance(t, IndexedSlices):
            return IndexedSlices(t_max, t.indices, t.dense_shape)
        return t_max


def clip_by_norm(t, clip_norm, axes=None, name=None):
    with name_scope(name, "clip_by_norm", [t, clip_norm]) as name:
        values = convert_to_tensor(t.values if isinstance(t, IndexedSlices) else t, name="t")
        l2sum = reduce_sum(values * values, axes, keepdims=True)
        pred = l2sum > 0
        safe = array_ops.where(pred, l2sum, array_ops.ones_like(l2sum))
        norm = array_ops.where(pred, sqrt(safe), l2sum)  # noqa: F821
        intermediate = values * clip_norm
        _ = values.shape.merge_with(intermediate.shape)
        values_clip = array_ops.identity(intermediate / maximum(norm, clip_norm), name=name)  # noqa: F821
        if isinstance(t, IndexedSlices):
            return IndexedSlices(values_clip, t.indices, t.dense_shape)
        return values_clip


def _check_list(t_list):
    if not isinstance(t_list, collections.abc.Sequence) or isinstance(t_list, str):
        raise TypeError("t_list should be a sequence")


def global_norm(t_list, name=None):
    from ..framework import graph as graph_lib
    _check_list(t_list)
    with name_scope(name, "global_norm", list(t_list)) as name:
        values = [t.values if isinstance(t, IndexedSlices) else t for t in t_list if t is not None]
        half_squared = []
        for v in values:
            with graph_lib.colocate_with(v):
                half_squared.append(apply_op("L2Loss", t=v))
        half_squared_norm = reduce_sum(array_ops.stack(half_squared))
        return sqrt(half_squared_norm * constant(2.0, dtype=half_squared_norm.dtype), name="global_norm")  # noqa: F821


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    from ..framework import graph as graph_lib
    _check_list(t_list)
    t_list = list(t_list)
    if use_norm is None:
        use_norm = global_norm(t_list, name)
    with name_scope(name, "clip_by_global_norm", t_list + [clip_norm]) as name:
        scale_for_finite = clip_norm * minimum(1.0 / use_norm,  # noqa: F821
                                               constant(1.0, dtype=use_norm.dtype) / clip_norm)
        scale = array_ops.where(is_finite(use_norm), scale_for_finite,  # noqa: F821
                                constant(float("nan"), dtype=use_norm.dtype))
        clipped = []
        for i, t in enumerate(t_list):
            v = t.values if isinstance(t, IndexedSlices) else t
            if v is None:
                clipped.append(None)
                continue
            with graph_lib.colocate_with(v):
                result = array_ops.identity(v * scale, name="%s_%d" % (name, i))
            clipped.append(IndexedSlices(result, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else result)
    return clipped, use_norm


def clip_by_average_norm(t, clip_norm, name=None):
    with name_scope(name, "clip_by_average_norm", [t, clip_norm]) as name:
        t = convert_to_tensor(t, name="t")
        count = cast(array_ops.size(t), dtypes.float32)
        inverse = rsqrt(reduce_sum(t * t, range(array_ops.rank(t))))  # noqa: F821
        return array_ops.identity(t * clip_norm * minimum(inverse * count, constant(1.0) / clip_norm),  # noqa: F821
                                  name=name)
