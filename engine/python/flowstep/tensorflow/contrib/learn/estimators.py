# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.learn.Estimator: fit, evaluate and predict around a model function, fed arrays or by an input function."""

import collections
import inspect
import os
import tempfile

import numpy as np

from ... import metrics as metrics_lib
from ...control import control_flow
from ...estimators.estimator import Estimator as CoreEstimator
from ...framework import graph as graph_lib
from ...framework import ops, tf_logging as logging
from ...framework.graph import Graph, GraphKeys, Operation
from ...learning import training_util
from ...operators import array_ops
from ...operators import random_ops
from ...saving import checkpoint_state
from ...saving import saver as saver_lib
from ...sessions import hooks as hooks_lib
from ...sessions import monitored_session
from .. import evaluation
from . import feeding
from .metric_spec import MetricSpec
from .monitors import replace_monitors_with_hooks
from .run_config import RunConfig


class NotFittedError(ValueError, AttributeError):
    """There is no checkpoint of the model."""


class ModeKeys:
    TRAIN, EVAL, INFER = "train", "eval", "infer"

    @classmethod
    def validate(cls, key):
        if key not in (cls.TRAIN, cls.EVAL, cls.INFER):
            raise ValueError("Invalid mode %s." % key)


_Fields = collections.namedtuple("ModelFnOps", [
    "predictions", "loss", "train_op", "eval_metric_ops", "output_alternatives", "training_chief_hooks", "training_hooks",
    "scaffold", "mode"])


def _tensors(values):
    if isinstance(values, dict):
        return {key: ops.convert_to_tensor(value) for key, value in values.items()}
    return values if values is None else ops.convert_to_tensor(values)


class ModelFnOps(_Fields):
    """What a model function gives for a mode."""

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metric_ops=None, output_alternatives=None,
                training_chief_hooks=None, training_hooks=None, scaffold=None):
        ModeKeys.validate(mode)
        if train_op is None:
            if mode == ModeKeys.TRAIN:
                raise ValueError("Missing train_op.")
        elif not isinstance(train_op, Operation):
            train_op = ops.convert_to_tensor(train_op).op
        if loss is None:
            if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
                raise ValueError("Missing loss.")
        else:
            loss = ops.convert_to_tensor(loss)
            if loss.shape.num_elements() not in (None, 1):
                raise ValueError("Loss must be scalar: %s." % loss)
            if not loss.shape.is_compatible_with([]):
                loss = array_ops.reshape(loss, [])
        if predictions is None and mode != ModeKeys.TRAIN:
            raise ValueError("Missing predictions.")
        if eval_metric_ops is not None and not isinstance(eval_metric_ops, dict):
            raise ValueError("eval_metric_ops must be a dict.")
        for hook in (training_hooks or []) + (training_chief_hooks or []):
            if not isinstance(hook, hooks_lib.SessionRunHook):
                raise TypeError("All hooks returned from model_fn must be SessionRunHook instances, got instance of %s: %s"
                                % (type(hook), hook))
        return super().__new__(cls, _tensors(predictions), loss, train_op, eval_metric_ops or {}, output_alternatives,
                               training_chief_hooks or [], training_hooks or [], scaffold, mode)


def _metric_ops(wanted, features, labels, predictions):
    if isinstance(labels, dict) and len(labels) == 1:
        label, = labels.values()
    else:
        label = labels
    found = {}
    for name, metric in sorted(wanted.items()):
        if isinstance(metric, MetricSpec):
            found[name] = metric.create_metric_ops(features, labels, predictions)
        elif isinstance(name, tuple):
            known = labels if isinstance(labels, dict) and name[1] in labels else {name[1]: label}
            found[name[0]] = metric(predictions[name[1]], known[name[1]])
        elif isinstance(predictions, dict):
            raise ValueError("Metrics passed provide only name, no prediction, but predictions are dict. Metrics: %s, "
                             "Labels: %s." % (wanted, label))
        else:
            found[name] = metric(predictions, label)
    return found


def _placeholders(labels):
    """Labels that a model function may look at where there are none: as those it was trained with."""
    if isinstance(labels, dict):
        return {key: _placeholders(value) for key, value in labels.items()}
    return labels if labels is None else array_ops.placeholder(labels[0], [None] + labels[1])


def _signature(labels):
    if isinstance(labels, dict):
        return {key: _signature(value) for key, value in labels.items()}
    return labels if labels is None else (labels.dtype, labels.shape.as_list()[1:])


