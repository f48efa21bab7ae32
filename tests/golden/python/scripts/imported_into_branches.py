# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
# Graphs that are imported into branches and loops.
import tensorflow as tf


def tell(label, call):
    try:
        print(label, call())
    except Exception as error:
        print(label, type(error).__name__, str(error)[:300])


def names(graph=None):
    for op in (graph or tf.get_default_graph()).get_operations():
        print("  ", op.name, op.type, [i.name for i in op.inputs], [i.name for i in op.control_inputs])


with tf.Graph().as_default() as loop:
    r = tf.while_loop(lambda i: i < 10, lambda i: i + 1, [0])


plain = tf.Graph()
with plain.as_default():
    a = tf.constant(1, name="a"); b = tf.add(a, a, name="b"); p = tf.placeholder(tf.int32, [], name="p"); q = tf.add(p, a, name="q")


def case0():
    with tf.Graph().as_default():
        pred = tf.placeholder(tf.bool)
        out = tf.cond(pred, lambda: tf.import_graph_def(loop.as_graph_def(), return_elements=[r.name])[0], lambda: tf.constant(1))
        names()
        with tf.Session() as s:
            print(s.run(out, {pred: True}), s.run(out, {pred: False}))


def case1():
    with tf.Graph().as_default():
        pred = tf.placeholder(tf.bool); x = tf.constant(5, name="x")
        out = tf.cond(pred, lambda: tf.import_graph_def(plain.as_graph_def(), input_map={"p": x}, return_elements=["b:0", "q:0"]), lambda: [tf.constant(1), x])
        names()
        with tf.Session() as s:
            print(s.run(out, {pred: True}), s.run(out, {pred: False}))


def case2():
    with tf.Graph().as_default():
        x = tf.constant(5, name="x")
        out = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, tf.import_graph_def(plain.as_graph_def(), input_map={"p": t}, return_elements=["q:0"])[0]), [0, x])
        names()
        with tf.Session() as s:
            print(s.run(out))


def case3():
    with tf.Graph().as_default():
        out = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + tf.import_graph_def(loop.as_graph_def(), return_elements=[r.name])[0]), [0, 0])
        names()
        with tf.Session() as s:
            print(s.run(out))


for i, c in enumerate([case0, case1, case2, case3]): tell(i, c)
