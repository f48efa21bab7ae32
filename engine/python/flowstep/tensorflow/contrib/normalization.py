# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: batch_norm, layer_norm, instance_norm, group_norm."""

from .. import dtypes, nn
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys
from ..framework.ops import constant, convert_to_tensor
from ..learning import moving_averages
from ..learning.batch_norm import BatchNormalization
from ..operators import array_ops, math_ops
from ..state import initializers, scope as scope_lib
from . import layers_util as util, model_variables
from .arg_scopes import add_arg_scope
from .layers_util import NCHW, NHWC

_DEFAULTS = {"beta": initializers.Zeros(), "gamma": initializers.Ones(), "moving_mean": initializers.Zeros(),
             "moving_variance": initializers.Ones()}


class _Parameters:
    """Makes the parameters of a normalization as model variables."""

    def __init__(self, shape, dtype, param_initializers, param_regularizers, collections, trainable):
        self.shape, self.dtype, self.trainable, self.collections = shape, dtype, trainable, collections
        self.initializers, self.regularizers = param_initializers or {}, param_regularizers or {}

    def make(self, name, trainable=None):
        return model_variables.model_variable(
            name, shape=self.shape, dtype=self.dtype, initializer=self.initializers.get(name, _DEFAULTS[name]),
            regularizer=self.regularizers.get(name), collections=util.get_variable_collections(self.collections, name),
            trainable=self.trainable if trainable is None else trainable)

    def moving(self):
        """Moving mean and variance, never in parts."""
        with scope_lib.variable_scope(scope_lib.get_variable_scope()) as local:
            local.set_partitioner(None)
            return self.make("moving_mean", False), self.make("moving_variance", False)


class _Moving:
    """Moving mean and variance and how a batch moves them."""

    def __init__(self, moving, decay, zero_debias, is_training):
        self.mean, self.variance = moving
        self.decay, self.zero_debias, self.is_training = decay, zero_debias, is_training

    def move(self, mean, variance):
        return (moving_averages.assign_moving_average(self.mean, mean, self.decay, zero_debias=self.zero_debias),
                moving_averages.assign_moving_average(self.variance, variance, self.decay, zero_debias=False))

    def move_later(self, mean, variance, collections):
        updates = util.smart_cond(self.is_training, lambda: self.move(mean, variance),
                                  lambda: (self.mean, self.variance))
        for update in updates:
            graph_lib.add_to_collections(collections, update)


def _needs_updates(is_training):
    value = util.constant_value(is_training)
    return value is None or bool(value)


def _fused(inputs, decay, center, scale, epsilon, activation_fn, param_initializers, param_regularizers,
           updates_collections, is_training, reuse, variables_collections, outputs_collections, trainable, data_format,
           zero_debias, scope):
    util.check_format(data_format, (NCHW, NHWC))
    with scope_lib.variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as sc:
        inputs = original = convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if rank == 2:
            channels = inputs.shape.dims[-1].value
            if channels is None:
                raise ValueError("`C` dimension must be known but is None")
            inputs = array_ops.reshape(inputs, [-1, channels, 1, 1] if data_format == NCHW else [-1, 1, 1, channels])
        shape = inputs.shape[-1:] if data_format == NHWC else inputs.shape[1:2]
        if not shape.is_fully_defined():
            raise ValueError("Inputs %s has undefined `C` dimension %s." % (inputs.name, shape))
        make = _Parameters(shape, dtypes.float32, param_initializers, param_regularizers, variables_collections,
                           trainable)
        beta = make.make("beta") if center else constant(0.0, dtype=dtypes.float32, shape=shape)
        gamma = make.make("gamma") if scale else constant(1.0, dtype=dtypes.float32, shape=shape)
        moving = _Moving(make.moving(), decay, zero_debias, is_training)
        outputs, mean, variance = util.smart_cond(
            is_training, lambda: nn.fused_batch_norm(inputs, gamma, beta, epsilon=epsilon, data_format=data_format),
            lambda: nn.fused_batch_norm(inputs, gamma, beta, mean=moving.mean, variance=moving.variance,
                                        epsilon=epsilon, is_training=False, data_format=data_format))
        if _needs_updates(is_training):
            if updates_collections is None:
                plain = outputs

                def force():
                    with graph_lib.control_dependencies(moving.move(mean, variance)):
                        return array_ops.identity(plain)
                outputs = util.smart_cond(is_training, force, lambda: plain)
            else:
                moving.move_later(mean, variance, updates_collections)
        outputs.set_shape(inputs.shape)
        if rank == 2:
            outputs = array_ops.reshape(outputs, array_ops.shape(original))
        return util.finish(outputs, sc.name, None, None, activation_fn, outputs_collections)


