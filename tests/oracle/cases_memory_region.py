# cases_memory_region.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Constants that are the bytes of a file. TensorFlow ends itself where they are strings or handles."""

import numpy as np

from cases_reader import Chain


def cases():
    def region(dtype, shape, content=np.arange(6, dtype='float32').tobytes(), name='region'):
        p = Chain()
        if content is not None:
            p.file('region', content)
        p.add('ImmutableConst', [], dtype=dtype, shape=shape, memory_region_name=name)
        return p.case()
    for dtype in ('float32', 'float64', 'half', 'bfloat16', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64',
                  'complex64', 'complex128', 'qint8', 'quint8', 'qint32'):
        yield region(dtype, [1])
    for shape in ([2, 3], [2], [], [7]):
        yield region('float32', shape)
    yield region('float32', [1], content=None, name='nothere')
