# cases_nn_loss.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Softmax, LogSoftmax and the cross entropies."""

import numpy as np

from record_ops import Case, to_array

TOLERANCE = {'float16': 3e-3, 'float64': 1e-12}


def values(dtype, shape, seed, scale=4):
    return to_array(np.random.RandomState(seed).uniform(-scale, scale, shape), dtype)


def soft_labels(dtype, shape, seed):
    labels = np.random.RandomState(seed).uniform(0, 1, shape)
    return to_array(labels / labels.sum(-1, keepdims=True), dtype)


def cases():
    f = lambda *shape: np.ones(shape, np.float32)
    for dtype in ['float32', 'float64', 'float16']:
        tolerance = TOLERANCE.get(dtype)
        for op in ['Softmax', 'LogSoftmax']:
            for shape in ([7], [4, 10], [2, 3, 5], [3, 1]):
                yield Case(op, [values(dtype, shape, 1)], tolerance=tolerance)
        yield Case('SoftmaxCrossEntropyWithLogits', [values(dtype, [6, 10], 2), soft_labels(dtype, [6, 10], 3)],
                   tolerance=tolerance)
        for labels in (np.int32, np.int64):
            yield Case('SparseSoftmaxCrossEntropyWithLogits',
                       [values(dtype, [6, 10], 4), np.array([0, 9, 3, 3, 5, 1], labels)], tolerance=tolerance)
    for op in ['Softmax', 'LogSoftmax']:
        yield Case(op, [np.float32(1)])
        yield Case(op, [f(2, 0)])
        yield Case(op, [f(0, 2)])
        yield Case(op, [np.array([[-np.inf, -np.inf], [3e38, 3e38], [3e38, -3e38], [np.inf, 0], [np.nan, 0],
                                  [-np.inf, 0]], np.float32)])
        yield Case(op, [values('float32', [3, 200], 5, 100)], tolerance=1e-5)
    xent = 'SoftmaxCrossEntropyWithLogits'
    yield Case(xent, [values('float32', [4, 3], 6), soft_labels('float32', [1, 3], 7)])
    yield Case(xent, [values('float32', [1, 3], 6), soft_labels('float32', [4, 3], 7)])
    yield Case(xent, [values('float32', [4, 1], 6), soft_labels('float32', [4, 3], 7)])
    yield Case(xent, [values('float32', [3], 6), soft_labels('float32', [4, 3], 7)])
    yield Case(xent, [values('float32', [2, 3], 6) * 100, np.array([[1, 0, 0], [0, 0, 1]], np.float32)],
               tolerance=1e-5)
    yield Case(xent, [f(2, 3), f(3, 2)])
    yield Case(xent, [f(2, 3, 4), f(2, 3, 4)])
    yield Case(xent, [f(0, 3), f(0, 3)])
    sparse = 'SparseSoftmaxCrossEntropyWithLogits'
    i = lambda *v: np.array(v, np.int32)
    yield Case(sparse, [f(3, 10), i(0, 10, 1)])
    yield Case(sparse, [f(3, 10), i(0, -1, 1)])
    yield Case(sparse, [f(3, 0), i(0, 0, 0)])
    yield Case(sparse, [f(3, 4), i(0, 1)])
    yield Case(sparse, [f(4), i(0)])
    yield Case(sparse, [f(3, 4), np.zeros([3, 1], np.int32)])
    yield Case(sparse, [f(0, 4), np.zeros([0], np.int32)])
