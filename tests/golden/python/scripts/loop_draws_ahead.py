"""What a loop draws for nothing but its count: the count goes ahead, and the last turn's numbers are drawn first."""
import numpy as np
import tensorflow as tf

turns, step, zero, two = [tf.placeholder(tf.int32, [], name=name) for name in ("turns", "step", "zero", "two")]
array = tf.TensorArray(tf.float32, turns, infer_shape=False)


def turn(i, state, array):
    shape = tf.stack([tf.negative(i) * zero + two])
    noise = tf.raw_ops.RandomUniform(shape=shape, dtype=tf.float32, seed=5, seed2=7)
    state = tf.matmul(state, state) + noise
    return i + step, state, array.write(i, noise)


_, last, array = tf.while_loop(lambda i, *_: i < turns, turn, (zero, tf.placeholder_with_default([[.2, .1], [.3, .2]], [2, 2]), array))
config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
config.graph_options.rewrite_options.disable_meta_optimizer = True
with tf.Session(config=config) as session:
    for n in (4, 6):
        noises, state = session.run([array.stack(), last], {turns: n, step: 1, zero: 0, two: 2})
        print(np.round(noises, 4).tolist(), np.round(state, 3).tolist())
