import numpy as np
import tensorflow as tf
from tensorflow.contrib import rnn
tf.set_random_seed(3)
rng = np.random.RandomState(2)
timesteps, num_input, num_hidden, classes, batch = 5, 4, 6, 3, 8
data = rng.rand(batch, timesteps, num_input).astype(np.float32)
lab = np.eye(classes)[rng.randint(0, classes, batch)]
X = tf.placeholder("float", [None, timesteps, num_input])
Y = tf.placeholder("float", [None, classes])
out = {'w': tf.Variable(tf.random_normal([num_hidden, classes])), 'b': tf.Variable(tf.random_normal([classes]))}


def RNN(x):
    x = tf.unstack(x, timesteps, 1)
    cell = rnn.BasicLSTMCell(num_hidden, forget_bias=1.0)
    print(cell.state_size, cell.output_size, cell.zero_state(2, tf.float32))
    outputs, states = rnn.static_rnn(cell, x, dtype=tf.float32)
    print(outputs[-1], states)
    return tf.matmul(outputs[-1], out['w']) + out['b']


logits = RNN(X)
loss_op = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=Y))
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss_op)
with tf.variable_scope('bi'):
    fw, bw = rnn.BasicLSTMCell(3), rnn.BasicLSTMCell(3)
    o, sf, sb = rnn.static_bidirectional_rnn(fw, bw, tf.unstack(X, timesteps, 1), dtype=tf.float32)
    print(o[0], sf, sb)
with tf.variable_scope('dyn'):
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(n), output_keep_prob=0.9, seed=7) for n in (4, 5)])
    seqlen = tf.placeholder(tf.int32, [None])
    do, ds = tf.nn.dynamic_rnn(cell, X, sequence_length=seqlen, dtype=tf.float32)
    print(do, ds, cell.state_size)
    (bo, bs) = tf.nn.bidirectional_dynamic_rnn(tf.nn.rnn_cell.LSTMCell(3, use_peepholes=True), tf.nn.rnn_cell.LSTMCell(3, num_proj=2), X, dtype=tf.float32)
    print(bo, bs, sep='\n')
    last = tf.gather_nd(do, tf.stack([tf.range(tf.shape(do)[0]), seqlen - 1], axis=1))
    print(last)
    dloss = tf.reduce_mean(tf.square(last)) + tf.reduce_mean(bo[0]) + tf.reduce_sum(bo[1])
    dtrain = tf.train.AdamOptimizer(0.01).minimize(dloss)
for v in tf.trainable_variables():
    print(v.name, v.shape)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(4):
        _, l = sess.run([train_op, loss_op], {X: data, Y: lab})
        _, d = sess.run([dtrain, dloss], {X: data, seqlen: [5, 4, 3, 2, 1, 5, 4, 3]})
        print('%.5f %.5f' % (l, d))
    r = sess.run([do, ds, bo, bs], {X: data, seqlen: [5, 4, 3, 2, 1, 5, 4, 3]})
    print(r[0][1].round(3), type(r[1]), type(r[3][0]).__name__, r[2][1][0].round(4).tolist(), sep='\n')
