# cases_quantize_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Values as few bits would hold them, by channel, and the gradient of that."""

import numpy as np

from record_ops import Case
from samples import values

TENSORFLOW = '2.15'


def cases():
    for t in ('float32', 'float64'):
        x = values(t, [3, 4, 2], -2, 5)
        for signed in (True, False):
            for narrow in (True, False):
                for mode in ('HALF_TO_EVEN', 'HALF_UP'):
                    more = dict(signed_input=signed, narrow_range=narrow, round_mode=mode, num_bits=5)
                    for axis, n in ((-1, None), (0, 3), (1, 4), (2, 2)):
                        low = np.array(-1.5 if n is None else np.linspace(-2, 0, n), t)
                        high = np.array(3 if n is None else np.linspace(1, 4, n), t)
                        for given in (True, False):
                            yield Case('QuantizeAndDequantizeV4', [x, low, high], axis=axis, range_given=given, relative=1e-6,
                                       **more)
        for axis, n in ((-1, None), (0, 3), (1, 4), (2, 2)):
            low = np.array(-1.5 if n is None else np.linspace(-2, 0, n), t)
            high = np.array(3 if n is None else np.linspace(1, 4, n), t)
            yield Case('QuantizeAndDequantizeV4Grad', [values(t, [3, 4, 2], key=2), x, low, high], axis=axis, relative=1e-6)
    x, low, high = values('float32', [2, 3]), np.float32(-1), np.float32(1)
    both = np.float32([-1, -1, -1])
    for case in (dict(axis=5), dict(axis=-2), dict(num_bits=0), dict(num_bits=64)):
        yield Case('QuantizeAndDequantizeV4', [x, low, high], **case)
    yield Case('QuantizeAndDequantizeV4', [x, high, low], range_given=True)
    for ends in ([both[:2], both[:2] + 2], [both, both[:2]], [low, high]):
        yield Case('QuantizeAndDequantizeV4', [x] + ends, range_given=True, axis=1)
    yield Case('QuantizeAndDequantizeV4Grad', [x, x.T, low, high])
    yield Case('QuantizeAndDequantizeV4Grad', [x, x, both, both])
    yield Case('QuantizeAndDequantizeV4Grad', [x, x, low, high], axis=1)
    yield Case('QuantizeAndDequantizeV4Grad', [x, x, both, both], axis=7)
