# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.layers: layers with variables of their own."""

import re

from . import array_ops, dtypes, graph as graph_lib, initializers, math_ops, nn, ops, scope, tensor_shape
from .graph import GraphKeys, name_scope
from .ops import convert_to_tensor


def _snake(name):
    name = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


class Layer:
    """Base of all layers: a variable scope, variables made at the first call."""

    def __init__(self, trainable=True, name=None, dtype=None, _scope=None, _reuse=None, **unknown):
        if unknown:
            raise TypeError("Keyword argument not understood:", next(iter(unknown)))
        self.trainable, self.built, self._dtype = trainable, False, dtype
        self._reuse, self._scope, self._scope_given = _reuse, None, _scope if _scope is not None else name
        self._base_name = name or _snake(type(self).__name__)
        self._weights, self._updates, self._losses = [], [], []

    name = property(lambda self: self._scope.name if self._scope else self._base_name)
    dtype = property(lambda self: self._dtype)
    variables = weights = property(lambda self: list(self._weights))
    updates = property(lambda self: list(self._updates))
    losses = property(lambda self: list(self._losses))
    trainable_variables = trainable_weights = property(
        lambda self: [v for v in self._weights if v.trainable] if self.trainable else [])
    non_trainable_variables = non_trainable_weights = property(
        lambda self: [v for v in self._weights if not (self.trainable and v.trainable)])
    scope_name = property(lambda self: self._scope.name)

    def _set_scope(self, given):
        if self._scope is None:
            if self._reuse:
                opened = scope.variable_scope(given if given is not None else self._base_name)
            else:
                opened = scope.variable_scope(given, default_name=self._base_name)
            with opened as captured:
                self._scope = captured

    def build(self, input_shape):
        self.built = True

    def call(self, inputs, **keywords):
        return inputs

    def __call__(self, inputs, *arguments, **keywords):
        self._set_scope(keywords.pop("scope", None) or self._scope_given)
        reuse = True if self.built else self._reuse
        with scope.variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as current:
            with name_scope(current.original_name_scope):
                if not self.built:
                    given = inputs if isinstance(inputs, (list, tuple)) else [inputs]
                    tensors = [convert_to_tensor(t) for t in given]
                    inputs = tensors if isinstance(inputs, (list, tuple)) else tensors[0]
                    if self._dtype is None and tensors:
                        self._dtype = tensors[0].dtype.base_dtype
                    self.build(tensors[0].shape if not isinstance(inputs, list) else [t.shape for t in tensors])
                    self.built = True
                return self.call(inputs, *arguments, **keywords)

    apply = __call__

    def add_weight(self, name, shape, dtype=None, initializer=None, regularizer=None, trainable=True, constraint=None,
                   use_resource=None, partitioner=None, **later):
        from . import variables
        before = set(variables.global_variables()) if regularizer else None
        v = scope.get_variable(name, shape=shape, initializer=initializer, dtype=dtype or self._dtype or dtypes.float32,
                               constraint=constraint, trainable=trainable and self.trainable, use_resource=use_resource,
                               partitioner=partitioner, **later)
        if regularizer and v not in before:
            with name_scope(name + "/Regularizer"):
                loss = regularizer(v)
            if loss is not None:
                self._losses.append(loss)
                if loss not in graph_lib.get_collection(GraphKeys.REGULARIZATION_LOSSES):
                    graph_lib.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
        self._weights.append(v)
        return v

    add_variable = add_weight

    def add_update(self, update):
        self._updates.append(update)
        if update not in graph_lib.get_collection(GraphKeys.UPDATE_OPS):
            graph_lib.add_to_collection(GraphKeys.UPDATE_OPS, update)


# How replicas of a moving average are put together: VariableSynchronization and VariableAggregation.
ON_READ, MEAN = 3, 2


def _normalize(value, n, name):
    if isinstance(value, int):
        return (value,) * n
    value = tuple(value)
    if len(value) != n:
        raise ValueError("The `" + name + "` argument must be a tuple of " + str(n) + " integers. Received: " + str(value))
    return value


