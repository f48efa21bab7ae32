# Optimizers of tf.keras step by step, their configs, schedules, and what they refuse.
import numpy as np
import tensorflow.compat.v1 as tf

keras = tf.keras


def train(optimizer):
    keras.backend.clear_session()
    x = np.array([[1, 2], [3, 4], [5, 0]])
    y = np.array([[1.], [0.], [2.]])
    inputs = keras.Input((2,), dtype='int32')
    h = keras.layers.Flatten()(keras.layers.Embedding(6, 2, embeddings_initializer='ones')(inputs))
    model = keras.Model(inputs, keras.layers.Dense(1, kernel_initializer='ones')(h))
    model.compile(optimizer, 'mse')
    losses = [model.train_on_batch(x, y) for _ in range(3)]
    config = keras.optimizers.serialize(model.optimizer)
    values = {k: v if isinstance(v, (str, bool)) else round(float(v), 5) for k, v in config['config'].items()}
    print(config['class_name'], sorted(values.items()))
    print(np.round(losses, 3), [np.round(w, 3).tolist() for w in model.get_weights()[1:]])


for made in (keras.optimizers.Adamax(0.1), keras.optimizers.Nadam(0.1), keras.optimizers.Ftrl(0.1),
             keras.optimizers.Ftrl(0.1, l2_shrinkage_regularization_strength=0.1), 'adamax', 'nadam', 'ftrl'):
    train(made)

S = keras.optimizers.schedules
with tf.Graph().as_default(), tf.Session() as sess:
    step = tf.placeholder(tf.float32, [])
    made = [S.ExponentialDecay(.1, 4, .5), S.ExponentialDecay(.1, 4, .5, staircase=True), S.InverseTimeDecay(.1, 4, .5),
            S.PiecewiseConstantDecay([2, 5], [1., .5, .1]), S.PolynomialDecay(.1, 4), S.PolynomialDecay(.1, 4, cycle=True),
            keras.experimental.CosineDecay(.1, 4), keras.experimental.CosineDecayRestarts(.1, 4),
            keras.experimental.LinearCosineDecay(.1, 4)]
    values = [s(step) for s in made]
    for at in (0, 2, 3, 6, 9):
        print(np.round(sess.run(values, {step: at}), 4).tolist())
    for s in made[:6]:
        again = S.deserialize(S.serialize(s))
        print(type(again).__name__, again.get_config() == s.get_config(), sorted(s.get_config()))


def refused(make):
    try:
        make()
    except Exception as e:
        print(type(e).__name__, e)


refused(lambda: keras.optimizers.Nadam(S.ExponentialDecay(.1, 4, .5)))
refused(lambda: keras.optimizers.Ftrl(initial_accumulator_value=-1.))
refused(lambda: keras.optimizers.Ftrl(learning_rate_power=1.))
refused(lambda: keras.optimizers.Ftrl(l2_shrinkage_regularization_strength=-1.))
refused(lambda: S.PiecewiseConstantDecay([1, 2], [1., 2.]))
refused(lambda: keras.optimizers.get('nothing'))
with tf.Graph().as_default():
    q = keras.Input((2, 3))
    refused(lambda: keras.layers.Attention()(q))
    refused(lambda: keras.layers.Attention()([q]))
    refused(lambda: keras.layers.AdditiveAttention()([q, q], mask=[None]))
    print(keras.layers.Attention(use_scale=True, name='a').get_config())
    print(keras.layers.AdditiveAttention(causal=True, name='b').get_config())
    x = np.arange(12).reshape(1, 4, 3) / 10.
    both = [tf.constant(x, tf.float32)] * 2
    outputs = [keras.layers.Attention(causal=True)(both), keras.layers.AdditiveAttention(use_scale=False)(both)]
    print(np.round(keras.backend.batch_get_value(outputs), 4).tolist())
