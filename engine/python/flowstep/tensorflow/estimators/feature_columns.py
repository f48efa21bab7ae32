# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.feature_column: what a feature of an example is, and how it becomes a tensor."""

import collections
import collections.abc
import math

import numpy as np

from .. import dtypes, nest
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework import tensor_shape
from ..framework import tf_logging as logging
from ..framework.graph import name_scope
from ..framework.ops import apply_op
from ..operators import array_ops, check_ops, lookup, math_ops
from ..operators import nn_embedding, sparse
from ..operators.parsing import FixedLenFeature, VarLenFeature
from ..operators.sparse import SparseTensor, sparse_cross_hashed
from ..saving import file_system
from ..saving import warm_start
from ..state import initializers
from ..state import partitioned_variables

IdWeightPair = collections.namedtuple("IdWeightPair", ["id_tensor", "weight_tensor"])


class FeatureColumn:
    """Base of all columns."""

    # Whether it has the face of the layers, and that of input_layer and the functions beside it.
    is_v2 = is_v1 = True

    def __lt__(self, other):
        return str(self) < str(other)

    def __gt__(self, other):
        return str(self) > str(other)

    _var_scope_name = property(lambda self: self.name)
    _parse_example_spec = property(lambda self: self.parse_example_spec)

    def create_state(self, state):
        """Makes the variables that it needs."""


class DenseColumn(FeatureColumn):
    """A column that gives numbers."""


class SequenceDenseColumn(FeatureColumn):
    """A column that gives numbers for each step: sequence_tensor (cache, state) is the tensor and how long each row is."""


def sequence_length(given, together=1):
    """How many steps each example of a sparse tensor has, where so many values are a step."""
    with name_scope(None, "sequence_length") as name:
        rows = given.indices[:, 0]
        columns = given.indices[:, 1]
        columns += array_ops.ones_like(columns)
        length = apply_op("SegmentMax", data=columns, segment_ids=rows)
        length = math_ops.cast(apply_op("Ceil", x=length / together), dtypes.int64)
        # The last rows may have no value, and so no length.
        missing = array_ops.shape(given)[:1] - array_ops.shape(length)[:1]
        padding = array_ops.zeros(missing, dtype=length.dtype)
        return array_ops.concat([length, padding], axis=0, name=name)


class CategoricalColumn(FeatureColumn):
    """A column that gives ids, several an example, and perhaps their weights."""

    def sparse_tensors(self, cache):
        return IdWeightPair(cache.get(self), None)


class FeatureCache:
    """Features, and what columns made of them."""

    def __init__(self, features):
        self._features, self._made = features.copy(), {}

    def get(self, key):
        if key in self._made:
            return self._made[key]
        if key in self._features:
            made = self._raw(key)
        elif isinstance(key, str):
            raise ValueError("Feature {} is not in features dictionary.".format(key))
        elif not isinstance(key, FeatureColumn):
            raise TypeError('"key" must be either a "str" or "FeatureColumn". Provided: {}'.format(key))
        else:
            made = key.transform(self)
        self._made[key] = made
        return made

    def _raw(self, key):
        feature = sparse.convert_to_tensor_or_sparse_tensor(self._features[key])

        def grow(x):
            if isinstance(x, SparseTensor):
                return sparse.sparse_reshape(x, [array_ops.shape(x)[0], 1])
            return array_ops.expand_dims(x, -1)
        rank = feature.shape.ndims
        message = "Feature (key: {}) cannot have rank 0. Given: {}".format(key, feature)
        if rank is not None:
            if rank == 0:
                raise ValueError(message)
            return feature if rank != 1 else grow(feature)
        with graph_lib.control_dependencies([check_ops.assert_positive(array_ops.rank(feature), message=message)]):
            return control_flow.cond(math_ops.equal(1, array_ops.rank(feature)), lambda: grow(feature), lambda: feature)


