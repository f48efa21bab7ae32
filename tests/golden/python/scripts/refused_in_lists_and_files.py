import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
# lists of inputs of other kinds, NodeDefs with other attrs, structures that differ, columns that are none


def told(function):
    try:
        print('  none', function())
    except Exception as error:
        print('  %s: %s' % (type(error).__name__, error))


one = tf.constant(1)
for call in (lambda: tf.add_n([1, 'a']), lambda: tf.summary.merge([1.0]), lambda: tf.py_func(lambda: 1, [[1, 'a']], tf.float32),
             lambda: tf.stack([one, 'a']), lambda: tf.concat([[one], [1.5]], 0), lambda: tf.string_join(['a', 1]),
             lambda: tf.add_n(['a', 1.5, one]), lambda: tf.identity_n([1, {}]), lambda: tf.concat([tf.constant([1]), [1.5]], 0)):
    told(call)
nest = tf.contrib.framework.nest
told(lambda: nest.assert_same_structure([{'a': 1}], ['a', 'b']))
told(lambda: nest.assert_same_structure([1, [2]], [3]))
graph = tf.get_default_graph()
told(lambda: graph.as_graph_element('n', False, False))
told(lambda: graph.unique_name(3))
graph_def = tf.GraphDef()
with tf.Graph().as_default() as made:
    tf.identity(tf.matmul(tf.zeros([2, 2], name='a'), tf.ones([2, 2], name='b'), name='y'), name='z')
    tf.nn.max_pool(tf.zeros([1, 2, 2, 1]), [1, 1, 1, 1], [1, 1, 1, 1], 'SAME', name='pool')
    tf.add_n([tf.constant(1.), tf.constant(2.)], name='sum')


def changed(name, attr, value):
    other = tf.GraphDef()
    other.CopyFrom(made.as_graph_def())
    next(n for n in other.node if n.name == name).attr[attr].CopyFrom(value)
    with tf.Graph().as_default(): return tf.import_graph_def(other, name='')


A = tf.AttrValue
for name, attr, value in (('y', 'T', A(i=3)), ('y', 'T', A(type=7)), ('y', 'T', A()), ('y', 'transpose_a', A(s=b'x')), ('sum', 'N', A(i=0)),
                          ('pool', 'padding', A(s=b'OTHER')), ('pool', 'ksize', A(list=A.ListValue(i=[1, 1]))),
                          ('pool', 'strides', A(list=A.ListValue(f=[1.]))), ('y', 'other', A(i=1))):
    told(lambda: changed(name, attr, value))
fc = tf.feature_column
ident = fc.categorical_column_with_identity('a', 4)
for call in (lambda: fc.linear_model({'a': [[1.]]}, [ident]), lambda: fc.linear_model({'a': [[1.]]}, [3]), lambda: fc.input_layer({'a': [[1.]]}, [3]),
             lambda: tf.keras.layers.DenseFeatures([3]), lambda: fc.input_layer({'a': [[1.]]}, [fc.indicator_column(ident)])):
    told(call)
with tf.Graph().as_default() as columns:
    bucket = fc.bucketized_column(fc.numeric_column('v'), [0., 1.5])
    words = fc.weighted_categorical_column(fc.categorical_column_with_vocabulary_list('m', ['x', 'y', 'z']), 'w')
    sparse = lambda values: tf.SparseTensor([[0, 0], [0, 1], [1, 0]], values, [2, 2])
    fc.linear_model({'v': [[1.], [2.]], 'm': sparse(['x', 'y', 'z']), 'w': sparse([1., 2., .5])}, [bucket, words])
    print([op.name for op in columns.get_operations() if 'SparseReshape' in op.name])
x = tf.constant([1., 2.])
y = tf.py_function(lambda a: a * a * a, [x], tf.float32)
slope, = tf.gradients(y, x)
print(slope)
with tf.Session() as s: print(s.run([y, slope]), s.run(tf.gradients(tf.py_function(lambda a, b: [a * b, b], [x, 3.], [tf.float32, tf.float32]), x)))