class Dense(Layer):
    def __init__(self, units, activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=initializers.Zeros(), kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **keywords):
        super().__init__(trainable=trainable, name=name, **keywords)
        self.units, self.activation, self.use_bias = int(units), activation, use_bias
        self.kernel_options = dict(initializer=kernel_initializer, regularizer=kernel_regularizer,
                                   constraint=kernel_constraint)
        self.bias_options = dict(initializer=bias_initializer, regularizer=bias_regularizer, constraint=bias_constraint)

    def build(self, input_shape):
        if input_shape.ndims is None or input_shape[-1].value is None:
            raise ValueError("The last dimension of the inputs to `Dense` should be defined. Found `None`.")
        self.kernel = self.add_weight("kernel", [input_shape[-1].value, self.units], **self.kernel_options)
        self.bias = self.add_weight("bias", [self.units], **self.bias_options) if self.use_bias else None

    def call(self, inputs):
        if inputs.shape.ndims is not None and inputs.shape.ndims > 2:
            outputs = math_ops.tensordot(inputs, self.kernel, [[inputs.shape.ndims - 1], [0]])
        else:
            outputs = math_ops.matmul(inputs, self.kernel)
        if self.use_bias:
            outputs = nn.bias_add(outputs, self.bias)
        return self.activation(outputs) if self.activation is not None else outputs


class Conv2D(Layer):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format="channels_last",
                 dilation_rate=(1, 1), activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=initializers.Zeros(), kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **keywords):
        super().__init__(trainable=trainable, name=name, **keywords)
        self.filters, self.kernel_size = filters, _normalize(kernel_size, 2, "kernel_size")
        self.strides, self.padding = _normalize(strides, 2, "strides"), padding.upper()
        self.dilation = _normalize(dilation_rate, 2, "dilation_rate")
        self.channels_first = data_format == "channels_first"
        self.activation, self.use_bias = activation, use_bias
        self.kernel_options = dict(initializer=kernel_initializer, regularizer=kernel_regularizer,
                                   constraint=kernel_constraint)
        self.bias_options = dict(initializer=bias_initializer, regularizer=bias_regularizer, constraint=bias_constraint)

    data_format = property(lambda self: "NCHW" if self.channels_first else "NHWC")

    def _channels(self, input_shape):
        value = input_shape[1 if self.channels_first else -1].value
        if value is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        return value

    def build(self, input_shape):
        channels = self._channels(input_shape)
        self.kernel = self.add_weight("kernel", list(self.kernel_size) + [channels, self.filters], **self.kernel_options)
        self.bias = self.add_weight("bias", [self.filters], **self.bias_options) if self.use_bias else None

    def _finish(self, outputs):
        if self.use_bias:
            outputs = nn.bias_add(outputs, self.bias, data_format=self.data_format)
        return self.activation(outputs) if self.activation is not None else outputs

    def _convolve(self, value, padding):
        return nn.conv2d(value, self.kernel, list(self.strides), padding, data_format=self.data_format)

    def call(self, inputs):
        rate = ops.constant(list(self.dilation), dtypes.int32, name="dilation_rate")
        if self.dilation == (1, 1):
            return self._finish(self._convolve(inputs, self.padding))
        return self._finish(nn.with_space_to_batch(inputs, rate, self.padding, self._convolve))


class Conv2DTranspose(Conv2D):
    def build(self, input_shape):
        channels = self._channels(input_shape)
        self.kernel = self.add_weight("kernel", list(self.kernel_size) + [self.filters, channels], **self.kernel_options)
        self.bias = self.add_weight("bias", [self.filters], **self.bias_options) if self.use_bias else None

    def call(self, inputs):
        shape = array_ops.shape(inputs)
        batch = shape[0]
        h, w = (2, 3) if self.channels_first else (1, 2)
        sizes = [self._length(shape[axis], self.kernel_size[i], self.strides[i]) for i, axis in enumerate((h, w))]
        output = [batch, self.filters] + sizes if self.channels_first else [batch] + sizes + [self.filters]
        strides = (1, 1) + self.strides if self.channels_first else (1,) + self.strides + (1,)
        made = nn.conv2d_transpose(inputs, self.kernel, array_ops.stack(output), list(strides), self.padding,
                                   self.data_format)
        return self._finish(made)

    def _length(self, value, size, stride):
        value = value * stride
        return value + max(size - stride, 0) if self.padding == "VALID" else value


