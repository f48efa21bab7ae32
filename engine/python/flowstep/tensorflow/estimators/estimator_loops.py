# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator.train_and_evaluate, what it is told, what it exports and what stops it early."""

import collections
import glob
import operator
import os
import shutil

from .. import dtypes
from ..framework import tf_logging as logging
from ..framework.graph import GraphKeys
from ..learning import training_util
from ..operators import state_ops
from ..saving import event_writer
from ..sessions import hooks as hooks_lib
from ..state import initializers, scope
from .estimator import Estimator

# -- exporters


class Exporter:
    """Writes a model that has just been evaluated."""

    @property
    def name(self):
        raise NotImplementedError

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        raise NotImplementedError


class _SavedModels(Exporter):
    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False, exports_to_keep=None,
                 words="`exports_to_keep`, if provided, must be positive number"):
        self._name, self._receiver_fn, self._assets, self._as_text = name, serving_input_receiver_fn, assets_extra, as_text
        self._keep = exports_to_keep
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(words)

    name = property(lambda self: self._name)

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        return estimator.export_saved_model(export_path, self._receiver_fn, assets_extra=self._assets,
                                            as_text=self._as_text, checkpoint_path=checkpoint_path)

    def _drop_old(self, folder):
        if self._keep is None:
            return
        versions = sorted(n for n in os.listdir(folder) if len(n) == 10 and n.isdigit()) if os.path.isdir(folder) else []
        for name in versions[:-self._keep]:
            shutil.rmtree(os.path.join(folder, name))


class FinalExporter(_SavedModels):
    """Once, at the end."""

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        if not is_the_final_export:
            return None
        logging.info("Performing the final export in the end of training.")
        return super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)


class LatestExporter(_SavedModels):
    """Each time; old ones go."""

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False, exports_to_keep=5):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        result = super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)
        self._drop_old(export_path)
        return result


def _loss_smaller(best_eval_result, current_eval_result):
    for name, result in (("best_eval_result", best_eval_result), ("current_eval_result", current_eval_result)):
        if not result or "loss" not in result:
            raise ValueError("%s cannot be empty or no loss is found in it." % name)
    return best_eval_result["loss"] > current_eval_result["loss"]


class BestExporter(_SavedModels):
    """Where a model is better than all before."""

    def __init__(self, name="best_exporter", serving_input_receiver_fn=None, event_file_pattern="eval/*.tfevents.*",
                 compare_fn=_loss_smaller, assets_extra=None, as_text=False, exports_to_keep=5):
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        names = Estimator._names(compare_fn)
        for wanted in ("best_eval_result", "current_eval_result"):
            if wanted not in names:
                raise ValueError("compare_fn (%s) must include %s argument." % (compare_fn, wanted))
        more = list(names - {"best_eval_result", "current_eval_result"})
        if more:
            raise ValueError("compare_fn (%s) has following not expected args: %s" % (compare_fn, more))
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep,
                         "`exports_to_keep`, if provided, must be a positive number. Got %s" % exports_to_keep)
        self._is_better, self._pattern, self._model_dir, self._best = compare_fn, event_file_pattern, None, None

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        if self._model_dir != estimator.model_dir and self._pattern:
            logging.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            self._best = self._best_of(os.path.join(self._model_dir, self._pattern))
        if self._best is not None and not self._is_better(best_eval_result=self._best, current_eval_result=eval_result):
            return None
        logging.info("Performing best model export.")
        self._best = eval_result
        result = super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)
        self._drop_old(export_path)
        return result

    def _best_of(self, pattern):
        best = None
        for _, values in _evaluations(pattern):
            if best is None or self._is_better(best, values):
                best = values
        return best


def _evaluations(pattern):
    """(step, values by tag) of each event with values in files."""
    for path in sorted(glob.glob(pattern)):
        for event in event_writer.summary_iterator(path):
            if event.HasField("summary"):
                values = {v.tag: v.simple_value for v in event.summary.value if v.HasField("simple_value")}
                if values:
                    yield event.step, values


# -- what to do


def _checked_input_fn(input_fn):
    if not callable(input_fn):
        raise TypeError("`input_fn` must be callable, given: {}".format(input_fn))
    return input_fn


def _checked_hooks(hooks):
    hooks = tuple(hooks or [])
    for hook in hooks:
        if not isinstance(hook, hooks_lib.SessionRunHook):
            raise TypeError("All hooks must be `SessionRunHook` instances, given: {}".format(hook))
    return hooks


