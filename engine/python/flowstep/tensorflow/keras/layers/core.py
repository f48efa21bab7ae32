# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers: dense ones, dropout, shapes, embeddings, noise, activations, functions."""

import inspect

import numpy as np

from ... import dtypes, layers as plain, nn
from ...framework import tensor_shape
from ...learning import activations, batch_norm
from ...learning.layers_base import smart_cond
from ...operators import array_ops, math_ops, nn_embedding
from ...state import scope as scope_lib
from .. import backend, serialization
from ..base_layer import InputSpec, Layer


def activation(identifier):
    return activations.get("linear" if identifier is None else identifier)


class _Masked(Layer):
    """A layer that hands masks on."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        self.supports_masking = True

    def compute_output_shape(self, input_shape):
        return input_shape


class Dense(plain.Dense, _Masked):
    def __init__(self, units, activation=None, *arguments, **keywords):
        super().__init__(units, activation, *arguments, **keywords)
        self.activation = activations.get("linear") if activation is None else self.activation


class Flatten(plain.Flatten, Layer):
    def compute_output_shape(self, input_shape):
        dims = tensor_shape.as_shape(input_shape).as_list()
        return tensor_shape.TensorShape([dims[0], int(np.prod(dims[1:])) if all(dims[1:]) else None])


class Dropout(plain.Dropout, _Masked):
    def call(self, inputs, training=None):
        training = backend.learning_phase() if training is None else training

        def dropped():
            return nn.dropout(inputs, noise_shape=self._noise_shape(inputs), seed=self.seed, rate=self.rate)
        return smart_cond(training, dropped, lambda: array_ops.identity(inputs))


class _SpatialDropout(Dropout):
    rank = 1

    def __init__(self, rate, data_format=None, **keywords):
        super().__init__(rate, **keywords)
        self.data_format = data_format or backend.image_data_format()
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _noise_shape(self, inputs):
        sizes = array_ops.shape(inputs)
        if self.rank > 1 and self.data_format == "channels_first":
            return (sizes[0], sizes[1]) + (1,) * self.rank
        return (sizes[0],) + (1,) * self.rank + (sizes[self.rank + 1],)


class SpatialDropout1D(_SpatialDropout):
    pass


class SpatialDropout2D(_SpatialDropout):
    rank = 2


class SpatialDropout3D(_SpatialDropout):
    rank = 3


class BatchNormalization(batch_norm.BatchNormalization, _Masked):
    def call(self, inputs, training=None):
        training = backend.learning_phase() if training is None else training
        return super().call(inputs, training=training)


class LayerNormalization(Layer):
    def __init__(self, axis=-1, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros", gamma_initializer="ones",
                 beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None, **keywords):
        super().__init__(**keywords)
        self.axis = list(axis) if isinstance(axis, (list, tuple)) else axis
        self.epsilon, self.center, self.scale, self.supports_masking = epsilon, center, scale, True
        self._of_beta = dict(initializer=beta_initializer, regularizer=beta_regularizer, constraint=beta_constraint)
        self._of_gamma = dict(initializer=gamma_initializer, regularizer=gamma_regularizer, constraint=gamma_constraint)

    def build(self, input_shape):
        rank = input_shape.ndims
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        self.axis = [rank + x if x < 0 else x for x in axes]
        shape = [input_shape.as_list()[x] for x in self.axis]
        self.gamma = self.add_weight("gamma", shape, **self._of_gamma) if self.scale else None
        self.beta = self.add_weight("beta", shape, **self._of_beta) if self.center else None

    def call(self, inputs):
        rank = inputs.shape.ndims
        mean, variance = nn.moments(inputs, self.axis, keep_dims=True)
        dims = [1] * rank
        for x in self.axis:
            dims[x] = inputs.shape.as_list()[x]

        def spread(v):
            if v is not None and v.shape.ndims != rank and self.axis != [rank - 1]:
                return array_ops.reshape(v, dims)
            return v
        scale, offset = spread(self.gamma), spread(self.beta)
        outputs = nn.batch_normalization(inputs, mean, variance, offset, scale, self.epsilon)
        outputs.set_shape(inputs.shape)
        return outputs


class Activation(_Masked):
    def __init__(self, activation, **keywords):
        super().__init__(**keywords)
        self.activation = activations.get(activation)

    def call(self, inputs):
        return self.activation(inputs)


class Masking(Layer):
    def __init__(self, mask_value=0.0, **keywords):
        super().__init__(**keywords)
        self.supports_masking, self.mask_value, self._jointly = True, mask_value, True

    def compute_mask(self, inputs, mask=None):
        return backend.any(math_ops.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs):
        kept = backend.any(math_ops.not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        outputs = inputs * math_ops.cast(kept, inputs.dtype)
        outputs._keras_mask = array_ops.squeeze(kept, axis=-1)
        return outputs

    def compute_output_shape(self, input_shape):
        return input_shape


class Reshape(Layer):
    def __init__(self, target_shape, **keywords):
        super().__init__(**keywords)
        self.target_shape = tuple(target_shape)

    def _settled(self, given):
        wrong = "total size of new array must be unchanged"
        dims, known = list(self.target_shape), int(np.prod([d for d in self.target_shape if d >= 0]))
        unknown = [i for i, d in enumerate(dims) if d < 0]
        if len(unknown) > 1:
            raise ValueError("Can only specify one unknown dimension.")
        total = int(np.prod(given))
        if unknown:
            if known == 0 or total % known:
                raise ValueError(wrong)
            dims[unknown[0]] = total // known
        elif total != known:
            raise ValueError(wrong)
        return dims

    def compute_output_shape(self, input_shape):
        dims = tensor_shape.as_shape(input_shape).as_list()
        rest = [None if d == -1 else d for d in self.target_shape] if None in dims[1:] else self._settled(dims[1:])
        return tensor_shape.TensorShape([dims[0]] + rest)

    def call(self, inputs):
        return array_ops.reshape(inputs, (array_ops.shape(inputs)[0],) + self.target_shape)


class Permute(Layer):
    def __init__(self, dims, **keywords):
        super().__init__(**keywords)
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError("Invalid permutation `dims` for Permute Layer: %s. The set of indices in `dims` must be "
                             "consecutive and start from 1." % (dims,))
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs):
        return array_ops.transpose(inputs, perm=(0,) + self.dims)


class RepeatVector(Layer):
    def __init__(self, n, **keywords):
        super().__init__(**keywords)
        self.n, self.input_spec = n, InputSpec(ndim=2)

    def call(self, inputs):
        return backend.repeat(inputs, self.n)


class Lambda(Layer):
    """A function as a layer; variables that it makes are the layer's."""

    def __init__(self, function, output_shape=None, mask=None, arguments=None, **keywords):
        super().__init__(**keywords)
        self.function, self.arguments, self.mask, self._output_shape = function, arguments or {}, mask, output_shape
        self.supports_masking = mask is not None
        self._made = {}

    def call(self, inputs, mask=None, training=None):
        taken = inspect.signature(self.function).parameters
        given = dict(self.arguments)
        if "mask" in taken:
            given["mask"] = mask
        if "training" in taken:
            given["training"] = training

        def creator(make, **keywords):
            name = keywords["name"]
            if name not in self._made:
                v = self._made[name] = make(**keywords)
                (self._trainable_weights if v.trainable else self._non_trainable_weights).append(v)
                backend.track_variable(v)
            return self._made[name]
        with scope_lib.variable_creator_scope(creator):
            return self.function(inputs, **given)

    def compute_mask(self, inputs, mask=None):
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def get_config(self):
        config = super().get_config()
        function, function_type, module = serialization.function_to_config(self.function)
        shape, shape_type, shape_module = serialization.function_to_config(self._output_shape)
        config.update(function=function, function_type=function_type, module=module, output_shape=shape,
                      output_shape_type=shape_type, output_shape_module=shape_module)
        if self.mask is not None:
            config["mask"] = serialization.function_to_config(self.mask)
        config["arguments"] = self.arguments
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)
        for key, module in (("function", "module"), ("output_shape", "output_shape_module")):
            config[key] = serialization.function_from_config(config[key], config.pop(key + "_type"), config.pop(module),
                                                             custom_objects)
        return cls(**config)


