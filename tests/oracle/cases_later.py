# cases_later.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Ops that TensorFlow 1.15 does not have and graphs of later producers hold."""

import numpy as np

from cases_dataset import I64, Pipe, i64, take
from record_ops import Case
from samples import NAN, values

TENSORFLOW = '2.15'
INF = float('inf')


def f32(x):
    return np.array(x, np.float32)


def numerics():
    for dtype in ('float32', 'float64', 'half', 'bfloat16'):
        yield Case('CheckNumericsV2', [values(dtype, [2, 3])], message='no')
        for bad in ([NAN], [INF], [-INF], [NAN, INF], [NAN, -INF], [INF, -INF], [1, NAN, INF, -INF]):
            yield Case('CheckNumericsV2', [np.array(bad).astype(values(dtype, [1]).dtype)], message='bad %s here')


def numbers():
    for seed in ([1, 2], [-5, 2 ** 40]):
        for dtype in ('int32', 'int64', 'uint32', 'uint64'):
            yield Case('StatelessRandomUniformFullInt', [np.int32([3, 5]), i64(seed)], dtype=dtype)
        for dtype in ('half', 'float32', 'float64'):
            for shape in ([4], [3, 4], [2, 3, 4]):
                alpha = np.array([0.5, 1, 2, 30]).astype(values(dtype, [1]).dtype)
                yield Case('StatelessRandomGammaV2', [np.int32(shape), i64(seed), alpha], tolerance=2e-3 if dtype == 'half' else 1e-5)
                for out in ('half', 'float32', 'float64', 'int32', 'int64'):
                    yield Case('StatelessRandomPoisson', [np.int32(shape), i64(seed), alpha], dtype=out)
            yield Case('StatelessRandomGammaV2', [i64([5]), i64(seed), np.array(2).astype(alpha.dtype)], tolerance=2e-3 if dtype == 'half' else 1e-5)
    yield Case('StatelessRandomUniformFullInt', [np.int32([2, 3]), np.array([3, 4], np.uint64)], dtype='uint64')
    yield Case('StatelessRandomUniformFullInt', [np.int32([0, 3]), i64([3, 4])], dtype='uint64')
    yield Case('StatelessRandomUniformFullInt', [np.int32([2]), i64([3])], dtype='uint64')
    yield Case('StatelessRandomUniformFullInt', [np.int32([-2]), i64([3, 4])], dtype='uint64')
    yield Case('StatelessRandomPoisson', [np.int32([6]), i64([1, 2]), np.int32(3)], dtype='int32')
    yield Case('StatelessRandomPoisson', [np.int32([6]), i64([1, 2]), i64(300)], dtype='int64')
    for op, attrs in (('StatelessRandomGammaV2', {}), ('StatelessRandomPoisson', {'dtype': 'float32'})):
        x = f32([1, 2, 3, 4])
        for shape, seed in (([5], [1, 2]), ([4, 3], [1, 2]), ([], [1, 2]), ([4], [1]), ([0, 4], [1, 2]), ([3, 0], [1, 2])):
            yield Case(op, [np.int32(shape), i64(seed), x], **attrs)
        yield Case(op, [np.int32([4]), i64([1, 2]), x[:0]], **attrs)


