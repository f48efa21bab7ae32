# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator's heads: what a model ends in, with losses, predictions and metric objects of their own."""

import inspect

from .. import dtypes
from .. import losses, nn, summary
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..keras import metrics, optimizer_base
from ..keras.losses import Reduction, compute_weighted
from ..operators import array_ops, check_ops
from ..operators import lookup, math_ops, nn_misc, sparse, string_ops, weights as weights_lib
from ..operators.sparse import SparseTensor
from . import canned_heads as canned, estimator_export as export
from .canned_heads import _check_logits
from .estimator import EstimatorSpec, ModeKeys

_NO_LABELS = ("You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that your data contains "
              "your label feature. Check that your input_fn properly parses and returns labels.")


# -- checks

def _check_reduction(reduction):
    if reduction not in Reduction.all() or reduction == Reduction.NONE:
        raise ValueError("Invalid loss_reduction: {}. See `tf.losses.Reduction` for valid options.".format(reduction))


def _check_loss_fn(loss_fn):
    arguments = list(inspect.signature(loss_fn).parameters)
    for required in ("labels", "logits"):
        if required not in arguments:
            raise ValueError("loss_fn must contain argument: {}. Given arguments: {}".format(required, tuple(arguments)))
    others = list(set(arguments) - {"labels", "logits", "features", "loss_reduction"})
    if others:
        raise ValueError("loss_fn has unexpected args: {}".format(others))


def _check_labels(labels, logits, dimension):
    """Labels of as many dimensions as logits."""
    if labels is None:
        raise ValueError(_NO_LABELS)
    with name_scope("labels", values=(labels, logits)) as scope:
        labels = sparse.convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            raise ValueError("SparseTensor labels are not supported. Labels must be a Tensor of shape [D0, D1, ..., DN, {0}], "
                             "e.g. [batch_size, {0}].Suggested Fix (1): Check the label feature in your data. Each example "
                             "must contain {0} value(s). If not, your choice of label was probably incorrect. Suggested Fix "
                             "(2): In your input_fn, use tf.sparse_tensor_to_dense() to turn labels into a Tensor.".format(
                                 dimension))
        if None not in (labels.shape.ndims, logits.shape.ndims) and labels.shape.ndims == logits.shape.ndims - 1:
            labels = array_ops.expand_dims(labels, -1)
        message = ("labels shape must be [D0, D1, ... DN, {}]. Suggested Fix: check your n_classes argument to the head and/or "
                   "the shape of your label.".format(dimension))
        with graph_lib.control_dependencies([check_ops.assert_rank_at_least(labels, 2, message=message)]):
            last = None if labels.shape.ndims is None else labels.shape[-1].value
            if last is not None and last != dimension:
                raise ValueError("Mismatched label shape. Expected labels dimension={}.  Received {}. Suggested Fix: If your "
                                 "classifier expects one-hot encoding label, check your n_classes argument to the estimator "
                                 "and/or the shape of your label. Otherwise, check the shape of your label.".format(
                                     dimension, last))
            expected = array_ops.concat([array_ops.shape(logits)[:-1], [dimension]], axis=0)
            shape = array_ops.shape(labels)
            same = check_ops.assert_equal(expected, shape, message=message, data=[
                "expected_labels_shape: ", expected, "labels_shape: ", shape])
            with graph_lib.control_dependencies([same]):
                return array_ops.identity(labels, name=scope)


def _check_label_range(labels, n_classes, message=None):
    with name_scope("check_label_range", values=(labels,)):
        less = check_ops.assert_less_equal(labels, convert_to_tensor(n_classes - 1, dtype=labels.dtype),
                                           message=message or "Labels must be <= n_classes - 1")
        greater = check_ops.assert_non_negative(labels, message=message or "Labels must be >= 0")
        with graph_lib.control_dependencies((less, greater)):
            return array_ops.identity(labels)


def _checked_thresholds(thresholds, words):
    thresholds = tuple(thresholds or ())
    for threshold in thresholds:
        if threshold <= 0.0 or threshold >= 1.0:
            raise ValueError(words(thresholds, threshold))
    return thresholds


