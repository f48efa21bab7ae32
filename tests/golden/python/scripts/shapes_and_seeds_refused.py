# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
# What is known or refused while a graph is built: shapes that do not fit, seeds, values that are constant.
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import tensor_util
from tensorflow.python.ops import array_ops

def tell(label, call):
    try:
        result = call()
        print(label, result)
    except Exception as error:
        print(label, type(error).__name__, error)

def names(graph=None):
    for op in (graph or tf.get_default_graph()).get_operations():
        print("  ", op.name, op.type, [i.name for i in op.inputs], [str(o.shape) for o in op.outputs])

with tf.Graph().as_default():
    a, b = tf.Variable(0.2), tf.Variable(0.1)
    tell("acc1", lambda: tf.accumulate_n([a, b], shape=[2, 2]))
    tell("acc2", lambda: tf.accumulate_n([tf.Variable(np.array([0.1, 0.2])), tf.Variable(np.array([[0.3], [0.4]]))]))
    tell("acc3", lambda: tf.accumulate_n([a, b], tensor_dtype=np.int32))
    tell("acc4", lambda: tf.accumulate_n([]))
    tell("acc5", lambda: tf.accumulate_n([tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [3, None])]).shape)
with tf.Graph().as_default():
    x = tf.constant([-3.0, 0.0, 0.0, 4.0, 0.0, 0.0], shape=[2, 3, 1])
    tell("clip", lambda: tf.clip_by_norm(x, tf.constant([1.0, 2.0])))
    tell("concat", lambda: tf.concat(1, tf.constant(0, shape=[1])))
    tell("nth1", lambda: tf.contrib.nn.nth_element([5], -1))
    tell("nth2", lambda: tf.contrib.nn.nth_element([5, 6, 3], [1]))
    v = [-1.0, 0.0, 1.5]
    tell("hist1", lambda: tf.histogram_fixed_width(v, 1.0))
    tell("hist2", lambda: tf.histogram_fixed_width(v, [1.0, 2.0, 3.0]))
    tell("hist3", lambda: tf.histogram_fixed_width(v, [1.0, 5.0], nbins=[1, 2]))
    tell("hist4", lambda: tf.histogram_fixed_width(v, [1.0, 5.0], nbins=-5))
    tell("diag1", lambda: tf.matrix_set_diag(0, [0]))
    tell("diag2", lambda: tf.matrix_set_diag([[0]], 0))
    tell("xent", lambda: tf.raw_ops.SoftmaxCrossEntropyWithLogits(features=np.ones([2, 1, 4], np.float32), labels=np.ones([2, 1, 4], np.float32)))
    tell("pad", lambda: tf.pad(tf.constant(0.0, shape=[4, 4]), [[1, 2], tf.placeholder(tf.int32)]).shape)
    tell("pad", lambda: tf.pad(tf.constant(0.0, shape=[4, 4]), [[1, 2], [0, tf.placeholder(tf.int32, [])]]).shape)
for pair in ((None, None), (None, 1), (1, 1), (0, 0), (2**31 - 1, 0), (0, 2**31 - 1), (1, None)):
    with tf.Graph().as_default():
        tf.set_random_seed(pair[0])
        tell(pair, lambda: tf.get_seed(pair[1]))
with tf.Graph().as_default():
    t = tf.tile(tf.constant([1.0, 2.0, 3.0]), tf.constant([3], tf.int64))
    tell("tile", lambda: tf.gradients(tf.gather(t, [1, 5]), tf.get_default_graph().get_tensor_by_name("Const:0")))
    names()
with tf.Graph().as_default():
    st = tf.SparseTensorValue([[0, 0]], ["a"], [1, 1])
    tell("edit", lambda: tf.edit_distance(st, st).shape)
    tell("edit", lambda: tf.edit_distance(st, 3).shape)
    tell("edit", lambda: tf.edit_distance([1], st).shape)
    names()
with tf.Graph().as_default():
    tell("cv1", lambda: tensor_util.constant_value(tf.stack([[1, 2], [3, 4]], axis=1)))
    q = tf.stack([tf.constant([1, 2]), tf.placeholder(tf.int32)])
    tell("cv2", lambda: tensor_util.constant_value(q, partial=True))
    tell("cv3", lambda: tensor_util.constant_value(q))
    tell("cv4", lambda: tensor_util.constant_value(tf.Variable(1.0)))
    tell("cv5", lambda: tensor_util.constant_value("hi"))
    tell("cv6", lambda: tensor_util.constant_value_as_shape(tf.constant([[10], [20]])[:, 0:]))
    tell("cv7", lambda: tensor_util.constant_value([1, 2]))
    tell("cv8", lambda: tensor_util.constant_value(tf.get_variable("r", [], use_resource=True)))
    tell("rank", lambda: array_ops.rank_internal(tf.ones([2]), optimize=False).op.type)
