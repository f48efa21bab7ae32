# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator's heads for several labels: many classes at once, and several heads side by side."""

from .. import dtypes, losses
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..keras import metrics
from ..keras.losses import Reduction
from ..operators import array_ops, math_ops, sparse
from ..operators.sparse import SparseTensor
from . import estimator_export as export
from . import estimator_heads as heads
from .canned_heads import class_rows
from .estimator import EstimatorSpec, ModeKeys


class MultiLabelHead(heads._OfClasses):
    _valid_keys = ("logits", "probabilities")

    def __init__(self, n_classes, weight_column=None, thresholds=None, label_vocabulary=None,
                 loss_reduction=Reduction.SUM_OVER_BATCH_SIZE, loss_fn=None, classes_for_class_based_metrics=None, name=None):
        if n_classes is None or n_classes < 2:
            raise ValueError("n_classes must be > 1 for multi-label classification. Given: {}".format(n_classes))
        self._thresholds = heads._checked_thresholds(
            thresholds, lambda _, threshold: "thresholds must be in (0, 1) range. Given: {}".format(threshold))
        if label_vocabulary is not None:
            if not isinstance(label_vocabulary, (list, tuple)):
                raise ValueError("label_vocabulary must be a list or tuple. Given type: {}".format(type(label_vocabulary)))
            if len(label_vocabulary) != n_classes:
                raise ValueError("Length of label_vocabulary must be n_classes ({}). Given: {}".format(
                    n_classes, len(label_vocabulary)))
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._n_classes, self._vocabulary = n_classes, label_vocabulary
        self._classes = self._checked_classes(tuple(classes_for_class_based_metrics or ()))

    logits_dimension = property(lambda self: self._n_classes)

    def _checked_classes(self, classes):
        if classes and isinstance(classes[0], str):
            if not self._vocabulary:
                raise ValueError("label_vocabulary must be provided when classes_for_class_based_metrics are sting.")
            return tuple(self._vocabulary.index(name) for name in classes)
        for class_id in classes:
            if class_id < 0 or class_id >= self._n_classes:
                raise ValueError("All classes_for_class_based_metrics must be in range [0, {}]. Given: {}".format(
                    self._n_classes - 1, class_id))
        return classes

    def _class_keys(self, class_id):
        name = "class%d" % class_id if self._vocabulary is None else self._vocabulary[class_id]
        return [self._summary_key("%s/%s" % (key, name)) for key in ("probability_mean", "auc", "auc_precision_recall")]

    def _indicator(self, labels):
        if labels.dtype == dtypes.string:
            ids = SparseTensor(labels.indices, self._ids_of(labels.values), labels.dense_shape)
            return sparse.sparse_to_indicator(ids, self._n_classes)
        if not labels.dtype.is_integer:
            raise ValueError("Labels dtype should be integer. Instead got {}.".format(labels.dtype))
        checked = heads._check_label_range(labels.values, self._n_classes, "labels must be an integer SparseTensor with values "
                                           "in [0, {})".format(self._n_classes))
        with graph_lib.control_dependencies([checked]):
            return sparse.sparse_to_indicator(labels, self._n_classes)

    def _processed_labels(self, logits, labels):
        if labels is None:
            raise ValueError(heads._NO_LABELS)
        if isinstance(labels, SparseTensor):
            labels = math_ops.to_int64(self._indicator(labels))
        else:
            labels = heads._check_label_range(labels, 2, "labels must be an integer indicator Tensor with values in [0, 1]")
        return heads._check_labels(labels, logits, self.logits_dimension)

    def _each_loss(self, logits, labels):
        loss = losses.sigmoid_cross_entropy(multi_class_labels=labels, logits=logits, reduction=losses.Reduction.NONE)
        return math_ops.reduce_mean(loss, axis=-1, keepdims=True)

    def predictions(self, logits, keys=None):
        keys, found = self._checked_keys(keys), {}
        logits = self._checked(logits)
        with name_scope("predictions", values=(logits,)):
            if "logits" in keys:
                found["logits"] = logits
            if "probabilities" in keys:
                found["probabilities"] = math_ops.sigmoid(logits, name="probabilities")
        return found

    def _exported(self, predictions):
        scores = predictions["probabilities"]
        output = export.ClassificationOutput(scores=scores, classes=class_rows(scores, self._n_classes, self._vocabulary))
        return {export.DEFAULT_KEY: output, "classification": output, "predict": export.PredictOutput(predictions)}

    def metrics(self, regularization_losses=None):
        with name_scope(None, "metrics"):
            found = {}
            self._mean(found, "average_loss")
            found[self._summary_key("auc")] = metrics.AUC(name="auc")
            found[self._summary_key("auc_precision_recall")] = metrics.AUC(curve="PR", name="auc_precision_recall")
            if regularization_losses is not None:
                self._mean(found, "regularization_loss")
            self._at_thresholds(found)
            for class_id in self._classes:
                mean, auc, pr = self._class_keys(class_id)
                found[mean], found[auc] = metrics.Mean(name=mean), metrics.AUC(name=auc)
                found[pr] = metrics.AUC(curve="PR", name=pr)
        return found

    def update_metrics(self, eval_metrics, features, logits, labels, regularization_losses=None):
        logits = self._checked(logits)
        labels = self._processed_labels(logits, labels)
        loss, weights = self._unweighted_loss_and_weights(logits, labels, features)
        probabilities = self.predictions(logits, ["probabilities"])["probabilities"]
        eval_metrics[self._summary_key("average_loss")].update_state(values=loss, sample_weight=weights)
        for kind in ("auc", "auc_precision_recall"):
            eval_metrics[self._summary_key(kind)].update_state(y_true=labels, y_pred=probabilities, sample_weight=weights)
        self._update_regularization(eval_metrics, regularization_losses)
        self._update_at_thresholds(eval_metrics, labels, probabilities, weights)
        for class_id in self._classes:
            self._update_class(eval_metrics, class_id, labels, probabilities, weights)
        return eval_metrics

    def _update_class(self, found, class_id, labels, probabilities, weights):
        rank = array_ops.rank(probabilities) - 1
        begin = array_ops.concat([array_ops.zeros([rank], dtype=dtypes.int32), [class_id]], axis=0)
        size = array_ops.concat([-1 * array_ops.ones([rank], dtype=dtypes.int32), [1]], axis=0)
        said, true = (array_ops.slice(x, begin, size) for x in (probabilities, labels))
        mean, *areas = self._class_keys(class_id)
        self._update_broadcast(found[mean], said, weights)
        for key in areas:
            found[key].update_state(y_true=true, y_pred=said, sample_weight=weights)


