# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What canned estimators of tf.contrib.learn make of logits: predictions, loss and metrics."""

from ... import dtypes, metrics as metrics_lib, nn
from ... import summary
from ...control import control_flow
from ...framework import ops
from ...framework.graph import name_scope
from ...learning import metrics_at_thresholds, optimizers
from ...operators import array_ops, lookup, math_ops
from ...operators import sparse
from ...operators.weights import broadcast_weights
from ...state import scope as scope_lib, variables as variables_lib
from . import estimators


class PredictionKey:
    """Names of predictions."""

    CLASSES, PROBABILITIES, LOGITS, LOGISTIC = "classes", "probabilities", "logits", "logistic"
    SCORES, TOP_K, GENERIC = "scores", "top_k", "output"


class ProblemType:
    UNSPECIFIED, CLASSIFICATION, LINEAR_REGRESSION, LOGISTIC_REGRESSION = 0, 1, 2, 3


class MetricKey:
    """Names of metrics."""

    LOSS, AUC, AUC_PR, ACCURACY = "loss", "auc", "auc_precision_recall", "accuracy"
    PREDICTION_MEAN, LABEL_MEAN = "labels/prediction_mean", "labels/actual_label_mean"
    ACCURACY_BASELINE, ACCURACY_MEAN = "accuracy/baseline_label_mean", "accuracy/threshold_%f_mean"
    PRECISION_MEAN, RECALL_MEAN = "precision/positive_threshold_%f_mean", "recall/positive_threshold_%f_mean"


# -- losses: (the mean, the mean of what is weighted)

def _weighted(losses, weights):
    with name_scope("loss", values=(losses, weights)) as name:
        if weights is None:
            loss = math_ops.reduce_mean(losses, name=name)
            return loss, loss
        weights = broadcast_weights(weights, losses)
        with name_scope(None, "weighted_loss", (losses, weights)) as inner:
            weighted = math_ops.multiply(losses, weights, name=inner)
        mean = math_ops.reduce_mean(weighted, name=name)
        total = math_ops.reduce_sum(weighted)
        of_weights = math_ops.cast(math_ops.reduce_sum(weights), dtypes.float32)
        return mean, math_ops.div(total, of_weights, name="weighted_average_loss")


def _column(values):
    return array_ops.expand_dims(values, axis=1) if values.shape.ndims == 1 else values


def _mean_squared_loss(labels, logits, weights=None):
    with name_scope(None, "mean_squared_loss", (logits, labels)) as name:
        logits, labels = ops.convert_to_tensor(logits), ops.convert_to_tensor(labels)
        labels, logits = _column(labels), _column(logits)
        logits.shape.assert_is_compatible_with(labels.shape)
        return _weighted(math_ops.squared_difference(logits, math_ops.cast(labels, dtypes.float32), name=name), weights)


def _log_loss(labels, logits, weights=None):
    with name_scope(None, "log_loss_with_two_classes", (logits, labels)) as name:
        logits, labels = ops.convert_to_tensor(logits), _column(math_ops.cast(labels, dtypes.float32))
        return _weighted(nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name), weights)


def _softmax_loss(labels, logits, weights=None):
    with name_scope(None, "softmax_cross_entropy_loss", (logits, labels)) as name:
        labels = ops.convert_to_tensor(labels)
        if not labels.dtype.is_integer:
            raise ValueError("Labels dtype should be integer Instead got %s." % labels.dtype)
        is_column = labels.shape.ndims == 2
        if is_column:
            labels = array_ops.squeeze(labels, axis=(1,))
        losses = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)
        return _weighted(array_ops.expand_dims(losses, axis=(1,)) if is_column else losses, weights)


def _wrapped(loss_fn):
    """A loss of the script's own."""
    if loss_fn is None:
        return None

    def loss(labels, logits, weights=None):
        value = loss_fn(labels, logits) if weights is None else loss_fn(labels, logits, weights)
        return value, value

    return loss


# -- metrics

def _float(weights):
    if weights is None:
        return None
    with name_scope(None, "float_weights", (weights,)) as name:
        return math_ops.cast(weights, dtypes.float32, name=name)


