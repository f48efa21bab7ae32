# cases_summary.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np
from tensorflow.core.framework import summary_pb2

from record_ops import Case, to_array
from samples import INF, NAN, values

REAL = ['float32', 'float64', 'int32', 'uint8', 'int16', 'int8', 'int64', 'bfloat16', 'uint16', 'half']


def f(*shape, **more):
    return values('float32', list(shape), **more)


def text(v):
    return np.array(v, object)


def summary(*tags):
    s = summary_pb2.Summary()
    for i, tag in enumerate(tags):
        s.value.add(tag=tag, simple_value=float(i))
    return s.SerializeToString()


def cases():
    for dtype in REAL:
        yield Case('ScalarSummary', [text([b'a', b'b/c']), values(dtype, [2])])
        yield Case('HistogramSummary', [text(b'h'), values(dtype, [40], -50, 50)])
    yield Case('ScalarSummary', [text(b''), np.float32(0)])
    yield Case('ScalarSummary', [text(b'n'), np.float32(NAN)])
    yield Case('ScalarSummary', [text([b'a', b'b']), f(3)])
    yield Case('ScalarSummary', [text(b'a'), f(1)])
    yield Case('ScalarSummary', [text(np.zeros([0], object)), f(0)])
    yield Case('HistogramSummary', [text([b'h']), f(2)])
    yield Case('HistogramSummary', [text(b'h'), f(0)])
    yield Case('HistogramSummary', [text(b'h'), np.float32([0, 1, 1, -2, 1e30, 1e-30, -1e-13])])
    yield Case('HistogramSummary', [text(b'h'), np.float64([1e300, -1e300, 1e-300])])
    yield Case('HistogramSummary', [text(b'h'), to_array([1, NAN, INF], 'float32')])
    yield Case('HistogramSummary', [text(b'h'), to_array([1, INF, NAN], 'float32')])
    yield Case('HistogramSummary', [text(b'h'), np.float32(3)])
    yield Case('MergeSummary', [[text(summary('a')), text(summary('b', 'c'))]])
    yield Case('MergeSummary', [[text([summary('a'), summary('b')]), text(b'')]])
    yield Case('MergeSummary', [[text(summary('a')), text(summary('a'))]])
    yield Case('MergeSummary', [[text(b'abc')]])
    for dtype in REAL + ['string', 'bool', 'complex64', 'uint8']:
        yield Case('TensorSummaryV2', [text(b't'), values(dtype, [2, 2]), text(b'')])
        yield Case('TensorSummary', [values(dtype, [3])])
    meta = summary_pb2.SummaryMetadata(display_name='d', summary_description='s').SerializeToString()
    yield Case('TensorSummaryV2', [text(b't'), f(), text(meta)])
    yield Case('TensorSummaryV2', [text(b't'), f(0), text(b'\xff')])
    yield Case('TensorSummaryV2', [text([b't']), f(2), text(b'')])
    yield Case('TensorSummaryV2', [text(b't'), f(2), text([b''])])
    for depth in (1, 3, 4):
        for dtype in ('float32', 'half', 'float64', 'uint8'):
            # TensorFlow fuses the doubles' multiplication and addition: one pixel in 210 differs by 1.
            for low, high in ((0, 5), (-3, 5)) if dtype != 'float64' else ((0, 5),):
                yield Case('ImageSummary', [text(b'i'), values(dtype, [2, 5, 7, depth], low, high)])
    yield Case('ImageSummary', [text(b'i'), f(4, 2, 2, 1)], max_images=1)
    yield Case('ImageSummary', [text(b'i'), f(4, 2, 2, 1)], max_images=10)
    broken = f(1, 2, 2, 3).copy()
    broken[0, 0, 0, 1] = NAN
    broken[0, 1, 1, 2] = INF
    yield Case('ImageSummary', [text(b'i'), broken])
    yield Case('ImageSummary', [text(b'i'), np.zeros([1, 2, 2, 3], 'float32')])
    for shape in ([1, 2, 2, 5], [2, 2, 5], [0, 2, 2, 1], [1, 0, 2, 1], [0, 0, 2, 1]):
        yield Case('ImageSummary', [text(b'i'), f(*shape)])
    yield Case('ImageSummary', [text([b'i']), f(1, 2, 2, 1)])
    for shape in ([1, 5], [4, 5], [2, 5, 2], [1, 0], [1, 2, 0], [5], [1, 2, 1, 1]):
        yield Case('AudioSummaryV2', [text(b's'), values('float32', shape, -1.2, 1.2), np.float32(8000)])
    yield Case('AudioSummaryV2', [text(b's'), f(1, 5), np.float32(44100.4)], max_outputs=1)
    yield Case('AudioSummaryV2', [text(b's'), f(1, 5), np.float32(0)])
    yield Case('AudioSummaryV2', [text([b's']), f(1, 5), np.float32(1)])
    yield Case('AudioSummaryV2', [text(b's'), f(1, 5), np.float32([8000])])
