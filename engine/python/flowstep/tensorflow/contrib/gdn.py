# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers.gdn: channels divided by what they and the others are, with learned weights, or multiplied by it."""

from .. import nn
from ..differentiation.gradient_rules import RegisterGradient
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..framework.ops import constant, convert_to_tensor
from ..framework.tensor_shape import TensorShape
from ..learning.layers_base import InputSpec, Layer
from ..operators import array_ops, linalg, math_ops, nn_conv

_AXES = {"channels_first": 1, "channels_last": -1}


@RegisterGradient("GDNLowerBound")
def _bound_gradient(op, grad):
    """What is below the bound may still go up."""
    inputs, bound = op.inputs
    passes = math_ops.logical_or(inputs >= bound, grad < 0)
    return [math_ops.cast(passes, grad.dtype) * grad, None]


def _lower_bound(inputs, bound):
    with name_scope(None, "GDNLowerBound", [inputs, bound]) as scope:
        inputs = convert_to_tensor(inputs, name="inputs")
        bound = convert_to_tensor(bound, name="bound")
        with graph_lib.get_default_graph().gradient_override_map({"Maximum": "GDNLowerBound"}):
            return math_ops.maximum(inputs, bound, name=scope)


class GDN(Layer):
    def __init__(self, inverse=False, beta_min=1e-6, gamma_init=.1, reparam_offset=2**-18, data_format="channels_last",
                 activity_regularizer=None, trainable=True, name=None, **kwargs):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        self.inverse, self.data_format = inverse, data_format
        self._beta_min, self._gamma_init, self._reparam_offset = beta_min, gamma_init, reparam_offset
        self._channel_axis()
        self.input_spec = InputSpec(min_ndim=3, max_ndim=5)

    def _channel_axis(self):
        if self.data_format not in _AXES:
            raise ValueError("Unsupported `data_format` for GDN layer: {}.".format(self.data_format))
        return _AXES[self.data_format]

    def _pedestal(self):
        return constant(self._reparam_offset ** 2, dtype=self.dtype)

    def _start_of_beta(self, shape, dtype=None, partition_info=None):
        pedestal = self._pedestal()
        return math_ops.sqrt(array_ops.ones(shape, dtype=dtype) + pedestal)

    def _start_of_gamma(self, shape, dtype=None, partition_info=None):
        eye = linalg.eye(shape[0], dtype=dtype)
        pedestal = self._pedestal()
        return math_ops.sqrt(self._gamma_init * eye + pedestal)

    def build(self, input_shape):
        axis, input_shape = self._channel_axis(), TensorShape(input_shape)
        channels = input_shape.dims[axis].value
        if channels is None:
            raise ValueError("The channel dimension of the inputs to `GDN` must be defined.")
        self._input_rank = input_shape.ndims
        self.input_spec = InputSpec(ndim=input_shape.ndims, axes={axis: channels})
        pedestal = self._pedestal()
        bounds = [constant(bound, dtype=self.dtype) for bound in (
            (self._beta_min + self._reparam_offset ** 2) ** .5, self._reparam_offset)]

        def parameter(name, shape, initializer, bound):
            """A variable whose square is the parameter and what keeps it above zero."""
            value = self.add_variable("reparam_" + name, shape=shape, initializer=initializer, dtype=self.dtype, trainable=True)
            return math_ops.square(_lower_bound(value, bound)) - pedestal
        self.beta = parameter("beta", [channels], self._start_of_beta, bounds[0])
        self.gamma = parameter("gamma", [channels, channels], self._start_of_gamma, bounds[1])
        self.built = True

    def _norms_channels_first(self, inputs, gamma):
        rank = self._input_rank
        norms = nn_conv.convolution(math_ops.square(inputs), gamma, "VALID", data_format="NC" + "DHW"[-(rank - 2):])
        if rank == 3:
            norms = nn.bias_add(array_ops.expand_dims(norms, 2), self.beta, data_format="NCHW")
            return array_ops.squeeze(norms, [2])
        if rank == 5:
            shape = array_ops.shape(norms)
            norms = array_ops.reshape(norms, shape[:3] + [-1])
            return array_ops.reshape(nn.bias_add(norms, self.beta, data_format="NCHW"), shape)
        return nn.bias_add(norms, self.beta, data_format="NCHW")

    def call(self, inputs):
        inputs = convert_to_tensor(inputs, dtype=self.dtype)
        gamma = array_ops.reshape(self.gamma, (self._input_rank - 2) * [1] + self.gamma.shape.as_list())
        if self.data_format == "channels_first":
            norms = self._norms_channels_first(inputs, gamma)
        else:
            norms = nn_conv.convolution(math_ops.square(inputs), gamma, "VALID")
            norms = nn.bias_add(norms, self.beta, data_format="NHWC")
        norms = math_ops.sqrt(norms)
        outputs = inputs * norms if self.inverse else inputs / norms
        outputs.set_shape(inputs.shape)
        return outputs


def gdn(inputs, inverse=False, beta_min=1e-6, gamma_init=.1, reparam_offset=2**-18, data_format="channels_last",
        activity_regularizer=None, trainable=True, name=None, reuse=None):
    layer = GDN(inverse=inverse, beta_min=beta_min, gamma_init=gamma_init, reparam_offset=reparam_offset,
                data_format=data_format, activity_regularizer=activity_regularizer, trainable=trainable, name=name,
                dtype=inputs.dtype.base_dtype, _scope=name, _reuse=reuse)
    return layer.apply(inputs)