class ActivityRegularization(_Masked):
    def __init__(self, l1=0.0, l2=0.0, **keywords):
        from ..configs import L1L2
        super().__init__(activity_regularizer=L1L2(l1=l1, l2=l2), **keywords)
        self.l1, self.l2 = l1, l2


class Embedding(Layer):
    def __init__(self, input_dim, output_dim, embeddings_initializer="uniform", embeddings_regularizer=None,
                 activity_regularizer=None, embeddings_constraint=None, mask_zero=False, input_length=None, **keywords):
        if "input_shape" not in keywords and "batch_input_shape" not in keywords:
            keywords["input_shape"] = (input_length,) if input_length else (None,)
        super().__init__(dtype=keywords.pop("dtype", backend.floatx()), activity_regularizer=activity_regularizer, **keywords)
        self.input_dim, self.output_dim, self.input_length = input_dim, output_dim, input_length
        self.mask_zero, self.supports_masking = mask_zero, mask_zero
        self._options = dict(initializer=embeddings_initializer, regularizer=embeddings_regularizer,
                             constraint=embeddings_constraint)

    def build(self, input_shape):
        self.embeddings = self.add_weight("embeddings", (self.input_dim, self.output_dim), **self._options)

    def compute_mask(self, inputs, mask=None):
        return math_ops.not_equal(inputs, 0) if self.mask_zero else None

    def call(self, inputs):
        if inputs.dtype not in (dtypes.int32, dtypes.int64):
            inputs = math_ops.cast(inputs, dtypes.int32)
        return nn_embedding.embedding_lookup(self.embeddings, inputs)


