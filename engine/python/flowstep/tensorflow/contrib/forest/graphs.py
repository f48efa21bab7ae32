# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The ops that grow the trees of a forest, and those that ask them."""

from ... import dtypes
from ...control import control_flow
from ...framework import graph as graph_lib, tf_logging as logging
from ...framework.graph import control_dependencies
from ...framework.ops import apply_op, make_op
from ...operators import array_ops, math_ops, random_ops
from ...state import variables as variables_lib
from ..device_strategies import VariableDeviceChooser
from . import data as data_lib
from .variables import ForestVariables, TreeVariables


def get_epoch_variable():
    """The epoch that an input producer has come to, or [0]."""
    for variable in variables_lib.local_variables():
        if "limit_epochs/epoch" in variable.op.name:
            return array_ops.reshape(variable, [1])
    return [0]


class RandomTreeGraphs:
    """One tree."""

    def __init__(self, variables, params, tree_num):
        self.variables, self.params, self.tree_num = variables, params, tree_num

    def _inputs(self, input_data, sparse_features, data_spec):
        """What the ops that lead examples through a tree take of them."""
        given = [] if sparse_features is None else sparse_features
        parts = [given] * 3 if sparse_features is None else (given.indices, given.values, given.dense_shape)
        return dict(zip(("sparse_input_indices", "sparse_input_values", "sparse_input_shape"), parts),
                    tree_handle=self.variables.tree, input_data=[] if input_data is None else input_data,
                    input_spec=data_spec.SerializeToString(), params=self.params.serialized_params_proto)

    def training_graph(self, input_data, input_labels, random_seed, data_spec, sparse_features=None, input_weights=None):
        """The op that shows a batch to the tree and lets it grow."""
        math_ops.cast(get_epoch_variable(), dtypes.int32)
        weights = [] if input_weights is None else input_weights
        inputs = self._inputs(input_data, sparse_features, data_spec)
        leaves = apply_op("TraverseTreeV4", **inputs)
        params = self.params.serialized_params_proto
        update = make_op("UpdateModelV4", tree_handle=self.variables.tree, leaf_ids=leaves, input_labels=input_labels,
                         input_weights=weights, params=params)
        finished = apply_op("ProcessInputV4", stats_handle=self.variables.stats, input_labels=input_labels,
                            input_weights=weights, leaf_ids=leaves, random_seed=random_seed, **inputs)
        with control_dependencies([update]):
            return make_op("GrowTreeV4", tree_handle=self.variables.tree, stats_handle=self.variables.stats,
                           finished_nodes=finished, params=params)

    def inference_graph(self, input_data, data_spec, sparse_features=None):
        """(what the tree says of each example, the ways that they went)."""
        return make_op("TreePredictionsV4", **self._inputs(input_data, sparse_features, data_spec)).outputs

    def size(self):
        return apply_op("TreeSize", tree_handle=self.variables.tree)

    def feature_usage_counts(self):
        return apply_op("FeatureUsageCounts", tree_handle=self.variables.tree, params=self.params.serialized_params_proto)


