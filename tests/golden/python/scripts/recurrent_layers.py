"""tf.keras's recurrent layers: graphs, values, gradients, masks, states, training."""
import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import hashlib
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
L, K = tf.keras.layers, tf.keras.backend


def numbers(values):
    return ' '.join('%.3g' % (v + 0.0) for v in np.ravel(values))


def told(function, *arguments, **keywords):
    try:
        function(*arguments, **keywords)
        print('   fine')
    except Exception as error:
        print('   %s: %s' % (type(error).__name__, str(error).split('\n')[0]))


def listing(graph):
    """How many operations, and a word for all names, types and inputs together."""
    lines = ['%s %s %s' % (op.name, op.type, [t.name for t in op.inputs]) for op in graph.get_operations()]
    return '%d operations %s' % (len(lines), hashlib.md5('\n'.join(lines).encode()).hexdigest()[:8])


def layer(make, shape=(5, 3), batch=None):
    K.clear_session()
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(3)
        x = tf.keras.Input(shape, batch_size=batch)
        outputs = make(x)
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        print([(o.name, o.shape.as_list()) for o in outputs])
        print('  ', [v.name for v in tf.global_variables()])
        gradients = [g for g in tf.gradients(outputs[0], tf.trainable_variables()) if g is not None]
        print('  ', listing(graph))
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            values = np.arange(np.prod([2] + [5 if d is None else d for d in shape])) % 7 / 7.
            feed = {x: values.reshape([2] + [5 if d is None else d for d in shape])}
            for value in sess.run(list(outputs), feed):
                print('  ', numbers(value))
            print('  ', numbers([np.abs(g).sum() for g in sess.run(gradients, feed)]))


print('== layers')
layer(lambda x: L.SimpleRNN(2)(x))
layer(lambda x: L.LSTM(2, return_sequences=True, return_state=True)(x))
layer(lambda x: L.GRU(2)(x))
layer(lambda x: L.GRU(2, reset_after=True, return_sequences=True)(x))
layer(lambda x: L.GRU(2, implementation=2, go_backwards=True)(x))
layer(lambda x: L.GRU(2, implementation=2, reset_after=True)(x))
layer(lambda x: L.LSTM(2, implementation=2, use_bias=False)(x))
layer(lambda x: L.LSTM(2, unroll=True, activation='relu', recurrent_activation='sigmoid')(x))
layer(lambda x: L.LSTM(2, dropout=.2, recurrent_dropout=.3)(x))
layer(lambda x: L.SimpleRNN(2, dropout=.2, time_major=True, return_sequences=True)(x))
layer(lambda x: L.RNN([L.LSTMCell(2), L.GRUCell(3)])(x))

print('== masks')
layer(lambda x: L.LSTM(2)(L.Masking()(x)), (None, 3))
layer(lambda x: L.GRU(2, return_sequences=True, unroll=True)(L.Masking(0.)(x)))
layer(lambda x: L.Bidirectional(L.LSTM(2, return_sequences=True))(L.Masking()(x)))

print('== layers around layers')
layer(lambda x: L.Bidirectional(L.GRU(2), merge_mode='sum')(x))
layer(lambda x: L.Bidirectional(L.LSTM(2, return_state=True), merge_mode='ave')(x))
layer(lambda x: L.Bidirectional(L.SimpleRNN(2), merge_mode=None, name='both')(x))
layer(lambda x: L.TimeDistributed(L.Dense(4, activation='relu'))(x))
layer(lambda x: L.LSTM(2)(L.TimeDistributed(L.Flatten())(L.TimeDistributed(L.Conv2D(2, 3))(x))), (4, 5, 5, 1))
layer(lambda x: L.TimeDistributed(L.Dense(2))(x), (None, 3), 2)


print('== a state to begin with')
def translated(x):
    _, h, c = L.LSTM(3, return_state=True, name='reads')(x)
    return L.LSTM(3, return_sequences=True, name='writes')(x, initial_state=[h, c])
layer(translated)
layer(lambda x: L.GRU(2)(x, initial_state=tf.zeros([2, 2])))

print('== training')
K.clear_session()
tf.set_random_seed(5)
model = tf.keras.Sequential([L.Embedding(10, 4, mask_zero=True, input_length=6), L.Bidirectional(L.LSTM(3)),
                             L.Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
model.summary()
x, y = np.arange(24).reshape(4, 6) % 10, np.array([0, 1, 0, 1.])
history = model.fit(x, y, epochs=3, batch_size=2, verbose=0, shuffle=False)
print(numbers(history.history['loss']), numbers(model.predict(x)), [w.shape for w in model.get_weights()])

print('== states that stay')
K.clear_session()
tf.set_random_seed(5)
model = tf.keras.Sequential([L.LSTM(3, stateful=True, batch_input_shape=(2, 4, 3))])
ones = np.ones((2, 4, 3))
print(numbers(model.predict(ones)))
print(numbers(model.predict(ones)))
model.reset_states()
print(numbers(model.predict(ones)))
told(L.LSTM(3, stateful=True), tf.keras.Input((4, 3)))
told(L.LSTM(3).reset_states)

print('== mistakes and configs')
told(L.LSTM(3), tf.zeros([2, 3]))
told(L.LSTM(3, unroll=True), tf.keras.Input((None, 3)))
told(L.RNN, 3)
told(L.Bidirectional, 3)
told(L.Bidirectional, L.LSTM(2), merge_mode='max')
told(L.TimeDistributed, 3)
told(L.TimeDistributed(L.Dense(2)), tf.zeros([2, 3]))
told(L.LSTM, 3, colour='red')
told(L.LSTM(2), tf.keras.Input((5, 3)), initial_state=[tf.zeros([2, 2])])
for kind in (L.SimpleRNN, L.GRU, L.LSTM):
    config = kind(3, name='named', dropout=.5).get_config()
    print([(key, config[key]) for key in sorted(config)])
print(sorted(L.Bidirectional(L.LSTM(2), name='b').get_config()), L.Bidirectional(L.LSTM(2)).forward_layer.units)
