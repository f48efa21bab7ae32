# cases_audio.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sounds."""

import struct

import numpy as np

from record_ops import Case
from samples import values


def wav(channels=1, rate=8000, bits=16, frames=6, form=1, chunk=16, per_frame=None, per_second=None, data=None, more=b''):
    per_frame = channels * bits // 8 if per_frame is None else per_frame
    per_second = rate * per_frame if per_second is None else per_second
    if data is None:
        data = np.arange(-frames * channels // 2, frames * channels - frames * channels // 2).astype('<i2') * 900
        data = data.tobytes()
    head = b'WAVEfmt ' + struct.pack('<IHHIIHH', chunk, form, channels, rate, per_second, per_frame, bits)
    head += b'\0\0' if chunk == 18 else b''
    body = head + more + b'data' + struct.pack('<I', len(data)) + data
    return np.array(b'RIFF' + struct.pack('<I', len(body)) + body, object)


def cases():
    for w in (wav(), wav(2), wav(3, 44100, frames=5), wav(chunk=18), wav(more=b'LIST\4\0\0\0abcd'), wav(frames=0)):
        for attrs in ({}, {'desired_channels': 1}, {'desired_channels': 4}, {'desired_samples': 3}, {'desired_samples': 9}):
            yield Case('DecodeWav', [w], attrs)
    good = wav().item()
    for bad in (wav(bits=8), wav(form=3), wav(channels=0), wav(chunk=20), wav(per_frame=3), wav(per_second=1),
                wav(more=b'data\2\0\0\0ab')):
        yield Case('DecodeWav', [bad])
    for n in (0, 3, 6, 10, 14, 18, 24, 30, 36, 40, 44, 50):
        yield Case('DecodeWav', [np.array(good[:n], object)])
    yield Case('DecodeWav', [np.array(b'RIFX' + good[4:], object)])
    yield Case('DecodeWav', [np.array(good[:36], object)])
    yield Case('DecodeWav', [np.array([good], object)])
    i = np.int32
    for shape in ([5, 1], [3, 2], [0, 1], [2, 0], [4]):
        yield Case('EncodeWav', [values('float32', shape, -1.2, 1.2), i(8000)])
    yield Case('EncodeWav', [values('float32', [2, 1]), i(0)])
    yield Case('EncodeWav', [values('float32', [2, 1]), np.array([8000], i)])
    sound = values('float32', [60, 2], -1, 1)
    for window in (2, 5, 8, 20, 32):
        for stride in (1, 4, 32):
            for squared in (True, False):
                yield Case('AudioSpectrogram', [sound[:, :1]], window_size=window, stride=stride, magnitude_squared=squared,
                           tolerance=1e-5)
                yield Case('AudioSpectrogram', [sound], window_size=window, stride=stride, magnitude_squared=squared,
                           tolerance=1e-5)
    yield Case('AudioSpectrogram', [sound[:4]], window_size=8, stride=4)
    yield Case('AudioSpectrogram', [sound[:, 0]], window_size=8, stride=4)
    for window, stride in ((1, 1), (0, 1), (8, 0)):
        yield Case('AudioSpectrogram', [sound], window_size=window, stride=stride)
    spectrum = values('float32', [2, 5, 129], 0, 9)
    for attrs in ({}, {'dct_coefficient_count': 40}, {'filterbank_channel_count': 12, 'dct_coefficient_count': 12},
                  {'lower_frequency_limit': 0.0, 'upper_frequency_limit': 7000.0}, {'lower_frequency_limit': 900.0}):
        for rate in (8000, 16000):
            yield Case('Mfcc', [spectrum, i(rate)], attrs, tolerance=1e-5)
    yield Case('Mfcc', [spectrum[0], i(8000)])
    yield Case('Mfcc', [spectrum, i(0)])
    yield Case('Mfcc', [spectrum, i(8000)], dct_coefficient_count=41)
    yield Case('Mfcc', [spectrum, i(8000)], upper_frequency_limit=10.0)
    yield Case('Mfcc', [spectrum[:0], i(8000)])
