# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
# Branches and loops of functions that begin with or give what stands around the function.
import tensorflow as tf
from tensorflow.python.framework import function as ff


def tell(label, call):
    try:
        print(label, call())
    except Exception as error:
        print(label, type(error).__name__, error)


def case0():
    with tf.Graph().as_default():
        x = tf.constant(3, name="x"); z = tf.constant(True, name="z")
        @ff.Defun(tf.int32)
        def Foo(n):
            r = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t * 2), [0, x])[1]
            return r
        y = Foo(2)
        with tf.Session() as s:
            print(s.run(y))


def case1():
    with tf.Graph().as_default():
        x = tf.constant(3, name="x")
        @ff.Defun(tf.int32)
        def Foo(n):
            r = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, x), [0, 1])[1]
            return r
        y = Foo(2)
        with tf.Session() as s:
            print(s.run(y))


def case2():
    with tf.Graph().as_default():
        x = tf.constant(3, name="x"); z = tf.constant(True, name="z")
        d = tf.data.Dataset.range(3).map(lambda n: tf.cond(tf.equal(n, 1), lambda: x, lambda: x + 1))
        d = d.map(lambda n: tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, x + i), [0, x])[1])
        d = d.map(lambda n: tf.cond(z, lambda: x, lambda: n))
        it = d.make_initializable_iterator()
        nx = it.get_next()
        with tf.Session() as s:
            s.run(it.initializer)
            print([s.run(nx) for _ in range(3)])


def case3():
    with tf.Graph().as_default():
        x = tf.constant(3, name="x"); z = tf.constant(True, name="z")
        f = tf.function(lambda n: tf.cond(z, lambda: x, lambda: n))
        g = tf.function(lambda n: tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, x), [0, x])[1])
        with tf.Session() as s:
            print(s.run([f(5), g(6)]))


def case4():
    with tf.Graph().as_default():
        p = tf.constant(True, name="p"); x = tf.constant(3, name="x")
        d = tf.data.Dataset.range(3).map(lambda n: tf.cond(p, lambda: tf.case([(p, lambda: x)], default=lambda: 0), lambda: 7))
        it = d.make_initializable_iterator()
        nx = it.get_next()
        with tf.Session() as s:
            s.run(it.initializer)
            print([s.run(nx) for _ in range(3)])


def case5():
    with tf.Graph().as_default():
        x = tf.constant(1)
        @ff.Defun(tf.bool)
        def Foo(pred):
            return tf.cond(pred, lambda: x, lambda: x + 1)
        with tf.Session() as s:
            print(s.run([Foo(True), Foo(False)]))


for i, c in enumerate([case0, case1, case2, case3, case4, case5]): tell(i, c)
