# cases_tensor_list.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Lists of tensors in variants. A list cannot be fetched: each chain ends with an op that reads it."""

import numpy as np

from record_ops import Case, Out, to_array

F32 = 'float32'
ANY = np.array(-1, np.int32)


def i32(*v):
    return np.array(list(v), np.int32)


def chain(*nodes):
    name, inputs, attrs = nodes[-1]
    return Case(name, inputs, attrs=attrs, nodes=list(nodes[:-1]))


def op(name, *inputs, **attrs):
    return (name, list(inputs), attrs)


def empty(shape=ANY, limit=-1, dtype=F32):
    return op('EmptyTensorList', shape, np.array(limit, np.int32), element_dtype=dtype)


def reserve(n, shape=ANY, dtype=F32):
    return op('TensorListReserve', shape, np.array(n, np.int32), element_dtype=dtype)


def of(rows, shape=ANY):
    return op('TensorListFromTensor', rows, shape)


def stack(source=None, shape=ANY, dtype=F32, n=-1):
    return op('TensorListStack', source or Out(-1), shape, element_dtype=dtype, num_elements=n)


def get(i, shape=ANY, dtype=F32, source=None):
    return op('TensorListGetItem', source or Out(-1), np.array(i, np.int32), shape, element_dtype=dtype)


def put(i, value, dtype=F32, source=None):
    return op('TensorListSetItem', source or Out(-1), np.array(i, np.int32), value, element_dtype=dtype)


def push(value, source=None, dtype=None):
    attrs = dict(element_dtype=dtype) if dtype else {}
    return op('TensorListPushBack', source or Out(-1), value, **attrs)


def pop(shape=ANY, dtype=F32):
    return op('TensorListPopBack', Out(-1), shape, element_dtype=dtype)


LENGTH = op('TensorListLength', Out(-1))
ROWS = np.arange(6, dtype=np.float32).reshape(3, 2)
DTYPES = ['float16', 'bfloat16', 'float32', 'float64', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'int64', 'complex64',
          'complex128', 'bool', 'string', 'qint8', 'quint8', 'qint32']


def rows_of(dtype):
    if dtype == 'string':
        return np.array([[b'a', b''], [b'x\x00', b'long text'], [b'', b'z']], object)
    return to_array([[1, 0], [3, 4], [5, 1]], dtype)


