# cases_logging.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Out, to_array
from samples import INF, NAN, NUMBERS, values


def f(*shape):
    return values('float32', list(shape))


def strings(*v):
    return np.array(list(v), object)


def cases():
    data = [np.int32([1, 2, 3, 4]), strings(b'a\x01"\n\\', b'\xff'), np.float32([[1.5, 2], [3, 4]]), np.array(True),
            f(0), f(2, 0), np.float32([1e10, 1e-7, 123456789, 0.1]), np.float64([1 / 3., 1e22, 0.1]),
            to_array([NAN, INF, -INF, -0.0], 'float32'), np.int64([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]), np.array(b'x', object)]
    for summarize in (3, 0, 1, 5, -1, 100):
        yield Case('Assert', [np.array(False), data], summarize=summarize)
    for dtype in NUMBERS + ['bool', 'string']:
        yield Case('Assert', [np.array(False), [values(dtype, [2, 3]), values(dtype, [])]])
    yield Case('Assert', [np.array(True), [f(2)]])
    yield Case('Assert', [np.array([True]), [f(2)]])
    yield Case('Assert', [np.array([False, True]), [f(2)]])
    yield Case('Print', [f(2, 3), [f(2), strings(b'a')]], message='here: ')
    yield Case('Print', [values('string', [2]), []], first_n=1)
    text = [('Const', [], dict(value=np.array(b'x', object), dtype='string'))]
    yield Case('PrintV2', [Out(0)], nodes=text)
    yield Case('PrintV2', [Out(0)], nodes=text, output_stream='nowhere')
    yield Case('Timestamp', checks='shape')
