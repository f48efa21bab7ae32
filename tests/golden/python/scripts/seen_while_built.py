"""What ops in the making know of numbers from outside of a loop, what functions are called by, and which op types an export lists."""
import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import functools
import tensorflow as tf
from tensorflow.python.framework import function
tf.logging.set_verbosity(tf.logging.ERROR)

print('== numbers that enter a loop')
two, pair = tf.constant(2), tf.constant([2, 3])
outside, six = tf.identity(two), two * 3
anything = tf.placeholder(tf.float32, None)
first = tf.shape(tf.placeholder(tf.float32, [4, None]))[0]


def body(i):
    inside = tf.identity(two)
    for number in (two, outside, six, first, inside):
        print('  %-12s' % number.op.type, tf.range(number).shape, tf.fill([number, 3], 1).shape, tf.zeros(tf.stack([number, 2])).shape,
              tf.reshape(anything, [number, 3]).shape, tf.fill([number * 2, 3], 0).shape)
    print('  vectors', tf.reshape(anything, pair).shape, tf.reshape(anything, pair * 2).shape, tf.reshape(anything, tf.concat([pair, [5]], 0)).shape,
          tf.reshape(anything, tf.concat([pair, [i]], 0)).shape, tf.fill(pair[1:], 0).shape, tf.fill(tf.stack([pair[0], 7]), 0).shape)
    print('  others', tf.slice(anything, [0, 0], [two, 1]).shape, tf.tile(tf.ones([2, 2]), [two, 1]).shape, tf.ones([9, 9])[:two].shape,
          tf.fill([two, i], 1).shape)

    def inner(j):
        print('  a loop in it', tf.range(two).shape, tf.fill([two, 3], 1).shape, tf.reshape(anything, pair).shape)
        return j + 1
    tf.while_loop(lambda j: j < 2, inner, [0])
    tf.cond(i > 2, lambda: print('  a branch in it', tf.range(two).shape, tf.fill([two, 3], 1).shape) or i, lambda: i)
    return i + 1


last = tf.while_loop(lambda i: i < 3, body, [0])
print('  what leaves', tf.range(last).shape, tf.fill([last, 2], 0).shape)

print('== values of tables')
for table in (tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1), tf.contrib.lookup.MutableHashTable(tf.string, tf.float32, [0., 0.]),
              tf.contrib.lookup.MutableDenseHashTable(tf.int64, tf.float32, [0., 0., 0.], -1, -2)):
    print('  %s' % [t.shape.as_list() for t in table.export()])

print('== a slice that tf.assign is given')
for use_resource in (False, True):
    v = tf.get_variable('v%d' % use_resource, [4, 5], initializer=tf.zeros_initializer(), use_resource=use_resource)
    made = tf.assign(v[1:3, ::2], tf.ones([2, 3]), name='put%d' % use_resource)
    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(made)
        print('  %s %s' % (made.op.type, sess.run(v).sum()))

print('== names of functions')


class Called(object):
    def __call__(self, x):
        return x + 1

    def method(self, x):
        return x + 2

    @classmethod
    def of_class(cls, x):
        return x + 4


class Lines(tf.data.TextLineDataset):
    pass


def plus(x, y=1):
    return x + y


data = tf.data.Dataset.range(4)
for f in (Called(), Called().method, Called.of_class, functools.partial(plus, y=5), functools.partial(Called().method), tf.as_string, tf.strings.length,
          tf.to_float, tf.reduce_sum, tf.as_string, tf.strings.to_number, lambda x: x):
    data = data.map(f)
data = data.interleave(tf.data.Dataset.from_tensors, 2).flat_map(functools.partial(tf.data.Dataset.from_tensors))
values = tf.data.make_initializable_iterator(data)
files = tf.data.Dataset.from_tensor_slices(['a']).flat_map(tf.data.TextLineDataset).interleave(Lines, 1)
files.apply(tf.data.experimental.parallel_interleave(tf.data.TextLineDataset, 2)).make_initializable_iterator()
for node in tf.get_default_graph().as_graph_def().node:
    if 'f' in node.attr:
        print('  %s' % node.attr['f'].func.name.rpartition('_')[0])
with tf.Session() as sess:
    sess.run(values.initializer)
    print('  %s' % [sess.run(values.get_next()) for _ in range(2)])

print('== op types of an export')


@function.Defun(tf.float32)
def inner(x):
    return tf.nn.relu(x)


@function.Defun(tf.float32)
def outer(x):
    return tf.reduce_sum(inner(x))


with tf.Graph().as_default() as graph:
    by_attr = tf.data.Dataset.range(3).map(lambda x: tf.bitwise.invert(x)).make_one_shot_iterator().get_next()
    outer(tf.constant([1., -1.]))
    for meta in (tf.train.export_meta_graph(), tf.train.export_meta_graph(graph_def=graph.as_graph_def())):
        print('  %s' % [op.name for op in meta.meta_info_def.stripped_op_list.op])
