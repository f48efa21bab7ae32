# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.metrics that count hits and misses at thresholds: AUC, Precision, Recall and the four counts."""

import numpy as np

from .. import dtypes, nn
from ..control import control_flow
from ..framework import graph as graph_lib, ops
from ..operators import array_ops, check_ops, confusion, math_ops
from ..operators import weights as weights_lib
from ..state import initializers
from . import backend, losses
from .metrics import Metric

_FAR_BELOW = -1e10


def _listed(thresholds):
    return list(thresholds) if isinstance(thresholds, (list, tuple)) else [thresholds]


def _parsed(thresholds, default):
    if thresholds is None:
        return [default]
    invalid = [t for t in _listed(thresholds) if t is None or t < 0 or t > 1]
    if invalid:
        raise ValueError("Threshold values must be in [0, 1]. Invalid values: {}".format(invalid))
    return _listed(thresholds)


def _fitted(y_pred, y_true, sample_weight):
    """Without a last dimension of 1 that one of them has too much."""
    ranks = y_pred.shape.ndims, y_true.shape.ndims
    if None not in ranks:
        if ranks[0] - ranks[1] != 1 or y_pred.shape[-1] == 1:
            y_true, y_pred = confusion.remove_squeezable_dimensions(y_true, y_pred)
    else:
        difference = array_ops.rank(y_pred) - array_ops.rank(y_true)

        def squeezed():
            return confusion.remove_squeezable_dimensions(y_true, y_pred)
        is_single = math_ops.equal(1, array_ops.shape(y_pred)[-1])
        y_true, y_pred = control_flow.cond(
            math_ops.equal(1, difference),
            lambda: control_flow.cond(is_single, squeezed, lambda: (y_true, y_pred)), squeezed)
    if sample_weight is not None:
        sample_weight = losses._fit_weights(y_pred, ops.convert_to_tensor(sample_weight))
    return y_pred, y_true, sample_weight


def _only_best(x, k):
    _, best = nn.top_k(x, k, sorted=False)
    mask = math_ops.reduce_sum(array_ops.one_hot(best, x.shape[-1], axis=-1), axis=-2)
    return x * mask + _FAR_BELOW * (1 - mask)


def _update(counted, y_true, y_pred, thresholds, top_k=None, class_id=None, sample_weight=None):
    """Adds to the variables of counted, whose keys are tp, fn, fp and tn, what there is at each threshold."""
    y_true = math_ops.cast(y_true, dtypes.float32)
    y_pred = math_ops.cast(y_pred, dtypes.float32)
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    with graph_lib.control_dependencies([
            check_ops.assert_greater_equal(y_pred, math_ops.cast(0.0, y_pred.dtype), message="predictions must be >= 0"),
            check_ops.assert_less_equal(y_pred, math_ops.cast(1.0, y_pred.dtype), message="predictions must be <= 1")]):
        y_pred, y_true, sample_weight = _fitted(y_pred, y_true, sample_weight)
    if top_k is not None:
        y_pred = _only_best(y_pred, top_k)
    if class_id is not None:
        y_true, y_pred = y_true[..., class_id], y_pred[..., class_id]
    count = len(thresholds)
    size = array_ops.size(y_pred)
    predicted = array_ops.reshape(y_pred, [1, -1])
    labels = array_ops.reshape(math_ops.cast(y_true, dtypes.bool), [1, -1])
    limits = array_ops.tile(array_ops.expand_dims(ops.constant(thresholds), 1), array_ops.stack([1, size]))
    positive = math_ops.greater(array_ops.tile(predicted, [count, 1]), limits)
    is_true = array_ops.tile(labels, [count, 1])
    weights = None
    if sample_weight is not None:
        weights = weights_lib.broadcast_weights(math_ops.cast(sample_weight, dtypes.float32), y_pred)
        weights = array_ops.tile(array_ops.reshape(weights, [1, -1]), [count, 1])
    found = {"tp": (is_true, positive)}
    if "fn" in counted or "tn" in counted:
        negative = math_ops.logical_not(positive)
        found["fn"] = is_true, negative
    if "fp" in counted or "tn" in counted:
        is_false = math_ops.logical_not(is_true)
        found["fp"] = is_false, positive
        if "tn" in counted:
            found["tn"] = is_false, negative
    updates = []
    for key, (label, prediction) in found.items():
        if key in counted:
            both = math_ops.cast(math_ops.logical_and(label, prediction), dtypes.float32)
            if weights is not None:
                both *= weights
            updates.append(counted[key].assign_add(math_ops.reduce_sum(both, 1)))
    return control_flow.group(*updates)