def as_sparse(given, ignore_value=None):
    """The values that are not to be ignored: '' and -1 unless told otherwise."""
    given = sparse.convert_to_tensor_or_sparse_tensor(given)
    if isinstance(given, SparseTensor):
        return given
    with name_scope(None, "to_sparse_input", (given, ignore_value)):
        if ignore_value is None:
            ignore_value = "" if given.dtype == dtypes.string else -1 if given.dtype.is_integer \
                else given.dtype.as_numpy_dtype()
        ignore_value = math_ops.cast(ignore_value, given.dtype, name="ignore_value")
        indices = array_ops.where_v2(math_ops.not_equal(given, ignore_value), name="indices")
        values = array_ops.gather_nd(given, indices, name="values")
        return SparseTensor(indices, values, array_ops.shape(given, out_type=dtypes.int64, name="dense_shape"))


def check_string_or_int(dtype, prefix):
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError("{} dtype must be string or integer. dtype: {}.".format(prefix, dtype))


# -- numbers

class NumericColumn(DenseColumn, collections.namedtuple("NumericColumn", "key shape default_value dtype normalizer_fn")):
    name = property(lambda self: self.key)
    parse_example_spec = property(lambda self: {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)})
    variable_shape = property(lambda self: tensor_shape.TensorShape(self.shape))

    def transform(self, cache):
        given = cache.get(self.key)
        if isinstance(given, SparseTensor):
            raise ValueError("The corresponding Tensor of numerical column must be a Tensor. SparseTensor is not supported. "
                             "key: {}".format(self.key))
        if self.normalizer_fn is not None:
            given = self.normalizer_fn(given)
        return math_ops.cast(given, dtypes.float32)

    def dense_tensor(self, cache, state):
        return cache.get(self)


class BucketizedColumn(DenseColumn, CategoricalColumn, collections.namedtuple("BucketizedColumn", "source_column boundaries")):
    name = property(lambda self: "{}_bucketized".format(self.source_column.name))
    parse_example_spec = property(lambda self: self.source_column.parse_example_spec)
    num_buckets = property(lambda self: (len(self.boundaries) + 1) * self.source_column.shape[0])

    @property
    def variable_shape(self):
        return tensor_shape.TensorShape(tuple(self.source_column.shape) + (len(self.boundaries) + 1,))

    def transform(self, cache):
        return apply_op("Bucketize", input=cache.get(self.source_column), boundaries=list(self.boundaries))

    def dense_tensor(self, cache, state):
        return array_ops.one_hot(indices=math_ops.cast(cache.get(self), dtypes.int64), depth=len(self.boundaries) + 1,
                                 on_value=1., off_value=0.)

    def sparse_tensors(self, cache):
        given = cache.get(self)
        batch, n = array_ops.shape(given)[0], self.source_column.shape[0]
        rows = array_ops.reshape(array_ops.tile(array_ops.expand_dims(math_ops.range(0, batch), 1), [1, n]), (-1,))
        columns = array_ops.tile(math_ops.range(0, n), [batch])
        buckets = array_ops.reshape(given, (-1,)) + (len(self.boundaries) + 1) * columns
        indices = math_ops.cast(array_ops.transpose(array_ops.stack((rows, columns))), dtypes.int64)
        shape = math_ops.cast(array_ops.stack([batch, n]), dtypes.int64)
        return IdWeightPair(SparseTensor(indices, buckets, shape), None)


# -- categories

class _KeyColumn(CategoricalColumn):
    name = property(lambda self: self.key)
    parse_example_spec = property(lambda self: {self.key: VarLenFeature(getattr(self, "dtype", dtypes.int64))})

    def transform(self, cache):
        return self._ids(as_sparse(cache.get(self.key)))

    def _check_dtype(self, given):
        if self.dtype.is_integer != given.dtype.is_integer:
            raise ValueError("Column dtype and SparseTensors dtype must be compatible. key: {}, column dtype: {}, tensor "
                             "dtype: {}".format(self.key, self.dtype, given.dtype))


