# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Convolutions, pooling and padding by tf.keras's names of their formats."""

import itertools

from ... import array_ops, nn, nn_conv
from .arithmetic import batch_dot
from .settings import image_data_format
from .shapes import concatenate, int_shape, ndim


def _is_channels_first(data_format):
    data_format = data_format or image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError("Unknown data_format: " + str(data_format))
    return data_format == "channels_first"


def bias_add(x, bias, data_format=None):
    first, rank, dims = _is_channels_first(data_format), ndim(x), int_shape(bias)
    if len(dims) not in (1, rank - 1):
        raise ValueError("Unexpected bias dimensions %d, expect to be 1 or %d dimensions" % (len(dims), rank))
    if rank not in (3, 4, 5):
        return nn.bias_add(x, bias)
    if len(dims) > 1:
        shape = (1, dims[-1]) + dims[:-1] if first else (1,) + dims
    elif first:
        shape = (1, dims[0]) + (1,) * (rank - 2)
    elif rank == 4:
        return nn.bias_add(x, bias, data_format="NHWC")
    else:
        shape = (1,) * min(rank - 1, 3) + dims
    return x + array_ops.reshape(bias, shape)


def local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format=None):
    """Patches of each position times that position's own matrix."""
    first, (_, depth, channels) = _is_channels_first(data_format), int_shape(kernel)
    rank, around = len(output_shape), [slice(None)]
    patches = []
    for position in itertools.product(*[range(size) for size in output_shape]):
        where = [slice(at * stride, at * stride + size) for at, stride, size in zip(position, strides, kernel_size)]
        where = around * 2 + where if first else around + where + around
        patches.append(array_ops.reshape(inputs[tuple(where)], (1, -1, depth)))
    outputs = batch_dot(concatenate(patches, axis=0), kernel)
    outputs = array_ops.reshape(outputs, tuple(output_shape) + (-1, channels))
    places = list(range(rank))
    return array_ops.transpose(outputs, [rank, rank + 1] + places if first else [rank] + places + [rank + 1])


def local_conv1d(inputs, kernel, kernel_size, strides, data_format=None):
    return local_conv(inputs, kernel, kernel_size, strides, (int_shape(kernel)[0],), data_format)


def local_conv2d(inputs, kernel, kernel_size, strides, output_shape, data_format=None):
    return local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format)


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
