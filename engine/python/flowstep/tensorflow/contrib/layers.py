# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: fully connected and other layers; convolutions, normalization and the rest come from beside it."""

import functools
import numbers

from .. import dtypes, layers as tf_layers
from .. import nn
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys, name_scope
from ..framework.ops import constant, convert_to_tensor
from ..operators import array_ops, check_ops
from ..operators import math_ops, sparse as sparse_lib
from ..operators.nn_embedding import safe_embedding_lookup_sparse  # noqa: F401
from ..state import initializers as tf_initializers
from ..state import scope as scope_lib
from . import layers_util as util, model_variables
from .arg_scopes import add_arg_scope, arg_scope  # noqa: F401
from .convolutions import avg_pool2d, avg_pool3d, conv1d, conv2d, conv2d_in_plane, conv2d_transpose, conv3d
from .convolutions import conv3d_transpose, convolution, convolution1d, convolution2d, convolution2d_in_plane
from .convolutions import convolution2d_transpose, convolution3d, convolution3d_transpose, max_pool2d, max_pool3d
from .convolutions import pool, separable_conv2d, separable_convolution2d
from .initializers import variance_scaling_initializer, xavier_initializer, xavier_initializer_conv2d  # noqa: F401
from .normalization import batch_norm, group_norm, instance_norm, layer_norm  # noqa: F401
from .optimizers import OPTIMIZER_CLS_NAMES, OPTIMIZER_SUMMARIES, adaptive_clipping_fn, optimize_loss  # noqa: F401
from .real_valued import infer_real_valued_columns, real_valued_column  # noqa: F401
from .regularizers import apply_regularization, l1_l2_regularizer, l1_regularizer, l2_regularizer, sum_regularizer
from .summaries import summarize_activation, summarize_activations, summarize_biases, summarize_collection
from .summaries import summarize_tensor, summarize_tensors, summarize_variables, summarize_weights


