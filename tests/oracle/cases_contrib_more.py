# cases_contrib_more.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""More ops of tf.contrib: crossed features, cells dealt out, pairs of words."""

import os

import numpy as np
import tensorflow as tf
import tensorflow.contrib

from record_ops import Case
from samples import values

_folder = os.path.dirname(tensorflow.contrib.__file__)
for _name in ('text/python/ops/_skip_gram_ops.so', 'periodic_resample/python/ops/_periodic_resample_op.so',
              'layers/python/ops/_sparse_feature_cross_op.so'):
    tf.load_op_library(os.path.join(_folder, _name))


def words(x):
    return np.array(x, object)


def i64(x):
    return np.array(x, 'int64')


def crosses():
    a = ([[0, 0], [1, 0], [1, 1]], words([b'a', b'b', b'c']), [3, 2])
    b = ([[0, 0], [1, 0], [2, 0]], i64([7, -8, 9]), [3, 1])
    dense = words([[b'x', b'yy'], [b'', b'z'], [b'q', b'q']])
    numbers = i64([[1], [2], [-3]])

    def case(op, sparse, dense, out, internal, **more):
        if op.endswith('V2'):
            more.setdefault('hash_key', 0xDECAFCAFFE)
        return Case(op, [[i64(s[0]).reshape(-1, np.shape(s[0])[-1]) for s in sparse], [s[1] for s in sparse],
                         [i64(s[2]) for s in sparse], dense], hashed_output=out == 'int64', out_type=out,
                    internal_type=internal, num_buckets=more.pop('num_buckets', 0), N=len(sparse),
                    sparse_types=['string' if s[1].dtype == object else 'int64' for s in sparse],
                    dense_types=['string' if d.dtype == object else 'int64' for d in dense], **more)

    for op in ('SparseFeatureCross', 'SparseFeatureCrossV2'):
        for sparse, others in (([a, b], [dense]), ([a], []), ([b], [numbers]), ([], [dense, numbers]), ([a, a], [dense])):
            yield case(op, sparse, others, 'string', 'int64')
            for buckets in (0, 13):
                yield case(op, sparse, others, 'int64', 'int64', num_buckets=buckets)
        yield case(op, [a], [dense], 'string', 'string')
        yield case(op, [a], [dense], 'int64', 'string')
        # TensorFlow ends itself at values that are too few.
        for bad in (([[0], [1], [1]], a[1], a[2]), (a[0], a[1], [3])):
            yield case(op, [bad], [], 'string', 'int64')
        yield case(op, [a, (b[0], b[1], [2, 1])], [], 'string', 'int64')
    yield case('SparseFeatureCrossV2', [a, b], [dense], 'int64', 'int64', hash_key=-5)


def resampling():
    for dtype in ('float32', 'float64', 'int32', 'int64', 'uint8'):
        yield Case('PeriodicResample', [values(dtype, [3, 4])], shape=[6, None])
        yield Case('PeriodicResample', [values(dtype, [2, 3, 8])], shape=[4, 6, None])
        yield Case('PeriodicResampleOpGrad', [values(dtype, [6, 2])], original_shape=[3, 4], desired_shape=[6, None])
    x = values('float32', [2, 2, 4])
    for shape in ([4, 4, None], [None, 2, 4], [None, 4, 4], [2, None, 8], [4, 2, 0], [None, None, 4], [2, 2, 4], [1, 2, None], [4, None],
                  [16, 16, None], [2, 2, None]):
        yield Case('PeriodicResample', [x], shape=shape)
    yield Case('PeriodicResampleOpGrad', [values('float32', [4, 4, 1])], original_shape=[2, 2, 4], desired_shape=[4, 4, None])
    yield Case('PeriodicResampleOpGrad', [values('float32', [4, 4])], original_shape=[2, 2, 4], desired_shape=[4, 4, None])


def pairs():
    text = words([b'the', b'quick', b'brown', b'fox', b'', b'jumps'])
    for tokens in (text, i64([5, 4, 3, 2, 1]), np.int32([1, 2, 3, 4]), np.int16([7, 8, 9]), text[:0]):
        for low, high in ((1, 1), (0, 3), (2, 5), (0, 0)):
            for own in (False, True):
                yield Case('SkipGramGenerateCandidates',
                           [tokens, np.int32(low), np.int32(high), np.int32(0), np.int32(-1), np.array(own)], seed=7, seed2=9,
                           runs=2)
    for start, limit in ((1, 3), (0, 0), (5, 9), (2, -1), (9, 1)):
        yield Case('SkipGramGenerateCandidates',
                   [text, np.int32(1), np.int32(2), np.int32(start), np.int32(limit), np.array(False)], seed=3, seed2=1)
    for low, high in ((-1, 1), (2, 1), (0, -1)):
        yield Case('SkipGramGenerateCandidates',
                   [text, np.int32(low), np.int32(high), np.int32(0), np.int32(-1), np.array(False)], seed=3, seed2=1)


def cases():
    for part in (crosses, resampling, pairs):
        for case in part():
            yield case
