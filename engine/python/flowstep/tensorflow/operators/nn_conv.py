# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.nn: convolutions and poolings, and how dilated ones are put together of spaces and batches."""

import builtins

import numpy as np

from .. import dtypes
from ..framework import ops, tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, convert_to_tensor, either
from . import array_ops, math_ops


def sequence(value, n, channel_index, name):
    """Strides and the like of all dimensions from those of one or of the spatial ones."""
    if value is None:
        value = [1]
    elif not isinstance(value, (list, tuple, np.ndarray)):
        value = [value]
    value = list(value)
    if len(value) == n + 2:
        return value
    if len(value) == 1:
        value = value * n
    elif len(value) != n:
        raise ValueError("{} should be of length 1, {} or {} but was {}".format(name, n, n + 2, len(value)))
    return [1, 1] + value if channel_index == 1 else [1] + value + [1]


def _channel(data_format, n):
    return 1 if data_format is not None and data_format.startswith("NC") else n + 1


def _paddings(padding):
    if padding == "EXPLICIT":
        raise ValueError('"EXPLICIT" is not a valid value for the padding parameter. To use explicit padding, the padding '
                         "parameter must be a list.")
    if not isinstance(padding, (list, tuple)):
        return padding, []
    flat = []
    for i, pair in enumerate(padding):
        if not isinstance(pair, (list, tuple)):
            raise ValueError("When padding is a list, each element of padding must be a list/tuple of size 2. Element with "
                             "index %d of padding is not a list/tuple" % i)
        if len(pair) != 2:
            raise ValueError("When padding is a list, each element of padding must be a list/tuple of size 2. Element with "
                             "index %d of padding has size %d" % (i, len(pair)))
        flat.extend(pair)
    if len(padding) != 4:
        raise ValueError("When padding is a list, it must be of size 4. Got padding of size: %d" % len(padding))
    return "EXPLICIT", flat


# -- one op each

def _conv(op_type, n):
    def function(input, filter=None, strides=None, padding=None, use_cudnn_on_gpu=True, data_format="NHWC",
                 dilations=None, name=None, filters=None):
        padding, explicit = _paddings(padding)
        index = _channel(data_format, n)
        return apply_op(op_type, input=input, filter=either("filters", filters, "filter", filter),
                        strides=sequence(strides, n, index, "strides"), padding=padding,
                        use_cudnn_on_gpu=use_cudnn_on_gpu, explicit_paddings=explicit, data_format=data_format or "NHWC",
                        dilations=sequence(dilations, n, index, "dilations"), name=name)
    return function


conv2d = _conv("Conv2D", 2)


def conv3d(input, filter=None, strides=None, padding=None, data_format="NDHWC", dilations=[1, 1, 1, 1, 1], name=None,
           filters=None):
    return apply_op("Conv3D", input=input, filter=either("filters", filters, "filter", filter),
                    strides=strides, padding=padding, data_format=data_format, dilations=dilations,
                    name=name)


def _format_1d(data_format):
    """The two-dimensional format, the place of what is added, and that of the channels."""
    if data_format in (None, "NHWC", "NWC"):
        return "NHWC", 1, 2
    if data_format in ("NCHW", "NCW"):
        return "NCHW", 2, 1
    raise ValueError("data_format must be \"NWC\" or \"NCW\".")


def conv1d(value=None, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None, data_format=None, name=None,
           input=None, dilations=None):
    value = either("input", input, "value", value)
    with name_scope(name, "conv1d", [value, filters]) as name:
        data_format, at, index = _format_1d(data_format)
        strides = [1] + sequence(stride, 1, index, "stride")
        dilations = [1] + sequence(dilations, 1, index, "dilations")
        value = array_ops.expand_dims(value, at)
        filters = array_ops.expand_dims(filters, 0)
        result = apply_op("Conv2D", input=value, filter=filters, strides=[int(s) for s in strides], padding=padding,
                          use_cudnn_on_gpu=use_cudnn_on_gpu, data_format=data_format,
                          dilations=[int(d) for d in dilations], name=name)
        return array_ops.squeeze(result, [at])


