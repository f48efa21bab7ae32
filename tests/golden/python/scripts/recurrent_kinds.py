"""Recurrent networks: plain, in both directions, of sequences of any length."""
import tensorflow as tf, numpy as np
from tensorflow.contrib import rnn
tf.set_random_seed(5)
rs = np.random.RandomState(0)
T, N, H, C = (7, 4, 8, 3)
x = tf.placeholder('float', [None, T, N])
y = tf.placeholder('float', [None, C])
L = tf.placeholder(tf.int32, [None])
weights = {'out': tf.Variable(tf.random_normal([H, C], seed=1)), 'bi': tf.Variable(tf.random_normal([2 * H, C], seed=2)), 'dyn': tf.Variable(tf.random_normal([H, C], seed=3))}
biases = {'out': tf.Variable(tf.random_normal([C], seed=4))}

def RNN(x):
    x = tf.unstack(x, T, 1)
    cell = rnn.BasicLSTMCell(H, forget_bias=1.0)
    outputs, states = rnn.static_rnn(cell, x, dtype=tf.float32)
    return tf.matmul(outputs[-1], weights['out']) + biases['out']

def BiRNN(x):
    x = tf.unstack(x, T, 1)
    try:
        outputs, _, _ = rnn.static_bidirectional_rnn(rnn.BasicLSTMCell(H, forget_bias=1.0), rnn.BasicLSTMCell(H, forget_bias=1.0), x, dtype=tf.float32)
    except Exception:
        outputs = rnn.static_bidirectional_rnn(rnn.BasicLSTMCell(H), rnn.BasicLSTMCell(H), x, dtype=tf.float32)
    return tf.matmul(outputs[-1], weights['bi']) + biases['out']

def dynamicRNN(x, seqlen):
    x = tf.unstack(x, T, 1)
    cell = tf.contrib.rnn.BasicLSTMCell(H)
    outputs, states = tf.contrib.rnn.static_rnn(cell, x, dtype=tf.float32, sequence_length=seqlen)
    outputs = tf.stack(outputs)
    outputs = tf.transpose(outputs, [1, 0, 2])
    batch_size = tf.shape(outputs)[0]
    index = tf.range(0, batch_size) * T + (seqlen - 1)
    outputs = tf.gather(tf.reshape(outputs, [-1, H]), index)
    return tf.matmul(outputs, weights['dyn']) + biases['out']
with tf.variable_scope('a', initializer=tf.random_uniform_initializer(-0.3, 0.3, seed=9)):
    la = RNN(x)
with tf.variable_scope('b', initializer=tf.random_uniform_initializer(-0.3, 0.3, seed=9)):
    lb = BiRNN(x)
with tf.variable_scope('c', initializer=tf.random_uniform_initializer(-0.3, 0.3, seed=9)):
    lc = dynamicRNN(x, L)
xs = rs.rand(12, T, N)
ls = rs.randint(1, T + 1, 12)
ys = np.eye(C)[rs.randint(0, C, 12)]
for nm, l in (('rnn', la), ('birnn', lb), ('dyn', lc)):
    cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=l, labels=y))
    op = tf.train.AdamOptimizer(learning_rate=0.05).minimize(cost)
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        for i in range(6):
            _, c = s.run([op, cost], {x: xs, y: ys, L: ls})
        print(nm, '%.4f' % c)
print([v.name for v in tf.trainable_variables()])
