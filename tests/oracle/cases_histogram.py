# cases_histogram.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import NAN, values


def cases():
    for dtype in ('float32', 'float64', 'int32', 'int64'):
        for out in ('int32', 'int64'):
            for shape in ([], [0], [50], [4, 7]):
                yield Case('HistogramFixedWidth', [values(dtype, shape, -3, 12), to_array([0, 10], dtype),
                                                   7], dtype=out)
        for low, high, n in ((2, 1, 5), (0, 1, 0), (0, 1, -3)):
            yield Case('HistogramFixedWidth', [values(dtype, [2]), to_array([low, high], dtype), n])
        yield Case('HistogramFixedWidth', [values(dtype, [2]), to_array([0, 1, 2], dtype), 3])
        yield Case('HistogramFixedWidth', [values(dtype, [2]), to_array([[0, 1]], dtype), 3])
        yield Case('HistogramFixedWidth', [values(dtype, [2]), to_array([0, 1], dtype), [3]])
        for shape in ([], [0], [3, 9]):
            yield Case('Bucketize', [values(dtype, shape, -3, 12)], boundaries=[-1.0, 2.5, 2.5, 7.0])
        yield Case('Bucketize', [values(dtype, [4])], boundaries=[])
        yield Case('Bucketize', [values(dtype, [4])], boundaries=[3.0, 1.0])
    yield Case('Bucketize', [to_array([0.0, 5.0, NAN, 10.0], 'float32')], boundaries=[0.0, 5.0, 10.0])
