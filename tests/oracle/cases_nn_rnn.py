# cases_nn_rnn.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Blocks of recurrent networks."""

import numpy as np

from record_ops import Case
from samples import values

BATCH, IN, CELL, STEPS = 2, 3, 4, 5
TOLERANCE = {'half': 2e-2, 'float32': 2e-6}


def v(dtype, shape, key=0):
    return values(dtype, shape, -1, 1, key)


def lstm_inputs(dtype, steps=None):
    x = [BATCH, IN] if steps is None else [steps, BATCH, IN]
    shapes = [x, [BATCH, CELL], [BATCH, CELL], [IN + CELL, 4 * CELL], [CELL], [CELL], [CELL], [4 * CELL]]
    return [v(dtype, s, 10 + k) for k, s in enumerate(shapes)]


def lstm():
    for dtype in ('float32', 'half'):
        tolerance = TOLERANCE[dtype]
        for peephole in (True, False):
            cell = lstm_inputs(dtype)
            for attrs in ({}, {'forget_bias': 0.2, 'cell_clip': 0.3}, {'cell_clip': -1.0}):
                yield Case('LSTMBlockCell', cell, attrs, use_peephole=peephole, tolerance=tolerance)
            state = [values(dtype, [BATCH, CELL], 0.1, 0.9, k) for k in range(6)]
            yield Case('LSTMBlockCellGrad', cell + state + [v(dtype, [BATCH, CELL], 7), v(dtype, [BATCH, CELL], 8)],
                       use_peephole=peephole, tolerance=tolerance * 5)
            sequence = lstm_inputs(dtype, STEPS)
            for suffix in ('', 'V2'):
                for n in (STEPS, 2, 0):
                    # What the steps that are not run give is left open but for cs and h.
                    yield Case('BlockLSTM' + suffix, [np.int64(n)] + sequence, use_peephole=peephole, cell_clip=0.4,
                               tolerance=tolerance * 2, meaningless=() if n == STEPS else (0, 2, 3, 4, 5))
                    steps = [values(dtype, [STEPS, BATCH, CELL], 0.1, 0.9, k) for k in range(7)]
                    grads = [v(dtype, [STEPS, BATCH, CELL], k) for k in (7, 8)]
                    yield Case('BlockLSTMGrad' + suffix, [np.int64(n)] + sequence + steps + grads, use_peephole=peephole,
                               tolerance=tolerance * 10)
    good = lstm_inputs('float32')
    for at, shape in ((1, [3, 4]), (2, [3, 4]), (2, [2, 5]), (3, [6, 16]), (3, [7, 15]), (7, [15])):
        yield Case('LSTMBlockCell', good[:at] + [np.ones(shape, np.float32)] + good[at + 1:])
    yield Case('BlockLSTM', [np.int64(2)] + lstm_inputs('float32', 2)[:3] + lstm_inputs('float32')[3:],
               forget_bias=1.0, cell_clip=3.0, tolerance=TOLERANCE['float32'])


def gru():
    shapes = [[BATCH, IN], [BATCH, CELL], [IN + CELL, 2 * CELL], [IN + CELL, CELL], [2 * CELL], [CELL]]
    good = [v('float32', s, 20 + k) for k, s in enumerate(shapes)]
    yield Case('GRUBlockCell', good, tolerance=2e-6)
    yield Case('GRUBlockCell', [np.zeros([0, IN], np.float32), np.zeros([0, CELL], np.float32)] + good[2:])
    state = [values('float32', [BATCH, CELL], 0.1, 0.9, k) for k in range(4)]
    yield Case('GRUBlockCellGrad', good + state, tolerance=5e-6)
    for at, shape in ((1, [3, 4]), (2, [6, 8]), (2, [7, 7]), (3, [6, 4]), (3, [7, 3]), (4, [7]), (5, [3])):
        bad = good[:at] + [np.ones(shape, np.float32)] + good[at + 1:]
        yield Case('GRUBlockCell', bad)
        yield Case('GRUBlockCellGrad', bad + state)
    for at in range(4):
        for shape in ([3, CELL], [BATCH, 3]):
            yield Case('GRUBlockCellGrad', good + state[:at] + [np.ones(shape, np.float32)] + state[at + 1:])


def cases():
    for part in (lstm, gru):
        for case in part():
            yield case
