# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Learning rates that change with the global step."""

from . import math_ops, ops
from .graph import name_scope


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    if global_step is None:
        raise ValueError("global_step is required for exponential_decay.")
    with name_scope(name, "ExponentialDecay", [learning_rate, global_step, decay_steps, decay_rate]) as name:
        rate = ops.convert_to_tensor(learning_rate, name="initial_learning_rate")
        steps = math_ops.cast(decay_steps, rate.dtype)
        decay = math_ops.cast(decay_rate, rate.dtype)
        p = math_ops.cast(global_step, rate.dtype) / steps
        if staircase:
            p = math_ops.floor(p)
        return math_ops.multiply(rate, math_ops.pow(decay, p), name=name)
