# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What canned estimators end in: predictions, loss and metrics of classes and of numbers."""

import collections

from .. import dtypes, losses
from .. import metrics, nn, summary
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys, name_scope
from ..framework.ops import convert_to_tensor
from ..learning import metrics_at_thresholds, training_util
from ..operators import array_ops, check_ops, lookup
from ..operators import math_ops, sparse, string_ops, weights as weights_lib
from . import estimator_export as export
from .estimator import EstimatorSpec, ModeKeys
from .feature_columns import FeatureCache, NumericColumn, numeric_column

LossSpec = collections.namedtuple("LossSpec", ["training_loss", "unreduced_loss", "weights", "processed_labels"])


def _to_float(x, name="ToFloat"):
    return math_ops.cast(x, dtypes.float32, name=name)


def _check_labels(labels, logits, dimension):
    """Labels of as many dimensions as logits, the last of the size that is expected."""
    if labels is None:
        raise ValueError("You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that your data "
                         "contain your label feature. Check that your input_fn properly parses and returns labels.")
    with name_scope(None, "labels", (labels, logits)) as scope:
        labels = sparse.convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, sparse.SparseTensor):
            raise ValueError("SparseTensor labels are not supported. labels must be a Tensor of shape [D0, D1, ..., DN, %s], "
                             "e.g. [batch_size, %s]. Suggested Fix (1): Check the label feature in your data. Each example "
                             "must contain %s value(s). If not, your choice of label was probably incorrect. Suggested Fix "
                             "(2): In your input_fn, use tf.sparse_tensor_to_dense() to turn labels into a Tensor." %
                             (dimension, dimension, dimension))
        ranks = labels.shape.ndims, logits.shape.ndims
        if None not in ranks and ranks[0] == ranks[1] - 1:
            labels = array_ops.expand_dims(labels, -1)
        labels_shape, logits_shape = array_ops.shape(labels), array_ops.shape(logits)
        message = ("labels shape must be [D0, D1, ... DN, {}]. Suggested Fix: check your n_classes argument to the estimator "
                   "and/or the shape of your label.".format(dimension))
        with graph_lib.control_dependencies([check_ops.assert_rank_at_least(labels, 2, message=message)]):
            last = None if labels.shape.ndims is None else labels.shape[-1].value
            if last is not None and last != dimension:
                raise ValueError("Mismatched label shape. Expected labels dimension=%s.  Received %s. Suggested Fix:If your "
                                 "classifier expects one-hot encoding label,check your n_classes argument to the estimator "
                                 "and/or the shape of your label. Otherwise, check the shape of your label." %
                                 (dimension, last))
            expected = array_ops.concat([logits_shape[:-1], [dimension]], axis=0)
            same = check_ops.assert_equal(expected, labels_shape, message=message, data=[
                "expected_labels_shape: ", expected, "labels_shape: ", labels_shape])
            with graph_lib.control_dependencies([same]):
                return array_ops.identity(labels, name=scope)


def _weights(features, column, logits, per_logit=False):
    if per_logit:
        message = "weights shape must be [D0, D1, ... DN], [D0, D1, ... DN, 1] or [D0, D1, ... DN, logits_dimension]"
    else:
        message = "weights shape must be [D0, D1, ... DN] or [D0, D1, ... DN, 1]"
    with name_scope(None, "weights", values=tuple(features.values()) + (logits,)) as scope:
        if column is None:
            return 1.
        column = numeric_column(column, shape=(1,)) if isinstance(column, str) else column
        if not isinstance(column, NumericColumn):
            raise TypeError("Weight column must be either a string or _NumericColumn. Given type: {}.".format(type(column)))
        found = _to_float(column.dense_tensor(FeatureCache(features), None), name="weights")
        shape = array_ops.shape(found, name="weights_shape")
        logits_shape = array_ops.shape(logits, name="logits_shape")
        told = ["logits_shape: ", logits_shape, "weights_shape: ", shape]
        if None not in (found.shape.ndims, logits.shape.ndims) and found.shape.ndims == logits.shape.ndims - 1:
            same = check_ops.assert_equal(logits_shape[:-1], shape, message=message, data=told)
            with graph_lib.control_dependencies([same]):
                return array_ops.expand_dims(found, -1, name=scope)
        single = array_ops.concat([logits_shape[:-1], [1]], axis=0)
        if per_logit:
            either = math_ops.reduce_any([math_ops.reduce_all(math_ops.equal(logits_shape, shape)),
                                          math_ops.reduce_all(math_ops.equal(single, shape))])
            same = control_flow.Assert(condition=either, data=[message] + told)
        else:
            same = check_ops.assert_equal(single, shape, message=message, data=told)
        with graph_lib.control_dependencies([same]):
            return array_ops.identity(found, name=scope)


