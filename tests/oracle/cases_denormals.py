# cases_denormals.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

"""Numbers too small for full precision: TensorFlow's kernels take them for zeros, as operands and as results."""

import numpy as np

from record_ops import Case

UNARY = ('Abs Neg Log Exp Sqrt Inv Reciprocal Sign Square Tanh Sigmoid Log1p Expm1 Sin Cos Tan Asin Acos Atan Sinh Cosh '
         'Asinh Atanh Erf Erfc Lgamma Digamma Floor Ceil Rint Round IsNan IsInf IsFinite').split()
FEATURES = 'Relu Relu6 Elu Selu Softplus Softsign LeakyRelu'.split()
# Without Atan2, whose answers for them are libm's.
BINARY = ('Add AddV2 Sub Mul Div RealDiv DivNoNan Maximum Minimum Pow FloorDiv FloorMod TruncateMod Mod SquaredDifference Less '
          'LessEqual Greater GreaterEqual Equal NotEqual Xdivy Xlogy').split()
# SqrtGrad differs from element to element in TensorFlow itself: the last ones of an odd number are computed otherwise.
GRADS = 'TanhGrad SigmoidGrad RsqrtGrad InvGrad ReciprocalGrad'.split()
REDUCE = 'Sum Prod Max Min Mean'.split()
SMALL = {'float32': [1e-39, -1e-39, 1.2e-38, 0., 1.5e-45, -1.5e-45, 3e-38, -1.2e-38, 1.0],
         'float64': [1e-310, -1e-310, 3e-308, 0., 5e-324, -5e-324, 5e-308, -3e-308, 1.0]}
OTHER = {'float32': [1e-39, 1e-20, 0., -1e-39, -1.9e-38, 1., 1e-38, 1.2e-38, 1e-38],
         'float64': [1e-310, 1e-160, 0., -1e-310, -4e-308, 1., 1e-308, 3e-308, 1e-308]}


def cases():
    for dtype in ('float32', 'float64'):
        small = np.array(SMALL[dtype], dtype)
        other = np.array(OTHER[dtype], dtype)
        for op in UNARY + FEATURES:
            yield Case(op, [small])
            yield Case(op, [np.tile(small, 3)])
        # Its steps flush half of what is just above the border, in eights of float32 only.
        yield Case('Rsqrt', [np.delete(small, 2)])
        for op in BINARY:
            yield Case(op, [small, other])
            yield Case(op, [small, other[4]])
            yield Case(op, [small[0], other])
        for op in GRADS:
            yield Case(op, [small, other])
        for op in REDUCE:
            yield Case(op, [small[:4], np.int32(0)])
            yield Case(op, [np.stack([small, other]), np.int32(0)])
            yield Case(op, [np.stack([small, other]), np.int32(1)])
        for op in ('ReluGrad', 'Relu6Grad', 'EluGrad', 'SeluGrad', 'SoftplusGrad', 'SoftsignGrad', 'LeakyReluGrad'):
            yield Case(op, [small, other])
        yield Case('Softmax', [np.array([[0., -80., -90., -100.], [-91., -95., 5., 0.]], dtype) * (1 if dtype == 'float32' else 8)])
        yield Case('LogSoftmax', [np.array([[0., -80., -90., -100.]], dtype)])
        yield Case('SoftmaxCrossEntropyWithLogits', [np.array([[0., -80., -90., -100.]], dtype), small[None, :4]])
        yield Case('MatMul', [small[None, :], other[:, None]])
        yield Case('MatMul', [small[:, None], other[None, :]])
        yield Case('BiasAdd', [np.stack([small, other]), other])
        yield Case('L2Loss', [small])
        yield Case('AddN', [small, other, small])
        yield Case('Cumsum', [small, np.int32(0)])
        yield Case('Cumprod', [small, np.int32(0)])
        yield Case('Where', [small])
        yield Case('ArgMax', [small[:2], np.int32(0)])
        yield Case('ArgMax', [np.array([0., small[0]], dtype), np.int32(0)])
        yield Case('TopKV2', [np.array([0., small[0], small[0], -small[0]], dtype), np.int32(3)])
        yield Case('Unique', [small])
        yield Case('Select', [small > 0, small, other])
        yield Case('ClipByValue', [small, other[0], other[5]])
        yield Case('Identity', [small])
        yield Case('SegmentSum', [small, np.array([0, 0, 0, 1, 1, 1, 2, 2, 3], np.int32)])
        yield Case('UnsortedSegmentSum', [small, np.array([0, 0, 0, 1, 1, 1, 2, 2, 3], np.int32), np.int32(4)])
        for to in ('float32', 'float64', 'half', 'bfloat16', 'int32', 'bool'):
            yield Case('Cast', [small], DstT=to)
    for to in ('float32', 'float64', 'int32', 'bool'):
        yield Case('Cast', [np.array([6e-8, 1e-7, -3e-5, 0.], np.float16)], DstT=to)
    yield Case('Cast', [np.array([1e-39, 1e-45, 2e-38, 1e-310])], DstT='float32')
    for op in ('Add', 'Mul', 'Sub', 'Less', 'Equal', 'Maximum'):
        yield Case(op, [np.array([6e-8, 1e-7, -3e-5, 6e-5], np.float16), np.array([6e-8, 1e-3, 3e-5, 6e-8], np.float16)])
    for op in ('Neg', 'Sqrt', 'Square', 'Log', 'Exp'):
        yield Case(op, [np.array([6e-8, 1e-7, 3e-5, 6e-5], np.float16)])
    yield Case('StringToNumber', [np.array(['1e-39', '-1e-45', '1e-37'], object)], out_type='float32')
    yield Case('StringToNumber', [np.array(['1e-310', '5e-324'], object)], out_type='float64')
