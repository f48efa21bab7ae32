# cases_queue.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Only what never waits: TensorFlow would wait for ever. Waiting is tested in C."""

import numpy as np

from record_ops import Case, Out
from samples import values

KINDS = ('FIFOQueue', 'RandomShuffleQueue', 'PaddingFIFOQueue', 'PriorityQueue')


def f(*shape, **more):
    return values('float32', list(shape), **more)


def make(kind='FIFOQueue', types=('float32',), shapes=((2,),), v='V2', **attrs):
    if kind == 'RandomShuffleQueue':
        attrs.setdefault('seed', 7)
        attrs.setdefault('seed2', 11)
    return (kind + v, [], dict(component_types=list(types), shapes=[None if s is None else list(s) for s in shapes], **attrs))


def put(*tensors, **more):
    many = more.pop('many', False)
    return ('QueueEnqueueMany' if many else 'QueueEnqueue') + more.pop('v', 'V2'), [Out(0), list(tensors)], \
        dict(Tcomponents=[t.dtype.name if t.dtype != object else 'string' for t in tensors])


def take(n=None, types=('float32',), up_to=False, v='V2'):
    if n is None:
        return ('QueueDequeue' + v, [Out(0)], dict(component_types=list(types)))
    return (('QueueDequeueUpTo' if up_to else 'QueueDequeueMany') + v, [Out(0), np.array(n, 'int32')],
            dict(component_types=list(types)))


def close(cancel=False, v='V2'):
    return ('QueueClose' + v, [Out(0)], dict(cancel_pending_enqueues=cancel))


def chain(*nodes, **more):
    op, inputs, attrs = nodes[-1]
    return Case(op, inputs, attrs=attrs, nodes=list(nodes[:-1]), **more)


def many(*tensors):
    return put(*tensors, many=True)


def plain():
    for kind in KINDS[:3]:
        yield chain(make(kind), put(f(2)), put(f(2, key=1)), take(), take())
        yield chain(make(kind), many(f(5, 2)), take(3), take(2))
        yield chain(make(kind), many(f(5, 2)), take(0))
        yield chain(make(kind), many(f(5, 2)), ('QueueSizeV2', [Out(0)], {}))
        yield chain(make(kind), many(f(5, 2)), close(), take(7, up_to=True), ('QueueIsClosedV2', [Out(0)], {}))
        yield chain(make(kind), many(f(5, 2)), close(), take(7))
        yield chain(make(kind), close(), take())
        yield chain(make(kind), close(), take(2, up_to=True))
        yield chain(make(kind), close(), put(f(2)))
        yield chain(make(kind), close(), many(f(2, 2)))
        yield chain(make(kind), close(), close())
        yield chain(make(kind), close(), close(True))
        yield chain(make(kind), put(f(3)))
        yield chain(make(kind), put(values('int32', [2])))
        yield chain(make(kind), put(f(2), f(2)))
        yield chain(make(kind), many(f(2)))
        yield chain(make(kind), take(-1))
        yield chain(make(kind), take(-1, up_to=True))
        yield chain(make(kind), many(f(0, 2)), ('QueueSizeV2', [Out(0)], {}))
        yield chain(make(kind), take(0, types=('int32',)))
        yield chain(make(kind, shared_name='_q'))
        yield chain(make(kind, ('float32', 'string'), ((), (2,))), put(f(), values('string', [2])),
                    take(1, types=('float32', 'string')))
        yield chain(make(kind, ('float32', 'int32'), ((), ())), many(f(2), values('int32', [3])))
        yield chain(make(kind, shapes=((2,), (3,))))
    for kind in KINDS[:2]:
        yield chain(make(kind, shapes=()), put(f(2)), take())
        yield chain(make(kind, shapes=()), take(1))
        yield chain(make(kind, ('float32', 'int32'), ()), many(f(2), values('int32', [3])))
        yield chain(make(kind, shapes=((None,),)))


