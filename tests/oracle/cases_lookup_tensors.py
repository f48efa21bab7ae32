# cases_lookup_tensors.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Tables whose values are vectors, and keys taken out of tables."""

import numpy as np

from cases_lookup import chain, i64, make, op, some, text

PAIRS = [('int32', 'float64'), ('int32', 'float32'), ('int32', 'int32'), ('int64', 'float64'), ('int64', 'float32'),
         ('int64', 'int32'), ('int64', 'int64'), ('int64', 'string'), ('string', 'bool'), ('string', 'float64'),
         ('string', 'float32'), ('string', 'int32'), ('string', 'int64')]


def vectors(dtype, n):
    if dtype == 'string':
        return np.array([[b'v%d' % i, b''] for i in range(n)], object)
    return np.arange(2 * n).reshape(n, 2).astype(dtype)


def cases():
    for key, value in PAIRS:
        table = make('MutableHashTableOfTensors', key, value, value_shape=[2])
        types = dict(Tin=key, Tout=value)
        keys = some(key)
        insert = op('LookupTableInsert', keys, vectors(value, 3), **types)
        wanted = np.concatenate([keys[::-1], np.array([b'no'], object) if key == 'string' else np.array([99]).astype(key)])
        yield chain(table, insert, op('LookupTableFind', wanted, vectors(value, 2)[1], **types))
        yield chain(table, insert, op('LookupTableSize'))
        yield chain(table, op('LookupTableInsert', keys[:1], vectors(value, 1), **types),
                    op('LookupTableExport', Tkeys=key, Tvalues=value))
    table = make('MutableHashTableOfTensors', value_shape=[2])
    types = dict(Tin='string', Tout='int64')
    insert = op('LookupTableInsert', text(b'a', b'b'), vectors('int64', 2), **types)
    find = op('LookupTableFind', text(b'a', b'b', b'c'), i64(-1, -2), **types)
    yield chain(table, find)
    yield chain(table, op('LookupTableExport', Tkeys='string', Tvalues='int64'))
    yield chain(table, insert, op('LookupTableFind', text(b'a'), np.int64(1), **types))
    yield chain(table, insert, op('LookupTableFind', text(b'a'), i64(1, 2, 3), **types))
    yield chain(table, insert, op('LookupTableFind', np.array([[b'a', b'z']], object), i64(1, 2), **types))
    yield chain(table, op('LookupTableInsert', text(b'a', b'b'), i64(1, 2), **types))
    yield chain(table, op('LookupTableInsert', text(b'a'), vectors('int64', 2), **types))
    yield chain(table, insert, op('LookupTableImport', text(b'c'), vectors('int64', 1), **types), find)
    yield chain(make('MutableHashTableOfTensors', value_shape=[]), find)
    yield chain(make('MutableHashTableOfTensors', value_shape=[2, 2]), find)
    old = dict(v='')
    yield chain(make('MutableHashTableOfTensors', value_shape=[2], shared_name='old', **old),
                op('LookupTableInsert', text(b'a', b'b'), vectors('int64', 2), Tin='string', Tout='int64', **old),
                op('LookupTableFind', text(b'a', b'b', b'c'), i64(-1, -2), Tin='string', Tout='int64', **old))
    remove = lambda *v: op('LookupTableRemove', text(*v), Tin='string')
    yield chain(table, insert, remove(b'a'), find)
    yield chain(table, insert, remove(b'a', b'x', b'a'), op('LookupTableSize'))
    yield chain(table, remove(b'a'), op('LookupTableSize'))
    plain = make('MutableHashTable')
    fill = op('LookupTableInsert', text(b'a', b'b'), i64(1, 2), **types)
    yield chain(plain, fill, remove(b'b'), op('LookupTableFind', text(b'a', b'b', b'c'), np.int64(-1), **types))
    yield chain(plain, fill, remove(), op('LookupTableSize'))
    yield chain(plain, fill, op('LookupTableRemove', i64(1), Tin='int64'))
    yield chain(make(), op('InitializeTable', text(b'a'), i64(1), Tkey='string', Tval='int64'), remove(b'a'))
