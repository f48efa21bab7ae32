# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers: what models were to predict before heads: a loss and metrics for logits and labels."""

from .. import dtypes, nn
from ..control import control_flow
from ..framework import graph as graph_lib
from ..operators import array_ops, math_ops
from . import losses, metrics as metric_ops


class ProblemType:
    UNSPECIFIED, CLASSIFICATION, LINEAR_REGRESSION, LOGISTIC_REGRESSION = range(4)


def _run_metrics(predictions, labels, metrics, weights):
    labels = math_ops.cast(labels, predictions.dtype)
    given = {} if weights is None else {"weights": weights}
    return {name: metric(predictions, labels, **given) for name, metric in (metrics or {}).items()}


class _TargetColumn:
    def __init__(self, loss_fn, num_label_columns, label_name, weight_column_name, problem_type):
        if num_label_columns is None:
            raise ValueError("num_label_columns must be provided")
        self._loss_fn, self._num_label_columns = loss_fn, num_label_columns
        self._label_name, self._weight_column_name, self._problem_type = label_name, weight_column_name, problem_type

    label_name = property(lambda self: self._label_name)
    weight_column_name = property(lambda self: self._weight_column_name)
    num_label_columns = property(lambda self: self._num_label_columns)
    problem_type = property(lambda self: self._problem_type)

    def get_weight_tensor(self, features):
        if not self._weight_column_name:
            return None
        return array_ops.reshape(math_ops.cast(features[self._weight_column_name], dtypes.float32), shape=(-1,))

    def _weighted(self, logits, target, features):
        """Each example's loss, and the weights where there are any."""
        loss = self._loss_fn(logits, target[self.name] if isinstance(target, dict) else target)
        weights = self.get_weight_tensor(features)
        if weights is None:
            return loss, None
        loss = array_ops.reshape(loss, shape=(-1,))
        return math_ops.multiply(loss, array_ops.reshape(weights, shape=(-1,))), weights

    def training_loss(self, logits, target, features, name="training_loss"):
        return math_ops.reduce_mean(self._weighted(logits, target, features)[0], name=name)

    def loss(self, logits, target, features):
        loss, weights = self._weighted(logits, target, features)
        if weights is None:
            return math_ops.reduce_mean(loss, name="loss")
        total = math_ops.reduce_sum(loss)
        return math_ops.div(total, math_ops.cast(math_ops.reduce_sum(weights), dtypes.float32), name="loss")


class _RegressionTargetColumn(_TargetColumn):
    def __init__(self, loss_fn, label_name, weight_column_name, label_dimension):
        super().__init__(loss_fn, label_dimension, label_name, weight_column_name, ProblemType.LINEAR_REGRESSION)

    def logits_to_predictions(self, logits, proba=False):
        return array_ops.squeeze(logits, axis=[1]) if self.num_label_columns == 1 else logits

    def get_eval_ops(self, features, logits, labels, metrics=None):
        result = {"loss": metric_ops.streaming_mean(self.loss(logits, labels, features))}
        if metrics:
            predictions = self.logits_to_predictions(logits)
            result.update(_run_metrics(predictions, labels, metrics, self.get_weight_tensor(features)))
        return result


def _kind_of_metric(name):
    """The metric's name and what it takes: classes or probabilities."""
    if isinstance(name, str):
        return name, "classes"
    if not isinstance(name, tuple):
        raise ValueError("Ignoring metric {}. Its name is not in the correct form.".format(name))
    if len(name) != 2:
        raise ValueError("Ignoring metric {}. It returned a tuple with len {}, expected 2.".format(name, len(name)))
    if name[1] not in ("classes", "probabilities"):
        raise ValueError("Ignoring metric {}. The 2nd element of its name should be either 'classes' or "
                         "'probabilities'.".format(name))
    return name


class _MultiClassTargetColumn(_TargetColumn):
    def __init__(self, loss_fn, n_classes, label_name, weight_column_name):
        if n_classes < 2:
            raise ValueError("n_classes must be >= 2")
        super().__init__(loss_fn, 1 if n_classes == 2 else n_classes, label_name, weight_column_name,
                         ProblemType.CLASSIFICATION)

    def logits_to_predictions(self, logits, proba=False):
        if self.num_label_columns == 1:
            logits = array_ops.concat([array_ops.zeros_like(logits), logits], 1)
        return nn.softmax(logits) if proba else math_ops.argmax(logits, 1)

    def _default_eval_metrics(self):
        return get_default_binary_metrics_for_eval(thresholds=[.5]) if self._num_label_columns == 1 else {}

    def get_eval_ops(self, features, logits, labels, metrics=None):
        result = {"loss": metric_ops.streaming_mean(self.loss(logits, labels, features))}
        if metrics is None:
            metrics = {("accuracy", "classes"): metric_ops.streaming_accuracy}
        predictions, labels_float = math_ops.sigmoid(logits), math_ops.cast(labels, dtypes.float32)
        for name, metric in self._default_eval_metrics().items():
            result[name] = metric(predictions, labels_float)
        named = [(*_kind_of_metric(name), metric) for name, metric in metrics.items()]
        for kind in ("classes", "probabilities"):
            chosen = {name: metric for name, of, metric in named if of == kind}
            if chosen:
                predictions = self.logits_to_predictions(logits, proba=kind == "probabilities")
                result.update(_run_metrics(predictions, labels, chosen, self.get_weight_tensor(features)))
        return result


