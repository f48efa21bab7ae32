# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
# Gathering with batch dimensions: the ops and names of each step, and what is refused.
import numpy as np
import tensorflow as tf

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
    p = tf.constant(np.arange(12.).reshape(2, 2, 3))
    g = tf.gather_nd(p, [[1], [0]], batch_dims=1)
    print(g.shape)
    names()
    with tf.Session() as s: print(s.run(g))
with tf.Graph().as_default():
    p = tf.placeholder(tf.float32, [None, 2, 3]); i = tf.placeholder(tf.int32, [None, 4, 1])
    g = tf.gather_nd(p, i, batch_dims=1, name="fetched")
    print(g.shape)
    names()
    tell("g1", lambda: tf.gather_nd(p, i, batch_dims=2).shape)
    tell("g2", lambda: tf.gather_nd(p, i, batch_dims=3).shape)
    tell("g3", lambda: tf.gather_nd(p, i, batch_dims=-1).shape)
    tell("g4", lambda: tf.gather_nd(p, tf.placeholder(tf.int32), batch_dims=1).shape)
    tell("g5", lambda: tf.gather_nd(tf.placeholder(tf.float32), i, batch_dims=1).shape)
    tell("g6", lambda: tf.gather_nd(p, i, batch_dims=tf.constant(1)).shape)
    tell("g7", lambda: tf.gather_nd(p, i, batch_dims=tf.placeholder(tf.int32)).shape)
    tell("g8", lambda: tf.gather_nd(p, i, batch_dims=np.int64(1)).shape)
