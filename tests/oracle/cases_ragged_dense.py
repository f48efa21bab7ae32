# cases_ragged_dense.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors filled up to dense ones."""

import numpy as np

from cases_ragged import DTYPES, some
from record_ops import Case, to_array


def cases():
    long = lambda *v: np.array(list(v), np.int64)
    any_shape = np.int64(-1)
    one_of = lambda dtype: np.array(b'-', object) if dtype == 'string' else to_array(1, dtype)

    def fill(values, default, tensors, types, shape=any_shape, **more):
        return Case('RaggedTensorToTensor', [shape, values, default, tensors], row_partition_types=types, **more)
    rowids, splits = long(0, 0, 2, 3, 3, 3), long(0, 2, 2, 3, 6)
    for dtype in DTYPES:
        yield fill(some(dtype), one_of(dtype), [long(4)[0], rowids], ['FIRST_DIM_SIZE', 'VALUE_ROWIDS'])
        yield fill(some(dtype), one_of(dtype), [splits], ['ROW_SPLITS'])
    f, nine = some('float32'), np.float32(9)
    for kind in ('int32', 'int64'):
        for shape in (np.array(-1, kind), np.array([-1, -1], kind), np.array([4, 2], kind), np.array([2, 5], kind),
                      np.array([6, -1], kind), np.array([0, 0], kind)):
            yield fill(f, nine, [splits.astype(kind)], ['ROW_SPLITS'], shape)
            yield fill(f, nine, [np.array(4, kind), rowids.astype(kind)], ['FIRST_DIM_SIZE', 'VALUE_ROWIDS'], shape)
    outer = long(0, 1, 4)
    for shape in (any_shape, long(-1, -1, -1), long(2, 2, 2), long(3, 4, 1)):
        yield fill(f, nine, [outer, splits], ['ROW_SPLITS', 'ROW_SPLITS'], shape)
        yield fill(f, nine, [long(2)[0], long(0, 1, 1, 1), rowids], ['FIRST_DIM_SIZE', 'VALUE_ROWIDS', 'VALUE_ROWIDS'], shape)
        yield fill(f, nine, [outer, rowids], ['ROW_SPLITS', 'VALUE_ROWIDS'], shape)
    wide = np.arange(12, dtype=np.float32).reshape(6, 2)
    for default in (nine, np.array([8, 9], np.float32), np.array([7], np.float32)):
        yield fill(wide, default, [splits], ['ROW_SPLITS'])
        yield fill(wide, default, [splits], ['ROW_SPLITS'], long(-1, 1, 2))
    yield fill(f[:0], nine, [long(0)], ['ROW_SPLITS'])
    yield fill(f[:0], nine, [long(0, 0, 0)], ['ROW_SPLITS'])
    yield fill(f[:0], nine, [long(3)[0], long()], ['FIRST_DIM_SIZE', 'VALUE_ROWIDS'])
    yield fill(f, nine, [rowids], ['VALUE_ROWIDS'])
