# cases_nn_conv.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Conv2D, Conv3D and their gradients. TensorFlow's CPU runs no NCHW: that form is compared with
NHWC by test-kernels-conv."""

import numpy as np

from record_ops import Case, to_array

TOLERANCE = {'float32': 1e-5, 'float64': 1e-12, 'float16': 2e-2}
# input, filter, strides, padding, explicit, dilations
GEOMETRIES = [
    ([2, 7, 6, 3], [3, 3, 3, 4], [1, 1], 'SAME', None, [1, 1]),
    ([2, 7, 6, 3], [3, 3, 3, 4], [1, 1], 'VALID', None, [1, 1]),
    ([2, 8, 9, 3], [3, 2, 3, 5], [2, 2], 'SAME', None, [1, 1]),
    ([1, 8, 9, 3], [3, 2, 3, 5], [2, 3], 'VALID', None, [1, 1]),
    ([2, 5, 5, 6], [1, 1, 6, 8], [1, 1], 'SAME', None, [1, 1]),
    ([2, 5, 5, 6], [1, 1, 6, 8], [2, 2], 'SAME', None, [1, 1]),
    ([1, 9, 9, 2], [3, 3, 2, 2], [1, 1], 'SAME', None, [2, 2]),
    ([1, 9, 9, 2], [3, 3, 2, 2], [1, 1], 'VALID', None, [3, 2]),
    ([2, 6, 7, 2], [3, 3, 2, 3], [1, 2], 'EXPLICIT', [0, 0, 2, 1, 0, 3, 0, 0], [1, 1]),
    ([1, 12, 12, 1], [5, 5, 1, 16], [1, 1], 'SAME', None, [1, 1]),
    ([3, 4, 4, 16], [3, 3, 16, 16], [1, 1], 'SAME', None, [1, 1]),
    ([1, 2, 2, 1], [5, 5, 1, 1], [1, 1], 'SAME', None, [1, 1]),
    ([1, 1, 20, 4], [1, 3, 4, 6], [1, 1], 'SAME', None, [1, 1]),
]
GEOMETRIES_3D = [
    ([2, 4, 5, 6, 2], [2, 3, 3, 2, 3], [1, 1, 1], 'SAME'),
    ([1, 4, 5, 6, 2], [2, 3, 3, 2, 3], [1, 2, 2], 'VALID'),
    ([1, 4, 5, 6, 2], [3, 3, 3, 2, 3], [2, 2, 2], 'SAME'),
    ([1, 3, 3, 3, 4], [1, 1, 1, 4, 3], [1, 1, 1], 'SAME'),
]


def values(dtype, shape, seed):
    return to_array(np.random.RandomState(seed).uniform(-1, 1, shape), dtype)


def output_shape(image, kernel, strides, padding, explicit, dilations):
    out = [image[0]]
    for i, stride in enumerate(strides):
        span = (kernel[i] - 1) * dilations[i] + 1
        size = image[1 + i]
        if padding == 'EXPLICIT':
            size += explicit[2 + 2 * i] + explicit[3 + 2 * i]
        out.append(-(-size // stride) if padding == 'SAME' else (size - span) // stride + 1)
    return out + [kernel[-1]]


def conv2d(dtype, geometry):
    image, kernel, strides, padding, explicit, dilations = geometry
    attrs = {'strides': [1] + strides + [1], 'padding': padding, 'dilations': [1] + dilations + [1]}
    if explicit is not None:
        attrs['explicit_paddings'] = explicit
    out = output_shape(*geometry)
    tolerance = TOLERANCE[dtype]
    yield Case('Conv2D', [values(dtype, image, 1), values(dtype, kernel, 2)], attrs, tolerance=tolerance)
    yield Case('Conv2DBackpropInput', [np.array(image, np.int32), values(dtype, kernel, 2), values(dtype, out, 3)],
               attrs, tolerance=tolerance)
    yield Case('Conv2DBackpropFilter', [values(dtype, image, 1), np.array(kernel, np.int32), values(dtype, out, 3)],
               attrs, tolerance=tolerance * 2)


def conv3d(dtype, geometry):
    image, kernel, strides, padding = geometry
    attrs = {'strides': [1] + strides + [1], 'padding': padding}
    out = output_shape(image, kernel, strides, padding, None, [1, 1, 1])
    tolerance = TOLERANCE[dtype]
    yield Case('Conv3D', [values(dtype, image, 1), values(dtype, kernel, 2)], attrs, tolerance=tolerance)
    sizes = np.array(image, np.int64 if dtype == 'float64' else np.int32)
    yield Case('Conv3DBackpropInputV2', [sizes, values(dtype, kernel, 2), values(dtype, out, 3)], attrs,
               tolerance=tolerance)
    yield Case('Conv3DBackpropFilterV2', [values(dtype, image, 1), np.array(kernel, np.int32), values(dtype, out, 3)],
               attrs, tolerance=tolerance * 2)
    # The ops before V2 are refused by today's producers: they are compared with V2 by the engine's test.


def cases():
    f = lambda *shape: np.ones(shape, np.float32)
    i = lambda *v: np.array(v, np.int32)
    for n, geometry in enumerate(GEOMETRIES):
        dtypes = ['float32', 'float64', 'float16'] if n in (0, 2, 4, 8) else ['float32']
        if n == 6 or n == 7:
            # TensorFlow's CPU has no gradient of a dilated convolution.
            yield next(conv2d('float32', geometry))
            yield next(conv2d('float64', geometry))
            continue
        for dtype in dtypes:
            for case in conv2d(dtype, geometry):
                yield case
    for geometry in GEOMETRIES_3D:
        for dtype in ['float32', 'float64', 'float16']:
            if dtype == 'float16' and geometry is not GEOMETRIES_3D[0]:
                continue
            for case in conv3d(dtype, geometry):
                yield case
    same = {'strides': [1, 1, 1, 1], 'padding': 'SAME'}
    valid = {'strides': [1, 1, 1, 1], 'padding': 'VALID'}
    yield Case('Conv2D', [f(0, 8, 8, 3), f(3, 3, 3, 4)], same)
    yield Case('Conv2D', [f(1, 4, 4, 5), f(3, 3, 2, 8)], same)
    yield Case('Conv2D', [f(1, 4, 4, 4), f(3, 3, 2, 8)], same)
    yield Case('Conv2D', [f(1, 4, 4, 5), f(3, 3, 5)], same)
    yield Case('Conv2D', [f(4, 4, 5), f(3, 3, 5, 1)], same)
    yield Case('Conv2D', [f(1, 2, 2, 1), f(5, 5, 1, 1)], valid)
    for strides in ([1, 0, 1, 1], [1, -1, 1, 1], [1, 1, 1]):
        yield Case('Conv2D', [f(1, 4, 4, 1), f(3, 3, 1, 1)], strides=strides, padding='SAME')
    for paddings in ([0] * 6, [0, 0, -1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0]):
        yield Case('Conv2D', [f(1, 4, 4, 1), f(3, 3, 1, 1)], strides=[1, 1, 1, 1], padding='EXPLICIT',
                   explicit_paddings=paddings)
    yield Case('Conv2D', [f(1, 4, 4, 1), f(3, 3, 1, 1)], strides=[1, 1, 1, 1], padding='SAME',
               explicit_paddings=[0] * 8)
    yield Case('Conv2DBackpropFilter', [f(1, 4, 4, 2), np.ones([2, 2], np.int32), f(1, 4, 4, 1)], same)
    yield Case('Conv2DBackpropFilter', [f(1, 4, 4, 2), i(3, 3, 2, 1), f(1, 3, 4, 1)], same)
    yield Case('Conv2DBackpropFilter', [f(1, 4, 4, 2), i(3, 3, 2, 1), f(2, 4, 4, 1)], same)
    yield Case('Conv2DBackpropFilter', [f(1, 4, 4, 2), i(3, 3, 2, 1), f(1, 4, 4, 2)], same)
    yield Case('Conv2DBackpropFilter', [f(4, 4, 2), i(3, 3, 2, 1), f(1, 4, 4, 2)], same)
    yield Case('Conv2DBackpropFilter', [f(1, 4, 4, 2), i(3, 3, 2), f(1, 4, 4, 2)], same)
    yield Case('Conv2DBackpropInput', [i(1, -1, 4, 1), f(3, 3, 1, 1), f(1, 4, 4, 1)], same)
    yield Case('Conv2DBackpropInput', [i(1, 4, 4, 1), f(3, 3, 1, 1), f(1, 3, 4, 1)], same)
    yield Case('Conv2DBackpropInput', [i(1, 4, 4, 1), f(3, 3, 1, 1), f(2, 4, 4, 1)], same)
    yield Case('Conv2DBackpropInput', [i(1, 4, 4, 1), f(3, 3, 1, 1), f(1, 4, 4, 2)], same)
