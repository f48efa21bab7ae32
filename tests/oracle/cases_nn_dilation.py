# cases_nn_dilation.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Grey-scale dilation and fractional pooling, with gradients."""

import numpy as np

from record_ops import Case, Out
from samples import values

REALS = ['bfloat16', 'half', 'float32', 'double', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16']


def size(n, k, rate, stride, padding):
    k = k + (k - 1) * (rate - 1)
    return -(-n // stride) if padding == 'SAME' else (n - k) // stride + 1


def dilations():
    for dtype in REALS:
        x, k = values(dtype, [2, 5, 6, 3], 0, 40), values(dtype, [2, 3, 3], 0, 9)
        attrs = dict(strides=[1, 1, 2, 1], rates=[1, 2, 1, 1], padding='SAME')
        grads = values(dtype, [2, 5, 3, 3], 0, 5)
        tolerance = {'half': 1e-2, 'bfloat16': 5e-2}.get(dtype)
        yield Case('Dilation2D', [x, k], attrs, tolerance=tolerance)
        yield Case('Dilation2DBackpropInput', [x, k, grads], attrs, tolerance=tolerance)
        yield Case('Dilation2DBackpropFilter', [x, k, grads], attrs, tolerance=tolerance)
    for padding in ('SAME', 'VALID'):
        for k, s, r in (([1, 1], [1, 1], [1, 1]), ([3, 2], [2, 1], [1, 1]), ([2, 2], [1, 2], [2, 3]), ([4, 5], [3, 3], [1, 1])):
            x, f = values('float32', [2, 6, 7, 2]), values('float32', k + [2])
            attrs = dict(strides=[1] + s + [1], rates=[1] + r + [1], padding=padding)
            out = [2, size(6, k[0], r[0], s[0], padding), size(7, k[1], r[1], s[1], padding), 2]
            yield Case('Dilation2D', [x, f], attrs)
            yield Case('Dilation2DBackpropInput', [x, f, values('float32', out)], attrs)
            yield Case('Dilation2DBackpropFilter', [x, f, values('float32', out)], attrs, tolerance=1e-5)
    one = np.ones
    good = dict(strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding='SAME')
    f = lambda *s: one(s, np.float32)
    yield Case('Dilation2D', [f(1, 3, 3, 1), f(2, 2, 1)], good)
    yield Case('Dilation2DBackpropInput', [f(1, 3, 3, 1), f(2, 2, 1), f(1, 3, 3, 1)], good)
    yield Case('Dilation2DBackpropFilter', [f(1, 3, 3, 1), f(2, 2, 1), f(1, 3, 3, 1)], good)
    yield Case('Dilation2D', [f(0, 3, 3, 1), f(2, 2, 1)], good)
    for bad in ([f(3, 3, 1), f(2, 2, 1)], [f(1, 3, 3, 1), f(2, 2, 1, 1)], [f(1, 3, 3, 1), f(2, 2, 2)]):
        yield Case('Dilation2D', bad, good)
    yield Case('Dilation2DBackpropInput', [f(1, 3, 3, 1), f(2, 2, 1), f(1, 2, 3, 1)], good)
    for name in ('strides', 'rates'):
        for bad in ([2, 1, 1, 1], [1, 1, 1, 1, 1]):
            yield Case('Dilation2D', [f(1, 3, 3, 1), f(2, 2, 1)], dict(good, **{name: bad}))


def fractions():
    for dtype in ('float32', 'double', 'int32', 'int64'):
        for pseudo in (True, False):
            for overlapping in (True, False):
                attrs = dict(pooling_ratio=[1.0, 1.44, 1.73, 1.0], pseudo_random=pseudo, overlapping=overlapping, seed=5, seed2=9)
                x = values(dtype, [2, 11, 13, 2], -50, 50)
                for op in ('FractionalMaxPool', 'FractionalAvgPool'):
                    yield Case(op, [x], attrs, runs=2, tolerance=1e-5 if dtype == 'float32' else None)
                    yield Case(op, [x], attrs, deterministic=True, runs=2, tolerance=1e-5 if dtype == 'float32' else None)
                rows, columns = np.array([0, 2, 3, 5]), np.array([0, 1, 3, 4, 6])
                image, grads = values(dtype, [2, 5, 6, 3], -9, 9), values(dtype, [2, 3, 4, 3], -9, 9)
                if overlapping:
                    pooled = np.stack([np.stack([image[:, a:b + 1, c:d + 1].max((1, 2)) for c, d in
                                                 zip(columns, columns[1:])], 1) for a, b in zip(rows, rows[1:])], 1)
                else:
                    pooled = np.stack([np.stack([image[:, a:b, c:d].max((1, 2)) for c, d in
                                                 zip(columns, columns[1:])], 1) for a, b in zip(rows, rows[1:])], 1)
                yield Case('FractionalMaxPoolGrad', [image, pooled, grads, rows, columns], overlapping=overlapping,
                           tolerance=1e-5 if dtype == 'float32' else None)
                yield Case('FractionalAvgPoolGrad', [np.array([2, 5, 6, 3]), grads, rows, columns], overlapping=overlapping,
                           tolerance=1e-5 if dtype == 'float32' else None)
    for shape, ratio in (([1, 30, 20, 1], [1.0, 3.3, 2.1, 1.0]), ([1, 12, 9, 1], [1.0, 2.0, 3.0, 1.0]),
                         ([1, 7, 7, 1], [1.0, 1.0, 1.3, 1.0])):
        for pseudo in (True, False):
            for seed in range(1, 4):
                yield Case('FractionalMaxPool', [values('float32', shape)], pooling_ratio=ratio, pseudo_random=pseudo, seed=seed,
                           deterministic=True, runs=2)
    x = values('float32', [1, 4, 4, 1])
    yield Case('FractionalMaxPool', [x], pooling_ratio=[1.0, 1.5, 1.5, 1.0], deterministic=True, checks='shape')
    yield Case('FractionalMaxPool', [x], pooling_ratio=[1.0, 1.5, 1.5, 1.0], checks='shape')
    yield Case('FractionalMaxPool', [x[0]], pooling_ratio=[1.0, 1.5, 1.5, 1.0])
    yield Case('FractionalAvgPool', [x[0]], pooling_ratio=[1.0, 1.5, 1.5, 1.0])
    yield Case('FractionalMaxPool', [x], pooling_ratio=[2.0, 1.5, 1.5, 2.0])
    yield Case('FractionalAvgPool', [x], pooling_ratio=[2.0, 1.5, 1.5, 2.0])
    yield Case('FractionalMaxPool', [x], pooling_ratio=[1.0, 1.5, 1.5, 1.0, 1.0])


def cases():
    for part in (dilations, fractions):
        for case in part():
            yield case
