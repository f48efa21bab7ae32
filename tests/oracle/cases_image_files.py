# cases_image_files.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""JPEG, GIF and BMP pictures, read and written."""

import base64
import struct

import numpy as np
import tensorflow.compat.v1 as tf

from record_ops import Case
from samples import rng

# Nine by six cells of four inks, written by libjpeg: as CMYK, as YCCK, and without the marker that says
# how the inks count.
CMYK = (b'/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJT'
        b'UjI+WmFaUGBKUVJP/8AAFAgABgAJBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAIFA//EACoQAAICAAMGBQUAAAAA'
        b'AAAAAAECAxEABBIFEzFBVZQGFBYi0iRCk9Hj/9oADgRDAE0AWQBLAAA/AAFVdlQ5mGMtC0BaNDIVG70vSlSGAOmJhY5ysRXMwrHm'
        b'IJZcmiplomXeR+6MyDdFwLBIvQiqTX3SDgRjPL1LP9PpWc5d3Cug0oFQOV1LRIK7lDfEBuF2RKY49LMpHvV442AlU6tDAEmjQZ4R'
        b'Q5Rmqujt5XbnVo+2i+GK/ldudWj7aL4Yr+l8/wBcz/dSfvEz1dkOo+Ify/0x/9k=')
YCCK = (b'/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJT'
        b'UjI+WmFaUGBKUVJP/9sAQwEODg4TERMmFRUmTzUtNU9PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P'
        b'T09PT09P/8AAFAgABgAJBAEiAAIRAQMRAQQiAP/EABYAAQEBAAAAAAAAAAAAAAAAAAACBf/EACgQAAIBAwEFCQAAAAAAAAAAAAEC'
        b'AwAREgQFBhNVkxQWISJBUWLS4//EABUBAQEAAAAAAAAAAAAAAAAAAAID/8QAGBEAAwEBAAAAAAAAAAAAAAAAAQIRAAP/2gAOBAEA'
        b'AhEDEQQAAD8AqVni1Qh1TlpmYgSAB8W4gUnxANs3LAfBPaszt2xeUN15PtSlDo7IYpmsgEuiUxx4sykedXjjYCVTlgwBJsbBnhFh'
        b'6Rm1r2OZ3u0HMd4er+lKV//Z')
CMYK_PLAIN = (b'/9j/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wAAU'
        b'CAAGAAkEQxEATREAWREASxEA/8QAFgABAQEAAAAAAAAAAAAAAAAAAgUD/8QAKhAAAgIAAwYFBQAAAAAAAAAAAQIDEQAEEgUTMUFV'
        b'lAYUFiLSJEKT0eP/2gAOBEMATQBZAEsAAD8AAVV2VDmYYy0LQFo0MhUbvS9KVIYA6YmFjnKxFczCseYgllyaKmWiZd5H7ozIN0XA'
        b'sEi9CKpNfdIOBGM8vUs/0+lZzl3cK6DSgVA5XUtEgruUN8QG4XZEpjj0syke9XjjYCVTq0MASaNBnhFDlGaq6O3ldudWj7aL4Yr+'
        b'V251aPtovhiv6Xz/AFzP91J+8TPV2Q6j4h/L/TH/2Q==')


def file(data):
    return np.array(data, object)


