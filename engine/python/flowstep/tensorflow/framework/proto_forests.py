# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What random forests are told, field by field, in the form of proto's table."""

from .proto_options import table

MESSAGES = {name: table(text) for name, text in {
    "TensorForestParams": """leaf_type 1 <LeafModelType> stats_type 2 <StatsModelType> collection_type 3 <SplitCollectionType>
        pruning_type 4 SplitPruningConfig finish_type 5 SplitFinishConfig num_trees 6 v max_nodes 7 v is_regression 8 b
        drop_final_class 9 b collate_examples 10 b checkpoint_stats 11 b num_outputs 12 v
        num_splits_to_consider 13 DepthDependentParam split_after_samples 14 DepthDependentParam
        dominate_fraction 15 DepthDependentParam graph_dir 16 s num_select_features 17 v
        min_split_samples 18 DepthDependentParam inequality_test_type 19 <InequalityTest.Type> use_running_stats_method 20 b
        num_features 21 v initialize_average_splits 22 b inference_tree_paths 23 b num_classes_to_track 24 v""",
    "SplitPruningConfig": "prune_every_samples 1 DepthDependentParam type 2 <SplitPruningStrategyType>",
    "SplitFinishConfig": "check_every_steps 1 DepthDependentParam type 2 <SplitFinishStrategyType>",
    "DepthDependentParam": "constant_value 1 |f linear 2 |LinearParam exponential 3 |ExponentialParam threshold 4 |ThresholdParam",
    "LinearParam": "slope 1 f y_intercept 2 f min_val 3 f max_val 4 f",
    "ExponentialParam": "bias 1 f base 2 f multiplier 3 f depth_multiplier 4 f",
    "ThresholdParam": "on_value 1 f off_value 2 f threshold 3 f",
}.items()}
ENUMS = {
    "LeafModelType": {"MODEL_DENSE_CLASSIFICATION": 0, "MODEL_SPARSE_CLASSIFICATION": 1, "MODEL_REGRESSION": 2,
                      "MODEL_SPARSE_OR_DENSE_CLASSIFICATION": 3},
    "StatsModelType": {"STATS_DENSE_GINI": 0, "STATS_SPARSE_GINI": 1, "STATS_LEAST_SQUARES_REGRESSION": 2,
                       "STATS_SPARSE_THEN_DENSE_GINI": 3, "STATS_FIXED_SIZE_SPARSE_GINI": 4},
    "SplitCollectionType": {"COLLECTION_BASIC": 0, "GRAPH_RUNNER_COLLECTION": 1},
    "SplitPruningStrategyType": {"SPLIT_PRUNE_NONE": 0, "SPLIT_PRUNE_HALF": 1, "SPLIT_PRUNE_QUARTER": 2,
                                 "SPLIT_PRUNE_10_PERCENT": 3, "SPLIT_PRUNE_HOEFFDING": 4},
    "SplitFinishStrategyType": {"SPLIT_FINISH_BASIC": 0, "SPLIT_FINISH_DOMINATE_HOEFFDING": 2,
                                "SPLIT_FINISH_DOMINATE_BOOTSTRAP": 3},
    "InequalityTest.Type": {"LESS_OR_EQUAL": 0, "LESS_THAN": 1, "GREATER_OR_EQUAL": 2, "GREATER_THAN": 3},
}