class HashedCategoricalColumn(_KeyColumn, collections.namedtuple("HashedCategoricalColumn", "key hash_bucket_size dtype")):
    num_buckets = property(lambda self: self.hash_bucket_size)

    def _ids(self, given):
        check_string_or_int(given.dtype, prefix="column_name: {} input_tensor".format(self.key))
        self._check_dtype(given)
        values = given.values if self.dtype == dtypes.string else apply_op("AsString", input=given.values)
        ids = apply_op("StringToHashBucketFast", input=values, num_buckets=self.hash_bucket_size, name="lookup")
        return SparseTensor(given.indices, ids, given.dense_shape)


class _VocabularyColumn(_KeyColumn):
    def _ids(self, given):
        self._check_dtype(given)
        check_string_or_int(given.dtype, prefix="column_name: {} input_tensor".format(self.key))
        kind = self.dtype
        if given.dtype.is_integer:
            kind = dtypes.int64
            given = sparse_cast(given, dtypes.int64)
        return self._table(kind, "{}_lookup".format(self.key)).lookup(given)


class VocabularyFileCategoricalColumn(_VocabularyColumn, collections.namedtuple(
        "VocabularyFileCategoricalColumn", "key vocabulary_file vocabulary_size num_oov_buckets dtype default_value")):
    num_buckets = property(lambda self: self.vocabulary_size + self.num_oov_buckets)

    def _table(self, kind, name):
        return lookup.index_table_from_file(
            vocabulary_file=self.vocabulary_file, num_oov_buckets=self.num_oov_buckets, vocab_size=self.vocabulary_size,
            default_value=self.default_value, key_dtype=kind, name=name)


class VocabularyListCategoricalColumn(_VocabularyColumn, collections.namedtuple(
        "VocabularyListCategoricalColumn", "key vocabulary_list dtype default_value num_oov_buckets")):
    num_buckets = property(lambda self: len(self.vocabulary_list) + self.num_oov_buckets)

    def _table(self, kind, name):
        return lookup.index_table_from_tensor(
            vocabulary_list=tuple(self.vocabulary_list), default_value=self.default_value,
            num_oov_buckets=self.num_oov_buckets, dtype=kind, name=name)


class IdentityCategoricalColumn(_KeyColumn, collections.namedtuple("IdentityCategoricalColumn", "key number_buckets default_value")):
    num_buckets = property(lambda self: self.number_buckets)

    def _ids(self, given):
        if not given.dtype.is_integer:
            raise ValueError("Invalid input, not integer. key: {} dtype: {}".format(self.key, given.dtype))
        values = math_ops.cast(given.values, dtypes.int64, name="values")
        buckets = math_ops.cast(self.num_buckets, dtypes.int64, name="num_buckets")
        zero = math_ops.cast(0, dtypes.int64, name="zero")
        if self.default_value is None:
            less = check_ops.assert_less(
                values, buckets, data=(values, buckets), name="assert_less_than_num_buckets",
                message='Bucket index for categorical column "{}" exceeds number of buckets'.format(self.name))
            greater = check_ops.assert_greater_equal(
                values, zero, data=(values,), name="assert_greater_or_equal_0",
                message='Negative bucket index for categorical column "{}"'.format(self.name))
            with graph_lib.control_dependencies((less, greater)):
                values = array_ops.identity(values)
        else:
            outside = math_ops.logical_or(values < zero, values >= buckets, name="out_of_range")
            other = array_ops.fill(dims=array_ops.shape(values), value=math_ops.cast(self.default_value, dtypes.int64),
                                   name="default_values")
            values = array_ops.where_v2(outside, other, values)
        return SparseTensor(given.indices, values, given.dense_shape)