def conv1d_transpose(input, filters, output_shape, strides, padding="SAME", data_format="NWC", dilations=None, name=None):
    with name_scope(name, "conv1d_transpose", [input, filters, output_shape]) as name:
        data_format, at, index = _format_1d(data_format)
        strides = [1] + sequence(strides, 1, index, "stride")
        dilations = [1] + sequence(dilations, 1, index, "dilations")
        input = array_ops.expand_dims(input, at)
        filters = array_ops.expand_dims(filters, 0)
        output_shape = output_shape if isinstance(output_shape, Tensor) else list(output_shape)
        output_shape = array_ops.concat([output_shape[:at], [1], output_shape[at:]], 0)
        result = apply_op("Conv2DBackpropInput", input_sizes=output_shape, filter=filters, out_backprop=input,
                          strides=strides, padding=padding, data_format=data_format, dilations=dilations, name=name)
        return array_ops.squeeze(result, at)


def _transposed_2d(input, filters, output_shape, strides, padding, data_format, dilations, name):
    with name_scope(name, "conv2d_transpose", [input, filters, output_shape]) as name:
        index = _channel(data_format, 2)
        return apply_op("Conv2DBackpropInput", input_sizes=output_shape, filter=filters, out_backprop=input,
                        strides=sequence(strides, 2, index, "strides"), padding=padding, data_format=data_format or "NHWC",
                        dilations=sequence(dilations, 2, index, "dilations"), name=name)


def conv2d_transpose(value=None, filter=None, output_shape=None, strides=None, padding="SAME", data_format="NHWC",
                     name=None, input=None, filters=None, dilations=None):
    return _transposed_2d(either("input", input, "value", value), either("filters", filters, "filter", filter), output_shape,
                          strides, padding, data_format, dilations, name)


def conv3d_transpose(value=None, filter=None, output_shape=None, strides=None, padding="SAME", data_format="NDHWC",
                     name=None, input=None, filters=None, dilations=None):
    value, filter = either("input", input, "value", value), either("filters", filters, "filter", filter)
    with name_scope(name, "conv3d_transpose", [value, filter, output_shape]) as name:
        index = _channel(data_format, 3)
        return apply_op("Conv3DBackpropInputV2", input_sizes=output_shape, filter=filter, out_backprop=value,
                        strides=sequence(strides, 3, index, "strides"), padding=padding,
                        data_format=data_format or "NDHWC", dilations=sequence(dilations, 3, index, "dilations"), name=name)


def conv_transpose(input, filters, output_shape, strides, padding="SAME", data_format=None, dilations=None, name=None):
    with name_scope(name, "conv_transpose", [input, filters, output_shape]) as name:
        if isinstance(output_shape, Tensor):
            n = output_shape.shape[0].value - 2
        else:
            n = len(output_shape) - 2
        if not 1 <= n <= 3:
            raise ValueError("output_shape must be of length 3, 4 or 5 but was {}.".format(n + 2))
        if n == 1:
            return conv1d_transpose(input, filters, output_shape, strides, padding, data_format, dilations, name)
        if n == 2:
            return _transposed_2d(input, filters, output_shape, strides, padding, data_format, dilations, name)
        return conv3d_transpose(input, filters, output_shape, strides, padding, data_format, name, dilations=dilations)


def conv2d_backprop_filter(input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=True, data_format="NHWC",
                           dilations=(1, 1, 1, 1), name=None):
    padding, explicit = _paddings(padding)
    return apply_op("Conv2DBackpropFilter", input=input, filter_sizes=filter_sizes, out_backprop=out_backprop,
                    strides=strides, padding=padding, use_cudnn_on_gpu=use_cudnn_on_gpu, explicit_paddings=explicit,
                    data_format=data_format, dilations=list(dilations), name=name)


def conv2d_backprop_input(input_sizes, filter=None, out_backprop=None, strides=None, padding=None, use_cudnn_on_gpu=True,
                          data_format="NHWC", dilations=(1, 1, 1, 1), name=None, filters=None):
    padding, explicit = _paddings(padding)
    return apply_op("Conv2DBackpropInput", input_sizes=input_sizes, filter=either("filters", filters, "filter", filter),
                    out_backprop=out_backprop, strides=strides, padding=padding, use_cudnn_on_gpu=use_cudnn_on_gpu,
                    explicit_paddings=explicit, data_format=data_format, dilations=list(dilations), name=name)