def _by_layer(inputs, sc, decay, center, scale, epsilon, initializers_, regularizers, is_training, reuse, collections,
              trainable, fused, data_format, renorm, renorm_clipping, renorm_decay, adjustment):
    """Over the layer of tf.layers, whose updates go to UPDATE_OPS."""
    def given(name):
        return initializers_.get(name, _DEFAULTS[name])
    layer = BatchNormalization(
        axis=1 if data_format == NCHW else -1, momentum=decay, epsilon=epsilon, center=center, scale=scale,
        beta_initializer=given("beta"), gamma_initializer=given("gamma"), moving_mean_initializer=given("moving_mean"),
        moving_variance_initializer=given("moving_variance"), beta_regularizer=regularizers.get("beta"),
        gamma_regularizer=regularizers.get("gamma"), trainable=trainable, renorm=renorm,
        renorm_clipping=renorm_clipping, renorm_momentum=renorm_decay, adjustment=adjustment, name=sc.name, _scope=sc,
        _reuse=reuse, fused=fused)
    outputs = layer.apply(inputs, training=is_training)
    for name in ("moving_mean", "moving_variance", "beta", "gamma"):
        if getattr(layer, name) is not None:
            util.add_to_collections(getattr(layer, name), collections, name)
    return outputs


def _moments(inputs, axes, batch_weights, data_format):
    if batch_weights is not None:
        keep = data_format == NCHW
        mean, variance = nn.weighted_moments(inputs, axes, batch_weights, keepdims=keep)
    elif data_format == NCHW:
        mean, variance = nn.moments(inputs, axes, keep_dims=True)
    else:
        return nn.moments(inputs, axes)
    if data_format == NCHW:
        mean = array_ops.reshape(mean, [-1])
        variance = array_ops.reshape(variance, [-1])
    return mean, variance


def _by_hand(inputs, decay, center, scale, epsilon, param_initializers, updates_collections, is_training, collections,
             trainable, batch_weights, data_format, zero_debias):
    shape, rank = inputs.shape, inputs.shape.ndims
    if rank is None:
        raise ValueError("Inputs %s has undefined rank." % inputs.name)
    if batch_weights is not None:
        batch_weights = convert_to_tensor(batch_weights)
        shape[0:1].assert_is_compatible_with(batch_weights.shape)
        batch_weights = array_ops.reshape(batch_weights, [-1] + [1] * (rank - 1))
    if data_format == NCHW:
        axes, params_shape = [0] + list(range(2, rank)), shape[1:2]
    else:
        axes, params_shape = list(range(rank - 1)), shape[-1:]
    if not params_shape.is_fully_defined():
        raise ValueError("Inputs %s has undefined channels dimension %s." % (inputs.name, params_shape))
    make = _Parameters(params_shape, inputs.dtype.base_dtype, param_initializers, None, collections, trainable)
    beta = make.make("beta") if center else None
    gamma = make.make("gamma") if scale else None
    moving = _Moving(make.moving(), decay, zero_debias, is_training)
    mean, variance = moving.mean, moving.variance
    if _needs_updates(is_training):
        batch = _moments(inputs, axes, batch_weights, data_format)
        if updates_collections is None:
            def force():
                with graph_lib.control_dependencies(moving.move(*batch)):
                    return array_ops.identity(batch[0]), array_ops.identity(batch[1])
            mean, variance = util.smart_cond(is_training, force, lambda: (moving.mean, moving.variance))
        else:
            moving.move_later(batch[0], batch[1], updates_collections)
            mean, variance = util.smart_cond(is_training, lambda: batch, lambda: (moving.mean, moving.variance))
    if data_format == NCHW:
        dims = [1, shape.dims[1].value] + [1] * (rank - 2)
        mean, variance, beta, gamma = [v if v is None else array_ops.reshape(v, dims)
                                       for v in (mean, variance, beta, gamma)]
    outputs = nn.batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
    outputs.set_shape(shape)
    return outputs