def _mean(values, weights):
    values, weights = math_ops.cast(values, dtypes.float32), _float(weights)
    return metrics_lib.mean(values, weights if weights is None else broadcast_weights(weights, values))


def _auc(predictions, labels, weights, curve="ROC"):
    predictions = math_ops.cast(predictions, dtypes.float32)
    labels = math_ops.cast(labels, dtypes.bool)
    weights = _float(weights)
    return metrics_lib.auc(labels, predictions, weights if weights is None else broadcast_weights(weights, predictions),
                           curve=curve)


def _accuracy_at(predictions, labels, weights, threshold):
    chosen = math_ops.cast(math_ops.greater_equal(predictions, threshold), dtypes.float32)
    return metrics_lib.accuracy(labels, chosen, weights)


def _squeezed(metric):
    def at(predictions, labels, weights, threshold):
        value, update = metric(labels, predictions, (threshold,), _float(weights))
        return array_ops.squeeze(value), array_ops.squeeze(update)
    return at


_AT_THRESHOLDS = ((MetricKey.ACCURACY_MEAN, _accuracy_at),
                  (MetricKey.PRECISION_MEAN, _squeezed(metrics_at_thresholds.precision_at_thresholds)),
                  (MetricKey.RECALL_MEAN, _squeezed(metrics_at_thresholds.recall_at_thresholds)))


# -- heads

def _of_features(features, column):
    """The weights of examples."""
    if not column:
        return None
    if column not in features:
        raise ValueError("Weights {} missing from features.".format(column))
    with name_scope(None, "weight_tensor", tuple(features.values())):
        weights = math_ops.cast(features[column], dtypes.float32)
        return array_ops.reshape(weights, (-1, 1)) if weights.shape.ndims == 1 else weights


class _Head:
    """One set of labels that a model is trained for."""

    _scope_name, problem_type = None, ProblemType.UNSPECIFIED

    def __init__(self, logits_dimension, label_name=None, weight_column_name=None, enable_centered_bias=False, head_name=None,
                 loss_fn=None, thresholds=None):
        self.logits_dimension, self.label_name, self.weight_column_name = logits_dimension, label_name, weight_column_name
        self.head_name, self._loss_fn, self._has_bias = head_name, loss_fn, enable_centered_bias
        self._thresholds = thresholds or (0.5,)

    def _key(self, name):
        return "%s/%s" % (name, self.head_name) if self.head_name else name

    def create_model_fn_ops(self, features, mode, labels=None, train_op_fn=None, logits=None, logits_input=None, scope=None):
        given = tuple(features.values()) + (labels, logits, logits_input)
        with scope_lib.variable_scope(scope, default_name=self.head_name or self._scope_name, values=given):
            labels = None if mode == estimators.ModeKeys.INFER or labels is None else self._labels_of(labels)
            return self._made(features, mode, labels, train_op_fn, self._logits(logits, logits_input))

    def _logits(self, logits, logits_input):
        if logits is None:
            if logits_input is None:
                raise ValueError("Neither logits nor logits_input supplied.")
            from .. import layers
            return layers.linear(logits_input, self.logits_dimension, scope="logits")
        if logits_input is not None:
            raise ValueError("Both logits and logits_input supplied.")
        logits = ops.convert_to_tensor(logits, name="logits")
        if logits.shape.dims is not None:
            logits.shape.dims[-1].assert_is_compatible_with(self.logits_dimension)
        return logits

    def _labels_of(self, labels):
        labels = labels[self.label_name] if isinstance(labels, dict) else labels
        labels = sparse.convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, sparse.SparseTensor):
            raise ValueError("SparseTensor is not supported.")
        return labels

    def _made(self, features, mode, labels, train_op_fn, logits):
        bias = None
        if self._has_bias:
            bias = self._centered_bias()
            logits = nn.bias_add(logits, bias)
        predictions = self._predictions(logits)
        loss = train_op = metrics = None
        if labels is not None:
            weights = _of_features(features, self.weight_column_name)
            loss, average = self._loss(labels, logits, weights)
            with name_scope(""):
                summary.scalar(self._key(MetricKey.LOSS), array_ops.identity(average))
            if mode == estimators.ModeKeys.TRAIN:
                if train_op_fn is None:
                    raise ValueError("train_op_fn can not be None in TRAIN mode")
                train_op = self._train_op(loss, labels, train_op_fn, bias, array_ops.shape(logits)[0], weights)
            metrics = self._metrics(average, predictions, labels, weights)
        return estimators.ModelFnOps(mode, predictions=predictions, loss=loss, train_op=train_op, eval_metric_ops=metrics,
                                     output_alternatives=self._alternatives(predictions))

    def _loss(self, labels, logits, weights):
        return self._loss_fn(labels, logits, weights)

    def _centered_bias(self):
        bias = variables_lib.Variable(array_ops.zeros(shape=(self.logits_dimension,)), name="centered_bias_weight",
                                      trainable=True)
        for i in range(self.logits_dimension):
            summary.scalar(self._key("centered_bias/bias_%d" % i), bias[i])
        return bias

    def _bias_step(self, bias, batch_size, labels, weights):
        with name_scope(None, "centered_bias_step", (labels,)) as name:
            size = array_ops.shape(bias)[0]
            logits = array_ops.reshape(array_ops.tile(bias, (batch_size,)), (batch_size, size))
            with name_scope(None, "centered_bias", (labels, logits)):
                loss = math_ops.reduce_mean(self._loss(labels, logits, weights), name="training_loss")
        return optimizers.AdagradOptimizer(0.1).minimize(loss, var_list=(bias,), name=name)

    def _train_op(self, loss, labels, train_op_fn, bias, batch_size, weights):
        step = None if bias is None else self._bias_step(bias, batch_size, labels, weights)
        with name_scope(None, "train_op", (loss, labels)):
            made = train_op_fn(loss)
            return made if step is None else control_flow.group(made, step)

    def _alternatives(self, predictions):
        return {self.head_name: (self.problem_type, predictions)}


