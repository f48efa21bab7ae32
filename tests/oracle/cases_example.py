# cases_example.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np
from tensorflow.core.example import example_pb2

from record_ops import Case


def example(**features):
    e = example_pb2.Example()
    for key, value in features.items():
        f = e.features.feature[key]
        if isinstance(value, list) and value and isinstance(value[0], float):
            f.float_list.value.extend(value)
        elif isinstance(value, list) and value and isinstance(value[0], int):
            f.int64_list.value.extend(value)
        elif isinstance(value, list) and value:
            f.bytes_list.value.extend(value)
        elif value == 'empty':
            f.float_list.SetInParent()
    return e.SerializeToString()


def parse(examples, sparse=(), dense=(), names=()):
    """sparse: (key, dtype); dense: (key, default, shape)."""
    rows = np.array(examples, object)
    inputs = [rows, np.array(list(names), object).reshape([len(names)]),
              [np.array(k, object) for k, _ in sparse], [np.array(k, object) for k, _, _ in dense],
              [d for _, d, _ in dense]]
    types = ['string' if d.dtype == object else d.dtype.name for _, d, _ in dense]
    return Case('ParseExample', inputs, Nsparse=len(sparse), Ndense=len(dense), sparse_types=[t for _, t in sparse],
                Tdense=types, dense_shapes=[s for _, _, s in dense])


def floats(*v):
    return np.array(list(v), 'float32')


def cases():
    some = [example(a=[1.0, 2.0], b=[3], c=[b'x', b''], z=[1.5]), example(a=[5.0, 6.0], c=[b'\xff\x00']),
            example(b=[-4, 5, 1 << 40], a=[0.5, 0.25])]
    none = np.zeros([0], 'float32')
    yield parse(some, dense=[(b'a', none, [2])])
    yield parse(some, sparse=[(b'a', 'float32'), (b'b', 'int64'), (b'c', 'string'), (b'q', 'float32')])
    yield parse(some, sparse=[(b'b', 'int64')], dense=[(b'a', none, [2, 1]), (b'b2', np.array([7, 8], 'int64'), [2])])
    yield parse(some, dense=[(b'z', floats(9), [1]), (b'c', np.array([b'd'], object), [None])])
    yield parse(some, dense=[(b'b', np.array([7], 'int64'), [None]), (b'z', floats(-1), [None, 1])])
    yield parse(some, dense=[(b'z', np.float32(3), [])])
    yield parse([], dense=[(b'a', none, [2])], sparse=[(b'b', 'int64')])
    yield parse([b''], sparse=[(b'b', 'int64')], dense=[(b'a', floats(1, 2), [2])])
    yield parse([example(a='empty')], sparse=[(b'a', 'float32')])
    yield parse([example(a='empty')], dense=[(b'a', none, [0])])
    for names in ((), (b'first', b'second', b'third')):
        yield parse(some, dense=[(b'a', none, [3])], names=names)
        yield parse(some, dense=[(b'z', none, [1])], names=names)
        yield parse(some, dense=[(b'b', floats(0), [1])], names=names)
        yield parse(some, sparse=[(b'b', 'string')], names=names)
        yield parse(some, dense=[(b'b', np.array([0], 'int64'), [None, 2])], names=names)
    yield parse(some, dense=[(b'a', none, [2])], names=(b'x',))
    yield parse([b'abc'], dense=[(b'a', none, [2])])
    yield parse(some, dense=[(b'a', floats(1, 2, 3), [2])])
    yield parse(some, dense=[(b'a', floats(1, 2), [None, 2])])
    yield parse(b'', dense=[(b'a', floats(1, 2), [2])])
    # What is not as many values as a feature takes, of each dtype, one example and a batch.
    for value, default in (([b'x', b'', b'y'], np.array([b''], object)), ([1.0, 2.0, 3.0], floats(0)), ([1, 2, 3], np.array([0], 'int64'))):
        for shape in ([2], [None, 2]):
            given = default if shape[0] is None else np.zeros([0], default.dtype)
            yield parse([example(k=value)], dense=[(b'k', given, shape)])
            yield Case('ParseSingleExample', [np.array(example(k=value), object), [given]], num_sparse=0, sparse_keys=[],
                       dense_keys=['k'], sparse_types=[], dense_shapes=[shape],
                       Tdense=['string' if default.dtype == object else default.dtype.name])
