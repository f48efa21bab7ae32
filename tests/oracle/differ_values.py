# differ_values.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Random dtypes, shapes and values for differ.py; `r` is always a numpy RandomState."""

import numpy as np
from tensorflow.python.framework import dtypes

from record_ops import to_array

FLOATS = ['bfloat16', 'half', 'float32', 'float64']
COMPLEX = ['complex64', 'complex128']
SIGNED = ['int8', 'int16', 'int32', 'int64']
UNSIGNED = ['uint8', 'uint16', 'uint32', 'uint64']
QUANTIZED = ['qint8', 'quint8', 'qint16', 'quint16', 'qint32']
WORDS = [b'', b'a', b'ab', b'abc', b'A b', b' x ', b'1', b'-2.5', b'nan', b'\xff\x00z', b'\xc3\xa9t\xc3\xa9',
         b'\xe2\x82\xac', b'a,b,,c', b'hello world', b'0x1f', b'1e3', b'T', b'foo.bar']


def pick(r, items):
    return items[r.randint(len(items))]


def draw_shape(r, max_rank=5, max_dim=5, empty=0.08, rank=None):
    """Mostly of low rank; seldom with a 0."""
    if rank is None:
        rank = min(max_rank, pick(r, [0, 1, 1, 2, 2, 2, 3, 3, 4, 5]))
    shape = [int(r.randint(1, max_dim + 1)) for _ in range(rank)]
    if rank == 1 and r.randint(4) == 0:
        # Long enough for vector loops and their rests.
        shape[0] = int(r.randint(6, 70))
    if rank and r.random_sample() < empty:
        shape[r.randint(rank)] = 0
    return tuple(shape)


def broadcast_pair(r, max_rank=5):
    """Two shapes that go together, or, seldom, do not."""
    a = list(draw_shape(r, max_rank))
    b = list(a[r.randint(len(a) + 1):]) if r.randint(2) else list(a)
    for s in (a, b):
        for i in range(len(s)):
            if r.randint(5) == 0:
                s[i] = 1
    if r.randint(30) == 0 and b:
        b[r.randint(len(b))] += 1
    if r.randint(2):
        a, b = b, a
    return tuple(a), tuple(b)


def special(r, dtype, n):
    """n values where arithmetic has its edges."""
    dtype = dtypes.as_dtype(dtype)
    name = dtype.name
    if name == 'string':
        out = np.empty(n, object)
        out[:] = [pick(r, WORDS) for _ in range(n)]
        return out
    if name == 'bool':
        return r.randint(0, 2, n).astype(bool)
    if dtype.is_quantized:
        return draw(r, name, (n,), 'wide')
    if dtype.is_integer:
        info = np.iinfo(dtype.as_numpy_dtype)
        found = [info.min, info.max, 0, 1, info.max - 1, info.min + 1]
        return np.array([found[r.randint(len(found))] for _ in range(n)], dtype.as_numpy_dtype)
    edges = [float('nan'), float('inf'), -float('inf'), 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.0, 1.0]
    values = np.array([pick(r, edges) for _ in range(n)])
    if dtype.is_complex:
        values = values + 1j * np.array([pick(r, edges[3:]) for _ in range(n)])
    return to_array(values, name)


def draw(r, dtype, shape, kind=None):
    """Values of any dtype. kind: plain (-3..3), unit (0..1), small (whole, small), wide (all there
    is), special (edges among plain ones); None: any but wide."""
    name = dtypes.as_dtype(dtype).base_dtype.name
    dtype = dtypes.as_dtype(name)
    shape = tuple(shape)
    n = int(np.prod(shape)) if shape else 1
    kind = kind or pick(r, ['plain', 'plain', 'plain', 'small', 'special'])
    if name == 'string':
        return special(r, name, n).reshape(shape)
    if name == 'bool':
        return r.randint(0, 2, shape).astype(bool) if shape else np.array(bool(r.randint(2)))
    if dtype.is_quantized:
        raw = r.randint(0, 256, n) if name in ('qint8', 'quint8') else r.randint(-30000, 30000, n)
        return to_array(raw.reshape(shape), name)
    if dtype.is_integer:
        info = np.iinfo(dtype.as_numpy_dtype)
        if kind == 'special':
            values = r.randint(max(-5, info.min), 6, n).astype(dtype.as_numpy_dtype)
            where = r.random_sample(n) < 0.3
            values[where] = special(r, name, int(where.sum()))
        elif kind == 'wide':
            values = np.frombuffer(r.bytes(n * dtype.size), dtype.as_numpy_dtype).copy()
        elif kind == 'unit':
            values = r.randint(0, 2, n).astype(dtype.as_numpy_dtype)
        else:
            values = r.randint(max(-5, info.min) if kind == 'plain' else max(-2, info.min), 6, n).astype(dtype.as_numpy_dtype)
        return values.reshape(shape)
    real = lambda: {'unit': lambda: r.uniform(0, 1, n), 'small': lambda: r.randint(-3, 4, n).astype(float),
                    'wide': lambda: r.uniform(-1, 1, n) * 10.0 ** r.randint(-6, 4, n)}.get(
                        kind, lambda: r.uniform(-3, 3, n))()
    values = real()
    if dtype.is_complex:
        values = values + 1j * real()
    values = to_array(values, name)
    if kind == 'special':
        where = r.random_sample(n) < 0.3
        values[where] = special(r, name, int(where.sum()))
    return values.reshape(shape)


def cast(array, dtype):
    """The nearest values of another dtype."""
    dtype = dtypes.as_dtype(dtype)
    old = array.dtype
    if dtype == dtypes.string:
        out = np.empty(array.size, object)
        out[:] = [str(x).encode() for x in array.ravel().tolist()]
        return out.reshape(array.shape)
    if old.kind in 'OUS':
        array = np.array([len(s) for s in array.ravel().tolist()]).reshape(array.shape)
    elif old.names:
        array = np.array([x[0] for x in array.ravel().tolist()]).reshape(array.shape)
    elif old.kind == 'V' or old.kind not in 'biufc':
        array = array.astype(np.float32)
    with np.errstate(all='ignore'):
        if array.dtype.kind == 'c' and not dtype.is_complex:
            array = array.real
        if (dtype.is_integer or dtype.is_quantized) and array.dtype.kind == 'f':
            array = np.nan_to_num(array).clip(-2.0 ** 31, 2.0 ** 31)
        return to_array(array, dtype.name)
