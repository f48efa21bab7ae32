# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.losses: weighted losses that join a collection."""

from . import dtypes, nn
from .control import control_flow
from .framework import graph as graph_lib, ops
from .framework.graph import GraphKeys, name_scope
from .framework.ops import constant, convert_to_tensor
from .operators import array_ops, confusion, math_ops, weights as weights_lib


class Reduction:
    NONE, SUM, MEAN, SUM_OVER_BATCH_SIZE = "none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"

    @classmethod
    def all(cls):
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS,
                cls.SUM_BY_NONZERO_WEIGHTS)

    @classmethod
    def validate(cls, key):
        if key not in cls.all():
            raise ValueError("Invalid Reduction Key %s." % key)


def _num_present(losses, weights, per_batch=False):
    """How many elements have a weight that is not zero."""
    with name_scope(None, "num_present", (losses, weights)) as scope:
        weights = math_ops.cast(weights, dtype=dtypes.float32)
        present = array_ops.where(math_ops.equal(weights, 0.0), array_ops.zeros_like(weights),
                                  array_ops.ones_like(weights))
        present = weights_lib.broadcast_weights(present, losses)
        if per_batch:
            return math_ops.reduce_sum(present, axis=math_ops.range(1, array_ops.rank(present)), keepdims=True,
                                       name=scope)
        return math_ops.reduce_sum(present, name=scope)


def _num_elements(losses):
    with name_scope(None, "num_elements", values=[losses]) as scope:
        return math_ops.cast(array_ops.size(losses, name=scope), dtype=losses.dtype)