class _BinarySvmTargetColumn(_MultiClassTargetColumn):
    def __init__(self, label_name, weight_column_name):
        super().__init__(_hinge_loss, 2, label_name, weight_column_name)

    def logits_to_predictions(self, logits, proba=False):
        if proba:
            raise ValueError("logits to probabilities is not supported for _BinarySvmTargetColumn")
        return super().logits_to_predictions(logits)


# -- losses of each example

def _hinge_loss(logits, target):
    is_flat = math_ops.less_equal(array_ops.rank(target), 2)
    check = control_flow.Assert(is_flat, ["target's shape should be either [batch_size, 1] or [batch_size]"])
    with graph_lib.control_dependencies([check]):
        target = array_ops.reshape(target, shape=[array_ops.shape(target)[0], 1])
    return losses.hinge_loss(logits, target)


def _as_column(target):
    return array_ops.expand_dims(target, axis=1) if len(target.shape) == 1 else target


def _mean_squared_loss(logits, target):
    target = _as_column(target)
    logits.shape.assert_is_compatible_with(target.shape)
    return math_ops.squared_difference(logits, math_ops.cast(target, dtypes.float32))


def _log_loss_with_two_classes(logits, target):
    target = _as_column(target)
    return nn.sigmoid_cross_entropy_with_logits(labels=math_ops.cast(target, dtypes.float32), logits=logits)


def _softmax_cross_entropy_loss(logits, target):
    if not target.dtype.is_integer:
        raise ValueError("Target's dtype should be integer Instead got %s." % target.dtype)
    if len(target.shape) == 2:
        target = array_ops.squeeze(target, axis=[1])
    return nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)


def regression_target(label_name=None, weight_column_name=None, label_dimension=1):
    return _RegressionTargetColumn(_mean_squared_loss, label_name, weight_column_name, label_dimension)


def multi_class_target(n_classes, label_name=None, weight_column_name=None):
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    loss_fn = _log_loss_with_two_classes if n_classes == 2 else _softmax_cross_entropy_loss
    return _MultiClassTargetColumn(loss_fn, n_classes, label_name, weight_column_name)


def binary_svm_target(label_name=None, weight_column_name=None):
    return _BinarySvmTargetColumn(label_name, weight_column_name)


# -- metrics of two classes

def _float_or_none(weights):
    return None if weights is None else math_ops.cast(weights, dtypes.float32)


def _labels_mean(predictions, labels, weights=None):
    return metric_ops.streaming_mean(labels, weights=weights)


def _predictions_mean(predictions, labels, weights=None):
    return metric_ops.streaming_mean(predictions, weights=weights)


def _auc(predictions, labels, weights=None):
    return metric_ops.streaming_auc(predictions, labels, weights=_float_or_none(weights))


def _accuracy_at(threshold):
    def metric(predictions, labels, weights=None):
        said = math_ops.cast(math_ops.greater_equal(predictions, threshold), dtypes.float32)
        return metric_ops.streaming_accuracy(predictions=said, labels=labels, weights=weights)
    return metric


def _at(function, threshold):
    def metric(predictions, labels, weights=None):
        value, update = function(predictions, labels=labels, thresholds=[threshold], weights=_float_or_none(weights))
        return array_ops.squeeze(value), update
    return metric


def get_default_binary_metrics_for_eval(thresholds):
    found = {"labels/prediction_mean": _predictions_mean, "labels/actual_target_mean": _labels_mean,
             "accuracy/baseline_target_mean": _labels_mean, "auc": _auc}
    for threshold in thresholds:
        found["accuracy/threshold_%f_mean" % threshold] = _accuracy_at(threshold)
        for what in ("precision", "recall"):
            function = getattr(metric_ops, "streaming_%s_at_thresholds" % what)
            found["%s/positive_threshold_%f_mean" % (what, threshold)] = _at(function, threshold)
    return found