def dilation2d(input, filter=None, strides=None, rates=None, padding=None, name=None, filters=None, dilations=None):
    return apply_op("Dilation2D", input=input, filter=either("filters", filters, "filter", filter), strides=strides,
                    rates=either("dilations", dilations, "rates", rates), padding=padding, name=name)


# -- dilation by spaces and batches

def _base_paddings(filter_shape, n, rate):
    spatial = filter_shape[:n]
    extra = spatial + (spatial - 1) * (rate - 1) - 1
    start = extra // 2
    end = extra - start
    return array_ops.stack([[start[i], end[i]] for i in builtins.range(n)])


def _adjust(orig, fill, spatial_dims):
    """The rows for dimensions before and between the spatial ones filled in."""
    rest = orig.shape.as_list()[1:]
    dtype = orig.dtype.as_numpy_dtype
    value = ops.constant_value(orig)
    source = value if value is not None else orig
    parts, previous, i = [], 0, 0
    while i < len(spatial_dims):
        first = i
        if spatial_dims[i] > 1:
            parts.append(np.full([spatial_dims[i] - 1 - previous] + rest, fill, dtype=dtype))
        while i + 1 < len(spatial_dims) and spatial_dims[i + 1] == spatial_dims[i] + 1:
            i += 1
        parts.append(source[first:i + 1])
        previous = spatial_dims[i]
        i += 1
    return np.concatenate(parts) if value is not None else array_ops.concat(parts, 0)


class WithSpaceToBatch:
    """What runs an op, dilated where the rate asks for it; made once, as its constants are."""

    def __init__(self, input_shape, dilation_rate, padding, build, filter_shape=None, spatial_dims=None, data_format=None):
        rate = convert_to_tensor(dilation_rate, dtypes.int32, name="dilation_rate")
        if rate.shape.ndims not in (None, 1):
            raise ValueError("rate must be rank 1")
        if not rate.shape.is_fully_defined():
            raise ValueError("rate must have known shape")
        n = rate.shape[0].value
        first = 2 if data_format is not None and data_format.startswith("NC") else 1
        dims = list(spatial_dims) if spatial_dims is not None else list(builtins.range(first, n + first))
        if dims != sorted(set(dims)) or any(d < 1 for d in dims):
            raise ValueError("spatial_dims must be a montonically increasing sequence of positive integers")
        least = dims[-1] + (0 if first == 2 else 1)
        if input_shape.ndims is not None and input_shape.ndims < least:
            raise ValueError("input tensor must have rank %d at least" % least)
        value = ops.constant_value(rate)
        if value is not None and (value < 1).any():
            raise ValueError("dilation_rate must be positive")
        self._plain = value is not None and (value == 1).all()
        if self._plain:
            self._op = build(n, padding)
            return
        self._base, self._value, self._n = None, value if value is not None else rate, n
        if padding == "SAME":
            if filter_shape is None:
                raise ValueError("filter_shape must be specified for SAME padding")
            known = convert_to_tensor(filter_shape, name="filter_shape")
            known = ops.constant_value(known)
            if known is not None:
                self._base = _base_paddings(known, n, self._value)
        elif padding == "VALID":
            self._base = np.zeros([n, 2], np.int32)
        else:
            raise ValueError("Invalid padding method %r" % padding)
        self._input_shape, self._dims, self._rate, self._format = input_shape, dims, rate, data_format
        self._op = build(n, "VALID")

    def __call__(self, input, filter):
        if self._plain:
            return self._op(input, filter)
        spatial = None
        if self._input_shape.ndims is not None:
            dims = self._input_shape.as_list()
            spatial = [dims[i] for i in self._dims]
        if spatial is None or None in spatial:
            shape = array_ops.shape(input)
            spatial = array_ops.stack([shape[i] for i in self._dims])
        base = self._base
        if base is None:
            base = _base_paddings(array_ops.shape(filter), self._n, self._value)
        paddings, crops = required_space_to_batch_paddings(spatial, self._rate, base)
        rate = _adjust(self._rate, 1, self._dims)
        paddings, crops = _adjust(paddings, 0, self._dims), _adjust(crops, 0, self._dims)
        input = apply_op("SpaceToBatchND", input=input, block_shape=rate, paddings=paddings)
        result = apply_op("BatchToSpaceND", input=self._op(input, filter), block_shape=rate, crops=crops)
        if self._format is not None and self._format.startswith("NC") and filter is not None \
                and result.shape[1].value is None:
            dims = result.shape.as_list()
            dims[1] = filter.shape[-1]
            result.set_shape(dims)
        return result


