# samples.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Values that cases of many ops share."""

import zlib

import numpy as np

from record_ops import to_array

REAL = ['bfloat16', 'half', 'float32', 'float64']
COMPLEX = ['complex64', 'complex128']
INTS = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16']
NUMBERS = REAL + COMPLEX + INTS

NAN = float('nan')
INF = float('inf')


def rng(*key):
    """The same numbers for the same key, whatever was drawn before."""
    return np.random.RandomState(zlib.crc32(repr(key).encode()) & 0x7fffffff)


def values(dtype, shape, low=-3.0, high=3.0, key=0):
    """Numbers of any numeric dtype in [low, high)."""
    r = rng(dtype, tuple(shape), low, high, key)
    if dtype in COMPLEX:
        x = r.uniform(low, high, shape) + 1j * r.uniform(low, high, shape)
        return x.astype(dtype)
    if dtype == 'bool':
        return r.randint(0, 2, shape).astype(bool)
    if dtype == 'string':
        return np.array([b'ab', b'', b'xyz', b'\xff\x00z'], object)[r.randint(0, 4, shape)]
    if dtype.startswith('uint'):
        low = max(low, 0)
    if 'int' in dtype:
        return to_array(np.floor(r.uniform(low, high, shape)).astype(np.int64), dtype)
    return to_array(r.uniform(low, high, shape), dtype)


def int_limits(dtype):
    info = np.iinfo(dtype)
    return np.array([info.min, info.min + 1, 0, 1, info.max - 1, info.max], dtype)


def tensor(dtype, shape, cells):
    """What differ.py writes down: any dtype of TensorFlow's, cells in a row."""
    if dtype == 'string':
        array = np.empty(len(cells), object)
        array[:] = cells
        return array.reshape(shape)
    wide = np.array(cells, np.uint64) if dtype == 'uint64' else np.array(cells)
    return to_array(wide.reshape(shape), dtype)
