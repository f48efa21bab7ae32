# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.seq2seq: the loss of sequences."""

from .. import nn
from ..framework.graph import name_scope
from ..operators import array_ops, math_ops


def _check(logits, targets, weights):
    if logits.shape.ndims != 3:
        raise ValueError("Logits must be a [batch_size x sequence_length x logits] tensor")
    if targets.shape.ndims != 2:
        raise ValueError("Targets must be a [batch_size x sequence_length] tensor")
    if weights.shape.ndims != 2:
        raise ValueError("Weights must be a [batch_size x sequence_length] tensor")


def _count(weights, axis, dtype):
    return math_ops.cast(math_ops.count_nonzero(weights, axis=axis), dtype)


def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True,
                  sum_over_timesteps=False, sum_over_batch=False, softmax_loss_function=None, name=None):
    """Cross entropy at each step, weighted, and averaged or summed as asked for."""
    _check(logits, targets, weights)
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError("average_across_timesteps and sum_over_timesteps cannot be set to True at same time.")
    if average_across_batch and sum_over_batch:
        raise ValueError("average_across_batch and sum_over_batch cannot be set to True at same time.")
    with name_scope(name, "sequence_loss", [logits, targets, weights]):
        classes = array_ops.shape(logits)[2]
        flat = array_ops.reshape(logits, [-1, classes])
        targets = array_ops.reshape(targets, [-1])
        make = softmax_loss_function or nn.sparse_softmax_cross_entropy_with_logits
        loss = make(labels=targets, logits=flat)
        loss *= array_ops.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            loss = math_ops.reduce_sum(loss)
            return math_ops.div_no_nan(loss, math_ops.reduce_sum(weights))
        if sum_over_timesteps and sum_over_batch:
            loss = math_ops.reduce_sum(loss)
            return math_ops.div_no_nan(loss, _count(weights, None, loss.dtype))
        loss = array_ops.reshape(loss, array_ops.shape(logits)[0:2])
        if average_across_timesteps or average_across_batch:
            axis = [0] if average_across_batch else [1]
            loss = math_ops.reduce_sum(loss, axis=axis)
            return math_ops.div_no_nan(loss, math_ops.reduce_sum(weights, axis=axis))
        if sum_over_timesteps or sum_over_batch:
            axis = [0] if sum_over_batch else [1]
            loss = math_ops.reduce_sum(loss, axis=axis)
            return math_ops.div_no_nan(loss, _count(weights, axis, loss.dtype))
        return loss
