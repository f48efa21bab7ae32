# cases_string_build.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Strings put together, and bytes unpacked."""

import gzip
import io
import zlib

import numpy as np

from record_ops import Case, to_array


def text(*v):
    return np.array(list(v), object)


def gzipped(data):
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode='wb', mtime=0) as f:
        f.write(data)
    return out.getvalue()


def ngram_cases():
    words = text(b'a', b'bb', b'', b'c', b'd', b'e', b'f')
    for kind in ('int32', 'int64'):
        splits = np.array([0, 3, 3, 4, 7], kind)
        for widths in ([2], [1, 3], [4], [], [2, 5]):
            for pad in (-1, 0, 1, 3):
                for keep in (False, True) if widths else (False,):
                    yield Case('StringNGrams', [words, splits], separator='|', ngram_widths=widths, left_pad='<', right_pad='>>',
                               pad_width=pad, preserve_short_sequences=keep)
    attrs = dict(separator='', ngram_widths=[2], left_pad='', right_pad='', pad_width=0, preserve_short_sequences=False)
    yield Case('StringNGrams', [words, np.array([0, 7], np.int64)], attrs)


def format_cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 2
    one = lambda t, *v, **a: Case('StringFormat', [list(v)], T=a.pop('T'), template=t, **a)
    for n in (3, 1, 0, -1, 2):
        yield one('x %s y', x, T=['float32'], summarize=n)
        yield one('%s', np.arange(10, dtype=np.int32), T=['int32'], summarize=n)
        yield one('%s', text(b'a', b'b"\n', b'c', b'\xff'), T=['string'], summarize=n)
    yield one('%s and %s', np.float64(1.5), np.array([True, False]), T=['float64', 'bool'])
    yield one('{} and {}{}', np.int64(1), np.zeros([2, 0], np.float32), np.int8(-3), T=['int64', 'float32', 'int8'], placeholder='{}')
    yield one('nothing', T=[])
    yield one('%s', T=[])
    yield one('none', np.int64(1), T=['int64'])
    yield one('%s %s', np.int64(1), T=['int64'])
    yield one('%s', np.array(b'one', object), T=['string'])


def cases():
    for part in (ngram_cases, format_cases):
        for case in part():
            yield case
    words = text(b'a', b'bb', b'', b'c', b'd', b'e').reshape(3, 2)
    for ids in ('int32', 'int64'):
        for count in ('int32', 'int64'):
            n = np.array(3, count)
            yield Case('UnsortedSegmentJoin', [words, np.array([2, 0, 2], ids), n], separator='-')
            yield Case('UnsortedSegmentJoin', [words, np.array([[2, 0], [2, 0], [0, 0]], ids), n])
    n = np.int32(2)
    for ids in (np.array([2, 0, 0]), np.array([-1, 0, 0]), np.array([0, 1]), np.int32(0), np.zeros([3, 2, 1], np.int32)):
        yield Case('UnsortedSegmentJoin', [words, ids.astype(np.int32), n])
    yield Case('UnsortedSegmentJoin', [words[:0], np.zeros([0], np.int32), n])
    data = [b'', b'hello', b'abc' * 5000]
    for kind, pack in (('', lambda d: d), ('ZLIB', zlib.compress), ('GZIP', gzipped)):
        yield Case('DecodeCompressed', [text(*[pack(d) for d in data])], compression_type=kind)
        yield Case('DecodeCompressed', [np.array(pack(data[1]), object)], compression_type=kind)
    yield Case('DecodeCompressed', [text(b'x')], compression_type='BZIP')
    for start in (b'junkjunk', b'\x78\x00junk', b'\x79\x1djunk', b'\x88\x1cjunk', b'\x1f\x8b\x07junkjunkjunk'):
        for kind in ('ZLIB', 'GZIP'):
            yield Case('DecodeCompressed', [text(start)], compression_type=kind)
    for dtype in ('float32', 'float64', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'int64'):
        for little in (True, False):
            # TF 1.15 writes a second string of wider cells far behind its output, and fills up with whatever was there.
            for raw in (b'0123456789abcdefgh', b'0123456789abcdef'):
                yield Case('DecodePaddedRaw', [text(raw), np.int32(16)], out_type=dtype, little_endian=little)
            if dtype.endswith('int8'):
                yield Case('DecodePaddedRaw', [text(b'0123456789abcdefgh', b'', b'xy\x00z'), np.int32(16)], out_type=dtype,
                           little_endian=little)
    raw = np.array(b'0123', object)
    yield Case('DecodePaddedRaw', [raw, np.int32(8)], out_type='int32')
    for length in (0, -4, 7, 2):
        yield Case('DecodePaddedRaw', [raw, np.int32(length)], out_type='int32')
    yield Case('DecodePaddedRaw', [raw, np.array([4], np.int32)], out_type='int32')
    yield Case('Fact')
