# cases_image_resize.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Images of another size, by every method, with gradients."""

import numpy as np

from record_ops import Case
from samples import values

TYPES = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'int64', 'half', 'float32', 'double']
MODES = [{}, {'align_corners': True}, {'half_pixel_centers': True}]
SIZES = [([1, 4, 5, 3], [8, 7]), ([2, 5, 7, 1], [3, 4]), ([1, 3, 3, 2], [3, 3]), ([1, 2, 2, 1], [1, 1]),
         ([1, 1, 1, 2], [3, 2]), ([0, 3, 3, 1], [2, 2])]
SCALING = ['lanczos1', 'lanczos3', 'lanczos5', 'gaussian', 'box', 'triangle', 'keyscubic', 'mitchellcubic']


def size(*v):
    return np.array(v, np.int32)


def resizes():
    for op in ('ResizeBilinear', 'ResizeNearestNeighbor', 'ResizeBicubic', 'ResizeArea'):
        tolerance = {'ResizeNearestNeighbor': 2e-6, 'ResizeArea': 0}.get(op, 1e-5)
        types = TYPES + (['bfloat16'] if op == 'ResizeBilinear' else [])
        for dtype in types:
            yield Case(op, [values(dtype, [1, 4, 5, 3], -9, 99), size(7, 3)], tolerance=tolerance)
        for image, to in SIZES:
            for mode in MODES:
                if op == 'ResizeArea' and 'half_pixel_centers' in mode:
                    continue
                yield Case(op, [values('float32', image, -9, 99), size(*to)], mode, tolerance=tolerance)
        f = values('float32', [1, 3, 3, 1])
        for to in ([0, 3], [3, -1], [3], [3, 3, 3], 3, [[3, 3]]):
            yield Case(op, [f, np.array(to, np.int32)])
        for shape in ([3, 3, 1], [1, 0, 3, 1], [1, 3, 0, 1], [1, 3, 3, 0]):
            yield Case(op, [np.zeros(shape, np.float32), size(2, 2)])
        if op != 'ResizeArea':
            yield Case(op, [f, size(2, 2)], align_corners=True, half_pixel_centers=True)


def gradients():
    for op, types in (('ResizeBilinearGrad', ['float32', 'half', 'double']), ('ResizeBicubicGrad', ['float32', 'double'])):
        for image, to in SIZES[:5]:
            for mode in MODES:
                for dtype in types:
                    grads = values('float32', image[:1] + to + image[3:])
                    yield Case(op, [grads, values(dtype, image)], mode,
                               tolerance=2e-2 if dtype == 'half' else 1e-5)
        f = lambda *s: np.ones(s, np.float32)
        yield Case(op, [f(2, 2, 1), f(1, 3, 3, 1)])
        yield Case(op, [f(1, 2, 2, 1), f(3, 3, 1)])
        yield Case(op, [f(1, 2, 2, 1), f(1, 3, 3, 1)], align_corners=True, half_pixel_centers=True)
    for dtype in ('uint8', 'int8', 'int32', 'half', 'float32', 'double'):
        yield Case('ResizeNearestNeighborGrad', [values(dtype, [1, 7, 6, 2], 0, 9), size(4, 5)],
                   tolerance=5e-3 if dtype == 'half' else None)
    for image, to in SIZES:
        for mode in MODES:
            yield Case('ResizeNearestNeighborGrad', [values('float32', image), size(*to)], mode)
    f = np.ones([1, 3, 3, 1], np.float32)
    for to in ([0, 3], [3, -1], [3], [3, 3, 3], 3):
        yield Case('ResizeNearestNeighborGrad', [f, np.array(to, np.int32)])
    yield Case('ResizeNearestNeighborGrad', [f[0], size(2, 2)])


def scalings():
    f = lambda *v: np.array(v, np.float32)
    op = 'ScaleAndTranslate'
    for dtype in TYPES + ['bfloat16']:
        yield Case(op, [values(dtype, [1, 4, 5, 3], -9, 99), size(7, 3), f(1.5, 0.6), f(0.5, -1)], tolerance=1e-5)
    for kernel in SCALING:
        for antialias in (True, False):
            for to, scale, move in ((size(7, 3), f(1.75, 0.4), f(0, 0)), (size(3, 9), f(0.5, 2), f(1, -2.5)),
                                    (size(4, 4), f(0.2, 0.3), f(3, 1))):
                image = values('float32', [2, 4, 6, 2])
                yield Case(op, [image, to, scale, move], kernel_type=kernel, antialias=antialias, tolerance=1e-5)
                yield Case(op + 'Grad', [values('float32', [2] + list(to) + [2]), image, scale, move],
                           kernel_type=kernel, antialias=antialias, tolerance=1e-5)
    g = np.ones([1, 3, 3, 1], np.float32)
    yield Case(op, [g, size(2, 2), f(1, 1), f(0, 0)], kernel_type='LANCZOS3')
    yield Case(op, [g, size(2, 2), f(1, 1), f(0, 0)], kernel_type='sharp')
    for bad in ([g[0], size(2, 2), f(1, 1), f(0, 0)], [g, size(2, 0), f(1, 1), f(0, 0)], [g, size(2), f(1, 1), f(0, 0)],
                [g, size(2, 2), f(0, 1), f(0, 0)], [g, size(2, 2), f(1), f(0, 0)],
                [g, size(2, 2), f(1, 1), np.zeros([1, 2], np.float32)], [g[:, :0], size(2, 2), f(1, 1), f(0, 0)],
                [g[..., :0], size(2, 2), f(1, 1), f(0, 0)], [g, np.array(3, np.int32), f(1, 1), f(0, 0)]):
        yield Case(op, bad)
    for bad in ([g[0], g, f(1, 1), f(0, 0)], [g, g[0], f(1, 1), f(0, 0)], [g, g, f(0, 1), f(0, 0)]):
        yield Case(op + 'Grad', bad)


def cases():
    for part in (resizes, gradients, scalings):
        for case in part():
            yield case
