# cases_lookup.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Out
from samples import values


def make(kind='HashTable', key='string', value='int64', v='V2', **attrs):
    return (kind + v, [], dict(key_dtype=key, value_dtype=value, **attrs))


def op(name, *inputs, **more):
    v = more.pop('v', 'V2')
    return (name + v, [Out(0)] + list(inputs), more)


def chain(*nodes):
    name, inputs, attrs = nodes[-1]
    return Case(name, inputs, attrs=attrs, nodes=list(nodes[:-1]))


def text(*v):
    return np.array(list(v), object)


def i64(*v):
    return np.array(list(v), 'int64')


PAIRS = [('string', 'int64'), ('string', 'string'), ('string', 'float32'), ('string', 'float64'), ('string', 'int32'),
         ('string', 'bool'), ('int64', 'string'), ('int64', 'int64'), ('int64', 'float32'), ('int32', 'int32'),
         ('int32', 'float64'), ('int32', 'string')]


def some(dtype):
    if dtype == 'string':
        return text(b'a', b'', b'x\x00y')
    return np.array([3, -1, 7]).astype(dtype)


def cases():
    for key, value in PAIRS:
        types = dict(Tin=key, Tout=value)
        init = op('InitializeTable', some(key), some(value), Tkey=key, Tval=value)
        wanted = np.concatenate([some(key)[::-1], np.array([b'no'], object) if key == 'string' else np.array([99]).astype(key)])
        yield chain(make(key=key, value=value), init, op('LookupTableFind', wanted, some(value)[0], **types))
        yield chain(make(key=key, value=value), init, op('LookupTableSize'))
    single = op('InitializeTable', text(b'a'), i64(1), Tkey='string', Tval='int64')
    types = dict(Tin='string', Tout='int64')
    find = op('LookupTableFind', text(b'a', b'b'), np.int64(-1), **types)
    yield chain(make(), find)
    yield chain(make(), op('LookupTableSize'))
    yield chain(make(), single, op('InitializeTable', text(b'b'), i64(2), Tkey='string', Tval='int64'), find)
    yield chain(make(), single, op('InitializeTable', text(b'b', b'c'), i64(2, 3), Tkey='string', Tval='int64'))
    yield chain(make(), op('InitializeTable', text(b'a', b'b'), i64(1), Tkey='string', Tval='int64'))
    yield chain(make(), op('InitializeTable', text(b'a', b'a'), i64(1, 2), Tkey='string', Tval='int64'))
    yield chain(make(), op('InitializeTable', text(b'a', b'a'), i64(1, 1), Tkey='string', Tval='int64'), op('LookupTableSize'))
    yield chain(make(), op('InitializeTable', np.array([[b'a']], object), i64(1), Tkey='string', Tval='int64'))
    yield chain(make(), op('InitializeTable', i64(1), i64(1), Tkey='int64', Tval='int64'))
    yield chain(make(), single, op('LookupTableFind', i64(1), np.int64(0), Tin='int64', Tout='int64'))
    yield chain(make(), single, op('LookupTableFind', text(b'a'), i64(1, 2), **types))
    yield chain(make(), single, op('LookupTableFind', np.array([[b'a', b'q']], object), np.int64(5), **types))
    yield chain(make(), op('LookupTableImport', text(b'a', b'b'), i64(1, 2), **types), find)
    yield chain(make(), op('InitializeTableFromTextFile', np.array(b'no/such/file', object), key_index=-2, value_index=-1))
    table = make('MutableHashTable')
    yield chain(table, find)
    yield chain(table, op('LookupTableInsert', text(b'a', b'b'), i64(1, 2), **types), find)
    yield chain(table, op('LookupTableInsert', text(b'a', b'a'), i64(1, 2), **types), find)
    yield chain(table, op('LookupTableInsert', text(b'a'), i64(1), **types),
                op('LookupTableInsert', text(b'a'), i64(3), **types), op('LookupTableSize'), find)
    yield chain(table, op('LookupTableInsert', text(b'a'), i64(1), **types),
                op('LookupTableImport', text(b'b'), i64(3), **types), find)
    yield chain(table, op('LookupTableInsert', text(b'a'), i64(1), **types),
                op('LookupTableExport', Tkeys='string', Tvalues='int64'))
    yield chain(table, op('LookupTableInsert', text(b'a', b'b'), i64(1), **types))
    old = dict(v='')
    yield chain(make(shared_name='old', **old), op('InitializeTable', text(b'a'), i64(1), Tkey='string', Tval='int64', **old),
                op('LookupTableFind', text(b'a', b'b'), np.int64(-1), Tin='string', Tout='int64', **old),
                op('LookupTableSize', **old))
    yield chain(make('MutableHashTable', shared_name='old2', **old),
                op('LookupTableInsert', text(b'a'), i64(1), Tin='string', Tout='int64', **old),
                op('LookupTableExport', Tkeys='string', Tvalues='int64', **old))
    yield chain(make('MutableHashTable', shared_name='old3', **old),
                op('LookupTableImport', text(b'a'), i64(1), Tin='string', Tout='int64', **old),
                op('LookupTableFind', text(b'a'), np.int64(-1), Tin='string', Tout='int64', **old))
