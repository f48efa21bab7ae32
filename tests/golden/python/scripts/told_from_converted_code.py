"""Errors out of functions of data sets and out of calls of layers, which TensorFlow tells as from converted code."""
import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)


class Own(Exception):
    pass


class Odd(Exception):
    def __init__(self, one, two):
        pass


class Cell(tf.nn.rnn_cell.RNNCell):
    state_size = output_size = 2

    def __init__(self, error):
        super(Cell, self).__init__()
        self.error = error

    def call(self, inputs, state):
        raise self.error


class Built(tf.keras.layers.Layer):
    def build(self, shape):
        raise ValueError("while it is built")


class Model(tf.keras.Model):
    def call(self, inputs):
        raise ValueError("while it is called")


class Outer(tf.layers.Layer):
    def call(self, inputs):
        return tf.layers.dropout(inputs, 7., training=True)


def caught(title, function):
    try:
        print(title, "no error", function())
    except Exception as error:
        lines = [line for line in str(error).split("\n") if line]
        print(title, type(error), isinstance(error, KeyError), "|", lines[0], "|", lines[-1].strip())


def fails(value):
    raise ValueError("mine")


data = tf.data.Dataset.range(3)
caught("map", lambda: data.map(fails))
caught("flat_map", lambda: data.flat_map(fails))
caught("filter", lambda: data.filter(fails))
caught("reduce", lambda: data.reduce(0, lambda state, value: tf.add(state, value)))
caught("key", lambda: data.map(lambda value: {}["a"]))
caught("shape", lambda: data.map(lambda value: tf.reshape(value, [3, 4])))
caught("no function", lambda: data.map(None))
caught("tensorflow's own", lambda: data.map(tf.nn.l2_normalize))
caught("no data set", lambda: data.flat_map(lambda value: value))
one, two = tf.zeros([1, 2]), tf.zeros([3, 2])
for error in [Own("x"), Odd(1, 2), AssertionError(), NotImplementedError("y"), TypeError("two", "args"), IndexError("z"),
              RuntimeError("r"), OSError(2, "no"), ZeroDivisionError("q"), tf.errors.InternalError(None, None, "i"),
              AttributeError("a"), LookupError("l"), KeyError("k")]:
    caught(type(error).__name__, lambda: Cell(error)(one, one))
caught("dynamic_rnn", lambda: tf.nn.dynamic_rnn(Cell(ValueError("deep")), tf.zeros([1, 3, 2]), dtype=tf.float32))
caught("a state that is no pair", lambda: tf.nn.rnn_cell.BasicLSTMCell(2)(one, one))
caught("a state of another size", lambda: tf.nn.rnn_cell.GRUCell(2)(one, tf.zeros([1, 3])))
caught("of another batch", lambda: tf.nn.rnn_cell.BasicRNNCell(2)(two, one))
caught("of another rank", lambda: tf.nn.rnn_cell.BasicRNNCell(2)(tf.zeros([1]), one))
caught("one of many", lambda: tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(2)])(two, one))
image = tf.zeros([1, 2, 2, 1])
caught("conv2d", lambda: tf.layers.conv2d(image, 3, 5))
caught("keras conv2d", lambda: tf.keras.layers.Conv2D(3, 5)(image))
caught("dropout", lambda: tf.layers.dropout(one, 2, training=True))
caught("keras dropout", lambda: tf.keras.layers.Dropout(2)(one, training=True))
caught("lambda", lambda: tf.keras.layers.Lambda(lambda x: x.foo)(one))
caught("build", lambda: Built()(one))
caught("model", lambda: Model()(one))
caught("a layer in a layer", lambda: Outer()(one))
print(type(tf.keras.layers.Dense(3)).__name__, tf.layers.Dense, tf.data.Dataset.range(2).__class__.__name__[:7])
