# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Metrics over the k best classes, labels as sets (tf.metrics.recall_at_k, average_precision_at_k)."""

from .. import dtypes, nn, sets
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..framework.ops import apply_op
from ..operators import array_ops, math_ops, sparse, state_ops
from ..operators import weights as weights_lib
from ..operators.sparse import SparseTensor, convert_to_tensor_or_sparse_tensor, is_sparse
from .metrics_common import collect, metric_variable


def _name(what, k=None, class_id=None):
    name = what + ("_at_%d" % k if k is not None else "_at_k")
    return name if class_id is None else "%s_class%d" % (name, class_id)


# -- labels that fit the predictions

def _expand_labels(labels, predictions):
    with name_scope(None, "expand_labels", (labels, predictions)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            lacks_one = math_ops.equal(array_ops.rank(predictions), array_ops.size(labels.dense_shape) + 1)
            return control_flow.cond(
                lacks_one, lambda: sparse.sparse_reshape(labels, array_ops.concat((labels.dense_shape, (1,)), 0),
                                                             name=scope), lambda: labels)
        ranks = labels.shape.ndims, predictions.shape.ndims
        if None not in ranks:
            if ranks[1] == ranks[0]:
                return labels
            if ranks[1] == ranks[0] + 1:
                return array_ops.expand_dims(labels, -1, name=scope)
            raise ValueError("Unexpected labels shape %s for predictions shape %s." % (labels.shape, predictions.shape))
        return control_flow.cond(math_ops.equal(array_ops.rank(predictions), array_ops.rank(labels) + 1),
                                 lambda: array_ops.expand_dims(labels, -1, name=scope), lambda: labels)


def _reduced_shape(dims, axes):
    """The shape with 1 where an axis is reduced."""
    dims = math_ops.cast(dims, dtypes.int32)
    axes = math_ops.cast(axes, dtypes.int32)
    rank = array_ops.size(dims)
    axes = (axes + rank) % rank
    count = array_ops.shape(axes)
    return apply_op("DynamicStitch", indices=[math_ops.range(rank), axes], data=[dims, array_ops.fill(count, 1)])


def _select_class(ids, class_id):
    ids = convert_to_tensor_or_sparse_tensor(ids)
    if isinstance(ids, SparseTensor):
        return sparse.sparse_retain(ids, math_ops.equal(ids.values, class_id))
    dims = array_ops.shape(ids, out_type=dtypes.int64)
    last = array_ops.size(dims) - 1
    wanted_shape = _reduced_shape(dims, array_ops.reshape(last, [1]))
    wanted = array_ops.fill(wanted_shape, math_ops.cast(class_id, dtypes.int64))
    found = sets.set_intersection(wanted, ids)
    return SparseTensor(found.indices, found.values, dims)


def _select(labels, predictions_idx, class_id):
    if class_id is None:
        return labels, predictions_idx
    return _select_class(labels, class_id), _select_class(predictions_idx, class_id)


# -- counts

def _set_true_positives(predictions_idx, labels):
    return sets.set_intersection(predictions_idx, labels)


def _set_false_negatives(predictions_idx, labels):
    return sets.set_difference(predictions_idx, labels, aminusb=False)


def _set_false_positives(predictions_idx, labels):
    return sets.set_difference(predictions_idx, labels, aminusb=True)


def _batch_count(scope, operation, labels, predictions_idx, class_id=None, weights=None, name=None):
    with name_scope(name, scope, (predictions_idx, labels, weights)):
        labels, predictions_idx = _select(labels, predictions_idx, class_id)
        count = math_ops.cast(sets.set_size(operation(predictions_idx, labels)), dtypes.float64)
        if weights is not None:
            with graph_lib.control_dependencies((weights_lib.assert_broadcastable(weights, count),)):
                weights = math_ops.cast(weights, dtypes.float64)
                count = math_ops.multiply(count, weights)
        return count


def _streaming_count(what, operation, labels, predictions_idx, k, class_id, weights):
    with name_scope(None, _name(what, k, class_id), (predictions_idx, labels, weights)) as scope:
        count = _batch_count(what + "s", operation, labels, predictions_idx, class_id, weights)
        total = math_ops.cast(math_ops.reduce_sum(count), dtypes.float64)
        variable = metric_variable([], dtypes.float64, name=scope)
        return variable, state_ops.assign_add(variable, total, name="update")


def _at_top_k(scope_name, other, operation):
    def function(labels, predictions_idx, k=None, class_id=None, weights=None, metrics_collections=None,
                 updates_collections=None, name=None):
        with name_scope(name, _name(scope_name, k, class_id), (predictions_idx, labels, weights)) as scope:
            labels = _expand_labels(labels, predictions_idx)
            top_k = math_ops.cast(predictions_idx, dtypes.int64)
            right, right_update = _streaming_count("true_positive", _set_true_positives, labels, top_k, k, class_id,
                                                   weights)
            wrong, wrong_update = _streaming_count(other, operation, labels, top_k, k, class_id, weights)
            value = collect(metrics_collections, math_ops.div(right, math_ops.add(right, wrong), name=scope))
            update = math_ops.div(right_update, math_ops.add(right_update, wrong_update), name="update")
            return value, collect(updates_collections, update)
    function.__name__ = scope_name + "_at_top_k"
    return function


recall_at_top_k = _at_top_k("recall", "false_negative", _set_false_negatives)
precision_at_top_k = _at_top_k("precision", "false_positive", _set_false_positives)


def _at_k(scope_name, of_top_k):
    def function(labels, predictions, k, class_id=None, weights=None, metrics_collections=None,
                 updates_collections=None, name=None):
        with name_scope(name, _name(scope_name, k, class_id), (predictions, labels, weights)) as scope:
            _, top_k = nn.top_k(predictions, k)
            return of_top_k(labels=labels, predictions_idx=top_k, k=k, class_id=class_id, weights=weights,
                            metrics_collections=metrics_collections, updates_collections=updates_collections,
                            name=scope)
    function.__name__ = scope_name + "_at_k"
    return function


recall_at_k = _at_k("recall", recall_at_top_k)
precision_at_k = _at_k("precision", precision_at_top_k)
sparse_precision_at_k = precision_at_k


# -- average precision

def _expand_and_tile(tensor, multiple, dim, name):
    if multiple < 1:
        raise ValueError("Invalid multiple %s, must be > 0." % multiple)
    with name_scope(name, "expand_and_tile", (tensor, multiple, dim)) as scope:
        tensor = convert_to_tensor_or_sparse_tensor(tensor)
        if isinstance(tensor, SparseTensor):
            at = array_ops.reshape(array_ops.size(tensor.dense_shape) + dim, [1]) if dim < 0 else [dim]
            dims = array_ops.concat((array_ops.slice(tensor.dense_shape, [0], at), [1],
                                     array_ops.slice(tensor.dense_shape, at, [-1])), 0, name="expanded_shape")
            expanded = sparse.sparse_reshape(tensor, shape=dims, name="expand")
            if multiple == 1:
                return expanded
            return sparse.sparse_concat(dim - 1 if dim < 0 else dim, [expanded] * multiple, name=scope)
        expanded = array_ops.expand_dims(tensor, dim if dim >= 0 else dim - 1, name="expand")
        if multiple == 1:
            return expanded
        ones = array_ops.ones_like(array_ops.shape(tensor))
        multiples = array_ops.concat((ones[:dim], (multiple,), ones[dim:]), 0, name="multiples")
        return array_ops.tile(expanded, multiples, name=scope)


def _num_relevant(labels, k):
    with name_scope(None, "num_relevant", (labels,)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            return math_ops.minimum(sets.set_size(labels), k, name=scope)
        is_label = math_ops.greater_equal(labels, 0)
        ones = array_ops.ones_like(labels)
        count = math_ops.reduce_sum(array_ops.where_v2(is_label, ones, array_ops.zeros_like(labels)), axis=-1)
        return math_ops.minimum(count, k, name=scope)


def _average_precision(labels, predictions_idx):
    with name_scope(None, "average_precision", (predictions_idx, labels)) as scope:
        predictions_idx = math_ops.cast(predictions_idx, dtypes.int64, name="predictions_idx")
        if predictions_idx.shape.ndims == 0:
            raise ValueError("The rank of predictions_idx must be at least 1.")
        k = predictions_idx.shape.as_list()[-1]
        if k is None:
            raise ValueError("The last dimension of predictions_idx must be set.")
        labels = _expand_labels(labels, predictions_idx)
        each = array_ops.expand_dims(predictions_idx, -1, name="predictions_idx_per_k")
        labels_each = _expand_and_tile(labels, multiple=k, dim=-1, name="labels_per_k")
        relevant = _batch_count("true_positives", _set_true_positives, labels_each, each, name="relevant_per_k")
        right = math_ops.cumsum(relevant, axis=-1, name="tp_per_k")
        retrieved = math_ops.cumsum(array_ops.ones_like(relevant), axis=-1, name="retrieved_per_k")
        precision = math_ops.div(math_ops.cast(right, dtypes.float64), math_ops.cast(retrieved, dtypes.float64),
                                 name="precision_per_k")
        precision = math_ops.multiply(precision, math_ops.cast(relevant, dtypes.float64),
                                      name="relevant_precision_per_k")
        total = math_ops.reduce_sum(precision, axis=(-1,), name="precision_sum")
        count = math_ops.cast(_num_relevant(labels, k), dtypes.float64)
        return math_ops.div(total, count, name=scope)


def _ratio(numerator, denominator, name):
    numerator.shape.with_rank_at_most(1)
    denominator.shape.with_rank_at_most(1)
    return math_ops.div_no_nan(numerator, denominator, name=name)


def _streaming_average_precision(labels, predictions_idx, weights, metrics_collections, updates_collections, name):
    with name_scope(name, "average_precision_at_top_k", (predictions_idx, labels, weights)) as scope:
        average = _average_precision(labels, predictions_idx)
        if weights is not None:
            weights = weights_lib.broadcast_weights(math_ops.cast(weights, dtypes.float64), average)
            average = math_ops.multiply(average, weights)
        with name_scope(None, "max", (average,)) as max_scope:
            max_var = metric_variable([], dtypes.float64, name=max_scope)
            if weights is None:
                batch_max = math_ops.cast(array_ops.size(average, name="batch_max"), dtypes.float64)
            else:
                batch_max = math_ops.reduce_sum(weights, name="batch_max")
            max_update = state_ops.assign_add(max_var, batch_max, name="update")
        with name_scope(None, "total", (average,)) as total_scope:
            total_var = metric_variable([], dtypes.float64, name=total_scope)
            batch_total = math_ops.reduce_sum(average, name="batch_total")
            total_update = state_ops.assign_add(total_var, batch_total, name="update")
        value = collect(metrics_collections, _ratio(total_var, max_var, "mean"))
        return value, collect(updates_collections, _ratio(total_update, max_update, scope))


def _without_unknown(labels, num_classes):
    """Labels of classes that there are not become -1, which no prediction is."""
    def clean(values):
        too_large = math_ops.greater_equal(values, num_classes)
        return array_ops.where_v2(too_large, -1 * array_ops.ones_like(values), values)

    def clean_labels():
        if is_sparse(labels):
            return type(labels)(indices=labels.indices, values=clean(labels.values), dense_shape=labels.dense_shape)
        return clean(labels)
    largest = math_ops.reduce_max(labels.values if is_sparse(labels) else labels)
    return control_flow.cond(math_ops.greater_equal(largest, num_classes), clean_labels, lambda: labels)


def average_precision_at_k(labels, predictions, k, weights=None, metrics_collections=None, updates_collections=None,
                           name=None):
    if k < 1:
        raise ValueError("Invalid k=%s." % k)
    with name_scope(name, _name("average_precision", k), (predictions, labels, weights)) as scope:
        _, top_k = nn.top_k(predictions, k)
        labels = _without_unknown(labels, math_ops.cast(array_ops.shape(predictions)[-1], dtypes.int64))
        return _streaming_average_precision(labels, top_k, weights, metrics_collections, updates_collections, scope)


sparse_average_precision_at_k = average_precision_at_k
