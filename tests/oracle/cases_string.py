# cases_string.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, to_array
from samples import COMPLEX, INF, NAN, int_limits, values


def text(*v):
    return np.array(list(v), object)


def one(v):
    return np.array(v, object)


def joins():
    a = text(b'a', b'', b'\xff\x00c')
    yield Case('StringJoin', [[a, a]])
    yield Case('StringJoin', [[a, one(b'-'), a]], separator='+')
    yield Case('StringJoin', [[one(b'x')]])
    yield Case('StringJoin', [[one(b'x'), one(b'y')]], separator=', ')
    yield Case('StringJoin', [[a, text(b'x', b'y')]])
    yield Case('StringJoin', [[np.zeros([0], object), one(b'y')]])
    m = np.array([[b'abc', b'de'], [b'x', b'y']], object)
    cube = np.array([[[b'a', b'b'], [b'c', b'd']], [[b'e', b'f'], [b'g', b'h']]], object)
    for indices in ([0, 1], [1, 0], [0, 0], [0], [-1], 1, [], [3], [-3]):
        for keep in (True, False):
            yield Case('ReduceJoin', [m, np.array(indices, 'int32')], separator='-', keep_dims=keep)
    yield Case('ReduceJoin', [cube, np.int32([2, 0])])
    yield Case('ReduceJoin', [cube, np.int32([1])], separator='.')
    yield Case('ReduceJoin', [np.zeros([0, 2], object), np.int32(0)], separator='-')
    yield Case('ReduceJoin', [np.zeros([2, 0], object), np.int32(1)])
    yield Case('ReduceJoin', [one(b'x'), np.zeros([0], 'int32')])


def cuts():
    lines = text(b'a b  c', b'', b' x,y; ', b'abc')
    for delimiter in (b' ', b'', b',;', b' ,', b'zz'):
        for skip in (True, False):
            yield Case('StringSplit', [lines, one(delimiter)], skip_empty=skip)
        for maxsplit in (-1, 0, 1, 2):
            yield Case('StringSplitV2', [lines, one(delimiter)], maxsplit=maxsplit)
    yield Case('StringSplit', [np.array([[b'a']], object), one(b' ')])
    yield Case('StringSplit', [text(b'a'), text(b' ', b'x')])
    yield Case('StringSplit', [np.zeros([0], object), one(b' ')])
    yield Case('StringSplitV2', [text(b'1<><>2<>3', b'<>4<>5<><>6<>'), one(b'<>')])
    words = text(b'abc', b'de')
    for pos, length in (([1, 0], [1, 5]), ([-1, -2], [1, 1]), (1, 1), (-2, 1), (4, 1), ([0, 3], [1, 1]), ([1, 0], [1, -2]),
                        ([[1], [2]], [[1], [2]]), ([1, 1, 1], [1, 1, 1]), ([2, 2], [1, 1])):
        for index in ('int32', 'int64'):
            yield Case('Substr', [words, np.array(pos, index), np.array(length, index)])
    russian = text(u'\u043f\u0440\u0438\u0432'.encode('utf-8'), b'abcd')
    for pos, length in ((1, 2), (-3, 2), (0, 9)):
        yield Case('Substr', [russian, np.int32(pos), np.int32(length)], unit='UTF8_CHAR')
    for unit in ('BYTE', 'UTF8_CHAR'):
        yield Case('StringLength', [russian], unit=unit)
        yield Case('StringLength', [text(b'', b'\x00x')], unit=unit)
    mixed = text(b' \tAb C\n', b'', u'\u00c4\u00e4 B'.encode('utf-8'))
    for encoding in ('', 'utf-8'):
        yield Case('StringLower', [mixed], encoding=encoding)
        yield Case('StringUpper', [mixed], encoding=encoding)
    yield Case('StringLower', [mixed], encoding='latin1')
    yield Case('StringStrip', [mixed])


def hashes():
    r = np.random.RandomState(1)
    data = np.array([bytes(bytearray(r.randint(0, 256, n))) for n in list(range(0, 40)) + [63, 64, 65, 100, 127, 128, 129, 200, 256]],
                    object)
    for n in (1, 10, (1 << 62)):
        yield Case('StringToHashBucket', [data], num_buckets=n)
        yield Case('StringToHashBucketFast', [data], num_buckets=n)
        yield Case('StringToHashBucketStrong', [data], num_buckets=n, key=[123, 456])
    yield Case('StringToHashBucketStrong', [data], num_buckets=5, key=[1])
    yield Case('StringToHashBucketStrong', [data], num_buckets=1 << 62, key=[-5, 98765432123456789])


def numbers():
    good = text(b'1', b' -2 ', b'0', b'2147483647', b'-2147483648')
    for out in ('int32', 'int64', 'float32', 'float64'):
        yield Case('StringToNumber', [good], out_type=out)
        for bad in (b'', b'two', b'12 3', b'1.5.5', b'-', b'+5', b'0x', b'--1', b'1e999', b'2147483648', b'1180591620717411303424'):
            if not (bad == b'+5' and out.startswith('float')):
                yield Case('StringToNumber', [text(bad)], out_type=out)
    for out in ('float32', 'float64'):
        yield Case('StringToNumber', [text(b'1e40', b'nan', b'inf', b'-inf', b'1e-50', b'.5', b'5.', b'0.1', b'16777217', b'1E3')],
                   out_type=out)
    for dtype in ('int8', 'int16', 'int32', 'int64'):
        yield Case('AsString', [int_limits(dtype)])
        yield Case('AsString', [int_limits(dtype)], width=8, fill='0')
    for dtype in ['float32', 'float64'] + COMPLEX:
        x = values(dtype, [6], -1e3, 1e3)
        for attrs in ({}, dict(precision=2), dict(scientific=True), dict(shortest=True), dict(width=12, fill='+'),
                      dict(width=14, precision=3, scientific=True, fill='0'), dict(precision=0), dict(precision=0, fill='#')):
            yield Case('AsString', [x], attrs=attrs)
    yield Case('AsString', [to_array([NAN, INF, -INF, 0.0, -0.0], 'float32')])
    yield Case('AsString', [np.array([True, False])])
    yield Case('AsString', [np.array([True, False])], width=7)
    for attrs in (dict(scientific=True), dict(shortest=True), dict(precision=2), dict(fill='ab'), dict(fill='n'), dict(fill=' '),
                  dict(fill='-', width=5), dict(width=5)):
        yield Case('AsString', [np.int32([1, -2])], attrs=attrs)
    yield Case('AsString', [np.float32([1])], scientific=True, shortest=True)


def cases():
    for group in (joins, cuts, hashes, numbers):
        for case in group():
            yield case
