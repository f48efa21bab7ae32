"""Division by constants, to the last bit: sessions multiply by the reciprocal unless their configuration leaves graphs alone."""
import numpy as np
import tensorflow as tf

OFF = 2
numbers = np.arange(1, 12, dtype=np.float32)
x = tf.placeholder(tf.float32, [None])
weight = tf.Variable(5.0)
loss = tf.reduce_mean(tf.square(tf.constant(numbers[:3]) * weight))
divided = [tf.reduce_sum(x * weight) / 3, x / 7.0, tf.div(x, tf.constant(np.float32(3.3))), tf.cast(x, tf.float64) / 3.1,
           tf.cast(x, tf.float16) / tf.constant(3.3, tf.float16), loss] + tf.gradients(loss, weight)


def show(config=None):
    with tf.Session(config=config) as sess:
        sess.run(tf.global_variables_initializer())
        for value in sess.run(divided, {x: numbers}):
            print(np.asarray(value).tobytes().hex())


show()
config = tf.ConfigProto()
config.graph_options.rewrite_options.disable_meta_optimizer = True
show(config)
config = tf.ConfigProto()
config.graph_options.rewrite_options.constant_folding = OFF
show(config)
with tf.Graph().as_default(), tf.Session() as sess:
    x = tf.placeholder(tf.float32, [None])
    sevenths = x / 7.0
    print("three nodes", sess.run(sevenths, {x: numbers}).tobytes().hex())
    computed = x / (tf.constant(7.0) + 0)
    print("computed of constants", sess.run(computed, {x: numbers}).tobytes().hex())
    print("a constant that is fed", sess.run(sevenths, {x: numbers, "truediv/y:0": 7.0}).tobytes().hex())
    whole = tf.truediv(np.array([10, 20, 30], np.int32), np.array([2, 3, 5], np.int32))
    print("constant as a whole", sess.run(whole).tobytes().hex())
