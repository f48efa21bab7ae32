# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
# Gradients of lists by a tape, and by what a function reads of the graph around it.
import tensorflow as tf
from tensorflow.python.eager import function
from tensorflow.python.ops import list_ops


def tell(label, call):
    try:
        print(label, call())
    except Exception as error:
        print(label, type(error).__name__, error)


def names(graph=None):
    for op in (graph or tf.get_default_graph()).get_operations():
        print("  ", op.name, op.type, [i.name for i in op.inputs], [str(o.shape) for o in op.outputs])


def case0():
    with tf.Graph().as_default():
        with tf.GradientTape() as tape:
            l = list_ops.empty_tensor_list(element_dtype=tf.float32, element_shape=[])
            c = tf.constant(1.0)
            tape.watch(c)
            l = list_ops.tensor_list_push_back(l, c)
            l, e = list_ops.tensor_list_pop_back(l, element_dtype=tf.float32)
            e = 2 * e
        g = tape.gradient(e, [c])[0]
        names()
        with tf.Session() as s:
            print(s.run(g))


tell('case0', case0)


def case1():
    with tf.Graph().as_default():
        with tf.GradientTape() as tape:
            l = list_ops.empty_tensor_list(element_dtype=tf.float32, element_shape=None)
            c0, c1 = tf.constant(5.0), tf.constant([10., 20.])
            tape.watch(c0); tape.watch(c1)
            l = list_ops.tensor_list_push_back(l, c0)
            l = list_ops.tensor_list_push_back(l, c1)
            t1 = list_ops.tensor_list_get_item(l, 1, element_dtype=tf.float32)
        d = tape.gradient(t1, [c0, c1])
        with tf.Session() as s:
            print(s.run(d))


tell('case1', case1)


def case3():
    with tf.Graph().as_default():
        x = tf.constant(1.0, name="x")
        @function.defun()
        def Foo():
            y = tf.multiply(x, 2.0, name="y")
            g = tf.gradients(y, x)
            names()
            return g[0]
        f = Foo()
        with tf.Session() as s:
            print(s.run(f))


tell('case3', case3)
