# cases_staging.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Only what never waits: TensorFlow would wait for ever."""

import numpy as np

from cases_reader import Chain
from samples import values

count = [0]


def f(*shape, **more):
    return values('float32', list(shape), **more)


def i32(*x):
    return np.array(x[0] if len(x) == 1 else x, 'int32')


def i64(x):
    return np.array(x, 'int64')


class S(Chain):
    def __init__(self, dtypes=('float32',), prefix='', **attrs):
        Chain.__init__(self)
        count[0] += 1
        self.attrs = dict(dtypes=list(dtypes), shared_name='stage%d' % count[0], container='', **attrs)
        self.prefix = prefix

    def op(self, op, *inputs, **more):
        self.add(self.prefix + op, list(inputs), **dict(self.attrs, **more))
        return self

    def put(self, key, indices, *tensors):
        types = ['string' if t.dtype == object else t.dtype.name for t in tensors]
        return self.op('MapStage', i64(key), i32(indices), list(tensors), fake_dtypes=types)


def plain():
    yield S().op('Stage', [f(2)]).op('Unstage').case()
    yield S().op('Stage', [f(2)]).op('Stage', [f(3, key=1)]).op('Unstage').op('Unstage').case()
    yield S(['float32', 'int32']).op('Stage', [f(2), i32(1, 2)]).op('Unstage').case()
    yield S().op('Stage', [f(2)]).op('Stage', [f(3, key=1)]).op('StageSize').case()
    yield S().op('StageSize').case()
    yield S().op('Stage', [f(2)]).op('StageClear').op('StageSize').case()
    for i in (0, 1):
        yield S().op('Stage', [f(2)]).op('Stage', [f(3, key=1)]).op('StagePeek', i32(i)).op('StageSize').case()
    yield S(memory_limit=8).op('Stage', [f(3)]).case()
    yield S(memory_limit=8).op('Stage', [f(2)]).op('Unstage').case()
    yield S(capacity=2).op('Stage', [f(2)]).op('Stage', [f(2)]).op('StageSize').case()
    yield S(['string']).op('Stage', [np.array(['a', 'b'], object)]).op('Unstage').case()


def keyed(prefix):
    def s(*dtypes, **attrs):
        return S(dtypes or ('float32', 'int32'), prefix, **attrs)
    x, y = f(2), i32(1, 2)
    yield s().put(7, [0, 1], x, y).op('MapUnstage', i64(7), i32([0, 1])).case()
    yield s().put(7, [1, 0], y, x).op('MapUnstage', i64(7), i32([0, 1])).case()
    yield s().put(7, [0], x).op('MapSize').case()
    yield s().put(7, [0], x).op('MapIncompleteSize').case()
    yield s().put(7, [0], x).put(7, [1], y).op('MapUnstage', i64(7), i32([0, 1])).case()
    yield s().put(7, [0], x).put(7, [1], y).op('MapIncompleteSize').case()
    yield s().put(7, [0], x).put(7, [0], x).case()
    yield s().put(7, [0, 1], x, y).op('MapPeek', i64(7), i32([0, 1])).op('MapSize').case()
    yield s().put(7, [0, 1], x, y).op('MapUnstage', i64(7), i32([0]), dtypes=['float32']).op('MapSize').case()
    yield s().put(7, [0, 1], x, y).op('MapUnstage', i64(7), i32([0]), dtypes=['float32']).op(
        'MapUnstage', i64(7), i32([1]), dtypes=['int32']).op('MapSize').case()
    yield s('float32').put(7, [0], x).op('MapUnstageNoKey', i32([0])).op('MapSize').case()
    yield s('float32').put(7, [0], x).op('MapClear').op('MapSize').case()
    if prefix:
        yield s('float32').put(7, [0], x).put(3, [0], f(3, key=1)).put(5, [0], f(1, key=2)).op('MapUnstageNoKey', i32([0])).op(
            'MapUnstageNoKey', i32([0])).case()
    yield s('float32').put(7, [0, 0], x).case()
    yield s('float32', memory_limit=4).put(7, [0], x).case()
    yield s('float32').op('MapSize').case()
    yield s('float32').op('MapIncompleteSize').case()


def cases():
    for case in plain():
        yield case
    for prefix in ('', 'Ordered'):
        for case in keyed(prefix):
            yield case
