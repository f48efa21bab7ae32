# cases_nn_bias.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""BiasAdd, BiasAddV1, BiasAddGrad."""

import numpy as np

from record_ops import Case, to_array

DTYPES = ['float32', 'float64', 'float16', 'bfloat16', 'int32', 'uint8', 'int16', 'int8', 'int64', 'uint16',
          'complex64', 'complex128']


def values(dtype, shape, seed):
    rng = np.random.RandomState(seed)
    if dtype.startswith('complex'):
        return to_array(rng.uniform(-2, 2, shape) + 1j * rng.uniform(-2, 2, shape), dtype)
    if 'int' in dtype:
        return to_array(rng.randint(0, 100, shape), dtype)
    return to_array(rng.uniform(-2, 2, shape), dtype)


def cases():
    for dtype in DTYPES:
        tolerance = {'bfloat16': 3e-2, 'float16': 5e-3}.get(dtype)
        for shape in ([4, 3], [2, 5, 3], [2, 3, 4, 3], [2, 1, 2, 2, 3]):
            yield Case('BiasAdd', [values(dtype, shape, 1), values(dtype, [3], 2)], tolerance=tolerance)
            yield Case('BiasAddV1', [values(dtype, shape, 1), values(dtype, [3], 2)], tolerance=tolerance)
            if 'int' not in dtype or dtype in ('int32', 'int64'):
                yield Case('BiasAddGrad', [values(dtype, shape, 1)], tolerance=tolerance)
        yield Case('BiasAdd', [values(dtype, [2, 3, 4, 5], 1), values(dtype, [3], 2)], data_format='NCHW',
                   tolerance=tolerance)
        if 'int' not in dtype:
            yield Case('BiasAddGrad', [values(dtype, [2, 3, 4, 5], 1)], data_format='NCHW', tolerance=tolerance)
    big = values('float32', [3000, 7], 4)
    yield Case('BiasAddGrad', [big], tolerance=1e-4)
    f = lambda *shape: np.ones(shape, np.float32)
    yield Case('BiasAdd', [f(0, 3), f(3)])
    yield Case('BiasAdd', [f(3, 0), f(0)])
    yield Case('BiasAddGrad', [f(0, 3)])
    yield Case('BiasAdd', [f(3), f(3)])
    yield Case('BiasAdd', [f(2, 3), f(2)])
    yield Case('BiasAdd', [f(2, 3), f(1, 3)])
    yield Case('BiasAddV1', [f(2, 3), f(4)])
    yield Case('BiasAddGrad', [f(3)])
