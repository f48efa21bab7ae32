# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What each layer of tf.keras.layers and tf.layers and each cell says of itself in get_config(), in TensorFlow's order."""

import inspect

from .. import layers as plain_layers
from ..learning import activations, layers_base, rnn_cells, rnn_wrappers
from . import backend, base_layer, configs

_CONVOLUTION = """filters kernel_size strides padding data_format dilation_rate activation use_bias kernel_initializer
    bias_initializer kernel_regularizer bias_regularizer activity_regularizer kernel_constraint bias_constraint"""
_RECURRENT = "return_sequences return_state go_backwards stateful unroll time_major"
_CELL = """kernel_initializer recurrent_initializer bias_initializer kernel_regularizer recurrent_regularizer
    bias_regularizer kernel_constraint recurrent_constraint bias_constraint dropout recurrent_dropout"""
_CELL_WITH_ACTIVITY = _CELL.replace("kernel_constraint", "activity_regularizer kernel_constraint", 1)
_CUDNN = _CELL_WITH_ACTIVITY.replace("dropout recurrent_dropout", "")
_KEPT = "return_sequences return_state go_backwards stateful "
_FORGETTING = ("bias_initializer", "bias_initializer unit_forget_bias")

_KEYS = {name: keys.split() for names, keys in {
    "Activation": "activation", "ActivityRegularization": "l1 l2", "AlphaDropout GaussianDropout": "rate",
    "Attention AdditiveAttention": "causal use_scale",
    "AveragePooling1D MaxPooling1D": "strides pool_size padding data_format",
    "AveragePooling2D AveragePooling3D MaxPooling2D MaxPooling3D": "pool_size padding strides data_format",
    "BatchNormalization": """axis momentum epsilon center scale beta_initializer gamma_initializer moving_mean_initializer
        moving_variance_initializer beta_regularizer gamma_regularizer beta_constraint gamma_constraint""",
    "LayerNormalization": """axis epsilon center scale beta_initializer gamma_initializer beta_regularizer gamma_regularizer
        beta_constraint gamma_constraint""",
    "Concatenate Softmax": "axis", "Conv1D Conv2D Conv3D": _CONVOLUTION, "Conv2DTranspose": _CONVOLUTION + " output_padding",
    "Conv3DTranspose": _CONVOLUTION.replace("dilation_rate ", "") + " output_padding",
    "SeparableConv1D SeparableConv2D": _CONVOLUTION + """ depth_multiplier depthwise_initializer pointwise_initializer
        depthwise_regularizer pointwise_regularizer depthwise_constraint pointwise_constraint""",
    "DepthwiseConv2D": """kernel_size strides padding data_format dilation_rate activation use_bias bias_initializer
        bias_regularizer activity_regularizer bias_constraint depth_multiplier depthwise_initializer depthwise_regularizer
        depthwise_constraint""",
    "LocallyConnected1D LocallyConnected2D": _CONVOLUTION.replace("dilation_rate ", "") + " implementation",
    "Cropping1D": "cropping", "Cropping2D Cropping3D": "cropping data_format",
    "Dense": """units activation use_bias kernel_initializer bias_initializer kernel_regularizer bias_regularizer
        activity_regularizer kernel_constraint bias_constraint""",
    "Dot": "axes normalize", "Dropout SpatialDropout1D SpatialDropout2D SpatialDropout3D": "rate noise_shape seed",
    "ELU LeakyReLU": "alpha",
    "Embedding": """input_dim output_dim embeddings_initializer embeddings_regularizer activity_regularizer
        embeddings_constraint mask_zero input_length""",
    "Flatten GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D GlobalMaxPooling1D GlobalMaxPooling2D "
    "GlobalMaxPooling3D": "data_format",
    "GaussianNoise": "stddev", "Masking": "mask_value", "Permute": "dims", "RepeatVector": "n", "Reshape": "target_shape",
    "PReLU": "alpha_initializer alpha_regularizer alpha_constraint shared_axes", "ThresholdedReLU": "theta",
    "ReLU": "max_value negative_slope threshold",
    "SimpleRNNCell": "units activation use_bias " + _CELL,
    "LSTMCell": "units activation recurrent_activation use_bias " + _CELL.replace(*_FORGETTING) + " implementation",
    "GRUCell": "units activation recurrent_activation use_bias " + _CELL + " implementation reset_after",
    "SimpleRNN": _RECURRENT + " units activation use_bias " + _CELL_WITH_ACTIVITY,
    "LSTM": _RECURRENT + " units activation recurrent_activation use_bias " + _CELL_WITH_ACTIVITY.replace(*_FORGETTING) +
            " implementation",
    "GRU": _RECURRENT + " units activation recurrent_activation use_bias " + _CELL_WITH_ACTIVITY +
           " implementation reset_after",
    "ConvLSTM2D": _RECURRENT + " filters kernel_size strides padding data_format dilation_rate activation recurrent_activation "
                  "use_bias " + _CELL_WITH_ACTIVITY.replace(*_FORGETTING),
    "CuDNNGRU": _KEPT + "time_major units " + _CUDNN, "CuDNNLSTM": _KEPT + "time_major units " + _CUDNN.replace(*_FORGETTING),
    "UpSampling1D": "size", "UpSampling2D": "size data_format interpolation", "UpSampling3D": "size data_format",
    "ZeroPadding1D": "padding", "ZeroPadding2D ZeroPadding3D": "padding data_format",
}.items() for name in names.split()}


