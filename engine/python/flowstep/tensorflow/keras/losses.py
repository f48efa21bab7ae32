# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.losses."""

from .. import nn
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..learning.layers_base import smart_cond
from ..operators import array_ops, math_ops, weights as weights_lib
from . import backend


class Reduction:
    AUTO, NONE, SUM, SUM_OVER_BATCH_SIZE = "auto", "none", "sum", "sum_over_batch_size"

    @classmethod
    def all(cls):
        return cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE

    @classmethod
    def validate(cls, key):
        if key not in cls.all():
            raise ValueError("Invalid Reduction Key %s." % key)


def reduce_weighted(weighted, reduction):
    if reduction == Reduction.NONE:
        return weighted
    loss = math_ops.reduce_sum(weighted)
    if reduction != Reduction.SUM:
        with name_scope("num_elements") as scope:
            count = math_ops.cast(array_ops.size(weighted, name=scope), dtype=weighted.dtype)
        loss = math_ops.div_no_nan(math_ops.reduce_sum(loss), count, name="value")
    return loss


def _fit_weights(losses, weights):
    """Weights of one dimension more or less than the losses, brought to theirs."""
    ranks = losses.shape.ndims, weights.shape.ndims
    if None in ranks or ranks[1] == 0:
        return weights
    if ranks[1] - ranks[0] == 1:
        return array_ops.squeeze(weights, [-1])
    return array_ops.expand_dims(weights, [-1]) if ranks[0] - ranks[1] == 1 else weights


def compute_weighted(losses, sample_weight, reduction):
    with name_scope("weighted_loss"):
        losses = convert_to_tensor(losses)
        kind = losses.dtype
        sample_weight = 1.0 if sample_weight is None else sample_weight
        losses = math_ops.cast(losses, "float32")
        weights = math_ops.cast(sample_weight, "float32")
        weights = _fit_weights(losses, weights)
        weighted = math_ops.multiply(losses, weights_lib.broadcast_weights(weights, losses))
        return math_ops.cast(reduce_weighted(weighted, reduction), kind)


class Loss:
    def __init__(self, reduction=Reduction.AUTO, name=None):
        Reduction.validate(reduction)
        self.reduction, self.name = reduction, name

    def settled_reduction(self):
        return Reduction.SUM_OVER_BATCH_SIZE if self.reduction == Reduction.AUTO else self.reduction

    def __call__(self, y_true, y_pred, sample_weight=None):
        with name_scope("lambda" if self.name == "<lambda>" else self.name or type(self).__name__):
            return compute_weighted(self.call(y_true, y_pred), sample_weight, self.settled_reduction())

    def call(self, y_true, y_pred):
        raise NotImplementedError("Must be implemented in subclasses.")

    def get_config(self):
        return {"reduction": self.reduction, "name": self.name}


class LossFunctionWrapper(Loss):
    def __init__(self, fn, reduction=Reduction.AUTO, name=None, **keywords):
        super().__init__(reduction, name)
        self.fn, self._keywords = fn, keywords

    def call(self, y_true, y_pred):
        return self.fn(y_true, y_pred, **self._keywords)


def _as(y_true, y_pred):
    y_pred = convert_to_tensor(y_pred)
    return math_ops.cast(y_true, y_pred.dtype), y_pred


def mean_squared_error(y_true, y_pred):
    y_true, y_pred = _as(y_true, y_pred)
    return backend.mean(math_ops.squared_difference(y_pred, y_true), axis=-1)


def mean_absolute_error(y_true, y_pred):
    y_true, y_pred = _as(y_true, y_pred)
    return backend.mean(math_ops.abs(y_pred - y_true), axis=-1)


def mean_absolute_percentage_error(y_true, y_pred):
    y_true, y_pred = _as(y_true, y_pred)
    share = math_ops.abs((y_true - y_pred) / backend.clip(math_ops.abs(y_true), backend.epsilon(), None))
    return 100. * backend.mean(share, axis=-1)


