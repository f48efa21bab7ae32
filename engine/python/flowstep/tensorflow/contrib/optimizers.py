# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers.optimize_loss: a training op from a loss, with its summaries."""

from .. import summary
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys, Tensor
from ..framework.ops import IndexedSlices, convert_to_tensor
from ..learning import moving_averages
from ..learning import optimizers, training_util
from ..operators import array_ops, check_ops, math_ops
from ..operators import random_ops
from ..state import initializers
from ..state import scope as scope_lib, variables as variables_lib

OPTIMIZER_CLS_NAMES = {
    "Adagrad": optimizers.AdagradOptimizer, "Adam": optimizers.AdamOptimizer, "Ftrl": optimizers.FtrlOptimizer,
    "Momentum": lambda learning_rate: optimizers.MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": optimizers.RMSPropOptimizer, "SGD": optimizers.GradientDescentOptimizer,
}
OPTIMIZER_SUMMARIES = ["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"]


def _learning_rate(value):
    if value is None or isinstance(value, Tensor) and value.shape.ndims == 0:
        return value
    if not isinstance(value, float):
        raise ValueError("Learning rate should be 0d Tensor or float. Got %s of type %s" % (value, type(value)))
    if value < 0.0:
        raise ValueError("Invalid learning_rate %s.", value)
    return scope_lib.get_variable("learning_rate", [], trainable=False, initializer=initializers.Constant(value))


def _optimizer(given, learning_rate, is_rate_given):
    if isinstance(given, optimizers.Optimizer):
        return given
    if isinstance(given, str):
        if learning_rate is None:
            raise ValueError("Learning rate is None, but should be specified if optimizer is string (%s)." % given)
        if given not in OPTIMIZER_CLS_NAMES:
            raise ValueError("Optimizer name should be one of [%s], you provided %s." %
                             (", ".join(OPTIMIZER_CLS_NAMES), given))
        return OPTIMIZER_CLS_NAMES[given](learning_rate=learning_rate)
    if isinstance(given, type) and issubclass(given, optimizers.Optimizer):
        if learning_rate is None:
            raise ValueError("Learning rate is None, but should be specified if optimizer is class (%s)." % given)
        return given(learning_rate=learning_rate)
    if not callable(given):
        raise ValueError("Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass of "
                         "Optimizer or function with one argument. Got %s." % given)
    made = given(learning_rate) if is_rate_given else given()
    if not isinstance(made, optimizers.Optimizer):
        raise ValueError("Unrecognized optimizer: function should return subclass of Optimizer. Got %s." % made)
    return made


def _each(gradients, change):
    """change(values) for every gradient, dense or sparse; None stays."""
    result = []
    for grad, var in gradients:
        if isinstance(grad, IndexedSlices):
            grad = IndexedSlices(change(grad.values, var), grad.indices, grad.dense_shape)
        elif grad is not None:
            grad = change(grad, var)
        result.append((grad, var))
    return result


def _with_noise(gradients, scale):
    result = []
    for grad, var in gradients:
        if grad is not None:
            shape = grad.dense_shape if isinstance(grad, IndexedSlices) else grad.shape
            grad = grad + random_ops.truncated_normal(shape) * scale
        result.append((grad, var))
    return result


def _multiplied(gradients, multipliers):
    result = []
    for grad, var in gradients:
        key = var if var in multipliers else var.name
        if grad is not None and key in multipliers:
            factor = multipliers[key]
            if isinstance(grad, IndexedSlices):
                grad = IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
            else:
                grad *= math_ops.cast(factor, grad.dtype)
        result.append((grad, var))
    return result


def _norm(gradients):
    return math_ops.global_norm([grad for grad, _ in gradients])


def _summarize_gradients(gradients, summaries):
    for grad, var in gradients:
        values = grad.values if isinstance(grad, IndexedSlices) else grad
        if values is None:
            continue
        name = var.name.replace(":", "_")
        if "gradients" in summaries:
            summary.histogram("gradients/%s" % name, values)
        if "gradient_norm" in summaries:
            summary.scalar("gradient_norm/%s" % name, math_ops.global_norm([values]))


def _clipped(gradients, clip):
    if isinstance(clip, float):
        values, _ = math_ops.clip_by_global_norm([grad for grad, _ in gradients], clip)
        return list(zip(values, [var for _, var in gradients]))
    if callable(clip):
        return clip(gradients)
    if clip is not None:
        raise ValueError("Unknown type %s for clip_gradients" % type(clip))
    return gradients