_BASES = (base_layer.Layer, layers_base.Layer)

_CELL_KEYS = {name: keys.split() for name, keys in {
    "BasicRNNCell": "num_units activation reuse", "GRUCell": "num_units kernel_initializer bias_initializer activation reuse",
    "BasicLSTMCell": "num_units forget_bias state_is_tuple activation reuse",
    "DropoutWrapper": "input_keep_prob output_keep_prob state_keep_prob variational_recurrent input_size seed",
    "DeviceWrapper": "device",
    "LSTMCell": """num_units use_peepholes cell_clip initializer num_proj proj_clip num_unit_shards num_proj_shards
        forget_bias state_is_tuple activation reuse""",
}.items()}


def _known(layer):
    """The nearest class of the library's own, and its keys."""
    from . import layers
    for kind in type(layer).__mro__:
        for room, known in ((layers, _KEYS), (plain_layers, _KEYS), (rnn_cells, _CELL_KEYS), (rnn_wrappers, _CELL_KEYS)):
            if vars(room).get(kind.__name__) is kind and kind not in _BASES:
                return kind, known.get(kind.__name__, ())
    return None, ()


def is_known(layer):
    """Whether the library has its class, or one that it comes of, beside the base of all layers."""
    return _known(layer)[0] is not None


def arguments_of(layer):
    """What the constructors took, by name; what they were not given is their default."""
    found = {}
    for kind in type(layer).__mro__:
        parameters = inspect.signature(kind.__init__).parameters if "__init__" in vars(kind) else {}
        for name, parameter in parameters.items():
            if parameter.default is not parameter.empty:
                found.setdefault(name, parameter.default)
    positional, named = layer._given
    found.update(zip(list(inspect.signature(type(layer).__init__).parameters)[1:], positional))
    found.update(named)
    return found


def _default_initializer(layer, key):
    """Outside tf.keras an initializer that was left out is the variable scope's, where the layer asks for one at all."""
    kind, _ = _known(layer)
    is_asked = key in inspect.signature(kind.__init__).parameters and base_layer.Layer not in kind.__mro__
    return None if is_asked else "glorot_uniform"


_KINDS = {"initializer": configs.initializer, "regularizer": configs.regularizer, "constraint": configs.constraint}


def _value(layer, key, given):
    value = getattr(layer, key) if hasattr(layer, key) else given.get(key)
    find = _KINDS.get(key.rpartition("_")[2])
    if find is not None:
        if value is None and find is configs.initializer:
            value = _default_initializer(layer, key)
        return configs.serialize(find(value))
    if key == "data_format":
        return value or backend.image_data_format()
    if key in ("alpha", "theta"):
        return float(value)
    if key.endswith("activation"):
        return activations.serialize(activations.get(value or ("tanh" if isinstance(layer, rnn_cells.RNNCell) else "linear")))
    return value


def own(layer):
    """What a layer adds to every layer's config; nothing for other people's."""
    keys = _known(layer)[1]
    given = arguments_of(layer) if keys else {}
    return {key: _value(layer, key, given) for key in keys}