def required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None):
    with name_scope(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        input_shape = convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
        block_shape = convert_to_tensor(block_shape, dtype=dtypes.int32, name="block_shape")
        n = block_shape.shape[0].value
        if n == 0:
            return array_ops.zeros([0, 2], dtypes.int32), array_ops.zeros([0, 2], dtypes.int32)
        if base_paddings is not None:
            base_paddings = convert_to_tensor(base_paddings, dtype=dtypes.int32, name="base_paddings")
        else:
            base_paddings = array_ops.zeros([n, 2], dtypes.int32)
        values = [ops.constant_value(t) for t in (block_shape, input_shape, base_paddings)]
        known = all(v is not None for v in values)
        block, shape, base = values if known else (block_shape, input_shape, base_paddings)
        start, end = base[:, 0], base[:, 1]
        full = shape + start + end
        extra = (block - full % block) % block
        end = end + extra
        paddings = array_ops.stack([[start[i], end[i]] for i in builtins.range(n)], name="paddings")
        crops = array_ops.stack([[0, extra[i]] for i in builtins.range(n)], name="crops")
        return paddings, crops


def with_space_to_batch(input, dilation_rate, padding, op, filter_shape=None, spatial_dims=None, data_format=None):
    input = convert_to_tensor(input, name="input")
    made = WithSpaceToBatch(input.shape, dilation_rate, padding, lambda n, p: lambda x, _: op(x, n, p), filter_shape,
                            spatial_dims, data_format)
    return made(input, None)


def _strides_and_rate(n, strides, rate):
    rate = [1] * n if rate is None else rate
    strides = [1] * n if strides is None else strides
    if len(rate) != n:
        raise ValueError("len(dilation_rate)=%d but should be %d" % (len(rate), n))
    if len(strides) != n:
        raise ValueError("len(strides)=%d but should be %d" % (len(strides), n))
    rate, strides = np.array(rate, np.int32), np.array(strides, np.int32)
    if (rate < 1).any():
        raise ValueError("all values of dilation_rate must be positive")
    if (strides < 1).any():
        raise ValueError("all values of strides must be positive")
    if (strides > 1).any() and (rate > 1).any():
        raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
    return strides, rate


class Convolution:
    """A convolution of one, two or three dimensions: one op, between SpaceToBatchND and BatchToSpaceND if dilated."""

    def __init__(self, input_shape, filter_shape, padding, strides=None, dilation_rate=None, name=None, data_format=None):
        total = filter_shape.ndims if filter_shape.ndims is not None else input_shape.ndims
        if total is None:
            raise ValueError("rank of input or filter must be known")
        n = total - 2
        for what, shape in (("input", input_shape), ("filter", filter_shape)):
            if shape.ndims not in (None, n + 2):
                raise ValueError("%s tensor must have rank %d" % (what, n + 2))
        first = 2 if data_format is not None and data_format.startswith("NC") else 1
        channels = input_shape[1 if first == 2 else n + 1] if input_shape.ndims is not None else tensor_shape.Dimension(None)
        if not channels.is_compatible_with(filter_shape[n]):
            raise ValueError("number of input channels does not match corresponding dimension of filter, {} != {}".format(
                channels, filter_shape[n]))
        strides, rate = _strides_and_rate(n, strides, dilation_rate)
        self._n, self._strides, self._format, self._name = n, [int(s) for s in strides], data_format, name
        self._op = WithSpaceToBatch(input_shape, rate, padding, self._build, filter_shape, list(builtins.range(first, n + first)),
                                    data_format)

    def _build(self, _, padding):
        def run(input, filter):
            if self._n == 1:
                return conv1d(input, filter, self._strides[0], padding, data_format=self._format or "NWC", name=self._name)
            index = _channel(self._format, self._n)
            strides = sequence(self._strides, self._n, index, "strides")
            if self._n == 2:
                return conv2d(input, filter, strides, padding, data_format=self._format or "NHWC", name=self._name)
            return apply_op("Conv3D", input=input, filter=filter, strides=strides, padding=padding,
                            data_format=self._format, name=self._name)
        return run

    def __call__(self, input, filter):
        return self._op(input, filter)


def convolution(input, filter=None, padding="VALID", strides=None, dilation_rate=None, name=None, data_format=None,
                filters=None, dilations=None):
    filter = either("filters", filters, "filter", filter)
    rate = either("dilations", dilations, "dilation_rate", dilation_rate)
    ranks = [getattr(t, "shape", tensor_shape.unknown_shape()) for t in (input, filter)]
    known = [len(s) - 2 if not isinstance(s, tensor_shape.TensorShape) else s.ndims - 2 for s in ranks
             if not isinstance(s, tensor_shape.TensorShape) or s.ndims is not None]
    if not known:
        raise ValueError("rank of input or filter must be known")
    n = known[0]
    if not 1 <= n <= 3:
        raise ValueError("Input tensor must be of rank 3, 4 or 5 but was {}.".format(n + 2))
    index = _channel(data_format, n)
    strides, rate = sequence(strides, n, index, "strides"), sequence(rate, n, index, "dilations")
    with name_scope(name, "convolution", [input, filter]) as name:
        if all(i == 1 for i in rate):
            if n == 1:
                return conv1d(input, filter, strides, padding, data_format=data_format, dilations=rate, name=name)
            if n == 2:
                return apply_op("Conv2D", input=input, filter=filter, strides=[int(s) for s in strides], padding=padding,
                                data_format=data_format, dilations=[int(d) for d in rate], name=name)
            return apply_op("Conv3D", input=input, filter=filter, strides=[int(s) for s in strides], padding=padding,
                            data_format=data_format, dilations=[int(d) for d in rate], name=name)
        cut = (lambda v: v[2:]) if index == 1 else (lambda v: v[1:-1])
        made = Convolution(tensor_shape.as_shape(input.shape), tensor_shape.as_shape(filter.shape), padding, cut(strides),
                           cut(rate), name, data_format)
        return made(input, filter)


def atrous_conv2d(value, filters, rate, padding, name=None):
    return convolution(value, filters, padding, dilation_rate=np.broadcast_to(rate, (2,)), name=name)


def atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None):
    with name_scope(name, "atrous_conv2d_transpose", [value, filters, output_shape]) as name:
        value = convert_to_tensor(value, name="value")
        filters = convert_to_tensor(filters, name="filters")
        if not value.shape[3].is_compatible_with(filters.shape[3]):
            raise ValueError("value's input channels does not match filters' input channels, {} != {}".format(
                value.shape[3], filters.shape[3]))
        if rate < 1:
            raise ValueError("rate {} cannot be less than one".format(rate))
        if rate == 1:
            return conv2d_transpose(value, filters, output_shape, strides=[1, 1, 1, 1], padding=padding)
        convert_to_tensor(output_shape, name="output_shape")
        output_shape = list(output_shape) if isinstance(output_shape, tuple) else output_shape
        top = bottom = left = right = 0
        if padding == "SAME":
            size = filters.shape.as_list() if filters.shape.is_fully_defined() else array_ops.shape(filters)
            high, wide = size[0], size[1]
            high = high + (high - 1) * (rate - 1) - 1
            wide = wide + (wide - 1) * (rate - 1) - 1
            top = high // 2
            bottom = high - top
            left = wide // 2
            right = wide - left
        elif padding != "VALID":
            raise ValueError("padding must be either VALID or SAME: {}".format(padding))
        height, width = output_shape[1] + top + bottom, output_shape[2] + left + right
        more_bottom, more_right = (rate - height % rate) % rate, (rate - width % rate) % rate
        value = array_ops.space_to_batch(value, [[0, more_bottom], [0, more_right]], rate)
        sizes = [rate * rate * output_shape[0], (height + more_bottom) // rate, (width + more_right) // rate, output_shape[3]]
        value = apply_op("Conv2DBackpropInput", input_sizes=sizes, filter=filters, out_backprop=value,
                         strides=[1, 1, 1, 1], padding="VALID", data_format="NHWC")
        return array_ops.batch_to_space(value, [[top, bottom + more_bottom], [left, right + more_right]], rate)


def depthwise_conv2d(input, filter, strides, padding, rate=None, name=None, data_format=None, dilations=None):
    rate = either("dilations", dilations, "rate", rate)
    with name_scope(name, "depthwise", [input, filter]) as name:
        input = convert_to_tensor(input, name="tensor_in")
        filter = convert_to_tensor(filter, name="filter_in")

        def run(x, _, padding):
            return apply_op("DepthwiseConv2dNative", input=x, filter=filter, strides=[int(s) for s in strides],
                            padding=padding, data_format=data_format, name=name)
        return with_space_to_batch(input, rate if rate is not None else [1, 1], padding, run, array_ops.shape(filter),
                                   data_format=data_format)


def separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, rate=None, name=None, data_format=None,
                     dilations=None):
    rate = either("dilations", dilations, "rate", rate)
    with name_scope(name, "separable_conv2d", [input, depthwise_filter, pointwise_filter]) as name:
        input = convert_to_tensor(input, name="tensor_in")
        depthwise_filter = convert_to_tensor(depthwise_filter, name="depthwise_filter")
        pointwise_filter = convert_to_tensor(pointwise_filter, name="pointwise_filter")
        dims = pointwise_filter.shape.with_rank(4)
        dims[0].assert_is_compatible_with(1)
        dims[1].assert_is_compatible_with(1)

        def run(x, _, padding):
            return apply_op("DepthwiseConv2dNative", input=x, filter=depthwise_filter, strides=[int(s) for s in strides],
                            padding=padding, data_format=data_format, name="depthwise")
        middle = with_space_to_batch(input, rate if rate is not None else [1, 1], padding, run,
                                     array_ops.shape(depthwise_filter), data_format=data_format)
        return conv2d(middle, pointwise_filter, [1, 1, 1, 1], "VALID", data_format=data_format or "NHWC", name=name)


