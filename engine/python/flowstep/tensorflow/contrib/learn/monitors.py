# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.learn.monitors: what watched a training before there were hooks."""

import copy
import time

from ...framework import tf_logging as logging
from ...framework.graph import get_default_graph
from ...learning import training_util
from ...saving import checkpoint_state
from ...sessions.hooks import SessionRunArgs, SessionRunHook


class BaseMonitor:
    """Told of the training's begin, of each step's begin and end, and of its end."""

    def __init__(self):
        self._estimator = self._max_steps = None

    def set_estimator(self, estimator):
        if estimator is None:
            raise ValueError("Missing estimator.")
        self._estimator = estimator

    def begin(self, max_steps=None):
        self._max_steps = max_steps

    def step_begin(self, step):
        """Names of tensors to be fetched in the step."""
        return []

    def step_end(self, step, output):
        """Whether the training shall stop."""
        return False

    def post_step(self, step, session):
        pass

    def end(self, session=None):
        pass


class EveryN(BaseMonitor):
    def __init__(self, every_n_steps=100, first_n_steps=1):
        super().__init__()
        self._every, self._first = every_n_steps, first_n_steps
        self._last_done, self._last_active, self._active = None, 0, False

    def every_n_step_begin(self, step):
        return []

    def every_n_step_end(self, step, outputs):
        return False

    def every_n_post_step(self, step, session):
        pass

    def step_begin(self, step):
        self._active = step <= self._first or step >= self._every + self._last_active or step == self._max_steps
        return self.every_n_step_begin(step) if self._active else []

    def step_end(self, step, output):
        return self.every_n_step_end(step, output) if self._active else False

    def post_step(self, step, session):
        if self._active:
            self.every_n_post_step(step, session)
            self._last_active = step
        self._last_done = step

    def end(self, session=None):
        if self._last_done != self._last_active:
            self.every_n_post_step(self._last_done, session)


class ValidationMonitor(EveryN):
    """Evaluates each new checkpoint, and stops where a metric has not become better for some steps."""

    def __init__(self, x=None, y=None, input_fn=None, batch_size=None, eval_steps=None, every_n_steps=100, metrics=None,
                 hooks=None, early_stopping_rounds=None, early_stopping_metric="loss", early_stopping_metric_minimize=True,
                 name=None, check_interval_secs=5):
        super().__init__(every_n_steps, -1)
        if x is None and input_fn is None:
            raise ValueError("Either x or input_fn should be provided.")
        self._arrays = {"x": x, "y": y, "batch_size": batch_size, "metrics": metrics}
        self._settings = {"input_fn": input_fn, "steps": eval_steps, "hooks": hooks, "name": name}
        self._rounds, self._metric, self._minimize = (early_stopping_rounds, early_stopping_metric,
                                                      early_stopping_metric_minimize)
        self._interval_secs, self._looked_at, self._path = check_interval_secs, None, None
        self.best_step = self.best_value = self.best_metrics = None
        self.early_stopped = False

    def _evaluated(self):
        if hasattr(self._estimator, "fit"):
            return self._estimator.evaluate(**self._arrays, **self._settings)
        if any(value is not None for value in self._arrays.values()):
            raise ValueError("tf.estimator.Estimator does not support following arguments: x, y, batch_size, metrics. Should "
                             "set as `None` in ValidationMonitor")
        return self._estimator.evaluate(**self._settings)

    def _has_new_checkpoint(self):
        now = time.time()
        if None not in (self._interval_secs, self._looked_at) and now - self._looked_at <= self._interval_secs:
            return False
        before, self._looked_at = self._path, now
        path = checkpoint_state.latest_checkpoint(self._estimator.model_dir)
        if path is None or path == before:
            return False
        self._path = path
        return True

    def every_n_step_end(self, step, outputs):
        if self._estimator is None:
            raise ValueError("Missing call to set_estimator.")
        if not self._has_new_checkpoint():
            return False
        found = self._evaluated()
        logging.info("Validation (step %d): %s", step, ", ".join("%s = %s" % item for item in found.items()))
        return self._rounds is not None and self._is_to_stop(step, found)

    def _is_to_stop(self, step, found):
        if self._metric not in found:
            raise ValueError("Metric %s missing from outputs %s." % (self._metric, set(found)))
        value = found[self._metric]
        if self.best_value is None or (value < self.best_value if self._minimize else value > self.best_value):
            self.best_value, self.best_step, self.best_metrics = value, step, copy.deepcopy(found)
        if step - self.best_step < self._rounds:
            return False
        logging.info("Stopping. Best step: {} with {} = {}.".format(self.best_step, self._metric, self.best_value))
        self.early_stopped = True
        return True


class RunHookAdapterForMonitors(SessionRunHook):
    """Monitors as a hook."""

    def __init__(self, monitors):
        self._monitors, self._step = monitors, None

    def begin(self):
        self._step, self._global_step = None, training_util.get_global_step()
        for monitor in self._monitors:
            monitor.begin(max_steps=None)

    @staticmethod
    def _tensor(name):
        return get_default_graph().as_graph_element(name if ":" in name else name + ":0") if isinstance(name, str) else name

    def before_run(self, run_context):
        if self._step is None:
            self._step = run_context.session.run(self._global_step) + 1
        wanted = {}
        for monitor in self._monitors:
            names = monitor.step_begin(self._step) or []
            if not isinstance(names, list):
                raise ValueError("Monitor.step_begin should return a list.")
            wanted.update((name, self._tensor(name)) for name in names)
        return SessionRunArgs({"step": self._global_step, "monitors": wanted})

    def after_run(self, run_context, run_values):
        for monitor in self._monitors:
            if monitor.step_end(self._step, run_values.results["monitors"]):
                run_context.request_stop()
        for monitor in self._monitors:
            monitor.post_step(self._step, run_context.session)
        self._step = run_values.results["step"] + 1

    def end(self, session):
        self._step = None
        for monitor in self._monitors:
            monitor.end(session=session)


def replace_monitors_with_hooks(monitors_or_hooks, estimator):
    given = list(monitors_or_hooks or [])
    hooks = [each for each in given if isinstance(each, SessionRunHook)]
    monitors = [each for each in given if not isinstance(each, SessionRunHook)]
    for monitor in monitors:
        monitor.set_estimator(estimator)
    return hooks + ([RunHookAdapterForMonitors(monitors)] if monitors else [])


NAMES = "BaseMonitor EveryN ValidationMonitor RunHookAdapterForMonitors replace_monitors_with_hooks".split()