@add_arg_scope
def fully_connected(inputs, num_outputs, activation_fn=nn.relu, normalizer_fn=None, normalizer_params=None,
                    weights_initializer=xavier_initializer(), weights_regularizer=None,
                    biases_initializer=tf_initializers.Zeros(), biases_regularizer=None, reuse=None,
                    variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    if not isinstance(num_outputs, numbers.Integral):
        raise ValueError("num_outputs type should be one of %s, got %s." % ([int], type(num_outputs)))
    getter = util.build_variable_getter({"bias": "biases", "kernel": "weights"})
    with scope_lib.variable_scope(scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = convert_to_tensor(inputs)
        layer = tf_layers.Dense(
            units=num_outputs, activation=None, use_bias=not normalizer_fn and biases_initializer,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, activity_regularizer=None,
            trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse)
        outputs = layer.apply(inputs)
        util.add_to_collections(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            util.add_to_collections(layer.bias, variables_collections, "biases")
        return util.finish(outputs, sc.name, normalizer_fn, normalizer_params, activation_fn, outputs_collections)


relu = functools.partial(fully_connected, activation_fn=nn.relu)
relu6 = functools.partial(fully_connected, activation_fn=nn.relu6)
elu = functools.partial(fully_connected, activation_fn=nn.elu)
linear = functools.partial(fully_connected, activation_fn=None)


@add_arg_scope
def bias_add(inputs, activation_fn=None, initializer=tf_initializers.Zeros(), regularizer=None, reuse=None,
             variables_collections=None, outputs_collections=None, trainable=True, data_format="NHWC", scope=None):
    util.check_format(data_format, (util.NCHW, util.NHWC))
    with scope_lib.variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as sc:
        inputs = convert_to_tensor(inputs)
        if inputs.shape.ndims is None:
            raise ValueError("Dims of shape must be known but is None")
        if inputs.shape.ndims != 4 and data_format == util.NCHW:
            raise ValueError("Data format NCHW only supports 4D Tensor")
        features = inputs.shape.dims[1 if data_format == util.NCHW else -1].value
        if features is None:
            raise ValueError("`C` dimension must be known but is None")
        biases = model_variables.model_variable(
            "biases", shape=[features], dtype=inputs.dtype.base_dtype, initializer=initializer, regularizer=regularizer,
            collections=util.get_variable_collections(variables_collections, "biases"), trainable=trainable)
        outputs = nn.bias_add(inputs, biases, data_format=data_format)
        return util.finish(outputs, sc.name, None, None, activation_fn, outputs_collections)


@add_arg_scope
def dropout(inputs, keep_prob=0.5, noise_shape=None, is_training=True, outputs_collections=None, scope=None, seed=None):
    with scope_lib.variable_scope(scope, "Dropout", [inputs], custom_getter=util.model_variable_getter) as sc:
        inputs = convert_to_tensor(inputs)
        layer = tf_layers.Dropout(rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=sc.name, _scope=sc)
        outputs = layer.apply(inputs, training=is_training)
        return util.collect_named_outputs(outputs_collections, sc.name, outputs)


@add_arg_scope
def flatten(inputs, outputs_collections=None, scope=None):
    with name_scope(scope, "Flatten", [inputs]) as sc:
        outputs = tf_layers.flatten(convert_to_tensor(inputs))
        return util.collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def _sparse_inner_flatten(inputs, new_rank):
    rank = inputs.dense_shape.shape.as_list()[0]
    if rank < new_rank:
        raise ValueError("Inputs has rank less than new_rank. {} must have rank at least {}. Received rank {}, shape {}".format(
            inputs, new_rank, rank, inputs.shape))
    outer, inner = inputs.dense_shape[:new_rank - 1], inputs.dense_shape[new_rank - 1:]
    return sparse_lib.sparse_reshape(inputs, array_ops.concat((outer, [math_ops.reduce_prod(inner)]), 0))


def _inner_flatten(inputs, new_rank, output_collections=None, scope=None):
    with name_scope(scope, "InnerFlatten", [inputs, new_rank]) as sc:
        if isinstance(inputs, sparse_lib.SparseTensor):
            return util.collect_named_outputs(output_collections, sc, _sparse_inner_flatten(inputs, new_rank))
        inputs = convert_to_tensor(inputs)
        check = check_ops.assert_rank_at_least(inputs, new_rank, message="inputs has rank less than new_rank")
        with graph_lib.control_dependencies([check]):
            outer = array_ops.strided_slice(array_ops.shape(inputs), [0], [new_rank - 1])
            flat = array_ops.reshape(inputs, array_ops.concat((outer, [-1]), 0))
        if isinstance(new_rank, numbers.Integral) and inputs.shape.dims is not None:
            inner = inputs.shape[new_rank - 1:].num_elements()
            flat.set_shape(inputs.shape.as_list()[:new_rank - 1] + [inner])
    return util.collect_named_outputs(output_collections, sc, flat)


@add_arg_scope
def dense_to_sparse(tensor, eos_token=0, outputs_collections=None, scope=None):
    with scope_lib.variable_scope(scope, "dense_to_sparse", [tensor]) as sc:
        tensor = convert_to_tensor(tensor)
        indices = array_ops.where(math_ops.not_equal(tensor, constant(eos_token, tensor.dtype)))
        values = array_ops.gather_nd(tensor, indices)
        outputs = sparse_lib.SparseTensor(indices, values, array_ops.shape(tensor, out_type=dtypes.int64))
        return util.collect_named_outputs(outputs_collections, sc.name, outputs)


@add_arg_scope
def one_hot_encoding(labels, num_classes, on_value=1.0, off_value=0.0, outputs_collections=None, scope=None):
    with name_scope(scope, "OneHotEncoding", [labels, num_classes]) as sc:
        labels = convert_to_tensor(labels)
        if labels.dtype == dtypes.int32:
            labels = math_ops.to_int64(labels)
        outputs = array_ops.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return util.collect_named_outputs(outputs_collections, sc, outputs)


def poincare_normalize(x, axis=1, epsilon=1e-5, name=None):
    """Points that are drawn back into the unit ball."""
    with name_scope(name, "poincare_normalize", [x]) as name:
        x = convert_to_tensor(x, name="x")
        inverse = math_ops.rsqrt(math_ops.reduce_sum(math_ops.square(x), axis, keepdims=True))
        return math_ops.multiply(x, math_ops.minimum((1.0 - epsilon) * inverse, 1.0), name=name)


@add_arg_scope
def softmax(logits, scope=None):
    with scope_lib.variable_scope(scope, "softmax", [logits]):
        count = util.last_dimension(logits.shape, min_rank=2)
        predictions = nn.softmax(array_ops.reshape(logits, [-1, count]))
        predictions = array_ops.reshape(predictions, array_ops.shape(logits))
        predictions.set_shape(logits.shape)
        return predictions


@add_arg_scope
def spatial_softmax(features, temperature=None, name=None, variables_collections=None, trainable=True,
                    data_format="NHWC"):
    with scope_lib.variable_scope(name, "spatial_softmax"):
        shape, static = array_ops.shape(features), features.shape
        util.check_format(data_format, (util.NHWC, util.NCHW))
        if data_format == util.NHWC:
            height, width, channels = shape[1], shape[2], static[3].value
        else:
            channels, height, width = static[1].value, shape[2], shape[3]
        if channels is None:
            raise ValueError("The num_channels dimension of the inputs to `spatial_softmax` should be defined. Found "
                             "`None`.")
        with name_scope("spatial_softmax_op", "spatial_softmax_op", [features]):
            x, y = array_ops.meshgrid(math_ops.lin_space(-1., 1., num=height), math_ops.lin_space(-1., 1., num=width),
                                      indexing="ij")
            x = array_ops.reshape(x, [height * width])
            y = array_ops.reshape(y, [height * width])
            start = tf_initializers.Ones() if temperature is None else tf_initializers.Constant(temperature)
            collections = util.get_variable_collections(variables_collections, "temperature") if trainable else None
            temperature = model_variables.model_variable("temperature", shape=(), dtype=dtypes.float32, initializer=start,
                                                         collections=collections, trainable=trainable)
            if data_format == util.NHWC:
                features = array_ops.transpose(features, [0, 3, 1, 2])
            features = array_ops.reshape(features, [-1, height * width])
            attention = nn.softmax(features / temperature)
            expected_x = math_ops.reduce_sum(x * attention, [1], keepdims=True)
            expected_y = math_ops.reduce_sum(y * attention, [1], keepdims=True)
            points = array_ops.reshape(array_ops.concat([expected_x, expected_y], 1), [-1, channels * 2])
            points.set_shape([None, channels * 2])
    return points


@add_arg_scope
def unit_norm(inputs, dim, epsilon=1e-7, scope=None):
    with scope_lib.variable_scope(scope, "UnitNorm", [inputs]):
        if not inputs.shape:
            raise ValueError("The input rank must be known.")
        rank = inputs.shape.ndims
        if dim < 0 or dim >= rank:
            raise ValueError("dim must be positive but smaller than the input rank.")
        lengths = math_ops.sqrt(epsilon + math_ops.reduce_sum(math_ops.square(inputs), dim, True))
        multiples = []
        if dim > 0:
            multiples.append(array_ops.ones([dim], dtypes.int32))
        multiples.append(array_ops.strided_slice(array_ops.shape(inputs), [dim], [dim + 1]))
        if dim < rank - 1:
            multiples.append(array_ops.ones([rank - 1 - dim], dtypes.int32))
        multiples = array_ops.concat(multiples, 0)
        return math_ops.div(inputs, array_ops.tile(lengths, multiples))


@add_arg_scope
def maxout(inputs, num_units, axis=-1, scope=None):
    with scope_lib.variable_scope(scope, "MaxOut", [inputs]):
        inputs = convert_to_tensor(inputs)
        shape = inputs.shape.as_list()
        channels = shape[axis]
        if channels % num_units:
            raise ValueError("number of features({}) is not a multiple of num_units({})".format(channels, num_units))
        shape[axis] = num_units
        shape.append(channels // num_units)
        shape = [array_ops.shape(inputs)[i] if d is None else d for i, d in enumerate(shape)]
        return math_ops.reduce_max(array_ops.reshape(inputs, shape), -1, keepdims=False)


# -- several of one

def _layer_name(layer, default):
    if hasattr(layer, "__name__"):
        return layer.__name__
    return getattr(getattr(layer, "func", None), "__name__", default)


def repeat(inputs, repetitions, layer, *args, **kwargs):
    scope = kwargs.pop("scope", None)
    with scope_lib.variable_scope(scope, "Repeat", [inputs]):
        outputs = convert_to_tensor(inputs)
        scope = _layer_name(layer, "repeat") if scope is None else scope
        for i in range(repetitions):
            kwargs["scope"] = "%s_%d" % (scope, i + 1)
            outputs = layer(outputs, *args, **kwargs)
        return outputs


def stack(inputs, layer, stack_args, **kwargs):
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError("stack_args need to be a list or tuple")
    with scope_lib.variable_scope(scope, "Stack", [inputs]):
        outputs = convert_to_tensor(inputs)
        scope = _layer_name(layer, "stack") if scope is None else scope
        for i, layer_args in enumerate(stack_args):
            kwargs["scope"] = "%s_%d" % (scope, i + 1)
            layer_args = layer_args if isinstance(layer_args, (list, tuple)) else [layer_args]
            outputs = layer(outputs, *layer_args, **kwargs)
        return outputs


# -- embeddings

def embed_sequence(ids, vocab_size=None, embed_dim=None, unique=False, initializer=None, regularizer=None, trainable=True,
                   scope=None, reuse=None):
    if not (reuse or vocab_size and embed_dim):
        raise ValueError("Must specify vocab size and embedding dimension when not reusing. Got vocab_size=%s and "
                         "embed_dim=%s" % (vocab_size, embed_dim))
    with scope_lib.variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        shape = None if reuse and vocab_size is None or embed_dim is None else [vocab_size, embed_dim]
        embeddings = model_variables.model_variable("embeddings", shape=shape, initializer=initializer,
                                                    regularizer=regularizer, trainable=trainable)
        return embedding_lookup_unique(embeddings, ids) if unique else nn.embedding_lookup(embeddings, ids)


def embedding_lookup_unique(params, ids, partition_strategy="mod", name=None):
    with name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = convert_to_tensor(ids)
        shape = array_ops.shape(ids)
        unique_ids, places = array_ops.unique(array_ops.reshape(ids, [-1]))
        unique_embeddings = nn.embedding_lookup(params, unique_ids, partition_strategy)
        flat = array_ops.gather(unique_embeddings, places)
        result_shape = array_ops.concat([shape, array_ops.shape(unique_embeddings)[1:]], 0)
        result = array_ops.reshape(flat, result_shape)
        result.set_shape(ids.shape.concatenate(unique_embeddings.shape[1:]))
        return result


def bow_encoder(ids, vocab_size, embed_dim, sparse_lookup=True, initializer=None, regularizer=None, trainable=True,
                scope=None, reuse=None):
    if not vocab_size or not embed_dim:
        raise ValueError("Must specify vocab size and embedding dimension")
    with scope_lib.variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = model_variables.model_variable("embeddings", shape=[vocab_size, embed_dim], initializer=initializer,
                                                    regularizer=regularizer, trainable=trainable)
        if sparse_lookup:
            ids = ids if isinstance(ids, sparse_lib.SparseTensor) else sparse_lib.from_dense(ids)
            return nn.safe_embedding_lookup_sparse([embeddings], ids, combiner="mean", default_id=0)
        if isinstance(ids, sparse_lib.SparseTensor):
            raise TypeError("ids are expected to be dense Tensor, got: %s", ids)
        return math_ops.reduce_mean(nn.embedding_lookup(embeddings, ids), axis=1)


# -- as contrib had them first

def legacy_fully_connected(x, num_output_units, activation_fn=None, weight_init=xavier_initializer(),
                           bias_init=tf_initializers.Zeros(), name=None, weight_collections=(GraphKeys.WEIGHTS,),
                           bias_collections=(GraphKeys.BIASES,), output_collections=(GraphKeys.ACTIVATIONS,),
                           trainable=True, weight_regularizer=None, bias_regularizer=None):
    def variable(name, shape, initializer, collections, regularizer):
        collections = list(collections or []) + [GraphKeys.GLOBAL_VARIABLES]
        return scope_lib.get_variable(name, shape=shape, dtype=x.dtype.base_dtype, initializer=initializer,
                                      collections=collections, regularizer=regularizer, trainable=trainable)
    with scope_lib.variable_scope(name, "fully_connected", [x]):
        x = convert_to_tensor(x)
        dims = x.shape.dims
        if dims is None:
            raise ValueError("dims of x must be known but is None")
        if len(dims) < 2:
            raise ValueError("rank of x must be at least 2 not: %d" % len(dims))
        width = dims[-1].value
        if width is None:
            raise ValueError("last dimension of x must be known but is None")
        weights = variable("weights", [width, num_output_units], weight_init, weight_collections, weight_regularizer)
        y = math_ops.matmul(x if len(dims) <= 2 else array_ops.reshape(x, [-1, width]), weights)
        if bias_init is not None:
            y = nn.bias_add(y, variable("bias", [num_output_units], bias_init, bias_collections, bias_regularizer))
        if len(dims) > 2:
            shape = array_ops.unstack(array_ops.shape(x))
            shape[-1] = num_output_units
            y = array_ops.reshape(y, array_ops.stack(shape))
            y.set_shape(x.shape.as_list()[:-1] + [num_output_units])
        y = y if activation_fn is None else activation_fn(y)
        graph_lib.add_to_collections(list(output_collections or []) + [GraphKeys.ACTIVATIONS], y)
        return y


legacy_relu = functools.partial(legacy_fully_connected, activation_fn=nn.relu)
legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