def picture(height, width, channels, key=0):
    """Smooth shapes with some noise, as photographs have them."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    planes = [128 + 100 * np.sin(x / (3 + k) + key) * np.cos(y / (5 - k)) for k in range(channels)]
    noise = rng('picture', height, width, key).uniform(-12, 12, [height, width, channels])
    return np.clip(np.stack(planes, 2) + noise, 0, 255).astype(np.uint8)


def jpeg(*size, **attrs):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(tf.image.encode_jpeg(picture(*size), **attrs))


def blocks(data):
    return b''.join(bytes(bytearray([len(data[i:i + 255])])) + data[i:i + 255] for i in range(0, len(data), 255)) + b'\0'


def lzw(cells, bits):
    """Codes of one cell each, with a clear code before the table grows."""
    out = number = used = 0
    codes = []
    for i, cell in enumerate(cells):
        if i % ((1 << bits) - 2) == 0:
            codes.append(1 << bits)
        codes.append(cell)
    for code in codes + [(1 << bits) + 1]:
        number |= code << used
        used += bits + 1
    return bytes(bytearray([bits])) + blocks(number.to_bytes((used + 7) // 8, 'little'))


def gif_frame(cells, left=0, top=0, bits=2, clear=None, colors=None, interlaced=False):
    height, width = cells.shape
    data = b''
    if clear is not None:
        data += b'!\xf9\x04' + struct.pack('<BHB', 1, 5, clear) + b'\0'
    flags = (0x40 if interlaced else 0) | (0x80 | (bits - 1) if colors is not None else 0)
    data += b',' + struct.pack('<HHHHB', left, top, width, height, flags) + (colors or b'')
    order = [y for a, b in ((0, 8), (4, 8), (2, 4), (1, 2)) for y in range(a, height, b)] if interlaced else range(height)
    return data + lzw([int(c) for y in order for c in cells[y]], bits)


def gif(width, height, frames, colors=bytes(bytearray(range(10, 130, 10))), bits=2):
    flags = 0x80 | (bits - 1) if colors is not None else 0
    return b'GIF89a' + struct.pack('<HHBBB', width, height, flags, 0, 0) + (colors or b'') + b''.join(frames) + b';'


def bmp(width, height, bpp, extra=0, header=54):
    row = (bpp // 8 * width + 3) // 4 * 4
    data = bytes(bytearray(rng('bmp', width, height, bpp).randint(0, 256, row * abs(height) + extra).tolist()))
    return (b'BM' + struct.pack('<IHHI', header + len(data), 0, 0, header) +
            struct.pack('<IiiHHIIiiII', 40, width, height, 1, bpp, 0, len(data), 0, 0, 0, 0) + data)


def decoding():
    pictures = [jpeg(17, 22, 3), jpeg(17, 22, 1), jpeg(16, 16, 3, chroma_downsampling=False), jpeg(33, 9, 3, quality=30),
                jpeg(19, 40, 3, progressive=True), jpeg(1, 1, 3), jpeg(8, 70, 1, progressive=True, quality=5)]
    for data in pictures:
        for channels in (0, 1, 3):
            yield Case('DecodeJpeg', [file(data)], channels=channels)
        for method in ('INTEGER_FAST', 'INTEGER_ACCURATE'):
            yield Case('DecodeJpeg', [file(data)], dct_method=method)
        for ratio in (2, 4, 8):
            yield Case('DecodeJpeg', [file(data)], ratio=ratio)
        yield Case('DecodeJpeg', [file(data)], fancy_upscaling=False)
        yield Case('ExtractJpegShape', [file(data)])
        yield Case('ExtractJpegShape', [file(data)], output_type='int64')
        yield Case('DecodePng', [file(data)])
        yield Case('DecodeGif', [file(data)])
    for data in (CMYK, YCCK, CMYK_PLAIN):
        for channels in (0, 1, 3):
            yield Case('DecodeJpeg', [file(base64.b64decode(data))], channels=channels)
        yield Case('ExtractJpegShape', [file(base64.b64decode(data))])
    for data in pictures[:5]:
        for window in ([0, 0, 9, 9], [3, 2, 5, 7], [8, 0, 8, 8], [0, 0, 16, 9], [15, 8, 1, 1], [0, 5, 1, 4]):
            # Without fancy upscaling TensorFlow writes beside its memory here.
            yield Case('DecodeAndCropJpeg', [file(data), np.array(window, np.int32)])
        yield Case('DecodeAndCropJpeg', [file(data), np.array([1, 1, 4, 3], np.int32)], channels=1, ratio=2)
    for window in ([0, 0, 0, 3], [0, 0, 18, 3], [0, 20, 3, 3], [-1, 0, 3, 3], [0, 0, 3], [[0, 0, 3, 3]]):
        yield Case('DecodeAndCropJpeg', [file(pictures[0]), np.array(window, np.int32)])
    long = jpeg(64, 40, 3)
    for part in (20, 300, 620, 700, 1000, 1300, len(long) - 2):
        for attrs in ({}, {'try_recover_truncated': True}, {'acceptable_fraction': 0.3}, {'acceptable_fraction': 0.0}):
            # What stands in for missing data is up to the version of the library.
            yield Case('DecodeJpeg', [file(long[:part])], attrs,
                       checks='shape' if 'try_recover_truncated' in attrs else None)
    yield Case('DecodeJpeg', [file(long[:200] + b'\xff\xd8' + long[220:])])
    yield Case('DecodeJpeg', [file(long)], channels=4)
    yield Case('DecodeJpeg', [file(long)], channels=2)
    yield Case('DecodeJpeg', [file(long)], ratio=3)
    yield Case('DecodeJpeg', [file(long)], dct_method='FLOAT')
    yield Case('DecodeJpeg', [np.array([long], object)])
    yield Case('DecodeJpeg', [file(b'')])
    yield Case('DecodeJpeg', [file(b'what is this, some text')])
    yield Case('ExtractJpegShape', [file(b'')])
    yield Case('ExtractJpegShape', [file(b'no')])
    yield Case('ExtractJpegShape', [np.array([long], object)])


def gifs():
    cells = rng('gif').randint(0, 4, [5, 6])
    whole = gif_frame(cells)
    still = gif(6, 5, [whole])
    for op in ('DecodeGif', 'DecodeJpeg', 'DecodePng'):
        yield Case(op, [file(still)])
    other = bytes(bytearray(range(200, 224, 2)))
    small = [gif_frame(cells[:3, :2], 1, 1), gif_frame(cells[:2, :4], 2, 2, colors=other)]
    yield Case('DecodeGif', [file(gif(6, 5, [whole] + small))])
    yield Case('DecodeGif', [file(gif(6, 5, small + [whole]))])
    yield Case('DecodeGif', [file(gif(6, 5, [gif_frame(cells, interlaced=True)]))])
    yield Case('DecodeGif', [file(gif(9, 9, [gif_frame(cells[:4, :4], 3, 2)]))])
    yield Case('DecodeGif', [file(gif(6, 5, [gif_frame(cells, colors=other)], colors=None))])
    yield Case('DecodeGif', [file(gif(6, 5, [whole], colors=None))])
    yield Case('DecodeGif', [file(gif(6, 5, []))])
    yield Case('DecodeGif', [file(gif(6, 5, [whole])[:40])])
    yield Case('DecodeGif', [file(gif(6, 5, [whole])[:10])])
    yield Case('DecodeJpeg', [file(gif(6, 5, [whole] + small))])
    yield Case('DecodeJpeg', [file(still)], channels=3)
    yield Case('DecodeJpeg', [file(still)], channels=1)
    yield Case('DecodeGif', [file(b'GIF8')])
    yield Case('DecodeGif', [file(b'')])
    yield Case('DecodeGif', [np.array([still], object)])


def bmps():
    for width, height in ((5, 3), (4, -3), (1, 1), (7, 2)):
        for bpp in (8, 24, 32):
            yield Case('DecodeBmp', [file(bmp(width, height, bpp))])
            yield Case('DecodeBmp', [file(bmp(width, height, bpp, 5))], channels=bpp // 8)
    good = bmp(5, 3, 24)
    yield Case('DecodeBmp', [file(good)], channels=1)
    yield Case('DecodeBmp', [file(good)], channels=2)
    yield Case('DecodeBmp', [file(good[:-5])])
    yield Case('DecodeBmp', [file(good[:31])])
    yield Case('DecodeBmp', [file(b'')])
    yield Case('DecodeBmp', [np.array([good], object)])
    for at, value in ((18, 0), (18, -5), (22, 0), (18, 1 << 30), (28, 16), (10, -4)):
        yield Case('DecodeBmp', [file(good[:at] + struct.pack('<i', value) + good[at + 4:])])


def encoding():
    color, gray = picture(17, 22, 3), picture(17, 22, 1)
    for image in (color, gray, picture(1, 1, 3), picture(40, 33, 3)):
        for attrs in ({}, {'quality': 1}, {'quality': 100}, {'quality': 50, 'progressive': True}, {'optimize_size': True},
                      {'chroma_downsampling': False}, {'density_unit': 'cm', 'x_density': 20, 'y_density': 70000},
                      {'xmp_metadata': 'what was seen'}):
            yield Case('EncodeJpeg', [image], attrs)
        for quality in (0, 20, 95):
            yield Case('EncodeJpegVariableQuality', [image, np.int32(quality)])
    yield Case('EncodeJpeg', [color], format='rgb')
    yield Case('EncodeJpeg', [gray], format='grayscale')
    yield Case('EncodeJpeg', [gray], format='rgb')
    yield Case('EncodeJpeg', [color], format='grayscale')
    yield Case('EncodeJpeg', [color[0]])
    yield Case('EncodeJpeg', [color[..., :2]])
    yield Case('EncodeJpeg', [color[:0]])
    yield Case('EncodeJpeg', [color[:, :0]])
    yield Case('EncodeJpeg', [color], quality=101)
    yield Case('EncodeJpeg', [color], quality=-1)
    yield Case('EncodeJpeg', [np.zeros([70000, 1, 1], np.uint8)])
    yield Case('EncodeJpegVariableQuality', [color, np.int32(101)])
    yield Case('EncodeJpegVariableQuality', [color, np.array([3], np.int32)])
    yield Case('EncodeJpegVariableQuality', [color[..., :2], np.int32(3)])


def cases():
    for part in (decoding, gifs, bmps, encoding):
        for case in part():
            yield case