class WeightedCategoricalColumn(CategoricalColumn, collections.namedtuple(
        "WeightedCategoricalColumn", "categorical_column weight_feature_key dtype")):
    name = property(lambda self: "{}_weighted_by_{}".format(self.categorical_column.name, self.weight_feature_key))
    num_buckets = property(lambda self: self.categorical_column.num_buckets)

    @property
    def parse_example_spec(self):
        config = self.categorical_column.parse_example_spec
        if self.weight_feature_key in config:
            raise ValueError("Parse config {} already exists for {}.".format(config[self.weight_feature_key],
                                                                            self.weight_feature_key))
        return dict(config, **{self.weight_feature_key: VarLenFeature(self.dtype)})

    def transform(self, cache):
        weights = sparse.convert_to_tensor_or_sparse_tensor(cache.get(self.weight_feature_key))
        if self.dtype != weights.dtype.base_dtype:
            raise ValueError("Bad dtype, expected {}, but got {}.".format(self.dtype, weights.dtype))
        if not isinstance(weights, SparseTensor):
            weights = as_sparse(weights, ignore_value=0.0)
        if not weights.dtype.is_floating:
            weights = sparse_cast(weights, dtypes.float32)
        return cache.get(self.categorical_column), weights

    def sparse_tensors(self, cache):
        return IdWeightPair(*cache.get(self))


class CrossedColumn(CategoricalColumn, collections.namedtuple("CrossedColumn", "keys hash_bucket_size hash_key")):
    num_buckets = property(lambda self: self.hash_bucket_size)

    def _leaves(self):
        for key in self.keys:
            if isinstance(key, CrossedColumn):
                yield from key._leaves()
            else:
                yield key

    name = property(lambda self: "_X_".join(sorted(getattr(key, "name", key) for key in self._leaves())))

    @property
    def parse_example_spec(self):
        config = {}
        for key in self.keys:
            config.update(key.parse_example_spec if isinstance(key, FeatureColumn) else
                          {key: VarLenFeature(dtypes.string)})
        return config

    def transform(self, cache):
        tensors = []
        for key in self._leaves():
            if isinstance(key, str):
                tensors.append(cache.get(key))
                continue
            found = key.sparse_tensors(cache)
            if found.weight_tensor is not None:
                raise ValueError("crossed_column does not support weight_tensor, but the given column populates "
                                 "weight_tensor. Given column: {}".format(key.name))
            tensors.append(found.id_tensor)
        return sparse_cross_hashed(tensors, self.hash_bucket_size, self.hash_key)


def sparse_cast(given, dtype):
    return SparseTensor(given.indices, math_ops.cast(given.values, dtype), given.dense_shape)


# -- categories as numbers

def _is_sequence(column):
    from .sequence_columns import SequenceCategoricalColumn
    return isinstance(column, SequenceCategoricalColumn)


def _check_sequence(kind, column, wanted):
    """Whether a column of categories is one of sequences where the layer is, and none where it is not."""
    inner = column.categorical_column
    if _is_sequence(inner) == wanted:
        return
    if wanted:
        raise ValueError("In {}: {}. categorical_column must be of type SequenceCategoricalColumn to use SequenceFeatures. "
                         "Suggested fix: Use one of sequence_categorical_column_with_*. Given (type {}): {}".format(
                             kind, column.name, type(inner), inner))
    raise ValueError("In {}: {}. categorical_column must not be of type SequenceCategoricalColumn. Suggested fix A: If you "
                     "wish to use DenseFeatures, use a non-sequence categorical_column_with_*. Suggested fix B: If you wish "
                     "to create sequence input, use SequenceFeatures instead of DenseFeatures. Given (type {}): {}".format(
                         kind, column.name, type(inner), inner))


