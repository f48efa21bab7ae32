# cases_cast.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import COMPLEX, INF, NAN, int_limits, values

TYPES = ['bool', 'uint8', 'uint16', 'uint32', 'uint64', 'int8', 'int16', 'int32', 'int64', 'half',
         'float32', 'float64', 'bfloat16', 'qint8', 'quint8', 'qint32'] + COMPLEX
HARD = [NAN, INF, -INF, 1e30, -1e30, 3.7, -3.7, 300., -300., 70000., -70000., 3e9, -3e9, 1.3e19, 0.5,
        0.0, 2147483648.0, -2147483648.0, 9.3e18]


def sample(dtype):
    if dtype in ('half', 'float32', 'float64', 'bfloat16'):
        return to_array(HARD, dtype)
    if dtype in COMPLEX:
        return np.array([1.5 + 2.5j, -3.7 + 300j, 0 + 1j, 1e30 + 0j], dtype)
    if dtype == 'bool':
        return np.array([True, False])
    if dtype.startswith('q'):
        return to_array([0, 1, 100] + ([-5] if dtype != 'quint8' else [200]), dtype)
    return int_limits(dtype)


def cases():
    for src in TYPES:
        for dst in TYPES:
            yield Case('Cast', [sample(src)], DstT=dst)
            if src in ('half', 'float32', 'float64', 'complex64', 'complex128'):
                yield Case('Cast', [sample(src)], DstT=dst, Truncate=True)
    for src, dst in (('float32', 'int32'), ('bool', 'float32'), ('half', 'float64'),
                     ('int64', 'bfloat16'), ('uint8', 'float32')):
        for shape in ([], [0, 3], [2, 3, 217]):
            yield Case('Cast', [values(src, shape, 0, 100)], DstT=dst)
    for dst in ('float32', 'int32', 'string', 'bool'):
        yield Case('Cast', [values('string', [2])], DstT=dst)
    for src in ('float32', 'int32', 'bool'):
        yield Case('Cast', [values(src, [2])], DstT='string')
