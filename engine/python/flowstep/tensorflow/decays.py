# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Learning rates that change with the global step."""

import math

from . import control_flow, dtypes, math_ops, ops, random_ops
from .graph import name_scope


class _Decay:
    """A decay at work: the learning rate, and all else in its dtype."""

    def __init__(self, learning_rate):
        self.rate = ops.convert_to_tensor(learning_rate, name="initial_learning_rate")
        self.dtype = self.rate.dtype

    def cast(self, value):
        return math_ops.cast(value, self.dtype)


def _cosine(fraction):
    return 1.0 + math_ops.cos(ops.constant(math.pi) * fraction)


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    with name_scope(name or "ExponentialDecay") as name:
        decay = _Decay(learning_rate)
        steps, rate = decay.cast(decay_steps), decay.cast(decay_rate)
        p = decay.cast(global_step) / steps
        if staircase:
            p = math_ops.floor(p)
        return math_ops.multiply(decay.rate, math_ops.pow(rate, p), name=name)


def natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    rate = math_ops.exp(math_ops.negative(decay_rate))
    return exponential_decay(learning_rate, global_step, decay_steps, rate, staircase, name)


def inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    with name_scope(name or "InverseTimeDecay") as name:
        decay = _Decay(learning_rate)
        steps, rate = decay.cast(decay_steps), decay.cast(decay_rate)
        p = decay.cast(global_step) / steps
        if staircase:
            p = math_ops.floor(p)
        one = decay.cast(ops.constant(1))
        denominator = math_ops.add(one, math_ops.multiply(rate, p))
        return math_ops.divide(decay.rate, denominator, name=name)


def polynomial_decay(learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False,
                     name=None):
    with name_scope(name or "PolynomialDecay") as name:
        decay = _Decay(learning_rate)
        end, power = decay.cast(end_learning_rate), decay.cast(power)
        step, steps = decay.cast(global_step), decay.cast(decay_steps)
        if cycle:
            multiplier = control_flow.cond(math_ops.equal(step, 0), lambda: 1.0,
                                           lambda: math_ops.ceil(step / decay_steps))
            steps = math_ops.multiply(steps, multiplier)
        else:
            step = math_ops.minimum(step, decay_steps)
        p = math_ops.divide(step, steps)
        return math_ops.add(math_ops.multiply(decay.rate - end, math_ops.pow(1 - p, power)), end, name=name)


def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None):
    with name_scope(name or "CosineDecay"):
        decay = _Decay(learning_rate)
        steps = decay.cast(decay_steps)
        step = math_ops.minimum(decay.cast(global_step), steps)
        decayed = (1 - alpha) * (0.5 * _cosine(step / steps)) + alpha
        return math_ops.multiply(decay.rate, decayed)


def cosine_decay_restarts(learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None):
    with name_scope(name or "SGDRDecay") as name:
        decay = _Decay(learning_rate)
        first = decay.cast(first_decay_steps)
        alpha, t_mul, m_mul = decay.cast(alpha), decay.cast(t_mul), decay.cast(m_mul)
        completed = decay.cast(global_step) / first

        def arithmetic():
            restart = math_ops.floor(completed)
            return restart, completed - restart

        def geometric():
            restart = math_ops.floor(math_ops.log(1.0 - completed * (1.0 - t_mul)) / math_ops.log(t_mul))
            before = (1.0 - t_mul ** restart) / (1.0 - t_mul)
            return restart, (completed - before) / t_mul ** restart
        restart, fraction = control_flow.cond(math_ops.equal(t_mul, 1.0), arithmetic, geometric)
        factor = m_mul ** restart
        cosine = 0.5 * factor * _cosine(fraction)
        return math_ops.multiply(decay.rate, (1 - alpha) * cosine + alpha, name=name)


def linear_cosine_decay(learning_rate, global_step, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None):
    with name_scope(name or "LinearCosineDecay") as name:
        decay = _Decay(learning_rate)
        steps = decay.cast(decay_steps)
        num_periods, alpha, beta = decay.cast(num_periods), decay.cast(alpha), decay.cast(beta)
        step = math_ops.minimum(decay.cast(global_step), steps)
        linear = (steps - step) / steps
        completed = step / steps
        decayed = 0.5 * _cosine(2.0 * num_periods * completed)
        return math_ops.multiply(decay.rate, (alpha + linear) * decayed + beta, name=name)


def noisy_linear_cosine_decay(learning_rate, global_step, decay_steps, initial_variance=1.0, variance_decay=0.55,
                              num_periods=0.5, alpha=0.0, beta=0.001, name=None):
    with name_scope(name or "NoisyLinearCosineDecay") as name:
        decay = _Decay(learning_rate)
        steps = decay.cast(decay_steps)
        initial_variance, variance_decay = decay.cast(initial_variance), decay.cast(variance_decay)
        num_periods, alpha, beta = decay.cast(num_periods), decay.cast(alpha), decay.cast(beta)
        step = math_ops.minimum(decay.cast(global_step), steps)
        linear = (steps - step) / steps
        variance = initial_variance / math_ops.pow(1.0 + step, variance_decay)
        noisy = linear + random_ops.random_normal(linear.shape, stddev=math_ops.sqrt(variance))
        completed = step / steps
        decayed = 0.5 * _cosine(2.0 * num_periods * completed)
        return math_ops.multiply(decay.rate, (alpha + noisy) * decayed + beta, name=name)


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
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    with name_scope(name or "PiecewiseConstant"):
        x = ops.convert_to_tensor(x)
        pairs = [(x <= boundaries[0], lambda: values[0]), (x > boundaries[-1], lambda: values[-1])]
        for low, high, value in zip(boundaries[:-1], boundaries[1:], values[1:-1]):
            pairs.append(((x > low) & (x <= high), lambda value=value: value))
        return control_flow.case(pairs, lambda: values[0], exclusive=True)


piecewise_constant_decay = piecewise_constant