# -- pooling

def _pool_2d(op_type, argument, scope):
    def function(value=None, ksize=None, strides=None, padding=None, data_format="NHWC", name=None, input=None):
        value = either("input", input, "value", value)
        with name_scope(name, scope, [value]) as name:
            data_format_ = data_format or "NHWC"
            index = _channel(data_format_, 2)
            ksize_, strides_ = sequence(ksize, 2, index, "ksize"), sequence(strides, 2, index, "strides")
            if op_type == "MaxPool" and (np.isscalar(ksize_) and ksize_ == 0 or 0 in ksize_):
                raise ValueError("ksize cannot be zero.")
            value = convert_to_tensor(value, name="input" if op_type == "MaxPool" else "value")
            return apply_op(op_type, **{argument: value}, ksize=[int(k) for k in ksize_], strides=[int(s) for s in strides_],
                            padding=padding, data_format=data_format_, name=name)
    return function


max_pool, avg_pool = _pool_2d("MaxPool", "input", "MaxPool"), _pool_2d("AvgPool", "value", "AvgPool")


def _pool_3d(op_type, scope):
    def function(input, ksize, strides, padding, data_format="NDHWC", name=None):
        with name_scope(name, scope, [input]) as name:
            data_format_ = data_format or "NDHWC"
            index = _channel(data_format_, 3)
            return apply_op(op_type, input=input, ksize=[int(k) for k in sequence(ksize, 3, index, "ksize")],
                            strides=[int(s) for s in sequence(strides, 3, index, "strides")], padding=padding,
                            data_format=data_format_, name=name)
    return function


