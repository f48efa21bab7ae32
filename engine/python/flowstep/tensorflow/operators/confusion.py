# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Labels against predictions: ranks made equal, and the confusion matrix."""

from .. import dtypes
from ..control import control_flow
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, check_ops, math_ops


def remove_squeezable_dimensions(labels, predictions, expected_rank_diff=0, name=None):
    """Of two tensors whose ranks differ by one too much, the larger one without its last dimension."""
    with name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions = convert_to_tensor(predictions)
        labels = convert_to_tensor(labels)
        ranks = predictions.shape.ndims, labels.shape.ndims
        if None not in ranks:
            diff = ranks[0] - ranks[1]
            if diff == expected_rank_diff + 1:
                predictions = array_ops.squeeze(predictions, [-1])
            elif diff == expected_rank_diff - 1:
                labels = array_ops.squeeze(labels, [-1])
            return labels, predictions
        diff = array_ops.rank(predictions) - array_ops.rank(labels)

        def squeezed(x, wanted):
            if x.shape.ndims is not None and not x.shape.dims[-1].is_compatible_with(1):
                return x
            return control_flow.cond(math_ops.equal(wanted, diff), lambda: array_ops.squeeze(x, [-1]), lambda: x)
        predictions = squeezed(predictions, expected_rank_diff + 1)
        labels = squeezed(labels, expected_rank_diff - 1)
        return labels, predictions


def _checked(x, check):
    return control_flow.with_dependencies([check], x)


def confusion_matrix(labels, predictions, num_classes=None, dtype=dtypes.int32, name=None, weights=None):
    with name_scope(name, "confusion_matrix", (predictions, labels, num_classes, weights)) as name:
        labels, predictions = remove_squeezable_dimensions(convert_to_tensor(labels, name="labels"),
                                                           convert_to_tensor(predictions, name="predictions"))
        predictions = math_ops.cast(predictions, dtypes.int64)
        labels = math_ops.cast(labels, dtypes.int64)
        labels = _checked(labels, check_ops.assert_non_negative(labels, message="`labels` contains negative values"))
        predictions = _checked(predictions, check_ops.assert_non_negative(
            predictions, message="`predictions` contains negative values"))
        if num_classes is None:
            num_classes = math_ops.maximum(math_ops.reduce_max(predictions), math_ops.reduce_max(labels)) + 1
        else:
            limit = math_ops.cast(num_classes, dtypes.int64)
            labels = _checked(labels, check_ops.assert_less(labels, limit, message="`labels` out of bound"))
            predictions = _checked(predictions, check_ops.assert_less(predictions, limit,
                                                                      message="`predictions` out of bound"))
        if weights is not None:
            weights = convert_to_tensor(weights, name="weights")
            predictions.shape.assert_is_compatible_with(weights.shape)
            weights = math_ops.cast(weights, dtype)
        shape = array_ops.stack([num_classes, num_classes])
        indices = array_ops.stack([labels, predictions], axis=1)
        values = array_ops.ones_like(predictions, dtype) if weights is None else weights
        from .sparse import SparseTensor
        counts = SparseTensor(indices=indices, values=values, dense_shape=math_ops.cast(shape, dtypes.int64))
        zeros = array_ops.zeros(math_ops.cast(shape, dtypes.int32), dtype)
        return apply_op("SparseTensorDenseAdd", a_indices=counts.indices, a_values=counts.values,
                        a_shape=counts.dense_shape, b=zeros)
