# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator.EstimatorSpec: what a model function gives, looked over as it is given."""

import collections

from .. import nest
from ..framework.graph import GraphKeys, Operation, Tensor, get_default_graph
from ..operators import array_ops
from ..sessions import hooks as hooks_lib, monitored_session
from ..state.variables import Variable
from . import estimator_export


class ModeKeys:
    TRAIN, EVAL, PREDICT = "train", "eval", "infer"


_ELSEWHERE = ('{0} with "{1}" must be from the default graph. Possible causes of this error include: \n\n1) {0} was created '
              "outside the context of the default graph.\n\n2) The object passed through to EstimatorSpec was not created in "
              'the most recent call to "model_fn".')


def _require_tensor(value, what):
    if not isinstance(value, Tensor):
        raise TypeError("{} must be Tensor, given: {}".format(what, value))


def _require_here(value, what, name):
    if value.graph is not get_default_graph():
        raise ValueError(_ELSEWHERE.format(what, name))


def _train_op(train_op, mode):
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if not isinstance(train_op, (Operation, Tensor, Variable)):
        raise TypeError("train_op must be Operation or Tensor, given: {}".format(train_op))
    if isinstance(train_op, Variable):
        train_op = train_op.op
    _require_here(train_op, "train_op", train_op.name)
    return train_op


def _loss(loss, mode):
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    _require_tensor(loss, "loss")
    if loss.shape.num_elements() not in (None, 1):
        raise ValueError("Loss must be scalar, given: {}".format(loss))
    if not loss.shape.is_compatible_with([]):
        loss = array_ops.reshape(loss, [])
    _require_here(loss, "loss", loss.name)
    return loss


def _predictions(predictions, mode):
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    if not isinstance(predictions, dict):
        _require_tensor(predictions, "predictions")
        _require_here(predictions, "prediction values", predictions.name)
        return predictions
    for key, value in predictions.items():
        _require_tensor(value, "predictions[{}]".format(key))
    for key, value in predictions.items():
        _require_here(value, "prediction values", "{}: {}".format(key, value.name))
    return dict(predictions)


def _hooks(hooks):
    hooks = tuple(hooks or [])
    for hook in hooks:
        if not isinstance(hook, hooks_lib.SessionRunHook):
            raise TypeError("All hooks must be SessionRunHook instances, given: {}".format(hook))
    return hooks


def _is_metric(value):
    return hasattr(value, "updates") and hasattr(value, "result")


def _metric_values(value):
    return list(value.updates) + [value.result()] if _is_metric(value) else nest.flatten(value)


def _collect(metric):
    """A metric object's variables are initialised and found as those of a metric function."""
    for key in (GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES):
        known = get_default_graph().get_collection_ref(key)
        known.extend(v for v in metric.variables if not any(v is k for k in known))


def _metrics(given):
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise TypeError("eval_metric_ops must be a dict, given: {}".format(given))
    for key, value in given.items():
        if _is_metric(value):
            if not value.updates:
                raise ValueError('Please call update_state(...) on the "{}" metric'.format(value.name))
        elif not isinstance(value, tuple) or len(value) != 2:
            raise TypeError("Values of eval_metric_ops must be (metric_value, update_op) tuples, given: {} for key: {}".format(
                value, key))
    for key, value in given.items():
        for item in _metric_values(value):
            _require_here(item, "eval_metric_ops", "{}: {}".format(key, item.name))
    for key, value in given.items():
        if _is_metric(value):
            _collect(value)
            given[key] = (value.result(), value.updates[0])
    return given


def _scaffold(scaffold):
    scaffold = scaffold or monitored_session.Scaffold()
    if not isinstance(scaffold, monitored_session.Scaffold):
        raise TypeError("scaffold must be tf.train.Scaffold. Given: {}".format(scaffold))
    return scaffold


_Fields = collections.namedtuple("EstimatorSpec", [
    "mode", "predictions", "loss", "train_op", "eval_metric_ops", "export_outputs", "training_chief_hooks",
    "training_hooks", "scaffold", "evaluation_hooks", "prediction_hooks"])


class EstimatorSpec(_Fields):
    """What a model function gives for a mode."""

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metric_ops=None, export_outputs=None,
                training_chief_hooks=None, training_hooks=None, scaffold=None, evaluation_hooks=None,
                prediction_hooks=None):
        train_op, loss = _train_op(train_op, mode), _loss(loss, mode)
        predictions = _predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = estimator_export.export_outputs(export_outputs, predictions)
        training_hooks, evaluation_hooks = _hooks(training_hooks), _hooks(evaluation_hooks)
        prediction_hooks, training_chief_hooks = _hooks(prediction_hooks), _hooks(training_chief_hooks)
        return super().__new__(cls, mode, predictions, loss, train_op, _metrics(eval_metric_ops), export_outputs,
                               training_chief_hooks, training_hooks, _scaffold(scaffold), evaluation_hooks,
                               prediction_hooks)

    def _replace(self, **values):
        if values.get("mode", self.mode) != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        return EstimatorSpec(**dict(self._asdict(), **values))
