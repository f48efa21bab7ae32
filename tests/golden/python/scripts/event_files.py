import glob, os, shutil, tempfile
import numpy as np
import tensorflow as tf
tf.set_random_seed(9)
folder = tempfile.mkdtemp()


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


def nn_layer(input_tensor, input_dim, output_dim, layer_name, act=tf.nn.relu):
    with tf.name_scope(layer_name):
        with tf.name_scope('weights'):
            weights = tf.Variable(tf.truncated_normal([input_dim, output_dim], stddev=0.1))
            variable_summaries(weights)
        with tf.name_scope('biases'):
            biases = tf.Variable(tf.constant(0.1, shape=[output_dim]))
            variable_summaries(biases)
        with tf.name_scope('Wx_plus_b'):
            preactivate = tf.matmul(input_tensor, weights) + biases
            tf.summary.histogram('pre_activations', preactivate)
        activations = act(preactivate, name='activation')
        tf.summary.histogram('activations', activations)
        return activations


with tf.name_scope('input'):
    x = tf.placeholder(tf.float32, [None, 12], name='x-input')
    y_ = tf.placeholder(tf.int64, [None], name='y-input')
with tf.name_scope('input_reshape'):
    tf.summary.image('input', tf.reshape(x, [-1, 3, 4, 1]), 10)
hidden1 = nn_layer(x, 12, 7, 'layer1')
with tf.name_scope('dropout'):
    keep_prob = tf.placeholder(tf.float32)
    tf.summary.scalar('dropout_keep_probability', keep_prob)
    dropped = tf.nn.dropout(hidden1, keep_prob)
y = nn_layer(dropped, 7, 3, 'layer2', act=tf.identity)
with tf.name_scope('cross_entropy'):
    with tf.name_scope('total'):
        cross_entropy = tf.losses.sparse_softmax_cross_entropy(labels=y_, logits=y)
tf.summary.scalar('cross_entropy', cross_entropy)
with tf.name_scope('train'):
    train_step = tf.train.AdamOptimizer(0.01).minimize(cross_entropy)
with tf.name_scope('accuracy'):
    with tf.name_scope('correct_prediction'):
        correct = tf.equal(tf.argmax(y, 1), y_)
    with tf.name_scope('accuracy'):
        accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
tf.summary.scalar('accuracy', accuracy)
merged = tf.summary.merge_all()
print(merged, [i.name for i in merged.op.inputs])
rng = np.random.RandomState(1)
xs, ys = rng.rand(20, 12), rng.randint(0, 3, 20)
sess = tf.InteractiveSession()
train_writer = tf.summary.FileWriter(folder + '/train', sess.graph)
test_writer = tf.summary.FileWriter(folder + '/test')
tf.global_variables_initializer().run()
for i in range(12):
    if i % 4 == 0:
        summary, acc = sess.run([merged, accuracy], feed_dict={x: xs, y_: ys, keep_prob: 1.0})
        test_writer.add_summary(summary, i)
        print('Accuracy at step %s: %s' % (i, acc))
    elif i % 4 == 3:
        run_metadata = tf.RunMetadata()
        summary, _ = sess.run([merged, train_step], {x: xs, y_: ys, keep_prob: 0.9}, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=run_metadata)
        train_writer.add_run_metadata(run_metadata, 'step%03d' % i)
        train_writer.add_summary(summary, i)
    else:
        sess.run(train_step, {x: xs, y_: ys, keep_prob: 0.9})
train_writer.close(); test_writer.close()
for path in sorted(glob.glob(folder + '/*/*')):
    for e in tf.train.summary_iterator(path):
        print(os.path.relpath(path, folder).split('/')[0], e.step, e.WhichOneof('what'), [(v.tag, v.WhichOneof('value'), '%.4g' % v.simple_value) for v in e.summary.value][:4])
for path in sorted(glob.glob(folder + '/test/*')):
    for e in tf.train.summary_iterator(path):
        for v in e.summary.value:
            if v.HasField('histo') and e.step == 4:
                print(v.tag, v.histo.num, '%.4f' % v.histo.sum, len(v.histo.bucket))
shutil.rmtree(folder)