def element_cases():
    for dtype in DTYPES:
        yield chain(of(rows_of(dtype)), stack(dtype=dtype))
        yield chain(of(rows_of(dtype)), get(1, dtype=dtype))
        yield chain(reserve(2, i32(3), dtype), stack(dtype=dtype))
        yield chain(reserve(2, i32(3), dtype), get(0, dtype=dtype))
        yield chain(empty(dtype=dtype), push(rows_of(dtype)), push(rows_of(dtype)[:1]), pop(dtype=dtype))
    yield chain(empty(), LENGTH)
    yield chain(empty(np.array(3, np.int32)), LENGTH)
    yield chain(empty(np.array(-1, np.int64)), LENGTH)
    yield chain(empty(limit=[1]), LENGTH)
    yield chain(empty(limit=1), push(np.float32(1)), LENGTH)
    yield chain(empty(limit=1), push(np.float32(1)), push(np.float32(2)), LENGTH)
    yield chain(empty(limit=0), push(np.float32(1)), LENGTH)
    yield chain(empty(i32(2)), push(ROWS[0]), push(ROWS[1]), stack())
    yield chain(empty(i32(2)), push(np.float32(1)), LENGTH)
    yield chain(empty(i32(-1, 2)), push(ROWS), stack(shape=i32(3, -1)))
    yield chain(empty(), push(np.int32(1)), LENGTH)
    yield chain(empty(dtype='int32'), push(np.float32(1)), LENGTH)
    yield chain(op('TensorListLength', np.float32(1)))
    for n in (0, 3):
        yield chain(reserve(n), LENGTH)
        yield chain(reserve(n, i32(2)), stack())
        yield chain(reserve(n), stack(shape=i32(2)))
        yield chain(reserve(n), stack())
    yield chain(reserve(3, i32(2)), put(1, ROWS[1]), stack())
    yield chain(reserve(3), put(1, ROWS[1]), stack())
    yield chain(reserve(3), put(1, ROWS[1]), get(0))
    yield chain(reserve(3), put(1, ROWS[1]), get(0, i32(3)))
    yield chain(reserve(3), put(1, ROWS[1]), get(0, i32(2)))
    yield chain(reserve(3), put(1, ROWS[1]), put(2, ROWS), get(0))
    yield chain(reserve(3, i32(2)), put(1, ROWS[1]), get(0, i32(3)))
    yield chain(reserve(3), put(3, ROWS[1]), get(0))
    yield chain(reserve(3), put(-1, ROWS[1]), get(0))
    yield chain(reserve(3, i32(3)), put(0, ROWS[1]), get(0))
    yield chain(reserve(3), put(0, np.int32(1), dtype='int32'), LENGTH)
    yield chain(reserve(3), get(0))
    yield chain(reserve(3), get(0, i32(2)))
    yield chain(reserve(3, i32(-1, 2)), get(0, i32(4, -1)))
    yield chain(reserve(3, i32(-1, 2)), get(0, i32(4, 3)))
    yield chain(reserve(3, i32(-1, 2)), get(0, i32(4)))
    yield chain(reserve(3), get(3))
    yield chain(reserve(3), get(-4, i32(2)))
    yield chain(reserve(3, dtype='int32'), get(0))
    yield chain(of(ROWS), get(2, i32(3)))
    # The list that went into an op is as it was afterwards.
    yield chain(of(ROWS), put(0, -ROWS[0]), stack(source=Out(0)))
    yield chain(of(ROWS), put(0, -ROWS[0]), stack(source=Out(1)))
    yield chain(of(ROWS), push(ROWS[0]), op('TensorListLength', Out(0)))
    yield chain(of(ROWS), push(ROWS[0]), op('TensorListLength', Out(1)))
    yield chain(of(ROWS), pop(), op('TensorListLength', Out(1)))
    yield chain(of(ROWS), pop(), stack(source=Out(0)))
    yield chain(empty(), pop())
    yield chain(reserve(2), pop())
    yield chain(reserve(2), pop(i32(2)))
    yield chain(reserve(2, dtype='int32'), pop())
    for n in (0, 2, 5, -1):
        yield chain(of(ROWS), op('TensorListResize', Out(-1), np.array(n, np.int32)), stack())
    for shape in (ANY, i32(2), i32(-1), i32(), np.array([2, -1], np.int64)):
        for kind in ('int32', 'int64'):
            yield chain(empty(shape), op('TensorListElementShape', Out(-1), shape_type=kind))


def many_cases():
    yield chain(of(ROWS), stack(n=3))
    yield chain(of(ROWS), stack(n=2))
    yield chain(of(ROWS), stack(shape=i32(3)))
    yield chain(of(ROWS), stack(dtype='int32'))
    yield chain(of(ROWS, i32(2)), stack())
    yield chain(of(ROWS, i32(3)), stack())
    yield chain(of(np.float32(1)), stack())
    yield chain(of(np.zeros([0, 2], np.float32)), stack())
    yield chain(of(np.zeros([0, 2], np.float32), i32(2)), stack())
    yield chain(of(np.zeros([2, 0], np.float32)), stack())
    yield chain(empty(), push(ROWS), push(ROWS[:1]), stack())

    def gather(indices, shape=ANY, dtype=F32):
        return op('TensorListGather', Out(-1), indices, shape, element_dtype=dtype)
    yield chain(of(ROWS), gather(i32(2, 0, 2)))
    yield chain(of(ROWS), gather(i32()))
    yield chain(reserve(3), gather(i32()))
    yield chain(reserve(3, i32(2)), gather(i32()))
    yield chain(reserve(3), gather(i32(0, 1)))
    yield chain(reserve(3), gather(i32(0, 1), i32(2)))
    yield chain(reserve(3), put(1, ROWS[0]), gather(i32(0, 1)))
    yield chain(of(ROWS), gather(i32(3)))
    yield chain(of(ROWS, i32(2)), gather(i32(3)))
    yield chain(of(ROWS, i32(2)), gather(i32()))
    yield chain(of(ROWS), gather(i32(0, 3)))
    yield chain(of(ROWS), gather(i32(0), i32(4)))
    yield chain(of(ROWS), gather(i32(0), dtype='int32'))
    yield chain(of(rows_of('string')), gather(i32(2, 0, 2), dtype='string'))

    def scatter(indices, rows=ROWS, shape=ANY, n=None):
        if n is None:
            return op('TensorListScatter', rows, indices, shape)
        return op('TensorListScatterV2', rows, indices, shape, np.array(n, np.int32))
    for n in (None, -1, 5, 3, 2, -2):
        yield chain(scatter(i32(2, 0, 1), n=n), stack())
        yield chain(scatter(i32(4, 0, 1), n=n), stack())
    yield chain(scatter(i32(4, 0, 4)), stack())
    yield chain(scatter(i32(-1, 0, 4)), stack())
    yield chain(scatter(i32(0, 4)), stack())
    yield chain(scatter(i32(0, 1, 2), shape=i32(3)), stack())
    yield chain(scatter(i32(0), rows=np.float32(1)), stack())
    yield chain(scatter(i32(), rows=ROWS[:0]), LENGTH)

    def into(indices, rows=ROWS):
        return op('TensorListScatterIntoExistingList', Out(-1), rows, indices)
    yield chain(of(-ROWS), into(i32(0, 1, 2)), stack())
    yield chain(of(-ROWS), into(i32(2, 1, 2)), stack())
    yield chain(of(-ROWS), into(i32(3, 1, 2)), stack())
    yield chain(of(-ROWS), into(i32(5, 1, 2)), LENGTH)
    yield chain(of(-ROWS), into(i32(2, 1)), LENGTH)
    yield chain(of(-ROWS), into(np.array(2, np.int32)), LENGTH)
    yield chain(of(-ROWS), into(i32(0, 1), rows=ROWS[:2, :1]), LENGTH)
    yield chain(of(-ROWS, i32(2)), into(i32(0, 1), rows=ROWS[:2, :1]), LENGTH)
    yield chain(of(-ROWS), into(i32(0), rows=np.float32(1)), LENGTH)
    yield chain(reserve(2, dtype='int32'), into(i32(0, 1, 2)), LENGTH)


