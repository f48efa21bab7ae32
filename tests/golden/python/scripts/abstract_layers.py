"""A script's own abstract bases: of layers, models, metrics and decoders."""
import abc

import tensorflow as tf


class Base(tf.keras.layers.Layer, metaclass=abc.ABCMeta):
    @abc.abstractmethod
    def scale(self):
        """By how much."""

    def call(self, inputs):
        return inputs * self.scale()


class Twice(Base):
    def scale(self):
        return 2.


class Encoder(tf.keras.Model, metaclass=abc.ABCMeta):
    @abc.abstractmethod
    def units(self):
        pass


class Small(Encoder):
    def __init__(self):
        super(Small, self).__init__()
        self.dense = tf.keras.layers.Dense(self.units())

    def units(self):
        return 3

    def call(self, x):
        return self.dense(x)


class Cell(tf.nn.rnn_cell.RNNCell, metaclass=abc.ABCMeta):
    @property
    @abc.abstractmethod
    def output_size(self):
        pass


class Copy(Cell):
    output_size = state_size = 2

    def __call__(self, inputs, state, scope=None):
        return inputs, state


def told(make):
    try:
        print(make())
    except TypeError as error:
        print(str(error).split(' with ')[0])


print(Twice()(tf.constant([1., 2.])).name, Small()(tf.ones([1, 2])).name)
print([o.name for o in tf.nn.static_rnn(Copy(), [tf.ones([1, 2])] * 2, dtype=tf.float32)[0]])
for make in (Base, Encoder, Cell):
    told(make)
kinds = (tf.layers.Dense, tf.keras.layers.Dense, tf.nn.rnn_cell.GRUCell, Twice, Small, Copy, tf.keras.metrics.Mean, int)
for base in (tf.keras.layers.Layer, tf.keras.Model, Base):
    print([issubclass(kind, base) for kind in kinds])
print([isinstance(layer, tf.keras.layers.Layer) for layer in (tf.layers.Dense(1), Twice(), Copy(), Small(), 1)])
