# cases_forest_tree.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The trees of contrib's forests: made, saved, asked, told. What TensorFlow ends itself at is not here."""

import os

import numpy as np
import tensorflow as tf
import tensorflow.contrib
from google.protobuf import text_format
from tensorflow.contrib.decision_trees.proto import generic_tree_model_pb2
from tensorflow.contrib.tensor_forest.proto import tensor_forest_params_pb2

from cases_reader import Chain

FOLDER = os.path.join(os.path.dirname(tensorflow.contrib.__file__), 'tensor_forest')
tf.load_op_library(os.path.join(FOLDER, 'libforestprotos.so'))
tf.load_op_library(os.path.join(FOLDER, 'python/ops/_model_ops.so'))

SPEC = 'dense_features_size: 3 dense: [{name: all original_type: 0 size: 3}] sparse: []'
SPARSE = 'dense_features_size: 0 dense: [] sparse: [{name: some original_type: 0 size: 9}]'
NO_INDICES = [np.zeros([0], np.int64), np.zeros([0], np.float32), np.zeros([0], np.int64)]
count = [0]


def f(*x):
    return np.array(x[0] if len(x) == 1 else x, 'float32')


def i32(*x):
    return np.array(x[0] if len(x) == 1 else x, 'int32')


def message(of, text):
    made = of()
    text_format.Merge(text, made)
    return made.SerializeToString()


def params(text):
    return message(tensor_forest_params_pb2.TensorForestParams, text)


def model(text):
    return np.array(message(generic_tree_model_pb2.Model, text), object)


def leaf(id, *numbers):
    return 'nodes { node_id { value: %d } leaf { vector { %s } } }' % (
        id, ' '.join('value { float_value: %g }' % x for x in numbers))


def test(id, left, right, what):
    return 'nodes { node_id { value: %d } binary_node { left_child_id { value: %d } right_child_id { value: %d } %s } }' % (
        id, left, right, what)


def less(feature, threshold, order='LESS_OR_EQUAL'):
    return ('inequality_left_child_test { feature_id { id { value: "%d" } } threshold { float_value: %g } type: %s }' %
            (feature, threshold, order))


OBLIQUE = '''inequality_left_child_test { oblique { features { id { value: "0" } } features { id { value: "2" } }
  weights: 0.5 weights: -2 } threshold { float_value: 0.25 } }'''
SMALL = 'decision_tree { %s }' % (test(0, 1, 2, less(0, 0.5)) + leaf(1, 3, 1) + leaf(2, 0, 4))
DEEP = 'decision_tree { %s }' % (test(0, 1, 2, less(0, 0.5)) + test(1, 3, 4, less(1, 0.25, 'LESS_THAN')) + leaf(2, 0, 4) +
                                leaf(3, 1, 0) + test(4, 5, 6, OBLIQUE) + leaf(5, 0.5, 0.5) + leaf(6, 0, 0))
CLASSES = params('num_outputs: 2 num_features: 3')
PATHS = params('num_outputs: 2 inference_tree_paths: true')
NUMBERS = params('num_outputs: 2 leaf_type: MODEL_REGRESSION is_regression: true')
X = f([[0, 0, 0], [0.5, 0.25, 1], [0.5, 0.2, 1], [0.6, 9, 9], [-1, 1, -0.5], [-1, 1, 0]])


class Tree(Chain):
    def __init__(self, text='', params=CLASSES, make=True):
        Chain.__init__(self)
        count[0] += 1
        self.params = params
        self.handle = self.add('DecisionTreeResourceHandleOp', [], shared_name='tree%d' % count[0], container='')
        if make:
            self.op('CreateTreeVariable', model(text), params=params)

    def op(self, name, *inputs, **attrs):
        self.add(name, [self.handle] + list(inputs), **attrs)
        return self

    def ask(self, name, x, sparse=NO_INDICES, spec=SPEC):
        return self.op(name, x, *sparse, input_spec=spec, params=self.params).case()

    def tell(self, leaves, labels, weights=f([])):
        return self.op('UpdateModelV4', i32(leaves), f(labels), weights, params=self.params)

    def saved(self):
        return self.op('TreeSerialize').case()


def kept():
    for text in ('', SMALL, DEEP):
        yield Tree(text).op('TreeSize').case()
        yield Tree(text).saved()
        yield Tree(text).op('FeatureUsageCounts', params=CLASSES).case()
        yield Tree().op('TreeDeserialize', model(text), params=CLASSES).saved()
    yield Tree('', NUMBERS).saved()
    yield Tree('', params('num_outputs: 3 leaf_type: MODEL_SPARSE_CLASSIFICATION')).saved()
    yield Tree(SMALL).op('CreateTreeVariable', model(DEEP), params=CLASSES).op('TreeSize').case()
    yield Tree(make=False).op('TreeIsInitializedOp').case()
    yield Tree(SMALL).op('TreeIsInitializedOp').case()
    for name in ('TreeSize', 'TreeSerialize'):
        yield Tree(make=False).op(name).case()
    for config in (np.array(b'\x0a\x05x', object), np.array([b''], object)):
        yield Tree(make=False).op('CreateTreeVariable', config, params=CLASSES).case()
        yield Tree(SMALL).op('TreeDeserialize', config, params=CLASSES).case()


def asked():
    for text in ('', SMALL, DEEP):
        for wanted in (CLASSES, PATHS, NUMBERS):
            yield Tree(text, wanted).ask('TreePredictionsV4', X)
        yield Tree(text).ask('TraverseTreeV4', X)
    yield Tree(DEEP).ask('TraverseTreeV4', X[:0])
    yield Tree(DEEP).ask('TreePredictionsV4', X[:0])
    some = [np.array([[0, 2], [0, 5], [2, 0], [3, 5]], np.int64), f(0.25, 2, 1, -1), np.array([4, 9], np.int64)]
    for feature in (0, 2, 5, 7):
        tree = 'decision_tree { %s }' % (test(0, 1, 2, less(feature, 0)) + leaf(1, 1, 0) + leaf(2, 0, 4))
        yield Tree(tree).ask('TraverseTreeV4', f([]), some, SPARSE)
        yield Tree(tree).ask('TreePredictionsV4', f([]), some, SPARSE)
    one = params('num_outputs: 3 leaf_type: MODEL_SPARSE_CLASSIFICATION')
    tree = 'decision_tree { nodes { leaf { sparse_vector { sparse_value { key: 1 value { float_value: 4 } } } } } }'
    yield Tree(tree, one).ask('TreePredictionsV4', X)
    yield Tree('', one).ask('TreePredictionsV4', X)


def told():
    yield Tree().tell([0, 0, 0], [1, 0, 1]).saved()
    yield Tree().tell([0, 0, 0], [1, 0, 1], f(0.5, 2)).saved()
    yield Tree(SMALL).tell([1, 2, 2, 1], [1, 0, 1, 1.75]).ask('TreePredictionsV4', X)
    yield Tree(SMALL).tell([1], [1]).tell([1, 2], [0, 0]).saved()
    yield Tree(SMALL).tell([], []).saved()
    yield Tree('', NUMBERS).tell([0], [0.5]).saved()
    yield Tree('', params('num_outputs: 3 leaf_type: MODEL_SPARSE_CLASSIFICATION')).tell([0, 0], [2, 2]).saved()
    yield Tree('', params('num_outputs: 3 leaf_type: MODEL_SPARSE_OR_DENSE_CLASSIFICATION')).tell([0, 0], [2, 2]).saved()
    yield Tree(make=False).tell([0], [1]).case()


def cases():
    for part in (kept, asked, told):
        for case in part():
            yield case
