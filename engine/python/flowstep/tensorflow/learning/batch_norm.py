# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.layers.batch_normalization: plain, fused, with renormalization, over virtual batches."""

from .. import dtypes, nn
from ..framework import graph as graph_lib, ops
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..operators import array_ops, math_ops, state_ops
from ..state import initializers
from .layers_base import MEAN, ON_READ, InputSpec, Layer, constant_bool, smart_cond


class BatchNormalization(Layer):
    supports_masking = True

    def __init__(self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True,
                 beta_initializer=initializers.Zeros(), gamma_initializer=initializers.Ones(),
                 moving_mean_initializer=initializers.Zeros(), moving_variance_initializer=initializers.Ones(),
                 beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None, renorm=False,
                 renorm_clipping=None, renorm_momentum=0.99, fused=None, trainable=True, virtual_batch_size=None,
                 adjustment=None, name=None, **keywords):
        super().__init__(trainable=trainable, name=name, **keywords)
        if not isinstance(axis, (list, int)):
            raise TypeError("axis must be int or list, type given: %s" % type(axis))
        self.axis = axis[:] if isinstance(axis, list) else axis
        self.momentum, self.epsilon, self.center, self.scale = momentum, epsilon, center, scale
        self.fused, self.renorm = True if fused is None else fused, renorm
        self.virtual_batch_size, self.adjustment = virtual_batch_size, adjustment
        self._bessels_correction_test_only = True
        self._of_gamma = self._weight_options("gamma", initializer=gamma_initializer, regularizer=gamma_regularizer,
                                              constraint=gamma_constraint)
        self._of_beta = self._weight_options("beta", initializer=beta_initializer, regularizer=beta_regularizer,
                                             constraint=beta_constraint)
        self.moving_mean_initializer = moving_mean_initializer
        self.moving_variance_initializer = moving_variance_initializer
        if renorm:
            renorm_clipping = renorm_clipping or {}
            keys = ["rmax", "rmin", "dmax"]
            if set(renorm_clipping) - set(keys):
                raise ValueError("renorm_clipping %s contains keys not in %s" % (renorm_clipping, keys))
            self.renorm_clipping, self.renorm_momentum = renorm_clipping, renorm_momentum

    def compute_output_shape(self, input_shape):
        return input_shape

    # -- variables

    @property
    def _param_dtype(self):
        return dtypes.float32 if self._dtype in (dtypes.float16, dtypes.bfloat16) else self._dtype or dtypes.float32

    def _settle_axis(self, ndims):
        if isinstance(self.axis, int):
            self.axis = [self.axis]
        self.axis = [ndims + x if x < 0 else x for x in self.axis]
        for x in self.axis:
            if x < 0 or x >= ndims:
                raise ValueError("Invalid axis: %d" % x)
        if len(self.axis) != len(set(self.axis)):
            raise ValueError("Duplicate axis: %s" % self.axis)
        if self.virtual_batch_size is None:
            return
        if self.virtual_batch_size <= 0:
            raise ValueError("virtual_batch_size must be a positive integer that divides the true batch size of the input "
                             "Tensor")
        if 0 in self.axis:
            raise ValueError("When using virtual_batch_size, the batch dimension must be 0 and thus axis cannot include 0")
        if self.adjustment is not None:
            raise ValueError("When using virtual_batch_size, adjustment cannot be specified")

    def _settle_fused(self, ndims):
        if self.fused:
            plain = not self.renorm and self.virtual_batch_size is None and self.adjustment is None
            self.fused = ndims == 4 and plain and len(self.axis) == 1 and self.axis[0] in (1, 3)
        if self.fused:
            self._data_format = "NCHW" if self.axis == [1] else "NHWC"

    def _param_shape(self, input_shape, ndims):
        sizes = {x: input_shape.dims[x].value for x in self.axis}
        if None in sizes.values():
            raise ValueError("Input has undefined `axis` dimension. Input shape: ", input_shape)
        if len(sizes) == 1 and self.virtual_batch_size is None:
            return list(sizes.values())
        shape = [sizes.get(i, 1) for i in range(ndims)]
        if self.virtual_batch_size is not None:
            shape.insert(1, 1)
            self.axis = [x + 1 for x in self.axis]
        return shape

    def build(self, input_shape):
        ndims = input_shape.ndims
        if not ndims:
            raise ValueError("Input has undefined rank:", input_shape)
        self._settle_axis(ndims)
        self._settle_fused(ndims)
        self.input_spec = InputSpec(ndim=ndims, axes={x: input_shape.dims[x].value for x in self.axis})
        shape = self._param_shape(input_shape, ndims)
        options = dict(shape=shape, dtype=self._param_dtype)
        self.gamma = self.add_weight("gamma", **options, **self._of_gamma) if self.scale else None
        if self.gamma is None and self.fused:
            self._gamma_const = ops.constant(1.0, dtype=self._param_dtype, shape=shape)
        self.beta = self.add_weight("beta", **options, **self._of_beta) if self.center else None
        if self.beta is None and self.fused:
            self._beta_const = ops.constant(0.0, dtype=self._param_dtype, shape=shape)
        scope = self._scope   # none in tf.keras
        partitioner = scope and scope.partitioner
        if scope:
            scope.set_partitioner(None)
        try:
            self._build_moving(dict(options, trainable=False, synchronization=ON_READ, aggregation=MEAN))
        finally:
            if scope:
                scope.set_partitioner(partitioner)
        self.built = True

    def _build_moving(self, options):
        self.moving_mean = self.add_weight("moving_mean", initializer=self.moving_mean_initializer, **options)
        self.moving_variance = self.add_weight("moving_variance", initializer=self.moving_variance_initializer, **options)
        if not self.renorm:
            return

        def stddev_initializer(*arguments, **keywords):
            return math_ops.sqrt(self.moving_variance_initializer(*arguments, **keywords))
        with graph_lib.colocate_with(self.moving_variance):
            self.moving_stddev = self.add_weight("moving_stddev", initializer=stddev_initializer, **options)
        with graph_lib.colocate_with(self.moving_mean):
            self.renorm_mean = self.add_weight("renorm_mean", initializer=self.moving_mean_initializer, **options)
        with graph_lib.colocate_with(self.moving_stddev):
            self.renorm_stddev = self.add_weight("renorm_stddev", initializer=stddev_initializer, **options)

    # -- what moves them

    def _assign_average(self, variable, value, momentum):
        with name_scope("AssignMovingAvg") as name, graph_lib.colocate_with(variable):
            decay = convert_to_tensor(1.0 - momentum, name="decay")
            if decay.dtype != variable.dtype.base_dtype:
                decay = math_ops.cast(decay, variable.dtype.base_dtype)
            delta = (variable - math_ops.cast(value, variable.dtype)) * decay
            return state_ops.assign_sub(variable, delta, name=name)

    def _assign_variance(self, variance, momentum):
        """The moving variance; with renormalization what moves is the standard deviation."""
        if not self.renorm:
            return self._assign_average(self.moving_variance, variance, momentum)
        stddev = self._assign_average(self.moving_stddev, math_ops.sqrt(variance + self.epsilon), momentum)
        value = nn.relu(stddev * stddev - self.epsilon)
        with name_scope("AssignNewValue") as name, graph_lib.colocate_with(self.moving_variance):
            return state_ops.assign(self.moving_variance, value, name=name)

    # -- fused

    def _call_fused(self, inputs, training):
        beta = self.beta if self.center else self._beta_const
        gamma = self.gamma if self.scale else self._gamma_const

        def train():
            return nn.fused_batch_norm(inputs, gamma, beta, epsilon=self.epsilon, data_format=self._data_format)

        def infer():
            return nn.fused_batch_norm(inputs, gamma, beta, mean=self.moving_mean, variance=self.moving_variance,
                                       epsilon=self.epsilon, is_training=False, data_format=self._data_format)
        output, mean, variance = smart_cond(training, train, infer)
        if not self._bessels_correction_test_only:
            count = math_ops.cast(array_ops.size(inputs) / array_ops.size(variance), variance.dtype)
            variance *= (count - math_ops.cast(1.0, variance.dtype)) / count
        value = constant_bool(training)
        if value is None:
            momentum = smart_cond(training, lambda: self.momentum, lambda: 1.0)
        else:
            momentum = convert_to_tensor(self.momentum)
        if value or value is None:
            self.add_update(lambda: self._assign_average(self.moving_mean, mean, momentum))
            self.add_update(lambda: self._assign_variance(variance, momentum))
        return output

    # -- plain

    def _renorm_correction(self, mean, variance, training):
        """r and d of the paper, and the moments after the renorm averages have moved."""
        stddev = math_ops.sqrt(variance + self.epsilon)
        average = math_ops.maximum(self.renorm_stddev, math_ops.sqrt(self.epsilon))
        r = stddev / average
        d = (mean - self.renorm_mean) / average
        with graph_lib.control_dependencies([r, d]):
            mean, stddev = array_ops.identity(mean), array_ops.identity(stddev)
        rmin, rmax, dmax = [self.renorm_clipping.get(key) for key in ("rmin", "rmax", "dmax")]
        if rmin is not None:
            r = math_ops.maximum(r, rmin)
        if rmax is not None:
            r = math_ops.minimum(r, rmax)
        if dmax is not None:
            d = math_ops.minimum(math_ops.maximum(d, -dmax), dmax)
        r_in, d_in = r, d
        r = smart_cond(training, lambda: r_in, lambda: array_ops.ones_like(r_in))
        d = smart_cond(training, lambda: d_in, lambda: array_ops.zeros_like(d_in))

        def update(variable, value):
            value = array_ops.identity(value)
            return smart_cond(training, lambda: self._assign_average(variable, value, self.renorm_momentum),
                              lambda: array_ops.identity(variable))
        updates = [update(self.renorm_mean, mean), update(self.renorm_stddev, stddev)]
        with graph_lib.control_dependencies(updates):
            return r, d, array_ops.identity(mean), array_ops.identity(variance)

    def _train_moments(self, inputs, axes, training, scale, offset, spread):
        """Moments, scale and offset while training may be on; adds the updates."""
        if self.adjustment:
            by, to = self.adjustment(array_ops.shape(inputs))
            scale, offset = _compose(smart_cond(training, lambda: by, lambda: array_ops.ones_like(by)),
                                     smart_cond(training, lambda: to, lambda: array_ops.zeros_like(to)), scale, offset)
        keep_dims = self.virtual_batch_size is not None or len(self.axis) > 1
        batch_mean, batch_variance = nn.moments(math_ops.cast(inputs, self._param_dtype), axes, keep_dims=keep_dims)
        mean = smart_cond(training, lambda: batch_mean, lambda: convert_to_tensor(self.moving_mean))
        variance = smart_cond(training, lambda: batch_variance, lambda: convert_to_tensor(self.moving_variance))
        new_mean, new_variance = mean, variance
        if self.virtual_batch_size is not None:
            new_mean = math_ops.reduce_mean(mean, axis=1, keepdims=True)
            new_variance = math_ops.reduce_mean(variance, axis=1, keepdims=True)
        if self.renorm:
            r, d, new_mean, new_variance = self._renorm_correction(new_mean, new_variance, training)
            r = spread(array_ops.stop_gradient(r, name="renorm_r"))
            d = spread(array_ops.stop_gradient(d, name="renorm_d"))
            scale, offset = _compose(r, d, scale, offset)
        self.add_update(lambda: smart_cond(
            training, lambda: self._assign_average(self.moving_mean, new_mean, self.momentum), lambda: self.moving_mean))
        self.add_update(lambda: smart_cond(
            training, lambda: self._assign_variance(new_variance, self.momentum), lambda: self.moving_variance))
        return mean, variance, scale, offset

    def call(self, inputs, training=False):
        if self.virtual_batch_size is not None:
            whole = [-1] + inputs.shape.as_list()[1:]
            inputs = array_ops.reshape(inputs, [self.virtual_batch_size, -1] + whole[1:])
            return array_ops.reshape(self._call_plain(inputs, training), whole)
        return self._call_fused(inputs, training) if self.fused else self._call_plain(inputs, training)

    def _call_plain(self, inputs, training):
        ndims = inputs.shape.ndims
        axes = [i for i in range(ndims) if i not in self.axis]
        if self.virtual_batch_size is not None:
            del axes[1]
        dims = [1] * ndims
        dims[self.axis[0]] = inputs.shape.dims[self.axis[0]].value

        def spread(v):
            if v is not None and v.shape.ndims != ndims and axes != list(range(ndims - 1)):
                return array_ops.reshape(v, dims)
            return v
        scale, offset = spread(self.gamma), spread(self.beta)
        if constant_bool(training) is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            mean, variance, scale, offset = self._train_moments(inputs, axes, training, scale, offset, spread)
        mean = math_ops.cast(mean, inputs.dtype)
        variance = math_ops.cast(variance, inputs.dtype)
        offset = offset if offset is None else math_ops.cast(offset, inputs.dtype)
        scale = scale if scale is None else math_ops.cast(scale, inputs.dtype)
        outputs = nn.batch_normalization(inputs, spread(mean), spread(variance), offset, scale, self.epsilon)
        outputs.set_shape(inputs.shape)
        return outputs


