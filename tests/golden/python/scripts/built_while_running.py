"""Graphs that threads run while another one builds, and gradients of what stands around a function or in another graph."""
import threading

import tensorflow as tf
from tensorflow.python.framework import function

with tf.Session() as session:
    five = tf.constant(5.0)
    is_over, wrong = threading.Event(), []

    def run_on():
        while not is_over.is_set():
            if session.run(five) != 5.0:
                wrong.append(1)

    def build():
        for _ in range(20):
            tf.add_n([tf.constant(1.0) * i for i in range(5)])

    runners, builders = [[threading.Thread(target=t) for _ in range(4)] for t in (run_on, build)]
    for thread in runners + builders:
        thread.start()
    for thread in builders:
        thread.join()
    is_over.set()
    for thread in runners:
        thread.join()
    names = [op.name for op in tf.get_default_graph().get_operations()]
    print(wrong, len(names), len(set(names)))

with tf.Graph().as_default():
    x = tf.constant(1.0, name="x")
    y = tf.multiply(x, 2.0, name="y")

    @function.Defun()
    def slope():
        return tf.gradients(y, x)[0]

    made = slope()
    with tf.Session() as session:
        print(session.run(made))

with tf.Graph().as_default():
    x = tf.constant(1.0, name="x")
    y = x * 2
with tf.Graph().as_default():
    print(tf.gradients(y, x))
    for ys in ([y, tf.constant(1.0)], tf.constant(2.0)):
        try:
            tf.gradients(ys, x)
        except ValueError as error:
            print(error)
