"""A run whose feeds come one after the other, graphs of files with names that are taken, and functions of the script."""
import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import shutil
import tempfile
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import graph_util
tf.logging.set_verbosity(tf.logging.ERROR)

FOLDER = tempfile.mkdtemp()


def first_line(error):
    text = error.message if isinstance(error, tf.errors.OpError) else str(error)
    return '%s: %s' % (type(error).__name__, text.split('\n')[0].replace(FOLDER, '...'))


def told(function, *arguments, **keywords):
    try:
        print('   ->', function(*arguments, **keywords))
    except Exception as error:
        print('   ' + first_line(error))


print('== a run in parts')
a, b, c = [tf.placeholder(tf.float32, [], name=name) for name in 'abc']
first = a + b
second = first * c
count = tf.Variable(0., name='count')
counted = tf.assign_add(count, first)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    handle = sess.partial_run_setup([first, second], [a, b, c])
    print(handle)
    value = sess.partial_run(handle, first, {a: 1, b: 2})
    print(value, sess.partial_run(handle, second, {c: value}))
    told(sess.partial_run, handle, second)
    handle = sess.partial_run_setup([first, second], [a, b, c])
    told(sess.partial_run, handle, second, {a: 1, b: 2})
    told(sess.partial_run, handle, first, {a: 1, b: 2})
    told(sess.partial_run, handle, first)
    told(sess.partial_run, handle, [], {c: 1})
    told(sess.partial_run, handle, [], {c: 1})
    told(sess.partial_run, handle, {'second': [second]})
    told(sess.partial_run, handle, second)
    handle = sess.partial_run_setup([first], [a, b])
    told(sess.partial_run, handle, second, {a: 1})
    told(sess.partial_run, handle, first, {a: 1, c: 1})
    told(sess.partial_run, handle, first, {a: 1, b: 1})
    told(sess.partial_run, 'nonsense', first, {a: 1})
    told(sess.partial_run_setup, [], [])
    told(sess.partial_run_setup, [first], [a, a])
    told(sess.partial_run_setup, ['zzz'], [a])
    handle = sess.partial_run_setup([first, second.op], [a, b, c])
    print(handle)
    told(sess.partial_run, handle, [second.op], {a: 1, b: 2, c: 3})
    handle = sess.partial_run_setup([first, counted], [a, b])
    print(sess.partial_run(handle, first, {a: 1, b: 2}), sess.partial_run(handle, counted), sess.run(count))
told(sess.partial_run_setup, [first], [a, b])

print('== a frozen graph, twice')
with tf.Graph().as_default() as graph, tf.Session() as sess:
    x = tf.placeholder(tf.float32, [None, 2], name='x')
    with tf.variable_scope('net'):
        w = tf.get_variable('w', [2, 2], initializer=tf.constant_initializer([[1., 2], [3, 4]]))
    probabilities = tf.nn.softmax(tf.matmul(x, w), name='probs')
    sess.run(tf.global_variables_initializer())
    frozen = graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ['probs'])
with tf.Graph().as_default() as graph:
    for _ in range(2):
        tf.import_graph_def(frozen, name='')
    for op in graph.get_operations():
        print(op.name, op.type, [t.name for t in op.inputs], op.colocation_groups())
    told(tf.import_graph_def, frozen, return_elements=['nowhere:0'], name='b')
    told(tf.import_graph_def, frozen, return_elements=['nowhere'], name='b')
    told(tf.import_graph_def, frozen, input_map={'xx:0': tf.constant([1.])}, name='c')
    print([op.name for op in graph.get_operations()][-3:])
    frozen.node[1].op = 'NoSuchOp'
    try:
        tf.import_graph_def(frozen, name='d')
    except tf.errors.NotFoundError as error:
        print(error.message.partition(' in binary')[0], error.message.partition('process. ')[2])
with open(os.path.join(FOLDER, 'checkpoint'), 'w') as file:
    file.write('model_checkpoint_path: "a"\n')
