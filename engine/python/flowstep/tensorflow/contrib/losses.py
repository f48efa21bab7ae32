# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.losses (slim.losses): predictions first, means over what has a weight."""

from .. import dtypes, losses as tf_losses, nn
from ..framework import ops
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..losses import get_losses, get_regularization_losses  # noqa: F401
from ..operators import array_ops, math_ops
from .arg_scopes import add_arg_scope

add_loss = add_arg_scope(tf_losses.add_loss)


def _scale_losses(losses, weights):
    axis = list(range(max(0, weights.shape.ndims), losses.shape.ndims))
    reduced = math_ops.reduce_sum(losses, axis=axis)
    return math_ops.reduce_sum(math_ops.multiply(reduced, weights))


def _num_present(losses, weights, per_batch=False):
    if weights.shape.ndims == 0:
        batch = array_ops.reshape(array_ops.slice(array_ops.shape(losses), [0], [1]), [])
        each = math_ops.div(math_ops.cast(array_ops.size(losses), dtypes.float32), math_ops.cast(batch, dtypes.float32))
        each = array_ops.where(math_ops.equal(weights, 0), 0.0, each)
        each = math_ops.multiply(array_ops.ones(array_ops.reshape(batch, [1])), each)
        return each if per_batch else math_ops.reduce_sum(each)
    axis = list(range(1, weights.shape.ndims))
    nonzero = math_ops.reduce_sum(math_ops.cast(math_ops.not_equal(weights, 0), dtypes.float32), axis=axis)
    rest = array_ops.slice(array_ops.shape(losses), [weights.shape.ndims], [-1])
    each = math_ops.multiply(nonzero, math_ops.cast(math_ops.reduce_prod(rest), dtypes.float32))
    return each if per_batch else math_ops.reduce_sum(each)


def _known_rank(tensor, name):
    if tensor.shape.ndims is None:
        raise ValueError("%s.get_shape().ndims cannot be None" % name)


def compute_weighted_loss(losses, weights=1.0, scope=None):
    with name_scope(scope, "weighted_loss", [losses, weights]):
        losses = convert_to_tensor(losses)
        input_dtype = losses.dtype
        losses = math_ops.cast(losses, dtypes.float32)
        weights = math_ops.cast(convert_to_tensor(weights), dtypes.float32)
        _known_rank(losses, "losses")
        _known_rank(weights, "weights")
        if weights.shape.ndims > 1 and weights.shape.dims[-1].is_compatible_with(1):
            weights = array_ops.squeeze(weights, [-1])
        total = _scale_losses(losses, weights)
        present = _num_present(losses, weights)
        mean = math_ops.div_no_nan(math_ops.reduce_sum(total), present, name="value")
        mean = math_ops.cast(mean, input_dtype)
        add_loss(mean)
        return mean


def get_total_loss(add_regularization_losses=True, name="total_loss"):
    return tf_losses.get_total_loss(add_regularization_losses, name)


def _floats(predictions, labels):
    predictions.shape.assert_is_compatible_with(labels.shape)
    return math_ops.cast(predictions, dtypes.float32), math_ops.cast(labels, dtypes.float32)


def absolute_difference(predictions, labels=None, weights=1.0, scope=None):
    with name_scope(scope, "absolute_difference", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        return compute_weighted_loss(math_ops.abs(math_ops.subtract(predictions, labels)), weights, scope=scope)


def mean_squared_error(predictions, labels=None, weights=1.0, scope=None):
    with name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        return compute_weighted_loss(math_ops.squared_difference(predictions, labels), weights, scope=scope)


def log_loss(predictions, labels=None, weights=1.0, epsilon=1e-7, scope=None):
    with name_scope(scope, "log_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        losses = -math_ops.multiply(labels, math_ops.log(predictions + epsilon)) - math_ops.multiply(
            1 - labels, math_ops.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope=scope)


def hinge_loss(logits, labels=None, scope=None):
    with name_scope(scope, "hinge_loss", [logits, labels]) as scope:
        logits.shape.assert_is_compatible_with(labels.shape)
        labels = math_ops.cast(labels, dtypes.float32)
        ones = array_ops.ones_like(labels)
        labels = math_ops.subtract(2 * labels, ones)
        return nn.relu(math_ops.subtract(ones, math_ops.multiply(labels, logits)))


def sigmoid_cross_entropy(logits, multi_class_labels, weights=1.0, label_smoothing=0, scope=None):
    with name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as scope:
        logits.shape.assert_is_compatible_with(multi_class_labels.shape)
        labels = math_ops.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


def softmax_cross_entropy(logits, onehot_labels, weights=1.0, label_smoothing=0, scope=None):
    with name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as scope:
        logits.shape.assert_is_compatible_with(onehot_labels.shape)
        labels = math_ops.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            classes = math_ops.cast(array_ops.shape(labels)[1], logits.dtype)
            negative = label_smoothing / classes
            labels = labels * (1.0 - label_smoothing) + negative
        losses = nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


def sparse_softmax_cross_entropy(logits, labels, weights=1.0, scope=None):
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels = array_ops.reshape(labels, shape=[array_ops.shape(labels)[0]])
        losses = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


def cosine_distance(predictions, labels=None, axis=None, weights=1.0, scope=None, dim=None):
    axis = ops.either("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    with name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        losses = 1 - math_ops.reduce_sum(math_ops.multiply(predictions, labels), axis=[axis])
        return compute_weighted_loss(losses, weights, scope=scope)


def mean_pairwise_squared_error(predictions, labels=None, weights=1.0, scope=None):
    with name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        weights = math_ops.cast(convert_to_tensor(weights), dtypes.float32)
        diffs = math_ops.subtract(predictions, labels)
        _known_rank(diffs, "diffs")
        _known_rank(weights, "weights")
        axis = list(range(1, diffs.shape.ndims))
        squares = math_ops.reduce_sum(math_ops.square(diffs), axis=axis)
        present = _num_present(diffs, weights, per_batch=True)
        first = 2.0 * math_ops.div_no_nan(squares, present, name="value")
        total = math_ops.reduce_sum(diffs, axis=axis)
        second = 2.0 * math_ops.div_no_nan(math_ops.square(total), math_ops.square(present), name="value")
        loss = _scale_losses(first - second, weights)
        is_some = math_ops.reduce_sum(present) > 0
        loss = array_ops.where(is_some, loss, array_ops.zeros_like(loss), name="value")
        add_loss(loss)
        return loss
