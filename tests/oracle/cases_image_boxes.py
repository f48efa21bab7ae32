# cases_image_boxes.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Boxes in images: cut out, suppressed, drawn, drawn at random."""

import numpy as np

from record_ops import Case, to_array
from samples import rng, values

TYPES = ['uint8', 'uint16', 'int8', 'int16', 'int32', 'int64', 'half', 'float32', 'double']


def f(*v):
    return np.array(v, np.float32)


def i(*v):
    return np.array(v, np.int32)


def boxes(n, key=0, low=-0.2, high=1.2):
    return rng('boxes', n, key).uniform(low, high, [n, 4]).astype(np.float32)


def crops():
    op = 'CropAndResize'
    index = i(0, 1, 1, 0)
    for dtype in TYPES:
        image = values(dtype, [2, 5, 6, 3], 0, 90)
        for method in ('bilinear', 'nearest'):
            yield Case(op, [image, boxes(4), index, i(4, 3)], method=method, extrapolation_value=-7.5, tolerance=1e-5)
        yield Case(op + 'GradBoxes', [values('float32', [4, 4, 3, 3]), image, boxes(4), index], tolerance=1e-3)
    for size in ([1, 1], [1, 4], [5, 1], [5, 6]):
        for method in ('bilinear', 'nearest'):
            yield Case(op, [values('float32', [2, 5, 6, 2]), boxes(4, 1), index, i(*size)], method=method, tolerance=1e-5)
            for dtype in ('float32', 'half', 'double'):
                yield Case(op + 'GradImage', [values('float32', [4] + size + [2]), boxes(4, 1), index, i(2, 5, 6, 2)],
                           method=method, T=dtype, tolerance=1e-2 if dtype == 'half' else 1e-5)
        yield Case(op + 'GradBoxes', [values('float32', [4] + size + [2]), values('float32', [2, 5, 6, 2]), boxes(4, 1),
                                      index], tolerance=1e-4)
    whole = np.array([[0, 0, 1, 1], [1, 1, 0, 0]], np.float32)
    yield Case(op, [values('float32', [1, 4, 4, 1]), whole, i(0, 0), i(4, 4)], tolerance=1e-5)
    none = [np.zeros([0, 4], np.float32), np.zeros([0], np.int32)]
    image = values('float32', [2, 4, 4, 1])
    grads = np.ones([2, 2, 2, 1], np.float32)
    two = boxes(2)
    yield Case(op, [image] + none + [i(2, 2)])
    for bad in ([image[0], two, i(0, 1), i(2, 2)], [image, two[0], i(0, 1), i(2, 2)], [image, two[:, :3], i(0, 1), i(2, 2)],
                [image, two, i(0), i(2, 2)], [image, two, np.array([[0], [1]], np.int32), i(2, 2)],
                [image, two, i(0, 2), i(2, 2)], [image, two, i(-1, 0), i(2, 2)], [image, two, i(0, 1), i(2)],
                [image, two, i(0, 1), i(0, 2)], [image, two, i(0, 1), np.array(2, np.int32)],
                [image[:, :0], two, i(0, 1), i(2, 2)]):
        yield Case(op, bad)
    size = i(2, 4, 4, 1)
    for bad in ([grads[0], two, i(0, 1), size], [grads[:, :0], two, i(0, 1), size], [grads[:1], two, i(0, 1), size],
                [grads, two[:, :3], i(0, 1), size], [grads, two, i(0, 2), size], [grads, two, i(0, 1), i(2, 4, 4)],
                [grads, two, i(0, 1), i(2, 4, 4, 2)], [grads, two, i(0, 1), i(2, 0, 4, 1)],
                [grads, two, i(0, 1), np.array(3, np.int32)]):
        yield Case(op + 'GradImage', bad, T='float32')
    for bad in ([grads[0], image, two, i(0, 1)], [grads, image[0], two, i(0, 1)], [grads[:1], image, two, i(0, 1)],
                [grads, image[:, :0], two, i(0, 1)], [grads, image, two, i(0, 9)],
                [grads, np.concatenate([image, image], 3), two, i(0, 1)]):
        yield Case(op + 'GradBoxes', bad)


