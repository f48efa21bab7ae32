# cases_sdca.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Dual coordinate ascent. TensorFlow trains examples in an order of chance: those here share no weights."""

import numpy as np

from record_ops import Case, Ref
from samples import NAN, values

INF = float('inf')
LOSSES = ['logistic_loss', 'squared_loss', 'hinge_loss', 'smooth_hinge_loss', 'poisson_loss']


def i64(x):
    return np.array(x, np.int64)


def f32(x):
    return np.array(x, np.float32)


def optimizer(op='SdcaOptimizer', sparse=(), with_values=0, dense=(), weights=(), labels=(), state=None, loss='logistic_loss',
              l1=0.0, l2=1.0, partitions=1, **more):
    """`sparse`: (examples, features, values, ids, weights) of each group, `dense`: (rows, weights)."""
    state = np.zeros([len(weights), 4], np.float32) if state is None else f32(state)
    return Case(op, [[i64(s[0]) for s in sparse], [i64(s[1]) for s in sparse], [f32(s[2]) for s in sparse[:with_values]],
                     [f32(d[0]) for d in dense], f32(weights), f32(labels), [i64(s[3]) for s in sparse],
                     [f32(s[4]) for s in sparse], [f32(d[1]) for d in dense], state],
                loss_type=loss, l1=l1, l2=l2, num_loss_partitions=partitions, num_inner_iterations=1,
                num_sparse_features=len(sparse), num_sparse_features_with_values=with_values, num_dense_features=len(dense),
                tolerance=2e-6, **more)


GROUP = ([0, 0, 1, 3, 3, 3], [7, 2, 9, 1, 0, 3], [1.5, -2.0, 0.25, 3.0, -1.0, 0.5], [0, 1, 2, 3, 7, 9],
         [0.1, -0.2, 0.3, 0.0, 0.5, -0.4])
ONES = ([0, 1, 2], [5, 6, 7], [], [5, 6, 7], [0.0, 1.0, -1.0])


def ascent():
    for loss in LOSSES:
        for labels in ([0, 1, 1, 0], [1, 0, 0, 1]):
            for l1, l2 in ((0.0, 1.0), (0.3, 0.7), (0.0, 100.0)):
                yield optimizer(sparse=[GROUP, ONES], with_values=1, weights=[1, 2, 0.5, 1], labels=labels, loss=loss, l1=l1, l2=l2)
            yield optimizer(sparse=[ONES], weights=[1, 1, 3, 1], labels=labels, loss=loss, partitions=3,
                            state=values('float32', [4, 4], 0, 1))
        for label in (0, 1):
            for adaptive in (False, True):
                yield optimizer(dense=[(values('float32', [1, 5]), values('float32', [1, 5], key=1)),
                                       (values('float32', [1, 1]), values('float32', [1], key=2))],
                                weights=[1.5], labels=[label], loss=loss, l1=0.1, l2=0.5, adaptative=adaptive)
                yield optimizer('SdcaOptimizerV2', sparse=[ONES], dense=[(values('float32', [1, 3]), np.zeros(3))], weights=[1],
                                labels=[label], loss=loss, l2=2.0, state=[[0.25 * (2 * label - 1), 9, 9, 9]], adaptive=adaptive)
    yield optimizer(sparse=[([0], [4], [2.5], [1, 4], [0.5, 0.5])], with_values=1, weights=[0.7], labels=[3.5], loss='poisson_loss')
    yield optimizer(sparse=[([0], [4], [2.5], [1, 4], [0.5, 0.5])], with_values=1, weights=[0.7], labels=[-2.5], loss='squared_loss')
    yield optimizer(sparse=[([0], [4], [2.5], [1, 4], [0.5, 0.5])], with_values=1, weights=[0], labels=[1], loss='hinge_loss')
    yield optimizer(sparse=[ONES], weights=[], labels=[])
    yield optimizer(sparse=[([1, 0], [5, 6], [], [5, 6, 7], [0, 0, 0])], weights=[1, 1], labels=[1, 0])
    for bad in (dict(weights=[1, 1, 1], labels=[1, 2, 0]),
                dict(weights=[1, 1, 1], labels=[1, -2, 0], loss='poisson_loss'),
                dict(weights=[1, 1, 1], labels=[1, 0, 0], state=np.zeros([3, 3])),
                dict(weights=[1, 1, 1], labels=[1, 0, 0], state=np.zeros([2, 4])), dict(weights=[1], labels=[1], state=np.zeros([4]))):
        yield optimizer(sparse=[ONES], **bad)
    yield optimizer(weights=[1], labels=[1])        # fewer labels than weights TensorFlow reads beyond
    yield optimizer(sparse=[([0, 0], [5, 8], [], [5, 6], [0, 0])], weights=[1], labels=[1])
    yield optimizer(sparse=[([0, 0], [5, 5], [], [5, 6], [0, 0])], weights=[1], labels=[1])
    yield optimizer(dense=[(values('float32', [1, 5]), np.zeros(4))], weights=[1], labels=[1])


def shrunk():
    for l1, l2 in ((0.0, 1.0), (1.0, 2.0), (3.0, 0.5)):
        yield Case('SdcaShrinkL1', [[Ref(values('float32', [2, 7], -3, 3)), Ref(f32([0, -0.0, NAN, INF, -INF, 0.5, -0.5]))]],
                   l1=l1, l2=l2)
    yield Case('SdcaShrinkL1', [[Ref(None, 'float32')]], l1=1.0, l2=1.0)
    yield Case('SdcaShrinkL1', [[Ref(f32(3))]], l1=1.0, l2=1.0)


def prints():
    text = b'The quick brown fox jumps over the lazy dog, again and again and over once more, and then it sleeps. ' * 5
    yield Case('SdcaFprint', [np.array([text[k:k + n] for n in list(range(0, 70)) + [95, 96, 127, 128, 129, 143, 144, 145, 159, 160,
                                                                                       161, 200, 255, 256, 271, 272, 273, 300, 400, 450]
                                        for k in (0, 3)], object)])
    yield Case('SdcaFprint', [np.zeros([0], object)])
    yield Case('SdcaFprint', [np.array(['a'] * 4, object).reshape(2, 2)])
    yield Case('SdcaFprint', [np.array('a', object)])


def cases():
    for part in (ascent, shrunk, prints):
        for case in part():
            yield case
