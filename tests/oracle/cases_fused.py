# cases_fused.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow's optimizer leaves of several ops: convolutions and products with what follows, rows of functions."""

import numpy as np

from record_ops import Case
from samples import NAN, values

BIAS = (['BiasAdd'], ['BiasAdd', 'Relu'], ['BiasAdd', 'Relu6'], ['BiasAdd', 'Elu'])
NORM = (['FusedBatchNorm'], ['FusedBatchNorm', 'Relu'], ['FusedBatchNorm', 'Relu6'], ['FusedBatchNorm', 'Elu'])
OF_HALFS = ('Abs Ceil Cos Expm1 Exp Floor Inv Log Log1p Neg Reciprocal Round Rsqrt Sigmoid Sin Sqrt Square Tanh Elu Relu '
            'Relu6 Selu').split()
OF_FLOATS = OF_HALFS + 'Acos Acosh Asin Asinh Atan Atanh Cosh Rint Sinh Tan'.split()


def conv(inputs, fused_ops, **attrs):
    more = dict(dict(strides=[1, 1, 1, 1], padding='SAME'), **attrs)
    return Case('_FusedConv2D', [inputs[0], inputs[1], list(inputs[2:])], fused_ops=fused_ops,
                **dict({'num_args': len(inputs) - 2, 'T': inputs[0].dtype.name}, **more))


def product(inputs, fused_ops, **attrs):
    return Case('_FusedMatMul', [inputs[0], inputs[1], list(inputs[2:])], fused_ops=fused_ops,
                **dict({'num_args': len(inputs) - 2, 'T': 'float32'}, **attrs))


def channels(dtype, n):
    return [values(dtype, [n]), values(dtype, [n]) - 1, values(dtype, [n]), np.abs(values(dtype, [n])) + np.array(0.25, dtype)]


def convolutions():
    for dtype in ('float32', 'float64'):
        x, k = values(dtype, [2, 5, 6, 3]), values(dtype, [3, 2, 3, 4])
        for fused_ops in BIAS:
            yield conv([x, k, values(dtype, [4])], fused_ops)
            yield conv([x, k, values(dtype, [4])], fused_ops, padding='VALID', strides=[1, 2, 1, 1])
        for fused_ops in NORM:
            yield conv([x, k] + channels(dtype, 4), fused_ops, epsilon=0.001)
            yield conv([x, values(dtype, [1, 1, 3, 4])] + channels(dtype, 4), fused_ops)
        yield conv([x, k, values(dtype, [1, 1, 4])], BIAS[1], dilations=[1, 2, 2, 1])
        yield conv([x, k, values(dtype, [4])], BIAS[1], padding='EXPLICIT', explicit_paddings=[0, 0, 1, 2, 0, 3, 0, 0])
        yield conv([x, values(dtype, [5, 6, 3, 2]), values(dtype, [2])], BIAS[1], padding='VALID')
        yield conv([x[:0], k, values(dtype, [7])], BIAS[1])
    f = lambda *s: np.ones(s, np.float32)
    image, kernel = f(1, 3, 3, 2), f(2, 2, 2, 2)
    for fused_ops in ([], ['Relu'], ['Relu', 'BiasAdd'], ['BiasAdd', 'Tanh'], ['BiasAdd', 'Relu', 'Relu']):
        yield conv([image, kernel, f(2)], fused_ops)
    for args in ([], [f(2), f(2)], [f(2, 2)]):
        yield conv([image, kernel] + args, ['BiasAdd'])
    for args in ([f(2)], [f(2), f(2), f(2), f(2, 1)], [f(1, 2), f(2), f(2), f(2)], [f(2), f(2), f(), f(2)]):
        yield conv([image, kernel] + args, ['FusedBatchNorm'])
    yield conv([image[0], kernel, f(2)], ['BiasAdd'])
    yield conv([image, kernel[0], f(2)], ['BiasAdd'])
    yield conv([image, f(2, 2, 3, 2), f(2)], ['BiasAdd'])
    yield conv([image, f(5, 5, 2, 2), f(2)], ['BiasAdd'], padding='VALID')
    yield conv([image, kernel, f(2)], ['BiasAdd'], strides=[2, 1, 1, 1])
    yield conv([image, kernel, f(2)], ['BiasAdd'], strides=[1, 1, 1])


def products():
    for fused_ops in BIAS:
        for m, k, n in ((3, 4, 5), (1, 7, 2), (4, 3, 1), (2, 0, 3)):
            for ta in (False, True):
                for tb in (False, True):
                    a = values('float32', [k, m] if ta else [m, k])
                    b = values('float32', [n, k] if tb else [k, n])
                    yield product([a, b, values('float32', [n])], fused_ops, transpose_a=ta, transpose_b=tb)
    f = lambda *s: np.ones(s, np.float32)
    yield product([f(0, 2), f(2, 3), f(9)], ['BiasAdd'])
    yield product([f(2, 2), f(2, 3), f(1, 3)], ['BiasAdd', 'Relu'])
    for bad in ([f(2), f(2, 3), f(3)], [f(2, 2), f(3), f(3)], [f(2, 2), f(3, 3), f(3)], [f(2, 2), f(2, 3), f(2, 3)],
                [f(2, 2), f(2, 3)], [f(2, 2), f(2, 3), f(3), f(3)]):
        yield product(bad, ['BiasAdd'])
    for fused_ops in ([], ['Relu'], ['FusedBatchNorm']):
        yield product([f(2, 2), f(2, 3), f(3)], fused_ops)


def rows():
    for dtype, names in (('float32', OF_FLOATS), ('float64', OF_FLOATS), ('float16', OF_HALFS)):
        x = np.array([-2.5, -1, -0.5, -0.0, 0, 0.3, 0.5, 1, 1.5, 3, NAN], dtype)
        for name in names:
            yield Case('_UnaryOpsComposition', [x], op_names=[name])
        for op_names in (['Abs', 'Sqrt', 'Neg'], ['Exp', 'Log', 'Relu', 'Tanh'], ['Square', 'Square', 'Square', 'Rsqrt']):
            yield Case('_UnaryOpsComposition', [values(dtype, [3, 2])], op_names=op_names)
        for shape in ([], [0, 3]):
            yield Case('_UnaryOpsComposition', [values(dtype, shape)], op_names=['Relu6', 'Sigmoid'])
        for op_names in ([], ['Erf'], ['Relu', 'Tan', 'Nothing'], ['Acos']):
            yield Case('_UnaryOpsComposition', [values(dtype, [2])], op_names=op_names)


def cases():
    for part in (convolutions, products, rows):
        for case in part():
            yield case