def concat_cases():
    long = lambda *v: np.array(list(v), np.int64)

    def concat(shape=ANY, dims=long(), dtype=F32, which='TensorListConcatV2'):
        return op(which, Out(-1), shape, dims, element_dtype=dtype)

    def old(shape=None, dtype=F32):
        return op('TensorListConcat', Out(-1), element_dtype=dtype, element_shape=shape)
    pieces = (empty(), push(ROWS), push(ROWS[:1]), push(ROWS[:0]))
    uneven = (empty(), push(ROWS), push(ROWS[:, :1]))
    for dtype in DTYPES:
        yield chain(empty(dtype=dtype), push(rows_of(dtype)), push(rows_of(dtype)[:1]), concat(dtype=dtype))
    for what in (concat(), old(), concat(i32(-1, 2)), old([None, 2]), concat(i32(3, 2)), concat(i32(-1, 3)), old([None, 3]),
                 concat(i32(-1, 2), long(7, 7, 7))):
        yield chain(*(pieces + (what,)))
        yield chain(*(uneven + (what,)))
    yield chain(empty(), concat())
    yield chain(empty(), old())
    yield chain(empty(), concat(i32(-1, 2)))
    yield chain(empty(), old([None, 2]))
    yield chain(empty(), concat(i32()))
    yield chain(empty(), push(np.float32(1)), concat())
    yield chain(empty(), push(np.float32(1)), old())
    yield chain(reserve(2, i32(3, 2)), concat())
    yield chain(reserve(2, i32(3, 2)), old())
    yield chain(reserve(2, i32(-1, 2)), concat(dims=long(1, 2)))
    yield chain(reserve(2, i32(-1, 2)), concat(dims=long(1)))
    yield chain(reserve(2, i32(-1, 2)), concat())
    yield chain(reserve(2, i32(-1, 2)), put(0, ROWS), concat())
    yield chain(reserve(2, i32(-1, 2)), put(0, ROWS), concat(dims=long(3, 1)))
    yield chain(reserve(2), concat(dims=long(3, 1)))
    yield chain(reserve(2, i32(3, 2)), concat(dims=long(1)))
    yield chain(reserve(2, i32(3, 2)), concat(dims=long(1, 2)))
    yield chain(reserve(2, i32(-1, 2)), put(0, ROWS), concat(dims=long(3)))
    yield chain(reserve(3, i32(-1, 2)), put(0, ROWS), put(1, ROWS[:1]), concat())
    yield chain(of(ROWS.reshape(3, 2, 1)), concat(dtype='int32'))

    def split(lengths, rows=ROWS, shape=ANY):
        return op('TensorListSplit', rows, shape, lengths)
    yield chain(split(long(1, 2)), get(1))
    yield chain(split(long(1, 2)), concat())
    yield chain(split(long(0, 3)), get(0))
    yield chain(split(long(1, 1)), LENGTH)
    yield chain(split(long(1, 3)), LENGTH)
    yield chain(split(long(4, -1)), LENGTH)
    yield chain(split(long(-1, 4)), LENGTH)
    yield chain(split(np.int64(3)), LENGTH)
    yield chain(split(long(1, 2), shape=i32(-1, 2)), LENGTH)
    yield chain(split(long(1, 2), shape=i32(-1, 3)), LENGTH)
    yield chain(split(long(1, 2), shape=i32()), LENGTH)
    yield chain(split(long(1), rows=np.float32(1)), LENGTH)
    yield chain(split(long(1, 2), rows=rows_of('string')), get(1, dtype='string'))

    def lists(*v):
        return [of(x) for x in v] + [op('Pack', [Out(i) for i in range(len(v))])]
    first = lambda: op('Unpack', Out(-1), num=2, T='variant')
    both = lists(ROWS, -ROWS)
    yield chain(*(both + [op('TensorListPushBackBatch', Out(-1), ROWS[:2]), first(), stack(source=Out(-1, 0))]))
    yield chain(*(both + [op('TensorListPushBackBatch', Out(-1), ROWS[:2]), first(), stack(source=Out(-1, 1))]))
    yield chain(*(both + [op('TensorListPushBackBatch', Out(-1), ROWS[:2]), first(), stack(source=Out(0))]))
    yield chain(*(both + [op('TensorListPushBackBatch', Out(-1), ROWS), first(), stack(source=Out(-1, 0))]))
    yield chain(*(both + [op('TensorListPushBackBatch', Out(-1), np.float32(1)), first(), stack(source=Out(-1, 0))]))
    yield chain(*(both + [op('TensorListPushBackBatch', Out(-1), i32(1, 2)), first(), stack(source=Out(-1, 0))]))
    yield chain(of(ROWS), op('TensorListPushBackBatch', Out(-1), ROWS[:2]), LENGTH)
    fixed = [of(ROWS, i32(2)), of(ROWS, i32(2)), op('Pack', [Out(0), Out(1)])]
    yield chain(*(fixed + [op('TensorListPushBackBatch', Out(-1), ROWS[:2, :1]), first(), LENGTH]))

    def join(a, b, dtype=F32):
        return op('TensorListConcatLists', a, b, element_dtype=dtype)
    yield chain(of(ROWS), of(-ROWS), join(Out(0), Out(1)), stack())
    yield chain(of(ROWS), join(Out(0), Out(0)), stack())
    yield chain(of(ROWS), of(-ROWS, i32(2)), join(Out(0), Out(1)), stack())
    yield chain(of(ROWS), of(-ROWS), join(Out(0), Out(1), 'int32'), stack())
    yield chain(*(both + [join(Out(2), Out(2)), first(), stack(source=Out(-1, 1))]))
    yield chain(*(both + [join(Out(2), Out(0)), first(), stack(source=Out(-1, 1))]))


