# cases_gradients_nn.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""More cases of cases_gradients.py: networks, linear algebra, sparse tensors, pictures, sequences."""

from cases_gradients import CASES, binary, of, unary

for _name in "Relu Relu6 Elu Selu Softplus Softsign LeakyRelu".split():
    CASES[_name] = unary(_name, argument="features")
for _name in "ReluGrad Relu6Grad EluGrad SeluGrad SoftplusGrad LeakyReluGrad".split():
    _second = "outputs" if _name in ("EluGrad", "SeluGrad") else "features"
    CASES[_name] = binary(_name, names=("gradients", _second))
CASES["Softmax"], CASES["LogSoftmax"] = unary("Softmax", argument="logits"), unary("LogSoftmax", argument="logits")
CASES["L2Loss"] = unary("L2Loss", argument="t")
CASES["LRN"] = of("LRN", (1, 2, 2, 6), alpha=0.5)
CASES["BiasAdd"] = binary("BiasAdd", (2, 3, 4), (4,), names=("value", "bias"))
CASES["BiasAdd_first"] = binary("BiasAdd", (2, 4, 3, 3), (4,), names=("value", "bias"), data_format="NCHW")
CASES["BiasAddV1"] = binary("BiasAddV1", (2, 3, 4), (4,), names=("value", "bias"))


def _xent(tf, p):
    x, y = p((3, 4)), p((3, 4))
    return tf.raw_ops.SoftmaxCrossEntropyWithLogits(features=x, labels=y).loss, [x, y]


def _sparse_xent(tf, p):
    x, y = p((3, 4)), p((3,), "int32")
    return tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=y).loss, [x]


CASES["SoftmaxCrossEntropyWithLogits"], CASES["SparseSoftmaxCrossEntropyWithLogits"] = _xent, _sparse_xent
_ones = [1, 1, 1, 1]
CASES["Conv2D"] = binary("Conv2D", (2, 6, 6, 3), (3, 3, 3, 4), names=("input", "filter"), strides=_ones, padding="SAME")
CASES["Conv2D_first"] = binary("Conv2D", (2, 3, 6, 6), (3, 3, 3, 4), names=("input", "filter"), strides=_ones,
                               padding="VALID", data_format="NCHW")
CASES["DepthwiseConv2dNative"] = binary("DepthwiseConv2dNative", (2, 6, 6, 3), (3, 3, 3, 2), names=("input", "filter"),
                                        strides=_ones, padding="SAME")
CASES["Conv3D"] = binary("Conv3D", (2, 4, 4, 4, 3), (2, 2, 2, 3, 4), names=("input", "filter"), strides=[1] * 5,
                         padding="SAME")
CASES["Dilation2D"] = binary("Dilation2D", (2, 6, 6, 3), (2, 2, 3), names=("input", "filter"), strides=_ones, rates=_ones,
                             padding="SAME")
_two = [1, 2, 2, 1]
CASES["AvgPool"] = of("AvgPool", (2, 4, 4, 3), "value", ksize=_two, strides=_two, padding="SAME")
CASES["MaxPool"] = of("MaxPool", (2, 4, 4, 3), ksize=_two, strides=_two, padding="SAME")
CASES["MaxPoolV2"] = of("MaxPoolV2", (2, 4, 4, 3), ksize=_two, strides=_two, padding="SAME")
CASES["AvgPool3D"] = of("AvgPool3D", (2, 4, 4, 4, 3), ksize=[1, 2, 2, 2, 1], strides=[1, 2, 2, 2, 1], padding="SAME")
CASES["MaxPool3D"] = of("MaxPool3D", (2, 4, 4, 4, 3), ksize=[1, 2, 2, 2, 1], strides=[1, 2, 2, 2, 1], padding="SAME")
for _name, _size, _arguments in (
        ("MaxPoolWithArgmax", (2, 4, 4, 3), dict(ksize=_two, strides=_two, padding="SAME")),
        ("FractionalMaxPool", (2, 4, 4, 3), dict(value=1, pooling_ratio=[1.0, 1.4, 1.4, 1.0])),
        ("FractionalAvgPool", (2, 4, 4, 3), dict(value=1, pooling_ratio=[1.0, 1.4, 1.4, 1.0])),
        ("TopKV2", (3, 5), dict(k=2)), ("TopK", (3, 5), dict(k=2)), ("Qr", (2, 3, 3), {}), ("Unstack", (2, 3), None)):
    def _first(tf, p, name=_name, size=_size, arguments=_arguments):
        x = p(size)
        if arguments is None:
            return tf.unstack(x, 2)[0], [x]
        arguments = dict(arguments)
        arguments["value" if arguments.pop("value", None) else "input"] = x
        return getattr(tf.raw_ops, name)(**arguments)[0], [x]
    CASES[_name] = _first
