# cases_differ_data.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found of accumulators, parsing, sparse and ragged tensors, files and windows and has been mended."""

import itertools

from record_ops import Case, Out
from samples import tensor


# A resource without a name gets a number that counts all sessions.
NAMES = ('differ%d' % i for i in itertools.count())


def sparse_applied(shape, steps, indices, values, known=False, given=(), dtype='float32'):
    """A sparse accumulator of @shape that is given rows, one case of the last."""
    nodes = [('SparseConditionalAccumulator', [], {'dtype': 'float32', 'shape': shape, 'shared_name': next(NAMES)})]
    nodes += [('SparseAccumulatorApplyGradient', [Out(0, 0), tensor('int64', [], [0]), i, v, tensor('int64', [0], [])],
               {'has_known_shape': False}) for i, v in zip(indices[:-1], values[:-1])]
    return Case('SparseAccumulatorApplyGradient',
                [Out(0, 0), tensor('int64', [], [steps]), indices[-1], values[-1], tensor('int64', [len(given)], list(given))],
                {'has_known_shape': known}, nodes=nodes)


def applied(op, make, shape, gradients, step=0):
    """An accumulator that is given gradients, one case of the last."""
    nodes = [(make, [], {'dtype': 'float32', 'shape': shape, 'shared_name': next(NAMES)})]
    nodes += [(op, [Out(0, 0), tensor('int64', [], [0]), g], {}) for g in gradients[:-1]]
    return Case(op, [Out(0, 0), tensor('int64', [], [step]), gradients[-1]], {}, nodes=nodes)


def accumulators():
    one, row = tensor('int64', [1], [0]), tensor('float32', [1, 2], [1.0, 2.0])
    yield sparse_applied([5, 2], 0, [one], [row], True)
    yield sparse_applied([5, 3], 0, [one], [row], True)
    yield sparse_applied([5, 3], 0, [one], [row], True, [5, 3])
    yield sparse_applied([5, 3], 0, [one], [row], True, [4, 3])
    yield sparse_applied([5, 3], 0, [one], [row])
    yield sparse_applied([5, 3, 2], 0, [one], [row])
    yield sparse_applied(None, 0, [one, one], [row, tensor('float32', [1], [1.0])])
    yield sparse_applied(None, 0, [one, one], [row, tensor('float32', [1, 3], [1.0] * 3)])
    yield sparse_applied([2, 2], -2, [tensor('int64', [1], [3])], [row])
    yield sparse_applied([2, 2], 0, [tensor('int64', [1], [3])], [row])
    # TensorFlow goes on after it has told of the dtype, and ends itself where nothing else is wrong.
    for dtype in ('uint8', 'float64', 'int64'):
        yield sparse_applied([2, 2], 0, [tensor('int64', [], [0])], [tensor(dtype, [1, 2], [1, 2])])
    for op, make in (('AccumulatorApplyGradient', 'ConditionalAccumulator'),
                     ('ResourceAccumulatorApplyGradient', 'ResourceConditionalAccumulator')):
        for wrong in (tensor('int64', [1], [0]), tensor('float64', [1], [0.0]), tensor('quint8', [], [1])):
            yield applied(op, make, [3], [wrong])
        yield applied(op, make, [None], [tensor('float32', [1], [0.0]), tensor('float32', [], [0.0])])
        yield applied(op, make, [None], [tensor('float32', [1], [0.0]), tensor('float32', [2], [0.0] * 2)])
        yield applied(op, make, [3], [tensor('float32', [2], [0.0] * 2)])
        yield applied(op, make, [3], [tensor('float32', [2], [0.0] * 2)], -1)


def windows():
    """Windows that begin before the image and are longer than it."""
    yield Case('AvgPool3DGrad', [tensor('int32', [5], [1, 4, 3, 4, 1]), tensor('float32', [1, 2, 1, 2, 1], [2.0, 0.0, 0.0, -3.0])],
               {'ksize': [1, 3, 3, 5, 1], 'padding': 'SAME', 'strides': [1, 3, 3, 3, 1]}, tolerance=6e-05)
    for dtype in ('float32', 'float64', 'float16'):
        yield Case('AvgPoolGrad', [tensor('int32', [4], [2, 4, 3, 3]), tensor(dtype, [2, 2, 1, 3], [1.0, 2.0, 0.0, 4.0, 0.0, 0.0, 8.0, 0.0, -1.0, 0.0, 0.0, -3.0])],
                   {'ksize': [1, 5, 4, 1], 'padding': 'SAME', 'strides': [1, 3, 3, 1]}, tolerance=1e-3 if dtype == 'float16' else 1e-6)
    yield Case('AvgPoolGrad', [tensor('int32', [4], [0] * 4), tensor('float16', [0, 0, 0, 0], [])],
               {'ksize': [1, 2, 3, 1], 'padding': 'VALID', 'strides': [1, 2, 2, 1]})


def cases():
    yield from accumulators()
    yield from windows()
