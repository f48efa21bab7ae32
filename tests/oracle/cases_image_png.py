# cases_image_png.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import struct
import zlib

import numpy as np

from record_ops import Case


def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data) & 0xffffffff)


def png(width, height, depth, color, rows, palette=None, clear=None, interlace=0):
    """A PNG file of the rows' bytes, each with filter 0."""
    data = b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, depth, color, 0, 0, interlace))
    if palette is not None:
        data += chunk(b'PLTE', palette)
    if clear is not None:
        data += chunk(b'tRNS', clear)
    return data + chunk(b'IDAT', zlib.compress(b''.join(b'\0' + r for r in rows))) + chunk(b'IEND', b'')


def pictures():
    r = np.random.RandomState(7)
    bits = lambda n: bytes(bytearray(r.randint(0, 256, n).tolist()))
    yield png(5, 3, 8, 0, [bits(5) for _ in range(3)])
    yield png(5, 3, 1, 0, [bits(1) for _ in range(3)])
    yield png(5, 3, 4, 0, [bits(3) for _ in range(3)])
    yield png(3, 2, 16, 0, [bits(6) for _ in range(2)])
    yield png(3, 2, 8, 2, [bits(9) for _ in range(2)])
    yield png(3, 2, 16, 2, [bits(18) for _ in range(2)])
    yield png(3, 2, 8, 4, [bits(6) for _ in range(2)])
    yield png(3, 2, 8, 6, [bits(12) for _ in range(2)])
    yield png(3, 2, 16, 6, [bits(24) for _ in range(2)])
    yield png(4, 2, 8, 3, [b'\0\1\2\1', b'\2\2\0\1'], palette=bits(9))
    yield png(4, 2, 2, 3, [b'\x1b', b'\x24'], palette=bits(12))
    yield png(4, 2, 8, 3, [b'\0\1\2\1', b'\2\2\0\1'], palette=bits(9), clear=b'\x10\x80')
    yield png(3, 2, 8, 2, [bytes(bytearray(range(9))), bits(9)], clear=b'\0\0\0\1\0\2')
    yield png(1, 1, 8, 2, [bits(3)], interlace=1)


def cases():
    whole = list(pictures())
    for data in whole:
        for channels in (0, 1, 3, 4):
            yield Case('DecodePng', [np.array(data, object)], channels=channels)
            yield Case('DecodePng', [np.array(data, object)], channels=channels, dtype='uint16')
    good = whole[4]
    for bad in (b'', b'not a png', b'not a png at all, but longer', good[:20], good[:40], good[:60], good[:-20],
                good[:45] + b'x' + good[46:], png(3, 9, 8, 2, [b'123456789']),
                png((1 << 31) - 1, (1 << 31) - 1, 8, 2, [b'']), png(1 << 17, 1 << 17, 8, 2, [b''])):
        yield Case('DecodePng', [np.array(bad, object)])
    yield Case('DecodePng', [np.array([good], object)])
    yield Case('DecodePng', [np.array(good, object)], channels=2)
    yield Case('DecodePng', [np.array(good, object)], channels=5)
    r = np.random.RandomState(8)
    for dtype in ('uint8', 'uint16'):
        for channels in (1, 2, 3, 4):
            image = r.randint(0, 256 if dtype == 'uint8' else 65536, [4, 5, channels]).astype(dtype)
            for compression in (-1, 0, 9):
                yield Case('EncodePng', [image], compression=compression)
    for shape in ([2, 2], [2, 2, 5], [0, 2, 3], [2, 0, 1], [2, 2, 0], [1, 2, 2, 3]):
        yield Case('EncodePng', [np.zeros(shape, 'uint8')])
    for compression in (-2, 10):
        yield Case('EncodePng', [np.zeros([1, 1, 1], 'uint8')], compression=compression)
    yield Case('ReadFile', [np.array(b'no/such/file', object)])
    yield Case('ReadFile', [np.array([b'no/such/file'], object)])
