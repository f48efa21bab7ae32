# cases_lookup_dense.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Tables in buckets."""

import numpy as np

from cases_lookup import chain, i64, op, some, text

PAIRS = [('int32', 'float64'), ('int32', 'float32'), ('int32', 'int32'), ('int64', 'float64'), ('int64', 'float32'),
         ('int64', 'int32'), ('int64', 'int64'), ('int64', 'bool'), ('string', 'bool'), ('string', 'float64'),
         ('string', 'float32'), ('string', 'int32'), ('string', 'int64')]


def table(key='int64', value='int64', empty=None, deleted=None, v='V2', **attrs):
    def mark(x, default):
        if x is not None:
            return x
        return np.array(b'mark%d' % default, object) if key == 'string' else np.array(-default).astype(key)
    inputs = [mark(empty, 100)] + ([mark(deleted, 200)] if v else [])
    attrs.setdefault('initial_num_buckets', 4)
    return ('MutableDenseHashTable' + v, inputs, dict(key_dtype=key, value_dtype=value, **attrs))


def cases():
    for key, value in PAIRS:
        types = dict(Tin=key, Tout=value)
        keys = some(key)
        for shape in ([], [2]):
            rows = np.arange(3 * (2 if shape else 1)).reshape([3] + shape).astype(value)
            insert = op('LookupTableInsert', keys, rows, **types)
            wanted = np.concatenate([keys[::-1], np.array([b'no'], object) if key == 'string' else np.array([99]).astype(key)])
            for last in (op('LookupTableFind', wanted, rows[1], **types), op('LookupTableSize'),
                         op('LookupTableExport', Tkeys=key, Tvalues=value)):
                yield chain(table(key, value, value_shape=shape), insert, last)
    types = dict(Tin='int64', Tout='int64')
    insert = lambda *v: op('LookupTableInsert', i64(*v), i64(*v) * 10, **types)
    export = op('LookupTableExport', Tkeys='int64', Tvalues='int64')
    find = lambda *v: op('LookupTableFind', i64(*v), np.int64(-1), **types)
    for n in (1, 3, 4, 6, 7, 20):
        yield chain(table(), insert(*range(0, 7 * n, 7)), op('LookupTableSize'))
        yield chain(table(), insert(*range(0, 7 * n, 7)), find(0, 7, 14, 3))
    yield chain(table(), insert(4, 8, 12), export)
    yield chain(table(initial_num_buckets=8), insert(8, 16, 24, 3), export)
    yield chain(table(), insert(1), insert(1), op('LookupTableSize'))
    yield chain(table(), insert(1, 2), op('LookupTableRemove', i64(1, 5), Tin='int64'), find(1, 2))
    yield chain(table(), insert(1, 2), op('LookupTableRemove', i64(1, 5), Tin='int64'), op('LookupTableSize'))
    for bad in (-100, -200):
        yield chain(table(), insert(bad), op('LookupTableSize'))
        yield chain(table(), find(bad))
        yield chain(table(), op('LookupTableRemove', i64(bad), Tin='int64'), op('LookupTableSize'))
    size = op('LookupTableSize')
    yield chain(table(initial_num_buckets=3), size)
    yield chain(table(initial_num_buckets=2), size)
    yield chain(table(max_load_factor=0), size)
    yield chain(table(max_load_factor=1.5), size)
    yield chain(table(empty=np.int64(1), deleted=np.int64(1)), size)
    yield chain(table(empty=np.int64(1), deleted=i64(1)), size)
    yield chain(table(empty=np.zeros([1, 1], np.int64), deleted=np.ones([1, 1], np.int64)), size)
    yield chain(table(value_shape=[2, 2]), size)
    yield chain(table(), op('LookupTableFind', i64(1), i64(1, 2), **types))
    yield chain(table(), op('LookupTableInsert', i64(1), i64(1, 2), **types))
    old = dict(v='')
    yield chain(table(shared_name='old', **old), op('LookupTableInsert', i64(1, 2), i64(3, 4), v='', **types),
                op('LookupTableFind', i64(1, 2, 3), np.int64(-1), v='', **types))
    # What one table exported another takes, free buckets and all.
    keys, rows = i64(-100, -100, -100, 11, -100, 13, 14, -100)[:, None], i64(0, 0, 0, 1, 0, 2, 3, 0)[:, None]
    for last in (size, find(14, 11, 12, 13), export):
        yield chain(table(initial_num_buckets=16), insert(11, 15), op('LookupTableImport', keys, rows, **types), last)
