# cases_segment_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow 2 added to segments of picked rows."""

import numpy as np

from record_ops import Case, to_array

TENSORFLOW = '2.15'


def cases():
    rows = np.arange(6).reshape(3, 2) + 1
    for dtype in ['float32', 'float64', 'float16', 'bfloat16']:
        for kind in ['int32', 'int64']:
            for ids in ['int32', 'int64']:
                yield Case('SparseSegmentSumGrad', [to_array(rows, dtype), np.array([0, 3, 0, 1]).astype(kind),
                                                    np.array([0, 0, 1, 2]).astype(ids), np.int32(5)])
    grad = rows.astype(np.float32)
    index = np.array([0, 3, 0, 1], np.int32)
    ids = np.array([0, 0, 1, 2], np.int32)
    yield Case('SparseSegmentSumGrad', [grad, index, ids, np.int32(3)])
    yield Case('SparseSegmentSumGrad', [grad, index, ids + 1, np.int32(5)])
    yield Case('SparseSegmentSumGrad', [grad, index[:0], ids[:0], np.int32(2)], meaningless=(0,))
    yield Case('SparseSegmentSumGrad', [grad, index[:2], ids, np.int32(5)])
    for op in ('SparseSegmentSumGradV2', 'SparseSegmentMeanGradV2', 'SparseSegmentSqrtNGradV2'):
        for dtype in ['float32', 'float64', 'float16', 'bfloat16']:
            tolerance = {'float16': 2e-3, 'bfloat16': 2e-2}.get(dtype, 3e-6)
            for kind in ['int32', 'int64']:
                for width in ['int32', 'int64']:
                    yield Case(op, [to_array(rows, dtype), np.array([3, 0, 0, 1]).astype(kind),
                                    np.array([0, 0, 1, 2]).astype(width), np.int32(5)], tolerance=tolerance)
        some = lambda *inputs: Case(op, list(inputs))
        yield some(grad, index, ids, np.int32(3))
        yield some(grad, index, ids + 1, np.int32(5))
        yield some(grad, index - 1, ids, np.int32(5))
        yield some(grad, index[:0], ids[:0], np.int32(2))
        yield some(grad[:0], index[:0], ids[:0], np.int32(2))
        yield some(grad, index[:2], ids, np.int32(5))
        yield some(grad, index[:, None], ids, np.int32(5))
        yield some(grad, index, ids[:, None], np.int32(5))
        yield some(grad, index, ids, np.array([5], np.int32))
        yield some(grad, index, ids, np.int32(-1))
        yield some(grad, index, ids[::-1], np.int32(5))
    for op in ('SparseSegmentMean', 'SparseSegmentSqrtN', 'SparseSegmentSum'):
        yield Case(op, [rows.astype(np.float32), np.array([0, 2, 0, 1], np.int64), ids])