def compute_weighted_loss(losses, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                          reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    Reduction.validate(reduction)
    with name_scope(scope, "weighted_loss", (losses, weights)):
        with graph_lib.control_dependencies((weights_lib.assert_broadcastable(weights, losses),)):
            losses = convert_to_tensor(losses)
            input_dtype = losses.dtype
            losses = math_ops.cast(losses, dtype=dtypes.float32)
            weights = math_ops.cast(weights, dtype=dtypes.float32)
            plain = losses
            losses = math_ops.multiply(losses, weights)
            if reduction == Reduction.NONE:
                loss = losses
            else:
                loss = math_ops.reduce_sum(losses)
                if reduction == Reduction.MEAN:
                    loss = _safe_mean(loss, math_ops.reduce_sum(array_ops.ones_like(plain) * weights))
                elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
                    loss = _safe_mean(loss, _num_present(plain, weights))
                elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
                    loss = _safe_mean(loss, _num_elements(plain))
            loss = math_ops.cast(loss, input_dtype)
            add_loss(loss, loss_collection)
            return loss


def _safe_mean(losses, num_present):
    return math_ops.div_no_nan(math_ops.reduce_sum(losses), num_present, name="value")


def _pair(labels, predictions, names=("labels", "predictions")):
    for given, name in zip((labels, predictions), names):
        if given is None:
            raise ValueError("%s must not be None." % name)


def _both(labels, predictions):
    predictions = math_ops.cast(predictions, dtype=dtypes.float32)
    labels = math_ops.cast(labels, dtype=dtypes.float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return labels, predictions


def mean_squared_error(labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                       reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    _pair(labels, predictions)
    with name_scope(scope, "mean_squared_error", (predictions, labels, weights)) as scope:
        labels, predictions = _both(labels, predictions)
        return compute_weighted_loss(math_ops.squared_difference(predictions, labels), weights, scope, loss_collection,
                                     reduction)


def absolute_difference(labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                        reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    _pair(labels, predictions)
    with name_scope(scope, "absolute_difference", (predictions, labels, weights)) as scope:
        labels, predictions = _both(labels, predictions)
        return compute_weighted_loss(math_ops.abs(math_ops.subtract(predictions, labels)), weights, scope,
                                     loss_collection, reduction)


def huber_loss(labels, predictions, weights=1.0, delta=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
               reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    _pair(labels, predictions)
    with name_scope(scope, "huber_loss", (predictions, labels, weights)) as scope:
        labels, predictions = _both(labels, predictions)
        error = math_ops.subtract(predictions, labels)
        abs_error = math_ops.abs(error)
        quadratic = math_ops.minimum(abs_error, delta)
        linear = math_ops.subtract(abs_error, quadratic)
        losses = math_ops.add(
            math_ops.multiply(convert_to_tensor(0.5, dtype=quadratic.dtype), math_ops.multiply(quadratic, quadratic)),
            math_ops.multiply(delta, linear))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def log_loss(labels, predictions, weights=1.0, epsilon=1e-7, scope=None, loss_collection=GraphKeys.LOSSES,
             reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    _pair(labels, predictions)
    with name_scope(scope, "log_loss", (predictions, labels, weights)) as scope:
        labels, predictions = _both(labels, predictions)
        losses = -math_ops.multiply(labels, math_ops.log(predictions + epsilon)) - math_ops.multiply(
            (1 - labels), math_ops.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def hinge_loss(labels, logits, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
               reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    _pair(labels, logits, ("labels", "logits"))
    with name_scope(scope, "hinge_loss", (logits, labels, weights)) as scope:
        logits = math_ops.cast(logits, dtype=dtypes.float32)
        labels = math_ops.cast(labels, dtype=dtypes.float32)
        logits.shape.assert_is_compatible_with(labels.shape)
        all_ones = array_ops.ones_like(labels)
        labels = math_ops.subtract(2 * labels, all_ones)
        losses = nn.relu(math_ops.subtract(all_ones, math_ops.multiply(labels, logits)))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sigmoid_cross_entropy(multi_class_labels, logits, weights=1.0, label_smoothing=0, scope=None,
                          loss_collection=GraphKeys.LOSSES, reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    _pair(multi_class_labels, logits, ("multi_class_labels", "logits"))
    with name_scope(scope, "sigmoid_cross_entropy_loss", (logits, multi_class_labels, weights)) as scope:
        logits = convert_to_tensor(logits)
        labels = math_ops.cast(multi_class_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(onehot_labels, logits, weights=1.0, label_smoothing=0, scope=None,
                          loss_collection=GraphKeys.LOSSES, reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    _pair(onehot_labels, logits, ("onehot_labels", "logits"))
    with name_scope(scope, "softmax_cross_entropy_loss", (logits, onehot_labels, weights)) as scope:
        logits = convert_to_tensor(logits)
        onehot_labels = math_ops.cast(onehot_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(onehot_labels.shape)
        if label_smoothing > 0:
            classes = math_ops.cast(array_ops.shape(onehot_labels)[-1], logits.dtype)
            negative = label_smoothing / classes
            onehot_labels = onehot_labels * (1.0 - label_smoothing) + negative
        onehot_labels = array_ops.stop_gradient(onehot_labels, name="labels_stop_gradient")
        losses = nn.softmax_cross_entropy_with_logits_v2(labels=onehot_labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(labels, logits, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                                 reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    _pair(labels, logits, ("labels", "logits"))
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", (logits, labels, weights)) as scope:
        labels, logits = confusion.remove_squeezable_dimensions(labels, logits, expected_rank_diff=1)
        weights = _squeeze_weights(labels, weights)
        losses = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def _squeeze_weights(labels, weights):
    """Weights without a last dimension that labels lack."""
    if weights is None:
        return weights
    weights = convert_to_tensor(weights)
    ranks = labels.shape.ndims, weights.shape.ndims
    if None not in ranks:
        return array_ops.squeeze(weights, [-1]) if ranks[1] - ranks[0] == 1 else weights
    diff = array_ops.rank(weights) - array_ops.rank(labels)
    if ranks[1] is None or ranks[1] > 0 and weights.shape.dims[-1].is_compatible_with(1):
        return control_flow.cond(math_ops.equal(1, diff), lambda: array_ops.squeeze(weights, [-1]), lambda: weights)
    return weights


def cosine_distance(labels, predictions, axis=None, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                    reduction=Reduction.SUM_BY_NONZERO_WEIGHTS, dim=None):
    axis = ops.either("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    _pair(labels, predictions)
    with name_scope(scope, "cosine_distance_loss", (predictions, labels, weights)) as scope:
        labels, predictions = _both(labels, predictions)
        cosine = math_ops.multiply(predictions, labels)
        losses = 1 - math_ops.reduce_sum(cosine, axis=(axis,), keepdims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def mean_pairwise_squared_error(labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES):
    _pair(labels, predictions)
    with name_scope(scope, "mean_pairwise_squared_error", (predictions, labels, weights)) as scope:
        weights = math_ops.cast(weights, dtype=dtypes.float32)
        labels = math_ops.cast(labels, dtype=dtypes.float32)
        with graph_lib.control_dependencies((weights_lib.assert_broadcastable(weights, labels),)):
            predictions = math_ops.cast(predictions, dtype=dtypes.float32)
            predictions.shape.assert_is_compatible_with(labels.shape)
            diffs = math_ops.subtract(predictions, labels)
            axis = math_ops.range(1, array_ops.rank(diffs))
            squares = math_ops.reduce_sum(math_ops.square(diffs), axis=axis, keepdims=True)
            present = _num_present(diffs, weights, per_batch=True)
            first = 2.0 * math_ops.div_no_nan(squares, math_ops.maximum(present - 1, 0), name="value")
            total = math_ops.reduce_sum(diffs, axis=axis, keepdims=True)
            second = 2.0 * math_ops.div_no_nan(
                math_ops.square(total), math_ops.maximum(math_ops.multiply(present, present - 1), 0), name="value")
            loss = math_ops.reduce_sum(math_ops.multiply(first - second, weights))
            is_some = math_ops.reduce_sum(present) > 0
            loss = array_ops.where(is_some, loss, array_ops.zeros_like(loss), name="value")
            add_loss(loss, loss_collection)
            return loss


def add_loss(loss, loss_collection=GraphKeys.LOSSES):
    if loss_collection:
        graph_lib.add_to_collection(loss_collection, loss)


def get_losses(scope=None, loss_collection=GraphKeys.LOSSES):
    return graph_lib.get_collection(loss_collection, scope)


def get_regularization_losses(scope=None):
    return graph_lib.get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope=None, name="total_regularization_loss"):
    losses = get_regularization_losses(scope)
    return math_ops.add_n(losses, name=name) if losses else constant(0.0)


def get_total_loss(add_regularization_losses=True, name="total_loss", scope=None):
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope=scope)
    return math_ops.add_n(losses, name=name)
