# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: embeddings whose every number is found by a hash in one row of weights."""

import collections

from .. import dtypes
from ..framework import tf_logging as logging
from ..framework.graph import name_scope
from ..operators import array_ops, math_ops, nn_embedding, sparse
from ..operators.parsing import VarLenFeature
from ..operators.sparse import SparseTensor
from ..state import initializers, partitioned_variables
from .columns import _Column, sparse_feature_cross
from .layers import _inner_flatten
from .model_variables import model_variable

# What stands for a row without values.
_NO_STRING, _NO_NUMBER = "6ZxWzWOHxZ", 1288896567


def _parts(params):
    if isinstance(params, partitioned_variables.PartitionedVariable):
        params = list(params)
    return params if isinstance(params, list) else [params]


def _check_sizes(params):
    """How many weights there are, spread evenly over the parts."""
    sizes = []
    for part in params:
        part.shape.assert_has_rank(1)
        part.shape.assert_is_fully_defined()
        sizes.append(part.shape[0].value)
    total = sum(sizes)
    for i, size in enumerate(sizes):
        expected = (total - i - 1) // len(sizes) + 1
        if size != expected:
            raise ValueError("Tensor %d in params has size %d, expected %d." % (i, size, expected))
    return total


def scattered_embedding_lookup(params, values, dimension, name=None, hash_key=None):
    if dimension is None:
        raise ValueError("You must specify dimension.")
    params = _parts(params)
    with name_scope(name, "scattered_embedding_lookup", params + [dimension, values]):
        shape = array_ops.shape(values)
        values = array_ops.reshape(values, [-1, 1])
        if dimension <= 0:
            raise ValueError("Dimension must be >0. Given is %d" % dimension)
        places = array_ops.expand_dims(math_ops.range(0, dimension), 0)
        places = array_ops.tile(places, array_ops.shape(values))
        ids = sparse_feature_cross([places, values], hashed_output=True, num_buckets=_check_sizes(params), hash_key=hash_key)
        ids = sparse.sparse_tensor_to_dense(ids)
        found = nn_embedding.embedding_lookup(params, ids, partition_strategy="div")
        return array_ops.reshape(found, array_ops.concat([shape, [dimension]], 0))


def scattered_embedding_lookup_sparse(params, sparse_values, dimension, combiner=None, default_value=None, name=None,
                                      hash_key=None):
    if combiner is None:
        logging.warn('The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.')
        combiner = "mean"
    params = _parts(params)
    if not isinstance(sparse_values, SparseTensor):
        raise TypeError("sparse_values must be SparseTensor")
    with name_scope(name, "scattered_embedding_lookup_sparse", params + [sparse_values]) as scope:
        if default_value is None:
            default_value = _NO_STRING if sparse_values.dtype == dtypes.string else _NO_NUMBER
        filled, _ = sparse.sparse_fill_empty_rows(sparse_values, default_value)
        rows = math_ops.cast(filled.indices[:, 0], dtypes.int32)
        values, places = array_ops.unique(filled.values)
        found = scattered_embedding_lookup(params, values, dimension, hash_key=hash_key)
        combine = {"sum": math_ops.sparse_segment_sum, "mean": math_ops.sparse_segment_mean,
                   "sqrtn": math_ops.sparse_segment_sqrt_n}
        if combiner not in combine:
            raise ValueError("Combiner must be one of 'mean', 'sqrtn' or 'sum'.")
        return combine[combiner](found, places, rows, name=scope)


class _ScatteredEmbeddingColumn(_Column, collections.namedtuple(
        "_ScatteredEmbeddingColumn", "column_name size dimension hash_key combiner initializer")):
    name = property(lambda self: "{}_scattered_embedding".format(self.column_name))
    config = property(lambda self: {self.column_name: VarLenFeature(dtypes.string)})

    @property
    def key(self):
        told = ("{}={}".format(name, getattr(self, name)) for name in self._fields if name != "initializer")
        return "_ScatteredEmbeddingColumn({})".format(", ".join(told))

    def transform(self, cache):
        return cache.get(self.column_name)

    def deep(self, tensor, collections, trainable):
        values = _inner_flatten(tensor, 2)
        weights = model_variable("weights", shape=[self.size], dtype=dtypes.float32, initializer=self.initializer,
                                 trainable=trainable, collections=collections)
        return scattered_embedding_lookup_sparse(weights, values, self.dimension, hash_key=self.hash_key,
                                                 combiner=self.combiner, name="lookup")


def scattered_embedding_column(column_name, size, dimension, hash_key, combiner="mean", initializer=None):
    if dimension < 1 or size < 1:
        raise ValueError("Dimension and size must be greater than 0. dimension: {}, size: {}, column_name: {}".format(
            dimension, size, column_name))
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError("Combiner must be one of 'mean', 'sqrtn' or 'sum'. combiner: {}, column_name: {}".format(
            combiner, column_name))
    if initializer is not None and not callable(initializer):
        raise ValueError("initializer must be callable if specified. column_name: {}".format(column_name))
    return _ScatteredEmbeddingColumn(column_name, size, dimension, hash_key, combiner,
                                     initializer or initializers.TruncatedNormal(mean=0.0, stddev=0.1))