class _RegressionHead(_Head):
    _scope_name, problem_type = "regression_head", ProblemType.LINEAR_REGRESSION

    def __init__(self, label_dimension, link_fn, **settings):
        super().__init__(label_dimension, loss_fn=_mean_squared_loss, **settings)
        self._link = link_fn

    def _predictions(self, logits):
        with name_scope(None, "predictions", (logits,)):
            if self.logits_dimension == 1:
                logits = array_ops.squeeze(logits, axis=(1,), name=PredictionKey.SCORES)
            return {PredictionKey.SCORES: self._link(logits)}

    def _metrics(self, loss, predictions, labels, weights):
        with name_scope("metrics", values=[loss]):
            return {self._key(MetricKey.LOSS): metrics_lib.mean(loss)}


class _ClassHead(_Head):
    _label_keys = None

    def _alternatives(self, predictions):
        probabilities = predictions[PredictionKey.PROBABILITIES]
        with name_scope(None, "_classification_output_alternatives", (probabilities,)):
            rows = array_ops.shape(probabilities)[0]
            if self._label_keys:
                classes = array_ops.tile(array_ops.expand_dims(self._label_keys, axis=0), [rows, 1], name="classes_tensor")
            else:
                n = array_ops.shape(probabilities)[1]
                classes = array_ops.tile(array_ops.expand_dims(math_ops.range(n), axis=0), [rows, 1])
                classes = ops.apply_op("AsString", input=classes, name="classes_tensor")
        return {self.head_name: (self.problem_type, {PredictionKey.PROBABILITIES: probabilities,
                                                     PredictionKey.CLASSES: classes})}


