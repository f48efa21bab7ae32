# What layers of tf.layers, cells and layers of tf.keras tell of themselves: weights, shapes, calls, configs.
import numpy as np
import tensorflow as tf

keras = tf.keras
image = tf.placeholder(tf.float32, [None, 8, 8, 3], name='image')
row = tf.placeholder(tf.float32, [None, 12], name='row')
series = tf.placeholder(tf.float32, [None, 9, 4], name='series')
fixed = tf.placeholder(tf.float32, [2, 12], name='fixed')


def tell(what, get):
    try:
        result = get()
    except Exception as e:
        result = '%s: %s' % (type(e).__name__, e)
    print('   ', what, result)


def config(layer):
    return sorted(layer.get_config().items(), key=str)


print('layers')
penalty = tf.contrib.layers.l2_regularizer(0.1)
dense = tf.layers.Dense(5, activation=tf.nn.relu, kernel_regularizer=penalty)
for layer, taken in [
        (dense, row), (tf.layers.Conv2D(4, 3, padding='same'), image), (tf.layers.Conv1D(4, 3, strides=2), series),
        (tf.layers.Conv2DTranspose(4, 3, strides=2), image), (tf.layers.SeparableConv2D(4, 3, depth_multiplier=2), image),
        (tf.layers.MaxPooling2D(2, 2), image), (tf.layers.AveragePooling1D(3, 1), series), (tf.layers.Dropout(0.3), row),
        (tf.layers.Flatten(), image), (tf.layers.BatchNormalization(momentum=0.9), image)]:
    print(layer.name, isinstance(layer, keras.layers.Layer))
    tell('count', layer.count_params)
    tell('weights', layer.get_weights)
    layer(taken)
    for name in ['dynamic', 'stateful', 'supports_masking', 'metrics', 'inbound_nodes', 'input_shape', 'output_shape', 'input',
                 'output', 'input_mask', 'input_spec']:
        tell(name, lambda: getattr(layer, name))
    for name in ['get_input_at', 'get_output_at', 'get_input_shape_at', 'get_output_shape_at', 'get_output_mask_at']:
        tell(name, lambda: getattr(layer, name)(0))
    tell('mask', lambda: layer.compute_mask(taken))
    tell('handed on', lambda: layer.compute_mask(taken, image))
    tell('shape', lambda: layer.compute_output_shape(taken.shape))
    tell('signature', lambda: layer.compute_output_signature(tf.TensorSpec(taken.shape, tf.float32)))
    tell('config', lambda: config(layer))
    if layer is not dense:
        tell('again', lambda: config(type(layer).from_config(layer.get_config())) == config(layer))
    tell('count', layer.count_params)

print('weights')
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    dense.set_weights([np.ones((12, 5)), np.zeros(5)])
    print(session.run(dense.kernel).sum(), [w.shape for w in dense.get_weights()])
    tell('few', lambda: dense.set_weights([1]))
    tell('other', lambda: dense.set_weights([np.ones((12, 4)), np.zeros(5)]))
dense.trainable = False
print(dense.trainable_weights, len(dense.non_trainable_weights))

print('cells')
cells = tf.nn.rnn_cell
for cell in [cells.BasicRNNCell(3), cells.BasicLSTMCell(3, forget_bias=0.5),
             cells.LSTMCell(3, use_peepholes=True, num_proj=2, initializer=tf.zeros_initializer()),
             cells.GRUCell(3, kernel_initializer=tf.ones_initializer(), bias_initializer=tf.zeros_initializer()),
             cells.DropoutWrapper(cells.GRUCell(3), 0.5), cells.ResidualWrapper(cells.GRUCell(12)),
             cells.DeviceWrapper(cells.GRUCell(3), '/cpu:0')]:
    print(cell.name)
    cell(fixed, cell.zero_state(2, tf.float32))
    tell('shape', lambda: cell.compute_output_shape(fixed.shape))
    tell('config', lambda: config(cell))
    tell('again', lambda: config(type(cell).from_config(cell.get_config())) == config(cell))

print('tf.keras')
shapes = {'Embedding': (None, 7), 'Reshape': (None, 12), 'Dense': (None, 4), 'Concatenate': [(None, 2), (None, 3)]}
for layer in [keras.layers.Conv2D(3, 2), keras.layers.Embedding(4, 5), keras.layers.Reshape((3, -1)),
              keras.layers.Dense(3, 'relu', False), keras.layers.Concatenate(), keras.layers.GlobalAveragePooling2D(),
              keras.layers.UpSampling2D(), keras.layers.Conv3DTranspose(2, 3, (2, 2, 2), 'same', 1)]:
    shape = shapes.get(type(layer).__name__, (None, 6, 6, 2))
    tell(layer.name, lambda: layer.compute_output_shape((None, 4, 5, 3, 1) if '3d' in layer.name else shape))
grown = keras.layers.Conv2DTranspose(2, 3, strides=2, padding='same', output_padding=1, kernel_initializer='ones')
pixels = tf.placeholder(tf.float32, [None, 4, 5, 1], name='pixels')
result = grown(pixels)
print(result.shape, grown.get_config()['output_padding'])
print(keras.layers.Conv2DTranspose(2, 3, padding='same', dilation_rate=2)(pixels).shape)
tell('padding', lambda: keras.layers.Conv2DTranspose(2, 3, strides=2, output_padding=2))
try:
    keras.Sequential([tf.layers.Dense(3)])
except TypeError as e:
    print(str(e).split('\n')[::2])
print([(op.type, op.name) for op in tf.get_default_graph().get_operations() if op.name.startswith('conv2d_transpose')])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(result, {pixels: np.ones((1, 4, 5, 1))})[0, :, :, 0])
