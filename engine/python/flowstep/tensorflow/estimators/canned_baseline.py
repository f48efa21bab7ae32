# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator's baselines: what labels alone tell, whatever the features are."""

from .. import losses
from ..framework.graph import control_dependencies
from ..learning import training_util
from ..operators import array_ops, check_ops, math_ops
from ..state import initializers, scope as scope_lib
from . import canned_heads as heads
from .canned import optimizer_instance
from .estimator import Estimator

_RATE = 0.3


def _key_of(weight_column):
    if weight_column is None or isinstance(weight_column, str):
        return weight_column
    # TensorFlow 1.15 asks for a class of columns that numeric_column() no longer makes.
    raise TypeError("Weight column must be either a string or _NumericColumn. Given type: {}.".format(type(weight_column)))


def _rows(features, weight_key):
    """(checks that all features have as many rows, that number)."""
    checks, rows = [], None
    for key, feature in features.items():
        if key == weight_key:
            continue
        found = array_ops.shape(feature)[0]
        if rows is None:
            rows = found
        else:
            checks.append(check_ops.assert_equal(rows, found))
    return checks, rows


def _logits(features, units, weight_column):
    checks, rows = _rows(features, _key_of(weight_column))
    with control_dependencies(checks), scope_lib.variable_scope("baseline"):
        bias = scope_lib.get_variable("bias", shape=[units], initializer=initializers.Zeros)
        return math_ops.multiply(bias, array_ops.ones([rows, units]))


class BaselineEstimator(Estimator):
    _weight_column = None

    def __init__(self, head, model_dir=None, optimizer="Ftrl", config=None):
        def model_fn(features, labels, mode, config):
            logits = _logits(features, head.logits_dimension, self._weight_column)

            def train_op_fn(loss):
                made = optimizer_instance(optimizer, _RATE)
                return made.minimize(loss, global_step=training_util.get_global_step())
            return head.create_estimator_spec(features=features, mode=mode, logits=logits, labels=labels,
                                              train_op_fn=train_op_fn)
        Estimator.__init__(self, model_fn, model_dir=model_dir, config=config)


class BaselineClassifier(BaselineEstimator):
    def __init__(self, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None, optimizer="Ftrl", config=None,
                 loss_reduction=losses.Reduction.SUM):
        self._weight_column = weight_column
        super().__init__(heads.of_classes(n_classes, weight_column, label_vocabulary, loss_reduction), model_dir, optimizer,
                         config)


class BaselineRegressor(BaselineEstimator):
    def __init__(self, model_dir=None, label_dimension=1, weight_column=None, optimizer="Ftrl", config=None,
                 loss_reduction=losses.Reduction.SUM):
        self._weight_column = weight_column
        super().__init__(heads.RegressionHead(label_dimension, weight_column, loss_reduction), model_dir, optimizer, config)


NAMES = "BaselineClassifier BaselineEstimator BaselineRegressor".split()
