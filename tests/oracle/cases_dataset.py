# cases_dataset.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Datasets without functions, and their iterators: a chain of ops makes a dataset, an iterator is put
to its beginning, and elements are taken one by one, to the end and one beyond. Datasets with
functions are recorded as graphs, by record_datasets.py."""

import numpy as np

from cases_reader import Chain, FILES
from record_ops import Case, Out
import samples

I64 = 'int64'


def values(dtype, shape):
    x = samples.values(dtype, shape)
    return np.array(x, object) if dtype == 'string' else x


def i64(*x):
    return np.array(x[0] if len(x) == 1 else list(x), I64)


class Pipe(Chain):
    """A chain whose dataset nodes know the types and shapes of their elements."""

    def ds(self, op, inputs, types, shapes=None, **attrs):
        self.types = list(types)
        self.shapes = [None] * len(types) if shapes is None else shapes
        return self.add(op, inputs, output_types=self.types, output_shapes=self.shapes, **attrs)

    def range(self, stop, start=0, step=1):
        return self.ds('RangeDataset', [i64(start), i64(stop), i64(step)], [I64])

    def slices(self, *tensors):
        self.types = ['string' if t.dtype == object else t.dtype.name for t in tensors]
        self.shapes = [list(t.shape[1:]) for t in tensors]
        return self.add('TensorSliceDataset', [list(tensors)], Toutput_types=self.types, output_shapes=self.shapes)

    def iterate(self, d, n, get='IteratorGetNext', restart=None):
        it = self.add('IteratorV2', shared_name='', container='', output_types=self.types,
                      output_shapes=[None] * len(self.types))
        self.add('MakeIterator', [d, it])
        for k in range(n):
            if restart == k:
                self.add('MakeIterator', [d, it])
            self.add(get, [it], output_types=self.types, output_shapes=[None] * len(self.types))
        return it

    def run(self, d, n, **more):
        self.iterate(d, n, **more)
        return self.case()


def take(make, *counts, **more):
    """The dataset that `make` adds to a pipe, taken `counts` elements of."""
    for n in counts:
        p = Pipe()
        yield p.run(make(p), n, **more)


def sources():
    def tensors(*t):
        def make(p):
            p.types = ['string' if x.dtype == object else x.dtype.name for x in t]
            return p.add('TensorDataset', [list(t)], Toutput_types=p.types, output_shapes=[list(x.shape) for x in t])
        return make
    yield from take(tensors(values('float32', [2, 3]), values('string', [])), 1, 2)
    yield from take(lambda p: p.slices(values('float32', [3, 2]), values('string', [3]), values(I64, [3, 0])), 3, 4)
    yield from take(lambda p: p.slices(values('float32', [0, 2])), 1)
    yield from take(lambda p: p.slices(values('float32', [3]), values('float32', [4])), 1)
    yield from take(lambda p: p.slices(values('float32', [])), 1)
    for start, stop, step in ((0, 3, 1), (5, 0, -2), (0, 0, 1), (3, 0, 1), (0, 5, 2), (-2, 2, 3)):
        n = len(range(start, stop, step))
        yield from take(lambda p: p.range(stop, start, step), n, n + 1)
    yield from take(lambda p: p.range(3, 0, 0), 1)
    yield from take(lambda p: p.range(2 ** 63 - 1, 2 ** 63 - 3, 1), 2, 3)
    yield from take(lambda p: p.range(-2 ** 63, 2 ** 63 - 1, -2 ** 63), 2)
    yield from take(lambda p: p.ds('RangeDataset', [i64([1]), i64(2), i64(1)], [I64]), 1)

    def sparse(indices, values_, shape):
        def make(p):
            p.types = [I64, 'float32', I64]
            return p.add('SparseTensorSliceDataset', [np.array(indices, I64).reshape(-1, len(shape)),
                                                      np.array(values_, 'float32'), i64(list(shape))], Tvalues='float32')
        return make
    yield from take(sparse([[0, 1], [0, 2], [2, 0]], [1, 2, 3], [4, 3]), 4, 5)
    yield from take(sparse([[1, 1, 1]], [1], [2, 3, 3]), 2)
    yield from take(sparse([[1, 1], [0, 1]], [1, 2], [2, 3]), 2)
    yield from take(sparse([], [], [2, 3]), 2, 3)
    for seeds in ((1, 2), (7, 0)):
        yield from take(lambda p: p.ds('ExperimentalRandomDataset', [i64(seeds[0]), i64(seeds[1])], [I64]), 6)


def of_files():
    def files(op, names, *rest):
        def make(p):
            for name in names:
                if not isinstance(name, list) and name in FILES:
                    p.file(name, FILES[name])
            p.types = ['string']
            return p.add(op, [np.array(names if len(names) != 1 else names[0], object)] + list(rest))
        return make

    def s(x):
        return np.array(x, object)
    text = ['lines.txt', 'empty.txt', 'more.txt']
    yield from take(files('TextLineDataset', text, s(''), i64(0)), 1, 5, 7, 8)
    yield from take(files('TextLineDataset', ['crs.txt'], s(''), i64(0)), 3, 4)
    yield from take(files('TextLineDataset', ['cr.txt'], s(''), i64(3)), 2, 3)
    yield from take(files('TextLineDataset', ['nowhere.txt'], s(''), i64(0)), 1)
    yield from take(files('TextLineDataset', ['more.txt'], s('LZ4'), i64(0)), 1)
    yield from take(files('TextLineDataset', ['more.txt'], s(['']), i64(0)), 1)
    yield from take(files('TextLineDataset', ['more.txt'], s(''), i64(-1)), 1)
    yield from take(files('TextLineDataset', [['more.txt'], ['more.txt']], s(''), i64(0)), 1)
    yield from take(files('TextLineDataset', [], s(''), i64(0)), 1)
    yield from take(files('TextLineDataset', ['fixed.gz'], s('GZIP'), i64(0)), 1)
    yield from take(files('TextLineDataset', ['more.txt'], s('GZIP'), i64(0)), 1)
    yield from take(files('TFRecordDataset', ['r.tfrecord', 's.tfrecord'], s(''), i64(0)), 1, 4, 5)
    for name in sorted(FILES):
        if name.endswith('.tfrecord') and len(name) > len('r.tfrecord'):
            yield from take(files('TFRecordDataset', [name], s(''), i64(0)), 1, 2)
    for kind in 'ZLIB', 'GZIP':
        yield from take(files('TFRecordDataset', [kind[0].lower() + '.tfrecord'], s(kind), i64(100)), 2, 3)
    yield from take(files('TFRecordDataset', ['r.tfrecord'], s(''), i64(-1)), 1)
    yield from take(files('TFRecordDataset', ['nowhere'], s(''), i64(0)), 1)
    for header, record, footer in ((2, 5, 1), (0, 23, 0), (2, 6, 1), (0, 1, 22), (3, 20, 0), (2, 0, 1), (-1, 5, 1),
                                   (2, 5, -1), (30, 2, 0)):
        for n in (1, 4, 5):
            yield from take(files('FixedLengthRecordDataset', ['fixed.bin', 'fixed.bin'], i64(header), i64(record),
                                  i64(footer), i64(0)), n)
    for kind, name in (('GZIP', 'fixed.gz'), ('ZLIB', 'fixed.z'), ('', 'fixed.bin')):
        yield from take(files('FixedLengthRecordDatasetV2', [name], i64(2), i64(5), i64(1), i64(0), s(kind)), 4, 5)
    for patterns in (['m/*.txt'], ['m/b*', 'm/a*'], ['m/none*']):
        for n in (1, 2):
            p = Pipe()
            for name in ('m/b.txt', 'm/a.txt'):
                p.file(name, b'x')
            p.types = ['string']
            yield p.run(p.add('ExperimentalMatchingFilesDataset', [np.array(patterns, object)]), n)


def order():
    def on(op, n=5, types=(I64,), *rest, **attrs):
        return lambda p: p.ds(op, [p.range(n)] + list(rest), types, **attrs)
    for op, counts in (('RepeatDataset', (2, 0, 1)), ('TakeDataset', (0, 2, 5, 9, -1, -5)),
                       ('SkipDataset', (0, 2, 5, 9, -1, -5))):
        for count in counts:
            n = {'RepeatDataset': 3 * count, 'TakeDataset': 3 if count < 0 else min(count, 3),
                 'SkipDataset': 0 if count < 0 else max(3 - count, 0)}[op]
            yield from take(on(op, 3, (I64,), i64(count)), n, n + 1)
    yield from take(on('RepeatDataset', 2, (I64,), i64(-1)), 7)
    yield from take(on('RepeatDataset', 2, (I64,), i64(-3)), 5)
    yield from take(on('RepeatDataset', 0, (I64,), i64(-1)), 1)
    yield from take(on('RepeatDataset', 0, (I64,), i64(5)), 1)
    yield from take(on('RepeatDataset', 2, (I64,), i64([1])), 1)
    for shards, index in ((2, 0), (2, 1), (3, 2), (7, 6), (1, 0), (0, 0), (2, 2), (2, -1)):
        n = len(range(index, 5, shards)) if shards > 0 and 0 <= index < shards else 1
        yield from take(on('ShardDataset', 5, (I64,), i64(shards), i64(index)), n, n + 1)
    yield from take(lambda p: p.ds('ConcatenateDataset', [p.range(2), p.range(9, 7)], [I64]), 4, 5)
    yield from take(lambda p: p.ds('ConcatenateDataset', [p.range(2), p.slices(values('float32', [2]))], [I64]), 1)
    yield from take(lambda p: p.ds('ZipDataset', [[p.range(2), p.range(9, 4)]], [I64, I64], N=2), 2, 3)
    for op in ('PrefetchDataset',):
        for size in (0, 1, 4, -1, -2):
            yield from take(on(op, 3, (I64,), i64(size)), 3, 4)
    yield from take(on('OptimizeDataset', 3, (I64,), np.array([], object)), 3, 4)
    yield from take(on('ModelDataset', 3), 3, 4)
    yield from take(on('ExperimentalIgnoreErrorsDataset', 3), 3, 4)
    yield from take(lambda p: p.ds('ExperimentalDirectedInterleaveDataset', [
        p.slices(i64([0, 1, 1, 0, 0, 1, 1])), [p.range(2), p.range(9, 4)]], [I64], N=2), 6, 7)
    yield from take(lambda p: p.ds('ExperimentalDirectedInterleaveDataset', [
        p.slices(i64([0, 2])), [p.range(2), p.range(9, 4)]], [I64], N=2), 1, 2)
    yield from take(lambda p: p.ds('ExperimentalUniqueDataset', [p.slices(np.array([3, 1, 3, 2, 1], 'int32'))],
                                   ['int32']), 3, 4)
    yield from take(lambda p: p.ds('ExperimentalUniqueDataset', [p.slices(np.array(['a', 'b', 'a'], object))],
                                   ['string']), 2, 3)
    yield from take(lambda p: p.ds('ExperimentalUniqueDataset', [p.slices(values('float32', [2]))], ['float32']), 1)
    yield from take(on('CacheDataset', 3, (I64,), np.array('', object)), 3, 4)
    yield from take(lambda p: p.ds('RepeatDataset', [p.ds('CacheDataset', [p.range(3), np.array('', object)], [I64]),
                                                     i64(3)], [I64]), 9, 10)


def wrapped():
    tag = np.array('tag', object)
    for x in ('', 'Experimental'):
        for op, rest in (('AssertNextDataset', [np.array([], object)]), ('NonSerializableDataset', []),
                         ('MaxIntraOpParallelismDataset', [i64(1)]), ('PrivateThreadPoolDataset', [i64(1)]),
                         ('LatencyStatsDataset', [tag]), ('BytesProducedStatsDataset', [tag]), ('SleepDataset', [i64(1)]),
                         ('IgnoreErrorsDataset', [])):
            yield from take(lambda p: p.ds(x + op, [p.range(3)] + rest, [I64]), 3, 4)
        yield from take(lambda p: p.ds(x + 'ChooseFastestDataset', [[p.range(3), p.range(3)]], [I64], N=2, num_experiments=1),
                        3, 4)
        yield from take(lambda p: p.ds(x + 'DirectedInterleaveDataset', [p.slices(i64([0, 1, 1])), [p.range(2), p.range(9, 4)]],
                                       [I64], N=2), 3, 4)
        yield from take(lambda p: p.ds(x + 'UniqueDataset', [p.slices(np.array([3, 1, 3], 'int32'))], ['int32']), 2, 3)
        yield from take(lambda p: p.ds(x + 'RandomDataset', [i64(3), i64(4)], [I64]), 2)
        yield from take(lambda p: p.ds(x + 'SlidingWindowDataset', [p.range(3), i64(2), i64(1), i64(1)], [I64]), 2, 3)
        yield from take(lambda p: p.ds(x + 'UnbatchDataset', [p.slices(values('float32', [2, 3]))], ['float32']), 2)
        p = Pipe()
        p.file('m/b.txt', b'x')
        p.types = ['string']
        yield p.run(p.add(x + 'MatchingFilesDataset', [np.array('m/b*', object)]), 1)
        p = Pipe()
        p.add(x + 'DatasetCardinality', [p.range(3)])
        yield p.case()
        p = Pipe()
        it = p.iterate(p.range(3), 0)
        p.add(x + 'IteratorGetDevice', [it])
        yield p.case()
    for op in ('AnonymousIterator', 'AnonymousIteratorV2'):
        p = Pipe()
        d = p.range(3)
        it = p.add(op, output_types=[I64], output_shapes=[[]])
        p.add('MakeIterator', [d, it])
        p.add('IteratorGetNext', [it], output_types=[I64], output_shapes=[[]])
        if op == 'AnonymousIteratorV2':
            p.add('DeleteIterator', [it, Out(it.node, 1)])
        yield p.case()


def shuffled():
    def shuffle(n, buffer_size, seed, seed2, reshuffle=True, repeat=None):
        def make(p):
            d = p.ds('ShuffleDataset', [p.range(n), i64(buffer_size), i64(seed), i64(seed2)], [I64],
                     reshuffle_each_iteration=reshuffle)
            return d if repeat is None else p.ds('RepeatDataset', [d, i64(repeat)], [I64])
        return make
    for reshuffle in (True, False):
        for n, size in ((10, 3), (10, 10), (10, 100), (6, 1), (0, 4)):
            for seeds in ((1, 2), (87654321, 5)):
                yield from take(shuffle(n, size, seeds[0], seeds[1], reshuffle), n, n + 1)
        yield from take(shuffle(5, 3, 1, 2, reshuffle, 3), 15, 16)
        yield from take(shuffle(5, 3, 1, 2, reshuffle, -1), 20)
        yield from take(shuffle(5, 3, 1, 2, reshuffle, 2), 12, restart=4)
    for size in (0, -5):
        yield from take(shuffle(5, size, 1, 2), 1)

    def both(n, size, count, seed=3, seed2=4):
        return lambda p: p.ds('ShuffleAndRepeatDataset', [p.range(n), i64(size), i64(seed), i64(seed2), i64(count)],
                              [I64])
    for n, size, count in ((5, 3, 2), (5, 12, 3), (5, 5, 1), (3, 2, 4), (0, 3, 2), (0, 3, -1), (5, 0, 2), (5, 3, 0),
                           (5, 3, -2)):
        total = max(n * count, 1)
        yield from take(both(n, size, count), total, total + 1)
    yield from take(both(4, 6, -1), 17)


def batched():
    def batch(n, size, drop=None, types=(I64,), source=None):
        def make(p):
            d = source(p) if source else p.range(n)
            types = p.types
            if drop is None:
                return p.ds('BatchDataset', [d, i64(size)], types)
            return p.ds('BatchDatasetV2', [d, i64(size), np.array(drop)], types)
        return make
    for size in (1, 2, 3, 5, 9):
        for drop in (None, False, True):
            n = 5 // size if drop else -(-5 // size)
            yield from take(batch(5, size, drop), n, n + 1)
    for size in (0, -1):
        yield from take(batch(5, size), 1)
        yield from take(batch(5, size, False), 1)
    yield from take(batch(5, [2], False), 1)
    rows = lambda p: p.slices(values('float32', [5, 2]), values('string', [5]), values('int32', [5, 0]))
    yield from take(batch(5, 2, False, source=rows), 3, 4)
    mixed = lambda p: p.ds('ConcatenateDataset', [p.slices(values('float32', [2, 2])), p.slices(values('float32', [2, 3]))],
                           ['float32'])
    yield from take(batch(4, 2, False, source=mixed), 2)
    yield from take(batch(4, 3, False, source=mixed), 1, 2)

    def padded(source, shapes, fills, size=3, drop=None):
        def make(p):
            d = source(p)
            types = p.types
            inputs = [d, i64(size), [np.array(s, I64) for s in shapes], list(fills)]
            if drop is None:
                return p.ds('PaddedBatchDataset', inputs, types)
            return p.ds('PaddedBatchDatasetV2', inputs + [np.array(drop)], types)
        return make

    def bare(make):
        def made(p):
            d = make(p)
            for node in p.nodes:
                if node[0].startswith('PaddedBatch'):
                    node[2].pop('output_types')
                    node[2]['Toutput_types'] = list(p.types)
            return d
        return made
    f = np.float32
    for shapes, fills, n in (([[-1]], [f(0)], 2), ([[4]], [f(-1)], 2), ([[2]], [f(0)], 2), ([[-1, -1]], [f(0)], 1),
                             ([[]], [f(0)], 1), ([[-1]], [np.int32(0)], 1), ([[-1]], [np.array([0], f)], 1),
                             ([[[-1]]], [f(0)], 1), ([[-1], [-1]], [f(0), f(0)], 1), ([[-2]], [f(0)], 1)):
        for drop in (None, False, True):
            yield from take(bare(padded(mixed, shapes, fills, drop=drop)), 1)
            if n == 2:
                yield from take(bare(padded(mixed, shapes, fills, drop=drop)), 2)
    yield from take(bare(padded(rows, [[3], [], [-1]], [f(7), np.array('x', object), np.int32(5)])), 2, 3)
    yield from take(bare(padded(mixed, [[-1]], [f(0)], 0)), 1)
    for size, shift, stride in ((3, 1, 1), (2, 2, 2), (2, 3, 1), (9, 1, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0)):
        yield from take(lambda p: p.ds('ExperimentalSlidingWindowDataset', [p.range(6), i64(size), i64(shift), i64(stride)],
                                       [I64]), 1, 2, 3, 4, 5)
    yield from take(lambda p: p.ds('ExperimentalUnbatchDataset', [p.slices(values('float32', [2, 3, 2]),
                                                                           values(I64, [2, 3]))], ['float32', I64]), 6, 7)
    yield from take(lambda p: p.ds('ExperimentalUnbatchDataset', [p.range(2)], [I64]), 1)
    yield from take(lambda p: p.ds('ExperimentalUnbatchDataset', [p.slices(values('float32', [2, 3]), values(I64, [2, 4]))],
                                   ['float32', I64]), 1)
    yield from take(lambda p: p.ds('ExperimentalUnbatchDataset', [p.slices(values('float32', [2, 0]))], ['float32']), 1)


def windows():
    """A window's element is a dataset; a second iterator goes through the first of them."""
    for size, shift, stride, drop in ((3, 3, 1, False), (3, 1, 1, False), (3, 1, 1, True), (2, 4, 1, False), (2, 1, 3, True),
                                      (2, 1, 3, False), (9, 2, 1, False), (9, 2, 1, True), (0, 1, 1, False),
                                      (1, 0, 1, False), (1, 1, 0, False)):
        for nth in (1, 2, 3):
            for n in (1, 2, 3):
                p = Pipe()
                d = p.ds('WindowDataset', [p.range(7), i64(size), i64(shift), i64(stride), np.array(drop)], ['variant'])
                p.iterate(d, nth)
                window = Out(len(p.nodes) - 1)
                p.types = [I64]
                it = p.add('IteratorV2', shared_name='', container='', output_types=[I64], output_shapes=[None])
                p.add('MakeIterator', [window, it])
                for _ in range(n):
                    p.add('IteratorGetNext', [it], output_types=[I64], output_shapes=[None])
                yield p.case()