def optimize_loss(loss, global_step, learning_rate, optimizer, gradient_noise_scale=None, gradient_multipliers=None,
                  clip_gradients=None, learning_rate_decay_fn=None, update_ops=None, variables=None, name=None,
                  summaries=None, colocate_gradients_with_ops=False, increment_global_step=True):
    loss = convert_to_tensor(loss)
    check_ops.assert_scalar(loss)
    if global_step is None:
        global_step = training_util.get_global_step()
    else:
        training_util.assert_global_step(global_step)
    with scope_lib.variable_scope(name, "OptimizeLoss", [loss, global_step]):
        if update_ops is None:
            update_ops = dict.fromkeys(graph_lib.get_collection(GraphKeys.UPDATE_OPS))
        if update_ops:
            loss = control_flow.with_dependencies(list(update_ops), loss)
        rate = _learning_rate(learning_rate)
        for wanted in summaries or ():
            if wanted not in OPTIMIZER_SUMMARIES:
                raise ValueError("Summaries should be one of [%s], you provided %s." %
                                 (", ".join(OPTIMIZER_SUMMARIES), wanted))
        summaries = ["loss", "learning_rate", "global_gradient_norm"] if summaries is None else summaries
        if learning_rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in summaries:
                summary.scalar("learning_rate", rate)
        opt = _optimizer(optimizer, rate, learning_rate is not None)
        variables = variables_lib.trainable_variables() if variables is None else variables
        gradients = opt.compute_gradients(loss, variables, colocate_gradients_with_ops=colocate_gradients_with_ops)
        if gradient_noise_scale is not None:
            gradients = _with_noise(gradients, gradient_noise_scale)
        if gradient_multipliers is not None:
            gradients = _multiplied(gradients, gradient_multipliers)
        shows_norm = "global_gradient_norm" in summaries or "gradient_norm" in summaries
        if shows_norm:
            summary.scalar("global_norm/gradient_norm", _norm(gradients))
        gradients = _clipped(gradients, clip_gradients)
        if "loss" in summaries:
            summary.scalar("loss", loss)
        _summarize_gradients(gradients, summaries)
        if clip_gradients is not None and shows_norm:
            summary.scalar("global_norm/clipped_gradient_norm", _norm(gradients))
        train = opt.apply_gradients(gradients, global_step=global_step if increment_global_step else None, name="train")
        return control_flow.with_dependencies([train], loss)


def _adaptive_max_norm(norm, std_factor, decay, global_step, epsilon, name):
    """The largest norm that is usual, and the mean of the logarithms of norms."""
    with scope_lib.variable_scope(name, "AdaptiveMaxNorm", [norm]):
        log_norm = math_ops.log(norm + epsilon)

        def average(name, value, decay):
            variable = scope_lib.get_variable(name, shape=value.shape, dtype=value.dtype, initializer=initializers.Zeros(),
                                              trainable=False)
            return moving_averages.assign_moving_average(variable, value, decay, zero_debias=False)
        if global_step is not None:
            n = math_ops.to_float(global_step)
            decay = math_ops.minimum(decay, n / (n + 1.))
        mean = average("mean", log_norm, decay)
        square_mean = average("sq_mean", math_ops.square(log_norm), decay)
        variance = square_mean - math_ops.square(mean)
        std = math_ops.sqrt(math_ops.maximum(epsilon, variance))
        return math_ops.exp(mean + std_factor * std), mean


def adaptive_clipping_fn(std_factor=2., decay=0.95, static_max_norm=None, global_step=None, report_summary=False,
                         epsilon=1e-8, name=None):
    def clip(gradients):
        norm = _norm(gradients)
        max_norm, log_mean = _adaptive_max_norm(norm, std_factor, decay, global_step, epsilon, name)
        if report_summary:
            summary.scalar("global_norm/adaptive_max_gradient_norm", max_norm)
        factor = array_ops.where(norm < max_norm, array_ops.ones_like(norm), math_ops.exp(log_mean) / norm)
        if static_max_norm is not None:
            factor = math_ops.minimum(static_max_norm / norm, factor)
        return _each(gradients, lambda values, var: values * factor)
    return clip
