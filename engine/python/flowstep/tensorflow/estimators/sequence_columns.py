# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.feature_column.sequence_*: columns of examples that hold a row of values each, and the layer that puts them side by side."""

import collections

from .. import dtypes
from ..framework import graph as graph_lib, tensor_shape
from ..framework.graph import name_scope
from ..operators import array_ops, check_ops, math_ops, sparse
from ..operators.parsing import VarLenFeature
from . import feature_columns
from .feature_columns import CategoricalColumn, FeatureCache, IdWeightPair, SequenceDenseColumn
from .feature_layers import FeaturesLayer


class SequenceCategoricalColumn(CategoricalColumn, collections.namedtuple("SequenceCategoricalColumn", "categorical_column")):
    """Categories of each step; several at a step are the third dimension."""

    name = property(lambda self: self.categorical_column.name)
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    num_buckets = property(lambda self: self.categorical_column.num_buckets)

    def transform(self, cache):
        return self.categorical_column.transform(cache)

    def sparse_tensors(self, cache):
        ids, weights = self.categorical_column.sparse_tensors(cache)
        shape = array_ops.shape(ids)
        target = [shape[0], shape[1], math_ops.reduce_prod(shape[2:])]
        return IdWeightPair(sparse.sparse_reshape(ids, target),
                            None if weights is None else sparse.sparse_reshape(weights, target))


class SequenceNumericColumn(SequenceDenseColumn, collections.namedtuple(
        "SequenceNumericColumn", "key shape default_value dtype normalizer_fn")):
    """Numbers of each step."""

    is_v1 = False
    name = property(lambda self: self.key)
    parse_example_spec = property(lambda self: {self.key: VarLenFeature(self.dtype)})
    variable_shape = property(lambda self: tensor_shape.TensorShape(self.shape))

    def transform(self, cache):
        given = cache.get(self.key)
        return given if self.normalizer_fn is None else self.normalizer_fn(given)

    def sequence_tensor(self, cache, state):
        given = cache.get(self)
        dense = sparse.sparse_tensor_to_dense(given, default_value=self.default_value)
        shape = array_ops.concat([array_ops.shape(dense)[:1], [-1], self.variable_shape], axis=0)
        dense = array_ops.reshape(dense, shape=shape)
        # Where steps have a dimension of their own, each is a step whatever it holds.
        together = self.variable_shape.num_elements() if given.shape.ndims == 2 else 1
        return dense, feature_columns.sequence_length(given, together)


def sequence_numeric_column(key, shape=(1,), default_value=0., dtype=dtypes.float32, normalizer_fn=None):
    shape = feature_columns.check_shape(shape, key)
    feature_columns.check_numeric(key, dtype, normalizer_fn)
    return SequenceNumericColumn(key, shape, default_value, dtype, normalizer_fn)


def sequence_categorical_column_with_identity(key, num_buckets, default_value=None):
    return SequenceCategoricalColumn(feature_columns.categorical_column_with_identity(key, num_buckets, default_value))


def sequence_categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=dtypes.string):
    return SequenceCategoricalColumn(feature_columns.categorical_column_with_hash_bucket(key, hash_bucket_size, dtype))


def sequence_categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None, num_oov_buckets=0,
                                                     default_value=None, dtype=dtypes.string):
    return SequenceCategoricalColumn(feature_columns.categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype))


def sequence_categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0):
    return SequenceCategoricalColumn(feature_columns.categorical_column_with_vocabulary_list(
        key, vocabulary_list, dtype, default_value, num_oov_buckets))


def _common(lengths):
    """The first of several lengths, which have to be the same."""
    with name_scope(None, "assert_all_equal", lengths):
        if len(lengths) == 1:
            return lengths[0]
        checks = [check_ops.assert_equal(lengths[0], other) for other in lengths[1:]]
        with graph_lib.control_dependencies(checks):
            return array_ops.identity(lengths[0])


class SequenceFeatures(FeaturesLayer):
    """Columns of the same number of steps side by side: batch, steps, numbers; and how many steps each example has."""

    def __init__(self, feature_columns, trainable=True, name=None, **keywords):
        super().__init__(feature_columns, SequenceDenseColumn, trainable, name, **keywords)

    def _target_shape(self, shape, elements):
        return shape[0], shape[1], elements

    def call(self, features):
        self._check_features(features)
        cache, outputs, lengths = FeatureCache(features), [], []
        for column in self._feature_columns:
            with name_scope(column.name):
                tensor, length = column.sequence_tensor(cache, self._state)
                outputs.append(self._shaped(column, tensor))
                lengths.append(length)
        feature_columns.check_same_batch(lengths, self._feature_columns)
        length = _common(lengths)
        return self._joined(outputs), length


def install(tf):
    for name in """sequence_categorical_column_with_hash_bucket sequence_categorical_column_with_identity
            sequence_categorical_column_with_vocabulary_file sequence_categorical_column_with_vocabulary_list
            sequence_numeric_column""".split():
        setattr(tf.feature_column, name, globals()[name])
    tf.keras.experimental.SequenceFeatures = SequenceFeatures
