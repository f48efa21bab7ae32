# cases_nn_conv_fused.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Convolutions with resizing and mirrored padding."""

import numpy as np

from record_ops import Case, Out, tensor_dtype
from samples import values


def pads(*v):
    return np.array([[0, 0], list(v[:2]), list(v[2:]), [0, 0]], np.int32)


def fused(op, inputs, attrs, tolerance=None, **more):
    """Of constants: TensorFlow refuses these ops where it does not know all ranks."""
    nodes = [('Const', [], {'value': x, 'dtype': tensor_dtype(x)}) for x in inputs]
    return Case(op, [Out(k) for k in range(len(inputs))], attrs, nodes=nodes, tolerance=tolerance, **more)


def cases():
    for dtype in ('float32', 'double', 'half'):
        tolerance = {'half': 3e-2, 'float32': 1e-5, 'double': 1e-6}[dtype]
        # One image: of more TensorFlow mixes up the rows that it keeps.
        x, k = values(dtype, [1, 5, 6, 3]), values(dtype, [3, 2, 3, 4])
        for mode in ('REFLECT', 'SYMMETRIC'):
            for padding in ('SAME', 'VALID'):
                for stride in (1, 2):
                    for paddings in (pads(0, 0, 0, 0), pads(1, 2, 3, 1)):
                        attrs = dict(mode=mode, padding=padding, strides=[1, stride, stride, 1])
                        yield fused('FusedPadConv2D', [x, paddings, k], attrs, tolerance=tolerance)
                        for align in (True, False):
                            yield fused('FusedResizeAndPadConv2D', [x, np.array([7, 8], np.int32), paddings, k], attrs,
                                       resize_align_corners=align, tolerance=tolerance)
    f = lambda *s: np.ones(s, np.float32)
    good = dict(mode='REFLECT', padding='VALID', strides=[1, 1, 1, 1])
    size = np.array([4, 4], np.int32)
    for bad in ([f(4, 4, 1), pads(0, 0, 0, 0), f(2, 2, 1, 1)], [f(1, 4, 4, 1), pads(0, 0, 0, 0), f(2, 2, 1)],
                [f(1, 4, 4, 1), pads(0, 0, 0, 0), f(2, 2, 2, 1)], [f(1, 4, 4, 1), pads(-1, 0, 0, 0), f(2, 2, 1, 1)],
                [f(1, 4, 4, 1), pads(4, 0, 0, 0), f(2, 2, 1, 1)], [f(1, 4, 4, 1), pads(0, 0, 0, 0)[:3], f(2, 2, 1, 1)],
                [f(1, 4, 4, 1), pads(0, 0, 0, 0)[:, :1], f(2, 2, 1, 1)]):
        yield fused('FusedPadConv2D', bad, good)
        yield fused('FusedResizeAndPadConv2D', [bad[0], size] + bad[1:], good)
    image = [f(1, 4, 4, 1), pads(0, 0, 0, 0), f(2, 2, 1, 1)]
    for strides in ([2, 1, 1, 1], [1, 1, 1], [1, 1, 1, 2]):
        yield fused('FusedPadConv2D', image, dict(good, strides=strides))
    for bad in ([0, 4], [4], 4):
        yield fused('FusedResizeAndPadConv2D', [image[0], np.array(bad, np.int32)] + image[1:], good)
