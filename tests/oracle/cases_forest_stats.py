# cases_forest_stats.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""How the trees of contrib's forests grow. Seeds are given: without one TensorFlow's choice is its own."""

import os

import numpy as np
import tensorflow as tf
from tensorflow.contrib.tensor_forest.proto import fertile_stats_pb2

from cases_forest_tree import FOLDER, NO_INDICES, SMALL, SPARSE, SPEC, count, f, i32, message, model, params
from cases_reader import Chain

tf.load_op_library(os.path.join(FOLDER, 'python/ops/_stats_ops.so'))

MIXED = ('dense_features_size: 3 dense: [{name: a original_type: 0 size: 1}{name: b original_type: 1 size: 2}] '
         'sparse: []')
BASE = '''num_outputs: %d max_nodes: %d num_splits_to_consider { constant_value: %d }
split_after_samples { constant_value: %d } checkpoint_stats: true '''
SPARSE_GINI = 'stats_type: STATS_SPARSE_GINI leaf_type: MODEL_SPARSE_CLASSIFICATION '
NUMBERS = 'stats_type: STATS_LEAST_SQUARES_REGRESSION leaf_type: MODEL_REGRESSION is_regression: true '
HOEFFDING = '''finish_type { type: SPLIT_FINISH_DOMINATE_HOEFFDING check_every_steps { constant_value: 3 } }
dominate_fraction { constant_value: 0.6 } min_split_samples { constant_value: 4 } '''
BOOTSTRAP = HOEFFDING.replace('HOEFFDING', 'BOOTSTRAP')


def stats(text):
    return np.array(message(fertile_stats_pb2.FertileStats, text), object)


def wanted(more='', outputs=2, nodes=50, splits=4, after=8):
    return params(BASE % (outputs, nodes, splits, after) + more)


def examples(n, seed, dims=3):
    random = np.random.RandomState(seed)
    x = np.round(random.uniform(-1, 1, [n, dims]), 3).astype(np.float32)
    return x, (x[:, 0] + x[:, 1] > 0).astype(np.float32) + (x[:, 2] > 0.6)


class Forest(Chain):
    def __init__(self, params, tree='', known='', make=True):
        Chain.__init__(self)
        count[0] += 1
        self.params = params
        self.tree = self.add('DecisionTreeResourceHandleOp', [], shared_name='tree%d' % count[0], container='')
        self.stats = self.add('FertileStatsResourceHandleOp', [], shared_name='stats%d' % count[0], container='')
        if make:
            self.add('CreateTreeVariable', [self.tree, model(tree)], params=params)
            self.add('CreateFertileStatsVariable', [self.stats, stats(known)], params=params)

    def show(self, x, labels, seed=7, weights=f([]), spec=SPEC, sparse=NO_INDICES, leaves=None):
        if leaves is None:
            leaves = self.add('TraverseTreeV4', [self.tree, x] + sparse, input_spec=spec, params=self.params)
        self.last = self.add('ProcessInputV4', [self.tree, self.stats, x] + sparse + [labels, weights, leaves],
                             random_seed=seed, input_spec=spec, params=self.params)
        return self

    def grow(self, nodes=None):
        self.add('GrowTreeV4', [self.tree, self.stats, self.last if nodes is None else i32(nodes)], params=self.params)
        return self

    def train(self, steps, n=30, more=(), labels=None, **attrs):
        for k in range(steps):
            x, y = examples(n, k)
            self.show(x, np.minimum(y, 1) if labels is None else labels(x, y), seed=k + 1, *more, **attrs).grow()
        return self

    def known(self):
        self.add('FertileStatsSerialize', [self.stats], params=self.params)
        return self.case()

    def saved(self):
        self.add('TreeSerialize', [self.tree])
        return self.case()


def kept():
    yield Forest(wanted()).known()
    yield Forest(wanted(), make=False).known()
    slot = '''node_to_slot { node_id: 3 depth: 2 post_init_leaf_stats { weight_sum: 5 classification { dense_counts {
      value { float_value: 2 } value { float_value: 3 } } } }
      candidates { split { inequality_left_child_test { feature_id { id { value: "1" } } threshold { float_value: 0.5 } } }
        left_stats { classification { dense_counts { value { float_value: 1 } value { float_value: 0 } } } } } }
      node_to_slot { node_id: 4 depth: 2 }'''
    yield Forest(wanted(), SMALL, slot).known()
    yield Forest(wanted('use_running_stats_method: true'), SMALL, slot).known()
    numbers = '''node_to_slot { node_id: 0 post_init_leaf_stats { weight_sum: 5 regression {
      mean_output { value { float_value: 2 } value { float_value: 3 } }
      mean_output_squares { value { float_value: 4 } value { float_value: 9 } } } }
      candidates { split { inequality_left_child_test { feature_id { id { value: "2" } } threshold { float_value: 0.5 } } }
        left_stats { weight_sum: 2 regression { mean_output { value { float_value: 1 } value { float_value: 0 } }
          mean_output_squares { value { float_value: 1 } value { float_value: 0.5 } } } } } }'''
    yield Forest(wanted(NUMBERS), '', numbers).known()
    for forest in (Forest(wanted()), Forest(wanted(), make=False)):
        forest.add('FertileStatsIsInitializedOp', [forest.stats])
        yield forest.case()
    for config in (np.array(b'\x0a\x05x', object), np.array([b''], object)):
        forest = Forest(wanted(), make=False)
        forest.add('CreateFertileStatsVariable', [forest.stats, config], params=forest.params)
        yield forest.case()
        forest = Forest(wanted())
        forest.add('FertileStatsDeserialize', [forest.stats, config], params=forest.params)
        yield forest.case()
    forest = Forest(wanted())
    forest.add('FertileStatsDeserialize', [forest.stats, stats(slot)], params=forest.params)
    yield forest.known()