def suppressions():
    near = boxes(12, 2, 0, 1)
    near[6:] = near[:6] + 0.05
    scores = rng('scores').uniform(0, 1, 12).astype(np.float32)
    scores[3] = scores[5]
    scores[9] = scores[3]
    many, many_scores = boxes(40, 3, 0, 0.5), rng('many').uniform(0, 1, 40).astype(np.float32)
    for b, s in ((near, scores), (many, many_scores)):
        for n in (3, 20):
            for threshold in (0.0, 0.3, 1.0):
                yield Case('NonMaxSuppression', [b, s, np.int32(n)], iou_threshold=threshold)
                for dtype in ('float32', 'half'):
                    x, y, t = b.astype(dtype), s.astype(dtype), np.array(threshold, dtype)
                    yield Case('NonMaxSuppressionV2', [x, y, np.int32(n), t])
                    yield Case('NonMaxSuppressionV3', [x, y, np.int32(n), t, np.array(0.4, dtype)])
                    for pad in (True, False):
                        yield Case('NonMaxSuppressionV4', [x, y, np.int32(n), t, np.array(0.4, dtype)],
                                   pad_to_max_output_size=pad)
                        for sigma in (0, 0.5):
                            yield Case('NonMaxSuppressionV5', [x, y, np.int32(n), t, np.array(0.4, dtype),
                                                               np.array(sigma, dtype)], pad_to_max_output_size=pad,
                                       tolerance=2e-3 if dtype == 'half' else None)
                overlaps = rng('overlaps', len(s)).uniform(0, 1, [len(s), len(s)]).astype(np.float32)
                yield Case('NonMaxSuppressionWithOverlaps', [overlaps, s, np.int32(n), np.float32(threshold), np.float32(0.2)])
    none = [np.zeros([0, 4], np.float32), np.zeros([0], np.float32)]
    equal = np.ones([5], np.float32)
    apart = np.array([[k, k, k + 1, k + 1] for k in range(5)], np.float32)
    for op, rest in (('NonMaxSuppressionV3', [np.float32(0.5), np.float32(0)]),
                     ('NonMaxSuppressionV5', [np.float32(0.5), np.float32(0), np.float32(0.1)])):
        yield Case(op, none + [np.int32(3)] + rest)
        yield Case(op, [apart, equal, np.int32(4)] + rest)
        yield Case(op, [apart, equal, np.int32(0)] + rest)
        for bad in ([near[0], scores], [near[:, :3], scores], [near, scores[:3]], [near, near]):
            yield Case(op, bad + [np.int32(3)] + rest)
        yield Case(op, [near, scores, i(3)] + rest)
        yield Case(op, [near, scores, np.int32(3), np.float32(1.5)] + rest[1:])
        yield Case(op, [near, scores, np.int32(3), f(0.5)] + rest[1:])
        yield Case(op, [near, scores, np.int32(3), np.float32(0.5), f(0.5)] + rest[2:])
    yield Case('NonMaxSuppressionV5', [near, scores, np.int32(3), np.float32(0.5), np.float32(0), np.float32(-1)])
    yield Case('NonMaxSuppression', [near, scores, np.int32(3)], iou_threshold=-0.5)
    yield Case('NonMaxSuppressionWithOverlaps', [near, scores, np.int32(3), np.float32(0.5), np.float32(0)])


def combined():
    op = 'CombinedNonMaxSuppression'
    r = rng(op)
    score = r.uniform(0, 1, [2, 9, 3]).astype(np.float32)
    for q in (1, 3):
        b = r.uniform(-0.2, 1.2, [2, 9, q, 4]).astype(np.float32)
        for per_class, total in ((2, 4), (5, 50), (9, 3)):
            for attrs in ({}, {'pad_per_class': True}, {'clip_boxes': False}):
                yield Case(op, [b, score, np.int32(per_class), np.int32(total), np.float32(0.2), np.float32(0.3)], attrs)
    yield Case(op, [b[:0], score[:0], np.int32(2), np.int32(2), np.float32(0.2), np.float32(0.3)])
    good = [b, score, np.int32(2), np.int32(3), np.float32(0.2), np.float32(0.3)]
    for at, bad in ((0, b[0]), (0, b[..., :3]), (0, b[:, :4]), (0, b[:, :, :2]), (1, score[0]), (1, score[:1]), (2, i(2)),
                    (2, np.int32(0)), (3, np.int32(0)), (3, i(2)), (4, np.float32(2)), (4, f(1)), (5, f(1))):
        yield Case(op, good[:at] + [bad] + good[at + 1:])