CASES["NthElement"] = of("NthElement", (3, 5), n=1)
for _name in "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3".split():
    for _training in (True, False):
        for _format, _size in (("NHWC", (2, 3, 3, 4)), ("NCHW", (2, 4, 3, 3))):
            def _norm(tf, p, name=_name, training=_training, data_format=_format, size=_size):
                x, scale, offset = p(size), p((4,)), p((4,))
                mean = tf.constant([] if training else [0.0] * 4, tf.float32)
                made = getattr(tf.raw_ops, name)(x=x, scale=scale, offset=offset, mean=mean, variance=mean,
                                                 is_training=training, data_format=data_format)
                return made.y, [x, scale, offset]
            CASES["%s_%s_%s" % (_name, "training" if _training else "frozen", _format)] = _norm

# -- linear algebra
CASES["MatrixInverse"] = unary("MatrixInverse", (2, 3, 3), argument="input")
CASES["MatrixDeterminant"] = unary("MatrixDeterminant", (2, 3, 3), argument="input")
CASES["Cholesky"] = unary("Cholesky", (2, 3, 3), argument="input")
CASES["Cholesky_2"] = unary("Cholesky", (3, 3), argument="input")
for _flag in (False, True):
    CASES["MatrixSolve_%d" % _flag] = binary("MatrixSolve", (2, 3, 3), (2, 3, 2), names=("matrix", "rhs"), adjoint=_flag)
    CASES["MatrixTriangularSolve_%d" % _flag] = binary("MatrixTriangularSolve", (2, 3, 3), (2, 3, 2),
                                                       names=("matrix", "rhs"), adjoint=_flag, lower=not _flag)
CASES["LogMatrixDeterminant"] = lambda tf, p: (lambda x: (
    tf.raw_ops.LogMatrixDeterminant(input=x).log_abs_determinant, [x]))(p((2, 3, 3)))
CASES["SelfAdjointEigV2"] = lambda tf, p: (lambda x: (list(tf.raw_ops.SelfAdjointEigV2(input=x)), [x]))(p((2, 3, 3)))

# -- sparse tensors


def _sparse(function):
    def build(tf, p):
        at, values, other = p((2, 2), "int64"), p((2,)), p((3, 4))
        return function(tf, at, values, other)
    return build


CASES["SparseReorder"] = _sparse(lambda tf, at, v, d: (tf.raw_ops.SparseReorder(
    input_indices=at, input_values=v, input_shape=[3, 4])[1], [v]))
CASES["SparseTensorDenseAdd"] = _sparse(lambda tf, at, v, d: (tf.raw_ops.SparseTensorDenseAdd(
    a_indices=at, a_values=v, a_shape=tf.constant([3, 4], tf.int64), b=d), [v, d]))
CASES["SparseAdd"] = _sparse(lambda tf, at, v, d: (tf.raw_ops.SparseAdd(
    a_indices=at, a_values=v, a_shape=[3, 4], b_indices=at, b_values=v, b_shape=[3, 4], thresh=0.0)[1], [v]))
CASES["SparseSlice"] = _sparse(lambda tf, at, v, d: (tf.raw_ops.SparseSlice(
    indices=at, values=v, shape=[3, 4], start=[0, 0], size=[2, 2])[1], [v]))