class EmbeddingColumn(DenseColumn, SequenceDenseColumn, collections.namedtuple(
        "EmbeddingColumn", "categorical_column dimension combiner initializer ckpt_to_load_from tensor_name_in_ckpt "
        "max_norm trainable")):
    name = property(lambda self: "{}_embedding".format(self.categorical_column.name))
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    variable_shape = property(lambda self: tensor_shape.TensorShape([self.dimension]))

    def transform(self, cache):
        return cache.get(self.categorical_column)

    def create_state(self, state):
        state.create(self, "embedding_weights", (self.categorical_column.num_buckets, self.dimension), self.initializer,
                     self.trainable)

    def dense_tensor(self, cache, state):
        _check_sequence("embedding_column", self, False)
        found = self.categorical_column.sparse_tensors(cache)
        return self._looked_up(found, state.get(self, "embedding_weights"))

    def sequence_tensor(self, cache, state):
        _check_sequence("embedding_column", self, True)
        found = self.categorical_column.sparse_tensors(cache)
        return self._looked_up(found, state.get(self, "embedding_weights")), sequence_length(found.id_tensor)

    def _looked_up(self, found, weights):
        if self.ckpt_to_load_from is not None:
            target = list(weights) if isinstance(weights, partitioned_variables.PartitionedVariable) else weights
            warm_start.init_from_checkpoint(self.ckpt_to_load_from, {self.tensor_name_in_ckpt: target})
        return nn_embedding.safe_embedding_lookup_sparse(
            weights, found.id_tensor, sparse_weights=found.weight_tensor, combiner=self.combiner,
            name="%s_weights" % self.name, max_norm=self.max_norm)


class SharedEmbeddingColumn(DenseColumn, collections.namedtuple(
        "_SharedEmbeddingColumn", "categorical_column dimension combiner initializer shared_embedding_collection_name "
        "ckpt_to_load_from tensor_name_in_ckpt max_norm trainable")):
    """An embedding that several columns have in common, kept in a collection of its name."""

    is_v2 = False
    name = property(lambda self: "{}_shared_embedding".format(self.categorical_column.name))
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    variable_shape = property(lambda self: tensor_shape.TensorShape([self.dimension]))
    _var_scope_name = property(lambda self: self.shared_embedding_collection_name)

    def transform(self, cache):
        return cache.get(self.categorical_column)

    def dense_tensor(self, cache, state):
        with name_scope(None, default_name=self.name):
            found = self.categorical_column.sparse_tensors(cache)
            shape, key = (self.categorical_column.num_buckets, self.dimension), self.shared_embedding_collection_name
            known = graph_lib.get_collection(key)
            if len(known) > 1:
                raise ValueError("Collection {} can only contain one variable. Suggested fix A: Choose a unique name for this "
                                 "collection. Suggested fix B: Do not add any variables to this collection. The "
                                 "feature_column library already adds a variable under the hood.".format(known))
            weights = known[0] if known else state.get(self, "embedding_weights", shape, self.initializer, self.trainable)
            if not known:
                graph_lib.add_to_collection(key, weights)
            return EmbeddingColumn._looked_up(self, found, weights)


class IndicatorColumn(DenseColumn, SequenceDenseColumn, collections.namedtuple("IndicatorColumn", "categorical_column")):
    name = property(lambda self: "{}_indicator".format(self.categorical_column.name))
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    variable_shape = property(lambda self: tensor_shape.TensorShape([1, self.categorical_column.num_buckets]))

    def transform(self, cache):
        ids, weights = self.categorical_column.sparse_tensors(cache)
        buckets = self.categorical_column.num_buckets
        if weights is not None:
            merged = sparse.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=int(buckets))
            merged = sparse.sparse_slice(merged, [0, 0], merged.dense_shape)
            return array_ops.scatter_nd(merged.indices, merged.values, merged.dense_shape)
        dense = sparse.sparse_tensor_to_dense(ids, default_value=-1)
        return math_ops.reduce_sum(array_ops.one_hot(dense, depth=buckets, on_value=1.0, off_value=0.0), axis=[-2])

    def dense_tensor(self, cache, state):
        _check_sequence("indicator_column", self, False)
        return cache.get(self)

    def sequence_tensor(self, cache, state):
        _check_sequence("indicator_column", self, True)
        dense = cache.get(self)
        return dense, sequence_length(self.categorical_column.sparse_tensors(cache).id_tensor)


# -- making columns