class _Pooling2D(Layer):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None, **keywords):
        super().__init__(name=name, **keywords)
        self.pool_size, self.strides = _normalize(pool_size, 2, "pool_size"), _normalize(strides, 2, "strides")
        self.padding, self.channels_first = padding.upper(), data_format == "channels_first"

    def call(self, inputs):
        def whole(pair):
            return (1, 1) + pair if self.channels_first else (1,) + pair + (1,)
        return self._pool(inputs, list(whole(self.pool_size)), list(whole(self.strides)), self.padding,
                          "NCHW" if self.channels_first else "NHWC")


class MaxPooling2D(_Pooling2D):
    def _pool(self, *arguments):
        return nn.max_pool(*arguments)


class AveragePooling2D(_Pooling2D):
    def _pool(self, *arguments):
        return nn.avg_pool(*arguments)


class Flatten(Layer):
    def call(self, inputs):
        dims = inputs.shape
        if dims.ndims is not None and dims[0].value is not None:
            return array_ops.reshape(inputs, (dims[0].value, -1))
        result = array_ops.reshape(inputs, (array_ops.shape(inputs)[0], -1))
        if dims.ndims is not None:
            result.set_shape([dims[0], tensor_shape.TensorShape(dims[1:]).num_elements()])
        return result


def smart_cond(pred, true_fn, false_fn, name=None):
    value = constant_bool(pred)
    if value is not None:
        return true_fn() if value else false_fn()
    from . import control_flow
    return control_flow.cond(pred, true_fn, false_fn, name=name)


def constant_bool(pred):
    if pred in (0, 1) and not isinstance(pred, ops.Tensor):
        return bool(pred)
    if isinstance(pred, bool):
        return pred
    value = ops.constant_value(pred)
    return None if value is None else bool(value)


class Dropout(Layer):
    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **keywords):
        super().__init__(name=name, **keywords)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs, training=False):
        return smart_cond(training, lambda: nn.dropout(inputs, noise_shape=self.noise_shape, seed=self.seed, rate=self.rate),
                          lambda: array_ops.identity(inputs))


