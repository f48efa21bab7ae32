# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Random tensors and the seeds they get."""

import numpy as np

from .. import dtypes
from ..framework import tensor_shape
from ..framework.graph import get_default_graph, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, math_ops

DEFAULT_GRAPH_SEED = 87654321
_MAX_SEED = 2 ** 31 - 1


def set_random_seed(seed):
    get_default_graph().seed = seed


def get_seed(op_seed):
    graph = get_default_graph()
    if graph.seed is not None:
        seeds = graph.seed, graph._last_id if op_seed is None else op_seed
    elif op_seed is not None:
        seeds = DEFAULT_GRAPH_SEED, op_seed
    else:
        return None, None
    # TF: numbers that are larger or below nothing count again from nothing.
    seeds = tuple(seed % _MAX_SEED for seed in seeds)
    return seeds if seeds != (0, 0) else (0, _MAX_SEED)


def _shape_tensor(shape):
    if isinstance(shape, (list, tuple)) and not shape:
        return convert_to_tensor(shape, dtype=dtypes.int32, name="shape")
    if isinstance(shape, (list, tuple)):
        shape = tuple(tensor_shape.dimension_value(dim) for dim in shape)
    return convert_to_tensor(shape, name="shape")


def _seeds(seed):
    first, second = get_seed(seed)
    return {"seed": first, "seed2": second}


def random_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    with name_scope(name, "random_normal", [shape, mean, stddev]) as name:
        shape = _shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype=dtype, name="mean")
        stddev = convert_to_tensor(stddev, dtype=dtype, name="stddev")
        rnd = apply_op("RandomStandardNormal", shape=shape, dtype=dtype, **_seeds(seed))
        return math_ops.add(rnd * stddev, mean, name=name)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    with name_scope(name, "truncated_normal", [shape, mean, stddev]) as name:
        shape = _shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype=dtype, name="mean")
        stddev = convert_to_tensor(stddev, dtype=dtype, name="stddev")
        rnd = apply_op("TruncatedNormal", shape=shape, dtype=dtype, **_seeds(seed))
        return math_ops.add(rnd * stddev, mean, name=name)


def random_uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None):
    dtype = dtypes.as_dtype(dtype)
    if dtype not in (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64):
        raise ValueError("Invalid dtype %r" % dtype)
    if maxval is None:
        if dtype.is_integer:
            raise ValueError("Must specify maxval for integer dtype %r" % dtype)
        maxval = 1
    with name_scope(name, "random_uniform", [shape, minval, maxval]) as name:
        shape = _shape_tensor(shape)
        minval = convert_to_tensor(minval, dtype=dtype, name="min")
        maxval = convert_to_tensor(maxval, dtype=dtype, name="max")
        if dtype.is_integer:
            return apply_op("RandomUniformInt", shape=shape, minval=minval, maxval=maxval, name=name, **_seeds(seed))
        rnd = apply_op("RandomUniform", shape=shape, dtype=dtype, **_seeds(seed))
        return math_ops.add(rnd * (maxval - minval), minval, name=name)


def random_shuffle(value, seed=None, name=None):
    return apply_op("RandomShuffle", value=value, name=name, **_seeds(seed))


def multinomial(logits, num_samples, seed=None, name=None, output_dtype=None):
    with name_scope(name, "multinomial", [logits]):
        return _categorical(logits, num_samples, output_dtype, seed)


def random_categorical(logits, num_samples, dtype=None, seed=None, name=None):
    with name_scope(name, "categorical", [logits]):
        return _categorical(logits, num_samples, dtype, seed)


def _categorical(logits, num_samples, dtype, seed):
    logits = convert_to_tensor(logits, name="logits")
    return apply_op("Multinomial", logits=logits, num_samples=num_samples, output_dtype=dtype, **_seeds(seed))


def random_gamma(shape, alpha, beta=None, dtype=dtypes.float32, seed=None, name=None):
    with name_scope(name, "random_gamma", [shape, alpha, beta]):
        shape = convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
        alpha = convert_to_tensor(alpha, name="alpha", dtype=dtype)
        beta = convert_to_tensor(beta if beta is not None else 1, name="beta", dtype=dtype)
        alpha = alpha + array_ops.zeros_like(beta)
        seed1, seed2 = get_seed(seed)
        drawn = apply_op("RandomGamma", shape=shape, alpha=alpha, seed=seed1 or 0, seed2=seed2 or 0)
        return math_ops.maximum(np.finfo(dtype.as_numpy_dtype).tiny, drawn / beta)


def random_poisson(lam, shape, dtype=dtypes.float32, seed=None, name=None):
    with name_scope(name, "random_poisson", [lam, shape]):
        shape = convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
        seed1, seed2 = get_seed(seed)
        return apply_op("RandomPoissonV2", shape=shape, rate=lam, dtype=dtype, seed=seed1 or 0, seed2=seed2 or 0)


# -- numbers that depend on nothing but a seed of two

def _stateless(scope, op_type, low_name, high_name, name, shape, seed, low, high, dtype, spread):
    with name_scope(name, scope, [shape, seed, low, high]) as scope:
        shape = _shape_tensor(shape)
        low, high = convert_to_tensor(low, dtype=dtype, name=low_name), convert_to_tensor(high, dtype=dtype, name=high_name)
        random = apply_op(op_type, shape=shape, seed=seed, dtype=dtype)
        return math_ops.add(random * spread(low, high), low, name=scope)


def stateless_random_uniform(shape, seed, minval=0, maxval=None, dtype=dtypes.float32, name=None):
    dtype = dtypes.as_dtype(dtype)
    if maxval is None:
        if dtype.is_integer:
            raise ValueError("Must specify maxval for integer dtype %r" % dtype)
        maxval = 1
    if dtype.is_integer:
        with name_scope(name, "stateless_random_uniform", [shape, seed, minval, maxval]) as scope:
            shape = _shape_tensor(shape)
            minval = convert_to_tensor(minval, dtype=dtype, name="min")
            maxval = convert_to_tensor(maxval, dtype=dtype, name="max")
            return apply_op("StatelessRandomUniformInt", shape=shape, seed=seed, minval=minval, maxval=maxval, name=scope)
    return _stateless("stateless_random_uniform", "StatelessRandomUniform", "min", "max", name, shape, seed, minval, maxval,
                      dtype, lambda low, high: high - low)


def stateless_random_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
    return _stateless("stateless_random_normal", "StatelessRandomNormal", "mean", "stddev", name, shape, seed, mean, stddev,
                      dtype, lambda low, high: high)


def stateless_truncated_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
    return _stateless("stateless_truncated_normal", "StatelessTruncatedNormal", "mean", "stddev", name, shape, seed, mean,
                      stddev, dtype, lambda low, high: high)


def stateless_multinomial(logits, num_samples, seed, output_dtype=dtypes.int64, name=None):
    with name_scope(name, "stateless_multinomial", [logits, seed]):
        logits = convert_to_tensor(logits, name="logits")
        return apply_op("StatelessMultinomial", logits=logits, num_samples=num_samples, seed=seed, output_dtype=output_dtype)


def stateless_categorical(logits, num_samples, seed, dtype=dtypes.int64, name=None):
    with name_scope(name, "stateless_categorical", [logits, seed]):
        logits = convert_to_tensor(logits, name="logits")
        return apply_op("StatelessMultinomial", logits=logits, num_samples=num_samples, seed=seed, output_dtype=dtype)
