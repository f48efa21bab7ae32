# cases_sparse_serialize.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sparse tensors as strings and variants, in maps, and crossed."""

import numpy as np

from record_ops import Case, Out, to_array

A = np.array([[0, 0], [0, 3], [1, 1], [3, 2]], np.int64)
SHAPE = np.array([4, 5], np.int64)
F = np.array([1, -2, 3, 4], np.float32)
DTYPES = ['bfloat16', 'float64', 'float32', 'float16', 'int16', 'int32', 'int64', 'int8', 'uint16', 'uint8', 'bool',
          'complex64', 'complex128', 'string']


def some(dtype):
    if dtype == 'string':
        return np.array([b'a', b'', b'x\x00y', b'long'], object)
    return to_array([1, 0, 3, 4], dtype)


def chain(*nodes):
    name, inputs, attrs = nodes[-1]
    return Case(name, inputs, attrs=attrs, nodes=list(nodes[:-1]))


def back(dtype, kind='string', source=None):
    return ('DeserializeSparse', [source or Out(-1)], dict(dtype=dtype, Tserialized=kind))


def serialize_cases():
    for dtype in DTYPES:
        v = some(dtype)
        for op in ['SerializeSparse', 'SerializeManySparse']:
            yield Case(op, [A, v, SHAPE])
            yield chain((op, [A, v, SHAPE], {}), back(dtype))
            yield chain((op, [A, v, SHAPE], dict(out_type='variant')), back(dtype, 'variant'))
        yield chain(('SerializeManySparse', [A, v, SHAPE], {}), ('DeserializeManySparse', [Out(-1)], dict(dtype=dtype)))
    deep = np.array([[0, 0, 1], [0, 1, 0], [2, 1, 1]], np.int64)
    three = np.array([3, 2, 2], np.int64)
    for op in ['SerializeSparse', 'SerializeManySparse']:
        yield Case(op, [A[:0], F[:0], SHAPE])
        yield Case(op, [deep, F[:3], three])
        yield chain((op, [deep, F[:3], three], {}), back('float32'))
        yield Case(op, [A[0], F, SHAPE])
        yield Case(op, [A, F[0], SHAPE])
        yield Case(op, [A, F, SHAPE[0]])
    yield Case('SerializeManySparse', [A[:, :1], F, SHAPE[:1]])
    yield Case('SerializeManySparse', [A[:0], F[:0], np.array([0, 3])])
    one = ('SerializeSparse', [A, F, SHAPE], {})
    two = ('SerializeSparse', [A[:2], -F[:2], SHAPE + [3, -1]], {})
    three = ('SerializeSparse', [deep, F[:3], np.array([3, 2, 2])], {})
    pack = lambda *i: ('Pack', [[Out(k) for k in i]], {})
    yield chain(one, two, pack(0, 1, 0), back('float32'))
    yield chain(one, two, pack(0, 1), pack(2, 2, 2), back('float32'))
    yield chain(one, three, pack(0, 1), back('float32'))
    yield chain(one, back('int32'))
    yield Case('DeserializeSparse', [np.array(b'', object)], dtype='float32')
    yield Case('DeserializeSparse', [np.array([b'', b''], object)], dtype='float32')
    yield Case('DeserializeSparse', [np.zeros([0, 3], object)], dtype='float32')
    yield Case('DeserializeSparse', [np.array([b'\xff\xff', b'', b''], object)], dtype='float32')
    yield Case('DeserializeSparse', [np.array([b'a', b'', b''], object)], dtype='float32')
    m = ('SerializeSparse', [np.zeros([1, 1], np.int64), np.ones([1], np.float32), np.ones([1], np.int64)], {})
    yield chain(m, ('ReverseV2', [Out(-1), np.array([0], np.int32)], {}), back('float32'))


