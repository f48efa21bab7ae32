# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.learn: the estimators before tf.estimator, their feeding, words and small sets of data."""

import sys

from .. import column_inputs, columns
from . import canned, datasets, estimators, experiment, feeding, heads, metric_spec, monitors, preprocessing
from . import run_config

MEMBERS = {"Estimator": estimators.Estimator, "SKCompat": estimators.SKCompat, "Experiment": experiment.Experiment,
           "ModeKeys": estimators.ModeKeys,
           "ModelFnOps": estimators.ModelFnOps, "NotFittedError": estimators.NotFittedError,
           "MetricSpec": metric_spec.MetricSpec, "RunConfig": run_config.RunConfig, "TaskType": run_config.TaskType,
           "infer_real_valued_columns_from_input": feeding.infer_real_valued_columns_from_input,
           "infer_real_valued_columns_from_input_fn": feeding.infer_real_valued_columns_from_input_fn}
MEMBERS.update({name: getattr(canned, name) for name in canned.NAMES})
MEMBERS.update(PredictionKey=heads.PredictionKey, MetricKey=heads.MetricKey, ProblemType=heads.ProblemType,
               regression_head=heads.regression_head, multi_class_head=heads.multi_class_head)
_COLUMNS = """sparse_column_with_integerized_feature sparse_column_with_hash_bucket sparse_column_with_keys
    sparse_column_with_vocabulary_file weighted_sparse_column one_hot_column embedding_column shared_embedding_columns
    bucketized_column crossed_column sparse_feature_cross create_feature_spec_for_parsing""".split()
_INPUTS = """input_from_feature_columns weighted_sum_from_feature_columns joint_weighted_sum_from_feature_columns
    parse_feature_columns_from_examples transform_features""".split()


def install(tf, submodule):
    """Fills tf.contrib.learn; submodule(name, **members) makes a module."""
    submodule("contrib.learn", **MEMBERS)
    vars(tf.contrib.layers).update({name: getattr(columns, name) for name in _COLUMNS})
    vars(tf.contrib.layers).update({name: getattr(column_inputs, name) for name in _INPUTS})
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
    for name in ("text", "categorical_vocabulary"):
        submodule("contrib.learn.python.learn.preprocessing." + name, **vars(tf.contrib.learn.preprocessing))
    for name in ("run_config", "model_fn", "estimator"):
        sys.modules[own + ".python.learn.estimators." + name] = getattr(tf.contrib.learn.estimators, name)
