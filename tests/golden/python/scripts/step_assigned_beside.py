import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
# an optimizer of a script's own whose rate is that of the step, read late, which the same run assigns early: no edge says so
WIDTH, WORDS, LENGTH = 8, 12, 6


def normal(stddev):
    return tf.truncated_normal_initializer(stddev=stddev, seed=11)


def normed(x, scope):
    return tf.contrib.layers.layer_norm(x, begin_norm_axis=-1, begin_params_axis=-1, scope=scope)


def block(x, scope):
    with tf.variable_scope(scope):
        query, key, value = (tf.layers.dense(x, WIDTH, name=n, kernel_initializer=normal(.3)) for n in ('q', 'k', 'v'))
        weights = tf.nn.softmax(tf.matmul(query, key, transpose_b=True) / np.sqrt(WIDTH).astype(np.float32))
        x = normed(x + tf.matmul(weights, value), 'first')
        wide = tf.layers.dense(x, 2 * WIDTH, tf.nn.elu, kernel_initializer=normal(.3))
        return normed(x + tf.layers.dense(wide, WIDTH, kernel_initializer=normal(.3)), 'second')


class Decayed(tf.train.Optimizer):
    def __init__(self, rate):
        super(Decayed, self).__init__(False, 'Decayed')
        self._rate_now = rate

    def apply_gradients(self, pairs, global_step=None, name=None):
        updates = []
        for gradient, variable in pairs:
            kept = [tf.get_variable(variable.op.name + '/' + n, variable.shape, trainable=False, initializer=tf.zeros_initializer())
                    for n in ('first', 'second')]
            first = .9 * kept[0] + .1 * gradient
            second = .99 * kept[1] + .01 * tf.square(gradient)
            change = first / (tf.sqrt(second) + 1e-6) + .01 * variable
            updates += [variable.assign(variable - self._rate_now * change), kept[0].assign(first), kept[1].assign(second)]
        return tf.group(*updates, name=name)


words = tf.placeholder(tf.int32, [None, LENGTH], name='words')
table = tf.get_variable('table', [WORDS, WIDTH], initializer=normal(.3))
x = tf.nn.embedding_lookup(table, words)
for i in range(3):
    x = block(x, 'block%d' % i)
logits = tf.reshape(tf.matmul(tf.reshape(x, [-1, WIDTH]), table, transpose_b=True), [-1, LENGTH, WORDS])
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reverse(words, [1]), logits=logits))
step = tf.train.get_or_create_global_step()
variables = tf.trainable_variables()
gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 1.)
with tf.control_dependencies(gradients):
    now = tf.cast(step, tf.float32)
rate = .02 * tf.minimum(now / 4., 1.) * (1. - now / 20.)
train = Decayed(rate).apply_gradients(zip(gradients, variables), step)
train = tf.group(train, [step.assign(step + 1)])
batch = np.random.RandomState(0).randint(0, WORDS, [4, LENGTH])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(6):
        value, _ = session.run([loss, train], {words: batch})
        print('%.3f at step %d' % (value, session.run(step)))
print('== assigned anew, a variable keeps its buffer')
tf.reset_default_graph()
for shape, kind in (([], tf.int64), ([3], tf.float32)):
    v = tf.get_variable('v%d' % len(shape), shape, kind, tf.zeros_initializer())
    read = tf.identity(v)
    with tf.control_dependencies([v.assign(read + 1)]):
        late = read * 2
    with tf.Session() as session:
        session.run(v.initializer)
        print([np.ravel(session.run(late))[0] for _ in range(3)])
