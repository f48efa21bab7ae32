# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sizes, strides and formats of windows as layers are given them, and how long what they give is along an axis."""

_FORMATS = {3: ("NWC", "NCW"), 4: ("NHWC", "NCHW"), 5: ("NDHWC", "NCDHW")}
_ORDERS = ("channels_last", "channels_first")


def convert_data_format(data_format, ndim):
    """The letters of a format, as ops are given it."""
    if data_format not in _ORDERS:
        raise ValueError("Invalid data_format:", data_format)
    if ndim not in _FORMATS:
        raise ValueError("Input rank not supported:", ndim)
    return _FORMATS[ndim][_ORDERS.index(data_format)]


def normalize_tuple(value, n, name):
    if isinstance(value, int):
        return (value,) * n
    try:
        values = tuple(value)
    except TypeError:
        values = ()
    if len(values) != n:
        raise ValueError("The `" + name + "` argument must be a tuple of " + str(n) + " integers. Received: " + str(value))
    for part in values:
        try:
            int(part)
        except (TypeError, ValueError):
            raise ValueError("The `" + name + "` argument must be a tuple of " + str(n) + " integers. Received: " +
                             str(value) + " including element " + str(part) + " of type " + str(type(part))) from None
    return values


def normalize_data_format(value):
    order = value.lower()
    if order not in _ORDERS:
        raise ValueError("The `data_format` argument must be one of \"channels_first\", \"channels_last\". Received: " +
                         str(value))
    return order


def normalize_padding(value):
    padding = value.lower()
    if padding not in ("valid", "same"):
        raise ValueError('The `padding` argument must be one of "valid", "same". Received: ' + str(padding))
    return padding


def conv_output_length(input_length, filter_size, padding, stride, dilation=1):
    """How many places a window has along an axis; None where its length is not known."""
    if input_length is None:
        return None
    beyond = filter_size + (filter_size - 1) * (dilation - 1) - 1
    length = input_length + {"same": 0, "valid": -beyond, "full": beyond}[padding]
    return (length + stride - 1) // stride


def conv_input_length(output_length, filter_size, padding, stride):
    """How long the axis was on which a window had so many places."""
    if output_length is None:
        return None
    taken = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * taken + filter_size


def deconv_output_length(input_length, filter_size, padding, stride):
    if input_length is None:
        return None
    return input_length * stride + {"same": 0, "valid": max(filter_size - stride, 0),
                                    "full": 2 - stride - filter_size}[padding]
