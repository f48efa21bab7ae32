# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Initial values of variables (tf.zeros_initializer and the others)."""

import inspect
import math

import numpy as np

from .. import dtypes
from ..framework import ops
from ..operators import array_ops, math_ops, random_ops


class Initializer:
    dtype = dtypes.float32

    def __call__(self, shape, dtype=None, partition_info=None):
        raise NotImplementedError

    def get_config(self):
        """What it was made with, by name."""
        config = {name: getattr(self, name) for name in inspect.signature(type(self).__init__).parameters
                  if name != "self" and hasattr(self, name)}
        if "dtype" in config:
            config["dtype"] = config["dtype"].name
        return config

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def _float_dtype(dtype):
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError("Expected floating point type, got %s." % dtype)
    return dtype


def _plain(shape):
    return shape.as_list() if hasattr(shape, "as_list") else shape


class Zeros(Initializer):
    def __init__(self, dtype=dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return array_ops.zeros(shape, dtype or self.dtype)


class Ones(Initializer):
    def __init__(self, dtype=dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return array_ops.ones(shape, dtype or self.dtype)


class Constant(Initializer):
    def __init__(self, value=0, dtype=dtypes.float32, verify_shape=False):
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError("Invalid type for initial value: %s (expected Python scalar, list or tuple of values, or "
                            "numpy.ndarray)." % type(value))
        self.value, self.dtype, self._verify_shape = value, dtypes.as_dtype(dtype), verify_shape

    def __call__(self, shape, dtype=None, partition_info=None, verify_shape=None):
        verify = self._verify_shape if verify_shape is None else verify_shape
        return ops._constant(self.value, dtype or self.dtype, shape, "Const", verify, True)


class RandomUniform(Initializer):
    def __init__(self, minval=0, maxval=None, seed=None, dtype=dtypes.float32):
        self.minval, self.maxval, self.seed, self.dtype = minval, maxval, seed, dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return random_ops.random_uniform(shape, self.minval, self.maxval, dtype or self.dtype, seed=self.seed)


class RandomNormal(Initializer):
    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32):
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, _float_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return random_ops.random_normal(shape, self.mean, self.stddev, dtype or self.dtype, seed=self.seed)


class TruncatedNormal(RandomNormal):
    def __call__(self, shape, dtype=None, partition_info=None):
        return random_ops.truncated_normal(shape, self.mean, self.stddev, dtype or self.dtype, seed=self.seed)


class UniformUnitScaling(Initializer):
    def __init__(self, factor=1.0, seed=None, dtype=dtypes.float32):
        self.factor, self.seed, self.dtype = factor, seed, _float_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        size = 1.0
        for d in _plain(partition_info.full_shape if partition_info else shape)[:-1]:
            size *= float(d)
        limit = math.sqrt(3 / max(1.0, size)) * self.factor
        return random_ops.random_uniform(shape, -limit, limit, dtype or self.dtype, seed=self.seed)


def _fans(shape):
    shape = [int(d) for d in _plain(shape)]
    if len(shape) < 1:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    field = 1
    for d in shape[:-2]:
        field *= d
    return shape[-2] * field, shape[-1] * field


class VarianceScaling(Initializer):
    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None, dtype=dtypes.float32):
        if scale <= 0.:
            raise ValueError("`scale` must be positive float.")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError("Invalid `mode` argument:", mode)
        distribution = distribution.lower()
        if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError("Invalid `distribution` argument:", distribution)
        self.scale, self.mode, self.seed, self.dtype = scale, mode, seed, _float_dtype(dtype)
        self.distribution = "truncated_normal" if distribution == "normal" else distribution

    def __call__(self, shape, dtype=None, partition_info=None):
        scale = self.scale
        fan_in, fan_out = _fans(partition_info.full_shape if partition_info else shape)
        if self.mode == "fan_in":
            scale /= max(1., fan_in)
        elif self.mode == "fan_out":
            scale /= max(1., fan_out)
        else:
            scale /= max(1., (fan_in + fan_out) / 2.)
        dtype = dtype or self.dtype
        if self.distribution == "truncated_normal":
            return random_ops.truncated_normal(shape, 0.0, math.sqrt(scale) / .87962566103423978, dtype, seed=self.seed)
        if self.distribution == "untruncated_normal":
            return random_ops.random_normal(shape, 0.0, math.sqrt(scale), dtype, seed=self.seed)
        limit = math.sqrt(3.0 * scale)
        return random_ops.random_uniform(shape, -limit, limit, dtype, seed=self.seed)


class Orthogonal(Initializer):
    def __init__(self, gain=1.0, seed=None, dtype=dtypes.float32):
        self.gain, self.seed, self.dtype = gain, seed, _float_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        dtype = dtype or self.dtype
        shape = _plain(shape)
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        rows = int(np.prod(shape[:-1]))
        flat = (max(shape[-1], rows), min(shape[-1], rows))
        a = random_ops.random_normal(flat, dtype=dtype, seed=self.seed)
        q, r = ops.apply_op("Qr", input=a, full_matrices=False)
        d = array_ops.diag_part(r)
        q *= math_ops.sign(d)
        if rows < shape[-1]:
            from ..operators.linalg import matrix_transpose
            q = matrix_transpose(q)
        return self.gain * array_ops.reshape(q, shape)


class Identity(Initializer):
    def __init__(self, gain=1.0, dtype=dtypes.float32):
        self.gain, self.dtype = gain, _float_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        full = _plain(partition_info.full_shape if partition_info else shape)
        if len(full) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        from ..operators.linalg import eye
        result = eye(*full, dtype=dtype or self.dtype)
        return self.gain * result


class GlorotUniform(VarianceScaling):
    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)


class GlorotNormal(VarianceScaling):
    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)


def he_normal(seed=None):
    return VarianceScaling(2., "fan_in", "truncated_normal", seed=seed)


def he_uniform(seed=None):
    return VarianceScaling(2., "fan_in", "uniform", seed=seed)


def lecun_normal(seed=None):
    return VarianceScaling(1., "fan_in", "truncated_normal", seed=seed)


def lecun_uniform(seed=None):
    return VarianceScaling(1., "fan_in", "uniform", seed=seed)
