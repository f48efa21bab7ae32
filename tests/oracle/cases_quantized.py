# cases_quantized.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of quantised values."""

import numpy as np

from record_ops import Case, to_array
from cases_quantize import cells

f = np.float32
RANGES = [(f(-2), f(3)), (f(0), f(6)), (f(-10), f(0))]


def products():
    for a in RANGES:
        for b in RANGES:
            for ta in (True, False):
                for tb in (True, False):
                    yield Case('QuantizedMatMul', [cells('quint8', [5, 4] if ta else [4, 5]),
                                                   cells('quint8', [3, 5] if tb else [5, 3])] + list(a + b),
                               transpose_a=ta, transpose_b=tb)
            for padding in ('SAME', 'VALID'):
                for stride in (1, 2):
                    yield Case('QuantizedConv2D', [cells('quint8', [2, 6, 7, 3]), cells('quint8', [3, 2, 3, 4])] + list(a + b),
                               strides=[1, stride, stride, 1], padding=padding)
            for dtype in ('quint8', 'qint8'):
                yield Case('QuantizedBiasAdd', [cells(dtype, [2, 3, 5]), cells(dtype, [5])] + list(a + b), out_type='qint32')
            for op in ('QuantizedAdd', 'QuantizedMul'):
                for x, y in (([3, 4], [3, 4]), ([2, 3, 4], [4]), ([4], [3, 4]), ([3, 4], [1])):
                    yield Case(op, [cells('quint8', x + [2])[..., 0], cells('quint8', y + [2])[..., 0]] + list(a + b))
    q, r = cells('quint8', [4, 5]), [f(0), f(1)] * 2
    for bad in ([q, q], [q[0], q], [q, q[0]]):
        yield Case('QuantizedMatMul', bad + r)
    for bad in ([q, q[0, :3]], [q, q], [q[0], q[0]]):
        yield Case('QuantizedBiasAdd', bad + r, out_type='qint32')
    image, kernel = cells('quint8', [1, 4, 4, 2]), cells('quint8', [2, 2, 2, 1])
    for bad in ([image[0], kernel], [image, kernel[0]], [image, kernel[:, :, :1]]):
        yield Case('QuantizedConv2D', bad + r, strides=[1, 1, 1, 1], padding='SAME')
    for strides in ([1, 1, 2, 1], [2, 1, 1, 1]):
        yield Case('QuantizedConv2D', [image, kernel] + r, strides=strides, padding='SAME')
    yield Case('QuantizedConv2D', [image, kernel] + r, strides=[1, 1, 1, 1], padding='SAME', dilations=[1, 2, 2, 1])
    for op in ('QuantizedAdd', 'QuantizedMul'):
        yield Case(op, [q, q, f(1), f(0), f(0), f(1)])
        yield Case(op, [q, q, f(0), f(1), f(1), f(1)])


def images():
    for low, high in RANGES:
        for dtype in ('quint8', 'qint32'):
            for op in ('QuantizedRelu', 'QuantizedRelu6'):
                yield Case(op, [cells(dtype, [4, 5]), low, high], out_type=dtype)
        yield Case('QuantizedReluX', [cells('quint8', [4, 5]), np.float32(3), low, high])
        for padding in ('SAME', 'VALID'):
            for op in ('QuantizedMaxPool', 'QuantizedAvgPool'):
                yield Case(op, [cells('quint8', [2, 5, 6, 3]), low, high], ksize=[1, 3, 2, 1], strides=[1, 2, 2, 1],
                           padding=padding)
        for attrs in ({}, {'output_range_given': True, 'given_y_min': -2.0, 'given_y_max': 1.5}, {'variance_epsilon': 0.5}):
            yield Case('QuantizedInstanceNorm', [cells('quint8', [2, 4, 5, 3]), low, high], attrs)
        for scale in (True, False):
            channel = lambda a, b: [cells('quint8', [3]), f(a), f(b)]
            yield Case('QuantizedBatchNormWithGlobalNormalization',
                       [cells('quint8', [2, 3, 4, 3]), low, high] + channel(-1, 2) + channel(0.5, 4) + channel(-3, 3) +
                       channel(0, 2), variance_epsilon=0.01, scale_after_normalization=scale, out_type='qint32')
        for dtype in ('quint8', 'qint32'):
            for attrs in ({}, {'align_corners': True}, {'half_pixel_centers': True}):
                for size in ([7, 9], [2, 3]):
                    yield Case('QuantizedResizeBilinear', [cells(dtype, [1, 4, 5, 2], 0 if dtype == 'quint8' else -(1 << 20), 255 if dtype == 'quint8' else 1 << 20), np.array(size, np.int32), low, high],
                               attrs)
    yield Case('QuantizedResizeBilinear', [np.arange(12).reshape([1, 3, 4, 1]).astype(f), np.array([5, 5], np.int32), f(0),
                                           f(1)])
    image = cells('quint8', [1, 4, 4, 1])
    yield Case('QuantizedInstanceNorm', [image, f(1), f(0)])
    yield Case('QuantizedInstanceNorm', [image, np.array([0], f), f(1)])
    yield Case('QuantizedMaxPool', [image[0], f(0), f(1)], ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='SAME')
    for ksize, strides in (([2, 1, 1, 1], [1] * 4), ([1, 2, 2], [1] * 4), ([1, 1, 1, 2], [1, 1, 1, 2])):
        yield Case('QuantizedMaxPool', [image, f(0), f(1)], ksize=ksize, strides=strides, padding='SAME')


def arrays():
    for dtype in ('quint8', 'qint32'):
        for axis in (0, 1):
            a, b = cells(dtype, [2, 3]), cells(dtype, [4, 3] if axis == 0 else [2, 5])
            for mins, maxes in (([f(0), f(0)], [f(1), f(1)]), ([f(-1), f(0)], [f(1), f(6)])):
                yield Case('QuantizedConcat', [np.int32(axis), [a, b], mins, maxes])
        yield Case('QuantizedReshape', [cells(dtype, [2, 6]), np.array([3, -1], np.int32), f(-1), f(2)])
        yield Case('QuantizedReshape', [cells(dtype, [2, 6]), np.array([12], np.int64), f(-1), f(2)])
    one = [f(0), f(0)], [f(1), f(1)]
    a = cells('quint8', [2, 3])
    for axis, values in ((2, [a, a]), (-1, [a, a]), (0, [a, a[0]]), (0, [a, a[:, :2]])):
        yield Case('QuantizedConcat', [np.int32(axis), values, one[0], one[1]])
    for shape in ([4, 2], [-1, -1], [4, -1], [-2, 3]):
        yield Case('QuantizedReshape', [a, np.array(shape, np.int32), f(0), f(1)])


def cases():
    for part in (products, images, arrays):
        for case in part():
            yield case
