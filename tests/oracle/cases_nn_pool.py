# cases_nn_pool.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Pooling and its gradients. TensorFlow's CPU runs no NCHW."""

import numpy as np

from record_ops import Case, to_array

REALS = ['float32', 'float64', 'float16', 'bfloat16', 'int32', 'uint8', 'int16', 'int8', 'int64', 'uint16']
TOLERANCE = {'float16': 5e-3, 'bfloat16': 5e-2}
# image, ksize, strides, padding
GEOMETRIES = [
    ([2, 6, 6, 3], [2, 2], [2, 2], 'VALID'),
    ([2, 7, 5, 3], [3, 2], [2, 2], 'SAME'),
    ([1, 7, 7, 2], [3, 3], [1, 1], 'SAME'),
    ([1, 5, 6, 2], [2, 3], [1, 2], 'VALID'),
    ([1, 4, 4, 1], [4, 4], [4, 4], 'SAME'),
    ([1, 5, 5, 2], [1, 1], [2, 2], 'VALID'),
]
GEOMETRIES_3D = [
    ([2, 4, 6, 6, 2], [2, 2, 2], [2, 2, 2], 'VALID'),
    ([1, 3, 5, 6, 2], [2, 3, 3], [1, 2, 2], 'SAME'),
]


def values(dtype, shape, seed):
    rng = np.random.RandomState(seed)
    if 'int' in dtype:
        return to_array(rng.randint(0, 60, shape), dtype)
    # No two equal cells, so that no gradient depends on how TensorFlow breaks a tie.
    return to_array(rng.permutation(int(np.prod(shape))).reshape(shape) / 8.0 - 9, dtype)