max_pool3d, avg_pool3d = _pool_3d("MaxPool3D", "MaxPool3D"), _pool_3d("AvgPool3D", "AvgPool3D")
max_pool2d = lambda input, ksize, strides, padding, data_format="NHWC", name=None: \
    max_pool(input, ksize, strides, padding, data_format, name)  # noqa: E731
avg_pool2d = avg_pool


def _pool_1d(kind, scope):
    def function(input, ksize, strides, padding, data_format="NWC", name=None):
        with name_scope(name, scope, [input]) as name:
            data_format = data_format or "NWC"
            index = _channel(data_format, 1)
            ksize = [1] + sequence(ksize, 1, index, "ksize")
            strides = [1] + sequence(strides, 1, index, "strides")
            at = 1 if data_format == "NWC" else 2
            data_format = "NHWC" if data_format == "NWC" else "NCHW"
            input = array_ops.expand_dims(input, at)
            result = apply_op("MaxPool" if kind == "MAX" else "AvgPool", **{"input" if kind == "MAX" else "value": input},
                              ksize=ksize, strides=strides, padding=padding, data_format=data_format, name=name)
            return array_ops.squeeze(result, at)
    return function


max_pool1d, avg_pool1d = _pool_1d("MAX", "MaxPool1d"), _pool_1d("AVG", "AvgPool1D")


