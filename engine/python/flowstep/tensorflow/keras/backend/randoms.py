# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Random tensors, of a seed of their own where none is given."""

import numpy as np

from ... import dtypes, nn
from ...operators import array_ops, random_ops
from ...state import initializers
from .settings import floatx
from .values import variable


def dropout(x, level, noise_shape=None, seed=None):
    seed = np.random.randint(10000000) if seed is None else seed
    return nn.dropout(x, rate=level, noise_shape=noise_shape, seed=seed)


def random_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    seed = np.random.randint(10000000) if seed is None else seed
    return random_ops.random_normal(shape, mean=mean, stddev=stddev, dtype=dtypes.as_dtype(dtype or floatx()), seed=seed)


def random_uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    seed = np.random.randint(10000000) if seed is None else seed
    return random_ops.random_uniform(shape, minval=minval, maxval=maxval, dtype=dtypes.as_dtype(dtype or floatx()),
                                     seed=seed)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    seed = np.random.randint(10000000) if seed is None else seed
    return random_ops.truncated_normal(shape, mean, stddev, dtype=dtypes.as_dtype(dtype or floatx()), seed=seed)


def random_binomial(shape, p=0.0, dtype=None, seed=None):
    dtype, seed = dtypes.as_dtype(dtype or floatx()), np.random.randint(10000000) if seed is None else seed
    return array_ops.where(random_ops.random_uniform(shape, dtype=dtype, seed=seed) <= p,
                           array_ops.ones(shape, dtype=dtype), array_ops.zeros(shape, dtype=dtype))


def _variable_of(initializer):
    def make(shape, first, second, dtype=None, name=None, seed=None):
        kind, seed = dtypes.as_dtype(dtype or floatx()), np.random.randint(1000000000) if seed is None else seed
        return variable(initializer(first, second, dtype=kind, seed=seed)(shape), dtype=dtype, name=name)
    return make


random_uniform_variable = _variable_of(initializers.RandomUniform)
random_normal_variable = _variable_of(initializers.RandomNormal)
