# cases_nn_activation.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Activations and their gradients."""

import numpy as np

from record_ops import Case, to_array

SPECIAL = [-np.inf, -1e30, -20.0, -3.0, -1.0, -0.5, -0.0, 0.0, 1e-8, 0.5, 1.0, 3.0, 5.9, 6.0, 6.5, 15.0, 50.0, 1e30, np.inf,
           np.nan]
REALS = ['float32', 'float64', 'float16', 'bfloat16', 'int32', 'uint8', 'int16', 'int8', 'int64', 'uint16']
TOLERANCE = {'float16': 2e-3, 'bfloat16': 2e-2, 'float64': 1e-12}


def values(dtype, shape, seed):
    rng = np.random.RandomState(seed)
    if dtype.startswith('u'):
        return to_array(rng.randint(0, 12, shape), dtype)
    if dtype.startswith('int'):
        return to_array(rng.randint(-12, 12, shape), dtype)
    return to_array(rng.uniform(-8, 8, shape), dtype)


def cases():
    for op in ['Relu', 'Relu6', 'LeakyRelu', 'Elu', 'Selu', 'Softplus', 'Softsign']:
        dtypes = REALS if op in ('Relu', 'Relu6') else ['float32', 'float64', 'float16']
        if op in ('Softplus', 'Softsign', 'LeakyRelu'):
            dtypes = dtypes + ['bfloat16']
        for dtype in dtypes:
            tolerance = 0 if op == 'LeakyRelu' else TOLERANCE.get(dtype)
            yield Case(op, [values(dtype, [3, 5, 7], 1)], tolerance=tolerance)
            second = values(dtype, [3, 5, 7], 2)
            yield Case(op + 'Grad', [values(dtype, [3, 5, 7], 3), second], tolerance=tolerance)
        yield Case(op, [np.array(SPECIAL, np.float32)])
        yield Case(op, [np.float32(-1.5)])
        yield Case(op, [np.zeros([0, 3], np.float32)])
        yield Case(op + 'Grad', [np.full(len(SPECIAL), 2, np.float32), np.array(SPECIAL, np.float32)])
        yield Case(op + 'Grad', [np.array(SPECIAL, np.float32), np.full(len(SPECIAL), -1, np.float32)])
        yield Case(op + 'Grad', [np.zeros([3], np.float32), np.zeros([4], np.float32)])
    yield Case('LeakyRelu', [values('float32', [20], 5)], alpha=0.5)
    yield Case('LeakyRelu', [values('float32', [20], 5)], alpha=2.0)
    yield Case('LeakyReluGrad', [values('float32', [20], 5), values('float32', [20], 6)], alpha=2.0)
