# Cells of Keras in TensorFlow's own loops over time: a state of one tensor goes in and out as a list.
import numpy as np
import tensorflow as tf

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
x = tf.constant(np.linspace(-1, 1, 12, dtype=np.float32).reshape(2, 3, 2))
lengths = tf.constant([3, 2])
made = []
for kind in (tf.keras.layers.SimpleRNNCell, tf.keras.layers.GRUCell, tf.keras.layers.LSTMCell):
    for function, given in ((tf.nn.dynamic_rnn, x), (tf.nn.static_rnn, tf.unstack(x, axis=1))):
        for keywords in ({}, {'sequence_length': lengths}):
            cell = kind(2, kernel_initializer='ones', recurrent_initializer='ones')
            scope = '%s_%s_%d' % (kind.__name__, function.__name__, len(keywords))
            made.append(function(cell, given, dtype=tf.float32, scope=scope, **keywords))
both = tf.nn.bidirectional_dynamic_rnn(tf.keras.layers.SimpleRNNCell(2, kernel_initializer='ones', recurrent_initializer='ones'),
                                       tf.keras.layers.SimpleRNNCell(2, kernel_initializer='zeros', recurrent_initializer='ones'),
                                       x, dtype=tf.float32)
made.append(both)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for value in sess.run(made):
        print(tf.nest.map_structure(lambda a: np.round(a, 4).tolist(), value))
for op in tf.get_default_graph().get_operations():
    if 'while' in op.name and op.type not in ('Const', 'Identity'):
        print(op.type, op.name, [t.name for t in op.inputs])
