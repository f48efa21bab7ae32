# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Activations that a layer may be given by name (tf.keras.activations)."""

from .. import nn
from ..framework.ops import constant
from ..operators import array_ops, math_ops


def linear(x):
    return x


def exponential(x):
    return math_ops.exp(x)


def hard_sigmoid(x):
    slope, middle = constant(0.2, dtype=x.dtype.base_dtype), constant(0.5, dtype=x.dtype.base_dtype)
    return math_ops.clip_by_value(math_ops.add(math_ops.multiply(x, slope), middle), 0.0, 1.0)


def softmax(x, axis=-1):
    ndims = x.shape.ndims
    if ndims == 2:
        return nn.softmax(x)
    if ndims > 2:
        e = math_ops.exp(x - math_ops.reduce_max(x, axis=axis, keepdims=True))
        return e / math_ops.reduce_sum(e, axis=axis, keepdims=True)
    raise ValueError("Cannot apply softmax to a tensor that is 1D. Received input: %s" % (x,))


def selu(x):
    return 1.0507009873554804934193349852946 * _elu(x, 1.6732632423543772848170429916717)


def _elu(x, alpha):
    result = nn.elu(x)
    return array_ops.where(x > 0, result, alpha * result)


def get(identifier):
    """The function of a name, a function itself, None for none."""
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str):
        if identifier in _NAMED:
            return _NAMED[identifier]
        raise ValueError("Unknown activation function:" + identifier)
    raise TypeError("Could not interpret activation function identifier: " + repr(identifier))


_NAMED = {"linear": linear, "exponential": exponential, "hard_sigmoid": hard_sigmoid, "softmax": softmax,
          "selu": selu}
for _name in ("relu", "tanh", "sigmoid", "elu", "softplus", "softsign"):
    _NAMED[_name] = getattr(nn, _name)


def serialize(activation):
    """A function by its name; that of tf.nn.softmax_v2 is softmax."""
    name = getattr(activation, "__name__", None)
    return "softmax" if name == "softmax_v2" else name


def deserialize(name, custom_objects=None):
    return (custom_objects or {}).get(name) or get(name)
