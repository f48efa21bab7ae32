# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
# What is saved of tables by themselves and by way of objects; layers built before they are called.
import copy
import tempfile

import tensorflow as tf


def tell(label, call):
    try:
        print(label, call())
    except Exception as error:
        print(label, type(error).__name__, str(error)[:300])


def names(graph=None):
    for op in (graph or tf.get_default_graph()).get_operations():
        print("  ", op.name, op.type, [i.name for i in op.inputs])


def case4():
    a = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="t1")
    s = tf.train.Saver([a])
    names()


def case5():
    a = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="t1")
    v = tf.get_variable("v", [], use_resource=True, initializer=tf.ones_initializer())
    c = tf.train.Checkpoint(table=a, v=v)
    d = tempfile.mkdtemp()
    with tf.Session() as s:
        s.run([a.insert(["x", "y"], [1, 2]), tf.global_variables_initializer()])
        p = c.save(d + "/m", session=s)
        print(tf.train.list_variables(p))
        r = tf.train.load_checkpoint(p)
        g = r.get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH")
        print(len(g))
        s.run(a.insert(["z"], [3]))
        print(s.run(a.size()))
        c.restore(p).assert_consumed().run_restore_ops(s)
        print(s.run([a.size(), a.lookup(["x", "z"])]))
    names()


def case6():
    v = tf.get_variable("v", [], use_resource=True)
    copy.deepcopy(v)


def case7():
    n = tf.nn.rnn_cell
    for kind in (n.BasicRNNCell, n.GRUCell, n.LSTMCell, n.BasicLSTMCell):
        cell = kind(10)
        cell.build(tf.TensorShape([10, 50]))
        print(kind.__name__, cell.dtype, [(v.name, v.dtype) for v in cell.variables])
    dense = tf.layers.Dense(3)
    dense.build([2, 3])
    print(dense.dtype, dense.kernel.dtype)


for i, c in enumerate([case4, case5, case6, case7]):
    with tf.Graph().as_default():
        tell(i, c)
