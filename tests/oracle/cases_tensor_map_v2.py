# cases_tensor_map_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Maps of tensors, and tables of one run, as TensorFlow 2 has them. Several keys at once come in an order of chance."""

import numpy as np

from cases_reader import Chain
from samples import values

TENSORFLOW = '2.15'


def f(v):
    return np.array(v, np.float32)


def s(v):
    return np.array(v, object)


def filled(*items):
    c = Chain()
    h = c.add('EmptyTensorMap')
    for key, value in items:
        h = c.add('TensorMapInsert', [h, key, value])
    return c, h


def asked(op, items, *inputs, **attrs):
    c, h = filled(*items)
    c.add(op, [h] + list(inputs), **attrs)
    return c.case()


def maps():
    for key in (f(1), f([1, 2]), np.int64(7), s('word'), np.array([True, False]), f(np.nan)):
        for value in (f([1, 2, 3]), s(['a', '']), np.int32(5)):
            dtype = 'string' if value.dtype == object else value.dtype.name
            items = [(key, value)]
            yield asked('TensorMapLookup', items, key, value_dtype=dtype)
            yield asked('TensorMapHasKey', items, key)
            yield asked('TensorMapSize', items)
        yield asked('TensorMapStackKeys', items, key_dtype='string' if key.dtype == object else key.dtype.name)
        c, h = filled(*items)
        h = c.add('TensorMapErase', [h, key], value_dtype='int32')
        c.add('TensorMapSize', [h])
        yield c.case()
    twice = [(f(1), f(2)), (f(1), f([3, 4])), (f(2), f(5))]
    yield asked('TensorMapSize', twice)
    yield asked('TensorMapLookup', twice, f(1), value_dtype='float32')
    yield asked('TensorMapHasKey', twice, f(3))
    yield asked('TensorMapLookup', twice, f(3), value_dtype='float32')
    yield asked('TensorMapErase', twice, f([[1, 2], [3, 4]]), value_dtype='float32')
    yield asked('TensorMapLookup', twice, s('x'), value_dtype='float32')
    yield asked('TensorMapStackKeys', [], key_dtype='float32')
    yield asked('TensorMapStackKeys', [(f(1), f(2)), (f([1]), f(3))], key_dtype='float32')
    yield asked('TensorMapStackKeys', twice[:1], key_dtype='float64')
    c = Chain()
    c.add('TensorMapSize', [c.add('EmptyTensorList', [np.int32([]), np.int32(-1)], element_dtype='float32')])
    yield c.case()


def tables():
    for key, value in (('int64', 'float32'), ('string', 'int64'), ('int32', 'int32'), ('int64', 'string')):
        keys = values(key, [3]) if key != 'string' else s(['a', 'b', 'c'])
        if key != 'string':
            keys = np.arange(3).astype(key)
        items = s(['x', 'y', 'z']) if value == 'string' else np.arange(3).astype(value)
        default = s('none') if value == 'string' else np.array(-1).astype(value)
        for op, fill in (('AnonymousHashTable', 'LookupTableImportV2'), ('AnonymousMutableHashTable', 'LookupTableInsertV2')):
            c = Chain()
            t = c.add(op, key_dtype=key, value_dtype=value)
            if op == 'AnonymousHashTable':
                c.add('InitializeTableV2', [t, keys, items], Tkey=key, Tval=value)
            else:
                c.add(fill, [t, keys, items], Tin=key, Tout=value)
            c.add('LookupTableFindV2', [t, keys[::-1], default], Tin=key, Tout=value)
            c.add('LookupTableSizeV2', [t])
            yield c.case()
    for shape in ([2], [], [2, 2]):
        c = Chain()
        t = c.add('AnonymousMutableHashTableOfTensors', key_dtype='int64', value_dtype='float32', value_shape=shape)
        c.add('LookupTableInsertV2', [t, np.arange(2), f([[1, 2], [3, 4]])], Tin='int64', Tout='float32')
        c.add('LookupTableFindV2', [t, np.arange(3), f([9, 9])], Tin='int64', Tout='float32')
        yield c.case()


def cases():
    for part in (maps, tables):
        for case in part():
            yield case
