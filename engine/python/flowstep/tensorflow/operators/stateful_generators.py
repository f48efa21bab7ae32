# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.random.experimental.Generator: random numbers whose state is a variable."""

import numpy as np

from .. import dtypes
from ..framework import ops
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..saving.trackable import AutoTrackable
from ..state.variables import ResourceVariable
from . import array_ops, math_ops

PHILOX, THREEFRY = 1, 2
_STATE_SIZES = {PHILOX: 3, THREEFRY: 2}


def _state_size(algorithm):
    if algorithm not in _STATE_SIZES:
        raise ValueError("Unsupported algorithm id: %s" % algorithm)
    return _STATE_SIZES[algorithm]


def _signed(n):
    """A number of 64 bits as a signed one."""
    return n - 2 ** 64 if n > 2 ** 63 - 1 else n


def create_rng_state(seed, algorithm):
    """The state that a generator begins with."""
    size = _state_size(algorithm)
    if isinstance(seed, int):
        seed = [seed >> 64 * i & 2 ** 64 - 1 for i in range(size)]
    state = np.asarray([_signed(n) for n in seed], dtype=np.int64)
    if state.ndim != 1:
        raise ValueError("seed should only have one dimension; got shape: %s" % (state.shape,))
    state = state[:size]
    return np.pad(state, [(size - len(state), 0)], mode="constant")


def _as_state(value):
    return convert_to_tensor([_signed(n) for n in value] if isinstance(value, list) else value, dtype=dtypes.int64)


def _as_shape(shape):
    empty = isinstance(shape, (tuple, list)) and not shape
    return convert_to_tensor(shape, dtype=dtypes.int64 if empty else None, name="shape")


class Generator(AutoTrackable):
    def __init__(self, copy_from=None, state=None, alg=None):
        if copy_from is not None:
            assert (alg or state) is None
            start, self._algorithm = copy_from.state, copy_from.algorithm
        else:
            assert alg is not None and state is not None
            start, self._algorithm = _as_state(state), alg
            start.shape.assert_is_compatible_with([_state_size(alg)])
        self._state_var = ResourceVariable(start, dtype=dtypes.int64, trainable=False)

    state = property(lambda self: self._state_var)
    algorithm = property(lambda self: self._algorithm)

    @classmethod
    def from_state(cls, state, alg):
        return cls(alg=alg, state=state)

    @classmethod
    def from_seed(cls, seed, alg=None):
        alg = PHILOX if alg is None else alg
        return cls(state=create_rng_state(seed, alg), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg=None):
        alg = PHILOX if alg is None else alg
        return cls(state=apply_op("NonDeterministicInts", shape=[_state_size(alg)], dtype=dtypes.int64), alg=alg)

    @staticmethod
    def _of_key(key, counter, alg):
        counter, key = _as_state(counter), _as_state(key)
        counter.shape.assert_is_compatible_with([_state_size(alg) - 1])
        key.shape.assert_is_compatible_with([])
        return array_ops.concat([counter, array_ops.reshape(key, [1])], 0)

    @classmethod
    def from_key_counter(cls, key, counter, alg):
        return cls(state=cls._of_key(key, counter, alg), alg=alg)

    def reset(self, state):
        state = _as_state(state)
        state.shape.assert_is_compatible_with([_state_size(self.algorithm)])
        self._state_var.assign(state)

    def reset_from_seed(self, seed):
        self._state_var.assign(create_rng_state(seed, self.algorithm))

    def reset_from_key_counter(self, key, counter):
        self._state_var.assign(self._of_key(key, counter, self.algorithm))

    @property
    def key(self):
        _state_size(self.algorithm)
        return self._state_var[-1]

    def _drawn(self, op_type, **arguments):
        return apply_op(op_type, resource=self.state.handle, algorithm=self.algorithm, **arguments)

    def skip(self, delta):
        ops.make_op("RngSkip", resource=self.state.handle, algorithm=self.algorithm, delta=delta)

    def _normal(self, op_type, scope, words, shape, mean, stddev, dtype, name):
        with name_scope(name, scope, [shape, mean, stddev]) as name:
            shape = _as_shape(shape)
            mean = convert_to_tensor(mean, dtype=dtype, name=words[0])
            stddev = convert_to_tensor(stddev, dtype=dtype, name=words[1])
            scaled = self._drawn(op_type, shape=shape, dtype=dtype) * stddev
            return math_ops.add(scaled, mean, name=name)

    def normal(self, shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
        return self._normal("StatefulStandardNormalV2", "stateful_normal", ("mean", "stddev"), shape, mean, stddev, dtype, name)

    def truncated_normal(self, shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
        return self._normal("StatefulTruncatedNormal", "truncated_normal", ("mean", "stddev"), shape, mean, stddev, dtype, name)

    def uniform(self, shape, minval=0, maxval=None, dtype=dtypes.float32, name=None):
        dtype = dtypes.as_dtype(dtype)
        if maxval is None:
            if dtype.is_integer:
                raise ValueError("Must specify maxval for integer dtype %r" % dtype)
            maxval = 1
        with name_scope(name, "stateful_uniform", [shape, minval, maxval]) as name:
            shape = _as_shape(shape)
            minval = convert_to_tensor(minval, dtype=dtype, name="min")
            maxval = convert_to_tensor(maxval, dtype=dtype, name="max")
            if dtype.is_integer:
                return self._drawn("StatefulUniformInt", shape=shape, minval=minval, maxval=maxval, name=name)
            drawn = self._drawn("StatefulUniform", shape=shape, dtype=dtype)
            return math_ops.add(drawn * (maxval - minval), minval, name=name)

    def uniform_full_int(self, shape, dtype=dtypes.uint64, name=None):
        with name_scope(name, "stateful_uniform_full_int", [shape]) as name:
            return self._drawn("StatefulUniformFullInt", shape=_as_shape(shape), dtype=dtypes.as_dtype(dtype), name=name)

    def binomial(self, shape, counts, probs, dtype=dtypes.int32, name=None):
        with name_scope(name, "binomial", [shape, counts, probs]) as name:
            counts = convert_to_tensor(counts, name="counts")
            probs = convert_to_tensor(probs, name="probs")
            return self._drawn("StatefulRandomBinomial", shape=_as_shape(shape), counts=counts, probs=probs,
                               dtype=dtypes.as_dtype(dtype), name=name)

    def make_seeds(self, count=1):
        _state_size(self.algorithm)
        keys = self.uniform_full_int(shape=[count], dtype=dtypes.int64)
        return array_ops.stack([keys, array_ops.zeros_like(keys)])

    def split(self, count=1):
        # TF: reads the keys' values, which there are in eager execution alone.
        _state_size(self.algorithm)
        raise AttributeError("'Tensor' object has no attribute 'numpy'")


_global = [None]


def get_global_generator():
    if _global[0] is None:
        _global[0] = Generator.from_non_deterministic_state()
    return _global[0]


def set_global_generator(generator):
    _global[0] = generator


NAMES = ["Generator", "create_rng_state", "get_global_generator", "set_global_generator"]