def map_cases():
    add = ('AddSparseToTensorsMap', [A, F, SHAPE], dict(shared_name='m'))
    for dtype in DTYPES:
        many = ('AddManySparseToTensorsMap', [A, some(dtype), SHAPE], dict(shared_name='m_' + dtype))
        yield chain(many, ('TakeManySparseFromTensorsMap', [Out(-1)], dict(dtype=dtype, shared_name='m_' + dtype)))
    take = lambda *v: ('TakeManySparseFromTensorsMap', [np.array(list(v), np.int64)], dict(dtype='float32', shared_name='m'))
    yield chain(add, take(0))
    yield chain(add, add, take(0, 1))
    yield chain(add, add, take(1))
    yield chain(add, take(1))
    yield chain(add, take(0), take(0))
    yield chain(add, add, take(0), add, take(1, 2))
    yield chain(add, ('TakeManySparseFromTensorsMap', [np.array([0])], dict(dtype='int32', shared_name='m')))
    yield chain(add, ('TakeManySparseFromTensorsMap', [np.int64(0)], dict(dtype='float32', shared_name='m')))
    yield chain(add, take())
    yield Case('AddManySparseToTensorsMap', [A[:, :1], F, SHAPE[:1]])
    yield Case('AddSparseToTensorsMap', [A[0], F, SHAPE])


def cross_cases():
    text = np.array([b'a', b'b', b'c', b'd'], object)
    number = np.array([5, -7, 2 ** 40, 0], np.int64)
    other = np.array([[0, 0], [1, 0], [1, 1], [2, 0], [3, 0]], np.int64)
    words = np.array([b'v', b'w', b'', b'y', b'z'], object)
    dense = np.array([[b'p', b'q']] * 4, object)
    count = np.arange(4, dtype=np.int64).reshape(4, 1)

    def cross(indices, values, shapes, denses, **attrs):
        attrs.setdefault('hashed_output', attrs['out_type'] == 'int64')
        attrs.setdefault('internal_type', 'int64' if any(v.dtype != object for v in values + denses) else 'string')
        attrs.setdefault('num_buckets', 0)
        attrs.setdefault('hash_key', 956888297470)
        attrs['dense_types'] = ['string' if d.dtype == object else 'int64' for d in denses]
        attrs['sparse_types'] = ['string' if d.dtype == object else 'int64' for d in values]
        return Case('SparseCross', [indices, values, shapes, denses], attrs, N=len(indices))
    for kind in ('string', 'int64'):
        yield cross([A, other], [text, words], [SHAPE, SHAPE], [], out_type=kind)
        yield cross([A, other], [number, words], [SHAPE, SHAPE], [], out_type=kind)
        yield cross([A, other], [text, words], [SHAPE, SHAPE], [dense], out_type=kind)
        yield cross([A], [text], [SHAPE], [count, dense], out_type=kind)
        yield cross([], [], [], [count, dense], out_type=kind)
        yield cross([A[:0], other], [text[:0], words], [SHAPE, SHAPE], [], out_type=kind)
    yield cross([A, other], [text, words], [SHAPE, SHAPE], [], out_type='int64', num_buckets=10)
    yield cross([A, other], [text, words], [SHAPE, SHAPE], [], out_type='int64', num_buckets=10, hash_key=1)
    yield cross([A[:, :1], other], [text, words], [SHAPE, SHAPE], [], out_type='string')
    yield cross([A, other], [text, words], [SHAPE, SHAPE + 1], [], out_type='string')


def cases():
    for part in (serialize_cases, map_cases, cross_cases):
        for case in part():
            yield case
    # Rows of different ranks.
    rows = [('AddSparseToTensorsMap', [np.zeros((1, rank), np.int64), np.ones(1, np.float32), np.full(rank, 3, np.int64)],
             dict(shared_name='ranks')) for rank in (2, 3)]
    yield Case('TakeManySparseFromTensorsMap', [np.array([0, 1])], dtype='float32', shared_name='ranks', nodes=rows)