class _AtThresholds(Metric):
    def _count(self, name):
        return self.add_weight(name, shape=(len(self.thresholds),), initializer=initializers.Zeros)

    def reset_states(self):
        backend.batch_set_value([(v, np.zeros((len(self.thresholds),))) for v in self.variables])


class _Count(_AtThresholds):
    def __init__(self, thresholds=None, name=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds, self.thresholds = thresholds, _parsed(thresholds, 0.5)
        self.accumulator = self._count("accumulator")

    def update_state(self, y_true, y_pred, sample_weight=None):
        return _update({self._key: self.accumulator}, y_true, y_pred, self.thresholds, sample_weight=sample_weight)

    def result(self):
        return ops.convert_to_tensor(self.accumulator[0] if len(self.thresholds) == 1 else self.accumulator)

    def get_config(self):
        return dict(super().get_config(), thresholds=self.init_thresholds)


class FalsePositives(_Count):
    _key = "fp"


class FalseNegatives(_Count):
    _key = "fn"


class TrueNegatives(_Count):
    _key = "tn"


class TruePositives(_Count):
    _key = "tp"


class _Share(_AtThresholds):
    """True positives of all that were predicted, or of all that are."""

    def __init__(self, thresholds=None, top_k=None, class_id=None, name=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        self.thresholds = _parsed(thresholds, 0.5 if top_k is None else _FAR_BELOW)
        self.true_positives = self._count("true_positives")
        self._others = self._count(self._name_of_others)
        setattr(self, self._name_of_others, self._others)

    def update_state(self, y_true, y_pred, sample_weight=None):
        return _update({"tp": self.true_positives, self._key: self._others}, y_true, y_pred, self.thresholds,
                       top_k=self.top_k, class_id=self.class_id, sample_weight=sample_weight)

    def result(self):
        result = math_ops.div_no_nan(self.true_positives, self.true_positives + self._others)
        return result[0] if len(self.thresholds) == 1 else result

    def get_config(self):
        return dict(super().get_config(), thresholds=self.init_thresholds, top_k=self.top_k, class_id=self.class_id)


class Precision(_Share):
    _key, _name_of_others = "fp", "false_positives"


class Recall(_Share):
    _key, _name_of_others = "fn", "false_negatives"


def _option(value, options, words):
    for option in options:
        if value in (option, option.lower(), option.capitalize() if len(option) > 3 else option):
            return option
    raise ValueError('Invalid AUC %s value "%s".' % (words, value))


class AUC(_AtThresholds):
    def __init__(self, num_thresholds=200, curve="ROC", summation_method="interpolation", name=None, dtype=None,
                 thresholds=None):
        if thresholds is not None:
            inner = sorted(thresholds)
        elif num_thresholds <= 1:
            raise ValueError("`num_thresholds` must be > 1.")
        else:
            inner = [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        self.__dict__["thresholds"] = [0.0 - backend.epsilon()] + inner + [1.0 + backend.epsilon()]
        self.__dict__["num_thresholds"] = len(self.thresholds)
        self.__dict__["curve"] = _option(curve, ("PR", "ROC"), "curve")
        self.__dict__["summation_method"] = _option(summation_method, ("interpolation", "majoring", "minoring"),
                                                    "summation method")
        super().__init__(name=name, dtype=dtype)
        self.true_positives = self._count("true_positives")
        self.true_negatives = self._count("true_negatives")
        self.false_positives = self._count("false_positives")
        self.false_negatives = self._count("false_negatives")

    def update_state(self, y_true, y_pred, sample_weight=None):
        counted = {"tp": self.true_positives, "tn": self.true_negatives, "fp": self.false_positives,
                   "fn": self.false_negatives}
        return _update(counted, y_true, y_pred, self.thresholds, sample_weight=sample_weight)

    def _interpolated(self):
        last = self.num_thresholds - 1
        hits = self.true_positives[:last] - self.true_positives[1:]
        all_positive = self.true_positives + self.false_positives
        change = all_positive[:last] - all_positive[1:]
        slope = math_ops.div_no_nan(hits, math_ops.maximum(change, 0), name="prec_slope")
        intercept = self.true_positives[1:] - math_ops.multiply(slope, all_positive[1:])
        ratio = array_ops.where(
            math_ops.logical_and(all_positive[:last] > 0, all_positive[1:] > 0),
            math_ops.div_no_nan(all_positive[:last], math_ops.maximum(all_positive[1:], 0), name="recall_relative_ratio"),
            array_ops.ones_like(all_positive[1:]))
        return math_ops.reduce_sum(math_ops.div_no_nan(
            slope * (hits + intercept * math_ops.log(ratio)),
            math_ops.maximum(self.true_positives[1:] + self.false_negatives[1:], 0), name="pr_auc_increment"),
            name="interpolate_pr_auc")

    def result(self):
        if self.curve == "PR" and self.summation_method == "interpolation":
            return self._interpolated()
        recall = math_ops.div_no_nan(self.true_positives, self.true_positives + self.false_negatives)
        if self.curve == "ROC":
            x = math_ops.div_no_nan(self.false_positives, self.false_positives + self.true_negatives)
            y = recall
        else:
            x = recall
            y = math_ops.div_no_nan(self.true_positives, self.true_positives + self.false_positives)
        last = self.num_thresholds - 1
        if self.summation_method == "interpolation":
            heights = (y[:last] + y[1:]) / 2.
        else:
            pick = math_ops.minimum if self.summation_method == "minoring" else math_ops.maximum
            heights = pick(y[:last], y[1:])
        return math_ops.reduce_sum(math_ops.multiply(x[:last] - x[1:], heights), name=self.name)

    def get_config(self):
        return dict(super().get_config(), num_thresholds=self.num_thresholds, curve=self.curve,
                    summation_method=self.summation_method, thresholds=self.thresholds[1:-1])


class _AtOther(_AtThresholds):
    """One share at the threshold where the other is nearest to what was asked for."""

    def __init__(self, value, num_thresholds=200, name=None, dtype=None):
        if value < 0 or value > 1:
            raise ValueError("`%s` must be in the range [0, 1]." % self._asked)
        super().__init__(name=name, dtype=dtype)
        if num_thresholds <= 0:
            raise ValueError("`num_thresholds` must be > 0.")
        self.value, self.num_thresholds = value, num_thresholds
        inner = [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        self.thresholds = [0.5] if num_thresholds == 1 else [0.0] + inner + [1.0]
        self.true_positives = self._count("true_positives")
        self.true_negatives = self._count("true_negatives")
        self.false_positives = self._count("false_positives")
        self.false_negatives = self._count("false_negatives")

    update_state = AUC.update_state

    def result(self):
        of_positives, of_negatives = (self.true_positives, self.false_negatives), (self.true_negatives, self.false_positives)
        (hits, misses), (true, false) = self._sides(of_positives, of_negatives)
        nearest = math_ops.argmin(math_ops.abs(math_ops.div_no_nan(true, true + false) - self.value), axis=0)
        nearest = math_ops.cast(nearest, dtypes.int32)
        return math_ops.div_no_nan(hits[nearest], hits[nearest] + misses[nearest])

    def get_config(self):
        return dict(super().get_config(), **{"num_thresholds": self.num_thresholds, self._asked: self.value})


class SensitivityAtSpecificity(_AtOther):
    _asked = "specificity"

    def __init__(self, specificity, num_thresholds=200, name=None, dtype=None):
        super().__init__(specificity, num_thresholds, name, dtype)
        self.specificity = specificity

    def _sides(self, positives, negatives):
        return positives, negatives


class SpecificityAtSensitivity(_AtOther):
    _asked = "sensitivity"

    def __init__(self, sensitivity, num_thresholds=200, name=None, dtype=None):
        super().__init__(sensitivity, num_thresholds, name, dtype)
        self.sensitivity = sensitivity

    def _sides(self, positives, negatives):
        return negatives, positives
