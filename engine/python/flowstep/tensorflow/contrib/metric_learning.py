# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.losses.metric_learning: losses that draw what is alike together."""

from .. import dtypes, nn
from ..framework.graph import name_scope
from ..operators import array_ops, math_ops, printing, sparse
from . import metric_clusters
from .metric_clusters import pairwise_distance

cluster_loss = metric_clusters.cluster_loss


def contrastive_loss(labels, embeddings_anchor, embeddings_positive, margin=1.0):
    squares = math_ops.squared_difference(embeddings_anchor, embeddings_positive)
    distances = math_ops.sqrt(math_ops.reduce_sum(squares, 1))
    alike = math_ops.cast(labels, distances.dtype) * math_ops.square(distances)
    unlike = 1. - math_ops.cast(labels, distances.dtype)
    return math_ops.reduce_mean(alike + unlike * math_ops.square(math_ops.maximum(margin - distances, 0.)),
                                name="contrastive_loss")


def _extreme_where(first, second):
    """The second extreme of each row of what a mask holds: the first one of all is what counts for nothing."""
    def function(data, mask, dim=1):
        bounds = first(data, dim, keepdims=True)
        return second(math_ops.multiply(data - bounds, mask), dim, keepdims=True) + bounds
    return function


masked_maximum = _extreme_where(math_ops.reduce_min, math_ops.reduce_max)
masked_minimum = _extreme_where(math_ops.reduce_max, math_ops.reduce_min)


def _as_column(labels):
    count = array_ops.shape(labels)
    assert count.shape == 1
    return array_ops.reshape(labels, [count[0], 1])


def _alike(labels):
    """Whose labels are the same, and how many there are."""
    same = math_ops.equal(labels, array_ops.transpose(labels))
    return same, math_ops.logical_not(same), array_ops.size(labels)


def _other_positives(same, count):
    return math_ops.cast(same, dtype=dtypes.float32) - array_ops.diag(array_ops.ones([count]))


def _positive_part(losses, mask):
    return math_ops.maximum(math_ops.multiply(losses, mask), 0.0)


def triplet_semihard_loss(labels, embeddings, margin=1.0):
    labels = _as_column(labels)
    distances = pairwise_distance(embeddings, squared=True)
    same, other, count = _alike(labels)
    tiled = array_ops.tile(distances, [count, 1])
    other_tiled = array_ops.tile(other, [count, 1])
    column = array_ops.reshape(array_ops.transpose(distances), [-1, 1])
    mask = math_ops.logical_and(other_tiled, math_ops.greater(tiled, column))
    number = math_ops.reduce_sum(math_ops.cast(mask, dtype=dtypes.float32), 1, keepdims=True)
    is_outside = array_ops.transpose(array_ops.reshape(math_ops.greater(number, 0.0), [count, count]))
    other = math_ops.cast(other, dtype=dtypes.float32)
    mask = math_ops.cast(mask, dtype=dtypes.float32)
    outside = array_ops.transpose(array_ops.reshape(masked_minimum(tiled, mask), [count, count]))
    inside = array_ops.tile(masked_maximum(distances, other), [1, count])
    losses = math_ops.add(margin, distances - array_ops.where(is_outside, outside, inside))
    positives = _other_positives(same, count)
    number = math_ops.reduce_sum(positives)
    return math_ops.truediv(math_ops.reduce_sum(_positive_part(losses, positives)), number, name="triplet_semihard_loss")


def lifted_struct_loss(labels, embeddings, margin=1.0):
    labels = _as_column(labels)
    distances = pairwise_distance(embeddings)
    same, other, count = _alike(labels)
    short = margin - distances
    mask = math_ops.cast(other, dtype=dtypes.float32)
    largest = masked_maximum(short, mask)
    # TF: one number for both of a pair keeps the exponentials small.
    largest = math_ops.maximum(largest, array_ops.transpose(largest))
    tiled, mask_tiled = array_ops.tile(short, [count, 1]), array_ops.tile(mask, [count, 1])
    column = array_ops.reshape(array_ops.transpose(largest), [-1, 1])
    left = math_ops.reduce_sum(math_ops.multiply(math_ops.exp(tiled - column), mask_tiled), 1, keepdims=True)
    left = array_ops.reshape(left, [count, count])
    losses = largest + math_ops.log(left + array_ops.transpose(left))
    losses += distances
    positives = _other_positives(same, count)
    number = math_ops.reduce_sum(positives) / 2.0
    return math_ops.truediv(0.25 * math_ops.reduce_sum(math_ops.square(_positive_part(losses, positives))), number,
                            name="liftedstruct_loss")


# -- pairs of an anchor and what is like it

def _pairs_loss(embeddings_anchor, embeddings_positive, reg_lambda, adjacency, print_losses):
    """adjacency() says how much each anchor has in common with each positive."""
    size_anchor = math_ops.reduce_mean(math_ops.reduce_sum(math_ops.square(embeddings_anchor), 1))
    size_positive = math_ops.reduce_mean(math_ops.reduce_sum(math_ops.square(embeddings_positive), 1))
    l2loss = math_ops.multiply(0.25 * reg_lambda, size_anchor + size_positive, name="l2loss")
    similarity = math_ops.matmul(embeddings_anchor, embeddings_positive, transpose_a=False, transpose_b=True)
    common = math_ops.cast(adjacency(), dtypes.float32)
    common /= math_ops.reduce_sum(common, 1, keepdims=True)
    entropy = nn.softmax_cross_entropy_with_logits(logits=similarity, labels=common)
    entropy = math_ops.reduce_mean(entropy, name="xentropy")
    if print_losses:
        entropy = printing.Print(entropy, ["cross entropy:", entropy, "l2loss:", l2loss])
    return l2loss + entropy


def npairs_loss(labels, embeddings_anchor, embeddings_positive, reg_lambda=0.002, print_losses=False):
    def adjacency():
        column = _as_column(labels)
        return math_ops.equal(column, array_ops.transpose(column))
    return _pairs_loss(embeddings_anchor, embeddings_positive, reg_lambda, adjacency, print_losses)


def _shared_labels(sparse_labels):
    """How many labels each two have in common."""
    count = len(sparse_labels)
    table = array_ops.zeros([count, count])
    for i in range(count):
        for j in range(count):
            common = sparse.sparse_reduce_sum(sparse.sparse_minimum(sparse_labels[i], sparse_labels[j]))
            cell = array_ops.expand_dims(math_ops.cast(common, dtypes.float32), 0)
            cell = array_ops.expand_dims(cell, 1)
            table += array_ops.pad(cell, [[i, count - i - 1], [j, count - j - 1]], "CONSTANT")
    return table


def npairs_loss_multilabel(sparse_labels, embeddings_anchor, embeddings_positive, reg_lambda=0.002, print_losses=False):
    if not all(isinstance(labels, sparse.SparseTensor) for labels in sparse_labels):
        raise TypeError("sparse_labels must be a list of SparseTensors, but got %s" % str(sparse_labels))
    with name_scope("NpairsLossMultiLabel"):
        return _pairs_loss(embeddings_anchor, embeddings_positive, reg_lambda, lambda: _shared_labels(sparse_labels),
                           print_losses)
