# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Activations that a layer may be given by name (tf.keras.activations)."""

from . import math_ops, nn


def linear(x):
    return x


def exponential(x):
    return math_ops.exp(x)


def hard_sigmoid(x):
    x = math_ops.multiply(x, 0.2) + 0.5
    return math_ops.clip_by_value(x, 0.0, 1.0)


def get(identifier):
    """The function of a name, a function itself, None for none."""
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str):
        if identifier in _NAMED:
            return _NAMED[identifier]
        raise ValueError("Unknown activation function:" + identifier)
    raise TypeError("Could not interpret activation function identifier: " + repr(identifier))


_NAMED = {"linear": linear, "exponential": exponential, "hard_sigmoid": hard_sigmoid}
for _name in ("relu", "tanh", "sigmoid", "softmax", "elu", "selu", "softplus", "softsign"):
    _NAMED[_name] = getattr(nn, _name)
