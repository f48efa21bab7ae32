"""Dropout in a decoder: which step gets which mask, where the loop counts by who has finished (TensorFlow: in most runs)."""
import numpy as np
import tensorflow as tf

seq2seq = tf.contrib.seq2seq
tf.set_random_seed(7)
x = tf.constant(np.random.RandomState(0).rand(2, 5, 4).astype('f'))
lengths = tf.constant([5, 3])
cell = tf.nn.rnn_cell.DropoutWrapper(
    tf.nn.rnn_cell.GRUCell(3, kernel_initializer=tf.ones_initializer(), bias_initializer=tf.zeros_initializer()),
    output_keep_prob=.5, seed=2)


def decoded(**keywords):
    decoder = seq2seq.BasicDecoder(cell, seq2seq.TrainingHelper(x, lengths), cell.zero_state(2, tf.float32))
    return seq2seq.dynamic_decode(decoder, **keywords)[0].rnn_output


outputs = [decoded(), decoded(parallel_iterations=1), decoded(maximum_iterations=4),
           tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32)[0]]
for output in outputs:
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        print(np.round(session.run(output), 4).tolist())