class Estimator:
    def __init__(self, model_fn=None, model_dir=None, config=None, params=None, feature_engineering_fn=None):
        self.config = config or RunConfig()
        known = self.config.model_dir
        if model_dir is not None and known is not None and model_dir != known:
            raise ValueError("model_dir are set both in constructor and RunConfig, but with different values. In constructor: "
                             "'{}', in RunConfig: '{}' ".format(model_dir, known))
        self.model_dir = model_dir or known
        if self.model_dir is None:
            self.model_dir = tempfile.mkdtemp()
            logging.warning("Using temporary folder as model directory: %s", self.model_dir)
        self.config.model_dir = self.model_dir
        self.params, self._model_fn, self._label_signature = params, model_fn, None
        self._engineer = feature_engineering_fn or (lambda features, labels: (features, labels))
        if model_fn is not None and params is not None and "params" not in inspect.signature(model_fn).parameters:
            raise ValueError("Estimator's model_fn (%s) does not have a params argument, but params (%s) were passed to the "
                             "Estimator's constructor." % (model_fn, params))

    def get_variable_names(self):
        return [name for name, _ in checkpoint_state.list_variables(self.model_dir)]

    def get_variable_value(self, name):
        return checkpoint_state.load_variable(self.model_dir, name)

    # -- making the graph

    def _begin(self):
        random_ops.set_random_seed(self.config.tf_random_seed)
        return training_util.create_global_step()

    def _call_model_fn(self, features, labels, mode, metrics=None):
        features, labels = self._engineer(features, labels)
        known = {"mode": mode, "params": self.params, "config": self.config, "model_dir": self.model_dir}
        names = inspect.signature(self._model_fn).parameters
        made = self._model_fn(features, labels, **{name: value for name, value in known.items() if name in names})
        if not isinstance(made, ModelFnOps):
            if len(made) != 3:
                raise ValueError("Unrecognized value returned by model_fn, please return ModelFnOps.")
            made = ModelFnOps(mode, predictions=made[0], loss=made[1], train_op=made[2])
        made.eval_metric_ops.update(_metric_ops(metrics or {}, features, labels, made.predictions))
        return made

    def _checkpoint(self, path=None):
        path = path or checkpoint_state.latest_checkpoint(self.model_dir)
        if not path:
            raise NotFittedError("Couldn't find trained model at %s." % self.model_dir)
        return path

    # -- training

    def fit(self, x=None, y=None, input_fn=None, steps=None, batch_size=None, monitors=None, max_steps=None):
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        feeding.check(x, y, input_fn, batch_size)
        if x is not None:
            SKCompat(self).fit(x, y, batch_size, steps, max_steps, monitors)
            return self
        path = checkpoint_state.latest_checkpoint(self.model_dir)
        if max_steps is not None and path and checkpoint_state.load_variable(path, GraphKeys.GLOBAL_STEP) >= max_steps:
            logging.info("Skipping training since max_steps has already saved.")
            return self
        hooks = replace_monitors_with_hooks(monitors, self)
        if steps is not None or max_steps is not None:
            hooks.append(hooks_lib.StopAtStepHook(steps, max_steps))
        logging.info("Loss for final step: %s.", self._train(input_fn, hooks))
        return self

    def partial_fit(self, x=None, y=None, input_fn=None, steps=1, batch_size=None, monitors=None):
        logging.warning("The current implementation of partial_fit is not optimized for use in a loop. Consider using fit() "
                        "instead.")
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def _train(self, input_fn, hooks):
        config = self.config
        with Graph().as_default():
            step = self._begin()
            features, labels = input_fn()
            self._label_signature = self._label_signature or _signature(labels)
            training_util.get_or_create_global_step_read()
            made = self._call_model_fn(features, labels, ModeKeys.TRAIN)
            graph_lib.add_to_collection(GraphKeys.LOSSES, made.loss)
            hooks = hooks + [hooks_lib.NanTensorHook(made.loss),
                             hooks_lib.LoggingTensorHook({"loss": made.loss, "step": step}, every_n_iter=100)]
            hooks += made.training_hooks
            scaffold = made.scaffold or monitored_session.Scaffold()
            if not (scaffold.saver or graph_lib.get_collection(GraphKeys.SAVERS)):
                graph_lib.add_to_collection(GraphKeys.SAVERS, saver_lib.Saver(
                    sharded=True, max_to_keep=config.keep_checkpoint_max, defer_build=True,
                    keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours, save_relative_paths=True))
            chief = list(made.training_chief_hooks)
            saves = config.save_checkpoints_secs or config.save_checkpoints_steps
            if saves and not any(isinstance(hook, hooks_lib.CheckpointSaverHook) for hook in hooks + chief):
                chief.insert(0, hooks_lib.CheckpointSaverHook(
                    self.model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
                    scaffold=scaffold))
            loss = None
            with monitored_session.MonitoredTrainingSession(
                    checkpoint_dir=self.model_dir, scaffold=scaffold, hooks=hooks, chief_only_hooks=chief,
                    save_checkpoint_secs=0, save_summaries_steps=config.save_summary_steps,
                    config=config.session_config) as session:
                while not session.should_stop():
                    _, loss = session.run([made.train_op, made.loss])
            return loss

    # -- evaluation

    def evaluate(self, x=None, y=None, input_fn=None, feed_fn=None, batch_size=None, steps=None, metrics=None, name=None,
                 checkpoint_path=None, hooks=None, log_progress=True):
        feeding.check(x, y, input_fn, batch_size)
        if x is not None:
            return SKCompat(self).score(x, y, batch_size, steps, metrics, name)
        return self._evaluate(input_fn, steps, feed_fn, metrics, checkpoint_path, hooks, name)

    def _evaluate(self, input_fn, steps=None, feed_fn=None, metrics=None, checkpoint_path=None, hooks=None, name=None):
        if metrics is not None and not isinstance(metrics, dict):
            raise ValueError("Metrics argument should be None or dict. Got %s." % metrics)
        path = self._checkpoint(checkpoint_path)
        with Graph().as_default():
            step = self._begin()
            features, labels = input_fn()
            made = self._call_model_fn(features, labels, ModeKeys.EVAL, metrics)
            found = made.eval_metric_ops
            if "loss" not in found:
                found["loss"] = metrics_lib.mean(made.loss)
            updates = [value[1] for value in found.values() if isinstance(value, (list, tuple)) and len(value) == 2]
            values = {key: value[0] if isinstance(value, (list, tuple)) and len(value) == 2 else value
                      for key, value in found.items()}
            update = control_flow.group(*updates) if updates else None
            hooks = list(hooks or [])
            if feed_fn:
                hooks.append(hooks_lib.FeedFnHook(feed_fn))
            if steps:
                hooks.append(evaluation.StopAfterNEvalsHook(steps))
            values[GraphKeys.GLOBAL_STEP] = step
            results = evaluation.evaluate_once(path, scaffold=made.scaffold, eval_ops=update, final_ops=values, hooks=hooks,
                                               config=self.config.session_config)
        CoreEstimator.write_values(os.path.join(self.model_dir, "eval" if not name else "eval_" + name), results, None)
        return results

    # -- prediction

    def predict(self, x=None, input_fn=None, batch_size=None, outputs=None, as_iterable=True, iterate_batches=False):
        feeding.check(x, None, input_fn, batch_size)
        feed_fn = None
        if x is not None:
            if not as_iterable:
                return SKCompat(self).predict(x, batch_size)
            input_fn, feed_fn = feeding.functions(x, None, batch_size)
        return self._infer(input_fn, feed_fn, outputs, as_iterable, iterate_batches)

    def _infer(self, input_fn, feed_fn=None, outputs=None, as_iterable=True, iterate_batches=False):
        path = self._checkpoint()
        with Graph().as_default():
            self._begin()
            given = input_fn()
            features = given[0] if isinstance(given, (list, tuple)) else given
            made = self._call_model_fn(features, _placeholders(self._label_signature), ModeKeys.INFER)
            wanted = self._outputs(made.predictions, outputs)
            session = monitored_session.MonitoredSession(session_creator=monitored_session.ChiefSessionCreator(
                scaffold=made.scaffold, checkpoint_filename_with_path=path, config=self.config.session_config))
        if not as_iterable:
            with session:
                return session.run(wanted, feed_fn() if feed_fn else None)
        found = self._batches(session, wanted, feed_fn)
        return found if iterate_batches else self._rows(found)

    @staticmethod
    def _outputs(predictions, outputs):
        if not outputs:
            return predictions
        if not isinstance(predictions, dict):
            raise ValueError("outputs argument is not valid in case of non-dict predictions.")
        chosen = {key: value for key, value in predictions.items() if key in outputs}
        if not chosen:
            raise ValueError("Expected to run at least one output from %s, provided %s." % (predictions.keys(), outputs))
        return chosen

    @staticmethod
    def _batches(session, wanted, feed_fn):
        with session:
            # What neither queues nor feeds change is asked for once.
            again = feed_fn is not None or session.graph.get_collection(GraphKeys.QUEUE_RUNNERS)
            while not session.should_stop():
                yield session.run(wanted, feed_fn() if feed_fn else None)
                if not again:
                    return

    @staticmethod
    def _rows(batches):
        for found in batches:
            if not isinstance(found, dict):
                yield from found
                continue
            for i in range(len(next(iter(found.values())))):
                yield {key: value[i] for key, value in found.items()}


class SKCompat:
    """An estimator that is given arrays."""

    def __init__(self, estimator):
        self._estimator = estimator

    def fit(self, x, y, batch_size=128, steps=None, max_steps=None, monitors=None):
        input_fn, feed_fn = feeding.functions(x, y, batch_size, shuffle=True, epochs=None)
        self._estimator.fit(input_fn=input_fn, steps=steps, max_steps=max_steps,
                            monitors=[hooks_lib.FeedFnHook(feed_fn)] + list(monitors or []))
        return self

    def score(self, x, y, batch_size=128, steps=None, metrics=None, name=None):
        input_fn, feed_fn = feeding.functions(x, y, batch_size)
        return self._estimator._evaluate(input_fn, steps, feed_fn, metrics, name=name)

    def predict(self, x, batch_size=128, outputs=None):
        input_fn, feed_fn = feeding.functions(x, None, batch_size)
        found = list(self._estimator._infer(input_fn, feed_fn, outputs, iterate_batches=True))
        if not isinstance(found[0], dict):
            return np.concatenate(found, axis=0)
        return {key: np.concatenate([each[key] for each in found], axis=0) for key in found[0]}