def _check_logits(logits, dimension, cast_name="ToFloat"):
    message = "logits shape must be [D0, D1, ... DN, logits_dimension]"
    with name_scope(None, "logits", (logits,)) as scope:
        logits = _to_float(logits, name=cast_name)
        shape = array_ops.shape(logits)
        rank = check_ops.assert_rank_at_least(logits, 2, data=[shape], message=message)
        with graph_lib.control_dependencies([rank]):
            if logits.shape.ndims is not None and logits.shape[-1].value is not None:
                if logits.shape[-1].value != dimension:
                    raise ValueError(message + ", got %s." % (logits.shape,))
                return logits
            same = check_ops.assert_equal(dimension, shape[-1], data=[shape], message=message)
            with graph_lib.control_dependencies([same]):
                return array_ops.identity(logits, name=scope)


def _check_range(labels, n_classes):
    with name_scope(None, "assert_range", (labels,)):
        less = check_ops.assert_less_equal(labels, convert_to_tensor(n_classes - 1, dtype=labels.dtype),
                                           message="Labels must <= n_classes - 1")
        greater = check_ops.assert_non_negative(labels, message="Labels must >= 0")
        with graph_lib.control_dependencies((less, greater)):
            return array_ops.identity(labels)


def call_loss_fn(loss_fn, labels, logits, features, dimension=1):
    """What somebody's own function says each example costs."""
    given = {"features": features} if "features" in loss_fn.__code__.co_varnames else {}
    with name_scope(None, "call_loss_fn", values=[labels, logits] + list(features.values())):
        loss = loss_fn(labels=labels, logits=logits, **given)
        logits_shape = array_ops.shape(logits, name="logits_shape")
        expected = array_ops.concat([logits_shape[:-1], [dimension]], axis=0, name="expected_loss_shape")
        shape = array_ops.shape(loss, name="loss_shape")
        check = control_flow.Assert(math_ops.reduce_all(math_ops.equal(shape, expected)), data=[
            "loss_fn must return Tensor of shape [D0, D1, ... DN, {}]. ".format(dimension), "logits_shape: ",
            logits_shape, "loss_shape: ", shape], name="check_loss_shape")
        with graph_lib.control_dependencies([check]):
            return array_ops.identity(loss)


# -- metrics under the names that canned estimators give them

def _mean_of(values, weights, name, scope_name, inner):
    with name_scope(name, scope_name, (values, weights)) as scope:
        values = _to_float(values, name=inner)
        if weights is not None:
            weights = weights_lib.broadcast_weights(weights, values)
        return metrics.mean(values, weights=weights, name=scope)


def _accuracy_baseline(mean):
    with name_scope(None, "accuracy_baseline", mean):
        value, update = mean
        return (math_ops.maximum(value, 1. - value, name="value"),
                math_ops.maximum(update, 1 - update, name="update_op"))


def _auc(labels, predictions, weights, name, curve="ROC"):
    with name_scope(name, "auc", (predictions, labels, weights)) as scope:
        predictions = _to_float(predictions, name="predictions")
        if weights is not None:
            weights = weights_lib.broadcast_weights(weights, predictions)
        return metrics.auc(labels=labels, predictions=predictions, weights=weights, curve=curve, name=scope)


def _at_threshold(labels, predictions, weights, threshold):
    found = {}
    name = "accuracy/positive_threshold_%g" % threshold
    with name_scope(name, "accuracy_at_%s" % threshold, (predictions, labels, weights, threshold)) as scope:
        above = _to_float(math_ops.greater_equal(predictions, threshold))
        found[name] = metrics.accuracy(labels=labels, predictions=above, weights=weights, name=scope)
    for kind in ("precision", "recall"):
        name = "%s/positive_threshold_%g" % (kind, threshold)
        function = getattr(metrics_at_thresholds, kind + "_at_thresholds")
        with name_scope(name, "%s_at_%s" % (kind, threshold), (predictions, labels, weights, threshold)) as scope:
            value, update = function(labels=labels, predictions=predictions, thresholds=(threshold,), weights=weights,
                                     name=scope)
            found[name] = array_ops.squeeze(value), array_ops.squeeze(update)
    return found


