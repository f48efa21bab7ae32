# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers: convolutions, pooling, up-sampling, padding and cropping."""

from ...learning import layers_conv as plain
from ...learning.layer_sizes import normalize_tuple
from ...operators import array_ops, math_ops
from .. import backend
from ..base_layer import InputSpec, Layer




class Conv1D(plain.Conv1D, Layer):
    pass


class Conv2D(plain.Conv2D, Layer):
    pass


class Conv3D(plain.Conv3D, Layer):
    pass


class Conv2DTranspose(plain.Conv2DTranspose, Layer):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", output_padding=None, data_format=None,
                 dilation_rate=(1, 1), *arguments, **keywords):
        super().__init__(filters, kernel_size, strides, padding, data_format, *arguments, output_padding=output_padding,
                         dilation_rate=dilation_rate, **keywords)


class Conv3DTranspose(plain.Conv3DTranspose, Layer):
    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding="valid", output_padding=None, data_format=None,
                 *arguments, **keywords):
        super().__init__(filters, kernel_size, strides, padding, data_format, *arguments, output_padding=output_padding,
                         **keywords)


class SeparableConv1D(plain.SeparableConv1D, Layer):
    pass


class SeparableConv2D(plain.SeparableConv2D, Layer):
    pass


class DepthwiseConv2D(plain._Conv, Layer):
    def __init__(self, kernel_size, strides=(1, 1), padding="valid", depth_multiplier=1, data_format=None, activation=None,
                 use_bias=True, depthwise_initializer="glorot_uniform", bias_initializer="zeros",
                 depthwise_regularizer=None, bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
                 bias_constraint=None, **keywords):
        Layer.__init__(self, activity_regularizer=activity_regularizer, **keywords)
        self._set_up(None, kernel_size, strides, padding, data_format or backend.image_data_format(), 1, activation,
                     use_bias, bias_initializer, bias_regularizer, bias_constraint)
        self.depth_multiplier = depth_multiplier
        self._of_depthwise = dict(initializer=depthwise_initializer, regularizer=depthwise_regularizer,
                                  constraint=depthwise_constraint)

    def build(self, input_shape):
        channels = self._channels(input_shape)
        self.depthwise_kernel = self.add_weight(
            "depthwise_kernel", self.kernel_size + (channels, self.depth_multiplier), **self._of_depthwise)
        self.bias = self.add_weight("bias", (channels * self.depth_multiplier,), **self.bias_options) \
            if self.use_bias else None

    def call(self, inputs):
        outputs = backend.depthwise_conv2d(inputs, self.depthwise_kernel, self.strides, self.padding, self.data_format,
                                           self.dilation)
        return self._activated(self._biased(outputs))


# -- pooling

def _pooling(kind, size):
    def __init__(self, pool_size=size, strides=None, padding="valid", data_format=None, **keywords):
        kind.__init__(self, pool_size, pool_size if strides is None else strides, padding, data_format or (
            "channels_last" if kind.rank == 1 else backend.image_data_format()), **keywords)
    return type(kind.__name__, (kind, Layer), {"__init__": __init__, "__module__": __name__})


MaxPooling1D, AveragePooling1D = _pooling(plain.MaxPooling1D, 2), _pooling(plain.AveragePooling1D, 2)
MaxPooling2D, AveragePooling2D = _pooling(plain.MaxPooling2D, (2, 2)), _pooling(plain.AveragePooling2D, (2, 2))
MaxPooling3D, AveragePooling3D = _pooling(plain.MaxPooling3D, (2, 2, 2)), _pooling(plain.AveragePooling3D, (2, 2, 2))


class _GlobalPooling(Layer):
    rank = 2
    _reduce = staticmethod(backend.mean)

    def __init__(self, data_format=None, **keywords):
        super().__init__(**keywords)
        self.input_spec = InputSpec(ndim=self.rank + 2)
        self.data_format = data_format or ("channels_last" if self.rank == 1 else backend.image_data_format())

    def _axes(self):
        first = 1 if self.data_format == "channels_last" else 2
        return first if self.rank == 1 else list(range(first, first + self.rank))

    def call(self, inputs):
        return self._reduce(inputs, axis=self._axes())


class GlobalAveragePooling1D(_GlobalPooling):
    rank = 1

    def __init__(self, data_format="channels_last", **keywords):
        super().__init__(data_format, **keywords)
        self.supports_masking = True

    def call(self, inputs, mask=None):
        axis = self._axes()
        if mask is None:
            return backend.mean(inputs, axis=axis)
        mask = math_ops.cast(mask, backend.floatx())
        mask = array_ops.reshape(mask, [-1, inputs.shape.as_list()[axis], 1])
        inputs *= mask
        return backend.sum(inputs, axis=axis) / math_ops.reduce_sum(mask, axis=axis)

    def compute_mask(self, inputs, mask=None):
        return None