def train_op(optimizer, trainable_variables, train_op_fn, update_ops, loss):
    if update_ops is not None and not isinstance(update_ops, (list, tuple)):
        raise ValueError("{} should be a list or a tuple. Given type: {}.".format("update_ops", type(update_ops)))
    with name_scope(""), name_scope("training"):
        if optimizer is not None:
            if train_op_fn is not None:
                raise ValueError("train_op_fn and optimizer cannot both be set.")
            if not isinstance(optimizer, optimizer_base.Optimizer):
                raise ValueError("The given optimizer is not a tf.keras.optimizers.Optimizer instance. Given: {}".format(
                    optimizer))
            if trainable_variables is None:
                raise ValueError("trainable_variables cannot be None. Given {}".format(trainable_variables))
            if not isinstance(trainable_variables, (list, tuple)):
                raise ValueError("{} should be a list or a tuple. Given type: {}.".format(
                    "trainable_variables", type(trainable_variables)))
            made = optimizer.get_updates(loss, trainable_variables)[0]
        elif train_op_fn is not None:
            made = train_op_fn(loss)
        else:
            raise ValueError("train_op_fn and optimizer cannot both be None.")
        return made if update_ops is None else control_flow.group(made, *update_ops)


def summarize(loss, regularization_losses, key=lambda name: name):
    with name_scope(""):
        summary.scalar(key("loss"), loss)
        if regularization_losses is not None:
            summary.scalar(key("regularization_loss"), math_ops.add_n(regularization_losses))


def with_regularization(loss, regularization_losses):
    return loss if regularization_losses is None else loss + math_ops.add_n(regularization_losses)


# -- heads

class Head:
    """What every head has; a subclass of somebody's own fills it."""

    def _missing(self, *_, **__):
        raise NotImplementedError("Calling an abstract method.")

    name = logits_dimension = loss_reduction = property(_missing)
    loss = predictions = metrics = update_metrics = _missing

    def _summary_key(self, key):
        return "{}/{}".format(key, self.name) if self.name else key

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None, trainable_variables=None,
                              train_op_fn=None, update_ops=None, regularization_losses=None):
        raise NotImplementedError("Subclasses of Head must implement `create_estimator_spec()` or "
                                  "_create_tpu_estimator_spec().")


class _Own(Head):
    """One head with a loss for each example."""

    _label_dimension, _has_weights_by_logit = 1, False
    _valid_keys = ()

    def __init__(self, weight_column, loss_reduction, loss_fn, name):
        _check_reduction(loss_reduction)
        if loss_fn:
            _check_loss_fn(loss_fn)
        self._weight_column, self._loss_reduction, self._loss_fn, self._name = weight_column, loss_reduction, loss_fn, name

    name = property(lambda self: self._name)
    loss_reduction = property(lambda self: self._loss_reduction)

    def _unweighted_loss_and_weights(self, logits, labels, features):
        if self._loss_fn:
            loss = canned.call_loss_fn(self._loss_fn, labels, logits, features, self._label_dimension)
        else:
            loss = self._each_loss(logits, labels)
        return loss, canned._weights(features, self._weight_column, logits, self._has_weights_by_logit)

    def loss(self, labels, logits, features=None, mode=None, regularization_losses=None):
        with name_scope("losses"):
            logits = self._checked(logits)
            labels = self._processed_labels(logits, labels)
            loss, weights = self._unweighted_loss_and_weights(logits, labels, features)
            loss = compute_weighted(loss, weights, self._loss_reduction)
            return with_regularization(loss, regularization_losses)

    def _checked(self, logits):
        return _check_logits(logits, self.logits_dimension, "Cast")

    def _checked_keys(self, keys):
        for key in keys or ():
            if key not in self._valid_keys:
                raise ValueError("Prediction key must be in PredictionKeys, given: {}.Valid prediction keys include {}.".format(
                    key, list(self._valid_keys)))
        return keys or self._valid_keys

    # -- metrics

    def _update_regularization(self, found, regularization_losses):
        if regularization_losses is not None:
            total = math_ops.add_n(regularization_losses)
            found[self._summary_key("regularization_loss")].update_state(values=total)

    @staticmethod
    def _update_broadcast(metric, values, weights):
        values = canned._to_float(values)
        if weights is not None:
            weights = weights_lib.broadcast_weights(weights, values)
        metric.update_state(values=values, sample_weight=weights)

    def _mean(self, found, key):
        found[self._summary_key(key)] = metrics.Mean(name=key)

    def _at_thresholds(self, found):
        for threshold in self._thresholds:
            for kind, make in (("accuracy", metrics.BinaryAccuracy), ("precision", metrics.Precision), ("recall", metrics.Recall)):
                key = self._summary_key("%s/positive_threshold_%g" % (kind, threshold))
                found[key] = make(name=key, **{"threshold" if kind == "accuracy" else "thresholds": threshold})

    def _update_at_thresholds(self, found, labels, probabilities, weights):
        for threshold in self._thresholds:
            for kind in ("accuracy", "precision", "recall"):
                found[self._summary_key("%s/positive_threshold_%g" % (kind, threshold))].update_state(
                    y_true=labels, y_pred=probabilities, sample_weight=weights)

    # -- what an estimator takes

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None, trainable_variables=None,
                              train_op_fn=None, update_ops=None, regularization_losses=None):
        with name_scope(self._name, "head"):
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions=predictions, export_outputs=self._exported(predictions))
            loss = self.loss(logits=logits, labels=labels, features=features, mode=mode,
                             regularization_losses=regularization_losses)
            if mode == ModeKeys.EVAL:
                found = self.metrics(regularization_losses=regularization_losses)
            else:
                made = train_op(optimizer, trainable_variables, train_op_fn, update_ops, loss)
        if mode == ModeKeys.EVAL:
            # TF updates metrics when all else is made, outside of the head's scope.
            found = self.update_metrics(eval_metrics=found, features=features, logits=logits, labels=labels,
                                        regularization_losses=regularization_losses)
            return EstimatorSpec(mode, predictions=predictions, loss=loss, eval_metric_ops=found)
        summarize(loss, regularization_losses, self._summary_key)
        return EstimatorSpec(ModeKeys.TRAIN, predictions=predictions, loss=loss, train_op=made)