# -- heads

def _rows(values, batch_size):
    return array_ops.tile(input=array_ops.expand_dims(input=values, axis=0), multiples=[batch_size, 1])


def class_id_rows(x, n_classes):
    batch = array_ops.shape(x)[0]
    return _rows(math_ops.range(n_classes), batch)


def class_rows(x, n_classes, vocabulary):
    batch = array_ops.shape(x)[0]
    return _rows(vocabulary or string_ops.as_string(math_ops.range(n_classes)), batch)


class _Head:
    """logits -> EstimatorSpec."""

    def __init__(self, weight_column, loss_reduction, loss_fn, name):
        if loss_reduction not in losses.Reduction.all() or loss_reduction == losses.Reduction.NONE:
            raise ValueError("Invalid loss_reduction: {}".format(loss_reduction))
        self._weight_column, self._loss_reduction, self._loss_fn, self.name = weight_column, loss_reduction, loss_fn, name

    def _key(self, value):
        return "%s/%s" % (value, self.name) if self.name else value

    def _loss(self, unweighted, features, logits, labels, per_logit=False):
        weights = _weights(features, self._weight_column, logits, per_logit)
        training = losses.compute_weighted_loss(unweighted, weights=weights, reduction=self._loss_reduction)
        return LossSpec(training, unweighted, weights, labels)

    def _own_loss(self, labels, logits, features, dimension=1):
        return call_loss_fn(self._loss_fn, labels, logits, features, dimension)

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None, train_op_fn=None,
                              regularization_losses=None):
        with name_scope(self.name, "head"):
            predictions, logits, more = self._predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions=predictions, export_outputs=self._exported(predictions))
            spec = self.create_loss(features, mode, logits, labels)
            regularization, loss = None, spec.training_loss
            if regularization_losses:
                regularization = math_ops.add_n(regularization_losses)
                loss = math_ops.add_n([spec.training_loss, regularization])
            if mode != ModeKeys.EVAL:
                train_op = self._train_op(loss, optimizer, train_op_fn)
                mean = None
                if self._loss_reduction == losses.Reduction.SUM:
                    total = math_ops.reduce_sum(spec.weights * array_ops.ones_like(spec.unreduced_loss))
                    mean = spec.training_loss / total
        if mode == ModeKeys.EVAL:
            # TF makes metrics when all else is made, outside of the head's scope.
            found = self._metrics(spec, labels, more, regularization)
            return EstimatorSpec(mode, predictions=predictions, loss=loss, eval_metric_ops=found)
        with name_scope(""):
            summary.scalar(self._key("loss"), loss)
            if mean is not None:
                summary.scalar(self._key("average_loss"), mean)
            if regularization is not None:
                summary.scalar(self._key("regularization_loss"), regularization)
        return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=train_op)

    @staticmethod
    def _train_op(loss, optimizer, train_op_fn):
        if optimizer is not None and train_op_fn is not None:
            raise ValueError("train_op_fn and optimizer cannot both be set.")
        if optimizer is None and train_op_fn is None:
            raise ValueError("train_op_fn and optimizer cannot both be None.")
        train_op = train_op_fn(loss) if optimizer is None else optimizer.minimize(
            loss, global_step=training_util.get_global_step())
        updates = graph_lib.get_collection(GraphKeys.UPDATE_OPS)
        return control_flow.group(train_op, *updates) if updates else train_op


class _ClassHead(_Head):
    """What heads of classes have in common."""

    def __init__(self, n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name):
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._n_classes, self._vocabulary = n_classes, label_vocabulary

    def _class_rows(self, x):
        return class_rows(x, self._n_classes, self._vocabulary)

    def _all(self, logits):
        return class_id_rows(logits, self._n_classes), self._class_rows(logits)

    def _names(self, class_ids):
        if not self._vocabulary:
            return string_ops.as_string(class_ids, name="str_classes")
        table = lookup.index_to_string_table_from_tensor(vocabulary_list=self._vocabulary, name="class_string_lookup")
        return table.lookup(class_ids)

    def _ids(self, labels):
        return lookup.index_table_from_tensor(vocabulary_list=tuple(self._vocabulary), name="class_id_lookup").lookup(labels)

    def _exported(self, predictions):
        scores = predictions["probabilities"]
        output = export.ClassificationOutput(scores=scores, classes=self._class_rows(scores))
        found = {export.DEFAULT_KEY: output, "classification": output}
        if "logistic" in predictions:
            found["regression"] = export.RegressionOutput(value=predictions["logistic"])
        return dict(found, predict=export.PredictOutput(predictions))


