# cases_host.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow's optimizer keeps beside a device, and what a device's memory is said to be."""

import os

import tensorflow as tf
import tensorflow.contrib

from record_ops import Case, Out
from samples import values


def cases():
    folder = os.path.dirname(tensorflow.contrib.__file__)
    tf.load_op_library(os.path.join(folder, 'memory_stats/python/ops/_memory_stats_ops.so'))
    yield Case('BytesLimit', [])
    for dtype in ('float32', 'int32', 'string', 'bool', 'complex64', 'half'):
        for shape in ([], [3], [2, 0]):
            yield Case('Identity', [Out(0)], nodes=[('HostConst', [], dict(value=values(dtype, shape), dtype=dtype))])
    for source in ('float32', 'int64', 'bool', 'half', 'complex64'):
        for to in ('float64', 'int32', 'uint8', 'bool', 'half', 'bfloat16'):
            if source == 'complex64' and to == 'half':
                continue
            yield Case('_HostCast', [values(source, [2, 3], 0, 100) if source != 'bool' else values(source, [2, 3])],
                       SrcT=source, DstT=to)
    yield Case('_HostCast', [values('float32', [4])], SrcT='float32', DstT='bfloat16', Truncate=True)
    yield Case('_HostCast', [values('float32', [2])], SrcT='float32', DstT='string')