class GlobalMaxPooling1D(_GlobalPooling):
    rank, _reduce = 1, staticmethod(backend.max)


class GlobalAveragePooling2D(_GlobalPooling):
    pass


class GlobalMaxPooling2D(_GlobalPooling):
    _reduce = staticmethod(backend.max)


class GlobalAveragePooling3D(_GlobalPooling):
    rank = 3


class GlobalMaxPooling3D(_GlobalPooling):
    rank, _reduce = 3, staticmethod(backend.max)


# -- larger, smaller

class UpSampling1D(Layer):
    def __init__(self, size=2, **keywords):
        super().__init__(**keywords)
        self.size, self.input_spec = int(size), InputSpec(ndim=3)

    def call(self, inputs):
        return backend.repeat_elements(inputs, self.size, axis=1)


class UpSampling2D(Layer):
    def __init__(self, size=(2, 2), data_format=None, interpolation="nearest", **keywords):
        super().__init__(**keywords)
        self.data_format = data_format or backend.image_data_format()
        self.size = normalize_tuple(size, 2, "size")
        if interpolation not in ("nearest", "bilinear"):
            raise ValueError('`interpolation` argument should be one of `"nearest"` or `"bilinear"`.')
        self.interpolation, self.input_spec = interpolation, InputSpec(ndim=4)

    def call(self, inputs):
        return backend.resize_images(inputs, self.size[0], self.size[1], self.data_format, self.interpolation)


class UpSampling3D(Layer):
    def __init__(self, size=(2, 2, 2), data_format=None, **keywords):
        super().__init__(**keywords)
        self.data_format, self.size = data_format or backend.image_data_format(), normalize_tuple(size, 3, "size")
        self.input_spec = InputSpec(ndim=5)

    def call(self, inputs):
        return backend.resize_volumes(inputs, *self.size, data_format=self.data_format)


def _pairs(value, rank, name):
    """((before, after), ...) of one int, of one int an axis, or of pairs."""
    if isinstance(value, int):
        return ((value, value),) * rank
    if len(value) != rank:
        raise ValueError("`%s` should have two elements. Found: %s" % (name, value))
    return tuple(normalize_tuple(v, 2, "entry of " + name) for v in value)


class ZeroPadding1D(Layer):
    def __init__(self, padding=1, **keywords):
        super().__init__(**keywords)
        self.padding, self.input_spec = normalize_tuple(padding, 2, "padding"), InputSpec(ndim=3)

    def call(self, inputs):
        return backend.temporal_padding(inputs, padding=self.padding)


class ZeroPadding2D(Layer):
    rank = 2

    def __init__(self, padding=(1, 1), data_format=None, **keywords):
        super().__init__(**keywords)
        self.data_format = data_format or backend.image_data_format()
        self.padding, self.input_spec = _pairs(padding, self.rank, "padding"), InputSpec(ndim=self.rank + 2)

    def call(self, inputs):
        sides = [list(pair) for pair in self.padding]
        first = self.data_format == "channels_first"
        return array_ops.pad(inputs, [[0, 0], [0, 0]] + sides if first else [[0, 0]] + sides + [[0, 0]])


class ZeroPadding3D(ZeroPadding2D):
    rank = 3

    def __init__(self, padding=(1, 1, 1), data_format=None, **keywords):
        super().__init__(padding, data_format, **keywords)


class Cropping1D(Layer):
    def __init__(self, cropping=(1, 1), **keywords):
        super().__init__(**keywords)
        self.cropping, self.input_spec = normalize_tuple(cropping, 2, "cropping"), InputSpec(ndim=3)

    def call(self, inputs):
        before, after = self.cropping
        return inputs[:, before:, :] if after == 0 else inputs[:, before:-after, :]


class Cropping2D(Layer):
    rank = 2

    def __init__(self, cropping=((0, 0), (0, 0)), data_format=None, **keywords):
        super().__init__(**keywords)
        self.data_format = data_format or backend.image_data_format()
        self.cropping, self.input_spec = _pairs(cropping, self.rank, "cropping"), InputSpec(ndim=self.rank + 2)

    def call(self, inputs):
        cut = tuple(slice(before, -after if after else None) for before, after in self.cropping)
        whole = (slice(None),)
        return inputs[whole + whole + cut if self.data_format == "channels_first" else whole + cut + whole]


class Cropping3D(Cropping2D):
    rank = 3

    def __init__(self, cropping=((1, 1), (1, 1), (1, 1)), data_format=None, **keywords):
        super().__init__(cropping, data_format, **keywords)


