# cases_boosted_trees.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Boosted trees: buckets of features and how they are found, sums of gradients, best splits, ensembles that are asked
and grown. What TensorFlow ends itself at (ids and lists that do not fit) is not here."""

import numpy as np

from google.protobuf import text_format
from tensorflow.core.kernels.boosted_trees import boosted_trees_pb2

from cases_reader import Chain
from record_ops import Case
from samples import INF, NAN, values

count = [0]


def f(*x):
    return np.array(x[0] if len(x) == 1 else x, 'float32')


def i32(*x):
    return np.array(x[0] if len(x) == 1 else x, 'int32')


def i64(x):
    return np.array(x, 'int64')


def trees(text):
    message = boosted_trees_pb2.TreeEnsemble()
    text_format.Merge(text, message)
    return np.array(message.SerializeToString(), object)


LEAF = 'trees { nodes { leaf { scalar: %g } } } tree_weights: %g tree_metadata { %s }'

DEEP = '''
trees {
  nodes { bucketized_split { feature_id: 1 threshold: 3 left_id: 1 right_id: 2 } metadata { gain: 1.5 } }
  nodes { bucketized_split { threshold: 1 left_id: 3 right_id: 4 } metadata { gain: 2 original_leaf { scalar: 7 } } }
  nodes { leaf { scalar: -2.5 } }
  nodes { leaf { scalar: 1.25 } }
  nodes { leaf { scalar: 0 } }
}
trees {
  nodes { categorical_split { feature_id: 0 value: 2 left_id: 1 right_id: 2 } metadata { gain: -1 } }
  nodes { leaf { scalar: 3 } }
  nodes { leaf { scalar: -0.5 } }
}
tree_weights: 0.5 tree_weights: 2
tree_metadata { num_layers_grown: 2 is_finalized: true }
tree_metadata { num_layers_grown: 1 }
growing_metadata { num_trees_attempted: 2 num_layers_attempted: 3 last_layer_node_start: 1 last_layer_node_end: 3 }
'''

VECTORS = '''
trees {
  nodes { bucketized_split { threshold: 1 left_id: 1 right_id: 2 default_direction: DEFAULT_RIGHT dimension_id: 3 } }
  nodes { leaf { vector { value: 1 value: -2 } } }
  nodes { leaf { vector { value: 0.5 value: 4 } } }
}
tree_weights: 1 tree_metadata { num_layers_grown: 1 }
'''

PRUNED = '''
trees {
  nodes { bucketized_split { threshold: 1 left_id: 1 right_id: 2 } metadata { gain: 1 } }
  nodes { leaf { scalar: 0.25 } }
  nodes { leaf { scalar: -4 } }
}
trees { nodes { leaf { scalar: 1 } } }
tree_weights: 1 tree_weights: 1
tree_metadata {
  num_layers_grown: 2 is_finalized: true
  post_pruned_nodes_meta { new_node_id: 0 logit_change: 0 }
  post_pruned_nodes_meta { new_node_id: 1 logit_change: 0 }
  post_pruned_nodes_meta { new_node_id: 2 logit_change: 0 }
  post_pruned_nodes_meta { new_node_id: 1 logit_change: -0.5 }
  post_pruned_nodes_meta { new_node_id: 1 logit_change: 2.5 }
}
tree_metadata { }
'''

GROWING = '''
trees {
  nodes { bucketized_split { threshold: 2 left_id: 1 right_id: 2 } metadata { gain: -1 } }
  nodes { leaf { scalar: 0.5 } }
  nodes { leaf { scalar: -1 } }
}
tree_weights: 1 tree_metadata { num_layers_grown: 1 }
growing_metadata { num_trees_attempted: 1 num_layers_attempted: 1 last_layer_node_start: 1 last_layer_node_end: 3 }
'''


class E(Chain):
    """An ensemble that is made first, unless it is not."""

    def __init__(self, text='', stamp=3, make=True):
        Chain.__init__(self)
        count[0] += 1
        self.handle = self.add('BoostedTreesEnsembleResourceHandleOp', [], shared_name='trees%d' % count[0], container='')
        if make:
            self.add('BoostedTreesCreateEnsemble', [self.handle, i64(stamp), trees(text)])

    def op(self, name, *inputs, **attrs):
        self.add(name, [self.handle] + list(inputs), **attrs)
        return self

    def saved(self):
        return self.op('BoostedTreesSerializeEnsemble').case()

    def states(self):
        return self.op('BoostedTreesGetEnsembleStates').case()

    def update(self, features, nodes, gains, thresholds, left, right, depth=2, rate=0.1, pruning=0):
        return self.op('BoostedTreesUpdateEnsemble', i32(features), [i32(x) for x in nodes], [f(x) for x in gains],
                       [i32(x) for x in thresholds], [f(x).reshape(-1, 1) for x in left],
                       [f(x).reshape(-1, 1) for x in right], i32(depth), f(rate), pruning_mode=pruning)

    def update_v2(self, features, nodes, gains, thresholds, left, right, types, dims=None, depth=2, rate=0.1, pruning=0):
        return self.op('BoostedTreesUpdateEnsembleV2', i32(features),
                       [i32(x) for x in (dims or [[0] * len(x) for x in nodes])], [i32(x) for x in nodes],
                       [f(x) for x in gains], [i32(x) for x in thresholds], [f(x).reshape(-1, 1) for x in left],
                       [f(x).reshape(-1, 1) for x in right], [np.array(x, object) for x in types], i32(depth), f(rate),
                       i32(pruning))


def bucketize():
    bounds = f(-1, 0, 0.5, 2)
    x = f(-5, -1, -0.5, 0, 0.25, 0.5, 2, 3, NAN, INF, -INF)
    for case in ([[x], [bounds]], [[x, values('float32', [7])], [bounds, f([0])]], [[x[:0]], [bounds]],
                 [[x], [f(1, 1, 1)]], [[x], [bounds[:0]]], [[x.reshape(11, 1)], [bounds]], [[x], [bounds.reshape(2, 2)]]):
        yield Case('BoostedTreesBucketize', case)


def ensembles():
    for text in ('', DEEP, VECTORS, PRUNED, LEAF % (0, 1, ''), LEAF % (-3, 0.5, 'num_layers_grown: 4 is_finalized: true')):
        yield E(text).saved()
        yield E(text).states()
    yield E(DEEP).op('BoostedTreesDeserializeEnsemble', i64(9), trees(PRUNED)).saved()
    yield E(DEEP).op('BoostedTreesDeserializeEnsemble', i64(9), np.array(b'\xff\xff', object)).saved()
    # A second one finds the first.
    yield E(DEEP).op('BoostedTreesCreateEnsemble', i64(9), trees('')).saved()
    yield E(make=False).saved()
    yield E(make=False).op('IsBoostedTreesEnsembleInitialized').case()
    yield E(DEEP).op('IsBoostedTreesEnsembleInitialized').case()


def predictions():
    a, b = i32(0, 1, 2, 3, 4, 2), i32(3, 3, 3, 4, 5, -1)
    for text, features, n in ((DEEP, [a, b], 1), ('', [a, b], 1), ('', [a], 3), (VECTORS, [a], 2), (PRUNED, [a], 1),
                              (LEAF % (0.5, 3, ''), [a, b], 1), (DEEP, [a[:0], b[:0]], 1)):
        yield E(text).op('BoostedTreesPredict', features, logits_dimension=n).case()
        zero = np.zeros_like(features[0])
        yield E(text).op('BoostedTreesTrainingPredict', zero, zero - 1, features, logits_dimension=n).case()
        if text not in ('', VECTORS):
            yield E(text).op('BoostedTreesTrainingPredict', zero, zero, features, logits_dimension=n).case()
    # Its first root must say something: TensorFlow ends itself where it does not.
    explained = DEEP.replace('gain: 1.5', 'gain: 1.5 original_leaf { scalar: 0.25 }').replace('categorical', 'bucketized')
    explained = explained.replace('value: 2', 'threshold: 2')
    for text in (explained, LEAF % (0.5, 3, ''), LEAF % (0.5, 3, '') + LEAF % (2, 1, '') + explained):
        yield E(text).op('BoostedTreesExampleDebugOutputs', [a, b], logits_dimension=1).case()
        yield E(text).op('BoostedTreesPredict', [a, b], logits_dimension=1).case()
    yield E(explained).op('BoostedTreesExampleDebugOutputs', [a, b], logits_dimension=2).case()
    yield E(DEEP).op('BoostedTreesTrainingPredict', i32(0, 0, 1, 1, 0, 0), i32(1, 4, 0, 2, 2, -1), [a, b],
                     logits_dimension=1).case()
    yield E(PRUNED).op('BoostedTreesTrainingPredict', i32(0, 0, 0, 1, 0, 0), i32(1, 4, 3, 0, 2, -1), [a],
                       logits_dimension=1).case()
    yield E('').op('BoostedTreesTrainingPredict', i32(5, 6), i32(7, 8), [i32(1, 2)], logits_dimension=2).case()
    yield E(make=False).op('BoostedTreesPredict', [a], logits_dimension=1).case()


def growing():
    one = dict(features=[4], nodes=[[0]], gains=[[2.5]], thresholds=[[7]], left=[[1.5]], right=[[-3]])
    two = dict(features=[4, 9], nodes=[[0], [0]], gains=[[2.5], [3]], thresholds=[[7], [1]], left=[[1.5], [2]],
               right=[[-3], [8]])
    tie = dict(two, gains=[[3], [3]], features=[9, 4])
    layer = dict(features=[5, 2], nodes=[[1, 2], [1, 2]], gains=[[1, -0.5], [0.5, -0.25]], thresholds=[[1, 2], [3, 4]],
                 left=[[1, 2], [3, 4]], right=[[5, 6], [7, 8]])
    none = dict(features=[3], nodes=[[]], gains=[[]], thresholds=[[]], left=[[]], right=[[]])
    for grow in (one, two, tie, none):
        for depth in (1, 2):
            yield E().update(depth=depth, **grow).saved()
    yield E(LEAF % (2, 1, '')).update(**one).saved()
    for pruning in (0, 1, 2):
        for depth in (2, 3):
            yield E(GROWING).update(depth=depth, pruning=pruning, **layer).saved()
            yield E(GROWING).update(depth=depth, pruning=pruning, **dict(layer, gains=[[-1, -1], [-2, -2]])).saved()
            yield E(GROWING).update(depth=depth, pruning=pruning, **dict(layer, gains=[[-1, 1], [-2, -2]])).states()
    yield E().update(**dict(one, gains=[[-1.0]], pruning=1)).saved()
    yield E().update(**one).update(depth=2, **layer).saved()
    yield E().update(**one).update(depth=2, **layer).op('BoostedTreesPredict', [i32(1, 9)] * 6, logits_dimension=1).case()
    for kinds in ('INEQUALITY_DEFAULT_LEFT', 'INEQUALITY_DEFAULT_RIGHT', 'EQUALITY_DEFAULT_RIGHT', 'nothing'):
        yield E().update_v2(types=[[kinds]], dims=[[2]], **one).saved()
        yield E(GROWING).update_v2(types=[[kinds, 'EQUALITY_DEFAULT_RIGHT']] * 2, depth=2, **layer).saved()
    for pruning in (0, 1, 2):
        yield E(GROWING).update_v2(types=[['INEQUALITY_DEFAULT_RIGHT'] * 2] * 2, pruning=pruning, **layer).saved()
    yield E(make=False).update(**one).case()


def centering():
    for gradient, hessian, l1, l2 in ((1, 2, 0, 0), (-3, 0.5, 0, 1), (2, 1, 0.5, 0.25), (0.1, 1, 0.5, 0), (1, 0, 0, 0)):
        inputs = [f([[gradient]]), f([[hessian]]), f(l1), f(l2)]
        yield E().op('BoostedTreesCenterBias', *inputs).case()
        yield E().op('BoostedTreesCenterBias', *inputs).saved()
        yield E(LEAF % (100, 1, '')).op('BoostedTreesCenterBias', *inputs).case()
        yield E(LEAF % (0.5, 1, '')).op('BoostedTreesCenterBias', *inputs).saved()


def summaries():
    nodes = i32(0, 1, 1, 3, 0)
    g, h = values('float32', [5, 1]), values('float32', [5, 1], key=1)
    features = [i32(0, 2, 2, 1, 0), i32(3, 3, 0, 1, 2)]
    yield Case('BoostedTreesMakeStatsSummary', [nodes, g, h, features], max_splits=4, num_buckets=4)
    yield Case('BoostedTreesMakeStatsSummary', [nodes, g, h, features[:1]], max_splits=5, num_buckets=3)
    yield Case('BoostedTreesMakeStatsSummary', [nodes[:0], g[:0], h[:0], [features[0][:0]]], max_splits=2,
                       num_buckets=3)
    for n_logits, n_hessians in ((1, 1), (2, 2), (2, 4)):
        g, h = values('float32', [5, n_logits]), values('float32', [5, n_hessians], key=1)
        matrix = i32([[0, 1], [2, -1], [1, 1], [-1, 0], [0, 2]])
        yield Case('BoostedTreesAggregateStats', [nodes, g, h, matrix], max_splits=4, num_buckets=3)
        yield Case('BoostedTreesAggregateStats', [nodes, g, h, matrix[:, :1]], max_splits=4, num_buckets=3)
        for places, buckets, shape in (([[0, 0], [0, 1], [1, 1], [3, 0], [4, 1]], [2, 1, 0, 2, 1], [5, 2]),
                                       ([[1, 1], [2, 0]], [0, 1], [5, 3]), (np.zeros([0, 2]), [], [5, 1])):
            yield Case('BoostedTreesSparseAggregateStats',
                               [nodes, g, h, i32(places), i32(buckets), i32(shape)], max_splits=4, num_buckets=3)
    yield Case('BoostedTreesSparseAggregateStats', [nodes, g, h, i32([[0, 0]]), i32([1]), i32([[5, 1]])],
                       max_splits=4, num_buckets=3)


def stats(shape, n_logits, key=0):
    x = values('float32', shape, key=key)
    x = np.where(np.isfinite(x), x, 0.75).astype('float32')
    x = np.clip(x, -3, 3)
    x[..., n_logits:] = np.abs(x[..., n_logits:]) + 0.1
    return x


def splits():
    scalars = lambda *x: [f(v) for v in x]
    for l1, l2, complexity, weight in ((0, 0, 0, 0), (0.25, 0.5, 0, 0), (0, 1, 0.5, 0), (0, 0, 0, 3), (5, 0, 0, 0)):
        more = scalars(l1, l2, complexity, weight)
        for first, last in ((0, 3), (1, 2), (2, 2)):
            yield Case('BoostedTreesCalculateBestGainsPerFeature',
                               [i32(first, last), [stats([3, 4, 2], 1), stats([3, 4, 2], 1, 5)]] + more, max_splits=3)
        for kind in ('inequality', 'equality'):
            yield Case('BoostedTreesCalculateBestFeatureSplit', [i32(0, 3), stats([4, 3, 5, 2], 1)] + more,
                               logits_dimension=1, split_type=kind)
            if l1 == 0:
                for n in (2, 4):
                    case = Case('BoostedTreesCalculateBestFeatureSplit', [i32(0, 2), stats([2, 2, 4, 2 + n], 2)] + more,
                                        logits_dimension=2, split_type=kind)
                    # Solved by Eigen, whose sums have another order.
                    case.tolerance = 2e-4
                    yield case
        dense = stats([3, 2, 4, 2], 1)
        places = np.argwhere(np.ones_like(dense))
        for keep in (np.arange(len(places)), np.arange(0, len(places), 3), np.arange(40)):
            at = places[keep].astype('int32')
            yield Case('BoostedTreesSparseCalculateBestFeatureSplit',
                               [i32(0, 3), at, dense[tuple(at.T)], i32(3, 2, 4, 2)] + more, logits_dimension=1)
    yield Case('BoostedTreesCalculateBestFeatureSplit', [i32(0, 1), np.zeros([1, 1, 3, 4], 'float32')] +
                       scalars(0, 0, 0, 0), logits_dimension=2)


class Q(Chain):
    def __init__(self, n=1, epsilon=0.1, make=True, **attrs):
        Chain.__init__(self)
        count[0] += 1
        self.handle = self.add('BoostedTreesQuantileStreamResourceHandleOp', [], shared_name='streams%d' % count[0],
                               container='')
        if make:
            self.add('BoostedTreesCreateQuantileStreamResource', [self.handle, f(epsilon), i64(n)], **attrs)

    def op(self, name, *inputs, **attrs):
        self.add(name, [self.handle] + list(inputs), **attrs)
        return self

    def push(self, *summaries):
        return self.op('BoostedTreesQuantileStreamResourceAddSummaries', list(summaries))

    def flush(self, n, exactly=False):
        return self.op('BoostedTreesQuantileStreamResourceFlush', i64(n), generate_quantiles=exactly)

    def boundaries(self, n=1):
        return self.op('BoostedTreesQuantileStreamResourceGetBucketBoundaries', num_features=n).case()

    def summaries(self, n=1):
        return self.op('BoostedTreesFlushQuantileSummaries', num_features=n).case()


def summary_of(x):
    x = np.sort(np.asarray(x, 'float32'))
    ranks = np.arange(len(x), dtype='float32')
    return np.stack([x, np.ones_like(x), ranks, ranks + 1], 1)


def quantiles():
    x = values('float32', [40])
    x = np.where(np.isfinite(x), x, 0.5).astype('float32')
    weights = np.abs(values('float32', [40], key=3))
    weights = np.where(np.isfinite(weights), weights, 1).astype('float32')
    weights[::7] = 0
    weights[3] = -1
    for epsilon in (0.01, 0.2, 0.5):
        for w in (f([1]), f([0.5]), weights):
            yield Case('BoostedTreesMakeQuantileSummaries', [[x, x[::-1] * 2], w, f(epsilon)])
    yield Case('BoostedTreesMakeQuantileSummaries', [[x[:0]], f([1]), f(0.1)])
    yield Case('BoostedTreesMakeQuantileSummaries', [[x], f(1, 2), f(0.1)])
    long = np.random.RandomState(5).normal(size=[2000]).astype('float32').round(2)
    yield Case('BoostedTreesMakeQuantileSummaries', [[long], f([1]), f(0.05)])
    for epsilon in (0.01, 0.1, 0.5):
        for n in (2, 3, 10):
            for exactly in (False, True):
                if exactly and n == 2:
                    continue
                yield Q(epsilon=epsilon).push(summary_of(x)).flush(n, exactly).boundaries()
        yield Q(epsilon=epsilon).push(summary_of(x)).push(summary_of(x * 3)).push(summary_of(long)).flush(8).boundaries()
        q = Q(epsilon=epsilon, max_elements=1000)
        for k in range(10):
            q.push(summary_of(long[k * 100:k * 100 + 100]))
        yield q.summaries()
    yield Q(2).push(summary_of(x), summary_of(-x)).flush(4).boundaries(2)
    yield Q(2).push(summary_of(x), summary_of(-x)).summaries(2)
    yield Q(2).push(summary_of(x), summary_of(-x)).flush(4).flush(4).boundaries(2)
    yield Q(2).boundaries(2)
    yield Q(1).summaries()
    yield Q(2).op('BoostedTreesQuantileStreamResourceDeserialize', [f(1, 2), f([])]).boundaries(2)
    yield Q(epsilon=0).boundaries()
    yield Q(make=False).boundaries()
    yield Q(make=False).op('IsBoostedTreesQuantileStreamResourceInitialized').case()
    yield Q().op('IsBoostedTreesQuantileStreamResourceInitialized').case()


def cases():
    for part in (bucketize, ensembles, predictions, growing, centering, summaries, splits, quantiles):
        for case in part():
            yield case
