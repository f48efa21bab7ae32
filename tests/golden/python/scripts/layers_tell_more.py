import copy
import tensorflow as tf
from tensorflow.python.layers import convolutional, pooling, utils
# what layers keep of their settings, whom losses and updates hang on, and how long a window's outputs are
dense = tf.layers.Dense(3, kernel_regularizer=tf.keras.regularizers.l2(.1), bias_initializer='ones', kernel_constraint=tf.keras.constraints.NonNeg())
print(type(dense.kernel_regularizer).__name__, type(dense.bias_initializer).__name__, type(dense.kernel_constraint).__name__, dense.kernel_initializer, dense.bias_constraint)
dense.build((None, 4))
print(dense.count_params(), dense.built, dense.kernel.shape, dense.dtype)
conv = tf.layers.Conv2D(2, 3, bias_regularizer=tf.keras.regularizers.l1(.1))
conv.build((None, 8, 8, 3))
print(conv.kernel.shape, conv.built, type(conv.bias_regularizer).__name__, conv.kernel_constraint)
apart = tf.layers.SeparableConv2D(4, 3, depthwise_constraint=tf.keras.constraints.UnitNorm(), pointwise_initializer=tf.zeros_initializer())
print(type(apart.depthwise_constraint).__name__, type(apart.pointwise_initializer).__name__, apart.depthwise_regularizer)
norm = tf.layers.BatchNormalization(gamma_initializer=tf.constant_initializer(2.), beta_regularizer=tf.keras.regularizers.l2(.1))
print(type(norm.gamma_initializer).__name__, type(norm.beta_regularizer).__name__, norm.gamma_constraint)


class Counting(tf.layers.Layer):
    def build(self, _):
        self.a = self.add_variable('a', (), tf.float32, trainable=False)
        self.add_update(tf.assign_add(self.a, 1.))
        self.add_loss(self.a)
        self.built = True

    def call(self, inputs):
        self.add_update(tf.assign_add(self.a, inputs), inputs=True)
        self.add_loss(inputs, inputs=True)
        return inputs + 1


layer = Counting()
for _ in range(2):
    x = tf.placeholder(tf.float32, ())
    middle = x + 1
    y = layer.apply(middle)
    for found in (layer.get_updates_for, layer.get_losses_for):
        print([len(found(given)) for given in (None, [x], [middle], [y])])


class Squaring(tf.layers.Layer):
    def call(self, inputs): return tf.square(inputs)


layer = Squaring(name='squaring')
layer.tensor, layer.settings = layer(y), {'a': [1]}
other = copy.deepcopy(layer)
print(other.name, other.tensor is layer.tensor, other._scope.name, other is layer, other.settings is layer.settings)

image = tf.zeros([5, 7, 9, 3])
for make in (lambda: tf.layers.max_pooling2d(image, 3, strides=None), lambda: tf.layers.AveragePooling1D(2, None),
             lambda: pooling.max_pooling2d(image, 3, strides=(1, 2, 3)), lambda: convolutional.conv2d(image, 4, 3, data_format='wrong'),
             lambda: utils.convert_data_format('wrong', 4), lambda: utils.convert_data_format('channels_last', 2),
             lambda: utils.normalize_padding('full'), lambda: utils.normalize_tuple((1, 'x'), 2, 'sizes'), lambda: tf.layers.Dense(1).count_params()):
    try: print(make())
    except Exception as e: print(type(e).__name__, e)
print(convolutional.conv2d(image, 4, 3, activation=tf.nn.relu, name='by_path'), convolutional.separable_conv2d(image, 4, 3))
print(convolutional.conv2d_transpose(image, 4, 3, strides=2).shape, pooling.average_pooling2d(image, 2, 2).shape)
print([utils.convert_data_format(order, rank) for order in ('channels_first', 'channels_last') for rank in (3, 4, 5)], utils.normalize_data_format('Channels_First'))
print([[utils.conv_output_length(n, 3, padding, 2, 2) for n in (5, 8, None)] for padding in ('same', 'valid', 'full')])
print([[f(n, 3, padding, 2) for n in (5, 8, None)] for f in (utils.conv_input_length, utils.deconv_output_length) for padding in ('same', 'valid', 'full')])
