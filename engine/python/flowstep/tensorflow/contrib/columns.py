# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: columns of categories as they were before tf.feature_column. What a column's key starts with is its
class, so that classes are named as TensorFlow names them."""

import collections
import math

from .. import dtypes
from ..framework import graph as graph_lib, ops
from ..operators import array_ops, lookup, math_ops, sparse
from ..operators.parsing import VarLenFeature
from ..operators.sparse import SparseTensor
from ..saving import warm_start
from ..state import initializers
from ..state import variables as variables_lib
from .layers import _inner_flatten, safe_embedding_lookup_sparse
from .model_variables import model_variable
from .real_valued import _RealValuedColumn
from .sparse_ids import dense_to_sparse_tensor

CROSS_HASH_KEY = 956888297470

# What a linear model looks up of a column.
Wide = collections.namedtuple("Wide", "ids weights vocab_size combiner")


class _Column:
    """A column: transform(cache) makes of features what wide(tensor) and deep(tensor, ...) take."""

    key = property(str)

    def wide(self, tensor):
        """What a linear model looks up, or None where it multiplies."""
        raise NotImplementedError("No wide embedding lookup arguments for column {}.".format(self))

    def checkpoint_path(self):
        return None


def as_list_of_parts(variable):
    return [variable] if isinstance(variable, variables_lib.Variable) else list(variable)


def restore(path, variable):
    """Lets a variable begin with what a checkpoint has."""
    if path is not None:
        warm_start.init_from_checkpoint(path[0], {path[1]: variable[0] if len(variable) == 1 else variable})


# -- columns of ids

class _SparseIdLookupConfig(collections.namedtuple("_SparseIdLookupConfig", "vocabulary_file keys num_oov_buckets vocab_size "
                                                   "default_value")):
    """Where the words of a column are told."""


class _SparseColumn(_Column, collections.namedtuple("_SparseColumn", "column_name is_integerized bucket_size lookup_config "
                                                    "combiner dtype")):
    name = property(lambda self: self.column_name)
    config = property(lambda self: {self.column_name: VarLenFeature(self.dtype)})

    def __new__(cls, column_name, is_integerized=False, bucket_size=None, lookup_config=None, combiner="sum",
                dtype=dtypes.string):
        if is_integerized and not dtype.is_integer:
            raise ValueError("dtype must be an integer if is_integerized is True. dtype: {}, column_name: {}.".format(
                dtype, column_name))
        if dtype != dtypes.string and not dtype.is_integer:
            raise ValueError("dtype must be string or integer. dtype: {}, column_name: {}".format(dtype, column_name))
        if bucket_size is not None and bucket_size < 1:
            raise ValueError("bucket_size must be at least 1. bucket_size: {}, column_name: {}".format(bucket_size, column_name))
        return super().__new__(cls, column_name, is_integerized, bucket_size, lookup_config, combiner, dtype)

    @property
    def length(self):
        if self.bucket_size is not None:
            return self.bucket_size
        return self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets

    def transform(self, cache):
        given = cache.get(self.name)
        if not isinstance(given, SparseTensor):
            if given.shape.ndims == 1:
                given = array_ops.expand_dims(given, -1, name="expand_dims")
            elif given.shape.ndims != 2:
                given = _inner_flatten(given, 2)
            given = dense_to_sparse_tensor(given, "" if given.dtype == dtypes.string else -1)
        return self._ids(given)

    def ids_and_weights(self, tensor):
        return tensor, None

    def wide(self, tensor):
        return Wide(tensor, None, self.length, self.combiner)

    def deep(self, tensor, collections, trainable):
        raise ValueError("SparseColumn is not supported in DNN. Please use embedding_column or one_hot_column. column: {}".format(
            self))


class _SparseColumnIntegerized(_SparseColumn):
    def _ids(self, given):
        return SparseTensor(given.indices, math_ops.floormod(given.values, self.bucket_size, name="mod"), given.dense_shape)


class _SparseColumnHashed(_SparseColumn):
    hash_keys = None

    def _ids(self, given):
        values = ops.apply_op("AsString", input=given.values) if self.dtype.is_integer else given.values
        if not self.hash_keys:
            ids = ops.apply_op("StringToHashBucketFast", input=values, num_buckets=self.bucket_size, name="lookup")
            return SparseTensor(given.indices, ids, given.dense_shape)
        several = [SparseTensor(given.indices, ops.apply_op("StringToHashBucketStrong", input=values, num_buckets=self.bucket_size,
                                                            key=key), given.dense_shape) for key in self.hash_keys]
        return sparse.sparse_concat(axis=1, sp_inputs=several, name="lookup")


class _SparseColumnKeys(_SparseColumn):
    def _ids(self, given):
        return lookup.index_table_from_tensor(tuple(self.lookup_config.keys), default_value=self.lookup_config.default_value,
                                              dtype=self.dtype, name="lookup").lookup(given)


class _SparseColumnVocabulary(_SparseColumn):
    def _ids(self, given):
        if self.dtype.is_integer:
            given = SparseTensor(given.indices, ops.apply_op("AsString", input=given.values), given.dense_shape)
        config = self.lookup_config
        return lookup.index_table_from_file(
            vocabulary_file=config.vocabulary_file, num_oov_buckets=config.num_oov_buckets, vocab_size=config.vocab_size,
            default_value=config.default_value, name=self.name + "_lookup").lookup(given)


def sparse_column_with_integerized_feature(column_name, bucket_size, combiner="sum", dtype=dtypes.int64):
    if bucket_size is None:
        raise ValueError("bucket_size must be set if is_integerized is True. column_name: {}".format(column_name))
    return _SparseColumnIntegerized(column_name, True, bucket_size, combiner=combiner, dtype=dtype)


def _check_hash_keys(keys):
    if not isinstance(keys, list) or not keys:
        raise ValueError("hash_keys must be a non-empty list.")
    if not all(isinstance(pair, list) and len(pair) == 2 and all(isinstance(k, int) for k in pair) for pair in keys):
        raise ValueError("Each element of hash_keys must be a pair of integers.")


def sparse_column_with_hash_bucket(column_name, hash_bucket_size, combiner="sum", dtype=dtypes.string, hash_keys=None):
    if hash_bucket_size is None:
        raise ValueError("one of bucket_size or lookup_config must be set. column_name: {}".format(column_name))
    if hash_keys is not None:
        _check_hash_keys(hash_keys)
    made = _SparseColumnHashed(column_name, bucket_size=hash_bucket_size, combiner=combiner, dtype=dtype)
    made.hash_keys = hash_keys
    return made


def sparse_column_with_keys(column_name, keys, default_value=-1, combiner="sum", dtype=dtypes.string):
    keys = tuple(keys)
    config = _SparseIdLookupConfig(None, keys, 0, len(keys), default_value)
    return _SparseColumnKeys(column_name, lookup_config=config, combiner=combiner, dtype=dtype)


def sparse_column_with_vocabulary_file(column_name, vocabulary_file, num_oov_buckets=0, vocab_size=None, default_value=-1,
                                       combiner="sum", dtype=dtypes.string):
    if vocab_size is None:
        raise ValueError("vocab_size should be defined. column_name: {}".format(column_name))
    config = _SparseIdLookupConfig(vocabulary_file, None, num_oov_buckets, vocab_size, default_value)
    return _SparseColumnVocabulary(column_name, lookup_config=config, combiner=combiner, dtype=dtype)


class _WeightedSparseColumn(_Column, collections.namedtuple("_WeightedSparseColumn", "sparse_id_column weight_column_name dtype")):
    name = property(lambda self: "{}_weighted_by_{}".format(self.sparse_id_column.name, self.weight_column_name))
    length = property(lambda self: self.sparse_id_column.length)
    config = property(lambda self: dict(self.sparse_id_column.config, **{self.weight_column_name: VarLenFeature(self.dtype)}))

    def transform(self, cache):
        ids, weights = cache.get(self.sparse_id_column), cache.get(self.weight_column_name)
        if not isinstance(weights, SparseTensor):
            weights = dense_to_sparse_tensor(weights, 0)
        return ids, weights if self.dtype.is_floating else math_ops.cast(weights, dtypes.float32)

    def ids_and_weights(self, tensor):
        return tensor

    def wide(self, tensor):
        return Wide(tensor[0], tensor[1], self.length, self.sparse_id_column.combiner)

    def deep(self, tensor, collections, trainable):
        raise ValueError("WeightedSparseColumn is not supported in DNN. Please use embedding_column or one_hot_column. column: "
                         "{}".format(self))


def weighted_sparse_column(sparse_id_column, weight_column_name, dtype=dtypes.float32):
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype is not convertible to float. Given {}".format(dtype))
    return _WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


# -- columns made of others

class _OneHotColumn(_Column, collections.namedtuple("_OneHotColumn", "sparse_id_column")):
    name = property(lambda self: "{}_one_hot".format(self.sparse_id_column.name))
    length = property(lambda self: self.sparse_id_column.length)
    config = property(lambda self: self.sparse_id_column.config)

    def transform(self, cache):
        return cache.get(self.sparse_id_column)

    def deep(self, tensor, collections, trainable, rank=2):
        ids, weights = self.sparse_id_column.ids_and_weights(tensor)
        ids = _inner_flatten(ids, rank)
        if weights is not None:
            merged = sparse.sparse_merge(ids, weights, self.length)
            merged = sparse.sparse_slice(merged, array_ops.zeros_like(merged.dense_shape), merged.dense_shape)
            dense = sparse.sparse_tensor_to_dense(merged)
            rows = array_ops.shape(dense)[:-1]
            return array_ops.reshape(dense, array_ops.concat([rows, [self.length]], axis=0))
        dense = sparse.sparse_tensor_to_dense(ids, default_value=-1)
        return math_ops.reduce_sum(array_ops.one_hot(dense, depth=self.length, on_value=1.0, off_value=0.0), axis=[rank - 1])


def one_hot_column(sparse_id_column):
    return _OneHotColumn(sparse_id_column)


class _EmbeddingColumn(_Column, collections.namedtuple(
        "_EmbeddingColumn", "sparse_id_column dimension combiner initializer ckpt_to_load_from tensor_name_in_ckpt "
        "shared_embedding_name shared_vocab_size max_norm trainable")):
    name = property(lambda self: "{}{}".format(
        self.sparse_id_column.name, "_embedding" if self.shared_embedding_name is None else "_shared_embedding"))
    config = property(lambda self: self.sparse_id_column.config)
    length = property(lambda self: self.sparse_id_column.length if self.shared_vocab_size is None else self.shared_vocab_size)

    def __new__(cls, sparse_id_column, dimension, combiner="mean", initializer=None, ckpt_to_load_from=None,
                tensor_name_in_ckpt=None, shared_embedding_name=None, shared_vocab_size=None, max_norm=None, trainable=True):
        if initializer is not None and not callable(initializer):
            raise ValueError("initializer must be callable if specified. Embedding of column_name: {}".format(
                sparse_id_column.name))
        if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
            raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
        if initializer is None:
            initializer = initializers.TruncatedNormal(mean=0.0, stddev=1 / math.sqrt(sparse_id_column.length))
        return super().__new__(cls, sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
                               shared_embedding_name, shared_vocab_size, max_norm, trainable)

    @property
    def key(self):
        told = ("{}={}".format(name, getattr(self, name)) for name in self._fields if name != "initializer")
        return "_EmbeddingColumn({})".format(", ".join(told))

    def transform(self, cache):
        return cache.get(self.sparse_id_column)

    def wide(self, tensor):
        raise ValueError("Column {} is not supported in linear models. Please use sparse_column.".format(self))

    def checkpoint_path(self):
        return None if self.ckpt_to_load_from is None else (self.ckpt_to_load_from, self.tensor_name_in_ckpt)

    def _table(self, collections, trainable):
        shape = [self.length, self.dimension]
        known = [] if self.shared_embedding_name is None else graph_lib.get_default_graph().get_collection_ref(
            "SHARED_EMBEDDING_COLLECTION_" + self.shared_embedding_name.upper())
        if known and known[0].shape != shape:
            raise ValueError("The embedding variable with name {} already exists, but its shape does not match required embedding "
                             "shape here. Please make sure to use different shared_embedding_name for different shared "
                             "embeddings.".format(self.shared_embedding_name))
        if not known:
            known.append(model_variable(self.shared_embedding_name or "weights", shape=shape, dtype=dtypes.float32,
                                        initializer=self.initializer, trainable=trainable and self.trainable,
                                        collections=collections))
        return as_list_of_parts(known[0])

    def deep(self, tensor, collections, trainable, rank=2):
        ids, weights = self.sparse_id_column.ids_and_weights(tensor)
        ids = _inner_flatten(ids, rank)
        if weights is not None:
            weights = _inner_flatten(weights, rank)
        table = self._table(collections, trainable)
        restore(self.checkpoint_path(), table)
        return safe_embedding_lookup_sparse(table, ids, sparse_weights=weights, combiner=self.combiner or "mean",
                                            name=self.name + "weights", max_norm=self.max_norm)


def embedding_column(sparse_id_column, dimension, combiner="mean", initializer=None, ckpt_to_load_from=None,
                     tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    return _EmbeddingColumn(sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
                            max_norm=max_norm, trainable=trainable)


def _source(column):
    return column.sparse_id_column if isinstance(column, _WeightedSparseColumn) else column


def _are_compatible(one, other):
    """Whether two columns of ids can share a table."""
    one, other = _source(one), _source(other)
    if one.lookup_config and other.lookup_config:
        return one.lookup_config == other.lookup_config
    return one.length == other.length and (one.dtype == other.dtype or one.dtype.is_integer and other.dtype.is_integer)


def _shared_name(columns):
    plain = sorted((c for c in columns if isinstance(c, _SparseColumn)), key=lambda column: column[:2])
    weighted = sorted((c for c in columns if not isinstance(c, _SparseColumn)), key=lambda column: column.name)
    names = [column.name for column in plain + weighted]
    others = "_plus_{}_others".format(len(names) - 3) if len(names) > 3 else ""
    return "_".join(names[:3]) + others + "_shared_embedding"


def shared_embedding_columns(sparse_id_columns, dimension, combiner="mean", shared_embedding_name=None, initializer=None,
                             ckpt_to_load_from=None, tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    if not isinstance(sparse_id_columns, (list, tuple)):
        raise TypeError("sparse_id_columns must be a non-string sequence (ex: list or tuple) instead of type {}.".format(
            type(sparse_id_columns)))
    if not sparse_id_columns:
        raise ValueError("The input sparse_id_columns should have at least one element.")
    for column in sparse_id_columns:
        if not isinstance(column, (_SparseColumn, _WeightedSparseColumn)):
            raise TypeError("Elements of sparse_id_columns must be _SparseColumn or _WeightedSparseColumn, but {} is not.".format(
                column))
    if not all(_are_compatible(column, sparse_id_columns[0]) for column in sparse_id_columns[1:]):
        raise ValueError("The input sparse id columns are not compatible.")
    is_alone = len(sparse_id_columns) == 1
    name = shared_embedding_name if is_alone else shared_embedding_name or _shared_name(sparse_id_columns)
    size = None if is_alone else sparse_id_columns[0].length
    made = [_EmbeddingColumn(column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, name, size,
                             max_norm, trainable) for column in sparse_id_columns]
    return made if is_alone else tuple(made)


class _BucketizedColumn(_Column, collections.namedtuple("_BucketizedColumn", "source_column boundaries")):
    name = property(lambda self: "{}_bucketized".format(self.source_column.name))
    length = property(lambda self: len(self.boundaries) + 1)
    config = property(lambda self: self.source_column.config)

    def transform(self, cache):
        return ops.apply_op("Bucketize", input=cache.get(self.source_column), boundaries=list(self.boundaries), name="bucketize")

    def to_sparse_tensor(self, tensor):
        dimension = self.source_column.dimension
        rows = array_ops.shape(tensor, name="shape")[0]
        if dimension > 1:
            row = array_ops.expand_dims(math_ops.range(0, rows), 1, name="expand_dims")
            first = array_ops.reshape(array_ops.tile(row, [1, dimension], name="tile"), [-1], name="reshape")
            second = array_ops.tile(math_ops.range(0, dimension), [rows], name="tile")
            buckets = array_ops.reshape(tensor, [-1], name="reshape") + self.length * second
        else:
            first = math_ops.range(0, rows)
            second = array_ops.zeros([rows], dtype=dtypes.int32, name="zeros")
            buckets = array_ops.reshape(tensor, [-1], name="reshape")
        indices = math_ops.cast(array_ops.transpose(array_ops.stack((first, second))), dtypes.int64)
        return SparseTensor(indices, buckets, math_ops.cast(array_ops.stack([rows, dimension]), dtypes.int64))

    def wide(self, tensor):
        return Wide(self.to_sparse_tensor(tensor), None, self.length * self.source_column.dimension, "sum")

    def deep(self, tensor, collections, trainable):
        hot = array_ops.one_hot(math_ops.cast(tensor, dtypes.int64), self.length, 1.0, 0.0, name="one_hot")
        return array_ops.reshape(hot, [-1, self.length * self.source_column.dimension], name="reshape")


def bucketized_column(source_column, boundaries):
    if not isinstance(source_column, _RealValuedColumn):
        raise TypeError("source_column must be an instance of _RealValuedColumn. source_column: {}".format(source_column))
    if not isinstance(boundaries, (list, tuple)) or not boundaries:
        raise ValueError("boundaries must be a non-empty list or tuple. boundaries: {}".format(boundaries))
    if any(a > b for a, b in zip(boundaries, boundaries[1:])):
        raise ValueError("boundaries must be a sorted list. boundaries: {}".format(boundaries))
    return _BucketizedColumn(source_column, tuple(b for b, after in zip(boundaries, list(boundaries[1:]) + [None]) if b != after))


class _CrossedColumn(_Column, collections.namedtuple("_CrossedColumn", "columns hash_bucket_size hash_key combiner "
                                                     "ckpt_to_load_from tensor_name_in_ckpt")):
    name = property(lambda self: "_X_".join(sorted(column.name for column in self.columns)))
    length = property(lambda self: self.hash_bucket_size)

    @property
    def config(self):
        found = {}
        for column in self.columns:
            found.update(column.config)
        return found

    def _leaves(self):
        for column in self.columns:
            if isinstance(column, _CrossedColumn):
                yield from column._leaves()
            else:
                yield column

    def transform(self, cache):
        crossed = [cache.get(column.name) if isinstance(column, _SparseColumn) else column.to_sparse_tensor(cache.get(column))
                   for column in self._leaves()]
        return sparse_feature_cross(crossed, True, self.hash_bucket_size, "cross", self.hash_key)

    def checkpoint_path(self):
        return None if self.ckpt_to_load_from is None else (self.ckpt_to_load_from, self.tensor_name_in_ckpt)

    def ids_and_weights(self, tensor):
        return tensor, None

    def wide(self, tensor):
        return Wide(tensor, None, self.length, self.combiner)

    def deep(self, tensor, collections, trainable):
        raise ValueError("CrossedColumn is not supported in DNN. Please use embedding_column. column: {}".format(self))


def crossed_column(columns, hash_bucket_size, combiner="sum", ckpt_to_load_from=None, tensor_name_in_ckpt=None, hash_key=None):
    for column in columns:
        if not isinstance(column, (_SparseColumn, _CrossedColumn, _BucketizedColumn)):
            raise TypeError("columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn instances. (column {} is "
                            "a {})".format(column, type(column).__name__))
    if len(columns) < 2:
        raise ValueError("columns must contain at least 2 elements. columns: {}".format(columns))
    if hash_bucket_size < 2:
        raise ValueError("hash_bucket_size must be at least 2. hash_bucket_size: {}".format(hash_bucket_size))
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
    ordered = tuple(sorted(columns, key=lambda column: column.name))
    return _CrossedColumn(ordered, hash_bucket_size, hash_key, combiner, ckpt_to_load_from, tensor_name_in_ckpt)


def sparse_feature_cross(inputs, hashed_output=False, num_buckets=0, name=None, hash_key=None):
    """The cross product of features of each example, as text or as hashes."""
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    sparse_ones = [x for x in inputs if isinstance(x, SparseTensor)]
    dense = [x for x in inputs if not isinstance(x, SparseTensor)]
    are_text = all(getattr(x, "values", x).dtype == dtypes.string for x in inputs)
    settings = {"hash_key": hash_key} if hash_key else {}
    made = ops.apply_op(
        "SparseFeatureCrossV2" if hash_key else "SparseFeatureCross", indices=[x.indices for x in sparse_ones],
        values=[_as_int(x.values) for x in sparse_ones], shapes=[x.dense_shape for x in sparse_ones],
        dense=[_as_int(x) for x in dense], hashed_output=hashed_output, num_buckets=num_buckets,
        out_type=dtypes.int64 if hashed_output else dtypes.string, internal_type=dtypes.string if are_text else dtypes.int64,
        name=name, **settings)
    return SparseTensor(*made)


def _as_int(tensor):
    return tensor if tensor.dtype == dtypes.string else math_ops.cast(tensor, dtypes.int64)


def create_feature_spec_for_parsing(feature_columns):
    found = {}
    for column in feature_columns.values() if isinstance(feature_columns, dict) else feature_columns:
        if not isinstance(column, (_Column, _RealValuedColumn)):
            raise TypeError("feature_columns should only contain instances of _FeatureColumn. Given column is {}".format(column))
        found.update(column.config)
    return found
