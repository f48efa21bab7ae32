# cases_fft.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms: lengths of small factors, primes, and large primes."""

import numpy as np

from record_ops import Case
from samples import values

LENGTHS = [1, 2, 3, 4, 5, 7, 8, 12, 16, 30, 31, 32, 37, 45, 64, 74, 97, 121, 128]


def cases():
    for n in LENGTHS:
        for op in ('FFT', 'IFFT'):
            for dtype in ('complex64', 'complex128'):
                yield Case(op, [values(dtype, [2, n])], tolerance=1e-4 if dtype == 'complex64' else 1e-12)
        yield Case('RFFT', [values('float32', [2, n])] + [np.array([n], np.int32)], tolerance=1e-4)
        yield Case('IRFFT', [values('complex64', [2, n // 2 + 1])] + [np.array([n], np.int32)], tolerance=1e-4)
    for shape in ([3, 4, 5], [6, 7], [2, 3, 8, 4], [1, 1, 1], [0, 4, 4]):
        for op in ('FFT2D', 'IFFT2D'):
            yield Case(op, [values('complex64', shape)], tolerance=1e-4)
        length = np.array(shape[-2:], np.int32)
        yield Case('RFFT2D', [values('float32', shape), length], tolerance=1e-4)
        yield Case('RFFT2D', [values('float32', shape), np.maximum(length - 1, 1)], tolerance=1e-4)
        yield Case('IRFFT2D', [values('complex64', shape), length * np.array([1, 2]) - np.array([0, 2])], tolerance=1e-4)
        if len(shape) < 3:
            continue
        for op in ('FFT3D', 'IFFT3D'):
            yield Case(op, [values('complex128', shape)], tolerance=1e-12)
        length = np.array(shape[-3:], np.int32)
        yield Case('RFFT3D', [values('float32', shape), length], tolerance=1e-4)
        yield Case('IRFFT3D', [values('complex64', shape), length * np.array([1, 1, 2]) - np.array([0, 0, 1])], tolerance=1e-4)
    for op in ('FFT', 'FFT2D', 'FFT3D', 'IFFT'):
        yield Case(op, [np.complex64(1)])
    yield Case('FFT', [np.zeros([2, 0], np.complex64)])
    yield Case('FFT2D', [np.zeros([4], np.complex64)])
    f, i = np.ones([2, 6], np.float32), lambda *v: np.array(v, np.int32)
    for length in (i(4), i(-1), i(7), i(4, 4), np.int32(4)):
        yield Case('RFFT', [f, length])
    yield Case('RFFT', [np.float32(1), i(4)])
    yield Case('RFFT2D', [f, i(2)])
    z = f.astype(np.complex64)
    for length in (i(10), i(11), i(12), i(1), i(-2), i(6)):
        yield Case('IRFFT', [z, length])
    yield Case('IRFFT2D', [z, i(3, 4)])
    # What should be real is not: the imaginary parts are dropped.
    yield Case('IRFFT', [values('complex64', [5]) + 3j, i(8)], tolerance=1e-4)
