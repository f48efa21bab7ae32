# cases_accumulator.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Only what never waits: TensorFlow would wait for ever."""

import numpy as np

from cases_reader import Chain
from samples import values

count = [0]


def f(*x):
    return np.array(x[0] if len(x) == 1 else x, 'float32')


def i64(x):
    return np.array(x, 'int64')


class A(Chain):
    def __init__(self, dtype='float32', shape=None, kind='ConditionalAccumulator', **attrs):
        Chain.__init__(self)
        self.dtype = dtype
        self.prefix = 'Resource' if kind.startswith('Resource') else ''
        self.sparse = kind.startswith('Sparse')
        # References find one another by name in TensorFlow's process.
        count[0] += 1
        self.made = dict(dtype=dtype, shape=shape, shared_name='acc%d' % count[0], container='', **attrs)
        self.kind = kind
        self.a = self.add(kind, [], **self.made)

    def apply(self, step, *gradient, **attrs):
        op = 'SparseAccumulatorApplyGradient' if self.sparse else self.prefix + 'AccumulatorApplyGradient'
        self.add(op, [self.a, i64(step)] + list(gradient), **attrs)
        return self

    def take(self, n, dtype=None):
        op = 'SparseAccumulatorTakeGradient' if self.sparse else self.prefix + 'AccumulatorTakeGradient'
        self.add(op, [self.a, np.array(n, 'int32')], dtype=dtype or self.dtype)
        return self

    def count(self):
        self.add(self.prefix + 'AccumulatorNumAccumulated', [self.a])
        return self

    def step(self, n):
        self.add(self.prefix + 'AccumulatorSetGlobalStep', [self.a, i64(n)])
        return self


def dense(kind):
    for dtype in ('float32', 'float64', 'half'):
        x = [values(dtype, [2, 3], key=k) for k in range(3)]
        for reduction in ('MEAN', 'SUM'):
            yield A(dtype, kind=kind, reduction_type=reduction).apply(0, x[0]).take(1).case()
            yield A(dtype, [2, 3], kind, reduction_type=reduction).apply(0, x[0]).apply(0, x[1]).apply(1, x[2]).take(2).case()
    x, y = f(1, 2), f(10, 20)
    yield A(kind=kind).apply(0, x).take(1).apply(0, y).count().case()
    yield A(kind=kind).apply(0, x).take(1).apply(1, y).count().take(1).case()
    yield A(kind=kind).step(5).apply(4, x).apply(5, y).count().take(1).case()
    yield A(kind=kind).step(5).step(2).apply(2, x).count().case()
    yield A(kind=kind).apply(0, x).apply(0, f(1, 2, 3)).case()
    yield A(shape=[3], kind=kind).apply(0, x).case()
    yield A(shape=[None], kind=kind).apply(0, x).apply(0, y).take(1).case()
    yield A(shape=[], kind=kind).apply(0, f(3.0)).take(1).case()
    yield A(kind=kind).apply(0, f(np.zeros((0, 2)))).take(1).case()
    yield A(kind=kind).apply([0], x).case()
    yield A(kind=kind).apply(0, x).take(0).case()
    yield A(kind=kind).apply(0, x).take(-1).case()
    yield A(kind=kind).step([1]).case()
    yield A('int32', kind=kind).case()
    a = A(kind=kind)
    a.add(kind, [], **dict(a.made, dtype='float64'))
    yield a.case()
    a = A(kind=kind, shape=[2])
    a.add(kind, [], **dict(a.made, shape=[3]))
    yield a.case()


def sparse():
    def s(shape=None, **more):
        return A(shape=shape, kind='SparseConditionalAccumulator', **more)

    def g(indices, rows, shape=(), known=False):
        return (i64(indices), np.array(rows, 'float32'), i64(list(shape))), dict(has_known_shape=known)

    def apply(a, step, gradient):
        return a.apply(step, *gradient[0], **gradient[1])
    one = g([0, 2], [[1, 2], [3, 4]])
    two = g([1, 2], [[10, 20], [30, 40]])
    for reduction in ('MEAN', 'SUM'):
        yield apply(s(reduction_type=reduction), 0, one).take(1).case()
        yield apply(apply(s(reduction_type=reduction), 0, one), 0, two).take(1).case()
        yield apply(apply(s([5, 2], reduction_type=reduction), 0, one), 0, two).count().take(2).case()
        yield apply(apply(apply(s(reduction_type=reduction), 0, one), 0, two), 0, one).take(2).case()
    yield apply(apply(s(), 0, g([3, 1], [[1, 2], [3, 4]])), 0, g([1, 3], [[10, 20], [30, 40]])).take(1).case()
    yield apply(apply(s(), 0, g([1, 1], [[1, 2], [3, 4]])), 0, two).take(1).case()
    yield apply(s(), 0, g([1], [5.0])).take(1).case()
    yield apply(apply(s(), 0, g([], np.zeros((0, 2)))), 0, one).take(1).case()
    yield apply(s(), 0, g([0, 2], [[1, 2], [3, 4]], [5, 2], True)).take(1).case()
    yield apply(s([5, 2]), 0, g([0, 2], [[1, 2], [3, 4]], [5, 2], True)).take(1).case()
    yield apply(s([6, 2]), 0, g([0, 2], [[1, 2], [3, 4]], [5, 2], True)).case()
    yield apply(s([2, 2]), 0, one).case()
    yield apply(s([5, 3]), 0, one).case()
    yield apply(s([5]), 0, one).case()
    yield apply(s(), 0, g([0], [[1, 2], [3, 4]])).case()
    yield apply(s(), 0, g([[0]], [[1, 2]])).case()
    yield apply(s(), 0, g([0], 1.0)).case()
    yield apply(s([5, 2]), 0, g([-1], [[1, 2]])).case()
    yield apply(apply(s(), 0, one), 0, g([0], [[1, 2, 3]])).case()
    yield apply(s().step(3), 1, one).count().case()
    yield apply(s(), 0, one).take(0).case()


def cases():
    for kind in ('ConditionalAccumulator', 'ResourceConditionalAccumulator'):
        for case in dense(kind):
            yield case
    for case in sparse():
        yield case
