# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What a forest is measured by, by name."""

import numpy as np

from ... import dtypes, metrics, nn
from ...operators import array_ops, math_ops
from .. import losses
from ..learn.heads import PredictionKey

INFERENCE_PROB_NAME, INFERENCE_PRED_NAME = PredictionKey.PROBABILITIES, PredictionKey.CLASSES
FEATURE_IMPORTANCE_NAME = "global_feature_importance"
_THRESHOLDS = np.arange(0, 1, 0.01, dtype=np.float32)


def _top_k_generator(k):
    def top_k(probabilities, targets):
        targets = math_ops.cast(targets, dtypes.int32)
        if targets.get_shape().ndims > 1:
            targets = array_ops.squeeze(targets, axis=[1])
        return metrics.mean(nn.in_top_k(probabilities, targets, k))
    return top_k


def _of_labels(metric):
    def measured(predictions, targets, weights=None):
        return metric(labels=targets, predictions=predictions, weights=weights)
    return measured


def _of_second_class(metric, **given):
    """A metric of how probable the second of two classes is."""
    def measured(predictions, targets, weights=None):
        return metric(labels=targets, predictions=array_ops.slice(predictions, [0, 1], [-1, 1]), weights=weights, **given)
    return measured


def _r2(probabilities, targets, weights=None):
    targets = math_ops.cast(targets, dtypes.float32)
    total = math_ops.reduce_sum(math_ops.squared_difference(targets, math_ops.reduce_mean(targets, 0)), 0)
    residuals = math_ops.reduce_sum(math_ops.squared_difference(targets, probabilities), 0)
    return metrics.mean(1 - math_ops.reduce_sum(residuals / total), weights=weights)


def _of_one_hot(loss):
    def measured(probabilities, targets, weights=None):
        rows = array_ops.one_hot(math_ops.cast(array_ops.squeeze(targets, axis=[1]), dtypes.int32),
                                 array_ops.shape(probabilities)[1])
        return metrics.mean(loss(probabilities, rows), weights=weights)
    return measured


def _softmax_entropy(probabilities, targets, weights=None):
    return metrics.mean(losses.sparse_softmax_cross_entropy(probabilities, math_ops.cast(targets, dtypes.int32)),
                        weights=weights)


def _predictions(predictions, unused_targets, **unused_kwargs):
    return predictions


# Each metric, and the key of the predictions that it is of.
_METRICS = {
    "auc": (_of_second_class(metrics.auc), INFERENCE_PROB_NAME),
    "sigmoid_entropy": (_of_one_hot(losses.sigmoid_cross_entropy), INFERENCE_PROB_NAME),
    "softmax_entropy": (_softmax_entropy, INFERENCE_PROB_NAME),
    "accuracy": (_of_labels(metrics.accuracy), INFERENCE_PRED_NAME),
    "r2": (_r2, PredictionKey.SCORES),
    "predictions": (_predictions, INFERENCE_PRED_NAME),
    "classification_log_loss": (_of_one_hot(losses.log_loss), INFERENCE_PROB_NAME),
    "precision": (_of_labels(metrics.precision), INFERENCE_PRED_NAME),
    "precision_at_thresholds": (_of_second_class(metrics.precision_at_thresholds, thresholds=_THRESHOLDS),
                                INFERENCE_PROB_NAME),
    "recall": (_of_labels(metrics.recall), INFERENCE_PRED_NAME),
    "recall_at_thresholds": (_of_second_class(metrics.recall_at_thresholds, thresholds=_THRESHOLDS), INFERENCE_PROB_NAME),
    "top_5": (_top_k_generator(5), INFERENCE_PROB_NAME),
}


def get_metric(metric_name):
    return _METRICS[metric_name][0]


def get_prediction_key(metric_name):
    return _METRICS[metric_name][1]