def _default_output(outputs, name):
    if len(outputs) == 1:
        return next(iter(outputs.values()))
    if export.DEFAULT_KEY not in outputs:
        raise ValueError("{} did not specify default export_outputs. Given: {} Suggested fix: Use one of the heads in "
                         "tf.estimator, or include key {} in export_outputs.".format(name, outputs, export.DEFAULT_KEY))
    return outputs[export.DEFAULT_KEY]


class MultiHead(heads.Head):
    def __init__(self, heads, head_weights=None):
        if not heads:
            raise ValueError("Must specify heads. Given: {}".format(heads))
        if head_weights and len(head_weights) != len(heads):
            raise ValueError("heads and head_weights must have the same size. Given len(heads): {}. Given len(head_weights): "
                             "{}.".format(len(heads), len(head_weights)))
        for head in heads:
            if head.name is None:
                raise ValueError("All given heads must have name specified. Given: {}".format(head))
        self._heads, self._head_weights = tuple(heads), tuple(head_weights or ())

    name = property(lambda self: "_".join(head.name for head in self._heads))
    logits_dimension = property(lambda self: sum(head.logits_dimension for head in self._heads))

    @property
    def loss_reduction(self):
        found = [head.loss_reduction for head in self._heads]
        if len(set(found)) > 1:
            raise ValueError("The loss_reduction must be the same for different heads. Given: {}".format(found))
        return found[0]

    def _split(self, logits):
        with name_scope("split_logits", values=[logits]):
            logits = convert_to_tensor(logits)
            sizes, shape = [head.logits_dimension for head in self._heads], logits.shape.as_list()
            if shape[-1] is not None and shape[-1] != sum(sizes):
                # TF tells the two numbers the other way round.
                raise ValueError("Could not split logits of shape %r among the heads with individual logits dimensions: %r. The "
                                 "last dimension of the logits tensor should equal %d but is %d." % (
                                     shape, sizes, shape[-1], sum(sizes)))
            batch = array_ops.shape(logits)[:-1]
            zeros = array_ops.zeros_like(batch)
            rest = -1 * array_ops.ones_like(batch)
            found, first = {}, 0
            for head, size in zip(self._heads, sizes):
                begin = array_ops.concat([zeros, [first]], axis=0)
                found[head.name] = array_ops.slice(logits, begin, array_ops.concat([rest, [size]], axis=0))
                first += size
        return found

    def _check_names(self, what, given):
        missing = list({head.name for head in self._heads} - set(given))
        if missing:
            raise ValueError("{} has missing values for head(s): {}".format(what, missing))

    def _checked(self, logits, labels=None):
        """The logits of each head."""
        if isinstance(logits, dict):
            self._check_names("logits", logits)
        else:
            logits = self._split(logits)
        if labels is not None:
            if not isinstance(labels, dict):
                raise ValueError("labels must be a dict. Given: {}".format(labels))
            self._check_names("labels", labels)
        return logits

    def loss(self, labels, logits, features=None, mode=None, regularization_losses=None):
        logits = self._checked(logits, labels)
        found = [head.loss(logits=logits[head.name], labels=labels[head.name], features=features, mode=mode)
                 for head in self._heads]
        with name_scope("merge_losses"):
            if self._head_weights:
                found = [math_ops.multiply(loss, weight) for loss, weight in zip(found, self._head_weights)]
            return heads.with_regularization(math_ops.add_n(found), regularization_losses)

    def predictions(self, logits, keys=None):
        logits = self._checked(logits)
        with name_scope("merge_pred"):
            return {(head.name, key): value for head in self._heads
                    for key, value in head.predictions(logits=logits[head.name]).items()}

    def metrics(self, regularization_losses=None):
        found = {}
        if regularization_losses is not None:
            found[self._summary_key("regularization_loss")] = metrics.Mean(name="regularization_loss")
        with name_scope("merge_eval"):
            for head in self._heads:
                found["loss/" + head.name] = metrics.Mean(name="loss/" + head.name)
        return found

    def update_metrics(self, eval_metrics, features, logits, labels, regularization_losses=None):
        logits = self._checked(logits, labels)
        if regularization_losses is not None:
            total = math_ops.add_n(regularization_losses)
            eval_metrics[self._summary_key("regularization_loss")].update_state(values=total)
        for head in self._heads:
            own = logits[head.name], labels[head.name]
            loss = head.loss(logits=own[0], labels=own[1], features=features)
            eval_metrics["loss/" + head.name].update_state(values=loss)
            eval_metrics.update(head.update_metrics(head.metrics(), features, *own) or {})
        return eval_metrics

    def _specs(self, features, mode, logits, labels):
        return [head.create_estimator_spec(features=features, mode=mode, logits=logits[head.name],
                                           labels=labels[head.name] if labels else None,
                                           train_op_fn=lambda loss: control_flow.no_op()) for head in self._heads]

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None, trainable_variables=None,
                              train_op_fn=None, update_ops=None, regularization_losses=None):
        with name_scope(self.name, "multi_head"):
            specs = self._specs(features, mode, self._checked(logits, labels), labels)
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions=predictions, export_outputs=self._exported(specs))
            loss = self.loss(labels, logits, features, mode, regularization_losses)
            if mode == ModeKeys.EVAL:
                found = self.metrics(regularization_losses=regularization_losses)
                found = self.update_metrics(found, features, logits, labels, regularization_losses=regularization_losses)
                return EstimatorSpec(mode, predictions=predictions, loss=loss, eval_metric_ops=found)
            if mode != ModeKeys.TRAIN:
                raise ValueError("mode={} unrecognized".format(mode))
            self.loss_reduction
            made = heads.train_op(optimizer, trainable_variables, train_op_fn, update_ops, loss)
            heads.summarize(loss, regularization_losses)
            return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=made)

    def _exported(self, specs):
        found = {export.DEFAULT_KEY: _default_output(specs[0].export_outputs, self._heads[0].name)}
        merged = {}
        for head, spec in zip(self._heads, specs):
            for key, output in spec.export_outputs.items():
                found[head.name if key == export.DEFAULT_KEY else "{}/{}".format(head.name, key)] = output
                if key == "predict" and isinstance(output, export.PredictOutput):
                    merged.update(("{}/{}".format(head.name, name), value) for name, value in output.outputs.items())
        found["predict"] = export.PredictOutput(merged)
        return found