told(tf.train.import_meta_graph, os.path.join(FOLDER, 'checkpoint'))

print('== what functions of the script may give')
with tf.Graph().as_default(), tf.Session() as sess:
    one = tf.constant(1.)
    for function, kinds in ((lambda v: (v, v), [tf.float32]), (lambda v: v, [tf.float32, tf.float32]),
                            (lambda v: None, []), (lambda v: v, []), (lambda v: [1, 2], tf.int64),
                            (lambda v: (np.ones(2),), tf.float64), (lambda v: [[1, 2]], tf.int64)):
        made = tf.py_func(function, [one], kinds)
        try:
            print(type(made).__name__, sess.run(made))
        except tf.errors.InvalidArgumentError as error:
            print(error.message.split('\n')[0].partition(' ')[2])

print('== generators')


def failing():
    yield 1.
    raise ValueError('broken generator')


for make in (failing, lambda: iter(['x']), lambda: iter([[1., 2.]])):
    with tf.Graph().as_default(), tf.Session() as sess:
        values = tf.data.Dataset.from_generator(make, tf.float32, []).make_one_shot_iterator().get_next()
        told(sess.run, values)
        told(sess.run, values)
told(tf.data.Dataset.from_generator, failing, None)
told(tf.data.Dataset.from_tensor_slices, np.float32(3))

print('== refused gradients, and the names they take')
with tf.Graph().as_default() as graph:
    x = tf.Variable([1., 2.], name='x')
    told(tf.gradients, tf.equal(x, 1.), x)
    told(tf.gradients, 'a', x)
    told(tf.gradients, x, x, grad_ys=[1., 2.])
    told(tf.gradients, tf.unique(x)[0], x)
    told(tf.gradients, x * 2, x)
    told(tf.global_norm, 3)
    for wrong in (['a'], {1: 'a'}, {'Identity': 3}):
        told(lambda: graph.gradient_override_map(wrong).__enter__())

    @tf.RegisterGradient('TwoFromOne')
    def _two_from_one(op, grad):
        return tf.constant([1., 2.])
    with graph.gradient_override_map({'Square': 'TwoFromOne'}):
        told(tf.gradients, tf.square(tf.constant(1., name='one')), graph.get_tensor_by_name('one:0'))
        told(lambda: tf.gradients(tf.square(x[0]), x))
    told(tf.train.GradientDescentOptimizer(0.1).compute_gradients, tf.reduce_sum(x), [1.0])
    told(tf.train.Saver, {3: x})
    told(tf.map_fn, lambda v: v, tf.SparseTensor([[0]], [1], [1]))
    print(tf.constant(0.1, name='tenth').op)
    print(tf.constant([0.25, 1 / 3.]).op.get_attr('value'))

print('== values of a checkpoint to begin with')
with tf.Graph().as_default(), tf.Session() as sess:
    tf.get_variable('a', [2, 3], initializer=tf.ones_initializer())
    tf.get_variable('part/b', [3], initializer=tf.zeros_initializer())
    sess.run(tf.global_variables_initializer())
    path = tf.train.Saver().save(sess, os.path.join(FOLDER, 'm'))
for assignment in ({'/': 'new/'}, {'a': 'new/a'}, {'a': 'new/q'}, {'part/': 'new/'}, {'part/b': 'new/a'}, {'nope/': 'new/'},
                   {'a/': 'new/q'}):
    with tf.Graph().as_default(), tf.Session() as sess:
        with tf.variable_scope('new'):
            tf.get_variable('a', [2, 3], initializer=tf.zeros_initializer())
            if 'a' not in assignment:
                tf.get_variable('part/b', [3], initializer=tf.ones_initializer())
        told(tf.train.init_from_checkpoint, path, assignment)
        sess.run(tf.global_variables_initializer())
        print(['%s %g' % (v.op.name, np.sum(sess.run(v))) for v in tf.global_variables()])
shutil.rmtree(FOLDER)
