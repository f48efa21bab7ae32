# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.metrics."""

import inspect

from .. import nn
from ..framework import graph as graph_lib
from ..framework.graph import Tensor
from ..framework.ops import convert_to_tensor
from ..learning.layers_base import ON_READ
from ..operators import array_ops, math_ops, weights as weights_lib
from ..state import initializers
from ..state.variables import Variable, VariableAggregation
from . import backend, losses
from .base_layer import Layer
from .losses import KLD, MAE, MAPE, MSE, MSLE, binary_crossentropy, categorical_crossentropy, cosine, cosine_proximity
from .losses import hinge, kld, kullback_leibler_divergence, mae, mape, mean_absolute_error
from .losses import mean_absolute_percentage_error, mean_squared_error, mean_squared_logarithmic_error, mse, msle
from .losses import poisson, sparse_categorical_crossentropy, squared_hinge


class Metric(Layer):
    """Values collected in variables."""

    def __init__(self, name=None, dtype=None, **keywords):
        super().__init__(name=name, dtype=dtype or backend.floatx(), **keywords)
        self.stateful, self.built = True, True
        # TF: what result() gives is a tensor of its own, whoever asks.
        self.__dict__["result"] = lambda: array_ops.identity(type(self).result(self))
        self.__dict__["update_state"] = self._noted_update

    def _noted_update(self, *arguments, **keywords):
        """TF: who updates a metric by hand has its update known as well."""
        update = type(self).update_state(self, *arguments, **keywords)
        if update is not None:
            self.add_update(update)
        return update

    def add_weight(self, name, shape=(), aggregation=VariableAggregation.SUM, synchronization=ON_READ, initializer=None,
                   dtype=None):
        return super().add_weight(name=name, shape=shape, dtype=dtype or self._dtype, trainable=False,
                                  initializer=initializer, collections=[], synchronization=synchronization,
                                  aggregation=aggregation)

    def __call__(self, *arguments, **keywords):
        update = self.update_state(*arguments, **keywords)
        with graph_lib.control_dependencies([update] if update is not None else []):
            found = self.result()
        self._call_result, found._metric_obj = found, self
        return found

    def get_config(self):
        return {"name": self.name, "dtype": self.dtype}

    def reset_states(self):
        backend.batch_set_value([(v, 0) for v in self.variables])

    def update_state(self, *arguments, **keywords):
        raise NotImplementedError("Must be implemented in subclasses.")

    def result(self):
        raise NotImplementedError("Must be implemented in subclasses.")