def _compose(scale, offset, then_scale, then_offset):
    """One transformation after another, as a single one."""
    if then_scale is not None:
        scale *= then_scale
        offset *= then_scale
    if then_offset is not None:
        offset += then_offset
    return scale, offset


def batch_normalization(inputs, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True,
                        beta_initializer=initializers.Zeros(), gamma_initializer=initializers.Ones(),
                        moving_mean_initializer=initializers.Zeros(), moving_variance_initializer=initializers.Ones(),
                        beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None,
                        training=False, trainable=True, name=None, reuse=None, renorm=False, renorm_clipping=None,
                        renorm_momentum=0.99, fused=None, virtual_batch_size=None, adjustment=None):
    layer = BatchNormalization(
        axis=axis, momentum=momentum, epsilon=epsilon, center=center, scale=scale, beta_initializer=beta_initializer,
        gamma_initializer=gamma_initializer, moving_mean_initializer=moving_mean_initializer,
        moving_variance_initializer=moving_variance_initializer, beta_regularizer=beta_regularizer,
        gamma_regularizer=gamma_regularizer, beta_constraint=beta_constraint, gamma_constraint=gamma_constraint,
        renorm=renorm, renorm_clipping=renorm_clipping, renorm_momentum=renorm_momentum, fused=fused,
        trainable=trainable, virtual_batch_size=virtual_batch_size, adjustment=adjustment, name=name, _reuse=reuse,
        _scope=name)
    return layer.apply(inputs, training=training)
