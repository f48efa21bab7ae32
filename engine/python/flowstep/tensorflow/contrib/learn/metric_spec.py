# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.learn.MetricSpec: which predictions, labels and weights a metric is given."""

import functools
import inspect

from ...framework import tf_logging as logging

_NAMES = {"labels": ("labels", "label", "targets", "target"), "predictions": ("predictions", "prediction", "logits", "logit"),
          "weights": ("weights", "weight")}


def _argument(function, name, wanted, required=False):
    """The function's own word for labels, predictions or weights."""
    given = [parameter for parameter in inspect.signature(function).parameters]
    found = [word for word in _NAMES[wanted] if word in given]
    if len(found) > 1:
        raise ValueError("Ambiguous arguments %s, must provide only one of %s." % (set(found), set(_NAMES[wanted])))
    if not found and required:
        raise ValueError("%s missing from %s(%s)." % (set(_NAMES[wanted]), name, tuple(given)))
    if found and found[0] != wanted:
        logging.warning("Canonical arg %s missing from %s(%s), using %s.", wanted, name, tuple(given), found[0])
    return found[0] if found else None


def _chosen(kind, values, key):
    if not key:
        if not isinstance(values, dict):
            return values
        if len(values) != 1:
            raise ValueError("MetricSpec without specified %s_key requires %ss tensor or single element dict, got %s"
                             % (kind, kind, values))
        return next(iter(values.values()))
    if not isinstance(values, dict):
        raise ValueError("MetricSpec with {0}_key specified requires {0}s dict, got {1}.\nYou must not provide a {0}_key if "
                         "you only have a single Tensor as {0}s.".format(kind, values))
    if key not in values:
        raise KeyError("Key '%s' missing from %s." % (key, values.keys()))
    return values[key]


class MetricSpec:
    def __init__(self, metric_fn, prediction_key=None, label_key=None, weight_key=None):
        function = metric_fn.func if isinstance(metric_fn, functools.partial) else metric_fn
        self._name, self._function = getattr(function, "__name__", str(metric_fn)), metric_fn
        self._words = (_argument(metric_fn, self._name, "labels", label_key is not None),
                       _argument(metric_fn, self._name, "predictions"),
                       _argument(metric_fn, self._name, "weights", weight_key is not None))
        self.prediction_key, self.label_key, self.weight_key = prediction_key, label_key, weight_key

    def metric_fn(self, labels=None, predictions=None, weights=None):
        labels_word, predictions_word, weights_word = self._words
        named = {} if weights is None else {weights_word: weights}
        if labels_word:
            named[labels_word] = labels
        if predictions_word:
            named[predictions_word] = predictions
            return self._function(**named)
        return self._function(predictions, **named)

    def __str__(self):
        return "MetricSpec(metric_fn=%s, prediction_key=%s, label_key=%s, weight_key=%s)" % (
            self._name, self.prediction_key, self.label_key, self.weight_key)

    def create_metric_ops(self, inputs, labels, predictions):
        prediction = _chosen("prediction", predictions, self.prediction_key)
        label = _chosen("label", labels, self.label_key)
        return self.metric_fn(labels=label, predictions=prediction,
                              weights=inputs[self.weight_key] if self.weight_key else None)
