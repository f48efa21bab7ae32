# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers: queries that attend to values."""

from ... import dtypes, nn
from ...framework.ops import convert_to_tensor
from ...operators import array_ops, math_ops
from ...state import initializers
from .. import backend
from ..base_layer import Layer


def _not_after(scores):
    """Which keys stand no later than each query."""
    shape = array_ops.shape(scores)
    shape = array_ops.concat([array_ops.ones_like(shape[:-2]), shape[-2:]], axis=0)
    row = math_ops.cumsum(array_ops.ones(shape=shape, dtype=dtypes.int32), axis=-2)
    column = math_ops.cumsum(array_ops.ones(shape=shape, dtype=dtypes.int32), axis=-1)
    return math_ops.greater_equal(row, column)


class _DenseAttention(Layer):
    def __init__(self, causal=False, **keywords):
        super().__init__(**keywords)
        self.causal, self.supports_masking = causal, True

    def _check(self, inputs, mask):
        kind = type(self).__name__
        if not isinstance(inputs, list):
            raise ValueError(kind + " layer must be called on a list of inputs, namely [query, value] or [query, value, "
                             "key].")
        if len(inputs) not in (2, 3):
            raise ValueError(kind + " layer accepts inputs list of length 2 or 3, namely [query, value] or [query, value, "
                             "key]. Given length: " + str(len(inputs)))
        if mask and not isinstance(mask, list):
            raise ValueError(kind + " layer mask must be a list, namely [query_mask, value_mask].")
        if mask and len(mask) != 2:
            raise ValueError(kind + " layer mask must be a list of length 2, namely [query_mask, value_mask]. Given "
                             "length: " + str(len(mask)))

    def call(self, inputs, mask=None):
        self._check(inputs, mask)
        query, value, key = (inputs + inputs[1:])[:3]
        of_query, of_value = mask or (None, None)
        scores = self._scores(query, key)
        seen = None if of_value is None else array_ops.expand_dims(of_value, axis=-2)
        if self.causal:
            before = _not_after(scores)
            seen = before if seen is None else math_ops.logical_and(seen, before)
        if seen is not None:
            scores -= 1.e9 * math_ops.cast(math_ops.logical_not(seen), backend.floatx())
        result = math_ops.matmul(nn.softmax(scores), value)
        if of_query is not None:
            result *= math_ops.cast(array_ops.expand_dims(of_query, axis=-1), result.dtype)
        return result

    def compute_mask(self, inputs, mask=None):
        self._check(inputs, mask)
        return convert_to_tensor(mask[0]) if mask and mask[0] is not None else None


class Attention(_DenseAttention):
    def __init__(self, use_scale=False, **keywords):
        super().__init__(**keywords)
        self.use_scale = use_scale

    def build(self, input_shape):
        self.scale = self.add_weight(name="scale", shape=(), initializer=initializers.Ones(), dtype=self.dtype,
                                     trainable=True) if self.use_scale else None
        self.built = True

    def _scores(self, query, key):
        scores = math_ops.matmul(query, key, transpose_b=True)
        return scores if self.scale is None else scores * self.scale


class AdditiveAttention(_DenseAttention):
    def __init__(self, use_scale=True, **keywords):
        super().__init__(**keywords)
        self.use_scale = use_scale

    def build(self, input_shape):
        self.scale = self.add_weight(name="scale", shape=[input_shape[1].as_list()[-1]],
                                     initializer=initializers.GlorotUniform(), dtype=self.dtype, trainable=True) \
            if self.use_scale else None
        self.built = True

    def _scores(self, query, key):
        both = math_ops.tanh(array_ops.expand_dims(query, axis=-2) + array_ops.expand_dims(key, axis=-3))
        return math_ops.reduce_sum((self.scale if self.use_scale else 1.) * both, axis=-1)