@add_arg_scope
def batch_norm(inputs, decay=0.999, center=True, scale=False, epsilon=0.001, activation_fn=None, param_initializers=None,
               param_regularizers=None, updates_collections=GraphKeys.UPDATE_OPS, is_training=True, reuse=None,
               variables_collections=None, outputs_collections=None, trainable=True, batch_weights=None, fused=None,
               data_format=NHWC, zero_debias_moving_mean=False, scope=None, renorm=False, renorm_clipping=None,
               renorm_decay=0.99, adjustment=None):
    fused = True if fused is None else fused
    inputs = convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    plain = batch_weights is None and not renorm and rank in (2, 4) and adjustment is None
    to_update_ops = updates_collections is GraphKeys.UPDATE_OPS
    if fused and plain and (zero_debias_moving_mean or rank == 2 or not to_update_ops):
        return _fused(inputs, decay, center, scale, epsilon, activation_fn, param_initializers, param_regularizers,
                      updates_collections, is_training, reuse, variables_collections, outputs_collections, trainable,
                      data_format, zero_debias_moving_mean, scope)
    util.check_format(data_format, (NCHW, NHWC))
    with scope_lib.variable_scope(scope, "BatchNorm", [inputs], reuse=reuse,
                                  custom_getter=util.build_variable_getter()) as sc:
        if batch_weights is None and to_update_ops and not zero_debias_moving_mean:
            outputs = _by_layer(inputs, sc, decay, center, scale, epsilon, param_initializers or {},
                                param_regularizers or {}, is_training, reuse, variables_collections, trainable, fused,
                                data_format, renorm, renorm_clipping, renorm_decay, adjustment)
        elif renorm:
            raise ValueError("renorm is not supported with batch_weights, updates_collections or zero_debias_moving_mean")
        else:
            outputs = _by_hand(inputs, decay, center, scale, epsilon, param_initializers, updates_collections,
                               is_training, variables_collections, trainable, batch_weights, data_format,
                               zero_debias_moving_mean)
        return util.finish(outputs, sc.name, None, None, activation_fn, outputs_collections)


@add_arg_scope
def layer_norm(inputs, center=True, scale=True, activation_fn=None, reuse=None, variables_collections=None,
               outputs_collections=None, trainable=True, begin_norm_axis=1, begin_params_axis=-1, scope=None):
    with scope_lib.variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as sc:
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if rank is None:
            raise ValueError("Inputs %s has undefined rank." % inputs.name)
        if begin_norm_axis < 0:
            begin_norm_axis = rank + begin_norm_axis
        if begin_params_axis >= rank or begin_norm_axis >= rank:
            raise ValueError("begin_params_axis (%d) and begin_norm_axis (%d) must be < rank(inputs) (%d)" %
                             (begin_params_axis, begin_norm_axis, rank))
        shape = inputs.shape[begin_params_axis:]
        if not shape.is_fully_defined():
            raise ValueError("Inputs %s: shape(inputs)[%s:] is not fully defined: %s" %
                             (inputs.name, begin_params_axis, inputs.shape))
        dtype = inputs.dtype.base_dtype
        make = _Parameters(shape, dtype, None, None, variables_collections, trainable)
        beta = make.make("beta") if center else None
        gamma = make.make("gamma") if scale else None
        mean, variance = nn.moments(inputs, list(range(begin_norm_axis, rank)), keep_dims=True)
        epsilon = 1e-12 if dtype != dtypes.float16 else 1e-3
        outputs = nn.batch_normalization(inputs, mean, variance, offset=beta, scale=gamma, variance_epsilon=epsilon)
        outputs.set_shape(inputs.shape)
        return util.finish(outputs, sc.name, None, None, activation_fn, outputs_collections)


