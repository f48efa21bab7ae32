# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.learn.Experiment and learn_runner: an estimator with what it is trained and evaluated on, in one process."""

import time

from ...estimators.estimator import Estimator as CoreEstimator
from ...framework import tf_logging as logging
from . import estimators, monitors


class Experiment:
    def __init__(self, estimator, train_input_fn, eval_input_fn, eval_metrics=None, train_steps=None, eval_steps=100,
                 train_monitors=None, eval_hooks=None, eval_delay_secs=120, min_eval_frequency=None, saving_listeners=None,
                 check_interval_secs=5):
        self._is_core = isinstance(estimator, CoreEstimator)
        if self._is_core and eval_metrics is not None:
            raise ValueError("`eval_metrics` must be `None` with `tf.estimator.Estimator`. Use `eval_metric_ops` in "
                             "`tf.estimator.EstimatorSpec` instead.")
        if not self._is_core and not isinstance(estimator, estimators.Estimator):
            raise ValueError("`estimator` must implement `tf.contrib.learn.Evaluable` or `tf.estimator.Estimator`.")
        if not self._is_core and saving_listeners is not None:
            raise ValueError("`saving_listeners` must be `None` with `tf.contrib.learn.Estimator`.")
        self.estimator, self.eval_metrics = estimator, eval_metrics
        self.train_steps, self.eval_steps = train_steps, eval_steps
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._monitors, self._eval_hooks, self._listeners = list(train_monitors or []), list(eval_hooks or []), saving_listeners
        self._delay_secs, self._interval_secs = eval_delay_secs, check_interval_secs
        self._frequency = 1 if min_eval_frequency is None else min_eval_frequency

    def extend_train_hooks(self, additional_hooks):
        self._monitors.extend(additional_hooks)

    def _train(self, watching, **steps):
        hooks = monitors.replace_monitors_with_hooks(watching, self.estimator)
        if self._is_core:
            return self.estimator.train(self._train_input_fn, hooks=hooks, saving_listeners=self._listeners, **steps)
        return self.estimator.fit(input_fn=self._train_input_fn, monitors=hooks, **steps)

    def _evaluate(self, steps, name=None):
        more = {} if self._is_core else {"metrics": self.eval_metrics}
        return self.estimator.evaluate(input_fn=self._eval_input_fn, steps=steps, name=name, hooks=self._eval_hooks, **more)

    def train(self, delay_secs=None):
        # The first of several workers waits for nobody, and here there is only one.
        if delay_secs:
            logging.info("Waiting %d secs before starting training.", delay_secs)
            time.sleep(delay_secs)
        return self._train(self._monitors, max_steps=self.train_steps)

    def evaluate(self, delay_secs=None, name=None):
        delay_secs = self._delay_secs if delay_secs is None else delay_secs
        if delay_secs:
            logging.info("Waiting %d secs before starting eval.", delay_secs)
            time.sleep(delay_secs)
        return self._evaluate(self.eval_steps, name or "one_pass")

    def train_and_evaluate(self):
        """(what the last evaluation found, nothing exported)."""
        watching = list(self._monitors)
        if self._frequency:
            watching.append(monitors.ValidationMonitor(
                input_fn=self._eval_input_fn, eval_steps=self.eval_steps, metrics=self.eval_metrics,
                every_n_steps=self._frequency, check_interval_secs=self._interval_secs, hooks=self._eval_hooks))
        self._train(watching, max_steps=self.train_steps)
        return self._evaluate(self.eval_steps), []

    def test(self):
        self._train(self._monitors, steps=1)
        return self._evaluate(1, "one_pass")


def run(experiment_fn, output_dir=None, schedule=None, run_config=None, hparams=None):
    """learn_runner.run: makes the experiment and does what the schedule names."""
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if not callable(experiment_fn):
        raise TypeError('Experiment builder "%s" is not callable.' % experiment_fn)
    if run_config is not None:
        if not run_config.model_dir:
            raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
        experiment = experiment_fn(run_config, hparams)
    else:
        if not output_dir:
            raise ValueError("Must specify an output directory")
        if hparams is not None:
            raise ValueError("Must set `hparams` as None for `experiment_fn` with `output_dir`.")
        experiment = experiment_fn(output_dir=output_dir)
    if not isinstance(experiment, Experiment):
        raise TypeError("Experiment builder did not return an Experiment instance, got %s instead." % type(experiment))
    schedule = schedule or "train_and_evaluate"
    if not hasattr(experiment, schedule):
        raise ValueError("Schedule references non-existent task %s" % schedule)
    task = getattr(experiment, schedule)
    if not callable(task):
        raise TypeError("Schedule references non-callable member %s" % schedule)
    return task()