class _OfClasses(_Own):
    """Predictions of one class each, by number and by name."""

    def _ids_of(self, labels):
        return lookup.index_table_from_tensor(vocabulary_list=tuple(self._vocabulary), name="class_id_lookup").lookup(labels)

    def _put_classes(self, found, logits, scores, keys):
        if "class_ids" in keys or "classes" in keys:
            ids = array_ops.expand_dims(math_ops.argmax(scores, axis=-1, name="class_ids"), axis=-1)
            if "class_ids" in keys:
                found["class_ids"] = ids
            if "classes" in keys:
                if self._vocabulary:
                    found["classes"] = lookup.index_to_string_table_from_tensor(
                        vocabulary_list=self._vocabulary, name="class_string_lookup").lookup(ids)
                else:
                    found["classes"] = string_ops.as_string(ids, name="str_classes")
        if "all_class_ids" in keys:
            found["all_class_ids"] = canned.class_id_rows(logits, self._n_classes)
        if "all_classes" in keys:
            found["all_classes"] = canned.class_rows(logits, self._n_classes, self._vocabulary)

    def _exported(self, predictions):
        scores = predictions["probabilities"]
        output = export.ClassificationOutput(scores=scores,
                                             classes=canned.class_rows(scores, self._n_classes, self._vocabulary))
        found = {export.DEFAULT_KEY: output, "classification": output}
        if "logistic" in predictions:
            found["regression"] = export.RegressionOutput(value=predictions["logistic"])
        return dict(found, predict=export.PredictOutput(predictions))


def _check_vocabulary(vocabulary):
    if vocabulary is not None and not isinstance(vocabulary, (list, tuple)):
        raise ValueError("label_vocabulary should be a list or a tuple. Given type: {}".format(type(vocabulary)))


