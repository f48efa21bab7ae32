# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.initializers, regularizers and constraints, and what their names mean."""

from .. import dtypes
from ..operators import math_ops
from ..state import initializers
from . import backend


def serialize(value):
    """A part of a layer's config, as plain values."""
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    return value.__name__ if callable(value) else value


# -- initializers

class TruncatedNormal(initializers.TruncatedNormal):
    def __init__(self, mean=0.0, stddev=0.05, seed=None, dtype=dtypes.float32):
        super().__init__(mean, stddev, seed, dtype)


class RandomUniform(initializers.RandomUniform):
    def __init__(self, minval=-0.05, maxval=0.05, seed=None, dtype=dtypes.float32):
        super().__init__(minval, maxval, seed, dtype)


class RandomNormal(initializers.RandomNormal):
    def __init__(self, mean=0.0, stddev=0.05, seed=None, dtype=dtypes.float32):
        super().__init__(mean, stddev, seed, dtype)


INITIALIZERS = {
    "Initializer": initializers.Initializer, "VarianceScaling": initializers.VarianceScaling,
    "he_normal": initializers.he_normal, "he_uniform": initializers.he_uniform,
    "lecun_normal": initializers.lecun_normal, "lecun_uniform": initializers.lecun_uniform,
}
for _names, _kind in (("Zeros zeros zero", initializers.Zeros), ("Ones ones one", initializers.Ones),
                      ("Constant constant", initializers.Constant), ("Identity identity", initializers.Identity),
                      ("Orthogonal orthogonal", initializers.Orthogonal),
                      ("GlorotNormal glorot_normal", initializers.GlorotNormal),
                      ("GlorotUniform glorot_uniform", initializers.GlorotUniform),
                      ("RandomUniform random_uniform uniform", RandomUniform),
                      ("RandomNormal random_normal normal", RandomNormal),
                      ("TruncatedNormal truncated_normal", TruncatedNormal)):
    for _name in _names.split():
        INITIALIZERS[_name] = _kind


def from_name(identifier, known, what):
    """What a name, or a dictionary of class_name and config, stands for."""
    if isinstance(identifier, dict):
        name, config = identifier["class_name"], identifier.get("config", {})
        if name not in known:
            raise ValueError("Unknown " + what + ": " + name)
        return known[name](**config)
    if identifier not in known:
        raise ValueError("Unknown " + what + ":" + identifier)
    found = known[identifier]
    return found() if isinstance(found, type) or what in ("initializer", "regularizer") else found


def initializer(identifier):
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, (str, dict)):
        return from_name(identifier, INITIALIZERS, "initializer")
    raise ValueError("Could not interpret initializer identifier: " + str(identifier))


def default_initializer(layer, name, dtype):
    if dtype.is_floating:
        return initializers.GlorotUniform()
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
        return initializers.Zeros()
    raise ValueError("An initializer for variable %s of type %s is required for layer %s" %
                     (name, dtype.base_dtype, layer.name))


# -- regularizers

class Regularizer:
    def __call__(self, x):
        return 0.0

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class L1L2(Regularizer):
    def __init__(self, l1=0.0, l2=0.0):
        self.l1, self.l2 = backend.cast_to_floatx(l1), backend.cast_to_floatx(l2)

    def __call__(self, x):
        if not self.l1 and not self.l2:
            return backend.constant(0.0)
        total = 0.0
        if self.l1:
            total += self.l1 * math_ops.reduce_sum(math_ops.abs(x))
        if self.l2:
            total += self.l2 * math_ops.reduce_sum(math_ops.square(x))
        return total

    def get_config(self):
        return {"l1": float(self.l1), "l2": float(self.l2)}


def l1(l=0.01):  # noqa: E741
    return L1L2(l1=l)


def l2(l=0.01):  # noqa: E741
    return L1L2(l2=l)


def l1_l2(l1=0.01, l2=0.01):
    return L1L2(l1=l1, l2=l2)


REGULARIZERS = {"L1L2": L1L2, "l1": l1, "l2": l2, "l1_l2": l1_l2, "Regularizer": Regularizer}


def regularizer(identifier):
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, (str, dict)):
        return from_name(identifier, REGULARIZERS, "regularizer")
    raise ValueError("Could not interpret regularizer identifier:", identifier)


# -- constraints

class Constraint:
    def __call__(self, w):
        return w

    def get_config(self):
        """What it was made with."""
        return dict(vars(self))


class MaxNorm(Constraint):
    def __init__(self, max_value=2, axis=0):
        self.max_value, self.axis = max_value, axis

    def __call__(self, w):
        norms = backend.sqrt(math_ops.reduce_sum(math_ops.square(w), axis=self.axis, keepdims=True))
        desired = backend.clip(norms, 0, self.max_value)
        return w * (desired / (backend.epsilon() + norms))


class NonNeg(Constraint):
    def __call__(self, w):
        return w * math_ops.cast(math_ops.greater_equal(w, 0.0), backend.floatx())


class UnitNorm(Constraint):
    def __init__(self, axis=0):
        self.axis = axis

    def __call__(self, w):
        return w / (backend.epsilon() + backend.sqrt(math_ops.reduce_sum(math_ops.square(w), axis=self.axis,
                                                                         keepdims=True)))


class MinMaxNorm(Constraint):
    def __init__(self, min_value=0.0, max_value=1.0, rate=1.0, axis=0):
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w):
        norms = backend.sqrt(math_ops.reduce_sum(math_ops.square(w), axis=self.axis, keepdims=True))
        desired = self.rate * backend.clip(norms, self.min_value, self.max_value) + (1 - self.rate) * norms
        return w * (desired / (backend.epsilon() + norms))


CONSTRAINTS = {"Constraint": Constraint, "MaxNorm": MaxNorm, "max_norm": MaxNorm, "NonNeg": NonNeg, "non_neg": NonNeg,
               "UnitNorm": UnitNorm, "unit_norm": UnitNorm, "MinMaxNorm": MinMaxNorm, "min_max_norm": MinMaxNorm}


def constraint(identifier):
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, (str, dict)):
        return from_name(identifier, CONSTRAINTS, "constraint")
    raise ValueError("Could not interpret constraint identifier: " + str(identifier))

