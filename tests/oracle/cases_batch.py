# cases_batch.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Batches of one run: the ids that TensorFlow draws are not compared."""

import numpy as np

from record_ops import Case

EMPTY = np.zeros((0, 3), np.int64)


def f(*x):
    return np.array(x, np.float32)


def index(*rows):
    return np.array(rows, np.int64)


def batches():
    for sizes in ([3, 10], [], [3], [10, 3], [3, 3, 10], [10]):
        for x, y in ((f(1, 2), f(1, 2).reshape(2, 1)), (f(1, 2, 3), f(1, 2, 3)), (f(1, 2, 3, 4), np.array(list('abcd'), object)),
                     (np.float32(1), np.float32(1)), (f(1), f(1, 2)), (np.ones(11, np.float32), np.ones(11, np.int32)),
                     (np.ones((0, 2), np.float32) if not sizes else f(1), f() if not sizes else f(1))):
            yield Case('Batch', [[x, y]], num_batch_threads=1, max_batch_size=10, batch_timeout_micros=1000,
                       grad_timeout_micros=0, allowed_batch_sizes=sizes, meaningless=(2, 3))
    for threads, size in ((0, 2), (1, 0), (1, -1), (-1, 1), (1, 1)):
        yield Case('Batch', [[f(1, 2)]], num_batch_threads=threads, max_batch_size=size, batch_timeout_micros=1000,
                   grad_timeout_micros=0, meaningless=(1, 2))


def parts():
    for data, rows, own in ((f(1, 2, 3), index([7, 0, 2], [8, 2, 3]), 7), (f(1, 2, 3), EMPTY, 9),
                            (f(1, 2, 3), index([7, 0, 2], [8, 2, 3]), 5), (f(1, 2, 3), index([7, 0, 2], [8, 2, 4]), 7),
                            (f(1), index([7, 0, 2], [8, 2, 3]), 7), (f(1, 2, 3), index([7, 0], [8, 2]), 7),
                            (f(1, 2, 3), index([7, 0, 2], [8, 1, 3]), 7), (f(1, 2, 3), index([7, 0, 2]), 7),
                            (f(1, 2, 3), index([7, 0, 0], [8, 0, 3]), 7),
                            (np.array([['a', 'b'], ['c', 'd']], object), index([7, 0, 1], [8, 1, 2]), 8),
                            (np.arange(6).reshape(3, 2), index([1, 0, 1], [2, 1, 3]), 2)):
        yield Case('Unbatch', [data, rows, np.int64(own)], timeout_micros=100000, shared_name='u%d' % own)
    # What another run brought.
    yield Case('Unbatch', [f(1, 2, 3), EMPTY, np.int64(8)], timeout_micros=100000, shared_name='two',
               nodes=[('Unbatch', [f(1, 2, 3), index([7, 0, 2], [8, 2, 3]), np.int64(7)],
                       dict(timeout_micros=100000, shared_name='two'))])


def gradients():
    yield Case('UnbatchGrad', [f(1, 2), EMPTY, f(8), np.int64(2)])
    yield Case('UnbatchGrad', [f(1, 2), index([0, 0, 0]), f(8), np.int64(0)])
    yield Case('UnbatchGrad', [f(), EMPTY, f(8, 1).reshape(1, 2), np.int64(3)])
    for other in (f(7, 2).reshape(1, 2), f(7, 2), f(7).reshape(1, 1), f(1, 2, 3, 4).reshape(2, 2)):
        first = ('UnbatchGrad', [f(), EMPTY, f(8, 1).reshape(1, 2), np.int64(3)], dict(shared_name='g'))
        yield Case('UnbatchGrad', [f(1), index([3, 0, 1], [4, 1, 2]), other, np.int64(4)], shared_name='g', nodes=[first])
    yield Case('UnbatchGrad', [f(), EMPTY, f(8), np.int64(3)], shared_name='h', runs=2)


def cases():
    for group in (batches, parts, gradients):
        for case in group():
            yield case
