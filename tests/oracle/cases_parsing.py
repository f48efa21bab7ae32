# cases_parsing.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np
import tensorflow as tf

from record_ops import Case


def example(**features):
    """A serialized Example; lists of float, int or bytes."""
    e = tf.train.Example()
    for key, value in features.items():
        f = e.features.feature[key]
        if value and isinstance(value[0], float):
            f.float_list.value.extend(value)
        elif value and isinstance(value[0], int):
            f.int64_list.value.extend(value)
        else:
            f.bytes_list.value.extend(value)
    return e.SerializeToString()


def strings(*items):
    return np.array(items, object)


def f32(x):
    return np.array(x, np.float32)


FULL = example(x=[1.0, 2.0], n=[7], s=[b'ab', b''], v=[3, 4, 5])
PART = example(x=[3.0, 4.0], n=[8])
WRONG = example(x=[1, 2], n=[7])
SHORT = example(x=[1.0], n=[7])

SPARSE = [(b's', 'string'), (b'v', 'int64')]


def batch(serialized, names=(), defaults=(f32([]), np.array([], np.int64)), sparse=SPARSE):
    return [strings(*serialized), strings(*names), [strings(k).reshape([]) for k, _ in sparse],
            [strings(b'x').reshape([]), strings(b'n').reshape([])], list(defaults)]


def cases():
    more = {'sparse_types': [t for _, t in SPARSE], 'dense_shapes': [[2], []]}
    yield Case('ParseExample', batch([FULL, PART]), **more)
    yield Case('ParseExample', batch([FULL]), **more)
    yield Case('ParseExample', batch([]), **more)
    yield Case('ParseExample', batch([FULL, PART], names=[b'a', b'b']), **more)
    yield Case('ParseExample', batch([b'', FULL], defaults=(f32([9, 9]), np.array(5, np.int64))), **more)
    yield Case('ParseExample', batch([b'']), **more)
    yield Case('ParseExample', batch([WRONG]), **more)
    yield Case('ParseExample', batch([SHORT]), **more)
    yield Case('ParseExample', batch([FULL], sparse=[]), sparse_types=[], dense_shapes=[[2], []])
    single = {'num_sparse': 2, 'sparse_keys': [k for k, _ in SPARSE],
              'sparse_types': [t for _, t in SPARSE], 'dense_keys': ['x', 'n'],
              'dense_shapes': [[2], []]}
    for serialized in (FULL, PART, b'', WRONG, SHORT):
        yield Case('ParseSingleExample', [strings(serialized).reshape([]),
                                          [f32([]), np.array([], np.int64)]], **single)
    yield Case('ParseSingleExample', [strings(b'').reshape([]), [f32([9, 9]), np.array(5, np.int64)]],
               **single)
