# cases_array_inplace.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Rows written over, cells rolled, places searched, and what old graphs still hold."""

import numpy as np

from record_ops import Case, to_array
from samples import NUMBERS, values

REALS = ['bfloat16', 'half', 'float32', 'double', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16']
i = lambda *v: np.array(v, np.int32)


def inplace():
    for dtype in ('float32', 'double', 'half', 'int32', 'int64', 'uint8', 'complex64', 'bool', 'string', 'bfloat16'):
        x, v = values(dtype, [4, 3]), values(dtype, [3, 3], key=1)
        for op in ('InplaceUpdate', 'InplaceAdd', 'InplaceSub'):
            if dtype in ('bool', 'string') and op != 'InplaceUpdate':
                continue
            # TensorFlow writes into the feed itself.
            yield Case(op, [x.copy(), i(2, 0, -1), v])
            yield Case(op, [x.copy(), i(1, 1, 6), v])
    f = lambda *s: np.ones(s, np.float32)
    for bad in ([f(4, 3), i([1]), f(1, 3)], [f(4, 3), i(1), f(3)], [f(4, 3), i(1), f(1, 2)], [f(4, 3), i(1, 2), f(1, 3)],
                [f(0, 3), i(), f(0, 3)]):
        yield Case('InplaceAdd', bad)
    for dtype in ('float32', 'double', 'half', 'int32', 'int64', 'uint8', 'bool'):
        yield Case('Empty', [i(2, 3)], dtype=dtype, init=True)
        yield Case('Empty', [i(2, 3)], dtype=dtype, checks='shape')
    for bad in (np.int32(3), i(-1, 2), i([2, 3])):
        yield Case('Empty', [bad], dtype='float32', init=True)


def rolls():
    for dtype in NUMBERS + ['bool', 'string']:
        yield Case('Roll', [values(dtype, [3, 4]), i(1, -2), i(0, 1)])
    x = values('float32', [3, 4, 5])
    for shift, axis in ((1, 0), (-1, 2), ([2, 3], [1, 1]), ([7, -9, 5], [0, 1, -1]), ([], []), (0, 1)):
        for s in ('int32', 'int64'):
            for a in ('int32', 'int64'):
                yield Case('Roll', [x, np.array(shift, s), np.array(axis, a)])
    yield Case('Roll', [x[:0], i(1), i(0)])
    for bad in ([np.float32(1), np.int32(1), np.int32(0)], [x, i([1]), i(1)], [x, i(1), i([1])], [x, i(1, 2), i(0)],
                [x, np.int32(1), np.int32(3)], [x, np.int32(1), np.int32(-4)]):
        yield Case('Roll', bad)


def formats():
    for dtype in ('int32', 'int64'):
        x = np.arange(-4, 4).astype(dtype)
        for src, dst in (('NHWC', 'NCHW'), ('NCHW', 'NHWC'), ('NHWC', 'HWNC'), ('NHWC', 'NHWC')):
            yield Case('DataFormatDimMap', [x], src_format=src, dst_format=dst)
            yield Case('DataFormatVecPermute', [np.array([7, 4, 9, 3], dtype)], src_format=src, dst_format=dst)
            yield Case('DataFormatVecPermute', [np.arange(8).reshape([4, 2]).astype(dtype)], src_format=src, dst_format=dst)
    yield Case('DataFormatDimMap', [np.arange(-5, 5).astype(np.int32)], src_format='NDHWC', dst_format='NCDHW')
    for op in ('DataFormatDimMap', 'DataFormatVecPermute'):
        for src, dst in (('NHW', 'NCHW'), ('NHWC', 'NC')):
            yield Case(op, [i(0, 1, 2, 3)], src_format=src, dst_format=dst)
    for bad in (np.int32(1), i(1, 2, 3), i([1, 2], [3, 4]), np.ones([4, 3], np.int32), np.ones([4, 2, 1], np.int32)):
        yield Case('DataFormatVecPermute', [bad])


def searches():
    rows = np.sort(values('float32', [3, 7], 0, 9), 1)
    for dtype in REALS:
        sorted_rows = to_array(np.sort(np.floor(values('float32', [3, 7], 0, 9)), 1), dtype)
        wanted = to_array(np.floor(values('float32', [3, 5], -1 if 'u' not in dtype else 0, 10)), dtype)
        for out_type in ('int32', 'int64'):
            yield Case('LowerBound', [sorted_rows, wanted], out_type=out_type)
            yield Case('UpperBound', [sorted_rows, wanted], out_type=out_type)
    for op in ('LowerBound', 'UpperBound'):
        yield Case(op, [rows, np.array([[np.nan, np.inf]] * 3, np.float32)])
        yield Case(op, [rows[:, :0], rows])
        yield Case(op, [rows, rows[:2]])
        yield Case(op, [rows[:0], rows[:0]])
    for dtype in ('int32', 'int64'):
        a = lambda *v: np.array(v, dtype)
        yield Case('UnravelIndex', [a(22, 5, 0, 59), a(3, 4, 5)])
        yield Case('UnravelIndex', [np.array(22, dtype), a(3, 4, 5)])
        yield Case('UnravelIndex', [a(), a(3, 4)])
        for bad in ([a(60), a(3, 4, 5)], [a([1]), a(3)], [a(1), np.array(3, dtype)]):        # a dim of 0 ends TensorFlow
            yield Case('UnravelIndex', bad)
    for dtype in ('bool', 'half', 'float32', 'double', 'int8', 'int16', 'int32', 'int64'):
        yield Case('CompareAndBitpack', [values(dtype, [2, 3, 16]), np.zeros([], dtype)])
    f = np.ones([2, 8], np.float32)
    for bad in ([f, f[0]], [f[:, :7], np.float32(0)], [np.float32(1), np.float32(0)], [f[:0], np.float32(0)]):
        yield Case('CompareAndBitpack', bad)
    farm = np.array(b'farmhash64', object)
    for dtype in ('float32', 'int64', 'uint8', 'bool', 'complex128', 'string', 'half'):
        yield Case('Fingerprint', [values(dtype, [3, 4, 2]), farm])
        yield Case('Fingerprint', [values(dtype, [5]), farm])
        if dtype != 'string':
            yield Case('Fingerprint', [values(dtype, [3, 0]), farm])
    for bad in ([np.float32(1), farm], [f, np.array([b'farmhash64'], object)], [f, np.array(b'md5', object)]):
        yield Case('Fingerprint', bad)


def old():
    for dtype in ('half', 'float32', 'double'):
        r = lambda *s: values(dtype, s, 0.5, 2)
        for scale in (True, False):
            yield Case('BatchNormWithGlobalNormalizationGrad', [r(2, 3, 4, 3), r(3), r(3), r(3), r(2, 3, 4, 3) * 2],
                       variance_epsilon=0.1, scale_after_normalization=scale, producer=8,
                       tolerance={'half': 2e-2, 'float32': 1e-5}.get(dtype))
    for dtype in ('half', 'float32', 'double'):
        x = values(dtype, [3, 4, 5])
        for axis in (0, -1):
            for exclusive in (True, False):
                for reverse in (True, False):
                    yield Case('CumulativeLogsumexp', [x, np.int32(axis)], exclusive=exclusive, reverse=reverse,
                               tolerance={'half': 1e-2, 'float32': 1e-5, 'double': 1e-12}[dtype])
    yield Case('CumulativeLogsumexp', [np.array([-np.inf, 1, np.inf, 3, np.nan, 2], np.float32), np.int64(0)])
    yield Case('CumulativeLogsumexp', [np.array([-300, 300, 1e30], np.float32), np.int64(0)])
    yield Case('CumulativeLogsumexp', [x, np.int32(3)])


def cases():
    for part in (inplace, rolls, formats, searches, old):
        for case in part():
            yield case
