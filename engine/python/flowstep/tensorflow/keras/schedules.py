# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.optimizers.schedules: learning rates that follow the step."""

import math

from ..control import control_flow
from ..framework import ops
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..operators import math_ops, random_ops


class LearningRateSchedule:
    def __call__(self, step):
        raise NotImplementedError("Learning rate schedule must override __call__")

    def get_config(self):
        raise NotImplementedError("Learning rate schedule must override get_config")

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class _Schedule(LearningRateSchedule):
    """A rate that its settings and the step give."""

    _scope = None

    def __init__(self, **settings):
        self.__dict__.update(settings)
        self._settings = list(settings)

    def __call__(self, step):
        with name_scope(self.name or self._scope or type(self).__name__) as scope:
            return self._rate(step, scope)

    def _start(self, *settings):
        """The first rate, and settings in its dtype."""
        start = convert_to_tensor(self.initial_learning_rate, name="initial_learning_rate")
        return [start] + [math_ops.cast(value, start.dtype) for value in settings]

    def get_config(self):
        return {name: getattr(self, name) for name in self._settings}


class ExponentialDecay(_Schedule):
    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, decay_rate=decay_rate,
                         staircase=staircase, name=name)

    def _rate(self, step, scope):
        start, steps, rate, step = self._start(self.decay_steps, self.decay_rate, step)
        p = step / steps
        return math_ops.multiply(start, math_ops.pow(rate, math_ops.floor(p) if self.staircase else p), name=scope)


class InverseTimeDecay(_Schedule):
    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, decay_rate=decay_rate,
                         staircase=staircase, name=name)

    def _rate(self, step, scope):
        start, steps, rate, step = self._start(self.decay_steps, self.decay_rate, step)
        p = step / steps
        if self.staircase:
            p = math_ops.floor(p)
        one = math_ops.cast(ops.constant(1), start.dtype)
        return math_ops.divide(start, math_ops.add(one, math_ops.multiply(rate, p)), name=scope)


class PiecewiseConstantDecay(_Schedule):
    _scope = "PiecewiseConstant"

    def __init__(self, boundaries, values, name=None):
        if len(boundaries) != len(values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")
        super().__init__(boundaries=boundaries, values=values, name=name)

    def _rate(self, step, scope):
        bounds = [convert_to_tensor(b) for b in self.boundaries]
        values = [convert_to_tensor(v) for v in self.values]
        step = convert_to_tensor(step)
        kind = step.dtype.base_dtype
        bounds = [b if b.dtype.base_dtype == kind else math_ops.cast(b, kind) for b in bounds]
        pairs = [(step <= bounds[0], lambda: values[0]), (step > bounds[-1], lambda: values[-1])]
        for low, high, value in zip(bounds[:-1], bounds[1:], values[1:-1]):
            pairs.append(((step > low) & (step <= high), lambda value=value: value))
        return control_flow.case(pairs, lambda: values[0], exclusive=True)


class PolynomialDecay(_Schedule):
    def __init__(self, initial_learning_rate, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps,
                         end_learning_rate=end_learning_rate, power=power, cycle=cycle, name=name)

    def _rate(self, step, scope):
        start, end, power, step, steps = self._start(self.end_learning_rate, self.power, step, self.decay_steps)
        if self.cycle:
            rounds = control_flow.cond(math_ops.equal(step, 0), lambda: 1.0,
                                       lambda: math_ops.ceil(step / self.decay_steps))
            steps = math_ops.multiply(steps, rounds)
        else:
            step = math_ops.minimum(step, self.decay_steps)
        p = math_ops.divide(step, steps)
        return math_ops.add(math_ops.multiply(start - end, math_ops.pow(1 - p, power)), end, name=scope)


# -- tf.keras.experimental

def _cosine(fraction):
    return 1.0 + math_ops.cos(ops.constant(math.pi) * fraction)


class CosineDecay(_Schedule):
    def __init__(self, initial_learning_rate, decay_steps, alpha=0.0, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, alpha=alpha, name=name)

    def _rate(self, step, scope):
        start, steps, step = self._start(self.decay_steps, step)
        decayed = 0.5 * _cosine(math_ops.minimum(step, steps) / steps)
        return math_ops.multiply(start, (1 - self.alpha) * decayed + self.alpha)


class LinearCosineDecay(_Schedule):
    def __init__(self, initial_learning_rate, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, num_periods=num_periods,
                         alpha=alpha, beta=beta, name=name)

    def _rate(self, step, scope):
        start, steps, periods, alpha, beta, step = self._start(self.decay_steps, self.num_periods, self.alpha, self.beta,
                                                               step)
        step = math_ops.minimum(step, steps)
        linear = (steps - step) / steps
        done = step / steps
        fraction = 2.0 * periods * done
        wave = 0.5 * _cosine(fraction)
        return math_ops.multiply(start, (alpha + linear) * wave + beta, name=scope)


class NoisyLinearCosineDecay(_Schedule):
    def __init__(self, initial_learning_rate, decay_steps, initial_variance=1.0, variance_decay=0.55, num_periods=0.5,
                 alpha=0.0, beta=0.001, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps,
                         initial_variance=initial_variance, variance_decay=variance_decay, num_periods=num_periods,
                         alpha=alpha, beta=beta, name=name)

    def _rate(self, step, scope):
        start, steps, variance, decay, periods, alpha, beta, step = self._start(
            self.decay_steps, self.initial_variance, self.variance_decay, self.num_periods, self.alpha, self.beta, step)
        step = math_ops.minimum(step, steps)
        linear = (steps - step) / steps
        std = math_ops.sqrt(variance / math_ops.pow(1.0 + step, decay))
        noisy = linear + random_ops.random_normal(linear.shape, stddev=std)
        done = step / steps
        fraction = 2.0 * periods * done
        wave = 0.5 * _cosine(fraction)
        return math_ops.multiply(start, (alpha + noisy) * wave + beta, name=scope)


class CosineDecayRestarts(_Schedule):
    _scope = "SGDRDecay"

    def __init__(self, initial_learning_rate, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None):
        super().__init__(initial_learning_rate=initial_learning_rate, first_decay_steps=first_decay_steps, t_mul=t_mul,
                         m_mul=m_mul, alpha=alpha, name=name)

    def _rate(self, step, scope):
        start, steps, alpha, t_mul, m_mul, step = self._start(self.first_decay_steps, self.alpha, self.t_mul, self.m_mul,
                                                              step)
        done = step / steps

        def evenly():
            restarts = math_ops.floor(done)
            return restarts, done - restarts

        def ever_longer():
            restarts = math_ops.floor(math_ops.log(1.0 - done * (1.0 - t_mul)) / math_ops.log(t_mul))
            before = (1.0 - t_mul ** restarts) / (1.0 - t_mul)
            return restarts, (done - before) / t_mul ** restarts
        restarts, done = control_flow.cond(math_ops.equal(t_mul, 1.0), evenly, ever_longer)
        factor = m_mul ** restarts
        decayed = 0.5 * factor * _cosine(done)
        return math_ops.multiply(start, (1 - alpha) * decayed + alpha, name=scope)


SCHEDULES = {kind.__name__: kind for kind in (LearningRateSchedule, ExponentialDecay, InverseTimeDecay,
                                              PiecewiseConstantDecay, PolynomialDecay)}
EXPERIMENTAL = {kind.__name__: kind for kind in (CosineDecay, CosineDecayRestarts, LinearCosineDecay,
                                                 NoisyLinearCosineDecay)}
