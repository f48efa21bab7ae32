# cases_array_slice.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Ref, Var
from samples import NUMBERS, values

PLAIN = NUMBERS + ['bool', 'string']
BIG = (1 << 63) - 1


def slices():
    for dtype in PLAIN:
        yield Case('Slice', [values(dtype, [3, 4]), np.int32([1, 0]), np.int32([2, 3])])
        yield Case('Slice', [values(dtype, [5]), np.int64([1]), np.int64([-1])])
    for begin, size in (([3], [4]), ([-1], [1]), ([6], [-1]), ([6], [0]), ([5], [-2]), ([5], [0]),
                        ([0], [5]), ([5, 1], [2]), (1, 2)):
        yield Case('Slice', [values('float32', [5]), np.array(begin, 'int32'), np.array(size, 'int32')])
    yield Case('Slice', [values('float32', []), np.int32([]), np.int32([])])
    yield Case('Slice', [values('float32', [2, 0]), np.int32([0, 0]), np.int32([1, -1])])
    yield Case('Slice', [values('float32', [2, 3, 4]), np.int32([0, 1, 2]), np.int32([2, 1, -1])])


SPECS = [
    # input shape, begin, end, strides, masks
    ([5], [1], [4], [1], {}),
    ([5], [1], [4], [2], {}),
    ([5], [4], [0], [-2], {}),
    ([5], [-2], [10], [1], {}),
    ([5], [0], [0], [-1], dict(begin_mask=1, end_mask=1)),
    ([5], [2], [3], [1], dict(shrink_axis_mask=1)),
    ([5], [-1], [0], [1], dict(shrink_axis_mask=1)),
    ([5], [7], [8], [1], dict(shrink_axis_mask=1)),
    ([5], [-6], [8], [1], dict(shrink_axis_mask=1)),
    ([5], [1], [8], [-1], dict(shrink_axis_mask=1)),
    ([5], [0], [5], [0], {}),
    ([5], [0, 0], [5, 5], [1, 1], {}),
    ([5], [0, 0], [5], [1, 1], {}),
    ([5], 0, 5, 1, {}),
    ([3, 4], [1, 0], [2, 3], [1, 1], {}),
    ([3, 4], [1], [2], [1], {}),
    ([3, 4], [1, 2], [3, 4], [1, 1], {}),
    ([3, 4], [0, 1], [0, 2], [1, 1], dict(begin_mask=1, end_mask=1, shrink_axis_mask=2)),
    ([3, 4], [0, 0], [0, 0], [1, 1], dict(new_axis_mask=1, begin_mask=2, end_mask=2)),
    ([3, 4], [0, 1], [0, 2], [1, 1], dict(ellipsis_mask=1)),
    ([3, 4], [0, 0, 1], [0, 0, 2], [1, 1, 1], dict(ellipsis_mask=1, new_axis_mask=2)),
    ([3, 4], [0, 0], [0, 0], [1, 1], dict(ellipsis_mask=3)),
    ([2, 3, 4], [0, 2], [2, 0], [1, -1], {}),
    ([2, 3, 4], [1, 0, 3], [2, 3, 0], [1, 2, -2], {}),
    ([2, 3, 4], [0, 0, 0, 1], [0, 0, 0, 3], [1, 1, 1, 1], dict(ellipsis_mask=2, shrink_axis_mask=1, new_axis_mask=4)),
    ([0, 3], [0], [1], [1], {}),
    ([3, 0], [1], [2], [1], dict(shrink_axis_mask=1)),
    ([], [], [], [], {}),
    ([], [0], [0], [1], dict(new_axis_mask=1)),
    ([5], [BIG], [-BIG - 1], [-BIG - 1], {}),
    ([5], [BIG], [-BIG - 1], [-BIG], {}),
    ([5], [-BIG], [BIG], [BIG], {}),
]


