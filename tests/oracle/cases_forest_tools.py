# cases_forest_tools.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Small ops that came with contrib's forests and input pipelines."""

import os

import numpy as np
import tensorflow as tf
import tensorflow.contrib

from record_ops import Case, Ref
from samples import values


def load_ops():
    folder = os.path.dirname(tensorflow.contrib.__file__)
    for name in ('tensor_forest/python/ops/_tensor_forest_ops.so', 'input_pipeline/python/ops/_input_pipeline_ops.so'):
        tf.load_op_library(os.path.join(folder, name))


def scatters():
    def add(shape, indices, deltas):
        return Case('ScatterAddNdim', [Ref(values('float32', shape)), np.array(indices, np.int32), np.array(deltas, np.float32)])
    yield add([5], [[0], [4], [0]], [1, 2, 3])
    yield add([3, 2], [[0, 1], [2, 0], [0, 1]], [0.5, 1, 2])
    yield add([3, 2], [[0], [2], [2]], [[1, 2], [3, 4], [5, 6]])
    yield add([2, 3, 2], [[1, 2], [0, 0]], [[1, 2], [3, 4]])
    yield add([2, 2], np.zeros([0, 2]), [])
    yield add([2, 2], np.zeros([0]), [])
    for shape, indices, deltas in (([4], [0, 1], [1, 2]), ([4], [[0, 1]], [1]), ([4], [[0], [1]], [1]), ([2, 2], [[0]], [1])):
        yield add(shape, indices, deltas)
    yield Case('ScatterAddNdim', [Ref(None, 'float32'), np.zeros([1, 1], np.int32), np.zeros([1], np.float32)])


def strings():
    texts = ['', 'a', 'ab', 'abcdefg', 'abcdefgh', 'abcdefghi', 'the quick brown fox', '\xff\x00z' * 7]
    yield Case('ReinterpretStringToFloat', [np.array(texts, object)])
    yield Case('ReinterpretStringToFloat', [np.array('one', object)])
    yield Case('ReinterpretStringToFloat', [np.array([['x', 'y'], ['z', '']], object)])
    yield Case('ReinterpretStringToFloat', [np.array([], object)])
    names = np.array(['a', 'b', 'c'], object)
    for start in (-1, 0, 1, 2, 7):
        yield Case('ObtainNext', [names, Ref(np.array(start, np.int64))], runs=4)
    yield Case('ObtainNext', [names, Ref(None, 'int64')])


def cases():
    load_ops()
    for part in (scatters, strings):
        for case in part():
            yield case
