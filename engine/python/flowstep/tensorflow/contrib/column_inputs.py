# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: what models read of columns as they were before tf.feature_column."""

from .. import dtypes, nn
from ..framework.graph import GraphKeys
from ..operators import array_ops, math_ops, parsing, sparse
from ..operators.sparse import SparseTensor
from ..state import initializers, scope as scope_lib
from . import columns as columns_lib
from .columns import as_list_of_parts, safe_embedding_lookup_sparse
from .layers import _inner_flatten
from .model_variables import model_variable
from .real_valued import _RealValuedColumn


class _Transformed:
    """Features, and what columns made of them."""

    def __init__(self, features):
        self.made = dict(features)

    def get(self, key):
        if key not in self.made:
            if isinstance(key, str):
                raise ValueError("features dictionary doesn't contain key ({})".format(key))
            self.made[key] = key.transform(self)
        return self.made[key]


def check_feature_columns(feature_columns):
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    known = set()
    for column in feature_columns:
        if column.key in known:
            raise ValueError("Duplicate feature column key found for column: {}. This usually means that the column is almost "
                             "identical to another column, and one must be discarded.".format(column.name))
        known.add(column.key)


def _in_order(feature_columns):
    return sorted(set(feature_columns), key=lambda column: column.key)


def _with_global(collections):
    return sorted(set(collections) | {GraphKeys.GLOBAL_VARIABLES}) if collections else collections


def _as_matrix(tensor, name):
    rank = tensor.shape.ndims
    if rank is None:
        raise ValueError("Error while processing column {}. Rank of input Tensor can not be None.".format(name))
    if rank == 2:
        return tensor
    if rank > 2:
        return _inner_flatten(tensor, 2)
    if rank == 0:
        raise ValueError("Error while processing column {}. Rank of input Tensor ({}) should be the same as output_rank ({}). For "
                         "example, sequence data should typically be 3 dimensional (rank 3) while non-sequence data is typically "
                         "2 dimensional (rank 2).".format(name, rank, 2))
    return array_ops.expand_dims(tensor, -1)


def _numbers(tensor, rank):
    """What a network reads of a real valued column."""
    if tensor.shape.ndims == rank - 1:
        return array_ops.expand_dims(tensor, -1, name="expand_dims")
    return tensor if tensor.shape.ndims == rank else _inner_flatten(tensor, rank)


def input_layer(columns_to_tensors, feature_columns, weight_collections, trainable, scope, default_name, cols_to_outs=None,
                rank=2, fit=lambda tensor, column: tensor):
    """The columns side by side; fit(tensor, column) is what is read of a column's tensor."""
    check_feature_columns(feature_columns)
    if cols_to_outs is not None and not isinstance(cols_to_outs, dict):
        raise ValueError("cols_to_outs must be a dict unless None")
    given = list(columns_to_tensors.values())
    with scope_lib.variable_scope(scope, default_name=default_name, values=given):
        cache, outputs, collections = _Transformed(columns_to_tensors), [], _with_global(weight_collections)
        for column in _in_order(feature_columns):
            with scope_lib.variable_scope(None, default_name=column.name, values=given):
                tensor = fit(cache.get(column), column)
                if isinstance(column, _RealValuedColumn):
                    outputs.append(_numbers(tensor, rank))
                else:
                    outputs.append(_deep(column, tensor, collections, trainable, rank))
                if cols_to_outs is not None:
                    cols_to_outs[column] = outputs[-1]
        return array_ops.concat(outputs, rank - 1)


def input_from_feature_columns(columns_to_tensors, feature_columns, weight_collections=None, trainable=True, scope=None,
                               cols_to_outs=None):
    return input_layer(columns_to_tensors, feature_columns, weight_collections, trainable, scope,
                       "input_from_feature_columns", cols_to_outs)


def _deep(column, tensor, collections, trainable, rank):
    more = {} if rank == 2 else {"rank": rank}
    if isinstance(column, columns_lib._EmbeddingColumn):
        return column.deep(tensor, collections, trainable, **more)
    try:
        return column.deep(tensor, collections, trainable, **more)
    except ValueError as error:
        raise ValueError("Error creating input layer for column: {}.\n{}, No deep embedding lookup arguments for column {}.".format(
            column.name, error, column)) from None


def _looked_up(column, wide, n_outputs, given, collections, trainable):
    with scope_lib.variable_scope(None, default_name=column.name, values=given):
        table = as_list_of_parts(model_variable(
            "weights", shape=[wide.vocab_size, n_outputs], dtype=dtypes.float32, initializer=initializers.Zeros(),
            trainable=trainable, collections=collections))
        return table, safe_embedding_lookup_sparse(table, wide.ids, sparse_weights=wide.weights,
                                                   combiner=wide.combiner or "mean", name=column.name + "_weights")