def _check_key(key):
    if not isinstance(key, str):
        raise ValueError("key must be a string. Got: type {}. Given key: {}.".format(type(key), key))


def check_shape(shape, key):
    shape = tuple(shape) if nest.is_sequence(shape) else (shape,)
    for d in shape:
        if not isinstance(d, int):
            raise TypeError("shape dimensions must be integer. shape: {}, key: {}".format(shape, key))
        if d < 1:
            raise ValueError("shape dimensions must be greater than 0. shape: {}, key: {}".format(shape, key))
    return shape


def _default(shape, value, dtype, key):
    """One value for all elements, or one for each."""
    if value is None:
        return None
    if isinstance(value, int) or isinstance(value, float) and dtype.is_floating:
        return _tuples(np.full(shape, value, dtype=object).tolist())
    if callable(getattr(value, "tolist", None)):
        value = value.tolist()
    if nest.is_sequence(value):
        if np.shape(value) != shape:
            raise ValueError("The shape of default_value must be equal to given shape. default_value: {}, shape: {}, key: "
                             "{}".format(value, shape, key))
        flat = nest.flatten(value)
        if all(isinstance(v, int) for v in flat) or any(isinstance(v, float) for v in flat) and dtype.is_floating:
            return _tuples(value)
    raise TypeError("default_value must be compatible with dtype. default_value: {}, dtype: {}, key: {}".format(
        value, dtype, key))


def _tuples(value):
    return tuple(_tuples(v) for v in value) if isinstance(value, (list, tuple)) else value


def check_numeric(key, dtype, normalizer_fn):
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype must be convertible to float. dtype: {}, key: {}".format(dtype, key))
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError("normalizer_fn must be a callable. Given: {}".format(normalizer_fn))


def numeric_column(key, shape=(1,), default_value=None, dtype=dtypes.float32, normalizer_fn=None):
    shape = check_shape(shape, key)
    check_numeric(key, dtype, normalizer_fn)
    default_value = _default(shape, default_value, dtype, key)
    _check_key(key)
    return NumericColumn(key, shape, default_value, dtype, normalizer_fn)


def bucketized_column(source_column, boundaries):
    if not isinstance(source_column, NumericColumn):
        raise ValueError("source_column must be a column generated with numeric_column(). Given: {}".format(source_column))
    if len(source_column.shape) > 1:
        raise ValueError("source_column must be one-dimensional column. Given: {}".format(source_column))
    if not boundaries:
        raise ValueError("boundaries must not be empty.")
    if not isinstance(boundaries, (list, tuple)) or any(a >= b for a, b in zip(boundaries, boundaries[1:])):
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))


def categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=dtypes.string):
    if hash_bucket_size is None:
        raise ValueError("hash_bucket_size must be set. key: {}".format(key))
    if hash_bucket_size < 1:
        raise ValueError("hash_bucket_size must be at least 1. hash_bucket_size: {}, key: {}".format(hash_bucket_size, key))
    _check_key(key)
    check_string_or_int(dtype, prefix="column_name: {}".format(key))
    return HashedCategoricalColumn(key, hash_bucket_size, dtype)


def _check_oov(key, num_oov_buckets, is_default):
    if num_oov_buckets:
        if not is_default:
            raise ValueError("Can't specify both num_oov_buckets and default_value in {}.".format(key))
        if num_oov_buckets < 0:
            raise ValueError("Invalid num_oov_buckets {} in {}.".format(num_oov_buckets, key))


def categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None, num_oov_buckets=0,
                                            default_value=None, dtype=dtypes.string):
    if not vocabulary_file:
        raise ValueError("Missing vocabulary_file in {}.".format(key))
    if vocabulary_size is None:
        if not file_system.exists(vocabulary_file):
            raise ValueError("vocabulary_file in {} does not exist.".format(key))
        with file_system.GFile(vocabulary_file) as file:
            vocabulary_size = sum(1 for _ in file)
        logging.info("vocabulary_size = %d in %s is inferred from the number of elements in the vocabulary_file %s.",
                     vocabulary_size, key, vocabulary_file)
    if vocabulary_size < 1:
        raise ValueError("Invalid vocabulary_size in {}.".format(key))
    _check_oov(key, num_oov_buckets, default_value is None)
    check_string_or_int(dtype, prefix="column_name: {}".format(key))
    _check_key(key)
    return VocabularyFileCategoricalColumn(key, vocabulary_file, vocabulary_size, num_oov_buckets or 0, dtype,
                                           -1 if default_value is None else default_value)


def categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0):
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError("vocabulary_list {} must be non-empty, column_name: {}".format(vocabulary_list, key))
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError("Duplicate keys in vocabulary_list {}, column_name: {}".format(vocabulary_list, key))
    found = dtypes.as_dtype(np.array(vocabulary_list).dtype)
    _check_oov(key, num_oov_buckets, default_value == -1)
    check_string_or_int(found, prefix="column_name: {} vocabulary".format(key))
    if dtype is None:
        dtype = found
    elif dtype.is_integer != found.is_integer:
        raise ValueError("dtype {} and vocabulary dtype {} do not match, column_name: {}".format(dtype, found, key))
    check_string_or_int(dtype, prefix="column_name: {}".format(key))
    _check_key(key)
    return VocabularyListCategoricalColumn(key, tuple(vocabulary_list), dtype, default_value, num_oov_buckets)


def categorical_column_with_identity(key, num_buckets, default_value=None):
    if num_buckets < 1:
        raise ValueError("num_buckets {} < 1, column_name {}".format(num_buckets, key))
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError("default_value {} not in range [0, {}), column_name {}".format(default_value, num_buckets, key))
    _check_key(key)
    return IdentityCategoricalColumn(key, num_buckets, default_value)


def weighted_categorical_column(categorical_column, weight_feature_key, dtype=dtypes.float32):
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype {} is not convertible to float.".format(dtype))
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype)


def crossed_column(keys, hash_bucket_size, hash_key=None):
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError("hash_bucket_size must be > 1. hash_bucket_size: {}".format(hash_bucket_size))
    if not keys or len(keys) < 2:
        raise ValueError("keys must be a list with length > 1. Given: {}".format(keys))
    for key in keys:
        if not isinstance(key, (str, CategoricalColumn)):
            raise ValueError("Unsupported key type. All keys must be either string, or categorical column except "
                             "HashedCategoricalColumn. Given: {}".format(key))
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError("categorical_column_with_hash_bucket is not supported for crossing. Hashing before crossing "
                             "will increase probability of collision. Instead, use the feature name as a string. Given: "
                             "{}".format(key))
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)


def indicator_column(categorical_column):
    return IndicatorColumn(categorical_column)


def _embedding_initializer(dimension, ckpt_to_load_from, tensor_name_in_ckpt, initializer, suffix=""):
    if dimension is None or dimension < 1:
        raise ValueError("Invalid dimension {}.".format(dimension))
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
    if initializer is not None and not callable(initializer):
        raise ValueError("initializer must be callable if specified." + suffix)
    return initializer or initializers.TruncatedNormal(mean=0.0, stddev=1 / math.sqrt(dimension))


