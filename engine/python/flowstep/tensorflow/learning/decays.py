# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Learning rates that change with the global step: tf.keras's schedules, taken at a step."""

from .. import dtypes
from ..framework import ops
from ..keras import schedules
from ..operators import math_ops


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    return schedules.ExponentialDecay(learning_rate, decay_steps, decay_rate, staircase, name)(global_step)


def natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    rate = math_ops.exp(math_ops.negative(decay_rate))
    return exponential_decay(learning_rate, global_step, decay_steps, rate, staircase, name)


def inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    return schedules.InverseTimeDecay(learning_rate, decay_steps, decay_rate, staircase, name)(global_step)


def polynomial_decay(learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False,
                     name=None):
    return schedules.PolynomialDecay(learning_rate, decay_steps, end_learning_rate, power, cycle, name)(global_step)


def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None):
    return schedules.CosineDecay(learning_rate, decay_steps, alpha, name)(global_step)


def cosine_decay_restarts(learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None):
    return schedules.CosineDecayRestarts(learning_rate, first_decay_steps, t_mul, m_mul, alpha, name)(global_step)


def linear_cosine_decay(learning_rate, global_step, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None):
    return schedules.LinearCosineDecay(learning_rate, decay_steps, num_periods, alpha, beta, name)(global_step)


def noisy_linear_cosine_decay(learning_rate, global_step, decay_steps, initial_variance=1.0, variance_decay=0.55,
                              num_periods=0.5, alpha=0.0, beta=0.001, name=None):
    return schedules.NoisyLinearCosineDecay(learning_rate, decay_steps, initial_variance, variance_decay, num_periods,
                                            alpha, beta, name)(global_step)


def _as_step_dtype(boundaries, kind):
    """Boundaries in the dtype of the step; only int32 becomes int64."""
    result = []
    for b in boundaries:
        if b.dtype.base_dtype != kind:
            if b.dtype.base_dtype != dtypes.int32 or kind != dtypes.int64:
                raise ValueError("Boundaries (%s) must have the same dtype as x (%s)." % (b.dtype.base_dtype, kind))
            b = math_ops.cast(b, kind)
        result.append(b)
    return result


def piecewise_constant(x, boundaries, values, name=None):
    boundaries, values = ops.convert_n_to_tensor(boundaries), ops.convert_n_to_tensor(values)
    boundaries = _as_step_dtype(boundaries, ops.convert_to_tensor(x).dtype.base_dtype)
    for v in values[1:]:
        if v.dtype.base_dtype != values[0].dtype.base_dtype:
            raise ValueError("Values must have elements all with the same dtype (%s vs %s)." %
                             (values[0].dtype.base_dtype, v.dtype.base_dtype))
    return schedules.PiecewiseConstantDecay(boundaries, values, name)(x)


piecewise_constant_decay = piecewise_constant