def grown():
    x, y = examples(6, 3)
    for n in (1, 4, 6):
        yield Forest(wanted()).show(x[:n], np.minimum(y[:n], 1)).known()
    yield Forest(wanted()).show(x[:0], y[:0]).case()
    for more in ('', 'use_running_stats_method: true ', 'initialize_average_splits: true ',
                 'inequality_test_type: LESS_THAN ', HOEFFDING, BOOTSTRAP):
        yield Forest(wanted(more)).train(1).known()
        yield Forest(wanted(more)).train(2).saved()
        yield Forest(wanted(more, outputs=3, after=6)).train(5, labels=lambda x, y: y).saved()
    for kind in ('HALF', 'QUARTER', '10_PERCENT'):
        prune = 'pruning_type { type: SPLIT_PRUNE_%s prune_every_samples { constant_value: 4 } } ' % kind
        yield Forest(wanted(prune, splits=10, after=24)).train(1, n=30).known()
        yield Forest(wanted(prune, splits=10)).train(4).saved()
    prune = '''pruning_type { type: SPLIT_PRUNE_HOEFFDING prune_every_samples { constant_value: 4 } }
      dominate_fraction { constant_value: 0.5 } '''
    yield Forest(wanted(prune, splits=10, after=24)).train(1, n=30).known()
    yield Forest(wanted(prune, splits=10)).train(4).saved()
    yield Forest(wanted(outputs=2, nodes=4)).train(4).saved()
    yield Forest(wanted(outputs=2, splits=6, after=10)).train(25, n=200).saved()
    yield Forest(wanted()).train(3, spec=MIXED).saved()
    yield Forest(wanted()).train(2, weights=f(np.linspace(0.25, 2, 20))).known()
    steps = ['linear { slope: 3 y_intercept: 4 min_val: 5 max_val: 12 }',
             'exponential { bias: 2 base: 1.5 multiplier: 3 depth_multiplier: 1.25 }',
             'threshold { on_value: 9 off_value: 6 threshold: 2 }']
    for step in steps:
        text = BASE % (2, 50, 4, 8)
        yield Forest(params(text.replace('constant_value: 8', step))).train(5).saved()


def of_numbers():
    def targets(x, y):
        return np.stack([x[:, 0] - 2 * x[:, 1], x[:, 2] * x[:, 0]], 1)
    yield Forest(wanted(NUMBERS)).train(1, labels=targets).known()
    yield Forest(wanted(NUMBERS)).train(4, labels=targets).saved()
    yield Forest(wanted(NUMBERS, outputs=1)).train(4, labels=lambda x, y: x[:, 1] * 3).saved()
    forest = Forest(wanted(NUMBERS)).train(3, labels=targets)
    forest.add('FinalizeTree', [forest.tree, forest.stats], params=forest.params)
    yield forest.saved()


def of_few_classes():
    for more in (SPARSE_GINI, SPARSE_GINI + 'use_running_stats_method: true ',
                 'stats_type: STATS_FIXED_SIZE_SPARSE_GINI num_classes_to_track: 2 leaf_type: MODEL_SPARSE_CLASSIFICATION '):
        if 'running' in more:
            continue
        forest = Forest(wanted(more, outputs=4)).train(4, labels=lambda x, y: y)
        x, _ = examples(12, 9)
        forest.add('TraverseTreeV4', [forest.tree, x] + NO_INDICES, input_spec=SPEC, params=forest.params)
        yield forest.case()
        forest = Forest(wanted(more, outputs=4)).train(4, labels=lambda x, y: y)
        forest.add('TreePredictionsV4', [forest.tree, x] + NO_INDICES, input_spec=SPEC, params=forest.params)
        yield forest.case()


def of_sparse():
    random = np.random.RandomState(2)
    rows = [(i, k) for i in range(24) for k in sorted(random.choice(9, 3, replace=False))]
    values = random.uniform(-1, 1, len(rows)).astype(np.float32)
    sparse = [np.array(rows, np.int64), values, np.array([24, 9], np.int64)]
    labels = f([sum(values[3 * i:3 * i + 3]) > 0 for i in range(24)])
    yield Forest(wanted()).show(f([]), labels, spec=SPARSE, sparse=sparse).grow().saved()
    yield Forest(wanted()).show(f([]), labels, spec=SPARSE, sparse=sparse).known()


def cases():
    for part in (kept, grown, of_numbers, of_few_classes, of_sparse):
        for case in part():
            yield case