def checked_n_classes(n_classes):
    if isinstance(n_classes, int) and n_classes <= 2:
        raise ValueError("n_classes must be > 2: %s." % n_classes)
    # TF checks the number by an op as well.
    check = check_ops.assert_greater(convert_to_tensor(n_classes), 2, message="n_classes must be greater than 2")
    with graph_lib.control_dependencies([check]):
        control_flow.no_op()
    return n_classes


class MultiClassHead(_ClassHead):
    logits_dimension = property(lambda self: self._n_classes)

    def __init__(self, n_classes, weight_column=None, label_vocabulary=None, loss_reduction=losses.Reduction.SUM,
                 loss_fn=None, name=None):
        if label_vocabulary is not None and not isinstance(label_vocabulary, (list, tuple)):
            raise ValueError("label_vocabulary should be a list or a tuple. Given type: {}".format(type(label_vocabulary)))
        n_classes = checked_n_classes(n_classes)
        super().__init__(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)

    def _predictions(self, logits):
        logits = _check_logits(logits, self.logits_dimension)
        with name_scope(None, "predictions", (logits,)):
            all_ids, all_classes = self._all(logits)
            ids = array_ops.expand_dims(math_ops.argmax(logits, axis=-1, name="class_ids"), axis=-1)
            classes = self._names(ids)
            probabilities = nn.softmax(logits, name="probabilities")
        return {"logits": logits, "probabilities": probabilities, "class_ids": ids, "classes": classes,
                "all_class_ids": all_ids, "all_classes": all_classes}, logits, {"class_ids": ids}

    def create_loss(self, features, mode, logits, labels):
        logits = convert_to_tensor(logits)
        labels = _check_labels(labels, logits, 1)
        if self._vocabulary is None and not labels.dtype.is_integer:
            raise ValueError("Labels dtype should be integer. Instead got {}.".format(labels.dtype))
        if self._vocabulary is not None:
            if labels.dtype != dtypes.string:
                raise ValueError("Labels dtype should be string if there is a vocabulary. Instead got {}".format(labels.dtype))
            labels = self._ids(labels)
        labels = _check_range(labels, self._n_classes)
        if self._loss_fn:
            loss = self._own_loss(labels, logits, features)
        else:
            loss = losses.sparse_softmax_cross_entropy(labels=labels, logits=logits, reduction=losses.Reduction.NONE)
            loss = array_ops.expand_dims(loss, axis=-1)
        return self._loss(loss, features, logits, labels)

    def _metrics(self, spec, labels, more, regularization):
        values = (spec.processed_labels, more["class_ids"], spec.weights, spec.unreduced_loss, regularization)
        with name_scope(None, "metrics", values):
            found = {"average_loss": metrics.mean(spec.unreduced_loss, weights=spec.weights, name="average_loss"),
                     "accuracy": metrics.accuracy(labels=spec.processed_labels, predictions=more["class_ids"],
                                                  weights=spec.weights, name="accuracy")}
            if regularization is not None:
                found["regularization_loss"] = metrics.mean(regularization, name="regularization_loss")
        return {self._key(k): v for k, v in found.items()}