class RandomForestGraphs:
    """All trees."""

    def __init__(self, params, tree_configs=None, tree_stats=None, device_assigner=None, variables=None,
                 tree_variables_class=TreeVariables, tree_graphs=None, training=True):
        self.params = params
        self.device_assigner = device_assigner or VariableDeviceChooser()
        logging.info("Constructing forest with params = ")
        logging.info(self.params.__dict__)
        self.variables = variables or ForestVariables(
            self.params, device_assigner=self.device_assigner, training=training, tree_variables_class=tree_variables_class,
            tree_configs=tree_configs, tree_stats=tree_stats)
        make = tree_graphs or RandomTreeGraphs
        self.trees = [make(self.variables[i], self.params, i) for i in range(self.params.num_trees)]

    def _on_device(self, tree):
        return graph_lib.device(self.variables.device_dummies[tree].device)

    def _bag_features(self, tree_num, input_data):
        columns = array_ops.split(value=input_data, num_or_size_splits=self.params.num_features, axis=1)
        return array_ops.concat([columns[i] for i in self.params.bagged_features[tree_num]], 1)

    def _features_of(self, tree, dense, sparse_features):
        if not self.params.bagged_features:
            return dense
        if sparse_features is not None:
            raise NotImplementedError("Feature bagging not supported with sparse features.")
        return self._bag_features(tree, dense)

    def _bagged(self, dense, labels, sparse_features, seed):
        """The examples that one tree is shown."""
        if self.params.bagging_fraction >= 1.0:
            return dense, labels
        if sparse_features is not None:
            raise NotImplementedError("Bagging not supported with sparse features.")
        batch_size = array_ops.strided_slice(array_ops.shape(dense), [0], [1])
        r = random_ops.random_uniform(batch_size, seed=seed)
        mask = math_ops.less(r, array_ops.ones_like(r) * self.params.bagging_fraction)
        chosen = array_ops.squeeze(array_ops.where_v2(mask), axis=[1])
        return array_ops.gather(dense, chosen), array_ops.gather(labels, chosen)

    def get_all_resource_handles(self):
        return [self.variables[i].tree for i in range(len(self.trees))] + \
            [self.variables[i].stats for i in range(len(self.trees))]

    def training_graph(self, input_data, input_labels, num_trainers=1, trainer_id=0, **tree_kwargs):
        """The op that shows a batch to the trees of one trainer."""
        dense, sparse_features, spec = data_lib.ParseDataTensorOrDict(input_data)
        labels = data_lib.ParseLabelTensorOrDict(input_labels)
        share = self.params.num_trees / num_trainers
        grown = []
        for i in range(int(trainer_id * share), int((trainer_id + 1) * share)):
            with self._on_device(i):
                seed = self.params.base_random_seed
                seed += i if seed != 0 else 0
                tree_data, tree_labels = self._bagged(dense, labels, sparse_features, seed)
                tree_data = self._features_of(i, tree_data, sparse_features)
                grown.append(self.trees[i].training_graph(tree_data, tree_labels, seed, data_spec=spec,
                                                          sparse_features=sparse_features, **tree_kwargs))
        return control_flow.group(*grown, name="train")

    def inference_graph(self, input_data, **inference_args):
        """(the mean of what the trees say, their ways, how much the trees differ)."""
        dense, sparse_features, spec = data_lib.ParseDataTensorOrDict(input_data)
        said = []
        for i in range(self.params.num_trees):
            with self._on_device(i):
                tree_data = self._features_of(i, dense, sparse_features)
                said.append(self.trees[i].inference_graph(tree_data, spec, sparse_features=sparse_features, **inference_args))
        with self._on_device(0):
            every = array_ops.stack([probabilities for probabilities, _ in said], axis=1)
            average = math_ops.div(math_ops.reduce_sum(every, 1), self.params.num_trees, name="probabilities")
            paths = array_ops.stack([path for _, path in said], axis=1)
            squares = math_ops.div(math_ops.reduce_sum(every * every, 1), self.params.num_trees)
            return average, paths, math_ops.maximum(0., squares - average * average)

    def average_size(self):
        """How many nodes a tree has in the mean."""
        sizes = []
        for i in range(self.params.num_trees):
            with self._on_device(i):
                sizes.append(self.trees[i].size())
        return math_ops.reduce_mean(math_ops.cast(array_ops.stack(sizes), dtypes.float32))

    def training_loss(self, features, labels, name="training_loss"):
        return math_ops.negative(self.average_size(), name=name)

    def validation_loss(self, features, labels):
        return math_ops.negative(self.average_size())

    def feature_importances(self):
        """How often the trees ask for each feature, of all that they ask."""
        counts = [tree.feature_usage_counts() for tree in self.trees]
        total = math_ops.reduce_sum(array_ops.stack(counts, 0), 0)
        return total / math_ops.reduce_sum(total)