def special():
    yield chain(make('PaddingFIFOQueue', shapes=((None, 2),)), put(f(1, 2)), put(f(3, 2)), put(f(0, 2)), take(3))
    yield chain(make('PaddingFIFOQueue', shapes=((None, None),)), put(f(1, 2)), put(f(3, 1)), take(2))
    yield chain(make('PaddingFIFOQueue', ('string',), ((None,),)), put(values('string', [1])), put(values('string', [3])),
                take(2, types=('string',)))
    yield chain(make('PaddingFIFOQueue', shapes=((None,),)), take(0))
    yield chain(make('PaddingFIFOQueue', shapes=((None, 2),)), put(f(1)))
    yield chain(make('PaddingFIFOQueue', shapes=((None, 2),)), many(f(1)))
    yield chain(make('PaddingFIFOQueue', shapes=()))
    yield chain(make('PaddingFIFOQueue', shapes=(None,)))
    for seeds in ((7, 11), (1, 0), (0, 5), (123456, 654321)):
        random = make('RandomShuffleQueue', ('int32',), ((),), seed=seeds[0], seed2=seeds[1])
        numbers = np.arange(20, dtype='int32')
        yield chain(random, many(numbers), take(13, ('int32',)), take(None, ('int32',)), take(6, ('int32',)))
    yield chain(make('RandomShuffleQueue', ('int32',), ((),), min_after_dequeue=3), many(numbers), take(17, ('int32',)),
                close(), take(3, ('int32',)))
    for capacity, after in ((3, 3), (3, -1), (2, 3)):
        yield chain(make('RandomShuffleQueue', capacity=capacity, min_after_dequeue=after))
    pair = ('int64', 'int32')
    first = np.array([3, 1, 2, 1, 3, 0, 2, 2, 1], 'int64')
    for n in (1, 2, 5, 9):
        yield chain(make('PriorityQueue', ('int32',), ((),)), many(first, np.arange(9, dtype='int32')), take(n, pair))
    yield chain(make('PriorityQueue', ('int32',), ((),)), put(np.int64(4), np.int32(1)), put(np.int64(2), np.int32(2)),
                take(None, pair), put(np.int64(1), np.int32(3)), take(2, pair))
    yield chain(make('PriorityQueue', ('float32',), ((),)), put(np.array([1], 'int64'), f()))
    yield chain(make('PriorityQueue', ('float32',), ((),)), put(f(), f()))
    yield chain(make(capacity=3, shared_name='q'), make(capacity=4, shared_name='q'))
    yield chain(make(shared_name='q2'), make(('RandomShuffleQueue'), shared_name='q2'))
    yield chain(make(shared_name='q3'), make(types=('int32',), shared_name='q3'))
    yield chain(make(shared_name='q4'), make(shapes=((3,),), shared_name='q4'))
    yield chain(make(), ('QueueDequeueV2', [Out(0)], dict(component_types=['float32'], timeout_ms=5)))


def old():
    for kind in KINDS[:3]:
        yield chain(make(kind, v='', shared_name='old_' + kind), put(f(5, 2), many=True, v=''), take(3, v=''), take(v=''),
                    ('QueueSize', [Out(0)], {}))
        yield chain(make(kind, v='', shared_name='old2_' + kind), put(f(2), v=''), close(v=''), take(3, up_to=True, v=''),
                    ('QueueIsClosed', [Out(0)], {}))
    yield chain(make('PriorityQueue', ('int32',), ((),), v='', shared_name='old'), put(np.int64(4), np.int32(1), v=''),
                take(None, ('int64', 'int32'), v=''))


def cases():
    for group in (plain, special, old):
        for case in group():
            yield case
    # A random queue is shared by those alone who draw alike.
    for k, (first, second) in enumerate((({}, {'min_after_dequeue': 5}), ({}, {'seed': 5}), ({}, {'seed2': 5}), ({}, {'seed': 0, 'seed2': 0}),
                                         ({'seed': 0, 'seed2': 0}, {}), ({}, {'min_after_dequeue': 3, 'seed': 5}),
                                         ({}, {'types': ['int32'], 'min_after_dequeue': 3}), ({}, {'shapes': ((3,),), 'seed': 5}))):
        yield chain(make('RandomShuffleQueue', shared_name='draws%d' % k, capacity=9, **first),
                    make('RandomShuffleQueue', shared_name='draws%d' % k, capacity=9, **second), ('QueueSizeV2', [Out(0)], {}))