class BinaryHead(_ClassHead):
    logits_dimension = 1

    def __init__(self, weight_column=None, thresholds=None, label_vocabulary=None, loss_reduction=losses.Reduction.SUM,
                 loss_fn=None, name=None):
        if label_vocabulary is not None and not isinstance(label_vocabulary, (list, tuple)):
            raise TypeError("label_vocabulary should be a list or tuple. Given type: {}".format(type(label_vocabulary)))
        self._thresholds = tuple(thresholds or ())
        for threshold in self._thresholds:
            if threshold <= 0.0 or threshold >= 1.0:
                raise ValueError("thresholds not in (0, 1): {}.".format((self._thresholds,)))
        super().__init__(2, weight_column, label_vocabulary, loss_reduction, loss_fn, name)

    def _predictions(self, logits):
        with name_scope(None, "predictions", (logits,)):
            logits = _check_logits(logits, 1)
            logistic = math_ops.sigmoid(logits, name="logistic")
            both = array_ops.concat((array_ops.zeros_like(logits), logits), axis=-1, name="two_class_logits")
            probabilities = nn.softmax(both, name="probabilities")
            ids = array_ops.expand_dims(math_ops.argmax(both, axis=-1, name="class_ids"), axis=-1)
            all_ids, all_classes = self._all(logits)
            classes = self._names(ids)
        found = {"logits": logits, "logistic": logistic, "probabilities": probabilities, "class_ids": ids,
                 "classes": classes, "all_class_ids": all_ids, "all_classes": all_classes}
        return found, logits, {"logits": logits, "logistic": logistic, "class_ids": ids}

    def create_loss(self, features, mode, logits, labels):
        logits = convert_to_tensor(logits)
        labels = _check_labels(labels, logits, 1)
        if self._vocabulary is not None:
            labels = self._ids(labels)
        labels = _check_range(_to_float(labels), 2)
        if self._loss_fn:
            loss = self._own_loss(labels, logits, features)
        else:
            loss = nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        return self._loss(loss, features, logits, labels)

    def _metrics(self, spec, given, more, regularization):
        labels, weights, ids, logistic = spec.processed_labels, spec.weights, more["class_ids"], more["logistic"]
        values = (labels, more["logits"], logistic, ids, weights, spec.unreduced_loss, regularization)
        with name_scope(None, "metrics", values):
            labels_mean = _mean_of(labels, weights, "label/mean", "labels_mean", "labels")
            options = dict(labels=labels, predictions=ids, weights=weights)
            found = {"average_loss": metrics.mean(spec.unreduced_loss, weights=weights, name="average_loss"),
                     "accuracy": metrics.accuracy(name="accuracy", **options),
                     "precision": metrics.precision(name="precision", **options),
                     "recall": metrics.recall(name="recall", **options),
                     "prediction/mean": _mean_of(logistic, weights, "prediction/mean", "predictions_mean", "predictions"),
                     "label/mean": labels_mean, "accuracy_baseline": _accuracy_baseline(labels_mean),
                     "auc": _auc(labels, logistic, weights, "auc"),
                     "auc_precision_recall": _auc(labels, logistic, weights, "auc_precision_recall", "PR")}
            if regularization is not None:
                found["regularization_loss"] = metrics.mean(regularization, name="regularization_loss")
            for threshold in self._thresholds:
                found.update(_at_threshold(labels, logistic, weights, threshold))
        return {self._key(k): v for k, v in found.items()}


class RegressionHead(_Head):
    def __init__(self, label_dimension=1, weight_column=None, loss_reduction=losses.Reduction.SUM, loss_fn=None,
                 inverse_link_fn=None, name=None):
        if label_dimension < 1:
            raise ValueError("Invalid label_dimension %s." % label_dimension)
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self.logits_dimension, self._inverse_link_fn = label_dimension, inverse_link_fn

    def _predictions(self, logits):
        logits = _check_logits(logits, self.logits_dimension)
        if self._inverse_link_fn:
            value = self._inverse_link_fn(logits)
            return {"predictions": value, "logits": logits}, logits, {"value": value}
        return {"predictions": logits}, logits, {"value": logits}

    def create_loss(self, features, mode, logits, labels):
        logits = convert_to_tensor(logits)
        labels = _to_float(_check_labels(labels, logits, self.logits_dimension))
        if self._loss_fn:
            loss = self._own_loss(labels, logits, features, self.logits_dimension)
        else:
            loss = losses.mean_squared_error(labels=labels, predictions=logits, reduction=losses.Reduction.NONE)
        return self._loss(loss, features, logits, labels, per_logit=True)

    def _metrics(self, spec, labels, more, regularization):
        weights = spec.weights
        found = {"average_loss": metrics.mean(spec.unreduced_loss, weights=weights),
                 "prediction/mean": _mean_of(more["value"], weights, "prediction/mean", "predictions_mean", "predictions"),
                 "label/mean": metrics.mean(labels, weights=weights)}
        if regularization is not None:
            found["regularization_loss"] = metrics.mean(regularization, name="regularization_loss")
        return {self._key(k): v for k, v in found.items()}

    def _exported(self, predictions):
        output = export.RegressionOutput(value=predictions["predictions"])
        return {export.DEFAULT_KEY: output, "regression": output, "predict": export.PredictOutput(predictions)}


def of_classes(n_classes, weight_column, label_vocabulary, loss_reduction):
    if n_classes == 2:
        return BinaryHead(weight_column=weight_column, label_vocabulary=label_vocabulary, loss_reduction=loss_reduction)
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction)
