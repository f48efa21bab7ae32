# cases_image_color.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Colors of images, and windows cut out of them."""

import numpy as np

from record_ops import Case, to_array
from samples import values

REALS = ['bfloat16', 'half', 'float32', 'double', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16']


def colors():
    f = np.float32
    image = values('float32', [2, 3, 4, 3], 0, 1)
    grey = np.ones([2, 2, 3], f) * 0.5
    wild = values('float32', [5, 3], -2, 2)
    for dtype in ('float32', 'double'):
        for x in (image, grey, wild, np.zeros([2, 3], f), np.eye(3, dtype=f), 1 - np.eye(3, dtype=f)):
            yield Case('RGBToHSV', [x.astype(dtype)], tolerance=0)
            yield Case('HSVToRGB', [x.astype(dtype)])
    for op in ('RGBToHSV', 'HSVToRGB'):
        for bad in (f(1), image[..., :2], np.zeros([0, 3], f)):
            yield Case(op, [bad])
    for op in ('AdjustHue', 'AdjustSaturation'):
        for amount in (-0.75, -0.2, 0, 0.1, 0.5, 1, 2.5):
            for x in (image, grey, image * 3 if op == 'AdjustHue' else image):
                yield Case(op, [x, f(amount)], tolerance=0)
        for bad in ([image[0, 0], f(1)], [image[..., :2], f(1)], [image, np.ones([1], f)]):
            yield Case(op, bad)
        yield Case(op, [image[:0], f(1)])
    for amount in (-1, 0, 0.5, 2):
        for x in (image, grey, values('float32', [2, 2, 3, 4, 1], 0, 255)):
            yield Case('AdjustContrastv2', [x, f(amount)], tolerance=0)
    for bad in ([image[0, 0], f(1)], [image, np.ones([1], f)], [image[:0], f(1)]):
        yield Case('AdjustContrastv2', bad)
    for dtype in ('uint8', 'int8', 'int16', 'int32', 'float32', 'double'):
        yield Case('AdjustContrast', [values(dtype, [2, 3, 4, 2], 0, 90), f(1.7), f(10), f(80)], producer=1, tolerance=1e-5)


def patches():
    for dtype in REALS:
        x = values(dtype, [2, 5, 6, 3], 0, 90)
        yield Case('ExtractImagePatches', [x], ksizes=[1, 2, 3, 1], strides=[1, 1, 2, 1], rates=[1, 2, 1, 1], padding='SAME')
        y = values(dtype, [1, 3, 4, 5, 2], 0, 90)
        yield Case('ExtractVolumePatches', [y], ksizes=[1, 2, 3, 2, 1], strides=[1, 1, 2, 2, 1], padding='SAME')
    for padding in ('SAME', 'VALID'):
        for ksizes, strides, rates in (([2, 2], [1, 1], [1, 1]), ([3, 2], [2, 3], [1, 2]), ([1, 1], [3, 3], [1, 1]),
                                       ([2, 2], [2, 2], [3, 3]), ([9, 1], [1, 1], [1, 1])):
            yield Case('ExtractImagePatches', [values('float32', [2, 5, 6, 2])], ksizes=[1] + ksizes + [1],
                       strides=[1] + strides + [1], rates=[1] + rates + [1], padding=padding)
        for ksizes, strides in (([2, 2, 2], [1, 1, 1]), ([3, 1, 2], [2, 3, 1]), ([1, 1, 1], [2, 2, 2])):
            yield Case('ExtractVolumePatches', [values('float32', [2, 4, 5, 6, 2])], ksizes=[1] + ksizes + [1],
                       strides=[1] + strides + [1], padding=padding)
    good = dict(ksizes=[1, 2, 2, 1], strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding='SAME')
    x = values('float32', [1, 4, 4, 1])
    yield Case('ExtractImagePatches', [x[0]], good)
    yield Case('ExtractImagePatches', [x[:0]], good)
    for name in ('ksizes', 'strides', 'rates'):
        for bad in ([2, 1, 1, 1], [1, 1, 1, 2], [1, 1, 1, 1, 1]):
            yield Case('ExtractImagePatches', [x], dict(good, **{name: bad}))
    good = dict(ksizes=[1, 2, 2, 2, 1], strides=[1, 1, 1, 1, 1], padding='SAME')
    yield Case('ExtractVolumePatches', [x], good)
    for name in ('ksizes', 'strides'):
        for bad in ([2, 1, 1, 1, 1], [1, 1, 1, 1, 2], [1, 1, 1, 1, 1, 1]):
            yield Case('ExtractVolumePatches', [x[..., None]], dict(good, **{name: bad}))


def glimpses():
    x = values('float32', [3, 6, 7, 2])
    inside = np.array([[0, 0], [0.1, -0.2], [-0.1, 0.1]], np.float32)
    outside = np.array([[1, 1], [-1, 0.5], [3, -3]], np.float32)
    size = np.array([3, 4], np.int32)
    for centered in (True, False):
        for normalized in (True, False):
            attrs = dict(centered=centered, normalized=normalized)
            for offsets in (inside, outside, np.array([[2, 3], [3, 2], [4, 5]], np.float32)):
                yield Case('ExtractGlimpse', [x, size, offsets], attrs, uniform_noise=False, noise='zero')
            yield Case('ExtractGlimpse', [x, size, outside], attrs, checks='shape')
            yield Case('ExtractGlimpse', [x, size, outside], attrs, uniform_noise=False, noise='gaussian', checks='shape')
    yield Case('ExtractGlimpse', [x, np.array([9, 8], np.int32), inside], uniform_noise=False, noise='zero')
    yield Case('ExtractGlimpse', [x, size, inside], noise='zero')
    yield Case('ExtractGlimpse', [x, size, inside], uniform_noise=False, noise='loud')
    for bad in ([x[0], size, inside], [x, size[:1], inside], [x, size, inside[0]], [x, size, inside[:2]],
                [x, size, inside[:, :1]]):
        yield Case('ExtractGlimpse', bad)


def cases():
    for part in (colors, patches, glimpses):
        for case in part():
            yield case
