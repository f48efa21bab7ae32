"""Constants, sessions, printing of things."""
import numpy as np
import tensorflow as tf
a = tf.constant(2)
b = tf.constant(3)
with tf.Session() as sess:
    print("a=2, b=3")
    print("Addition with constants: %i" % sess.run(a + b))
    print("Multiplication with constants: %i" % sess.run(a * b))
a = tf.placeholder(tf.int16)
b = tf.placeholder(tf.int16)
add = tf.add(a, b)
mul = tf.multiply(a, b)
with tf.Session() as sess:
    print("Addition with variables: %i" % sess.run(add, feed_dict={a: 2, b: 3}))
    r = sess.run([add, mul], feed_dict={a: 2, b: 3})
    print(r, type(r[0]))
matrix1 = tf.constant([[3., 3.]])
matrix2 = tf.constant([[2.], [2.]])
product = tf.matmul(matrix1, matrix2)
with tf.Session() as sess:
    result = sess.run(product)
    print(result, repr(result))
hello = tf.constant('Hello, TensorFlow!')
print(tf.Session().run(hello))
for t in [a, add, matrix1, hello, product, tf.constant(True), tf.constant(1j), tf.constant([1, 2], tf.int64), tf.zeros([2, 0]),
          tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.string, [])]:
    print(t, t.shape, t.dtype, t.name, t.op.type, t.get_shape().ndims, repr(t.shape), repr(t.dtype))
print(tf.float32, tf.float32.name, tf.float32.as_numpy_dtype, repr(tf.int8), tf.int8.min, tf.int8.max, tf.float32.max, tf.float16.min,
      tf.float32.size, tf.bool.is_integer, tf.as_dtype('float64'), tf.as_dtype(np.int32), tf.float32 == 'float32', tf.qint8, tf.bfloat16)
s = tf.TensorShape([None, 3, 4])
print(s, repr(s), s[0], repr(s[0]), s[1], repr(s[1]), s[1:], s.as_list(), s.num_elements(), s.is_fully_defined(), s.ndims, len(s), list(s))
print(tf.TensorShape(None), repr(tf.TensorShape(None)), tf.TensorShape([]), repr(tf.TensorShape([])), tf.TensorShape([1]).concatenate([2, 3]))
print(s.merge_with([2, None, 4]), s.is_compatible_with([5, 3, 4]), s == tf.TensorShape([None, 3, 4]), tf.Dimension(3) + 2, tf.Dimension(None) * 3, tf.Dimension(7) // 2)
v = tf.Variable(3.0, name='v')
print(v, repr(v), v.name, v.dtype, v.shape, v.op.name, v.initializer.name, v.initial_value, v.value(), v.device, v.graph is tf.get_default_graph())
print(v + 1, v * v, -v, v > 2, abs(v), v ** 2, 1 / v, v // 2, v % 2, sep='\n')
print(matrix1[0], matrix1[:, 1], matrix1[..., tf.newaxis], matrix1[0, 0], sep='\n')
for bad in [lambda: bool(a), lambda: list(tf.placeholder(tf.float32)), lambda: len(matrix1), lambda: matrix1 == 3,
            lambda: tf.constant([1, 'a']), lambda: tf.constant([1, [2]]), lambda: tf.matmul(matrix1, matrix1), lambda: tf.add(a, matrix1),
            lambda: tf.constant(1) + tf.constant(1.0), lambda: tf.reshape(matrix1, [5]), lambda: tf.concat([matrix1, matrix2], 0),
            lambda: tf.Variable(), lambda: tf.placeholder(), lambda: tf.get_variable('q'), lambda: tf.TensorShape([1, 2]).merge_with([3, 2]),
            lambda: tf.constant(None), lambda: tf.constant(1.5, tf.int32), lambda: tf.constant('a', tf.float32), lambda: tf.cast('a', tf.int32),
            lambda: tf.ones([2, 3]) + tf.ones([4]), lambda: tf.constant([1, 2, 3], shape=[2]), lambda: tf.get_default_graph().get_tensor_by_name('nope:0'),
            lambda: tf.get_default_graph().get_tensor_by_name('Const'), lambda: tf.get_default_graph().get_operation_by_name('nope'),
            lambda: tf.get_default_graph().as_graph_element(3), lambda: tf.as_dtype('float33'), lambda: next(iter(matrix1)),
            lambda: [q for q in tf.zeros([2, 3])], lambda: tf.Session().run('nothing:0'), lambda: tf.Session().run(None), lambda: tf.Session().run(3),
            lambda: tf.Session().run(a), lambda: tf.Session().run(a, {a: 'x'}), lambda: tf.Session().run(a, {'nah:0': 2}), lambda: tf.Session().run([a], {3: 4}),
            lambda: tf.Session().run(tf.placeholder(tf.float32, [2, 3], name='ph'), {'ph:0': np.zeros([3, 2])})]:
    try:
        r = bad()
        print('fine', r if not isinstance(r, type(iter([]))) else 'iterator')
    except Exception as e:
        print(type(e).__name__, '|', str(e).split('\n')[0])
