# cases_contrib_last.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""contrib.image's components, contrib.framework's zeros."""

import os

import numpy as np
import tensorflow as tf
import tensorflow.contrib

from record_ops import Case, Ref, Var
from samples import NAN, values


def load_ops():
    folder = os.path.dirname(tensorflow.contrib.__file__)
    for name in ('image/python/ops/_image_ops.so', 'framework/python/ops/_variable_ops.so'):
        tf.load_op_library(os.path.join(folder, name))


def components():
    random = np.random.RandomState(5)
    for dtype in ('int64', 'int32', 'uint16', 'int16', 'uint8', 'int8', 'float16', 'float32', 'float64', 'bool'):
        for shape in ([1, 6, 7], [2, 9, 5], [1, 1, 8], [1, 8, 1], [3, 4, 4]):
            yield Case('ImageConnectedComponents', [random.randint(0, 3, shape).astype(dtype)])
    yield Case('ImageConnectedComponents', [np.array([['', 'a', 'a'], ['b', 'b', 'a'], ['b', '', 'ab']], object).reshape(1, 3, 3)])
    yield Case('ImageConnectedComponents', [np.array([[[NAN, NAN, 1, 1], [-0.0, 0.0, 1, NAN]]], np.float32)])
    yield Case('ImageConnectedComponents', [(random.rand(2, 33, 40) > 0.4).astype('bool')])
    for shape in ([0, 3, 3], [2, 0, 3], [2, 3, 0]):
        yield Case('ImageConnectedComponents', [np.zeros(shape, np.float32)])
    for shape in ([3, 3], [1, 3, 3, 1], []):
        yield Case('ImageConnectedComponents', [np.ones(shape, np.float32)])


def zeros():
    for dtype in ('float32', 'float64', 'half', 'bfloat16', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16'):
        yield Case('ZeroInitializer', [Ref(None, dtype)])
        yield Case('ZeroInitializer', [Ref(values(dtype, [2]))])
        for shape in ([2, 3], [], [0, 2]):
            yield Case('ZeroVarInitializer', [Var(None, dtype)], dtype=dtype, shape=shape)
    yield Case('ZeroVarInitializer', [Var(values('float32', [2]))], dtype='float32', shape=[2])


def cases():
    load_ops()
    for part in (components, zeros):
        for case in part():
            yield case
