# cases_bits.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sums, functions and products of floats to the last bit: TensorFlow's order on an AVX processor. cases_bits_v2 asks the
same of 2.15.

What begins with the processor's own guess (Sqrt, Reciprocal and Rsqrt of eight and more) is left out.
"""

import numpy as np

from record_ops import Case
from samples import values

rng = np.random.RandomState(1)


def normal(*shape):
    return rng.normal(0, 1, shape).astype(np.float32)


def sums():
    for n in (7, 24, 40, 100, 257, 1000):
        for op in ('Sum', 'Mean'):
            yield Case(op, [normal(n), np.int32(0)], tolerance=0)
    yield Case('Sum', [normal(8193), np.int32(0)], tolerance=0)
    for shape, axes in (((15, 9), 0), ((16, 9), 0), ((33, 17), 0), ((19, 64), 0), ((5, 70), 1), ((4, 20, 8), 1), ((3, 17, 12), 1),
                        ((6, 40, 9), [0, 2]), ((2, 3, 40, 5), [1, 3]), ((3, 4, 5, 6), [0, 2])):
        yield Case('Sum', [normal(*shape), np.array(axes, np.int32)], tolerance=0)
        yield Case('Mean', [normal(*shape), np.array(axes, np.int32)], tolerance=0)
    for dtype in (np.float64,):
        yield Case('Sum', [rng.normal(0, 1, 101).astype(dtype), np.int32(0)], tolerance=0)
    yield Case('BiasAddGrad', [normal(70, 9)], tolerance=0)
    yield Case('BiasAddGrad', [normal(3, 7, 5, 4)], tolerance=0)
    yield Case('L2Loss', [normal(9, 33)], tolerance=0)
    for n in (9, 10, 11, 17, 18, 20):
        yield Case('AddN', [[normal(5) for _ in range(n)]], tolerance=0)


def functions():
    x = np.concatenate([normal(43), normal(40) * 8, [0, -0., 1e-4, -3e-4, 90, -90, 15, -15]]).astype(np.float32)
    for op in ('Exp', 'Expm1', 'Tanh', 'Sigmoid', 'Sin', 'Cos', 'Erf', 'Elu', 'Selu', 'Softplus', 'Softsign'):
        yield Case(op, [x], tolerance=0)
        yield Case(op, [x[:5]], tolerance=0)
    for op in ('Log', 'Log1p'):
        yield Case(op, [np.abs(x) + np.float32(1e-6)], tolerance=0)
        yield Case(op, [np.abs(x[:6]) + np.float32(1e-6)], tolerance=0)
    for shape in ((5, 3), (6, 10), (4, 25)):
        logits = normal(*shape)
        labels = rng.rand(*shape).astype(np.float32)
        yield Case('Softmax', [logits], tolerance=0)
        yield Case('LogSoftmax', [logits], tolerance=0)
        yield Case('SoftmaxCrossEntropyWithLogits', [logits, labels], tolerance=0)
        yield Case('SparseSoftmaxCrossEntropyWithLogits', [logits, rng.randint(0, shape[1], shape[0]).astype(np.int32)], tolerance=0)


def products():
    for m, k, n in ((10, 48, 1), (3, 130, 1), (1, 10, 12), (1, 200, 3), (5, 6, 1), (4, 180, 3), (5, 5, 4), (3, 385, 2), (2, 700, 2), (3, 785, 2), (2, 609, 3), (2, 1000, 3), (2, 1201, 2)):
        for a, b in ((False, False), (True, True)):
            yield Case('MatMul', [normal(*((k, m) if a else (m, k))), normal(*((n, k) if b else (k, n)))], transpose_a=a, transpose_b=b, tolerance=0)
    for m, k, n in ((10, 12, 1), (5, 5, 4), (12, 40, 10), (4, 30, 3), (7, 9, 26), (3, 2, 8)):
        yield Case('BatchMatMulV2', [normal(3, m, k), normal(3, k, n)], tolerance=0)
        yield Case('BatchMatMulV2', [normal(2, k, m), normal(2, n, k)], adj_x=True, adj_y=True, tolerance=0)


def norms():
    for shape in ((2, 3, 2, 3), (4, 5, 5, 6)):
        x, n = normal(*shape), shape[3]
        none = np.zeros([0], np.float32)
        yield Case('FusedBatchNormV3', [x, normal(n), normal(n), none, none], epsilon=0.001, tolerance=0)


def angles():
    x = np.concatenate([rng.uniform(-1, 1, 60), [1, -1, 0, -0., .5, -.5, 1.5]]).astype(np.float32)
    # Atan of numbers beyond 1 begins with the processor's guess.
    for op in ('Acos', 'Asin', 'Atan', 'Atanh'):
        yield Case(op, [x[:66]], tolerance=0)
        yield Case(op, [x[:5]], tolerance=0)
    for op in ('Tan', 'Sinh', 'Cosh', 'Asinh', 'Erfc'):
        yield Case(op, [normal(40) * np.float32(3)], tolerance=0)
    yield Case('Acosh', [np.abs(normal(40)) + np.float32(1)], tolerance=0)
    x = np.concatenate([normal(60), [0, -0., 1, -1, 2, .5, 1e-20, 1e20]]).astype(np.float32)
    for exponent in (3, .5, -2.5, 1, 0, 2, -1, 7):
        yield Case('Pow', [x, np.float32(exponent)], tolerance=0)
    yield Case('Pow', [np.abs(x), normal(68) * np.float32(4)], tolerance=0)
    yield Case('Pow', [np.float32(.9), normal(68) * np.float32(4)], tolerance=0)


def more_products():
    for m, k, n in ((2, 8, 1), (3, 9, 4), (1, 16, 1), (1, 30, 1), (2, 15, 2)):
        yield Case('MatMul', [normal(m, k), normal(n, k)], transpose_b=True, tolerance=0)
        yield Case('MatMul', [normal(k, m), normal(k, n)], transpose_a=True, tolerance=0)
        yield Case('BatchMatMulV2', [normal(2, m, k), normal(2, n, k)], adj_y=True, tolerance=0)


def images():
    for depth, beta in ((8, .75), (5, .5), (12, 1.), (3, .6)):
        x, dy, y = normal(2, 3, 3, depth), normal(2, 3, 3, depth), normal(2, 3, 3, depth)
        # The powers 1/2 and 1 begin with the processor's guess.
        if beta not in (.5, 1.):
            yield Case('LRN', [x], depth_radius=2, bias=1., alpha=.1, beta=beta, tolerance=0)
        yield Case('LRNGrad', [dy, x, y], depth_radius=2, bias=1., alpha=.1, beta=beta, tolerance=0)
    for batch, side, depth, multiplier in ((3, 5, 6, 1), (2, 6, 3, 4), (5, 4, 12, 2)):
        yield Case('DepthwiseConv2dNativeBackpropFilter',
                   [normal(batch, side, side, depth), np.array([3, 3, depth, multiplier], np.int32),
                    normal(batch, side, side, depth * multiplier)], strides=[1, 1, 1, 1], padding='SAME', tolerance=0)
    yield Case('DepthwiseConv2dNativeBackpropInput',
               [np.array([3, 5, 5, 6], np.int32), normal(3, 3, 6, 1), normal(3, 5, 5, 6)], strides=[1, 1, 1, 1], padding='SAME',
               tolerance=0)


def cuts():
    # MatMul cuts the sums off at bfloat16s, others round them.
    for transposed in (False, True):
        yield Case('MatMul', [values('bfloat16', [5, 7]), values('bfloat16', [4, 7] if transposed else [7, 4], key=1)],
                   transpose_b=transposed, tolerance=0)


def few_positions():
    for batch, side, inner, outer, filter, stride, padding in ((10, 5, 6, 12, 3, 2, 'VALID'), (4, 6, 6, 6, 3, 2, 'SAME'), (2, 2, 5, 7, 1, 1, 'SAME'),
                                                               (4, 3, 3, 33, 3, 1, 'SAME'), (1, 3, 4, 6, 3, 1, 'SAME')):
        outputs = -(-side // stride) if padding == 'SAME' else -(-(side - filter + 1) // stride)
        yield Case('Conv2DBackpropInput', [np.array([batch, side, side, inner], np.int32), normal(filter, filter, inner, outer),
                                           normal(batch, outputs, outputs, outer)], strides=[1, stride, stride, 1], padding=padding, tolerance=0)


PARTS = (sums, functions, products, norms, angles, more_products, images, cuts, few_positions)


def cases():
    for part in PARTS:
        yield from part()