class BinaryClassHead(_OfClasses):
    _n_classes, logits_dimension = 2, 1
    _valid_keys = ("logits", "logistic", "probabilities", "class_ids", "classes", "all_class_ids", "all_classes")
    _MEANS = ("prediction/mean", "label/mean", "accuracy_baseline")

    def __init__(self, weight_column=None, thresholds=None, label_vocabulary=None,
                 loss_reduction=Reduction.SUM_OVER_BATCH_SIZE, loss_fn=None, name=None):
        _check_vocabulary(label_vocabulary)
        self._vocabulary = label_vocabulary
        self._thresholds = _checked_thresholds(thresholds, lambda all_of_them, _: "thresholds not in (0, 1): {}.".format(
            (all_of_them,)))
        super().__init__(weight_column, loss_reduction, loss_fn, name)

    def _processed_labels(self, logits, labels):
        labels = _check_labels(labels, logits, 1)
        if self._vocabulary is not None:
            labels = self._ids_of(labels)
        return _check_label_range(canned._to_float(labels), 2)

    def _each_loss(self, logits, labels):
        return nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def predictions(self, logits, keys=None):
        keys, found = self._checked_keys(keys), {}
        logits = self._checked(logits)
        with name_scope("predictions", values=(logits,)):
            if "logits" in keys:
                found["logits"] = logits
            if "logistic" in keys:
                found["logistic"] = math_ops.sigmoid(logits, name="logistic")
            both = array_ops.concat((array_ops.zeros_like(logits), logits), axis=-1, name="two_class_logits")
            if "probabilities" in keys:
                found["probabilities"] = nn.softmax(both, name="probabilities")
            self._put_classes(found, logits, both, keys)
        return found

    def metrics(self, regularization_losses=None):
        with name_scope("metrics"):
            found = {}
            self._mean(found, "average_loss")
            for key, make in (("accuracy", metrics.Accuracy), ("precision", metrics.Precision), ("recall", metrics.Recall)):
                found[self._summary_key(key)] = make(name=key)
            for key in self._MEANS:
                self._mean(found, key)
            found[self._summary_key("auc")] = metrics.AUC(name="auc")
            found[self._summary_key("auc_precision_recall")] = metrics.AUC(curve="PR", name="auc_precision_recall")
            if regularization_losses is not None:
                self._mean(found, "regularization_loss")
            self._at_thresholds(found)
        return found

    def _update_baseline(self, found):
        """The share that is right of who always says the more frequent class: no variables of its own."""
        labels, baseline = (found[self._summary_key(key)] for key in ("label/mean", "accuracy_baseline"))
        baseline._updates, baseline._non_trainable_weights = [control_flow.no_op()], []
        others = labels.count - labels.total
        baseline.__dict__.update(total=math_ops.maximum(labels.total, others), count=labels.count)

    def update_metrics(self, eval_metrics, features, logits, labels, regularization_losses=None):
        found, key = eval_metrics, self._summary_key
        ids = self.predictions(logits)["class_ids"]
        logits = self._checked(logits)
        labels = self._processed_labels(logits, labels)
        loss, weights = self._unweighted_loss_and_weights(logits, labels, features)
        found[key("average_loss")].update_state(values=loss, sample_weight=weights)
        for kind in ("accuracy", "precision", "recall"):
            found[key(kind)].update_state(y_true=labels, y_pred=ids, sample_weight=weights)
        logistic = self.predictions(logits, ["logistic"])["logistic"]
        self._update_broadcast(found[key("prediction/mean")], logistic, weights)
        self._update_broadcast(found[key("label/mean")], labels, weights)
        self._update_baseline(found)
        for kind in ("auc", "auc_precision_recall"):
            said = canned._to_float(logistic)
            each = None if weights is None else weights_lib.broadcast_weights(weights, said)
            found[key(kind)].update_state(y_true=labels, y_pred=said, sample_weight=each)
        self._update_regularization(found, regularization_losses)
        self._update_at_thresholds(found, labels, logistic, weights)
        return found


class MultiClassHead(_OfClasses):
    _valid_keys = ("logits", "probabilities", "class_ids", "classes", "all_class_ids", "all_classes")

    def __init__(self, n_classes, weight_column=None, label_vocabulary=None, loss_reduction=Reduction.SUM_OVER_BATCH_SIZE,
                 loss_fn=None, name=None):
        if n_classes is None:
            raise ValueError("n_classes cannot be None")
        _check_vocabulary(label_vocabulary)
        if label_vocabulary is not None and len(label_vocabulary) != n_classes:
            raise ValueError('"label_vocabulary" does not have "n_classes" items. len(label_vocabulary)={}, n_classes={}, '
                             "label_vocabulary={}".format(len(label_vocabulary), n_classes, label_vocabulary))
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._n_classes, self._vocabulary = canned.checked_n_classes(n_classes), label_vocabulary

    logits_dimension = property(lambda self: self._n_classes)

    def _processed_labels(self, logits, labels):
        labels = _check_labels(labels, logits, 1)
        if self._vocabulary is None:
            if not labels.dtype.is_integer:
                raise ValueError("Labels dtype should be integer. Instead got {}.".format(labels.dtype))
        else:
            if labels.dtype != dtypes.string:
                raise ValueError("Labels dtype should be string if there is a vocabulary. Instead got {}".format(labels.dtype))
            labels = self._ids_of(labels)
        return _check_label_range(labels, self._n_classes)

    def _each_loss(self, logits, labels):
        loss = losses.sparse_softmax_cross_entropy(labels=labels, logits=logits, reduction=losses.Reduction.NONE)
        return array_ops.expand_dims(loss, axis=-1)

    def predictions(self, logits, keys=None):
        keys, found = self._checked_keys(keys), {}
        logits = self._checked(logits)
        with name_scope("predictions", values=(logits,)):
            if "logits" in keys:
                found["logits"] = logits
            if "probabilities" in keys:
                found["probabilities"] = nn.softmax(logits, name="probabilities")
            self._put_classes(found, logits, logits, keys)
        return found

    def metrics(self, regularization_losses=None):
        with name_scope("metrics"):
            found = {}
            self._mean(found, "average_loss")
            if regularization_losses is not None:
                self._mean(found, "regularization_loss")
            found[self._summary_key("accuracy")] = metrics.Accuracy(name="accuracy")
        return found

    def update_metrics(self, eval_metrics, features, logits, labels, regularization_losses=None):
        ids = self.predictions(logits)["class_ids"]
        logits = self._checked(logits)
        labels = self._processed_labels(logits, labels)
        loss, weights = self._unweighted_loss_and_weights(logits, labels, features)
        eval_metrics[self._summary_key("average_loss")].update_state(values=loss, sample_weight=weights)
        eval_metrics[self._summary_key("accuracy")].update_state(y_true=labels, y_pred=ids, sample_weight=weights)
        self._update_regularization(eval_metrics, regularization_losses)
        return eval_metrics