def mean_squared_logarithmic_error(y_true, y_pred):
    y_true, y_pred = _as(y_true, y_pred)
    first = math_ops.log(backend.clip(y_pred, backend.epsilon(), None) + 1.)
    second = math_ops.log(backend.clip(y_true, backend.epsilon(), None) + 1.)
    return backend.mean(math_ops.squared_difference(first, second), axis=-1)


def _signs(y_true):
    """Labels of 0 and 1 as -1 and 1."""
    binary = math_ops.reduce_all(math_ops.logical_or(math_ops.equal(y_true, 0), math_ops.equal(y_true, 1)))
    return smart_cond(binary, lambda: 2. * y_true - 1., lambda: y_true)


def hinge(y_true, y_pred):
    y_true, y_pred = _as(y_true, y_pred)
    return backend.mean(math_ops.maximum(1. - _signs(y_true) * y_pred, 0.), axis=-1)


def squared_hinge(y_true, y_pred):
    y_true, y_pred = _as(y_true, y_pred)
    return backend.mean(math_ops.square(math_ops.maximum(1. - _signs(y_true) * y_pred, 0.)), axis=-1)


def categorical_hinge(y_true, y_pred):
    y_true, y_pred = _as(y_true, y_pred)
    positive = math_ops.reduce_sum(y_true * y_pred, axis=-1)
    negative = math_ops.reduce_max((1. - y_true) * y_pred, axis=-1)
    return math_ops.maximum(0., negative - positive + 1.)


def huber_loss(y_true, y_pred, delta=1.0):
    y_pred, y_true = math_ops.cast(y_pred, backend.floatx()), math_ops.cast(y_true, backend.floatx())
    error = math_ops.abs(math_ops.subtract(y_pred, y_true))
    quadratic = math_ops.minimum(error, delta)
    linear = math_ops.subtract(error, quadratic)
    half = convert_to_tensor(0.5, dtype=quadratic.dtype)
    return math_ops.add(math_ops.multiply(half, math_ops.multiply(quadratic, quadratic)), math_ops.multiply(delta, linear))


def logcosh(y_true, y_pred):
    y_true, y_pred = _as(y_true, y_pred)
    x = y_pred - y_true
    return backend.mean(x + nn.softplus(-2. * x) - math_ops.log(2.), axis=-1)


def categorical_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0):
    y_true, y_pred = _as(y_true, y_pred)
    label_smoothing = convert_to_tensor(label_smoothing, dtype=backend.floatx())

    def smooth():
        classes = math_ops.cast(array_ops.shape(y_true)[1], y_pred.dtype)
        return y_true * (1.0 - label_smoothing) + label_smoothing / classes
    return backend.categorical_crossentropy(_smoothed(label_smoothing, smooth, y_true), y_pred, from_logits=from_logits)


def _smoothed(label_smoothing, smooth, y_true):
    # TF asks the value of the constant that it made of the number.
    from ..framework.ops import constant_value
    return smooth() if constant_value(label_smoothing) else y_true


def sparse_categorical_crossentropy(y_true, y_pred, from_logits=False, axis=-1):
    return backend.sparse_categorical_crossentropy(y_true, y_pred, from_logits=from_logits, axis=axis)


def binary_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0):
    y_true, y_pred = _as(y_true, y_pred)
    label_smoothing = convert_to_tensor(label_smoothing, dtype=backend.floatx())
    y_true = _smoothed(label_smoothing, lambda: y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing, y_true)
    return backend.mean(backend.binary_crossentropy(y_true, y_pred, from_logits=from_logits), axis=-1)


def kullback_leibler_divergence(y_true, y_pred):
    y_true, y_pred = _as(y_true, y_pred)
    y_true, y_pred = backend.clip(y_true, backend.epsilon(), 1), backend.clip(y_pred, backend.epsilon(), 1)
    return math_ops.reduce_sum(y_true * math_ops.log(y_true / y_pred), axis=-1)


