# cases_quantize.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Floats to quantised values and back."""

import numpy as np

from record_ops import Case, to_array
from samples import values

QUANTIZED = ['qint8', 'quint8', 'qint16', 'quint16', 'qint32']
RANGES = [(-2.0, 3.0), (0.0, 6.0), (-5.0, -1.0), (0.5, 0.6), (-1e-3, 1e-3), (0.0, 0.0)]
f = np.float32


def cells(dtype, shape, low=None, high=None):
    info = np.iinfo({'qint8': 'int8', 'quint8': 'uint8', 'qint16': 'int16', 'quint16': 'uint16', 'qint32': 'int32'}[dtype])
    low, high = (info.min if low is None else low), (info.max if high is None else high)
    x = np.random.RandomState(len(dtype)).randint(low, high, shape)
    x.ravel()[:2] = (low, high)
    return to_array(x, dtype)


def cases():
    x = np.concatenate([values('float32', [40], -4, 7), np.array([0, -2, 3, 0.5, 100, -100], f)])
    for dtype in QUANTIZED:
        for low, high in RANGES:
            for mode in ('MIN_COMBINED', 'MIN_FIRST', 'SCALED'):
                # TensorFlow casts what does not fit an int32: left open.
                if dtype != 'qint32' or mode == 'MIN_FIRST':
                    yield Case('QuantizeV2', [x, f(low), f(high)], mode=mode, T=dtype)
                yield Case('Dequantize', [cells(dtype, [5, 6]), f(low), f(high)], mode=mode)
        if dtype != 'qint32':
            yield Case('QuantizeV2', [np.arange(-8, 8).astype(f) / 2, f(-127), f(127)], mode='SCALED', T=dtype,
                       round_mode='HALF_TO_EVEN')
    yield Case('QuantizeV2', [x, f(3), f(1)], T='quint8')
    yield Case('QuantizeV2', [x, f(0), f(1)], T='quint8', round_mode='HALF_TO_EVEN')
    yield Case('QuantizeV2', [x[:0], f(0), f(1)], T='quint8')
    for low, high in ((-100.0, 100.0), (-1e6, 1e6), (-3.0, 5.0)):
        for span in (1 << 12, 1 << 24, (1 << 31) - 1):
            q = cells('qint32', [30], -span, span)
            yield Case('QuantizeDownAndShrinkRange', [q, f(low), f(high)], out_type='quint8')
            yield Case('RequantizationRange', [q, f(low), f(high)])
            for out_type in ('quint8', 'qint8'):
                yield Case('Requantize', [q, f(low), f(high), f(low / 4), f(high / 3)], out_type=out_type)
                yield Case('Requantize', [q, f(low), f(high), f(0), f(high)], out_type=out_type)
    yield Case('Requantize', [q, f(-1), f(1), f(0.5), f(1)], out_type='quint8')
    yield Case('Requantize', [q, f(-1), f(1), f(-0.5), f(-1)], out_type='quint8')
    # Integers that no float is equal to, each just below where the next step begins.
    near = np.array([126322567, 210537612, 463182747, 1052688062, 2147483583, 2147483647], q.dtype)
    yield Case('Requantize', [near, f(0), f(1), f(-2.5), f(2.5)], out_type='quint8')
    for dtype in ('float32', 'double'):
        for signed in (True, False):
            for bits in (2, 8, 16):
                v = x.astype(dtype) if signed else np.abs(x).astype(dtype)
                for given in (True, False):
                    ends = [np.array(-3 if signed else 0, dtype), np.array(5, dtype)]
                    attrs = dict(signed_input=signed, range_given=given)
                    for narrow in (True, False):
                        for mode in ('HALF_TO_EVEN', 'HALF_UP'):
                            yield Case('QuantizeAndDequantizeV2', [v] + ends, attrs, num_bits=bits, round_mode=mode,
                                       narrow_range=narrow)
                        yield Case('QuantizeAndDequantizeV3', [v] + ends + [np.int32(bits)], attrs, narrow_range=narrow)
                    yield Case('QuantizeAndDequantize', [v], attrs, num_bits=bits, input_min=float(ends[0]),
                               input_max=float(ends[1]), producer=20)
    ends = [f(0), f(1)]
    for bits in (0, 63, -1):
        yield Case('QuantizeAndDequantizeV2', [x] + ends, num_bits=bits)
        yield Case('QuantizeAndDequantizeV3', [x] + ends + [np.int32(bits)])
    yield Case('QuantizeAndDequantizeV2', [x, f(2), f(1)], range_given=True)
    yield Case('QuantizeAndDequantizeV3', [x, f(2), f(1), np.int32(8)], range_given=True)
