# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Random tensors, of a seed of their own where none is given."""

import numpy as np

from ... import dtypes, nn, random_ops
from .settings import floatx


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
