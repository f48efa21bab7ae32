# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.seq2seq: attention that only ever goes forwards over its memory."""

import numpy as np

from .. import dtypes, nn
from ..control import loops
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..operators import array_ops, math_ops, random_ops
from ..state import initializers, scope as scope_lib
from .seq2seq_attention import BahdanauAttention, LuongAttention, _Attention, _layer


def safe_cumprod(x, *args, **kwargs):
    """A running product by way of logarithms, which do not underflow."""
    with name_scope(None, "SafeCumprod", [x]):
        x = convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return math_ops.exp(math_ops.cumsum(math_ops.log(math_ops.clip_by_value(x, tiny, 1)), *args, **kwargs))


def _recursive(p_choose, previous):
    batch = p_choose.shape.dims[0].value or array_ops.shape(p_choose)[0]
    shifted = array_ops.concat([array_ops.ones((batch, 1)), 1 - p_choose[:, :-1]], 1)
    gone = loops.scan(lambda x, yz: array_ops.reshape(yz[0] * x + yz[1], (batch,)),
                      [array_ops.transpose(shifted), array_ops.transpose(previous)], array_ops.zeros((batch,)))
    return p_choose * array_ops.transpose(gone)


def monotonic_attention(p_choose_i, previous_attention, mode):
    """Where the attention is now, of how likely each place is chosen and where it was before."""
    p_choose = convert_to_tensor(p_choose_i, name="p_choose_i")
    previous = convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        return _recursive(p_choose, previous)
    if mode == "parallel":
        left = safe_cumprod(1 - p_choose, axis=1, exclusive=True)
        reached = p_choose * left
        return reached * math_ops.cumsum(previous / math_ops.clip_by_value(left, 1e-10, 1.), axis=1)
    if mode == "hard":
        p_choose *= math_ops.cumsum(previous, axis=1)
        return p_choose * math_ops.cumprod(1 - p_choose, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


class _Monotonic(_Attention):
    """Begins at the memory's first place."""

    def _prepare(self, query_layer, num_units, memory, memory_sequence_length, score_mask_value, noise, seed, mode, dtype, name):
        def probability(score, previous):
            if noise > 0:
                drawn = random_ops.random_normal(array_ops.shape(score), dtype=score.dtype, seed=seed)
                score += noise * drawn
            chosen = math_ops.cast(score > 0, score.dtype) if mode == "hard" else nn.sigmoid(score)
            return monotonic_attention(chosen, previous, mode)
        _Attention.__init__(self, query_layer=query_layer, memory_layer=_layer(num_units, "memory_layer", dtype), memory=memory,
                            probability_fn=probability, memory_sequence_length=memory_sequence_length,
                            score_mask_value=score_mask_value, name=name)
        self._num_units, self._name = num_units, name

    def initial_alignments(self, batch_size, dtype):
        return array_ops.one_hot(array_ops.zeros((batch_size,), dtype=dtypes.int32), self._alignments_size, dtype=dtype)

    def _biased(self, score, dtype):
        return score + scope_lib.get_variable("attention_score_bias", dtype=dtype, initializer=self._score_bias_init)


class BahdanauMonotonicAttention(_Monotonic, BahdanauAttention):
    def __init__(self, num_units, memory, memory_sequence_length=None, normalize=False, score_mask_value=None,
                 sigmoid_noise=0., sigmoid_noise_seed=None, score_bias_init=0., mode="parallel", dtype=None,
                 name="BahdanauMonotonicAttention"):
        dtype = dtype or dtypes.float32
        self._prepare(_layer(num_units, "query_layer", dtype), num_units, memory, memory_sequence_length, score_mask_value,
                      sigmoid_noise, sigmoid_noise_seed, mode, dtype, name)
        self._normalize, self._score_bias_init = normalize, score_bias_init

    def __call__(self, query, state):
        with scope_lib.variable_scope(None, "bahdanau_monotonic_attention", [query]):
            score = self._biased(*self._unbiased(query))
        alignments = self._probability_fn(score, state)
        return alignments, alignments


class LuongMonotonicAttention(_Monotonic, LuongAttention):
    def __init__(self, num_units, memory, memory_sequence_length=None, scale=False, score_mask_value=None, sigmoid_noise=0.,
                 sigmoid_noise_seed=None, score_bias_init=0., mode="parallel", dtype=None, name="LuongMonotonicAttention"):
        self._prepare(None, num_units, memory, memory_sequence_length, score_mask_value, sigmoid_noise, sigmoid_noise_seed,
                      mode, dtype or dtypes.float32, name)
        self._scale, self._score_bias_init = scale, score_bias_init

    def __call__(self, query, state):
        with scope_lib.variable_scope(None, "luong_monotonic_attention", [query]):
            factor = None
            if self._scale:
                factor = scope_lib.get_variable("attention_g", dtype=query.dtype, initializer=initializers.Ones, shape=())
            score = self._biased(self._score(query, factor), query.dtype)
        alignments = self._probability_fn(score, state)
        return alignments, alignments