def iterators():
    for get in ('IteratorGetNext', 'IteratorGetNextSync'):
        yield from take(lambda p: p.range(3), 3, 4, get=get)
    yield from take(lambda p: p.range(3), 3, restart=2)
    for op in ('Iterator', 'IteratorV2'):
        p = Pipe()
        p.add(op, shared_name='', container='', output_types=[I64], output_shapes=[[]])
        p.add('IteratorGetNext', [Out(0)], output_types=[I64], output_shapes=[[]])
        yield p.case()
    yield Case('OneShotIterator', dataset_factory='no_such_function', output_types=[I64], output_shapes=[[]])
    yield Case('OneShotIterator', dataset_factory='no_such_function', output_types=[I64], output_shapes=[[], []])
    for types, shapes in ((['float32'], [[]]), ([I64, I64], [[], []]), ([I64], [[2]])):
        p = Pipe()
        d = p.ds('RangeDataset', [i64(0), i64(3), i64(1)], [I64], [[]])
        it = p.add('IteratorV2', shared_name='', container='', output_types=types, output_shapes=shapes)
        p.add('MakeIterator', [d, it])
        yield p.case()
    for types, shapes in (([I64], [[]]), (['float32'], [[]]), ([I64], [[2]]), ([], [])):
        for op in ('IteratorFromStringHandle', 'IteratorFromStringHandleV2'):
            p = Pipe()
            d = p.ds('RangeDataset', [i64(0), i64(3), i64(1)], [I64], [[]])
            it = p.add('IteratorV2', shared_name='', container='', output_types=[I64], output_shapes=[[]])
            p.add('MakeIterator', [d, it])
            p.add('IteratorToStringHandle', [it])
            again = p.add(op, [Out(len(p.nodes) - 1)], output_types=types, output_shapes=shapes)
            p.add('IteratorGetNext', [again], output_types=[I64], output_shapes=[[]])
            yield p.case(meaningless=(('op3', 0),))
    yield Case('IteratorFromStringHandleV2', [np.array('garbage', object)])
    yield Case('IteratorFromStringHandleV2', [np.array(['a'], object)])
    # Another kind of variant than a dataset ends TensorFlow in MakeIterator.
    yield Case('RepeatDataset', [Out(0), i64(1)], nodes=[('OptionalNone', [], {})], output_types=[I64],
               output_shapes=[None])
    for n in (1, 3, 4):
        p = Pipe()
        it = p.iterate(p.range(3), n - 1)
        o = p.add('IteratorGetNextAsOptional', [it], output_types=[I64], output_shapes=[[]])
        p.add('OptionalHasValue', [o])
        yield p.case()
        p.add('OptionalGetValue', [o], output_types=[I64], output_shapes=[[]])
        yield p.case()
    p = Pipe()
    o = p.add('OptionalFromValue', [[values('float32', [2]), values('string', [])]], Toutput_types=['float32', 'string'])
    p.add('OptionalHasValue', [o])
    p.add('OptionalGetValue', [o], output_types=['float32', 'string'], output_shapes=[None, None])
    yield p.case()
    for types in (['float32'], ['float32', I64]):
        p = Pipe()
        o = p.add('OptionalFromValue', [[values('float32', [2]), values('string', [])]], Toutput_types=['float32', 'string'])
        p.add('OptionalGetValue', [o], output_types=types, output_shapes=[None] * len(types))
        yield p.case()
    for n in (0, 1, 2):
        p = Pipe()
        d = p.range(n)
        p.add('DatasetToSingleElement', [d], output_types=[I64], output_shapes=[[]])
        yield p.case()
    for make in (lambda p: p.range(5), lambda p: p.ds('RepeatDataset', [p.range(5), i64(-1)], [I64]),
                 lambda p: p.ds('RepeatDataset', [p.range(0), i64(-1)], [I64]),
                 lambda p: p.ds('RepeatDataset', [p.range(5), i64(3)], [I64]),
                 lambda p: p.ds('TakeDataset', [p.range(5), i64(3)], [I64]),
                 lambda p: p.ds('TakeDataset', [p.range(5), i64(-3)], [I64]),
                 lambda p: p.ds('SkipDataset', [p.range(5), i64(3)], [I64]),
                 lambda p: p.ds('SkipDataset', [p.range(5), i64(9)], [I64]),
                 lambda p: p.ds('SkipDataset', [p.range(5), i64(-1)], [I64]),
                 lambda p: p.ds('BatchDatasetV2', [p.range(5), i64(2), np.array(True)], [I64]),
                 lambda p: p.ds('BatchDatasetV2', [p.range(5), i64(2), np.array(False)], [I64]),
                 lambda p: p.ds('ShardDataset', [p.range(5), i64(2), i64(1)], [I64]),
                 lambda p: p.ds('ConcatenateDataset', [p.range(5), p.range(2)], [I64]),
                 lambda p: p.ds('ZipDataset', [[p.range(5), p.range(2)]], [I64, I64], N=2),
                 lambda p: p.ds('ShuffleDataset', [p.range(5), i64(2), i64(1), i64(1)], [I64]),
                 lambda p: p.ds('PrefetchDataset', [p.range(5), i64(2)], [I64]),
                 lambda p: p.ds('WindowDataset', [p.range(7), i64(3), i64(2), i64(1), np.array(True)], ['variant']),
                 lambda p: p.ds('WindowDataset', [p.range(7), i64(3), i64(2), i64(1), np.array(False)], ['variant']),
                 lambda p: p.slices(values('float32', [4, 2]))):
        p = Pipe()
        d = make(p)
        p.add('ExperimentalDatasetCardinality', [d])
        yield p.case()


def cases():
    for group in (sources, of_files, order, wrapped, shuffled, batched, windows, iterators):
        for case in group():
            yield case
