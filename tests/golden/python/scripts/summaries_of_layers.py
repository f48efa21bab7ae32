"""Layers with summaries of all they have, read again from the event files."""
from __future__ import absolute_import, division, print_function
import argparse, os, sys
import tensorflow as tf, numpy as np
FLAGS = None

def train():
    rs = np.random.RandomState(0)
    xs = rs.rand(50, 784).astype('f')
    ys = rs.randint(0, 10, 50)
    sess = tf.InteractiveSession()
    with tf.name_scope('input'):
        x = tf.placeholder(tf.float32, [None, 784], name='x-input')
        y_ = tf.placeholder(tf.int64, [None], name='y-input')
    with tf.name_scope('input_reshape'):
        tf.summary.image('input', tf.reshape(x, [-1, 28, 28, 1]), 10)

    def weight_variable(shape):
        return tf.Variable(tf.truncated_normal(shape, stddev=0.1, seed=2))

    def bias_variable(shape):
        return tf.Variable(tf.constant(0.1, shape=shape))

    def variable_summaries(var):
        with tf.name_scope('summaries'):
            mean = tf.reduce_mean(var)
            tf.summary.scalar('mean', mean)
            with tf.name_scope('stddev'):
                stddev = tf.sqrt(tf.reduce_mean(tf.square(var - mean)))
            tf.summary.scalar('stddev', stddev)
            tf.summary.scalar('max', tf.reduce_max(var))
            tf.summary.scalar('min', tf.reduce_min(var))
            tf.summary.histogram('histogram', var)

    def nn_layer(t, i, o, name, act=tf.nn.relu):
        with tf.name_scope(name):
            with tf.name_scope('weights'):
                w = weight_variable([i, o])
                variable_summaries(w)
            with tf.name_scope('biases'):
                b = bias_variable([o])
                variable_summaries(b)
            with tf.name_scope('Wx_plus_b'):
                p = tf.matmul(t, w) + b
                tf.summary.histogram('pre_activations', p)
            a = act(p, name='activation')
            tf.summary.histogram('activations', a)
            return a
    h = nn_layer(x, 784, 30, 'layer1')
    with tf.name_scope('dropout'):
        kp = tf.placeholder(tf.float32)
        tf.summary.scalar('dropout_keep_probability', kp)
        d = tf.nn.dropout(h, kp, seed=4)
    y = nn_layer(d, 30, 10, 'layer2', act=tf.identity)
    with tf.name_scope('cross_entropy'):
        with tf.name_scope('total'):
            ce = tf.losses.sparse_softmax_cross_entropy(labels=y_, logits=y)
    tf.summary.scalar('cross_entropy', ce)
    with tf.name_scope('train'):
        ts = tf.train.AdamOptimizer(FLAGS.learning_rate).minimize(ce)
    with tf.name_scope('accuracy'):
        with tf.name_scope('correct_prediction'):
            cp = tf.equal(tf.argmax(y, 1), y_)
        with tf.name_scope('accuracy'):
            acc = tf.reduce_mean(tf.cast(cp, tf.float32))
    tf.summary.scalar('accuracy', acc)
    merged = tf.summary.merge_all()
    tw = tf.summary.FileWriter(FLAGS.log_dir + '/train', sess.graph)
    tv = tf.summary.FileWriter(FLAGS.log_dir + '/test')
    tf.global_variables_initializer().run()
    for i in range(FLAGS.max_steps):
        if i % 5 == 0:
            s, a = sess.run([merged, acc], feed_dict={x: xs, y_: ys, kp: 1.0})
            tv.add_summary(s, i)
            print('Accuracy at step %s: %s' % (i, a))
        elif i % 10 == 9:
            ro = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            rm = tf.RunMetadata()
            s, _ = sess.run([merged, ts], feed_dict={x: xs, y_: ys, kp: FLAGS.dropout}, options=ro, run_metadata=rm)
            tw.add_run_metadata(rm, 'step%03d' % i)
            tw.add_summary(s, i)
            print('Adding run metadata for', i)
        else:
            s, _ = sess.run([merged, ts], feed_dict={x: xs, y_: ys, kp: FLAGS.dropout})
            tw.add_summary(s, i)
    tw.close()
    tv.close()
    for f in ('train', 'test'):
        p = [os.path.join(FLAGS.log_dir, f, n) for n in os.listdir(os.path.join(FLAGS.log_dir, f))][0]
        for e in tf.train.summary_iterator(p):
            if e.summary.value:
                print(f, e.step, len(e.summary.value), sorted((v.tag for v in e.summary.value))[:3])

def main(_):
    if tf.gfile.Exists(FLAGS.log_dir):
        tf.gfile.DeleteRecursively(FLAGS.log_dir)
    tf.gfile.MakeDirs(FLAGS.log_dir)
    train()
if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--max_steps', type=int, default=12)
    parser.add_argument('--learning_rate', type=float, default=0.001)
    parser.add_argument('--dropout', type=float, default=0.9)
    parser.add_argument('--log_dir', type=str, default='logs')
    FLAGS, unparsed = parser.parse_known_args()
    tf.app.run(main=main, argv=[sys.argv[0]] + unparsed)
