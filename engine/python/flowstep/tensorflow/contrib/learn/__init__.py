# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.learn: the estimators before tf.estimator, their feeding, words and small sets of data."""

import sys

from . import datasets, estimators, experiment, feeding, metric_spec, monitors, preprocessing, run_config

MEMBERS = {"Estimator": estimators.Estimator, "SKCompat": estimators.SKCompat, "Experiment": experiment.Experiment,
           "ModeKeys": estimators.ModeKeys,
           "ModelFnOps": estimators.ModelFnOps, "NotFittedError": estimators.NotFittedError,
           "MetricSpec": metric_spec.MetricSpec, "RunConfig": run_config.RunConfig, "TaskType": run_config.TaskType,
           "infer_real_valued_columns_from_input": feeding.infer_real_valued_columns_from_input,
           "infer_real_valued_columns_from_input_fn": feeding.infer_real_valued_columns_from_input_fn}


def install(tf, submodule):
    """Fills tf.contrib.learn; submodule(name, **members) makes a module."""
    submodule("contrib.learn", **MEMBERS)
    submodule("contrib.learn.learn_runner", run=experiment.run)
    submodule("contrib.learn.monitors", **{name: getattr(monitors, name) for name in monitors.NAMES})
    submodule("contrib.learn.preprocessing", **{name: getattr(preprocessing, name) for name in preprocessing.NAMES})
    submodule("contrib.learn.datasets", **{name: getattr(datasets, name) for name in (
        "load_iris", "load_boston", "load_dataset", "DATASETS")})
    submodule("contrib.learn.datasets.base", **{name: getattr(datasets, name) for name in datasets.BASE})
    submodule("contrib.learn.datasets.mnist", **datasets.MNIST)
    submodule("contrib.learn.io", setup_train_data_feeder=feeding.setup_train_data_feeder, DataFeeder=feeding.DataFeeder)
    submodule("contrib.learn.estimators", run_config=run_config, model_fn=estimators, estimator=estimators)
    _name_homes(tf, submodule)


def _name_homes(tf, submodule):
    """tensorflow.contrib.learn.python.learn and what is below: where scripts import from as well."""
    own = tf.__name__ + ".contrib.learn"
    below = {name[len(own):]: module for name, module in sys.modules.items() if name.startswith(own + ".")}
    members = {name: value for name, value in vars(tf.contrib.learn).items() if not name.startswith("__")}
    for home in ("contrib.learn.python", "contrib.learn.python.learn"):
        submodule(home, **members)
    for short, module in below.items():
        sys.modules[own + ".python.learn" + short] = module
    for name in ("run_config", "model_fn", "estimator"):
        sys.modules[own + ".python.learn.estimators." + name] = getattr(tf.contrib.learn.estimators, name)