def _checked_exporters(exporters):
    if not exporters:
        return ()
    given = [exporters] if isinstance(exporters, Exporter) else exporters
    if not isinstance(given, collections.abc.Iterable) or not all(isinstance(e, Exporter) for e in given):
        raise TypeError("`exporters` must be an Exporter, an iterable of Exporter, or `None`, found %s." % exporters)
    names = [e.name for e in given]
    for i, name in enumerate(names):
        if not name:
            raise ValueError("An Exporter cannot have a name that is `None` or empty. All exporter names: {}".format(names))
        if not isinstance(name, str):
            raise ValueError("An Exporter must have a string name. Given: {}".format(type(name)))
        if name in names[:i]:
            raise ValueError("`exporters` must have unique names. Such a name cannot be `None`. All exporter names: "
                             "{}".format(names))
    return tuple(given)


class TrainSpec(collections.namedtuple("TrainSpec", ["input_fn", "max_steps", "hooks"])):
    def __new__(cls, input_fn, max_steps=None, hooks=None):
        _checked_input_fn(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError("Must specify max_steps > 0, given: {}".format(max_steps))
        return super().__new__(cls, input_fn, max_steps, _checked_hooks(hooks))


class EvalSpec(collections.namedtuple("EvalSpec", ["input_fn", "steps", "name", "hooks", "exporters",
                                                   "start_delay_secs", "throttle_secs"])):
    def __new__(cls, input_fn, steps=100, name=None, hooks=None, exporters=None, start_delay_secs=120, throttle_secs=600):
        _checked_input_fn(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError("Must specify steps > 0, given: {}".format(steps))
        if name is not None and not isinstance(name, str):
            raise TypeError("`name` must be string, given: {}".format(name))
        hooks, exporters = _checked_hooks(hooks), _checked_exporters(exporters)
        if start_delay_secs < 0:
            raise ValueError("Must specify start_delay_secs >= 0, given: {}".format(start_delay_secs))
        if throttle_secs < 0:
            raise ValueError("Must specify throttle_secs >= 0, given: {}".format(throttle_secs))
        return super().__new__(cls, input_fn, steps, name, hooks, exporters, start_delay_secs, throttle_secs)


# -- train_and_evaluate


class _Evaluator(hooks_lib.CheckpointSaverListener):
    """Evaluates and exports after each checkpoint but the first, if the last time is long enough ago, and at the end."""

    def __init__(self, estimator, spec, max_steps):
        self._estimator, self._spec, self._max_steps = estimator, spec, max_steps
        self._previous, self._is_final, self.metrics, self.exports = None, False, None, []

    def begin(self):
        self._timer = hooks_lib.SecondOrStepTimer(every_secs=self._spec.throttle_secs)
        self._is_first = True

    def after_save(self, session, global_step_value):
        if self._is_first:
            self._is_first = False
        elif self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
        else:
            logging.info("Skip the current checkpoint eval due to throttle secs ({} secs).".format(
                self._spec.throttle_secs))

    def end(self, session, global_step_value):
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step):
        self._timer.update_last_triggered_step(step)
        spec, path = self._spec, self._estimator.latest_checkpoint()
        if not path or path == self._previous:
            raise RuntimeError("There was no new checkpoint after the training. Eval status: {}".format(
                "no new checkpoint" if path else "missing checkpoint"))
        self.metrics = self._estimator.evaluate(spec.input_fn, steps=spec.steps, name=spec.name, checkpoint_path=path,
                                                hooks=list(spec.hooks))
        is_final = bool(self._max_steps) and self.metrics[GraphKeys.GLOBAL_STEP] >= self._max_steps
        folder = os.path.join(self._estimator.model_dir, "export")
        self.exports = [e.export(self._estimator, export_path=os.path.join(folder, e.name), checkpoint_path=path,
                                 eval_result=self.metrics, is_the_final_export=is_final) for e in spec.exporters]
        if is_final and self._is_final:
            logging.warning("Calling final export twice.")
        self._is_final, self._previous = is_final, path


def train_and_evaluate(estimator, train_spec, eval_spec):
    """Trains up to the last step, and evaluates after checkpoints."""
    for value, kind, words in ((eval_spec, EvalSpec, "`eval_spec` must have type `tf.estimator.EvalSpec`. Got: {}"),
                               (estimator, Estimator, "`estimator` must have type `tf.estimator.Estimator`. Got: {}"),
                               (train_spec, TrainSpec, "`train_spec` must have type `tf.estimator.TrainSpec`. Got: {}")):
        if not isinstance(value, kind):
            raise TypeError(words.format(type(value)))
    config = estimator.config
    logging.info("Start train and evaluate loop. The evaluate will happen after every checkpoint. Checkpoint frequency is "
                 "determined based on RunConfig arguments: save_checkpoints_steps {} or save_checkpoints_secs {}.".format(
                     config.save_checkpoints_steps, config.save_checkpoints_secs))
    evaluator = _Evaluator(estimator, eval_spec, train_spec.max_steps)
    estimator.train(input_fn=train_spec.input_fn, max_steps=train_spec.max_steps, hooks=list(train_spec.hooks),
                    saving_listeners=[evaluator])
    return evaluator.metrics, evaluator.exports


# -- stopping early


def _stop_variable():
    with scope.variable_scope("signal_early_stopping", values=[], reuse=scope.AUTO_REUSE):
        return scope.get_variable("STOP", shape=[], dtype=dtypes.bool, initializer=initializers.Constant(False),
                                  collections=[GraphKeys.GLOBAL_VARIABLES], trainable=False)


class _StopWhen(hooks_lib.SessionRunHook):
    def __init__(self, should_stop_fn, run_every_secs=60, run_every_steps=None):
        if not callable(should_stop_fn):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop = should_stop_fn
        self._timer = hooks_lib.SecondOrStepTimer(every_secs=run_every_secs, every_steps=run_every_steps)

    def begin(self):
        self._step = training_util.get_global_step()
        self._stop = state_ops.assign(_stop_variable(), True)

    def before_run(self, run_context):
        return hooks_lib.SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        step = run_values.results
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._should_stop():
                logging.info("Requesting early stopping at global step %d", step)
                run_context.session.run(self._stop)
                run_context.request_stop()


def make_early_stopping_hook(estimator, should_stop_fn, run_every_secs=60, run_every_steps=None):
    if not isinstance(estimator, Estimator):
        raise TypeError("`estimator` must have type `tf.estimator.Estimator`. Got: {}".format(type(estimator)))
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    return _StopWhen(should_stop_fn, run_every_secs, run_every_steps)


def read_eval_metrics(eval_dir):
    """The values of all evaluations in a folder, by step."""
    found = collections.defaultdict(dict)
    for step, values in _evaluations(os.path.join(eval_dir, "*.tfevents.*")):
        found[step].update(values)
    return collections.OrderedDict(sorted(found.items()))


def _after(eval_dir, min_steps, metric_name):
    return [(step, values[metric_name]) for step, values in read_eval_metrics(eval_dir).items() if step >= min_steps]


def _threshold_hook(is_better, words):
    def hook(estimator, metric_name, threshold, eval_dir=None, min_steps=0, run_every_secs=60, run_every_steps=None):
        folder = estimator.eval_dir() if eval_dir is None else eval_dir

        def should_stop():
            for step, value in _after(folder, min_steps, metric_name):
                if is_better(value, threshold):
                    logging.info('At step %s, metric "%s" has value %s which is %s the configured threshold (%s) for early '
                                 'stopping.', step, metric_name, value, words, threshold)
                    return True
            return False
        return make_early_stopping_hook(estimator, should_stop, run_every_secs, run_every_steps)
    return hook


def _improvement_hook(is_better, words):
    def check(estimator, metric_name, steps, eval_dir, min_steps, run_every_secs, run_every_steps):
        folder = estimator.eval_dir() if eval_dir is None else eval_dir

        def should_stop():
            best = None
            for step, value in _after(folder, min_steps, metric_name):
                if best is None or is_better(value, best[1]):
                    best = step, value
                if step - best[0] >= steps:
                    logging.info('No %s in metric "%s" for %s steps, which is greater than or equal to max steps (%s) '
                                 'configured for early stopping.', words, metric_name, step - best[0], steps)
                    return True
            return False
        return make_early_stopping_hook(estimator, should_stop, run_every_secs, run_every_steps)
    return check


stop_if_higher_hook = _threshold_hook(operator.gt, "greater than")
stop_if_lower_hook = _threshold_hook(operator.lt, "less than")
_no_increase = _improvement_hook(operator.gt, "increase")
_no_decrease = _improvement_hook(operator.lt, "decrease")


def stop_if_no_increase_hook(estimator, metric_name, max_steps_without_increase, eval_dir=None, min_steps=0,
                             run_every_secs=60, run_every_steps=None):
    return _no_increase(estimator, metric_name, max_steps_without_increase, eval_dir, min_steps, run_every_secs,
                        run_every_steps)


def stop_if_no_decrease_hook(estimator, metric_name, max_steps_without_decrease, eval_dir=None, min_steps=0,
                             run_every_secs=60, run_every_steps=None):
    return _no_decrease(estimator, metric_name, max_steps_without_decrease, eval_dir, min_steps, run_every_secs,
                        run_every_steps)