nth = tf.contrib.nn.nth_element
tell("n1", lambda: nth([5, 6], 5))
tell("n2", lambda: nth([5, 6], 2))
tell("n3", lambda: nth(tf.placeholder(tf.float32), -2))
tell("n4", lambda: nth(tf.placeholder(tf.float32), tf.placeholder(tf.int32)).shape)
tell("n5", lambda: nth(5, -1).shape)
tell("n6", lambda: nth(5, [1]).shape)
tell("h1", lambda: tf.histogram_fixed_width([1.], [2., 1.]).shape)
tell("h2", lambda: tf.histogram_fixed_width([1.], [[2., 1.]]).shape)
tell("h3", lambda: tf.histogram_fixed_width([1.], [1., 2., 3.], nbins=-1).shape)
tell("h4", lambda: tf.histogram_fixed_width([1.], tf.placeholder(tf.float32, [None]), nbins=tf.placeholder(tf.int32)).shape)
tell("h5", lambda: tf.histogram_fixed_width([1.], [1., 2.], nbins=0).shape)
raw = tf.raw_ops
for a, b in (([2, 1, 4], [2, 1, 4]), ([4], [4]), ([2, 4], [1, 4]), ([2, 4], [4]), ([2, 3], [2, 4]), ([None, 3], [2, None]), (None, [4]), (None, [2, 3, 4]), ([2, 3], [1, 2, 3])):
    tell((a, b), lambda: raw.SoftmaxCrossEntropyWithLogits(features=tf.placeholder(tf.float32, a), labels=tf.placeholder(tf.float32, b)).backprop.shape)
for a in (2 ** 31, 2 ** 31 + 5, -3, 2 ** 31 - 1, 2**40 + 1):
    with tf.Graph().as_default():
        tf.set_random_seed(a)
        tell(a, lambda: tf.get_seed(3)); tell(a, lambda: tf.get_seed(a)); tell(a, lambda: tf.get_seed(None))
        op = tf.random_uniform([2], seed=a).op
        print(op.get_attr("seed"), op.get_attr("seed2"), op.name) if op.type == "RandomUniform" else None
        for o in tf.get_default_graph().get_operations():
            if o.type == "RandomUniform": print(o.get_attr("seed"), o.get_attr("seed2"))
for a in (2 ** 31 + 5, -3):
    with tf.Graph().as_default():
        tell(a, lambda: tf.get_seed(a))
a, b = tf.Variable(0.2), tf.Variable(0.1)
tell("c1", lambda: tf.accumulate_n([a], name="x"))
tell("c2", lambda: tf.accumulate_n([tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [3, None])]))
tell("c3", lambda: tf.accumulate_n([tf.placeholder(tf.float32)] * 2, shape=[2]))
tell("c4", lambda: tf.accumulate_n([a, b], tensor_dtype=tf.float32))
tell("c5", lambda: tf.accumulate_n([tf.IndexedSlices(tf.ones([2]), tf.constant([0, 1]))] * 2))
tell("clip2", lambda: tf.clip_by_norm(tf.placeholder(tf.float32), [1., 2.]).shape)
tell("clip3", lambda: tf.clip_by_norm(tf.ones([2]), [1., 2.]).shape)
tell("clip4", lambda: tf.clip_by_norm(tf.ones([1]), [1., 2.]).shape)
tell("con1", lambda: tf.concat([a], [0]))
tell("con2", lambda: tf.concat([a], tf.placeholder(tf.int32)))
tell("con3", lambda: tf.concat([], 0))
for m in ("CONSTANT", "REFLECT"):
    tell("pad1", lambda: tf.pad(tf.ones([4, 4]), [[1, 2], tf.placeholder(tf.int32)], m).shape)
    tell("pad2", lambda: tf.pad(tf.placeholder(tf.float32, [None, 4]), [tf.placeholder(tf.int32), [1, 1]], m).shape)
    tell("pad3", lambda: tf.pad(tf.placeholder(tf.float32), [[1, 2], tf.placeholder(tf.int32)], m).shape)
    tell("pad4", lambda: tf.pad(tf.ones([4, 4]), [[1, 2], tf.placeholder(tf.int32), [1, 1]], m).shape)
    tell("pad5", lambda: tf.pad(tf.ones([4, 4]), tf.stack([tf.placeholder(tf.int32), [1, 1]], axis=1), m).shape)
