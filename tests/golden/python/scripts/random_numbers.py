import numpy as np
import tensorflow as tf


def show(*ts, **kw):
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        for t in ts:
            print(np.array2string(np.asarray(s.run(t)), precision=5, max_line_width=200))


tf.set_random_seed(1234)
a = tf.random_uniform([3]); b = tf.random_normal([2, 2], mean=1, stddev=2); c = tf.truncated_normal([4], seed=5)
show(a, b, c); show(a, b, c)
show(tf.random_shuffle(tf.range(8), seed=3), tf.random_uniform([4], 0, 10, tf.int32), tf.multinomial([[0.1, 0.2, 0.7]], 6, seed=1), tf.random_gamma([3], 2., seed=2), tf.random_poisson(3., [4], seed=2))
show(tf.random_crop(tf.reshape(tf.range(16), [4, 4]), [2, 2], seed=4), tf.nn.dropout(tf.ones([8]), 0.5, seed=7), tf.nn.dropout(tf.ones([8]), rate=0.25, seed=8))
show(tf.get_variable('g', [2, 2], initializer=tf.glorot_uniform_initializer(seed=1)), tf.get_variable('h', [2, 2]), tf.get_variable('o', [3, 3], initializer=tf.orthogonal_initializer(seed=2)),
     tf.get_variable('t', [2, 2], initializer=tf.truncated_normal_initializer(stddev=.1, seed=3)), tf.get_variable('vs', [3, 2], initializer=tf.variance_scaling_initializer(seed=4)), tf.get_variable('he', [3, 2], initializer=tf.initializers.he_normal(seed=4)), tf.get_variable('x', [2, 2], initializer=tf.contrib.layers.xavier_initializer(seed=9)), tf.get_variable('u', [2], initializer=tf.random_uniform_initializer(-1, 1, seed=6)), tf.get_variable('n', [2], initializer=tf.random_normal_initializer(seed=6)))
show(tf.random.categorical(tf.log([[10., 10.]]), 5, seed=1), tf.random.stateless_uniform([3], seed=[1, 2]), tf.random.stateless_normal([2], [3, 4]))
tf.reset_default_graph()
x = tf.random_uniform([2], name='x').op.inputs[0].op.inputs[0]; y = tf.random_uniform([2], seed=1).op.inputs[0].op.inputs[0]
print(x.op.get_attr('seed'), x.op.get_attr('seed2'), y.op.get_attr('seed'), y.op.get_attr('seed2'), tf.get_seed(3), tf.get_seed(None))
tf.set_random_seed(0)
z = tf.random_uniform([2]).op.inputs[0].op.inputs[0]; print(z.op.get_attr('seed'), z.op.get_attr('seed2'), tf.get_default_graph().seed)
with tf.Graph().as_default():
    tf.set_random_seed(87654321)
    q = tf.layers.dense(tf.ones([1, 3]), 2); r = tf.layers.conv2d(tf.ones([1, 3, 3, 1]), 1, 2)
    show(q, r, tf.contrib.layers.fully_connected(tf.ones([1, 2]), 2), tf.image.random_flip_left_right(tf.reshape(tf.range(6.), [2, 3, 1]), seed=2)[..., 0], tf.image.random_brightness(tf.ones([1, 1, 1]), .5, seed=3), tf.image.random_contrast(tf.reshape(tf.range(4.), [2, 2, 1]), .2, 1.8, seed=1))
    ds = tf.data.Dataset.range(10).shuffle(4, seed=2).batch(5).make_one_shot_iterator().get_next()
    show(ds)