def pool(input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None, data_format=None,
         dilations=None):
    rate = either("dilations", dilations, "dilation_rate", dilation_rate)
    with name_scope(name, "%s_pool" % pooling_type.lower(), [input]) as scope:
        input = convert_to_tensor(input, name="input")
        n = len(window_shape)
        if not 1 <= n <= 3:
            raise ValueError("It is required that 1 <= num_spatial_dims <= 3.")
        input.shape.with_rank(n + 2)
        strides, rate = _strides_and_rate(n, strides, rate)
        if padding == "SAME" and (rate > 1).any():
            raise ValueError("pooling with SAME padding is not implemented for dilation_rate > 1")
        if (strides > window_shape).any():
            raise ValueError("strides > window_shape not supported due to inconsistency between CPU and GPU implementations")
        if pooling_type not in ("MAX", "AVG"):
            raise ValueError("%d-D %s pooling is not supported." % (n, pooling_type))
        first = 2 if data_format is not None and data_format.startswith("NC") else 1
        fill = (lambda v: [1, 1] + list(v)) if first == 2 else (lambda v: [1] + list(v) + [1])
        window, steps = fill(window_shape), fill(strides)
        if n == 1:
            if data_format not in (None, "NWC", "NCW"):
                raise ValueError("data_format must be either \"NWC\" or \"NCW\".")
            data_format = "NCHW" if data_format == "NCW" else "NHWC"
            window, steps = [1] + window, [1] + steps
        run_op = (max_pool3d if n == 3 else max_pool) if pooling_type == "MAX" else (avg_pool3d if n == 3 else avg_pool)

        def run(x, _, padding):
            x = array_ops.expand_dims(x, first) if n == 1 else x
            result = run_op(x, window, steps, padding, data_format=data_format, name=scope)
            return array_ops.squeeze(result, [first]) if n == 1 else result
        return with_space_to_batch(input, rate, padding, run, window_shape, list(builtins.range(first, n + first)))


def max_pool_with_argmax(input, ksize, strides, padding, data_format="NHWC", Targmax=None, name=None, output_dtype=None,
                         include_batch_in_index=False):
    if data_format != "NHWC":
        raise ValueError("Data formats other than 'NHWC' are not yet supported")
    kind = either("output_dtype", output_dtype, "Targmax", Targmax)
    return apply_op("MaxPoolWithArgmax", input=input, ksize=ksize, strides=strides, padding=padding,
                    Targmax=kind if kind is not None else dtypes.int64, include_batch_in_index=include_batch_in_index,
                    name=name)


def erosion2d(value, kernel, strides, rates, padding, name=None):
    with name_scope(name, "erosion2d", [value, kernel]) as name:
        turned = math_ops.negative(value)
        flipped = apply_op("ReverseV2", tensor=kernel, axis=[0, 1])
        return math_ops.negative(apply_op("Dilation2D", input=turned, filter=flipped, strides=strides, rates=rates,
                                          padding=padding, name=name))