def strided():
    for shape, begin, end, strides, masks in SPECS:
        large = isinstance(begin, list) and BIG in [abs(v) for v in begin]
        for index in ('int64',) if large else ('int32', 'int64'):
            spec = [np.array(v, index) for v in (begin, end, strides)]
            yield Case('StridedSlice', [values('float32', shape)] + spec, attrs=masks)
    for dtype in PLAIN:
        yield Case('StridedSlice', [values(dtype, [4, 5])] + [np.int32(v) for v in ([3, 1], [0, 5], [-1, 2])])
        yield Case('StridedSliceGrad',
                   [np.int32([4, 5])] + [np.int32(v) for v in ([3, 1], [0, 5], [-1, 2])] + [values(dtype, [3, 2])])
    for shape, dy in (([4], [3]), ([4], [2]), ([[4]], [2]), ([-4], [2]), ([4, 2], [2, 2]), ([2], [2])):
        yield Case('StridedSliceGrad', [np.array(shape, 'int32'), np.int32([0]), np.int32([2]), np.int32([1]),
                                        values('float32', dy)])
    yield Case('StridedSliceGrad', [np.int64([2, 3]), np.int64([1, 0]), np.int64([0, 0]), np.int64([1, 1]),
                                    values('float32', [3])], shrink_axis_mask=1, begin_mask=2, end_mask=2)
    for dtype in PLAIN:
        yield Case('StridedSliceAssign', [Ref(values(dtype, [4, 5]))] +
                   [np.int32(v) for v in ([3, 1], [0, 5], [-1, 2])] + [values(dtype, [3, 2], key=1)])
    for v, value, masks in (([4], [2], {}), ([4], [3], {}), ([4], [1], {}), ([4, 2], [2, 2], {}),
                            ([4], [], dict(shrink_axis_mask=1))):
        spec = [np.int32([0]), np.int32([2]), np.int32([1])]
        yield Case('StridedSliceAssign', [Ref(values('float32', v))] + spec + [values('float32', value)], attrs=masks)
        yield Case('ResourceStridedSliceAssign', [Var(values('float32', v))] + spec + [values('float32', value)],
                   attrs=masks)
    yield Case('StridedSliceAssign', [Ref(None, 'float32')] + spec + [values('float32', [2])])


def reversals():
    for dtype in PLAIN:
        if dtype == 'bfloat16':
            continue
        yield Case('ReverseV2', [values(dtype, [2, 3, 4]), np.int32([0, 2])])
        if dtype not in ('int16', 'uint16'):
            yield Case('Reverse', [values(dtype, [2, 3, 4]), np.array([False, True, True])])
    for axis in ([], [0], [-1], [0, 1], [0, 0], [7], [-3], 0, [[0]]):
        yield Case('ReverseV2', [values('float32', [2, 3]), np.array(axis, 'int32')])
        yield Case('ReverseV2', [values('float32', [2, 3]), np.array(axis, 'int64')])
    for dims in ([True, False], [True, False, True], [[True, False]]):
        yield Case('Reverse', [values('float32', [2, 3]), np.array(dims)])
    yield Case('ReverseV2', [values('float32', []), np.int32([])])
    yield Case('ReverseV2', [values('float32', [0, 3]), np.int32([0])])
    for lengths in ([0, 3], [1, 2], [4, 0], [-1, 0], [1], [[1, 2]]):
        for index in ('int32', 'int64'):
            yield Case('ReverseSequence', [values('float32', [2, 3, 2]), np.array(lengths, index)], seq_dim=1)
    yield Case('ReverseSequence', [values('string', [3, 2]), np.int64([3, 2])], seq_dim=0, batch_dim=1)
    for seq, batch in ((5, 0), (0, 0), (1, 3)):
        yield Case('ReverseSequence', [values('float32', [2, 3]), np.int64([1, 2])], seq_dim=seq, batch_dim=batch)


def cases():
    for group in (slices, strided, reversals):
        for case in group():
            yield case
