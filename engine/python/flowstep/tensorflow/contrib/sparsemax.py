# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.sparsemax: softmax's neighbour that gives zeros, and its loss."""

from .. import dtypes, nn
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..operators import array_ops, math_ops


def sparsemax(logits, name=None):
    with name_scope(name, "sparsemax", [logits]):
        logits = convert_to_tensor(logits, name="logits")
        count, width = array_ops.shape(logits)[0], array_ops.shape(logits)[1]
        ordered, _ = nn.top_k(logits, k=width)
        sums = math_ops.cumsum(ordered, axis=1)
        places = math_ops.range(1, math_ops.cast(width, logits.dtype) + 1, dtype=logits.dtype)
        # The support is a row's beginning, so that its size is their number.
        is_held = 1 + places * ordered > sums
        support = math_ops.reduce_sum(math_ops.cast(is_held, dtypes.int32), axis=1)
        # Infinite or undefined rows have no support; they are marked below.
        last = array_ops.stack([math_ops.range(0, count), math_ops.maximum(support, 1) - 1], axis=1)
        threshold = (array_ops.gather_nd(sums, last) - 1) / math_ops.cast(support, logits.dtype)
        found = math_ops.maximum(math_ops.cast(0, logits.dtype), logits - threshold[:, None])
        is_bad = math_ops.logical_or(math_ops.equal(support, 0), math_ops.is_nan(sums[:, -1]))
        return array_ops.where(is_bad, array_ops.fill([count, width], math_ops.cast(float("nan"), logits.dtype)), found)


def sparsemax_loss(logits, sparsemax, labels, name=None):
    with name_scope(name, "sparsemax_loss", [logits, sparsemax, labels]):
        logits = convert_to_tensor(logits, name="logits")
        sparsemax = convert_to_tensor(sparsemax, name="sparsemax")
        labels = convert_to_tensor(labels, name="labels")
        # Chosen and not multiplied: nothing times minus infinity is nothing here.
        over_support = array_ops.where(
            math_ops.logical_or(sparsemax > 0, math_ops.is_nan(sparsemax)),
            sparsemax * (logits - 0.5 * sparsemax), array_ops.zeros_like(sparsemax))
        of_labels = labels * (0.5 * labels - logits)
        of_labels = array_ops.where(
            math_ops.logical_and(math_ops.equal(labels, 0), math_ops.is_inf(logits)), array_ops.zeros_like(logits), of_labels)
        return math_ops.reduce_sum(over_support + of_labels, axis=1)