class _Total(Metric):
    counts = True

    def __init__(self, name=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        with graph_lib.init_scope():
            self.total = self.add_weight("total", initializer=initializers.Zeros)
            if self.counts:
                self.count = self.add_weight("count", initializer=initializers.Zeros)

    def update_state(self, values, sample_weight=None):
        values = math_ops.cast(values, self._dtype)
        if sample_weight is not None:
            sample_weight = losses._fit_weights(values, math_ops.cast(sample_weight, self._dtype))
            sample_weight = weights_lib.broadcast_weights(sample_weight, values)
            values = math_ops.multiply(values, sample_weight)
        total = math_ops.reduce_sum(values)
        with graph_lib.control_dependencies([total]):
            update = self.total.assign_add(total)
        if not self.counts:
            return update
        number = math_ops.cast(array_ops.size(values), self._dtype) if sample_weight is None \
            else math_ops.reduce_sum(sample_weight)
        with graph_lib.control_dependencies([update]):
            return self.count.assign_add(number)

    def result(self):
        return math_ops.div_no_nan(self.total, self.count) if self.counts else array_ops.identity(self.total)


class Sum(_Total):
    counts = False

    def __init__(self, name="sum", dtype=None):
        super().__init__(name, dtype)


class Mean(_Total):
    def __init__(self, name="mean", dtype=None):
        super().__init__(name, dtype)


class MeanMetricWrapper(Mean):
    """The mean of a function of labels and predictions."""

    def __init__(self, fn, name=None, dtype=None, **keywords):
        super().__init__(name=name, dtype=dtype)
        self._fn, self._keywords = fn, keywords

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true, y_pred = math_ops.cast(y_true, self._dtype), math_ops.cast(y_pred, self._dtype)
        y_pred, y_true = _same_rank(y_pred, y_true)
        return super().update_state(self._fn(y_true, y_pred, **self._keywords), sample_weight=sample_weight)

    def get_config(self):
        told = {key: backend.eval(value) if isinstance(value, (Tensor, Variable)) else value
                for key, value in self._keywords.items()}
        return dict(super().get_config(), **told)


def _same_rank(y_pred, y_true):
    """Without a last dimension of 1 that the other lacks."""
    ranks = y_pred.shape.ndims, y_true.shape.ndims
    if None in ranks:
        return y_pred, y_true
    if ranks[0] - ranks[1] == 1 and y_pred.shape[-1].is_compatible_with(1) and y_pred.shape[-1].value == 1:
        y_pred = array_ops.squeeze(y_pred, [-1])
    elif ranks[1] - ranks[0] == 1 and y_true.shape[-1].value == 1:
        y_true = array_ops.squeeze(y_true, [-1])
    return y_pred, y_true


def accuracy(y_true, y_pred):
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    if y_true.dtype != y_pred.dtype:
        y_pred = math_ops.cast(y_pred, y_true.dtype)
    return math_ops.cast(math_ops.equal(y_true, y_pred), backend.floatx())


def binary_accuracy(y_true, y_pred, threshold=0.5):
    threshold = math_ops.cast(threshold, y_pred.dtype)
    y_pred = math_ops.cast(y_pred > threshold, y_pred.dtype)
    return backend.mean(math_ops.equal(y_true, y_pred), axis=-1)


def categorical_accuracy(y_true, y_pred):
    return math_ops.cast(math_ops.equal(math_ops.argmax(y_true, axis=-1), math_ops.argmax(y_pred, axis=-1)),
                         backend.floatx())


def sparse_categorical_accuracy(y_true, y_pred):
    ranks = convert_to_tensor(y_pred).shape.ndims, convert_to_tensor(y_true).shape.ndims
    if None not in ranks and ranks[0] == ranks[1]:
        y_true = array_ops.squeeze(y_true, [-1])
    y_pred = math_ops.argmax(y_pred, axis=-1)
    if y_pred.dtype != y_true.dtype:
        y_pred = math_ops.cast(y_pred, y_true.dtype)
    return math_ops.cast(math_ops.equal(y_true, y_pred), backend.floatx())


def top_k_categorical_accuracy(y_true, y_pred, k=5):
    return math_ops.cast(nn.in_top_k(y_pred, math_ops.argmax(y_true, axis=-1), k), backend.floatx())


def sparse_top_k_categorical_accuracy(y_true, y_pred, k=5):
    return math_ops.cast(nn.in_top_k(y_pred, math_ops.cast(y_true, "int32"), k), backend.floatx())


def _wrapped(class_name, function, default):
    def __init__(self, name=default, dtype=None, **keywords):
        MeanMetricWrapper.__init__(self, function, name=name, dtype=dtype, **keywords)
    return type(class_name, (MeanMetricWrapper,), {"__init__": __init__, "__module__": __name__})


class TopKCategoricalAccuracy(MeanMetricWrapper):
    def __init__(self, k=5, name="top_k_categorical_accuracy", dtype=None):
        super().__init__(top_k_categorical_accuracy, name, dtype=dtype, k=k)


class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    def __init__(self, k=5, name="sparse_top_k_categorical_accuracy", dtype=None):
        super().__init__(sparse_top_k_categorical_accuracy, name, dtype=dtype, k=k)


Accuracy = _wrapped("Accuracy", accuracy, "accuracy")
BinaryAccuracy = _wrapped("BinaryAccuracy", binary_accuracy, "binary_accuracy")
CategoricalAccuracy = _wrapped("CategoricalAccuracy", categorical_accuracy, "categorical_accuracy")
SparseCategoricalAccuracy = _wrapped("SparseCategoricalAccuracy", sparse_categorical_accuracy,
                                     "sparse_categorical_accuracy")
MeanSquaredError = _wrapped("MeanSquaredError", mean_squared_error, "mean_squared_error")
MeanAbsoluteError = _wrapped("MeanAbsoluteError", mean_absolute_error, "mean_absolute_error")
BinaryCrossentropy = _wrapped("BinaryCrossentropy", binary_crossentropy, "binary_crossentropy")
CategoricalCrossentropy = _wrapped("CategoricalCrossentropy", categorical_crossentropy, "categorical_crossentropy")
SparseCategoricalCrossentropy = _wrapped("SparseCategoricalCrossentropy", sparse_categorical_crossentropy,
                                         "sparse_categorical_crossentropy")
MeanAbsolutePercentageError = _wrapped("MeanAbsolutePercentageError", mean_absolute_percentage_error,
                                       "mean_absolute_percentage_error")
MeanSquaredLogarithmicError = _wrapped("MeanSquaredLogarithmicError", mean_squared_logarithmic_error,
                                       "mean_squared_logarithmic_error")
Hinge = _wrapped("Hinge", hinge, "hinge")
SquaredHinge = _wrapped("SquaredHinge", squared_hinge, "squared_hinge")
CategoricalHinge = _wrapped("CategoricalHinge", losses.categorical_hinge, "categorical_hinge")
KLDivergence = _wrapped("KLDivergence", kullback_leibler_divergence, "kullback_leibler_divergence")
LogCoshError = _wrapped("LogCoshError", losses.logcosh, "logcosh")
Poisson = _wrapped("Poisson", poisson, "poisson")


class RootMeanSquaredError(Mean):
    def __init__(self, name="root_mean_squared_error", dtype=None):
        super().__init__(name, dtype)

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true, y_pred = math_ops.cast(y_true, self._dtype), math_ops.cast(y_pred, self._dtype)
        y_pred, y_true = _same_rank(y_pred, y_true)
        return super().update_state(math_ops.squared_difference(y_pred, y_true), sample_weight=sample_weight)

    def result(self):
        return math_ops.sqrt(math_ops.div_no_nan(self.total, self.count))


def get(identifier):
    if callable(identifier):
        return identifier
    if isinstance(identifier, str):
        if identifier not in globals():
            raise ValueError("Unknown metric function:" + identifier)
        found = globals()[identifier]
        return found() if inspect.isclass(found) else found
    raise ValueError("Could not interpret metric function identifier: %s" % identifier)


def name_of(metric, weighted=False):
    start = "weighted_" if weighted else ""
    if metric in ("accuracy", "acc"):
        return start + "acc"
    if metric in ("crossentropy", "ce"):
        return start + "ce"
    found = get(metric)
    return start + (found.name if hasattr(found, "name") else found.__name__)


def function_of(metric, output_shape, loss):
    """What 'accuracy' means for a loss and the shape of an output."""
    if metric not in ("accuracy", "acc", "crossentropy", "ce"):
        return get(metric)
    kind = getattr(loss, "fn", None)
    of_accuracy = metric in ("accuracy", "acc")
    if output_shape[-1] == 1 or kind is losses.binary_crossentropy:
        return binary_accuracy if of_accuracy else binary_crossentropy
    if kind is losses.sparse_categorical_crossentropy:
        return sparse_categorical_accuracy if of_accuracy else sparse_categorical_crossentropy
    return categorical_accuracy if of_accuracy else categorical_crossentropy


# These stand on Metric, which is above.
from .metrics_counted import AUC, FalseNegatives, FalsePositives, Precision, Recall, SensitivityAtSpecificity
from .metrics_counted import SpecificityAtSensitivity, TrueNegatives, TruePositives
from .metrics_kept import CosineSimilarity, MeanIoU, MeanRelativeError, MeanTensor  # noqa: E402,F401
