# cases_gradients.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Small expressions to differentiate: every function takes the module tf and p (dims, dtype="float32"), which makes a
placeholder, and gives (ys, xs). record_gradients.py runs them under TensorFlow, test-gradients.py under our face."""


def unary(op_type, dims=(3, 2), dtype="float32", argument="x", **attrs):
    def build(tf, p):
        x = p(dims, dtype)
        return getattr(tf.raw_ops, op_type)(**dict({argument: x}, **attrs)), [x]
    return build


def binary(op_type, a=(3, 2), b=(3, 2), dtype="float32", names=("x", "y"), **attrs):
    def build(tf, p):
        x, y = p(a, dtype), p(b, dtype)
        return getattr(tf.raw_ops, op_type)(**dict(zip(names, (x, y)), **attrs)), [x, y]
    return build


CASES = {}
for _name in ("Abs Acos Acosh Asin Asinh Atan Atanh BesselI0e BesselI1e Ceil Cos Cosh Digamma Erf Erfc Exp Expm1 Floor Inv "
              "Lgamma Log Log1p Neg Reciprocal Rint Round Rsqrt Sigmoid Sign Sin Sinh Sqrt Square Tan Tanh").split():
    CASES[_name] = unary(_name)
for _name in ("Acos Asin Atan Conj Cos Exp Inv Log Log1p Neg Rsqrt Sigmoid Sin Sqrt Square Tanh").split():
    CASES[_name + "_complex"] = unary(_name, dtype="complex64", **({"argument": "input"} if _name == "Conj" else {}))
for _name in ("Add AddV2 Sub Mul MulNoNan Div DivNoNan RealDiv FloorDiv FloorMod TruncateDiv Pow Maximum Minimum "
              "SquaredDifference Xdivy Xlogy").split():
    CASES[_name] = binary(_name)
    CASES[_name + "_spread"] = binary(_name, (3, 2), (2,))
    CASES[_name + "_column"] = binary(_name, (3, 1), (4, 1, 2))
    CASES[_name + "_scalar"] = binary(_name, (), (3,))
for _name in "AddV2 Sub Mul MulNoNan Div RealDiv Pow SquaredDifference Xdivy Xlogy".split():
    CASES[_name + "_complex"] = binary(_name, (3, 2), (2,), "complex64")
for _tag, _b in (("", (3, 2)), ("_spread", (2,))):
    CASES["NextAfter" + _tag] = binary("NextAfter", (3, 2), _b, names=("x1", "x2"))
    CASES["Zeta" + _tag] = binary("Zeta", (3, 2), _b, names=("x", "q"))
CASES["Atan2"] = binary("Atan2", names=("y", "x"))
CASES["Igamma"] = binary("Igamma", (3, 2), (2,), names=("a", "x"))
CASES["Igammac"] = binary("Igammac", (3, 2), (2,), names=("a", "x"))
CASES["Polygamma"] = binary("Polygamma", (3, 2), (2,), names=("a", "x"))
CASES["Complex"] = binary("Complex", (3, 2), (2,), names=("real", "imag"))
CASES["Cross"] = binary("Cross", (3, 3), (3, 3), names=("a", "b"))
for _name in "Real Imag Angle".split():
    CASES[_name] = unary(_name, dtype="complex64", argument="input")
CASES["ComplexAbs"] = unary("ComplexAbs", dtype="complex64")
for _g in "InvGrad ReciprocalGrad RsqrtGrad SigmoidGrad SqrtGrad TanhGrad".split():
    CASES[_g] = binary(_g, names=("y", "dy"))


def _case(function):
    CASES[function.__name__] = function
    return function


@_case
def Betainc(tf, p):
    a, b, x = p((3,)), p((3,)), p((3,))
    return tf.raw_ops.Betainc(a=a, b=b, x=x), [a, b, x]


@_case
def RandomGamma(tf, p):
    x = p((3,))
    return tf.raw_ops.RandomGamma(shape=[4], alpha=x), [x]


for _dst in "float64 float16 int32 complex64".split():
    def _cast(tf, p, dst=_dst):
        x = p((3, 2))
        return tf.raw_ops.Cast(x=x, DstT=getattr(tf, dst)), [x]
    CASES["Cast_" + _dst] = _cast


@_case
def Select(tf, p):
    c, x, y = p((3, 2), "bool"), p((3, 2)), p((3, 2))
    return tf.where(c, x, y), [x, y]


@_case
def SelectV2(tf, p):
    c, x, y = p((3, 2), "bool"), p((3, 2)), p((2,))
    return tf.raw_ops.SelectV2(condition=c, t=x, e=y), [x, y]


@_case
def AddN(tf, p):
    x, y, z = p((3,)), p((3,)), p((3,))
    return tf.raw_ops.AddN(inputs=[x, y, z]), [x, y, z]


@_case
def AccumulateNV2(tf, p):
    x, y = p((3,)), p((3,))
    return tf.raw_ops.AccumulateNV2(inputs=[x, y], shape=[3]), [x, y]


for _a in (False, True):
    for _b in (False, True):
        CASES["MatMul_%d%d" % (_a, _b)] = binary("MatMul", (3, 3), (3, 3), names=("a", "b"), transpose_a=_a, transpose_b=_b)
        CASES["MatMul_complex_%d%d" % (_a, _b)] = binary("MatMul", (3, 3), (3, 3), "complex64", names=("a", "b"),
                                                         transpose_a=_a, transpose_b=_b)
        CASES["BatchMatMul_%d%d" % (_a, _b)] = binary("BatchMatMul", (2, 3, 3), (2, 3, 3), adj_x=_a, adj_y=_b)
        CASES["BatchMatMulV2_%d%d" % (_a, _b)] = binary("BatchMatMulV2", (2, 3, 3), (2, 3, 3), adj_x=_a, adj_y=_b)
        CASES["BatchMatMulV2_spread_%d%d" % (_a, _b)] = binary("BatchMatMulV2", (2, 3, 3), (3, 3), adj_x=_a, adj_y=_b)
        CASES["SparseMatMul_%d%d" % (_a, _b)] = binary("SparseMatMul", (3, 3), (3, 3), names=("a", "b"), transpose_a=_a,
                                                       transpose_b=_b, a_is_sparse=True)

for _name in "Sum Mean Prod Max Min".split():
    for _axis, _tag in ((0, "0"), ([0], "v0"), ([1, 0], "10"), ([0, 1, 2], "all"), (-1, "m1"), ([], "none")):
        def _reduce(tf, p, name=_name, axis=_axis):
            x = p((2, 3, 4))
            a = tf.constant(axis, tf.int32)
            return getattr(tf.raw_ops, name)(input=x, axis=a), [x]
        CASES["%s_%s" % (_name, _tag)] = _reduce

    def _keep(tf, p, name=_name):
        x = p((2, 3))
        return getattr(tf.raw_ops, name)(input=x, axis=[1], keep_dims=True), [x]
    CASES["%s_keep" % _name] = _keep

    def _fed(tf, p, name=_name):
        x, a = p((2, 3)), p((1,), "int32")
        return getattr(tf.raw_ops, name)(input=x, axis=a), [x]
    CASES["%s_fed" % _name] = _fed
for _name in "Cumsum Cumprod CumulativeLogsumexp".split():
    for _e in (False, True):
        def _scan(tf, p, name=_name, e=_e):
            x = p((3, 2))
            return getattr(tf.raw_ops, name)(x=x, axis=0, exclusive=e, reverse=not e), [x]
        CASES["%s_%d" % (_name, _e)] = _scan


def twice(tf, p):
    x = p((3, 2))
    y = tf.reduce_sum(tf.square(x) * x, [1])
    return [tf.reduce_sum(y), tf.reduce_mean(y * y)], [x]


CASES["twice"] = twice

# -- segments
for _name in "SegmentSum SegmentMean SegmentMax SegmentMin SegmentProd".split():
    def _segment(tf, p, name=_name):
        x = p((3, 2))
        return getattr(tf.raw_ops, name)(data=x, segment_ids=[0, 0, 1]), [x]
    CASES[_name] = _segment
for _name in "UnsortedSegmentSum UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd".split():
    def _unsorted(tf, p, name=_name):
        x, ids = p((3, 2)), p((3,), "int32")
        return getattr(tf.raw_ops, name)(data=x, segment_ids=ids, num_segments=2), [x]
    CASES[_name] = _unsorted
for _name in "SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN".split():
    def _sparse_segment(tf, p, name=_name):
        x, at = p((3, 2)), p((2,), "int32")
        return getattr(tf.raw_ops, name)(data=x, indices=at, segment_ids=[0, 1]), [x]
    CASES[_name] = _sparse_segment

    def _sparse_segment_n(tf, p, name=_name):
        x, at = p((3, 2)), p((2,), "int32")
        return getattr(tf.raw_ops, name + "WithNumSegments")(data=x, indices=at, segment_ids=[0, 1], num_segments=4), [x]
    CASES[_name + "WithNumSegments"] = _sparse_segment_n

# -- arrays


def of(op_type, size_=(3, 2), main="input", dtype="float32", **arguments):
    """One differentiable input; other inputs and attrs as given, ("p", dims, dtype) makes a placeholder."""
    def build(tf, p):
        x = p(size_, dtype)
        made = {k: p(*v[1:]) if isinstance(v, tuple) and v[:1] == ("p",) else v for k, v in arguments.items()}
        made[main] = x
        return getattr(tf.raw_ops, op_type)(**made), [x]
    return build


@_case
def Pack(tf, p):
    x, y = p((3, 2)), p((3, 2))
    return tf.raw_ops.Pack(values=[x, y], axis=1), [x, y]


CASES["Unpack"] = of("Unpack", main="value", num=2, axis=1)
for _n in (1, 2, 3, 17):
    def _concat(tf, p, n=_n):
        xs = [p((2, i + 1)) for i in range(n)]
        return (tf.raw_ops.ConcatV2(values=xs, axis=1) if n > 1 else tf.raw_ops.Identity(input=xs[0])), xs
    CASES["ConcatV2_%d" % _n] = _concat


@_case
def Concat(tf, p):
    x, y = p((3, 2)), p((3, 1))
    return tf.raw_ops.Concat(concat_dim=1, values=[x, y]), [x, y]


CASES["Slice"] = of("Slice", begin=[1, 0], size=[1, 2])
CASES["StridedSlice"] = of("StridedSlice", begin=[1, 0], end=[2, 2], strides=[1, 1], end_mask=2, shrink_axis_mask=1)
CASES["Split"] = of("Split", (4, 2), "value", axis=0, num_split=2)
CASES["SplitV"] = of("SplitV", (4, 2), "value", size_splits=[1, 3], axis=0, num_split=2)
CASES["Diag"] = of("Diag", (3,), "diagonal")
CASES["DiagPart"] = of("DiagPart", (3, 3))
CASES["MatrixDiag"] = of("MatrixDiag", (2, 3), "diagonal")
CASES["MatrixDiagPart"] = of("MatrixDiagPart", (2, 3, 3))
CASES["MatrixDiagPart_wide"] = of("MatrixDiagPart", (2, 3, 4))
CASES["MatrixBandPart"] = of("MatrixBandPart", (3, 3), num_lower=1, num_upper=0)


@_case
def MatrixSetDiag(tf, p):
    x, d = p((2, 3, 3)), p((2, 3))
    return tf.raw_ops.MatrixSetDiag(input=x, diagonal=d), [x, d]


CASES["Fill"] = of("Fill", (), "value", dims=[2, 3])
CASES["PreventGradient"] = of("PreventGradient", message="no")
CASES["Gather"] = of("Gather", (4, 2), "params", indices=[[1, 0]])
CASES["GatherV2"] = of("GatherV2", (4, 2), "params", indices=[[1, 0]], axis=0)
CASES["GatherV2_fed"] = of("GatherV2", (4, 2), "params", indices=("p", (3,), "int32"), axis=0)
CASES["GatherV2_1"] = of("GatherV2", (4, 2), "params", indices=("p", (3,), "int32"), axis=1)
CASES["GatherV2_m1"] = of("GatherV2", (4, 2, 3), "params", indices=[1, 0], axis=-1)
CASES["GatherV2_axis"] = of("GatherV2", (4, 2, 3), "params", indices=[1, 0], axis=("p", (), "int32"))
CASES["GatherV2_batch"] = of("GatherV2", (4, 3, 2), "params", indices=("p", (4, 2), "int32"), axis=1, batch_dims=1)
CASES["GatherNd"] = of("GatherNd", (4, 2), "params", indices=[[1, 0]])
CASES["GatherNd_rows"] = of("GatherNd", (4, 2), "params", indices=[[1], [0]])
CASES["CheckNumerics"] = of("CheckNumerics", main="tensor", message="here")
CASES["Identity"] = of("Identity")
CASES["PlaceholderWithDefault"] = of("PlaceholderWithDefault", shape=[3, 2])


@_case
def IdentityN(tf, p):
    x, y = p((3, 2)), p((3,))
    return tf.raw_ops.IdentityN(input=[x, y]), [x, y]


CASES["StopGradient"] = of("StopGradient")
CASES["Reshape"] = of("Reshape", main="tensor", shape=[2, 3])
CASES["ExpandDims"] = of("ExpandDims", axis=1)
CASES["Squeeze"] = of("Squeeze", (3, 1), axis=[1])
CASES["Transpose"] = of("Transpose", main="x", perm=[1, 0])
CASES["ConjugateTranspose"] = of("ConjugateTranspose", main="x", dtype="complex64", perm=[1, 0])
CASES["Tile"] = of("Tile", multiples=[2, 3])
CASES["Tile_fed"] = of("Tile", multiples=("p", (2,), "int32"))
CASES["Pad"] = of("Pad", paddings=[[1, 0], [0, 1]])
CASES["PadV2"] = of("PadV2", paddings=[[1, 0], [0, 1]], constant_values=1.0)
CASES["MirrorPad"] = of("MirrorPad", paddings=[[1, 0], [0, 1]], mode="REFLECT")
CASES["Reverse"] = of("Reverse", main="tensor", dims=[True, False])
CASES["ReverseV2"] = of("ReverseV2", main="tensor", axis=[0])
CASES["ReverseSequence"] = of("ReverseSequence", seq_lengths=[1, 2, 1], seq_dim=1, batch_dim=0)
CASES["SpaceToBatch"] = of("SpaceToBatch", (1, 4, 4, 1), paddings=[[0, 0], [0, 0]], block_size=2)
CASES["SpaceToBatchND"] = of("SpaceToBatchND", (1, 4, 4, 1), block_shape=[2, 2], paddings=[[0, 0], [0, 0]])
CASES["BatchToSpace"] = of("BatchToSpace", (4, 2, 2, 1), crops=[[0, 0], [0, 0]], block_size=2)
CASES["BatchToSpaceND"] = of("BatchToSpaceND", (4, 2, 2, 1), block_shape=[2, 2], crops=[[0, 0], [0, 0]])
CASES["SpaceToDepth"] = of("SpaceToDepth", (1, 4, 4, 1), block_size=2)
CASES["DepthToSpace"] = of("DepthToSpace", (1, 2, 2, 4), block_size=2)
CASES["QuantizeAndDequantizeV2"] = of("QuantizeAndDequantizeV2", input_min=0.0, input_max=1.0)
CASES["QuantizeAndDequantizeV3"] = of("QuantizeAndDequantizeV3", input_min=0.0, input_max=1.0, num_bits=8)
CASES["ExtractImagePatches"] = of("ExtractImagePatches", (2, 5, 5, 3), "images", ksizes=[1, 2, 2, 1], strides=[1, 1, 1, 1],
                                  rates=[1, 1, 1, 1], padding="VALID")
CASES["ExtractVolumePatches"] = of("ExtractVolumePatches", (2, 4, 4, 4, 2), ksizes=[1, 2, 2, 2, 1],
                                   strides=[1, 1, 1, 1, 1], padding="VALID")
CASES["ScatterNd"] = of("ScatterNd", (2,), "updates", indices=[[0], [2]], shape=[4])
for _name in "TensorScatterUpdate TensorScatterAdd TensorScatterSub".split():
    def _scatter(tf, p, name=_name):
        x, u = p((4,)), p((2,))
        return getattr(tf.raw_ops, name)(tensor=x, indices=[[0], [2]], updates=u), [x, u]
    CASES[_name] = _scatter


@_case
def ScatterNdNonAliasingAdd(tf, p):
    x, u = p((4,)), p((2,))
    return tf.raw_ops.ScatterNdNonAliasingAdd(input=x, indices=[[0], [2]], updates=u), [x, u]


CASES["BroadcastTo"] = of("BroadcastTo", (3, 1), shape=[3, 2])
CASES["Roll"] = of("Roll", shift=[1], axis=[0])
CASES["EnsureShape"] = of("EnsureShape", shape=[3, 2])
CASES["Print"] = of("Print", data=[1.0], message="m")


@_case
def DynamicPartition(tf, p):
    x, at = p((3, 2)), p((3,), "int32")
    return tf.raw_ops.DynamicPartition(data=x, partitions=at, num_partitions=2), [x]


for _name in "DynamicStitch ParallelDynamicStitch".split():
    def _stitch(tf, p, name=_name):
        x, y, at = p((2, 2)), p((1, 2)), p((2,), "int32")
        return getattr(tf.raw_ops, name)(indices=[at, [1]], data=[x, y]), [x, y]
    CASES[_name] = _stitch
CASES["FakeQuantWithMinMaxArgs"] = of("FakeQuantWithMinMaxArgs", main="inputs", min=-1.0, max=1.0)
for _name, _dims in (("FakeQuantWithMinMaxVars", ()), ("FakeQuantWithMinMaxVarsPerChannel", (2,))):
    def _fake(tf, p, name=_name, dims=_dims):
        x, low, high = p((3, 2)), p(dims), p(dims)
        return getattr(tf.raw_ops, name)(inputs=x, min=low, max=high), [x, low, high]
    CASES[_name] = _fake

# -- rows: what differentiates something gathered


def _rows(f):
    def build(tf, p):
        x = p((4, 2))
        return f(tf, x), [x]
    return build


CASES["rows_matmul"] = _rows(lambda tf, x: tf.gather(tf.matmul(x, [[1.0, 2.0], [3.0, 4.0]]), [1, 0]))
CASES["rows_twice"] = _rows(lambda tf, x: tf.gather(x, [1, 0]) * tf.gather(x, [0, 2]))
CASES["rows_identity"] = _rows(lambda tf, x: tf.gather(tf.identity(x), [1, 0]))
CASES["rows_mixed"] = _rows(lambda tf, x: tf.gather(x, [1, 0]) + tf.reduce_sum(x * x))
CASES["rows_reshape"] = _rows(lambda tf, x: tf.gather(tf.reshape(x, [2, 4]), [1, 0]))
CASES["rows_add"] = _rows(lambda tf, x: tf.gather(x + 1.0, [1, 0]))
CASES["rows_add_row"] = _rows(lambda tf, x: tf.gather(x + tf.reduce_sum(x, [0]), [1, 0]))
CASES["rows_mul"] = _rows(lambda tf, x: tf.gather(x * 2.0, [1, 0]))
CASES["rows_neg"] = _rows(lambda tf, x: tf.gather(-x, [1, 0]))
CASES["rows_relu"] = _rows(lambda tf, x: tf.gather(tf.nn.relu(x), [1, 0]))
CASES["rows_exp"] = _rows(lambda tf, x: tf.gather(tf.exp(x), [1, 0]))
CASES["rows_square"] = _rows(lambda tf, x: tf.gather(tf.square(x), [1, 0]))
CASES["rows_transpose"] = _rows(lambda tf, x: tf.gather(tf.transpose(x), [1, 0]))
CASES["rows_tile"] = _rows(lambda tf, x: tf.gather(tf.tile(x, [2, 1]), [1, 0]))
CASES["rows_gather"] = _rows(lambda tf, x: tf.gather(tf.gather(x, [1, 0, 2]), [1, 0]))
CASES["rows_concat_0"] = _rows(lambda tf, x: tf.gather(tf.concat([x, x + x], 0), [1, 5]))
CASES["rows_concat_1"] = _rows(lambda tf, x: tf.gather(tf.concat([x, x + x], 1), [1, 0]))
CASES["rows_softmax"] = _rows(lambda tf, x: tf.gather(tf.nn.softmax(x), [1, 0]))
CASES["rows_cast"] = _rows(lambda tf, x: tf.gather(tf.cast(x, tf.float64), [1, 0]))
CASES["rows_bias_add"] = _rows(lambda tf, x: tf.gather(tf.nn.bias_add(x, [1.0, 2.0]), [1, 0]))
CASES["rows_unused"] = _rows(lambda tf, x: tf.gather(tf.sqrt(x) / 2.0, [1, 0]))
