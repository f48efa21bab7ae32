# cases_forest_estimator.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The trees of TensorFlow's own forests. What TensorFlow ends itself at is not here."""

import numpy as np
from google.protobuf import text_format
from tensorflow.core.kernels.boosted_trees import boosted_trees_pb2

from cases_reader import Chain

count = [0]

LEAF = 'nodes { leaf { vector { value: 1 value: -2 } } }'
SMALL = '''nodes { dense_split { feature_id: 1 threshold: 0.5 left_id: 1 right_id: 2 } }
nodes { leaf { vector { value: 1 value: 3 } } } nodes { leaf { vector { value: 0.25 value: -1 } } }'''
DEEP = '''nodes { dense_split { threshold: -0.5 left_id: 1 right_id: 2 } metadata { gain: 2 } }
nodes { leaf { vector { value: 5 value: 6 } } }
nodes { dense_split { feature_id: 2 threshold: 1 left_id: 4 right_id: 3 } }
nodes { leaf { vector { value: 7 value: 8 } } } nodes { leaf { vector { value: 9 value: 10 } } }'''
X = np.array([[0, 0.5, 1], [-1, 0.75, 2], [3, -3, 0.5], [0, 9, 1.5]], np.float32)


def tree(text):
    message = boosted_trees_pb2.Tree()
    text_format.Merge(text, message)
    return np.array(message.SerializeToString(), object)


class Tree(Chain):
    def __init__(self, text='', make=True):
        Chain.__init__(self)
        count[0] += 1
        self.handle = self.add('TensorForestTreeResourceHandleOp', [], shared_name='tree%d' % count[0], container='')
        if make:
            self.op('CreateTreeVariable', tree(text))

    def op(self, name, *inputs, **attrs):
        self.add('TensorForest' + name, [self.handle] + list(inputs), **attrs)
        return self


def cases():
    for text in ('', LEAF, SMALL, DEEP):
        yield Tree(text).op('TreeSize').case()
        yield Tree(text).op('TreeSerialize').case()
        yield Tree(LEAF).op('TreeDeserialize', tree(text)).op('TreeSerialize').case()
        for n in (0, 1, 2):
            yield Tree(text).op('TreePredict', X, logits_dimension=n).case()
        yield Tree(text).op('TreePredict', X[:0], logits_dimension=2).case()
    yield Tree(SMALL).op('CreateTreeVariable', tree(LEAF)).op('TreeSize').case()
    yield Tree(LEAF).op('TreeIsInitializedOp').case()
    for name in ('TreeIsInitializedOp', 'TreeSize', 'TreeSerialize'):
        yield Tree(make=False).op(name).case()
    yield Tree(make=False).op('CreateTreeVariable', np.array(b'\x0a\x05x', object)).case()
    yield Tree(LEAF).op('TreeDeserialize', np.array(b'\x0a\x05x', object)).case()
    yield Tree(make=False).op('TreePredict', X, logits_dimension=2).case()
