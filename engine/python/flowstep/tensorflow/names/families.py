# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Where the public names of checks, sets, averages and decays stand in tf."""

import types

from .. import sets
from ..learning import decays, moving_averages
from ..operators import check_ops, confusion
from ..saving import warm_start

_CHECKS = """
assert_equal assert_none_equal assert_near assert_less assert_less_equal assert_greater assert_greater_equal
assert_negative assert_positive assert_non_negative assert_non_positive assert_rank assert_rank_at_least assert_rank_in
assert_scalar assert_integer assert_type assert_same_float_dtype assert_proper_iterable is_numeric_tensor
is_non_decreasing is_strictly_increasing check_numerics
""".split()
_DECAYS = """
exponential_decay natural_exp_decay inverse_time_decay polynomial_decay cosine_decay cosine_decay_restarts
linear_cosine_decay noisy_linear_cosine_decay piecewise_constant piecewise_constant_decay
""".split()


def install(tf, submodule):
    """Puts the names into the module tf; submodule(name, **members) makes a module below it."""
    def put(module, names, source):
        for name in names:
            setattr(module, name, getattr(source, name))
    put(tf, _CHECKS + ["ensure_shape", "verify_tensor_all_finite", "add_check_numerics_ops"], check_ops)
    debugging = submodule("debugging", Assert=tf.Assert, assert_all_finite=check_ops.verify_tensor_all_finite,
                          assert_shapes=check_ops.assert_shapes, is_finite=tf.is_finite, is_inf=tf.is_inf,
                          is_nan=tf.is_nan)
    put(debugging, _CHECKS, check_ops)
    put(tf.math, ["is_non_decreasing", "is_strictly_increasing"], check_ops)
    tf.math.confusion_matrix = tf.confusion_matrix = tf.train.confusion_matrix = confusion.confusion_matrix
    put(tf.train, _DECAYS, decays)
    tf.train.init_from_checkpoint = warm_start.init_from_checkpoint
    tf.train.ExponentialMovingAverage = moving_averages.ExponentialMovingAverage
    tf.sparse_matmul = _sparse_matmul(tf)
    submodule("sets", **{k: v for k, v in vars(sets).items() if isinstance(v, types.FunctionType) and k[0] != "_"})


def _sparse_matmul(tf):
    def sparse_matmul(a, b, transpose_a=False, transpose_b=False, a_is_sparse=False, b_is_sparse=False, name=None):
        return tf.raw_ops.SparseMatMul(a=a, b=b, transpose_a=transpose_a, transpose_b=transpose_b,
                                       a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse, name=name)
    return sparse_matmul
