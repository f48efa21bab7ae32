# cases_bitwise.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

from record_ops import Case, to_array
from samples import int_limits, values
from cases_math_binary import SHAPES

INTS = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64']


def cases():
    for op in ('BitwiseAnd', 'BitwiseOr', 'BitwiseXor', 'LeftShift', 'RightShift'):
        for dtype in INTS:
            shift = op in ('LeftShift', 'RightShift')
            for a, b in (SHAPES if dtype == 'int32' else SHAPES[1:3] + SHAPES[7:9]):
                yield Case(op, [values(dtype, a, -100, 100), values(dtype, b, 0, 6, key=1)])
            yield Case(op, [int_limits(dtype), to_array(3 if shift else 85, dtype)])
            if shift and not dtype.startswith('u'):
                yield Case(op, [to_array([5, 5, -5, -5], dtype), to_array([-1, 100, 100, -100], dtype)])
            elif shift:
                yield Case(op, [to_array([5, 5], dtype), to_array([100, 200], dtype)])
        yield Case(op, [values('float32', [2]), values('float32', [2])])
    for dtype in INTS:
        for x in (int_limits(dtype), values(dtype, [], 0, 9), values(dtype, [0]),
                  values(dtype, [3, 5], -50, 50)):
            yield Case('Invert', [x])
            yield Case('PopulationCount', [x])