class _BinaryLogisticHead(_ClassHead):
    _scope_name, problem_type = "binary_logistic_head", ProblemType.LOGISTIC_REGRESSION

    def _predictions(self, logits):
        key = PredictionKey
        with name_scope(None, "predictions", (logits,)):
            both = array_ops.concat((array_ops.zeros_like(logits), logits), 1)
            return {key.LOGITS: logits, key.LOGISTIC: math_ops.sigmoid(logits, name=key.LOGISTIC),
                    key.PROBABILITIES: nn.softmax(both, name=key.PROBABILITIES),
                    key.CLASSES: math_ops.argmax(both, 1, name=key.CLASSES)}

    def _metrics(self, loss, predictions, labels, weights):
        key = MetricKey
        with name_scope("metrics", values=[loss, labels, weights] + list(predictions.values())):
            logistic = predictions[PredictionKey.LOGISTIC]
            found = {key.LOSS: metrics_lib.mean(loss)}
            found[key.ACCURACY] = metrics_lib.accuracy(labels, predictions[PredictionKey.CLASSES], weights)
            found[key.PREDICTION_MEAN] = _mean(logistic, weights)
            found[key.LABEL_MEAN] = _mean(labels, weights)
            found[key.ACCURACY_BASELINE] = _mean(labels, weights)
            found[key.AUC] = _auc(logistic, labels, weights)
            found[key.AUC_PR] = _auc(logistic, labels, weights, curve="PR")
            for threshold in self._thresholds:
                for name, metric in _AT_THRESHOLDS:
                    found[name % threshold] = metric(logistic, labels, weights, threshold)
        return {self._key(name): value for name, value in found.items()}


class _MultiClassHead(_ClassHead):
    _scope_name, problem_type = "multi_class_head", ProblemType.CLASSIFICATION

    def __init__(self, n_classes, label_keys=None, **settings):
        super().__init__(n_classes, **settings)
        if label_keys and len(label_keys) != n_classes:
            raise ValueError("Length of label_keys must equal n_classes.")
        self._label_keys = label_keys

    def _labels_of(self, labels):
        labels = super()._labels_of(labels)
        if not self._label_keys:
            return {"labels": labels, "label_ids": labels}
        table = lookup.index_table_from_tensor(self._label_keys, name="label_id_lookup")
        return {"labels": labels, "label_ids": table.lookup(labels)}

    def _loss(self, labels, logits, weights):
        return self._loss_fn(labels["label_ids"], logits, weights)

    def _predictions(self, logits):
        key = PredictionKey
        with name_scope(None, "predictions", (logits,)):
            classes = math_ops.argmax(logits, 1, name=key.CLASSES)
            if self._label_keys:
                classes = lookup.index_to_string_table_from_tensor(self._label_keys, name="class_string_lookup").lookup(classes)
            return {key.LOGITS: logits, key.PROBABILITIES: nn.softmax(logits, name=key.PROBABILITIES), key.CLASSES: classes}

    def _metrics(self, loss, predictions, labels, weights):
        given = (loss, labels["labels"], labels["label_ids"], weights) + tuple(predictions.values())
        with name_scope("metrics", values=given):
            found = {self._key(MetricKey.LOSS): metrics_lib.mean(loss)}
            found[self._key(MetricKey.ACCURACY)] = metrics_lib.accuracy(labels["labels"], predictions[PredictionKey.CLASSES],
                                                                        weights)
            return found


def regression_head(label_name=None, weight_column_name=None, label_dimension=1, enable_centered_bias=False, head_name=None,
                    link_fn=None):
    return _RegressionHead(label_dimension, link_fn or array_ops.identity, label_name=label_name,
                           weight_column_name=weight_column_name, enable_centered_bias=enable_centered_bias, head_name=head_name)


def multi_class_head(n_classes, label_name=None, weight_column_name=None, enable_centered_bias=False, head_name=None,
                     thresholds=None, metric_class_ids=None, loss_fn=None, label_keys=None):
    if n_classes is None or n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification: %s." % n_classes)
    settings = dict(label_name=label_name, weight_column_name=weight_column_name, enable_centered_bias=enable_centered_bias,
                    head_name=head_name, thresholds=thresholds)
    if n_classes > 2:
        return _MultiClassHead(n_classes, label_keys, loss_fn=_wrapped(loss_fn) or _softmax_loss, **settings)
    if metric_class_ids:
        raise ValueError("metric_class_ids invalid for n_classes==2.")
    if label_keys:
        raise ValueError("label_keys is not supported for n_classes=2.")
    return _BinaryLogisticHead(1, loss_fn=_wrapped(loss_fn) or _log_loss, **settings)