class RegressionHead(_Own):
    _has_weights_by_logit = True

    def __init__(self, label_dimension=1, weight_column=None, loss_reduction=Reduction.SUM_OVER_BATCH_SIZE, loss_fn=None,
                 inverse_link_fn=None, name=None):
        if label_dimension < 1:
            raise ValueError("Invalid label_dimension {}.".format(label_dimension))
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._label_dimension, self._inverse_link_fn = label_dimension, inverse_link_fn

    logits_dimension = property(lambda self: self._label_dimension)

    def _processed_labels(self, logits, labels):
        return canned._to_float(_check_labels(labels, logits, self._label_dimension))

    def _each_loss(self, logits, labels):
        return losses.mean_squared_error(labels=labels, predictions=logits, reduction=losses.Reduction.NONE)

    def predictions(self, logits):
        logits = self._checked(logits)
        with name_scope("predictions", values=(logits,)):
            if self._inverse_link_fn:
                return {"predictions": self._inverse_link_fn(logits), "logits": logits}
            return {"predictions": logits}

    def _exported(self, predictions):
        output = export.RegressionOutput(value=predictions["predictions"])
        return {export.DEFAULT_KEY: output, "regression": output, "predict": export.PredictOutput(predictions)}

    def metrics(self, regularization_losses=None):
        with name_scope("metrics"):
            found = {}
            for key in ("average_loss", "prediction/mean", "label/mean"):
                self._mean(found, key)
            if regularization_losses is not None:
                self._mean(found, "regularization_loss")
        return found

    def update_metrics(self, eval_metrics, features, logits, labels, regularization_losses=None):
        value = self.predictions(logits)["predictions"]
        logits = self._checked(logits)
        loss, weights = self._unweighted_loss_and_weights(logits, self._processed_labels(logits, labels), features)
        eval_metrics[self._summary_key("average_loss")].update_state(values=loss, sample_weight=weights)
        # TF: of the labels as they were given.
        eval_metrics[self._summary_key("label/mean")].update_state(values=labels, sample_weight=weights)
        self._update_broadcast(eval_metrics[self._summary_key("prediction/mean")], value, weights)
        self._update_regularization(eval_metrics, regularization_losses)
        return eval_metrics


class PoissonRegressionHead(RegressionHead):
    def __init__(self, label_dimension=1, weight_column=None, loss_reduction=Reduction.SUM_OVER_BATCH_SIZE,
                 compute_full_loss=True, name=None):
        def loss(labels, logits):
            return nn_misc.log_poisson_loss(targets=labels, log_input=logits, compute_full_loss=compute_full_loss)
        super().__init__(label_dimension, weight_column, loss_reduction, loss, math_ops.exp, name)


class LogisticRegressionHead(RegressionHead):
    def __init__(self, weight_column=None, loss_reduction=Reduction.SUM_OVER_BATCH_SIZE, name=None):
        def loss(labels, logits):
            labels = _check_label_range(labels, 2, "Labels must be in range [0, 1]")
            return nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        super().__init__(1, weight_column, loss_reduction, loss, math_ops.sigmoid, name)