def math_cases():
    for dtype in DTYPES:
        yield chain(of(rows_of(dtype)), of(rows_of(dtype)), op('AddN', [Out(0), Out(1)]), stack(dtype=dtype))
        yield chain(of(rows_of(dtype)), op('ZerosLike', Out(-1)), stack(dtype=dtype))
    yield chain(of(ROWS), reserve(3), op('AddN', [Out(0), Out(1), Out(0)]), stack())
    yield chain(reserve(3), reserve(3, i32(2)), op('AddN', [Out(0), Out(1)]), stack())
    yield chain(of(ROWS), reserve(2), op('AddN', [Out(0), Out(1)]), stack())
    yield chain(of(ROWS), of(ROWS[:, :1]), op('AddN', [Out(0), Out(1)]), stack())
    yield chain(reserve(3, i32(1)), reserve(3, i32(2)), op('AddN', [Out(0), Out(1)]), stack())
    yield chain(reserve(3), op('ZerosLike', Out(-1)), stack(shape=i32(2)))
    nested = lambda: op('TensorListReserve', ANY, np.array(2, np.int32), element_dtype='variant')
    inner = (of(ROWS), nested(), put(0, Out(0), dtype='variant', source=Out(1)))
    yield chain(*(inner + (get(0, dtype='variant'), stack())))
    yield chain(*(inner + (op('ZerosLike', Out(-1)), get(0, dtype='variant'), stack())))
    yield chain(*(inner + (op('AddN', [Out(-1), Out(-1)]), get(0, dtype='variant'), stack())))
    yield chain(op('TensorListReserve', ANY, np.array(1, np.int32), element_dtype='float32'), op('Identity', Out(-1)), LENGTH)


def cases():
    for part in (element_cases, many_cases, concat_cases, math_cases):
        for case in part():
            yield case
