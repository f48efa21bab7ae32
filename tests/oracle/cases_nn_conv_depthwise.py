# cases_nn_conv_depthwise.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Depthwise convolution and its gradients."""

import numpy as np

from record_ops import Case, to_array

TOLERANCE = {'float32': 1e-5, 'float64': 1e-12, 'float16': 2e-2}
GEOMETRIES = [
    ([2, 6, 7, 3], [3, 3, 3, 1], 1, 'SAME'),
    ([2, 6, 7, 3], [3, 2, 3, 2], 1, 'VALID'),
    ([1, 7, 8, 4], [3, 3, 4, 1], 2, 'SAME'),
    ([1, 8, 8, 8], [5, 5, 8, 1], 2, 'VALID'),
    ([2, 4, 4, 1], [2, 2, 1, 5], 1, 'SAME'),
]


def values(dtype, shape, seed):
    return to_array(np.random.RandomState(seed).uniform(-1, 1, shape), dtype)


def cases():
    f = lambda *shape: np.ones(shape, np.float32)
    i = lambda *v: np.array(v, np.int32)
    for image, kernel, stride, padding in GEOMETRIES:
        sizes = [-(-s // stride) if padding == 'SAME' else (s - k) // stride + 1
                 for s, k in zip(image[1:3], kernel[:2])]
        out = [image[0]] + sizes + [kernel[2] * kernel[3]]
        attrs = {'strides': [1, stride, stride, 1], 'padding': padding}
        for dtype in ['float32', 'float64', 'float16']:
            tolerance = TOLERANCE[dtype]
            yield Case('DepthwiseConv2dNative', [values(dtype, image, 1), values(dtype, kernel, 2)], attrs,
                       tolerance=tolerance)
            yield Case('DepthwiseConv2dNativeBackpropInput', [i(*image), values(dtype, kernel, 2),
                                                              values(dtype, out, 3)], attrs, tolerance=tolerance)
            yield Case('DepthwiseConv2dNativeBackpropFilter', [values(dtype, image, 1), i(*kernel),
                                                               values(dtype, out, 3)], attrs, tolerance=tolerance * 2)
    same = {'strides': [1, 1, 1, 1], 'padding': 'SAME'}
    op = 'DepthwiseConv2dNative'
    yield Case(op, [f(0, 4, 4, 3), f(2, 2, 3, 1)], same)
    yield Case(op, [f(1, 4, 4, 3), f(2, 2, 4, 1)], same)
    yield Case(op, [f(4, 4, 3), f(2, 2, 3, 1)], same)
    yield Case(op, [f(1, 4, 4, 3), f(2, 2, 3)], same)
    yield Case(op, [f(1, 4, 4, 3), f(2, 2, 3, 1)], strides=[1, 2, 1, 1], padding='SAME')
    yield Case(op, [f(1, 4, 4, 3), f(2, 2, 3, 1)], strides=[2, 1, 1, 1], padding='SAME')
    yield Case(op, [f(1, 4, 4, 3), f(2, 2, 3, 1)], strides=[1, 1, 1], padding='SAME')
    yield Case(op, [f(1, 4, 4, 3), f(2, 2, 3, 1)], same, dilations=[1, 2, 2, 1])
    op = 'DepthwiseConv2dNativeBackpropInput'
    yield Case(op, [i(1, 4, 4, 3), f(2, 2, 4, 1), f(1, 4, 4, 3)], same)
    yield Case(op, [i(1, 4, 4), f(2, 2, 3, 1), f(1, 4, 4, 3)], same)
    yield Case(op, [i(1, 4, 4, 3), f(2, 2, 3, 1), f(1, 4, 3, 3)], same)
    yield Case(op, [i(1, 4, 4, 3), f(2, 2, 3, 1), f(2, 4, 4, 3)], same)
    yield Case(op, [i(1, 4, 4, 3), f(2, 2, 3, 1), f(1, 4, 4, 6)], same)
    op = 'DepthwiseConv2dNativeBackpropFilter'
    yield Case(op, [f(1, 4, 4, 3), i(2, 2, 4, 1), f(1, 4, 4, 3)], same)
    yield Case(op, [f(1, 4, 4, 3), i(2, 2, 3), f(1, 4, 4, 3)], same)
    yield Case(op, [f(1, 4, 4, 3), np.ones([2, 2], np.int32), f(1, 4, 4, 3)], same)