@add_arg_scope
def instance_norm(inputs, center=True, scale=True, epsilon=1e-6, activation_fn=None, param_initializers=None, reuse=None,
                  variables_collections=None, outputs_collections=None, trainable=True, data_format=NHWC, scope=None):
    inputs = convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError("Inputs %s has undefined rank." % inputs.name)
    util.check_format(data_format, (NCHW, NHWC))
    with scope_lib.variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as sc:
        channels = 1 if data_format == NCHW else rank - 1
        spread = [1, inputs.shape[1].value] + [1] * (rank - 2) if data_format == NCHW else None
        axes = [i for i in range(1, rank) if i != channels]
        shape = inputs.shape[channels:channels + 1]
        if not shape.is_fully_defined():
            raise ValueError("Inputs %s has undefined channels dimension %s." % (inputs.name, shape))
        make = _Parameters(shape, inputs.dtype.base_dtype, param_initializers, None, variables_collections, trainable)

        def parameter(name, wanted):
            if not wanted:
                return None
            return array_ops.reshape(make.make(name), spread) if spread else make.make(name)
        beta, gamma = parameter("beta", center), parameter("gamma", scale)
        mean, variance = nn.moments(inputs, axes, keep_dims=True)
        outputs = nn.batch_normalization(inputs, mean, variance, beta, gamma, epsilon, name="instancenorm")
        return util.finish(outputs, sc.name, None, None, activation_fn, outputs_collections)


def _group_axes(inputs, groups, channels_axis, reduction_axes):
    """(dims of inputs, channels axis, axes reduced), all checked."""
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError("Inputs %s has undefined rank." % inputs.name)
    if channels_axis > rank - 1:
        raise ValueError("Axis is out of bounds.")
    dynamic = array_ops.shape(inputs)
    dims = [d if d.value is not None else dynamic[i] for i, d in enumerate(inputs.shape)]
    channels_axis %= rank
    channels = inputs.shape[channels_axis].value
    if channels is None:
        raise ValueError("Inputs %s has undefined channel dimension: %d." % (inputs.name, channels_axis))
    axes = [a + rank if a < 0 else a for a in reduction_axes]
    for a in axes:
        if a > rank:
            raise ValueError("Axis is out of bounds.")
        if inputs.shape[a].value is None:
            raise ValueError("Inputs %s has undefined dimensions %d." % (inputs.name, a))
        if channels_axis == a:
            raise ValueError("reduction_axis must be mutually exclusive with channels_axis")
    if groups > channels:
        raise ValueError("Invalid groups %d for %d channels." % (groups, channels))
    if channels % groups != 0:
        raise ValueError("%d channels is not commensurate with %d groups." % (channels, groups))
    return dims, channels_axis, channels, axes


@add_arg_scope
def group_norm(inputs, groups=32, channels_axis=-1, reduction_axes=(-3, -2), center=True, scale=True, epsilon=1e-6,
               activation_fn=None, param_initializers=None, reuse=None, variables_collections=None,
               outputs_collections=None, trainable=True, scope=None, mean_close_to_zero=False):
    inputs = convert_to_tensor(inputs)
    dims, channels_axis, channels, axes = _group_axes(inputs, groups, channels_axis, reduction_axes)
    before, after = dims[:channels_axis], dims[channels_axis + 1:]
    split = [groups, channels // groups]
    spread = [1] * len(before) + split + [1] * len(after)
    inputs = array_ops.reshape(inputs, before + split + after)
    moments_axes = [channels_axis + 1] + [a + 1 if a > channels_axis else a for a in axes]
    with scope_lib.variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as sc:
        make = _Parameters([channels], inputs.dtype.base_dtype, param_initializers, None, variables_collections,
                           trainable)
        beta = array_ops.reshape(make.make("beta"), spread) if center else None
        gamma = array_ops.reshape(make.make("gamma"), spread) if scale else None
        if mean_close_to_zero:
            counts, mean, variance, _ = nn.sufficient_statistics(inputs, moments_axes, keep_dims=True)
            mean, variance = nn.normalize_moments(counts, mean, variance, shift=None)
        else:
            mean, variance = nn.moments(inputs, moments_axes, keep_dims=True)
        gain = math_ops.rsqrt(variance + epsilon)
        offset = -mean * gain
        if gamma is not None:
            gain *= gamma
            offset *= gamma
        if beta is not None:
            offset += beta
        outputs = array_ops.reshape(inputs * gain + offset, dims)
        return util.finish(outputs, sc.name, None, None, activation_fn, outputs_collections)