def out_shape(image, ksize, strides, padding):
    sizes = [-(-s // t) if padding == 'SAME' else (s - k) // t + 1 for s, k, t in zip(image[1:-1], ksize, strides)]
    return [image[0]] + sizes + [image[-1]]


def max_pool(x, ksize, strides, padding):
    """The pooling itself, by numpy: gradients take it as an input."""
    out = np.empty(out_shape(x.shape, ksize, strides, padding), x.dtype)
    for index in np.ndindex(*out.shape[:-1]):
        window = [index[0]]
        for k, t, size, o, at in zip(ksize, strides, x.shape[1:-1], out.shape[1:-1], index[1:]):
            pad = max(0, (o - 1) * t + k - size) // 2 if padding == 'SAME' else 0
            window.append(slice(max(0, at * t - pad), at * t - pad + k))
        cells = x[tuple(window)].reshape(-1, x.shape[-1]).astype(np.float64)
        out[index] = cells.max(0).astype(x.dtype)
    return out


def cases():
    f = lambda *shape: np.ones(shape, np.float32)
    i = lambda *v: np.array(v, np.int32)
    for n, (image, ksize, strides, padding) in enumerate(GEOMETRIES):
        attrs = {'ksize': [1] + ksize + [1], 'strides': [1] + strides + [1], 'padding': padding}
        out = out_shape(image, ksize, strides, padding)
        for dtype in REALS if n < 2 else ['float32']:
            tolerance = TOLERANCE.get(dtype)
            x = values(dtype, image, n)
            pooled = max_pool(x, ksize, strides, padding)
            yield Case('MaxPool', [x], attrs, tolerance=tolerance)
            yield Case('MaxPoolV2', [x, i(1, *ksize, 1), i(1, *strides, 1)], padding=padding, tolerance=tolerance)
            yield Case('MaxPoolGrad', [x, pooled, values(dtype, out, 7)], attrs, tolerance=tolerance)
            yield Case('MaxPoolGradV2', [x, pooled, values(dtype, out, 7), i(1, *ksize, 1), i(1, *strides, 1)],
                       padding=padding, tolerance=tolerance)
            yield Case('MaxPoolGradGrad', [x, pooled, values(dtype, image, 8)], attrs, tolerance=tolerance)
            yield Case('MaxPoolGradGradV2', [x, pooled, values(dtype, image, 8), i(1, *ksize, 1), i(1, *strides, 1)],
                       padding=padding, tolerance=tolerance)
            yield Case('MaxPoolWithArgmax', [x], attrs, tolerance=tolerance)
            yield Case('MaxPoolWithArgmax', [x], attrs, include_batch_in_index=True, tolerance=tolerance)
            if dtype in ('float32', 'float64', 'float16'):
                yield Case('AvgPool', [x], attrs, tolerance=tolerance)
                yield Case('AvgPoolGrad', [np.array(image, np.int32), values(dtype, out, 9)], attrs,
                           tolerance=tolerance)
    argmax = np.array([0, 5, 10, 3], np.int64).reshape(1, 2, 2, 1)
    attrs = {'ksize': [1, 2, 2, 1], 'strides': [1, 2, 2, 1], 'padding': 'VALID'}
    yield Case('MaxPoolGradWithArgmax', [f(1, 4, 4, 1), values('float32', [1, 2, 2, 1], 1), argmax], attrs)
    two = np.array([0, 5, 10, 3, 16, 21, 31, 17], np.int64).reshape(2, 2, 2, 1)
    yield Case('MaxPoolGradWithArgmax', [f(2, 4, 4, 1), values('float32', [2, 2, 2, 1], 1), two], attrs,
               include_batch_in_index=True)
    # Equal cells: the first one gets the gradient.
    yield Case('MaxPoolGrad', [f(1, 4, 4, 1), f(1, 2, 2, 1), f(1, 2, 2, 1) * 3], attrs)
    yield Case('MaxPool', [np.array([[np.nan, 1, 2, np.nan], [0, 3, np.nan, np.inf]], np.float32).reshape(1, 2, 4, 1)],
               attrs)
    yield Case('MaxPool', [values('float32', [2, 3, 3, 6], 3)], ksize=[1, 1, 1, 2], strides=[1, 1, 1, 2],
               padding='VALID')
    yield Case('MaxPool', [f(0, 4, 4, 1)], attrs)
    yield Case('AvgPool', [f(0, 4, 4, 1)], attrs)
    for op in ['MaxPool', 'AvgPool']:
        for ksize in ([1, 0, 2, 1], [1, -2, 2, 1], [2, 1, 1, 1], [1, 2, 2, 2]):
            if op == 'AvgPool' and ksize[1] <= 0:
                continue        # TensorFlow 1.15 divides by it
            yield Case(op, [f(1, 4, 4, 2)], ksize=ksize, strides=[1, 2, 2, 1], padding='SAME')
        yield Case(op, [f(1, 4, 4, 2)], ksize=[1, 2, 2, 1], strides=[1, 0, 0, 1], padding='SAME')
        yield Case(op, [f(1, 4, 4, 2)], ksize=[1, 2, 2, 1], strides=[2, 1, 1, 1], padding='SAME')
        yield Case(op, [f(4, 4, 2)], ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='SAME')
        yield Case(op, [f(1, 4, 4, 4)], ksize=[1, 1, 1, 3], strides=[1, 1, 1, 3], padding='SAME')
        yield Case(op, [f(1, 4, 4, 4)], ksize=[1, 1, 1, 2], strides=[1, 1, 1, 1], padding='SAME')
    yield Case('MaxPoolGrad', [f(1, 4, 4), f(1, 2, 2, 1), f(1, 2, 2, 1)], attrs)
    yield Case('AvgPoolGrad', [i(1, 4, 4), f(1, 2, 2, 1)], attrs)
    yield Case('AvgPoolGrad', [i(1, 4, 4, 1), f(2, 2, 1)], attrs)
    for image, ksize, strides, padding in GEOMETRIES_3D:
        attrs = {'ksize': [1] + ksize + [1], 'strides': [1] + strides + [1], 'padding': padding}
        out = out_shape(image, ksize, strides, padding)
        x = values('float32', image, 4)
        pooled = max_pool(x, ksize, strides, padding)
        yield Case('MaxPool3D', [x], attrs)
        yield Case('AvgPool3D', [x], attrs)
        yield Case('AvgPool3DGrad', [np.array(image, np.int32), values('float32', out, 5)], attrs)
        yield Case('MaxPool3DGrad', [x, pooled, values('float32', out, 5)], attrs)
        yield Case('MaxPool3DGradGrad', [x, pooled, values('float32', image, 6)], attrs)
    flat = {'ksize': [1, 2, 2, 2, 1], 'strides': [1, 2, 2, 2, 1], 'padding': 'VALID'}
    yield Case('MaxPool3DGrad', [f(1, 2, 4, 4, 1), f(1, 1, 2, 2, 1), f(1, 1, 2, 2, 1) * 3], flat)
