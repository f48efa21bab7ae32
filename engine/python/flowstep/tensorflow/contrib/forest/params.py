# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What a forest is told: by a script, and as the message that its ops take."""

import math
import numbers
import random

from ...framework import proto, proto_forests, proto_text

_LEAVES, _STATS = proto_forests.ENUMS["LeafModelType"], proto_forests.ENUMS["StatsModelType"]
_PRUNES, _FINISHES = proto_forests.ENUMS["SplitPruningStrategyType"], proto_forests.ENUMS["SplitFinishStrategyType"]
CLASSIFICATION_LEAF_MODEL_TYPES = {
    "all_dense": (_LEAVES["MODEL_DENSE_CLASSIFICATION"], _STATS["STATS_DENSE_GINI"]),
    "all_sparse": (_LEAVES["MODEL_SPARSE_CLASSIFICATION"], _STATS["STATS_SPARSE_GINI"]),
    "sparse_then_dense": (_LEAVES["MODEL_SPARSE_OR_DENSE_CLASSIFICATION"], _STATS["STATS_SPARSE_THEN_DENSE_GINI"]),
}
REGRESSION_MODEL_TYPE = (_LEAVES["MODEL_REGRESSION"], _STATS["STATS_LEAST_SQUARES_REGRESSION"],
                         proto_forests.ENUMS["SplitCollectionType"]["COLLECTION_BASIC"])
FINISH_TYPES = {"basic": _FINISHES["SPLIT_FINISH_BASIC"], "hoeffding": _FINISHES["SPLIT_FINISH_DOMINATE_HOEFFDING"],
                "bootstrap": _FINISHES["SPLIT_FINISH_DOMINATE_BOOTSTRAP"]}
PRUNING_TYPES = {"none": _PRUNES["SPLIT_PRUNE_NONE"], "half": _PRUNES["SPLIT_PRUNE_HALF"],
                 "quarter": _PRUNES["SPLIT_PRUNE_QUARTER"], "10_percent": _PRUNES["SPLIT_PRUNE_10_PERCENT"],
                 "hoeffding": _PRUNES["SPLIT_PRUNE_HOEFFDING"]}
SPLIT_TYPES = {"less_or_equal": proto_forests.ENUMS["InequalityTest.Type"]["LESS_OR_EQUAL"],
               "less": proto_forests.ENUMS["InequalityTest.Type"]["LESS_THAN"]}

# What a forest is told where a script says nothing.
_DEFAULTS = dict(
    num_trees=100, max_nodes=10000, bagging_fraction=1.0, num_splits_to_consider=0, feature_bagging_fraction=1.0,
    max_fertile_nodes=0, split_after_samples=250, valid_leaf_threshold=1, dominate_method="bootstrap", dominate_fraction=0.99,
    model_name="all_dense", split_finish_name="basic", split_pruning_name="none", prune_every_samples=0,
    early_finish_check_every_samples=0, collate_examples=False, checkpoint_stats=False, use_running_stats_method=False,
    initialize_average_splits=False, inference_tree_paths=False, param_file=None, split_name="less_or_equal")
# Fields of the message that are called as the parameters are.
_SAME = ("num_trees", "max_nodes", "num_features", "collate_examples", "checkpoint_stats", "use_running_stats_method",
         "initialize_average_splits", "inference_tree_paths")


def parse_number_or_string_to_proto(message, param):
    """A number, or what depends on a tree's depth as text."""
    if isinstance(param, numbers.Number):
        message.constant_value = param
    elif param.isdigit():
        message.constant_value = int(param)
    else:
        proto_text.merge(param, message)


def build_params_proto(params):
    """The message of parameters that were filled in."""
    message = proto.TensorForestParams(**{name: getattr(params, name) for name in _SAME})
    message.is_regression, message.num_outputs = params.regression, params.num_classes
    message.leaf_type, message.stats_type = params.leaf_model_type, params.stats_model_type
    message.collection_type = REGRESSION_MODEL_TYPE[2]
    message.pruning_type.type, message.finish_type.type = params.pruning_type, params.finish_type
    message.inequality_test_type, message.drop_final_class = params.split_type, False
    for part, value in ((message.pruning_type.prune_every_samples, params.prune_every_samples),
                        (message.finish_type.check_every_steps, params.early_finish_check_every_samples),
                        (message.split_after_samples, params.split_after_samples),
                        (message.num_splits_to_consider, params.num_splits_to_consider)):
        parse_number_or_string_to_proto(part, value)
    message.dominate_fraction.constant_value = params.dominate_fraction
    if params.param_file:
        with open(params.param_file) as file:
            proto_text.merge(file.read(), message)
    return message


class ForestHParams:
    """The parameters of a forest; fill() finds what follows from the others."""

    def __init__(self, *given, **named):
        for name, value in list(zip(_DEFAULTS, given)) + list(named.items()):
            setattr(self, name, value)
        for name, value in _DEFAULTS.items():
            self.__dict__.setdefault(name, value)

    def values(self):
        return self.__dict__

    def _check_given(self, name):
        if not getattr(self, name):
            # TF: would find it by split_after_samples, but asks for the type of nothing on the way there.
            raise TypeError("isinstance expected 2 arguments, got 1")

    def fill(self):
        for required in ("num_classes", "num_features"):
            getattr(self, required)
        self.bagged_num_features = int(self.feature_bagging_fraction * self.num_features)
        self.bagged_features = None
        if self.feature_bagging_fraction < 1.0:
            self.bagged_features = [random.sample(range(self.num_features), self.bagged_num_features)
                                    for _ in range(self.num_trees)]
        self.regression = getattr(self, "regression", False)
        self.num_outputs = self.num_classes if self.regression else 1
        self.num_output_columns = self.num_classes + 1
        self.num_splits_to_consider = self.num_splits_to_consider or min(
            max(10, math.floor(math.sqrt(self.num_features))), 1000)
        self.base_random_seed = getattr(self, "base_random_seed", 0)
        model = REGRESSION_MODEL_TYPE if self.regression else CLASSIFICATION_LEAF_MODEL_TYPES[self.model_name]
        self.leaf_model_type, self.stats_model_type = model[:2]
        self.finish_type = FINISH_TYPES["basic"] if self.regression else FINISH_TYPES[self.split_finish_name]
        self.pruning_type = PRUNING_TYPES[self.split_pruning_name]
        if self.pruning_type == PRUNING_TYPES["none"]:
            self.prune_every_samples = 0
        else:
            self._check_given("prune_every_samples")
        if self.finish_type == FINISH_TYPES["basic"]:
            self.early_finish_check_every_samples = 0
        else:
            self._check_given("early_finish_check_every_samples")
        self.split_type = SPLIT_TYPES[self.split_name]
        return self