def embedding_column(categorical_column, dimension, combiner="mean", initializer=None, ckpt_to_load_from=None,
                     tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    initializer = _embedding_initializer(dimension, ckpt_to_load_from, tensor_name_in_ckpt, initializer,
                                         " Embedding of column_name: {}".format(categorical_column.name))
    return EmbeddingColumn(categorical_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
                           max_norm, trainable)


def shared_embedding_columns(categorical_columns, dimension, combiner="mean", initializer=None,
                             shared_embedding_collection_name=None, ckpt_to_load_from=None, tensor_name_in_ckpt=None,
                             max_norm=None, trainable=True):
    initializer = _embedding_initializer(dimension, ckpt_to_load_from, tensor_name_in_ckpt, initializer)
    ordered = sorted(categorical_columns, key=lambda c: c.name)
    plain = [c.categorical_column if isinstance(c, WeightedCategoricalColumn) else c for c in ordered]
    for c in plain[1:]:
        if not isinstance(c, type(plain[0])):
            raise ValueError("To use shared_embedding_column, all categorical_columns must have the same type, or be "
                             "weighted_categorical_column of the same type. Given column: {} of type: {} does not match given "
                             "column: {} of type: {}".format(plain[0], type(plain[0]), c, type(c)))
        if c.num_buckets != plain[0].num_buckets:
            raise ValueError("To use shared_embedding_column, all categorical_columns must have the same number of buckets. "
                             "Given column: {} with buckets: {} does  not match column: {} with buckets: {}".format(
                                 plain[0], plain[0].num_buckets, c, c.num_buckets))
    name = shared_embedding_collection_name or "_".join(c.name for c in ordered) + "_shared_embedding"
    return [SharedEmbeddingColumn(c, dimension, combiner, initializer, name, ckpt_to_load_from, tensor_name_in_ckpt,
                                  max_norm, trainable) for c in categorical_columns]


def normalize_columns(feature_columns, mark=""):
    """A list of columns in the order of their names, each once; the old functions speak of them with a mark."""
    if isinstance(feature_columns, FeatureColumn):
        feature_columns = [feature_columns]
    if isinstance(feature_columns, collections.abc.Iterator):
        feature_columns = list(feature_columns)
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    for column in feature_columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError("Items of feature_columns must be a {}FeatureColumn. Given (type {}): {}.".format(
                mark, type(column), column))
    if not feature_columns:
        raise ValueError("feature_columns must not be empty.")
    known = {}
    for column in feature_columns:
        if column.name in known:
            raise ValueError("Duplicate feature column name found for columns: {} and {}. This usually means that these "
                             "columns refer to same base feature. Either one must be discarded or a duplicated but renamed "
                             "item must be inserted in features dict.".format(column, known[column.name]))
        known[column.name] = column
    return sorted(feature_columns, key=lambda c: c.name)


def make_parse_example_spec(feature_columns):
    result = {}
    for column in feature_columns:
        if not isinstance(column, FeatureColumn) or not column.is_v1:
            raise ValueError("All feature_columns must be _FeatureColumn instances. Given: {}".format(column))
        config = column.parse_example_spec
        for key, value in config.items():
            if key in result and value != result[key]:
                raise ValueError("feature_columns contain different parse_spec for key {}. Given {} and {}".format(
                    key, value, result[key]))
        result.update(config)
    return result


def check_same_batch(tensors, columns):
    expected, first = None, 0
    for i, t in enumerate(tensors):
        size = t.shape[0].value
        if size is None:
            continue
        if expected is None:
            expected, first = size, i
        elif expected != size:
            raise ValueError("Batch size (first dimension) of each feature must be same. Batch size of columns ({}, {}): ({}, "
                             "{})".format(columns[first].name, columns[i].name, expected, size))


def weighted_sum(column, cache, state, combiner, weights):
    """What a linear model makes of a column."""
    if not isinstance(column, CategoricalColumn):
        tensor = column.dense_tensor(cache, state)
        n = column.variable_shape.num_elements()
        batch = array_ops.shape(tensor)[0]
        return math_ops.matmul(array_ops.reshape(tensor, shape=(batch, n)), weights, name="weighted_sum")
    found = column.sparse_tensors(cache)

    def flat(x):
        return sparse.sparse_reshape(x, [array_ops.shape(x)[0], -1])
    ids = flat(found.id_tensor)
    sparse_weights = None if found.weight_tensor is None else flat(found.weight_tensor)
    return nn_embedding.safe_embedding_lookup_sparse(weights, ids, sparse_weights=sparse_weights, combiner=combiner,
                                                     name="weighted_sum")