for _a in (False, True):
    for _b in (False, True):
        CASES["SparseTensorDenseMatMul_%d%d" % (_a, _b)] = _sparse(lambda tf, at, v, d, a=_a, b=_b: (
            tf.raw_ops.SparseTensorDenseMatMul(a_indices=at, a_values=v, a_shape=[3, 4], b=d, adjoint_a=a, adjoint_b=b),
            [v, d]))
for _name in "SparseDenseCwiseMul SparseDenseCwiseDiv SparseDenseCwiseAdd".split():
    CASES[_name] = _sparse(lambda tf, at, v, d, name=_name: (getattr(tf.raw_ops, name)(
        sp_indices=at, sp_values=v, sp_shape=[3, 4], dense=d), [v, d]))
CASES["SparseSoftmax"] = _sparse(lambda tf, at, v, d: (tf.raw_ops.SparseSoftmax(
    sp_indices=at, sp_values=v, sp_shape=[3, 4]), [v]))
CASES["SparseFillEmptyRows"] = _sparse(lambda tf, at, v, d: (tf.raw_ops.SparseFillEmptyRows(
    indices=at, values=v, dense_shape=[3, 4], default_value=0.0)[1], [v]))
CASES["SparseToDense"] = _sparse(lambda tf, at, v, d: (tf.raw_ops.SparseToDense(
    sparse_indices=at, output_shape=tf.constant([3, 4], tf.int64), sparse_values=v, default_value=0.0), [v]))

# -- pictures, transforms, sequences, samples
for _name in "ResizeBilinear ResizeBicubic ResizeNearestNeighbor".split():
    CASES[_name] = of(_name, (2, 4, 4, 3), "images", size=[8, 8])


def CropAndResize(tf, p):
    x, boxes = p((2, 4, 4, 3)), p((2, 4))
    return tf.raw_ops.CropAndResize(image=x, boxes=boxes, box_ind=[0, 1], crop_size=[2, 2]), [x, boxes]


CASES["CropAndResize"] = CropAndResize
for _name, _size in (("FFT", (3,)), ("IFFT", (3,)), ("FFT2D", (2, 3, 4)), ("IFFT2D", (3, 4)), ("FFT3D", (3, 4, 5)),
                     ("IFFT3D", (3, 4, 5))):
    CASES[_name] = unary(_name, _size, "complex64", "input")


def CTCLoss(tf, p):
    x = p((5, 2, 4))
    return tf.raw_ops.CTCLoss(inputs=x, labels_indices=tf.constant([[0, 0], [1, 0]], tf.int64), labels_values=[1, 2],
                              sequence_length=[5, 5]).loss, [x]


def LSTMBlockCell(tf, p):
    x, cs, h, w, b = p((2, 3)), p((2, 4)), p((2, 4)), p((7, 16)), p((16,))
    w4 = [p((4,)) for _ in range(3)]
    made = tf.raw_ops.LSTMBlockCell(x=x, cs_prev=cs, h_prev=h, w=w, wci=w4[0], wcf=w4[1], wco=w4[2], b=b)
    return made.h, [x, cs, h, w, b]


def BlockLSTM(tf, p):
    x, cs, h, w, b = p((5, 2, 3)), p((2, 4)), p((2, 4)), p((7, 16)), p((16,))
    w4 = [p((4,)) for _ in range(3)]
    made = tf.raw_ops.BlockLSTM(seq_len_max=tf.constant(5, tf.int64), x=x, cs_prev=cs, h_prev=h, w=w, wci=w4[0], wcf=w4[1],
                                wco=w4[2], b=b)
    return made.h, [x, cs, h, w, b]


CASES["CTCLoss"], CASES["LSTMBlockCell"], CASES["BlockLSTM"] = CTCLoss, LSTMBlockCell, BlockLSTM


def GRUBlockCell(tf, p):
    x, h, w1, w2, b1, b2 = p((2, 3)), p((2, 4)), p((7, 8)), p((7, 4)), p((8,)), p((4,))
    made = tf.raw_ops.GRUBlockCell(x=x, h_prev=h, w_ru=w1, w_c=w2, b_ru=b1, b_c=b2)
    return made.h, [x, h, w1, w2, b1, b2]


CASES["GRUBlockCell"] = GRUBlockCell
