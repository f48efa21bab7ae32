# cases_differ_odd.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found among infinite and other odd numbers, complex ones above all: whole vectors and what is left
over at the end of a tensor go different ways."""

import numpy as np

from record_ops import Case, Out, Ref, Var
from samples import INF, NAN, tensor

PAIRS = [(complex(INF, 0), 1 + 1j), (complex(INF, NAN), 1 + 1j), (complex(INF, 0), 1j), (1 + 1j, complex(INF, 0)),
         (0j, complex(INF, INF)), (1 + 1j, 0j), (1 + 1j, complex(INF, NAN)), (complex(INF, INF), 1 + 0j),
         (1 + 2j, complex(1e-30, 1e-30)), (complex(1e30, 1e30), complex(1e30, 1e30)), (complex(NAN, 1), 2 - 1j)]
BINARY = ('Mul', 'Div', 'RealDiv', 'DivNoNan', 'MulNoNan', 'Xdivy', 'Xlogy', 'SquaredDifference', 'SqrtGrad', 'RsqrtGrad',
          'InvGrad', 'ReciprocalGrad', 'TanhGrad', 'SigmoidGrad')
UNARY = ('Reciprocal', 'Inv', 'Square', 'Neg', 'Sqrt', 'Rsqrt', 'Expm1', 'Log1p', 'Sign')


def operands(dtype, shape, k):
    """The pairs in turn, so that each stands in vectors, and some in the rest."""
    n = int(np.prod(shape))
    return tensor(dtype, shape, [PAIRS[i * 7 % len(PAIRS)][k] for i in range(n)])


def cases():
    for dtype, relative in (('complex64', 1e-5), ('complex128', 1e-12)):
        # 35 complex numbers: vectors of four or two, and a rest of three or one.
        for op in BINARY:
            yield Case(op, [operands(dtype, [35], 0), operands(dtype, [35], 1)], relative=relative)
        for op in ('Mul', 'Div'):
            # Vectors go on from row to row.
            yield Case(op, [operands(dtype, [3, 11], 0), operands(dtype, [11], 1)], relative=relative)
            yield Case(op, [operands(dtype, [5, 1], 0), operands(dtype, [1, 11], 1)], relative=relative)
            yield Case(op, [operands(dtype, [35], 0), operands(dtype, [], 1)], relative=relative)
        for op in UNARY:
            for k in (0, 1):
                yield Case(op, [operands(dtype, [35], k)], relative=relative)
        for value in (complex(-1, 0), complex(INF, 0), complex(INF, 1), complex(1e-9, 1e-9)):
            yield Case('Log1p', [tensor(dtype, [], [value])], relative=relative)
            yield Case('Expm1', [tensor(dtype, [], [value])], relative=relative)
        yield Case('Mean', [tensor(dtype, [1, 2], [complex(INF, 2), 0j]), tensor('int32', [], [1])], tolerance=3e-5)
        yield Case('EuclideanNorm', [tensor(dtype, [1, 2], [complex(NAN, 0), 0j]), tensor('int32', [], [1])], tolerance=3e-5)
        yield Case('Prod', [tensor(dtype, [288], [255 + 0j] * 288), tensor('int32', [], [0])], tolerance=3e-5)
    for dtype, n in (('float32', 19), ('float64', 11), ('float16', 19), ('bfloat16', 19)):
        for op in ('Sqrt', 'Rsqrt', 'Neg', 'Reciprocal')[:4 if dtype != 'bfloat16' else 1]:
            yield Case(op, [tensor(dtype, [n], [INF] * n)], relative=2e-3 if n == 19 and dtype != 'float32' else 4e-6)
            # The sign of zeros shows in what they are divided into.
            yield Case('Div', [tensor(dtype, [n], [1.0] * n), Out(0)], nodes=[(op, [tensor(dtype, [n], [0.0] * n)], {})])
    yield Case('EuclideanNorm', [tensor('float32', [9, 2], [INF] * 18), tensor('int32', [], [1])])
    yield Case('Xlogy', [tensor('float64', [3], [3e-308] * 3), tensor('float64', [3], [-1e-310, 0.0, -1.0])])
    # Equal rows leave nothing behind the last pivot.
    for dtype in ('float32', 'float64', 'complex64', 'complex128'):
        for scale in (1.0, 3.0, 1e9):
            rows = np.array([[scale, 0, scale], [0, scale, 0], [scale, 0, scale]])
            for op in ('MatrixDeterminant', 'LogMatrixDeterminant', 'MatrixInverse'):
                yield Case(op, [tensor(dtype, [3, 3], list(rows.ravel()))], tolerance=1e-6)
    for dtype, size in (('complex64', 1e30), ('complex128', 1e200), ('float32', 1e30)):
        yield Case('MatrixDeterminant', [tensor(dtype, [2, 2], [size, 0.0, 0.0, size])])
    for rows in (1, 2, 3):
        for width in (1, 2, 5, 7):
            for op in ('SegmentMean', 'SegmentProd', 'SegmentSum'):
                for dtype in ('complex64', 'complex128'):
                    values = ([complex(-INF, 2), complex(2, 0), complex(1, -1)] * 14)[:rows * width]
                    yield Case(op, [tensor(dtype, [rows, width], values), tensor('int64', [rows], [0] * rows)])
    # No numbers: the one way gives none, the other takes the matrix for nothing.
    for fast in (True, False):
        for values in ([[NAN]], [[1, NAN], [2, 3]], [[INF, 2], [2, 1]], [[1, 2], [3, NAN], [4, 5]], [[1, 2, 3], [4, 5, NAN]]):
            matrix = np.array(values, np.float64)
            yield Case('MatrixSolveLs', [matrix, np.ones([len(values), 1]), np.array(0.0)], fast=fast)
    for op, make in (('ScatterMul', Ref), ('ScatterDiv', Ref), ('ResourceScatterMul', Var), ('ResourceScatterDiv', Var)):
        for dtype in ('complex64', 'complex128'):
            yield Case(op, [make(operands(dtype, [2, 11], 0)), tensor('int32', [2], [1, 0]), operands(dtype, [2, 11], 1)],
                       tolerance=1e-5)
    yield Case('MatrixBandPart', [tensor('uint16', [1, 3], [1, 1, 2]), tensor('int64', [], [0]), tensor('int64', [], [1 - 2 ** 63])])
    for box in ([0.5, 0.0, INF, 2.8], [-1.2, INF, 0.2, 1.4], [NAN, 0.0, 0.5, 0.5], [0.0, -INF, 1.0, INF]):
        yield Case('DrawBoundingBoxes', [tensor('float32', [1, 2, 3, 3], [0.25] * 18), tensor('float32', [1, 1, 4], box)])
    for size in ([0, -2 ** 63], [1, 2 ** 32 + 1], [1, 2 ** 31 - 1]):
        yield Case('RandomCrop', [tensor('uint8', [1, 1, 1], [7]), tensor('int64', [2], size)], producer=7)
    # Colors that are no numbers.
    colors = np.array([[0, 0, NAN], [NAN, 0, 0], [NAN, 1, 0], [1, NAN, 0], [INF, 0, 0], [0, INF, INF], [NAN, NAN, NAN],
                       [0.3, 0.5, INF], [0.3, INF, 1], [-INF, 0, 0]], np.float32)
    for op in ('RGBToHSV', 'HSVToRGB'):
        for dtype in (np.float32, np.float64):
            yield Case(op, [colors.astype(dtype)], tolerance=1e-6)
    for amount in (NAN, INF, 0.5, 2.0):
        yield Case('AdjustSaturation', [colors[None], np.array(amount, np.float32)], tolerance=1e-6)
        yield Case('AdjustSaturation', [np.zeros([1, 1, 3], np.float32), np.array(amount, np.float32)], tolerance=1e-6)
    for op, attrs in (('RequantizationRange', {}), ('QuantizeDownAndShrinkRange', {'out_type': 'quint8'})):
        yield Case(op, [tensor('qint32', [], [-2147483647]), tensor('float32', [], [INF]), tensor('float32', [], [0.0])], attrs)
    # Of a dimension without cells on the dense side.
    for indices, values, dense in (([[0, 0]], [0], [0, 4]), ([], [], [0, 4]), ([[0, 3]], [2], [0, 1]), ([[0, 2]], [2], [1, 0]), ([], [], [0])):
        yield Case('SparseDenseCwiseMul', [np.int64(indices).reshape(-1, 2), np.int32(values), np.int64([1, 4]), np.zeros(dense, np.int32)])
    # Sequences whose labels are all null, and none where there are no classes.
    scores = np.linspace(-2, 2, 24).reshape(4, 2, 3) ** 3
    sparse = [np.int64([[0, 0], [1, 0], [1, 1]]), np.int32([2, 0, 2])]
    for dtype in (np.float32, np.float64):
        for lengths in ([4, 4], [2, 3], [2, 2]):
            yield Case('CTCLoss', [scores.astype(dtype)] + sparse + [np.int32(lengths)], tolerance=1e-5)
        for merge in (True, False):
            yield Case('CTCBeamSearchDecoder', [scores.astype(dtype), np.int32([4, 3])],
                       {'beam_width': 9, 'top_paths': 3, 'merge_repeated': merge}, tolerance=1e-11 if dtype == np.float64 else 1e-6)
    empty = np.zeros([4, 2, 0], np.float32)
    yield Case('CTCLoss', [empty] + sparse + [np.int32([2, -1])])
    yield Case('CTCLoss', [empty] + sparse + [np.int32([1, 1])])
    yield Case('CTCLoss', [empty] + sparse + [np.int32([0, 0])], {'ignore_longer_outputs_than_inputs': True})
    yield Case('CTCLoss', [empty, np.int64([[0, 0]]), np.int32([2]), np.int32([1, 1])])
    # Cells under weights of zero.
    image = np.arange(24, dtype=np.float32).reshape(1, 4, 6, 1)
    image[0, 0, 3] = INF
    image[0, 3, 0] = NAN
    for kernel in ('mitchellcubic', 'lanczos3', 'triangle'):
        for antialias in (True, False):
            attrs = {'kernel_type': kernel, 'antialias': antialias}
            yield Case('ScaleAndTranslate', [image, np.int32([7, 3]), np.float32([1.75, 0.4]), np.float32([0, 0.5])], attrs, tolerance=1e-5)
            yield Case('ScaleAndTranslateGrad', [image, np.zeros([1, 4, 6, 1], np.float32), np.float32([0.2, 0.3]), np.float32([3, 1])], attrs,
                       tolerance=1e-5)
