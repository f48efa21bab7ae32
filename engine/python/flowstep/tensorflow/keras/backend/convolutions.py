# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Convolutions, pooling and padding by tf.keras's names of their formats."""

import itertools

from ... import nn
from ...framework import ops
from ...operators import array_ops, image_ops, nn_conv
from .arithmetic import batch_dot
from .sessions import look_for_gpus
from .settings import image_data_format
from .shapes import concatenate, int_shape, ndim, repeat_elements


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


def _turned(x, data_format, look=True):
    """What is computed where channels come last, and how its result is turned back."""
    if not _is_channels_first(data_format):
        return x, lambda y: y
    if look:
        look_for_gpus()
    rank = ndim(x)
    back = (0, rank - 1) + tuple(range(1, rank - 1))
    return array_ops.transpose(x, (0,) + tuple(range(2, rank)) + (1,)), lambda y: array_ops.transpose(y, back)


def _padding(padding):
    if padding not in ("same", "valid"):
        raise ValueError("Invalid padding: " + str(padding))
    return padding.upper()


def _whole(steps):
    return (1,) + tuple(steps) + (1,)


def conv1d(x, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    first = _is_channels_first(data_format)
    if padding == "causal":
        x, padding = temporal_padding(x, (dilation_rate * (int_shape(kernel)[0] - 1), 0)), "valid"
    x, back = _turned(x, data_format) if first else (x, lambda y: y)
    return back(nn_conv.convolution(x, kernel, _padding(padding), strides=strides, dilation_rate=dilation_rate,
                                    data_format="NWC"))


def conv2d(x, kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    x, back = _turned(x, data_format)
    return back(nn_conv.convolution(x, kernel, _padding(padding), strides=strides, dilation_rate=dilation_rate,
                                    data_format="NHWC"))


def conv3d(x, kernel, strides=(1, 1, 1), padding="valid", data_format=None, dilation_rate=(1, 1, 1)):
    x, back = _turned(x, data_format)
    return back(nn_conv.convolution(x, kernel, _padding(padding), strides=strides, dilation_rate=dilation_rate,
                                    data_format="NDHWC"))


def conv2d_transpose(x, kernel, output_shape, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    x, back = _turned(x, data_format, look=dilation_rate == (1, 1))
    if _is_channels_first(data_format):
        output_shape = (output_shape[0], output_shape[2], output_shape[3], output_shape[1])
    if output_shape[0] is None:
        output_shape = (array_ops.shape(x)[0],) + tuple(output_shape[1:])
    if isinstance(output_shape, (tuple, list)):
        output_shape = array_ops.stack(list(output_shape))
    if dilation_rate == (1, 1):
        return back(nn_conv.conv2d_transpose(x, kernel, output_shape, _whole(strides), _padding(padding), "NHWC"))
    return back(nn_conv.atrous_conv2d_transpose(x, kernel, output_shape, dilation_rate[0], _padding(padding)))


def separable_conv2d(x, depthwise_kernel, pointwise_kernel, strides=(1, 1), padding="valid", data_format=None,
                     dilation_rate=(1, 1)):
    if len(strides) != 2:
        raise ValueError("`strides` must be a tuple of 2 integers.")
    x, back = _turned(x, data_format)
    return back(nn_conv.separable_conv2d(x, depthwise_kernel, pointwise_kernel, _whole(strides), _padding(padding),
                                         dilation_rate, data_format="NHWC"))


def depthwise_conv2d(x, depthwise_kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    x, back = _turned(x, data_format)
    return back(nn_conv.depthwise_conv2d(x, depthwise_kernel, _whole(strides), _padding(padding), dilation_rate,
                                         data_format="NHWC"))


def _pooled(x, pool_size, strides, padding, data_format, pools, pool_mode):
    if pool_mode not in pools:
        raise ValueError("Invalid pooling mode: " + str(pool_mode))
    x, back = _turned(x, data_format)
    return back(pools[pool_mode](x, _whole(pool_size), _whole(strides), _padding(padding)))


def pool2d(x, pool_size, strides=(1, 1), padding="valid", data_format=None, pool_mode="max"):
    if len(pool_size) != 2:
        raise ValueError("`pool_size` must be a tuple of 2 integers.")
    if len(strides) != 2:
        raise ValueError("`strides` must be a tuple of 2 integers.")
    return _pooled(x, pool_size, strides, padding, data_format, {"max": nn_conv.max_pool, "avg": nn_conv.avg_pool}, pool_mode)


def pool3d(x, pool_size, strides=(1, 1, 1), padding="valid", data_format=None, pool_mode="max"):
    return _pooled(x, pool_size, strides, padding, data_format, {"max": nn_conv.max_pool3d, "avg": nn_conv.avg_pool3d},
                   pool_mode)


def temporal_padding(x, padding=(1, 1)):
    return array_ops.pad(x, [[0, 0], list(padding), [0, 0]])


def spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None):
    sides = [list(padding[0]), list(padding[1])]
    first = (data_format or image_data_format()) == "channels_first"
    return array_ops.pad(x, [[0, 0], [0, 0]] + sides if first else [[0, 0]] + sides + [[0, 0]])


def spatial_3d_padding(x, padding=((1, 1), (1, 1), (1, 1)), data_format=None):
    sides = [list(pair) for pair in padding]
    whole = [[0, 0]]
    return array_ops.pad(x, whole * 2 + sides if _is_channels_first(data_format) else whole + sides + whole)


def resize_images(x, height_factor, width_factor, data_format, interpolation="nearest"):
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError("Invalid `data_format` argument: %s" % (data_format,))
    methods = {"nearest": image_ops.ResizeMethod.NEAREST_NEIGHBOR, "bilinear": image_ops.ResizeMethod.BILINEAR}
    first = _is_channels_first(data_format)
    at, dims = 2 if first else 1, x.shape.as_list()
    size = array_ops.shape(x)[at:at + 2]
    size *= ops.constant([height_factor, width_factor])
    if first:
        x = array_ops.transpose(x, perm=[0, 2, 3, 1])
    if interpolation not in methods:
        raise ValueError('interpolation should be one of "nearest" or "bilinear".')
    x = image_ops.resize_images_v2(x, size, method=methods[interpolation])
    if first:
        x = array_ops.transpose(x, perm=[0, 3, 1, 2])
    new = [None if d is None else d * f for d, f in zip(dims[at:at + 2], (height_factor, width_factor))]
    x.set_shape([None, None] + new if first else [None] + new + [None])
    return x


def resize_volumes(x, depth_factor, height_factor, width_factor, data_format):
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError("Invalid data_format: " + str(data_format))
    first = 2 if _is_channels_first(data_format) else 1
    for axis, factor in enumerate((depth_factor, height_factor, width_factor), first):
        x = repeat_elements(x, factor, axis=axis)
    return x