# -- activations with settings

class LeakyReLU(_Masked):
    def __init__(self, alpha=0.3, **keywords):
        super().__init__(**keywords)
        self.alpha = backend.cast_to_floatx(alpha)

    def call(self, inputs):
        return backend.relu(inputs, alpha=self.alpha)


class PReLU(_Masked):
    def __init__(self, alpha_initializer="zeros", alpha_regularizer=None, alpha_constraint=None, shared_axes=None,
                 **keywords):
        super().__init__(**keywords)
        self.shared_axes = [shared_axes] if isinstance(shared_axes, int) else shared_axes
        self._options = dict(initializer=alpha_initializer, regularizer=alpha_regularizer, constraint=alpha_constraint)

    def build(self, input_shape):
        dims = input_shape.as_list()[1:]
        for i in self.shared_axes or ():
            dims[i - 1] = 1
        self.alpha = self.add_weight("alpha", dims, **self._options)

    def call(self, inputs):
        positive = backend.relu(inputs)
        return positive + -self.alpha * backend.relu(-inputs)


class ELU(_Masked):
    def __init__(self, alpha=1.0, **keywords):
        super().__init__(**keywords)
        self.alpha = backend.cast_to_floatx(alpha)

    def call(self, inputs):
        return backend.elu(inputs, self.alpha)


class ThresholdedReLU(_Masked):
    def __init__(self, theta=1.0, **keywords):
        super().__init__(**keywords)
        self.theta = backend.cast_to_floatx(theta)

    def call(self, inputs):
        return inputs * math_ops.cast(math_ops.greater(inputs, self.theta), backend.floatx())


class Softmax(_Masked):
    def __init__(self, axis=-1, **keywords):
        super().__init__(**keywords)
        self.axis = axis

    def call(self, inputs):
        return backend.softmax(inputs, axis=self.axis)


class ReLU(_Masked):
    def __init__(self, max_value=None, negative_slope=0, threshold=0, **keywords):
        super().__init__(**keywords)
        if max_value is not None and max_value < 0.:
            raise ValueError("max_value of Relu layer cannot be negative value: " + str(max_value))
        if negative_slope < 0.:
            raise ValueError("negative_slope of Relu layer cannot be negative value: " + str(negative_slope))
        self.max_value = None if max_value is None else backend.cast_to_floatx(max_value)
        self.negative_slope, self.threshold = backend.cast_to_floatx(negative_slope), backend.cast_to_floatx(threshold)

    def call(self, inputs):
        return backend.relu(inputs, alpha=self.negative_slope, max_value=self.max_value, threshold=self.threshold)


# -- noise

class GaussianNoise(_Masked):
    def __init__(self, stddev, **keywords):
        super().__init__(**keywords)
        self.stddev = stddev

    def call(self, inputs, training=None):
        def noised():
            return inputs + backend.random_normal(shape=array_ops.shape(inputs), mean=0., stddev=self.stddev)
        return backend.in_train_phase(noised, inputs, training=training)


class GaussianDropout(_Masked):
    def __init__(self, rate, **keywords):
        super().__init__(**keywords)
        self.rate = rate

    def call(self, inputs, training=None):
        if not 0 < self.rate < 1:
            return inputs

        def noised():
            stddev = np.sqrt(self.rate / (1.0 - self.rate))
            return inputs * backend.random_normal(shape=array_ops.shape(inputs), mean=1.0, stddev=stddev)
        return backend.in_train_phase(noised, inputs, training=training)


class AlphaDropout(_Masked):
    """Leaves the mean and the variance of what selu gives."""

    def __init__(self, rate, noise_shape=None, seed=None, **keywords):
        super().__init__(**keywords)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs, training=None):
        if not 0. < self.rate < 1.:
            return inputs
        shape = self.noise_shape if self.noise_shape else array_ops.shape(inputs)

        def dropped():
            lowest = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946
            kept = math_ops.greater_equal(backend.random_uniform(shape, seed=self.seed), self.rate)
            kept = math_ops.cast(kept, backend.floatx())
            a = ((1 - self.rate) * (1 + self.rate * lowest ** 2)) ** -0.5
            return a * (inputs * kept + lowest * (1 - kept)) + -a * lowest * self.rate
        return backend.in_train_phase(dropped, inputs, training=training)
