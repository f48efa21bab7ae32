# cases_ragged.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors."""

import numpy as np

from record_ops import Case, to_array

DTYPES = ['bfloat16', 'float16', 'float32', 'float64', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'int64', 'uint32',
          'uint64', 'complex64', 'complex128', 'bool', 'string', 'qint8', 'quint8', 'qint32']


def some(dtype):
    if dtype == 'string':
        return np.array([b'a', b'', b'c', b'd\x00', b'e', b'f'], object)
    return to_array([1, 0, 1, 0, 1, 1] if dtype == 'bool' else [1, 2, 3, 4, 5, 6], dtype)


def cases():
    long = lambda *v: np.array(list(v), np.int64)
    for dtype in ['float32', 'float64', 'int32', 'int64']:
        a = lambda *v: np.array(list(v), dtype)
        for splits in ['int32', 'int64']:
            yield Case('RaggedRange', [a(0, 5, 8), a(5, 8, 1), a(2, 1, -3)], Tsplits=splits)
        yield Case('RaggedRange', [a(0)[0], a(5, 8, -1), a(2)[0]])
        yield Case('RaggedRange', [a(0)[0], a(5)[0], a(2)[0]])
        yield Case('RaggedRange', [a(0, 1), a(5, 1), a(-2, 3)])
        yield Case('RaggedRange', [a(0, 1), a(5, 1), a(0, 3)])
        yield Case('RaggedRange', [a(), a(), a()])
        yield Case('RaggedRange', [a(0, 1), a(5), a(1, 3)])
        for k in range(3):
            parts = [a(0, 1), a(5, 3), a(1, 3)]
            parts[k] = parts[k].reshape(1, 2)
            yield Case('RaggedRange', parts)
    yield Case('RaggedRange', [np.float32(0), np.float32(1), np.float32(0.1)])
    splits, inner = long(0, 2, 2, 5), long(0, 1, 3, 3, 4, 6)
    for dtype in DTYPES:
        for kind in ['int32', 'int64']:
            yield Case('RaggedGather', [[inner.astype(kind)], some(dtype), np.array([4, 0, 1, 4], kind)],
                       OUTPUT_RAGGED_RANK=1)
        yield Case('RaggedTensorToSparse', [[inner], some(dtype)])
    f = some('float32')
    wide = np.arange(12, dtype=np.float32).reshape(6, 2)
    yield Case('RaggedGather', [[splits, inner], f, long(2, 0, 1)], OUTPUT_RAGGED_RANK=2)
    yield Case('RaggedGather', [[splits, inner], f, long(2, 0, 1, 2).reshape(2, 2)], OUTPUT_RAGGED_RANK=3)
    yield Case('RaggedGather', [[splits, inner], f, np.int64(2)], OUTPUT_RAGGED_RANK=1)
    yield Case('RaggedGather', [[inner], f, np.int64(1)], OUTPUT_RAGGED_RANK=0)
    yield Case('RaggedGather', [[splits, inner], wide, long(0, 2)], OUTPUT_RAGGED_RANK=2)
    yield Case('RaggedGather', [[splits, inner], f, long()], OUTPUT_RAGGED_RANK=2)
    yield Case('RaggedGather', [[splits, inner], f, np.zeros([2, 0], np.int64)], OUTPUT_RAGGED_RANK=3)
    yield Case('RaggedGather', [[splits, inner], f, long(0, 3)], OUTPUT_RAGGED_RANK=2)
    yield Case('RaggedGather', [[splits, inner], f, long(0, -1).reshape(1, 2)], OUTPUT_RAGGED_RANK=3)
    yield Case('RaggedGather', [[long(0, 7)], f, long(0)], OUTPUT_RAGGED_RANK=1)
    yield Case('RaggedGather', [[long(0, 3, 2)], f, long(0, 1)], OUTPUT_RAGGED_RANK=1)
    yield Case('RaggedGather', [[long(-1, 3)], f, long(0)], OUTPUT_RAGGED_RANK=1)
    yield Case('RaggedGather', [[long()], f, long(0)], OUTPUT_RAGGED_RANK=1)
    yield Case('RaggedGather', [[inner], np.float32(1), long(0)], OUTPUT_RAGGED_RANK=1)
    for kind in ['int32', 'int64']:
        yield Case('RaggedTensorToSparse', [[splits.astype(kind), inner.astype(kind)], f])
        yield Case('RaggedTensorToSparse', [[splits.astype(kind), inner.astype(kind)], wide])
    yield Case('RaggedTensorToSparse', [[long(0)], f[:0]])
    yield Case('RaggedTensorToSparse', [[long(0, 0)], f[:0]])
    yield Case('RaggedTensorToSparse', [[long(1, 6)], f])
    yield Case('RaggedTensorToSparse', [[long(0, 5)], f])
    yield Case('RaggedTensorToSparse', [[long()], f])
