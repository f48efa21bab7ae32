# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.opt: how much AddSign and PowerSign listen to a sign, by the steps that are done."""

import math

from .. import dtypes
from ..framework.ops import constant
from ..operators import array_ops, math_ops


def _checked(global_step, kind):
    if global_step is None:
        raise ValueError("global_step is required for %s." % kind)
    return global_step


def _float(value):
    return math_ops.cast(value, dtypes.float32)


def _half_wave(fraction):
    return 0.5 * (1.0 + math_ops.cos(constant(math.pi) * fraction))


def get_linear_decay_fn(decay_steps):
    def linear_decay_fn(global_step):
        step = math_ops.minimum(_checked(global_step, "linear_decay"), decay_steps)
        left = math_ops.cast(decay_steps, dtypes.int32) - math_ops.cast(step, dtypes.int32)
        return math_ops.maximum(0.0, _float(left) / _float(decay_steps))
    return linear_decay_fn


def get_cosine_decay_fn(decay_steps, num_periods=0.5, zero_after=None):
    def cosine_decay_fn(global_step):
        step = math_ops.minimum(_checked(global_step, "cosine_decay"), decay_steps)
        fraction = 2.0 * num_periods * (_float(step) / _float(decay_steps))
        decayed = _half_wave(fraction)
        if zero_after is None:
            return decayed
        return array_ops.where(math_ops.greater_equal(fraction, 2 * zero_after), 0.0, decayed)
    return cosine_decay_fn


def get_restart_decay_fn(decay_steps, num_periods=1, zero_after=None):
    def restart_decay_fn(global_step):
        step = math_ops.minimum(_checked(global_step, "cosine_decay"), decay_steps)
        within = math_ops.floormod(num_periods * _float(step), decay_steps)
        decayed = _half_wave(within / _float(decay_steps))
        if zero_after is None:
            return decayed
        done = _float(num_periods * step) / _float(decay_steps)
        return array_ops.where(math_ops.greater_equal(done, zero_after), 0.0, decayed)
    return restart_decay_fn