class BatchNormalization(Layer):
    def __init__(self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True,
                 beta_initializer=initializers.Zeros(), gamma_initializer=initializers.Ones(),
                 moving_mean_initializer=initializers.Zeros(), moving_variance_initializer=initializers.Ones(),
                 beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None, renorm=False,
                 renorm_clipping=None, renorm_momentum=0.99, fused=None, trainable=True, virtual_batch_size=None,
                 adjustment=None, name=None, **keywords):
        super().__init__(trainable=trainable, name=name, **keywords)
        self.axis, self.momentum, self.epsilon, self.center, self.scale = axis, momentum, epsilon, center, scale
        self.fused, self.renorm = fused, renorm
        self.options = {"gamma": dict(initializer=gamma_initializer, regularizer=gamma_regularizer,
                                      constraint=gamma_constraint),
                        "beta": dict(initializer=beta_initializer, regularizer=beta_regularizer,
                                     constraint=beta_constraint)}
        self.moving_options = {"moving_mean": moving_mean_initializer, "moving_variance": moving_variance_initializer}

    def build(self, input_shape):
        ndims = input_shape.ndims
        if ndims is None:
            raise ValueError("Input has undefined rank:", input_shape)
        axis = self.axis[0] if isinstance(self.axis, (list, tuple)) else self.axis
        self.position = axis % ndims
        size = input_shape[self.position].value
        if size is None:
            raise ValueError("Input has undefined `axis` dimension. Input shape: ", input_shape)
        if self.fused in (None, True):
            can = ndims == 4 and self.position in (1, 3) and not self.renorm
            self.fused = can if self.fused is None else self.fused
        self.gamma = self.add_weight("gamma", [size], dtype=dtypes.float32, **self.options["gamma"]) if self.scale else None
        self.beta = self.add_weight("beta", [size], dtype=dtypes.float32, **self.options["beta"]) if self.center else None
        if self.fused and not self.scale:
            self._gamma_const = ops.constant(1.0, dtype=dtypes.float32, shape=[size])
        if self.fused and not self.center:
            self._beta_const = ops.constant(0.0, dtype=dtypes.float32, shape=[size])
        for key, initializer in self.moving_options.items():
            setattr(self, key, self.add_weight(key, [size], dtype=dtypes.float32, initializer=initializer, trainable=False,
                                               synchronization=ON_READ, aggregation=MEAN))

    def _assign_average(self, variable, value, momentum):
        from . import variables
        with name_scope("AssignMovingAvg") as name, graph_lib.colocate_with(variable):
            decay = convert_to_tensor(1.0 - momentum, name="decay")
            if decay.dtype != variable.dtype.base_dtype:
                decay = math_ops.cast(decay, variable.dtype.base_dtype)
            delta = (variable - math_ops.cast(value, variable.dtype)) * decay
            return variables.assign_sub(variable, delta, name=name)

    def _call_fused(self, inputs, training):
        gamma = self.gamma if self.scale else self._gamma_const
        beta = self.beta if self.center else self._beta_const
        data_format = "NCHW" if self.position == 1 else "NHWC"

        def train():
            return nn.fused_batch_norm(inputs, gamma, beta, epsilon=self.epsilon, data_format=data_format)

        def infer():
            return nn.fused_batch_norm(inputs, gamma, beta, mean=self.moving_mean, variance=self.moving_variance,
                                       epsilon=self.epsilon, is_training=False, data_format=data_format)
        output, mean, variance = smart_cond(training, train, infer)
        value = constant_bool(training)
        if value is None:
            momentum = smart_cond(training, lambda: self.momentum, lambda: 1.0)
        else:
            momentum = convert_to_tensor(self.momentum)
        if value or value is None:
            self.add_update(self._op(self._assign_average(self.moving_mean, mean, momentum)))
            self.add_update(self._op(self._assign_average(self.moving_variance, variance, momentum)))
        return output

    def _op(self, update):
        return update.op

    def call(self, inputs, training=False):
        if self.fused:
            return self._call_fused(inputs, training)
        if self.renorm:
            raise ValueError("renorm is not built")
        ndims = inputs.shape.ndims
        axes = [i for i in range(ndims) if i != self.position]

        def spread(v):
            if v is None or self.position == ndims - 1:
                return v
            dims = [1] * ndims
            dims[self.position] = inputs.shape[self.position].value
            return array_ops.reshape(v, dims)
        scale, offset = spread(self.gamma), spread(self.beta)
        value = constant_bool(training)
        if value is None:
            raise ValueError("a batch normalization that is not fused and switched by a tensor is not built")
        if value:
            mean, variance = nn.moments(inputs, axes)
            self.add_update(self._op(self._assign_average(self.moving_mean, mean, self.momentum)))
            self.add_update(self._op(self._assign_average(self.moving_variance, variance, self.momentum)))
        else:
            mean, variance = self.moving_mean, self.moving_variance
        outputs = nn.batch_normalization(inputs, spread(mean), spread(variance), offset, scale, self.epsilon)
        outputs.set_shape(inputs.shape)
        return outputs


def _functional(kind, call_options=()):
    def function(inputs, *arguments, reuse=None, name=None, **keywords):
        later = {k: keywords.pop(k) for k in call_options if k in keywords}
        layer = kind(*arguments, name=name, _reuse=reuse, _scope=name, **keywords)
        return layer.apply(inputs, **later)
    return function


dense, conv2d, conv2d_transpose = _functional(Dense), _functional(Conv2D), _functional(Conv2DTranspose)
max_pooling2d, average_pooling2d = _functional(MaxPooling2D), _functional(AveragePooling2D)
_dropout, _batch = _functional(Dropout, ("training",)), _functional(BatchNormalization, ("training",))


def flatten(inputs, name=None, data_format="channels_last"):
    return Flatten(name=name).apply(inputs)


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    return _dropout(inputs, rate, noise_shape, seed, name=name, training=training)


def batch_normalization(inputs, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True, training=False, **keywords):
    return _batch(inputs, axis, momentum, epsilon, center, scale, training=training, **keywords)