def drawings():
    for depth in (1, 3, 4):
        image = values('float32', [2, 6, 7, depth], 0, 1)
        b = boxes(24, 5, -0.4, 1.4).reshape([2, 12, 4])
        b[:, :, 2:] = b[:, :, :2] + 0.5
        yield Case('DrawBoundingBoxes', [image, b])
        yield Case('DrawBoundingBoxesV2', [image, b, values('float32', [3, 4], 0, 1)])
        yield Case('DrawBoundingBoxesV2', [image, b, np.zeros([0, 4], np.float32)])
    yield Case('DrawBoundingBoxes', [image, b[:, :0]])
    yield Case('DrawBoundingBoxes', [image, b[0]])
    yield Case('DrawBoundingBoxes', [image, b[:1]])
    yield Case('DrawBoundingBoxes', [image[..., :2], b])
    yield Case('DrawBoundingBoxesV2', [image, b, f(1, 2, 3)])
    yield Case('DrawBoundingBoxesV2', [image, b, values('float32', [3, 3])])
    yield Case('DrawBoundingBoxesV2', [image[..., :1], b, values('float32', [3, 3])])
    yield Case('DrawBoundingBoxesV2', [image[..., :3], b, values('float32', [3, 5])])


def sampled():
    op = 'SampleDistortedBoundingBox'
    b = np.array([[[0.1, 0.2, 0.5, 0.6], [0.3, 0.3, 0.9, 0.8]]], np.float32)
    for seed in range(4):
        attrs = {'seed': seed + 1, 'seed2': 7}
        yield Case(op, [i(40, 50, 3), b], attrs, runs=3)
        yield Case(op, [i(400, 300, 3), b], attrs, min_object_covered=0.9, runs=3)
        yield Case(op, [i(333, 777, 3), b[:, :0]], attrs, use_image_if_no_bounding_boxes=True, area_range=[0.3, 0.6],
                   aspect_ratio_range=[0.5, 2.0], runs=3)
        yield Case(op, [i(30, 20, 1), b], attrs, min_object_covered=1.0, max_attempts=2, area_range=[0.05, 0.06], runs=3)
        yield Case(op + 'V2', [i(40, 50, 3), b, np.float32(0.5)], attrs, runs=3)
    for dtype in ('uint8', 'int8', 'int16', 'int64'):
        yield Case(op, [np.array([40, 50, 3], dtype), b], seed=3)
        yield Case(op + 'V2', [np.array([40, 50, 3], dtype), b, np.float32(0.1)], seed=3)
    good = i(40, 50, 3)
    for bad in ([i(40, 50), b], [np.array([[1, 2, 3]], np.int32), b], [good, b[0]], [good, b[..., :3]], [good, b * 3],
                [good, b[:, :0]], [i(-1, 5, 3), b]):
        yield Case(op, bad, seed=3)
    for attrs in ({'min_object_covered': -1.0}, {'aspect_ratio_range': [1.0]}, {'aspect_ratio_range': [0.0, 1.0]},
                  {'area_range': [0.5]}, {'area_range': [0.0, 1.0]}, {'area_range': [0.5, 1.5]}, {'max_attempts': 0}):
        yield Case(op, [good, b], attrs)
    yield Case(op + 'V2', [good, b, np.float32(-1)], seed=1)
    yield Case(op + 'V2', [good, b, f(1)], seed=1)


def random_crops():
    image = values('float32', [9, 8, 2])
    for seed in range(3):
        for size in ([4, 3], [9, 3], [4, 8], [9, 8], [0, 3]):
            yield Case('RandomCrop', [image, np.array(size, np.int64)], seed=seed + 1, seed2=2, runs=3, producer=7)
    for dtype in ('uint8', 'int8', 'int16', 'int32', 'int64', 'double'):
        yield Case('RandomCrop', [values(dtype, [5, 6, 1]), np.array([3, 2], np.int64)], seed=1, producer=7)
    for bad in ([image[0], np.array([1, 1])], [image, np.array([1])], [image, np.array([[1, 1]])], [image, np.array([10, 1])],
                [image, np.array([1, 10])]):
        yield Case('RandomCrop', bad, seed=1, producer=7)


def cases():
    for part in (crops, suppressions, combined, drawings, sampled, random_crops):
        for case in part():
            yield case
