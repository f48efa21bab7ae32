# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.train.experimental: losses scaled so that gradients of few bits do not vanish, and state that Python keeps."""

import abc

from .. import dtypes, nest
from ..control import control_flow
from ..framework import tf_logging as logging
from ..framework.ops import IndexedSlices, constant, convert_to_tensor
from ..operators import math_ops
from ..saving.trackable import AutoTrackable
from ..sessions import settings
from ..state.variables import ResourceVariable
from . import optimizers


class LossScale(AutoTrackable, metaclass=abc.ABCMeta):
    """By what losses are multiplied, and how that changes with the gradients."""

    @abc.abstractmethod
    def __call__(self):
        """The scale, as a tensor."""

    @abc.abstractmethod
    def update(self, grads):
        """(an op that changes it, whether the gradients are to be applied)."""

    @abc.abstractmethod
    def get_config(self):
        """What its constructor takes."""

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class FixedLossScale(LossScale):
    def __init__(self, loss_scale_value):
        if not isinstance(loss_scale_value, (int, float)):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._loss_scale_value = float(loss_scale_value)

    def __call__(self):
        return convert_to_tensor(self._loss_scale_value)

    def update(self, grads):
        return control_flow.no_op(), True

    def __repr__(self):
        return "FixedLossScale(%s)" % self._loss_scale_value

    def get_config(self):
        return {"loss_scale_value": self._loss_scale_value}


class DynamicLossScale(LossScale):
    """Grows while gradients are finite, and shrinks when they are not."""

    def __init__(self, initial_loss_scale=2 ** 15, increment_period=2000, multiplier=2.):
        self.initial_loss_scale, self.increment_period = float(initial_loss_scale), int(increment_period)
        self.multiplier = float(multiplier)
        self._current = ResourceVariable(self.initial_loss_scale, name="current_loss_scale", dtype=dtypes.float32,
                                         trainable=False)
        self._good_steps = ResourceVariable(0, name="good_steps", dtype=dtypes.int64, trainable=False)

    def __call__(self):
        return convert_to_tensor(self._current)

    def _if_finite(self):
        def grow():
            larger = self._current * self.multiplier
            grown = control_flow.cond(math_ops.is_finite(larger), lambda: self._current.assign(larger).op, control_flow.no_op)
            return control_flow.group(grown, self._good_steps.assign(0))
        return control_flow.cond(self._good_steps + 1 >= self.increment_period, grow,
                                 lambda: self._good_steps.assign_add(1).op)

    def _if_not_finite(self):
        smaller = math_ops.maximum(self._current / self.multiplier, 1)
        return control_flow.group(self._good_steps.assign(0), self._current.assign(smaller))

    def update(self, grads):
        finite = [math_ops.reduce_all(math_ops.is_finite(g)) for g in nest.flatten(grads) if g is not None]
        finite = math_ops.reduce_all(finite)
        return control_flow.cond(finite, self._if_finite, self._if_not_finite), finite

    def get_config(self):
        return {name: getattr(self, name) for name in ("initial_loss_scale", "increment_period", "multiplier")}

    def __repr__(self):
        return "DynamicLossScale(initial_loss_scale=%s, increment_period=%s, multiplier=%s)" % (
            self.initial_loss_scale, self.increment_period, self.multiplier)


def _scale_of(identifier):
    if isinstance(identifier, (int, float)):
        return FixedLossScale(identifier)
    if identifier == "dynamic":
        return DynamicLossScale()
    if isinstance(identifier, LossScale) or identifier is None:
        return identifier
    raise ValueError("Could not interpret loss scale identifier: %s" % identifier)


class MixedPrecisionLossScaleOptimizer(optimizers.Optimizer):
    """An optimizer whose losses are scaled, and whose gradients are scaled back."""

    def __init__(self, opt, loss_scale):
        if not isinstance(opt, optimizers.Optimizer):
            raise ValueError('"opt" must be an instance of Optimizer, but got: %s' % type(opt))
        super().__init__(opt._use_locking, opt.get_name())
        self._optimizer, self._loss_scale = opt, _scale_of(loss_scale)

    def compute_gradients(self, loss, var_list=None, gate_gradients=optimizers.Optimizer.GATE_OP, aggregation_method=None,
                          colocate_gradients_with_ops=False, grad_loss=None):
        scale = self._loss_scale()
        scaled = (lambda: loss() * scale) if callable(loss) else loss * scale
        pairs = self._optimizer.compute_gradients(
            loss=scaled, var_list=var_list, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss)
        back = 1 / self._loss_scale()
        return [(self._scaled_back(g, back), v) for g, v in pairs]

    @staticmethod
    def _scaled_back(grad, back):
        if grad is None:
            return None
        if isinstance(grad, IndexedSlices):
            return IndexedSlices(grad.values * back, grad.indices, grad.dense_shape)
        return grad * back

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        if not isinstance(self._loss_scale, DynamicLossScale):
            return self._optimizer.apply_gradients(grads_and_vars, global_step, name)
        grads_and_vars, name = tuple(grads_and_vars), name or self.get_name()
        update, wanted = self._loss_scale.update([g for g, _ in grads_and_vars])

        def apply():
            constant(0, dtypes.int32)   # TF: the number of the replica, of which there is one
            return self._optimizer.apply_gradients(grads_and_vars, global_step, name + "-wrapped")
        applied = control_flow.cond(wanted, apply, control_flow.no_op)
        return control_flow.group(applied, update, name=name)


_rewritten = [False]


def enable_mixed_precision_graph_rewrite(opt, loss_scale="dynamic"):
    """The optimizer with a scaled loss; on a CPU TensorFlow rewrites no graph to fewer bits either."""
    if isinstance(opt, MixedPrecisionLossScaleOptimizer):
        raise ValueError('"opt" must not already be an instance of a MixedPrecisionLossScaleOptimizer. '
                         "`enable_mixed_precision_graph_rewrite` will automatically wrap the optimizer with a "
                         "MixedPrecisionLossScaleOptimizer.")
    if not isinstance(opt, optimizers.Optimizer):
        raise ValueError('"opt" must be an instance of a tf.train.Optimizer or a tf.keras.optimizers.Optimizer, but got: %s' %
                         opt)
    wrapped = MixedPrecisionLossScaleOptimizer(opt, loss_scale)
    settings.set_experimental_options({"auto_mixed_precision": True})
    _rewritten[0] = True
    return wrapped


def disable_mixed_precision_graph_rewrite():
    if not _rewritten[0]:
        logging.warn("disable_mixed_precision_graph_rewrite() called when mixed precision is already disabled.")
    settings.set_experimental_options({"auto_mixed_precision": False})
    _rewritten[0] = False


class PythonState(metaclass=abc.ABCMeta):
    """Base of what a script keeps in checkpoints as a string."""

    @abc.abstractmethod
    def serialize(self):
        """The string."""

    @abc.abstractmethod
    def deserialize(self, string_value):
        """Takes it back."""


NAMES = """DynamicLossScale FixedLossScale LossScale MixedPrecisionLossScaleOptimizer PythonState
    disable_mixed_precision_graph_rewrite enable_mixed_precision_graph_rewrite""".split()