def _multiplied(column, tensor, n_outputs, given, collections, trainable):
    with scope_lib.variable_scope(None, default_name=column.name, values=given):
        tensor = _as_matrix(tensor, column.name)
        weight = model_variable("weight", shape=[tensor.shape[1], n_outputs], initializer=initializers.Zeros(),
                                trainable=trainable, collections=collections)
        return [weight], math_ops.matmul(tensor, weight, name="matmul")


def _with_bias(sums, n_outputs, collections, trainable):
    bias = model_variable("bias_weight", shape=[n_outputs], initializer=initializers.Zeros(), trainable=trainable,
                          collections=_with_global(collections))
    return nn.bias_add(sums, bias), bias


def weighted_sum_from_feature_columns(columns_to_tensors, feature_columns, num_outputs, weight_collections=None, trainable=True,
                                      scope=None):
    """(a linear model of the columns, each column's variables, the bias)."""
    check_feature_columns(feature_columns)
    given = list(columns_to_tensors.values())
    with scope_lib.variable_scope(scope, default_name="weighted_sum_from_feature_columns", values=given):
        cache, outputs, variables = _Transformed(columns_to_tensors), [], {}
        for column in _in_order(feature_columns):
            tensor = cache.get(column)
            settings = (num_outputs, given, weight_collections, trainable)
            try:
                if isinstance(column, _RealValuedColumn):
                    variables[column], found = _multiplied(column, tensor, *settings)
                else:
                    variables[column], found = _looked_up(column, column.wide(tensor), *settings)
            except ValueError as error:
                raise ValueError("Error creating weighted sum for column: {}.\n{}".format(column.name, error)) from None
            outputs.append(array_ops.reshape(found, (-1, num_outputs)))
            if not isinstance(column, _RealValuedColumn):
                columns_lib.restore(column.checkpoint_path(), variables[column])
        predictions, bias = _with_bias(math_ops.add_n(outputs), num_outputs, weight_collections, trainable)
        return predictions, variables, bias


def _joint_lookup(wides, num_outputs, given, collections, trainable):
    """All ids looked up in one table, one column's after the other's."""
    before, several = 0, []
    for wide in wides:
        several.append(SparseTensor(wide.ids.indices, wide.ids.values + before, wide.ids.dense_shape))
        before += wide.vocab_size
    ids = sparse.sparse_concat(1, several)
    with scope_lib.variable_scope(None, default_name="linear_weights", values=given):
        table = as_list_of_parts(model_variable("weights", shape=[before, num_outputs], dtype=dtypes.float32,
                                                initializer=initializers.Zeros(), trainable=trainable, collections=collections))
        return table, safe_embedding_lookup_sparse(table, ids, combiner="sum", name="_weights")


def joint_weighted_sum_from_feature_columns(columns_to_tensors, feature_columns, num_outputs, weight_collections=None,
                                            trainable=True, scope=None):
    """As weighted_sum_from_feature_columns, with one variable for all columns."""
    check_feature_columns(feature_columns)
    given = list(columns_to_tensors.values())
    with scope_lib.variable_scope(scope, default_name="joint_weighted_sum_from_feature_columns", values=given):
        cache, wides = _Transformed(columns_to_tensors), []
        for column in _in_order(feature_columns):
            tensor = cache.get(column)
            if not hasattr(column, "wide") or isinstance(column, columns_lib._OneHotColumn):
                raise NotImplementedError("Real-valued columns are not supported. Use weighted_sum_from_feature_columns instead, "
                                          "or bucketize these columns.")
            wides.append(column.wide(tensor))
        table, sums = _joint_lookup(wides, num_outputs, given, weight_collections, trainable)
        predictions, bias = _with_bias(sums, num_outputs, weight_collections, trainable)
        return predictions, table, bias


def parse_feature_columns_from_examples(serialized, feature_columns, name=None, example_names=None):
    """Features of examples, and what the columns make of them."""
    check_feature_columns(feature_columns)
    parsed = parsing.parse_example(serialized, columns_lib.create_feature_spec_for_parsing(feature_columns), name=name,
                                   example_names=example_names)
    cache = _Transformed(parsed)
    for column in _in_order(feature_columns):
        cache.get(column)
    return cache.made


def transform_features(features, feature_columns):
    """What the columns make of features."""
    check_feature_columns(feature_columns)
    cache = _Transformed(features)
    return {column: cache.get(column) for column in _in_order(feature_columns)}
