# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.metrics that keep more than a sum: of each element, of each pair of classes, relative to given values."""

import numpy as np

from .. import dtypes
from ..framework import graph as graph_lib
from ..framework.graph import Tensor
from ..operators import array_ops, confusion, math_ops, weights as weights_lib
from ..state import initializers
from . import backend, losses
from .metrics import Mean, MeanMetricWrapper, Metric, _same_rank


class CosineSimilarity(MeanMetricWrapper):
    def __init__(self, name="cosine_similarity", dtype=None, axis=-1):
        super().__init__(losses.cosine_similarity, name, dtype=dtype, axis=axis)


class MeanRelativeError(Mean):
    """Of the differences, each divided by a value that was given."""

    def __init__(self, normalizer, name=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.normalizer = math_ops.cast(normalizer, self._dtype)

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true, y_pred = math_ops.cast(y_true, self._dtype), math_ops.cast(y_pred, self._dtype)
        y_pred, y_true = _same_rank(y_pred, y_true)
        y_pred, self.normalizer = confusion.remove_squeezable_dimensions(y_pred, self.normalizer)
        y_pred.shape.assert_is_compatible_with(y_true.shape)
        return super().update_state(math_ops.div_no_nan(math_ops.abs(y_true - y_pred), self.normalizer),
                                    sample_weight=sample_weight)

    def get_config(self):
        known = backend.eval(self.normalizer) if isinstance(self.normalizer, Tensor) else self.normalizer
        return dict(super().get_config(), normalizer=known)


class MeanIoU(Metric):
    """What prediction and label have in common of what either has, over the classes."""

    def __init__(self, num_classes, name=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.num_classes = num_classes
        self.total_cm = self.add_weight("total_confusion_matrix", shape=(num_classes, num_classes),
                                        initializer=initializers.Zeros, dtype=dtypes.float64)

    def update_state(self, y_true, y_pred, sample_weight=None):
        def flat(x):
            return array_ops.reshape(x, [-1]) if x is not None and x.shape.ndims > 1 else x
        y_true, y_pred = math_ops.cast(y_true, self._dtype), math_ops.cast(y_pred, self._dtype)
        y_pred, y_true, sample_weight = flat(y_pred), flat(y_true), flat(sample_weight)
        return self.total_cm.assign_add(confusion.confusion_matrix(
            y_true, y_pred, self.num_classes, weights=sample_weight, dtype=dtypes.float64))

    def result(self):
        predicted = math_ops.cast(math_ops.reduce_sum(self.total_cm, axis=0), dtype=self._dtype)
        labelled = math_ops.cast(math_ops.reduce_sum(self.total_cm, axis=1), dtype=self._dtype)
        both = math_ops.cast(array_ops.diag_part(self.total_cm), dtype=self._dtype)
        either = predicted + labelled - both
        seen = math_ops.reduce_sum(math_ops.cast(math_ops.not_equal(either, 0), dtype=self._dtype))
        return math_ops.div_no_nan(math_ops.reduce_sum(math_ops.div_no_nan(both, either), name="mean_iou"), seen)

    def reset_states(self):
        backend.set_value(self.total_cm, np.zeros((self.num_classes, self.num_classes)))

    def get_config(self):
        return dict(super().get_config(), num_classes=self.num_classes)


class MeanTensor(Metric):
    """Of each element. Its variables are made when the first values come."""

    def __init__(self, name="mean_tensor", dtype=None):
        super().__init__(name=name, dtype=dtype)
        self._shape = self._total = self._count = None

    total = property(lambda self: self._total)
    count = property(lambda self: self._count)

    def _make(self, shape):
        self._shape = shape
        self._total = self.add_weight("total", shape=shape, initializer=initializers.Zeros)
        self._count = self.add_weight("count", shape=shape, initializer=initializers.Zeros)
        with graph_lib.init_scope():
            backend.get_session()

    def update_state(self, values, sample_weight=None):
        values = math_ops.cast(values, self._dtype)
        if self._total is None:
            self._make(values.shape)
        elif values.shape != self._shape:
            raise ValueError("MeanTensor input values must always have the same shape. Expected shape (set during the first "
                             "call): {}. Got: {}".format(self._shape, values.shape))
        number = array_ops.ones_like(values)
        if sample_weight is not None:
            sample_weight = losses._fit_weights(values, math_ops.cast(sample_weight, self._dtype))
            sample_weight = weights_lib.broadcast_weights(sample_weight, values)
            number = math_ops.multiply(number, sample_weight)
            values = math_ops.multiply(values, sample_weight)
        with graph_lib.control_dependencies([self._total.assign_add(values)]):
            return self._count.assign_add(number)

    def result(self):
        if self._total is None:
            raise ValueError("MeanTensor does not have any result yet. Please call the MeanTensor instance or use "
                             "`.update_state(value)` before retrieving the result.")
        return math_ops.div_no_nan(self._total, self._count)

    def reset_states(self):
        if self._total is not None:
            backend.batch_set_value([(v, np.zeros(self._shape.as_list())) for v in self.variables])
