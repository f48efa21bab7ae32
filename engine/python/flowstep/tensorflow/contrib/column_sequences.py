# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: columns of sequences, and placeholders for what columns read."""

from .. import nest
from ..framework import tf_logging as logging
from ..operators import array_ops, parsing, sparse
from ..operators.parsing import FixedLenFeature, FixedLenSequenceFeature, VarLenFeature
from ..operators.sparse import SparseTensor
from .column_inputs import check_feature_columns, input_layer
from .columns import _BucketizedColumn, _CrossedColumn, _EmbeddingColumn, _OneHotColumn, _WeightedSparseColumn
from .columns import create_feature_spec_for_parsing
from .layers import _inner_flatten
from .real_valued import _RealValuedColumn
from .scattered import _ScatteredEmbeddingColumn


def _of_rank_three(tensor, column):
    rank = tensor.shape.ndims
    if rank is None and isinstance(tensor, SparseTensor):
        rank = tensor.dense_shape.shape.as_list()[0]
    if rank is None:
        raise ValueError("Error while processing column {}. Rank of input Tensor can not be None.".format(column.name))
    if rank < 2:
        raise ValueError("Error while processing column {}. Rank of input Tensor ({}) should be the same as output_rank ({}). "
                         "For example, sequence data should typically be 3 dimensional (rank 3) while non-sequence data is "
                         "typically 2 dimensional (rank 2).".format(column.name, rank, 3))
    if rank > 3:
        return _inner_flatten(tensor, 3)
    if rank == 3:
        return tensor
    if isinstance(tensor, SparseTensor):
        return sparse.sparse_reshape(tensor, array_ops.concat([tensor.dense_shape, [1]], 0))
    return array_ops.expand_dims(tensor, -1)


def _parents(column):
    if isinstance(column, (_WeightedSparseColumn, _OneHotColumn, _EmbeddingColumn)):
        return [column.sparse_id_column]
    if isinstance(column, _BucketizedColumn):
        return [column.source_column]
    return list(column.columns) if isinstance(column, _CrossedColumn) else []


def _check_kinds(feature_columns):
    """What columns, and what those that they are made of, cannot be of sequences."""
    for column in feature_columns:
        if not isinstance(column, (_OneHotColumn, _EmbeddingColumn, _RealValuedColumn)):
            raise ValueError("FeatureColumn type {} is not currently supported for sequence data.".format(type(column).__name__))
    queue = list(feature_columns)
    while queue:
        column = queue.pop(0)
        if isinstance(column, (_ScatteredEmbeddingColumn, _BucketizedColumn, _CrossedColumn)):
            raise ValueError("Column {} is of type {}, which is not currently supported for sequences.".format(
                column.name, type(column).__name__))
        queue += _parents(column)


def sequence_input_from_feature_columns(columns_to_tensors, feature_columns, weight_collections=None, trainable=True,
                                        scope=None):
    _check_kinds(feature_columns)

    def fit(tensor, column):
        return nest.map_structure(lambda each: _of_rank_three(each, column), tensor)
    return input_layer(columns_to_tensors, feature_columns, weight_collections, trainable, scope,
                       "sequence_input_from_feature_columns", rank=3, fit=fit)


def _of_sequence(key, feature):
    if isinstance(feature, VarLenFeature):
        return feature
    if not isinstance(feature, (FixedLenFeature, FixedLenSequenceFeature)):
        raise TypeError("Unsupported feature type: {}".format(type(feature).__name__))
    has_default = feature.default_value is not None
    if has_default:
        logging.warning('Found default value {} for feature "{}". Ignoring this value and setting `allow_missing=True` '
                        "instead.".format(feature.default_value, key))
    return FixedLenSequenceFeature(shape=feature.shape, dtype=feature.dtype, allow_missing=has_default)


def parse_feature_columns_from_sequence_examples(serialized, context_feature_columns, sequence_feature_columns, name=None,
                                                 example_name=None):
    try:
        serialized = array_ops.reshape(serialized, [])
    except ValueError as error:
        raise ValueError("serialized must contain as single sequence example. Batching must be done after parsing for sequence "
                         "examples. Error: {}".format(error)) from None
    specs = []
    for columns in (context_feature_columns or [], sequence_feature_columns or []):
        check_feature_columns(columns)
        specs.append(create_feature_spec_for_parsing(columns))
    specs[1] = {key: _of_sequence(key, feature) for key, feature in specs[1].items()}
    return parsing.parse_single_sequence_example(serialized, specs[0], specs[1], example_name, name)


def make_place_holder_tensors_for_base_features(feature_columns):
    found = {}
    for key, feature in create_feature_spec_for_parsing(feature_columns).items():
        name = "Placeholder_{}".format(key)
        if isinstance(feature, VarLenFeature):
            found[key] = sparse.sparse_placeholder(feature.dtype, name=name)
        else:
            found[key] = array_ops.placeholder(feature.dtype, shape=(None, feature.shape[0]), name=name)
    return found