def ragged():
    for dtype in ('float32', 'int32', 'string', 'bool'):
        v = values(dtype, [5])
        if dtype == 'string':
            v = np.array(v, object)
        for rows, n in (([0, 0, 2, 3, 3], 5), ([1, 1, 1, 1, 1], 3), ([0, 1, 2, 3, 4], 5)):
            yield Case('RaggedFillEmptyRows', [i64(rows), v, i64(n), v[3]])
        yield Case('RaggedFillEmptyRows', [i64([]), v[:0], i64(3), v[0]])
        yield Case('RaggedFillEmptyRows', [i64([]), v[:0], i64(0), v[0]])
    v = f32([1, 2, 3])
    for bad in ([i64([0, 1]), v, i64(3), v[0]], [i64([[0, 1, 2]]), v, i64(3), v[0]], [i64([0, 1, 3]), v, i64(3), v[0]],
                [i64([0, -1, 2]), v, i64(3), v[0]], [i64([0, 1, 1]), v, i64([3]), v[0]], [i64([0, 1, 1]), v, i64(3), v],
                [i64([0, 1, 1]), v, i64(-3), v[0]], [i64([0, 1, 1]), v, i64(0), v[0]], [i64([2, 1, 0]), v, i64(4), v[0]],
                [i64([0, 1, 1]), f32([[1, 2, 3]]), i64(3), v[0]]):
        yield Case('RaggedFillEmptyRows', bad)
    for dtype in ('float32', 'int32', 'complex64', 'half'):
        g = values(dtype, [5])
        yield Case('RaggedFillEmptyRowsGrad', [i64([0, 2, 3]), g], tolerance=1e-3 if dtype == 'half' else None)
        yield Case('RaggedFillEmptyRowsGrad', [i64([]), g], tolerance=1e-3 if dtype == 'half' else None)
    for bad in ([i64([[0]]), v], [i64([0]), f32([[1]])], [i64([5]), v], [i64([-1]), v]):
        yield Case('RaggedFillEmptyRowsGrad', bad)


def devices():
    yield Case('DeviceIndex', device_names=['CPU', 'GPU'])
    yield Case('DeviceIndex', device_names=['GPU', 'CPU'])
    yield Case('DeviceIndex', device_names=['GPU'])
    yield Case('DeviceIndex', device_names=[])


def batches():
    def rebatch(source, sizes, drop=False, types=(I64,), shapes=None):
        return lambda p: p.ds('RebatchDatasetV2', [source(p), i64(sizes), np.array(drop)], list(types), shapes)

    def batch(n, size):
        return lambda p: p.ds('BatchDatasetV2', [p.range(n), i64(size), np.array(False)], [I64])
    for n, size, sizes in ((19, 8, [4]), (19, 8, [3, 2]), (5, 2, [4]), (5, 2, 3), (4, 2, [0, 2]), (4, 2, [2, 0]), (0, 2, [2]), (6, 3, [7])):
        for drop in (False, True):
            yield from take(rebatch(batch(n, size), sizes, drop), 1, 2, 3, 5, 6)
    texts = np.array(['a', 'b', 'c', 'd', 'e'], object)
    rows = values('float32', [5, 2])
    two = lambda p: p.add('TensorDataset', [[texts, rows]], Toutput_types=['string', 'float32'], output_shapes=[[5], [5, 2]])
    again = lambda p: p.ds('RepeatDataset', [two(p), i64(2)], ['string', 'float32'])
    for n in range(1, 8):
        yield from take(rebatch(again, [2, 1], types=['string', 'float32']), n)
    yield from take(rebatch(again, [0, 3], types=['string', 'float32'], shapes=[[None], [None, 2]]), 1, 2)
    yield from take(rebatch(lambda p: p.range(3), [2]), 1)
    yield from take(rebatch(batch(4, 2), [[2]]), 1)
    uneven = lambda p: p.add('TensorDataset', [[texts, rows[:3]]], Toutput_types=['string', 'float32'], output_shapes=[[5], [3, 2]])
    yield from take(rebatch(uneven, [2], types=['string', 'float32']), 1)


def iterators():
    for n in (1, 3):
        p = Pipe()
        d = p.range(2)
        it = p.add('AnonymousIteratorV3', output_types=[I64], output_shapes=[[]])
        p.add('MakeIterator', [d, it])
        for _ in range(n):
            p.add('IteratorGetNext', [it], output_types=[I64], output_shapes=[[]])
        yield p.case()


def cases():
    for part in (numerics, numbers, ragged, devices, batches, iterators):
        for case in part():
            yield case
