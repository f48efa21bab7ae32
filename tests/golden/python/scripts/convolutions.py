"""A convolutional network by tf.layers with dropout, and the same by tf.nn."""
import numpy as np
import tensorflow as tf

tf.set_random_seed(42)
rng = np.random.RandomState(0)
data = rng.rand(16, 28, 28, 1).astype('float32')
target = rng.randint(0, 10, 16)


def cnn_model(features, mode):
    input_layer = tf.reshape(features, [-1, 28, 28, 1])
    conv1 = tf.layers.conv2d(inputs=input_layer, filters=8, kernel_size=[5, 5], padding="same", activation=tf.nn.relu)
    pool1 = tf.layers.max_pooling2d(inputs=conv1, pool_size=[2, 2], strides=2)
    conv2 = tf.layers.conv2d(pool1, 16, 5, padding="same", activation=tf.nn.relu, name='second')
    pool2 = tf.layers.average_pooling2d(conv2, [2, 2], 2)
    flat = tf.layers.flatten(pool2)
    dense = tf.layers.dense(inputs=flat, units=32, activation=tf.nn.relu)
    dropout = tf.layers.dropout(inputs=dense, rate=0.4, training=mode)
    for t in (conv1, pool1, conv2, pool2, flat, dense, dropout):
        print(t)
    return tf.layers.dense(inputs=dropout, units=10)


x = tf.placeholder(tf.float32, [None, 28, 28, 1], name='images')
labels = tf.placeholder(tf.int64, [None], name='labels')
training = tf.placeholder_with_default(False, [], name='training')
logits = cnn_model(x, training)
loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
optimizer = tf.train.AdamOptimizer(1e-3)
train_op = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
print(loss, train_op, optimizer.get_slot_names(), sep='\n')
for v in tf.global_variables():
    print(v.name, v.shape, v.dtype)
print(tf.get_collection(tf.GraphKeys.LOSSES))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(5):
        _, l, g = sess.run([train_op, loss, tf.train.get_global_step()], {x: data, labels: target, training: True})
        print('loss %.4f' % l)
    print('global step', tf.train.global_step(sess, tf.train.get_global_step()))
    p = sess.run(tf.nn.softmax(logits), {x: data})
    print(p.shape, p.sum(1).round(3), np.round(p[0], 3))

tf.reset_default_graph()
tf.set_random_seed(1)


def weight_variable(shape):
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1))


def bias_variable(shape):
    return tf.Variable(tf.constant(0.1, shape=shape))


x = tf.placeholder(tf.float32, [None, 784])
y_ = tf.placeholder(tf.float32, [None, 10])
keep_prob = tf.placeholder(tf.float32)
img = tf.reshape(x, [-1, 28, 28, 1])
h = tf.nn.relu(tf.nn.conv2d(img, weight_variable([5, 5, 1, 4]), strides=[1, 1, 1, 1], padding='SAME') + bias_variable([4]))
h = tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='SAME')
h = tf.nn.relu(tf.nn.conv2d(h, weight_variable([5, 5, 4, 8]), [1, 2, 2, 1], 'VALID') + bias_variable([8]))
h = tf.reshape(h, [-1, 5 * 5 * 8])
h = tf.nn.relu(tf.matmul(h, weight_variable([200, 20])) + bias_variable([20]))
h = tf.nn.dropout(h, keep_prob)
y = tf.matmul(h, weight_variable([20, 10])) + bias_variable([10])
xent = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=y))
train = tf.train.AdamOptimizer(1e-3).minimize(xent)
acc = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1)), tf.float32))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    ys = np.eye(10)[target]
    for i in range(4):
        train.run(feed_dict={x: data.reshape(16, 784), y_: ys, keep_prob: 0.5})
        print('%.5f %.5f' % (xent.eval({x: data.reshape(16, 784), y_: ys, keep_prob: 1.0}), acc.eval({x: data.reshape(16, 784), y_: ys, keep_prob: 1.0})))