def poisson(y_true, y_pred):
    y_true, y_pred = _as(y_true, y_pred)
    return backend.mean(y_pred - y_true * math_ops.log(y_pred + backend.epsilon()), axis=-1)


def cosine_similarity(y_true, y_pred, axis=-1):
    y_true, y_pred = nn.l2_normalize(y_true, axis=axis), nn.l2_normalize(y_pred, axis=axis)
    return math_ops.reduce_sum(y_true * y_pred, axis=axis)


def _class(name, function, default, **options):
    def __init__(self, reduction=Reduction.AUTO, name=default, **keywords):
        LossFunctionWrapper.__init__(self, function, reduction, name, **dict(options, **keywords))
    return type(name, (LossFunctionWrapper,), {"__init__": __init__, "__module__": __name__})


class BinaryCrossentropy(LossFunctionWrapper):
    def __init__(self, from_logits=False, label_smoothing=0, reduction=Reduction.AUTO, name="binary_crossentropy"):
        super().__init__(binary_crossentropy, reduction, name, from_logits=from_logits, label_smoothing=label_smoothing)


class CategoricalCrossentropy(LossFunctionWrapper):
    def __init__(self, from_logits=False, label_smoothing=0, reduction=Reduction.AUTO, name="categorical_crossentropy"):
        super().__init__(categorical_crossentropy, reduction, name, from_logits=from_logits,
                         label_smoothing=label_smoothing)


class SparseCategoricalCrossentropy(LossFunctionWrapper):
    def __init__(self, from_logits=False, reduction=Reduction.AUTO, name="sparse_categorical_crossentropy"):
        super().__init__(sparse_categorical_crossentropy, reduction, name, from_logits=from_logits)


class Huber(LossFunctionWrapper):
    def __init__(self, delta=1.0, reduction=Reduction.AUTO, name="huber_loss"):
        super().__init__(huber_loss, reduction, name, delta=delta)


class CosineSimilarity(LossFunctionWrapper):
    def __init__(self, axis=-1, reduction=Reduction.AUTO, name="cosine_similarity"):
        super().__init__(cosine_similarity, reduction, name, axis=axis)


MeanSquaredError = _class("MeanSquaredError", mean_squared_error, "mean_squared_error")
MeanAbsoluteError = _class("MeanAbsoluteError", mean_absolute_error, "mean_absolute_error")
MeanAbsolutePercentageError = _class("MeanAbsolutePercentageError", mean_absolute_percentage_error,
                                     "mean_absolute_percentage_error")
MeanSquaredLogarithmicError = _class("MeanSquaredLogarithmicError", mean_squared_logarithmic_error,
                                     "mean_squared_logarithmic_error")
Hinge, SquaredHinge = _class("Hinge", hinge, "hinge"), _class("SquaredHinge", squared_hinge, "squared_hinge")
CategoricalHinge = _class("CategoricalHinge", categorical_hinge, "categorical_hinge")
Poisson, LogCosh = _class("Poisson", poisson, "poisson"), _class("LogCosh", logcosh, "logcosh")
KLDivergence = _class("KLDivergence", kullback_leibler_divergence, "kullback_leibler_divergence")

mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence
cosine = cosine_proximity = cosine_similarity


def get(identifier):
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str):
        if identifier not in globals():
            raise ValueError("Unknown loss function:" + identifier)
        found = globals()[identifier]
        return found() if isinstance(found, type) else found
    raise ValueError("Could not interpret loss function identifier:", identifier)


def as_object(loss):
    """A loss object: what a name, a function or an object stands for."""
    if loss is None or isinstance(loss, Loss):
        return loss
    function = get(loss)
    if isinstance(function, Loss) or not hasattr(function, "__name__"):
        return function
    return LossFunctionWrapper(function, name=function.__name__)
