# snippets_keras.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Layers and networks of tf.keras in graph mode."""

import tensorflow.compat.v1 as tf

keras = tf.keras
layers = tf.keras.layers


def keras_dense():
    x = tf.placeholder(tf.float32, [None, 8], 'x')
    h = layers.Dense(16, activation='relu')(x)
    h = layers.Dense(4, activation=tf.nn.tanh, kernel_regularizer=keras.regularizers.l2(0.01), name='fc')(h)
    d = layers.Dense(3)
    y = d(h)
    d(tf.ones([2, 4]))
    tf.layers.dense(y, 3)
    layers.Dropout(0.5)(y), layers.Dropout(0.5)(y, training=True), layers.Dropout(.3)(y, training=False)
    layers.Activation('softmax')(y)


def keras_convolutions():
    x = tf.placeholder(tf.float32, [None, 16, 16, 3], 'x')
    h = layers.Conv2D(8, 3, activation='relu', padding='same')(x)
    h = layers.BatchNormalization()(h)
    h = layers.BatchNormalization()(h, training=True)
    h = layers.AveragePooling2D(2)(layers.MaxPooling2D()(h))
    h = layers.DepthwiseConv2D(2)(layers.SeparableConv2D(4, (3, 3))(h))
    both = [layers.GlobalAveragePooling2D()(h), layers.GlobalMaxPool2D()(h), layers.Flatten()(h)]
    layers.Dense(2)(layers.concatenate(both))


def keras_shapes():
    x = tf.placeholder(tf.float32, [None, 8, 8, 3], 'x')
    h = layers.Conv2DTranspose(5, 3, strides=2, padding='same')(x)
    h = layers.Cropping2D(1)(layers.ZeroPadding2D(2)(layers.UpSampling2D()(h)))
    h = layers.LeakyReLU()(h)
    h = layers.PReLU(shared_axes=[1, 2])(h)
    h = layers.ReLU(4.)(layers.ReLU(6.)(layers.ELU()(h)))
    h.set_shape([None, None, None, 5])
    h = layers.Permute((2, 1))(layers.Reshape((4, 180))(h))
    h = layers.GlobalMaxPooling1D()(layers.MaxPooling1D(2)(layers.Conv1D(3, 2)(h)))
    layers.Lambda(lambda t: t * 2)(layers.RepeatVector(3)(h))


def keras_embedding_and_merging():
    x = tf.placeholder(tf.int32, [None, 7], 'x')
    e = layers.GlobalAveragePooling1D()(layers.Embedding(100, 8, mask_zero=True)(x))
    e = layers.LayerNormalization()(layers.BatchNormalization()(e))
    for name in ('sigmoid', 'hard_sigmoid', 'selu', 'elu'):
        e = layers.Dense(2, name)(e)
    a = layers.Add()([e, e])
    m = layers.Multiply()([e, a])
    layers.Average()([a, m]), layers.Maximum()([a, m]), layers.Dot(1)([a, m]), layers.Subtract()([a, m])


def keras_inputs_and_ops_between():
    x = layers.Input((5,))
    keras.Input(shape=(3,), name='foo', dtype='int32')
    h = layers.Dense(3)(x)
    layers.Dense(2)(h * 2 + 1)
    layers.Masking()(layers.Input((5, 3)))


def keras_in_scopes_with_a_seed():
    tf.set_random_seed(3)
    x = tf.placeholder(tf.float32, [None, 8], 'x')
    with tf.variable_scope('abc'):
        layers.Dense(3)(x)
        with tf.name_scope('d'):
            layers.Dense(3, kernel_initializer='he_normal', bias_initializer=keras.initializers.Constant(.1))(x)


class _Own(layers.Layer):
    def __init__(self, n, **keywords):
        super(_Own, self).__init__(**keywords)
        self.n, self.inner = n, layers.Dense(3)

    def build(self, shape):
        self.k = self.add_weight('k', shape=(int(shape[1]), self.n), initializer='uniform', trainable=True)
        self.j = self.add_weight(name='j', shape=(self.n,), initializer='zeros', trainable=False)
        super(_Own, self).build(shape)

    def call(self, x):
        return self.inner(tf.matmul(x, self.k) + self.j)


def keras_layer_of_ones_own():
    x = tf.placeholder(tf.float32, [None, 8], 'x')
    layer = _Own(4)
    layer(x), layer(x), _Own(2)(x)


def keras_sequence():
    model = keras.Sequential([layers.Dense(4, input_shape=(3,), activation='relu'), layers.Dropout(.2), layers.Dense(2)])
    x = tf.placeholder(tf.float32, [None, 3])
    model(x), model(x, training=True)
    later = keras.Sequential([layers.Dense(3), layers.Dense(2)])
    later(tf.ones([2, 3]))


def keras_network():
    i = keras.Input(shape=(8, 8, 3), name='img')
    h = layers.Conv2D(4, 3)(i)
    h = layers.add([h, layers.Conv2D(4, 3, padding='same')(h)])
    h = layers.GlobalAveragePooling2D()(layers.BatchNormalization()(h))
    o = layers.Dense(2, activation='softmax')(h)
    model = keras.Model(inputs=i, outputs=o, name='net')
    model(tf.placeholder(tf.float32, [None, 8, 8, 3]))
    keras.Model(i, [h, o])


class _Network(keras.Model):
    def __init__(self):
        super(_Network, self).__init__()
        self.first = layers.Dense(3)
        self.rest = [layers.Dense(4), layers.Dense(5)]
        self.norm, self.last = tf.layers.BatchNormalization(), tf.layers.Dense(7)

    def call(self, x, training=False):
        h = self.first(x)
        for layer in self.rest:
            h = layer(h)
        return self.last(self.norm(h, training=training))


def keras_network_of_ones_own():
    model = _Network()
    x = tf.placeholder(tf.float32, [None, 3])
    model(x), model(x, training=True)


def keras_states_that_are_kept():
    x = tf.placeholder(tf.float32, [2, 3, 4], name='x')
    layer = layers.LSTM(5, stateful=True)
    layer(x, initial_state=[tf.zeros([2, 5]), tf.ones([2, 5])])
    layer(x)
    i, h = keras.Input(batch_shape=(2, 3, 4)), keras.Input(batch_shape=(2, 5))
    sequence, state = layers.GRU(5, stateful=True, return_state=True)(i, initial_state=h)
    layers.Bidirectional(layers.SimpleRNN(5, stateful=True))(i, initial_state=[state, h])
    layers.RNN([layers.LSTMCell(5), layers.GRUCell(3)], stateful=True)(
        x, initial_state=[[tf.zeros([2, 5]), tf.zeros([2, 5])], tf.zeros([2, 3])])
