# cases_fake_quant.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case
from samples import values

RANGES = [(-6.0, 6.0), (-0.1, 3.7), (0.5, 2.0), (-5.0, -1.0)]


def f(x):
    return np.array(x, np.float32)


def cases():
    for shape in ([], [0], [40], [3, 7]):
        x = values('float32', shape, -8, 8)
        g = values('float32', shape, key=1)
        for low, high in RANGES:
            for bits, narrow in ((8, False), (4, True), (2, False)):
                more = {'num_bits': bits, 'narrow_range': narrow, 'tolerance': 0}
                yield Case('FakeQuantWithMinMaxArgs', [x], attrs={'min': low, 'max': high}, **more)
                yield Case('FakeQuantWithMinMaxArgsGradient', [g, x], attrs={'min': low, 'max': high},
                           **more)
                yield Case('FakeQuantWithMinMaxVars', [x, f(low), f(high)], **more)
                yield Case('FakeQuantWithMinMaxVarsGradient', [g, x, f(low), f(high)], **more)
        yield Case('FakeQuantWithMinMaxVars', [x, f(0), f(0)])
        yield Case('FakeQuantWithMinMaxVarsGradient', [g, x, f(0), f(0)])
    lows = f([-6, -0.1, 0, 0.5])
    highs = f([6, 3.7, 0, 2.0])
    for shape in ([4], [5, 4], [2, 3, 2, 4]):
        x = values('float32', shape, -8, 8)
        g = values('float32', shape, key=1)
        for narrow in (False, True):
            yield Case('FakeQuantWithMinMaxVarsPerChannel', [x, lows, highs], narrow_range=narrow,
                       tolerance=0)
            yield Case('FakeQuantWithMinMaxVarsPerChannelGradient', [g, x, lows, highs],
                       narrow_range=narrow, tolerance=0)
    x = values('float32', [5, 4])
    yield Case('FakeQuantWithMinMaxVarsPerChannel', [x, lows[:3], highs])
    yield Case('FakeQuantWithMinMaxVarsPerChannel', [x, lows, highs[:3]])
    for bits in (1, 17):
        yield Case('FakeQuantWithMinMaxArgs', [x], num_bits=bits)
        yield Case('FakeQuantWithMinMaxVars', [x, f(-1), f(1)], num_bits=bits)
    yield Case('FakeQuantWithMinMaxArgs', [x], attrs={'min': 2.0, 'max': 1.0})
