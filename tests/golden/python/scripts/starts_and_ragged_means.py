import numpy as np
import tensorflow as tf
# what differentiating begins with given as numbers, means and truths of ragged rows, axes named twice, shapes not known
graph = tf.get_default_graph()


def made(function):
    first = len(graph.get_operations())
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)
    print(' ', [op.name for op in graph.get_operations()[first:]])


x = tf.get_variable('x', [2], initializer=tf.ones_initializer())
y, z = x * 2., tf.reduce_sum(x)
for ys, starts, name in ((z, 2., 'a'), ([z, y], [3., [1., 1.]], 'b'), ([z, y], [None, [1., 1.]], None), (z, tf.constant(1.), 'd'),
                         ([z, y], [1.], 'e'), (z, ['text'], 'f')):
    made(lambda: tf.gradients(ys, x, grad_ys=starts, name=name or 'gradients'))
rows = tf.ragged.constant([[1., 2.], [], [3.]])
truths = tf.ragged.constant([[True, False], [], [True]])
deep = tf.ragged.constant([[[1., 2.], []], [[3.]]])
for axis in (0, 1, -1, None, [0, 1]):
    made(lambda: tf.reduce_mean(rows, axis))
    made(lambda: tf.reduce_any(truths, axis))
    made(lambda: tf.reduce_all(truths, axis=axis, name='mine'))
made(lambda: tf.reduce_mean(rows, axis=1, keepdims=True))
made(lambda: tf.reduce_mean(rows, axis=5))
made(lambda: tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), tf.placeholder(tf.float32, name='anything'), dtype=tf.float32))
axes, dense = tf.placeholder(tf.int32, name='axes'), tf.placeholder(tf.float32, name='dense')
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    print(s.run([tf.reduce_mean(rows, 0), tf.reduce_any(truths, 1), tf.reduce_all(truths, 1), tf.reduce_mean(deep, 2)]))
    for reduce in (tf.reduce_sum, tf.reduce_max, tf.reduce_mean, tf.reduce_prod):
        print(s.run(reduce(dense, axes), {dense: [[1., 2.], [3., 4.]], axes: [0, -2]}))
