# cases_debug.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow's own debugger puts into graphs."""

import numpy as np

from record_ops import Case, to_array
from samples import INF, INTS, NAN, REAL, values


def case(op, inputs, **more):
    return Case(op, inputs, tensor_name='a:0', **more)


def cases():
    odd = np.array([[NAN, INF, -INF, 0.0], [1.5, -2.0, 3.0, -0.0]])
    for op in ('Copy', 'CopyHost', 'DebugIdentity'):
        for dtype in ('float32', 'int32', 'string', 'bool'):
            yield case(op, [values(dtype, [2, 3])])
        yield Case(op, [values('float32', [0, 3])], tensor_name='a')
    for dtype in REAL:
        yield case('DebugNanCount', [to_array(odd, dtype)])
    for dtype in INTS:
        yield case('DebugNanCount', [values(dtype, [2, 3])])
    yield case('DebugNanCount', [values('float32', [0])])
    yield case('DebugNanCount', [values('float32', [])])
    for dtype in ('float32', 'float64'):
        yield case('DebugNumericSummary', [odd.astype(dtype)], tolerance=1e-12)
        yield case('DebugNumericSummary', [odd.astype(dtype)], tolerance=1e-12, lower_bound=-2.0, upper_bound=3.0)
        yield case('DebugNumericSummary', [odd.astype(dtype)], tolerance=1e-12, upper_bound=1.0, mute_if_healthy=True)
    for dtype in ('bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'float32'):
        yield case('DebugNumericSummary', [values(dtype, [2, 3, 1])], tolerance=1e-12)
    yield case('DebugNumericSummary', [values('int32', [])], tolerance=1e-12, mute_if_healthy=True)
    yield case('DebugNumericSummary', [values('float32', [0, 2])], tolerance=1e-12)
    yield case('DebugNumericSummary', [np.full([3], NAN, 'float32')], tolerance=1e-12)
    yield case('DebugNumericSummary', [values('int32', [20])], tolerance=1e-12, lower_bound=-1.0)
    for name in ('', 'a', 'a:x', 'a:1:2', 'a:', ':0', 'a:-1', 'a: 1', 'a:99999999999'):
        yield Case('DebugIdentity', [np.float32(1)], tensor_name=name)
