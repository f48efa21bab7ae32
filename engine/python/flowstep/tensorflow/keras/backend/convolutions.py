# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Convolutions, pooling and padding by tf.keras's names of their formats."""

from ... import array_ops, nn, nn_conv
from .settings import image_data_format


def bias_add(x, bias, data_format=None):
    return nn.bias_add(x, bias, data_format="NCHW" if data_format == "channels_first" else "NHWC")


def conv2d(x, kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    first = (data_format or image_data_format()) == "channels_first"
    return nn_conv.convolution(x, kernel, padding.upper(), strides=strides, dilation_rate=dilation_rate,
                               data_format="NCHW" if first else "NHWC")


def pool2d(x, pool_size, strides=(1, 1), padding="valid", data_format=None, pool_mode="max"):
    first = (data_format or image_data_format()) == "channels_first"
    sizes, steps = ((1, 1) + tuple(v) if first else (1,) + tuple(v) + (1,) for v in (pool_size, strides))
    pool = nn_conv.max_pool if pool_mode == "max" else nn_conv.avg_pool
    return pool(x, sizes, steps, padding.upper(), data_format="NCHW" if first else "NHWC")


def temporal_padding(x, padding=(1, 1)):
    return array_ops.pad(x, [[0, 0], list(padding), [0, 0]])


def spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None):
    sides = [list(padding[0]), list(padding[1])]
    first = (data_format or image_data_format()) == "channels_first"
    return array_ops.pad(x, [[0, 0], [0, 0]] + sides if first else [[0, 0]] + sides + [[0, 0]])
