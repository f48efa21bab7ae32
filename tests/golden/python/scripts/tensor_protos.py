import numpy as np
import tensorflow as tf
for v in [np.array([True, False]), True, [1, 2], 3, 1.5, [1.5], np.float16([1, 2]), np.complex64([1 + 2j, 3]), ['a', 'b'], 'a', np.zeros([0]), np.int64([5, 6]), np.uint8([1, 2]), np.float64(2), np.int8(-3), np.ones([2, 2]), np.zeros([2, 3], np.float32)]:
    c = tf.constant(v)
    print(c.op.node_def.attr['value'])
    print(c.op.get_attr('value') == tf.make_tensor_proto(v))
    print(tf.make_ndarray(c.op.get_attr('value')).tolist())
print(tf.make_tensor_proto(0, shape=[2, 2]), tf.make_tensor_proto([1, 2], dtype=tf.float32), tf.make_tensor_proto(['x', 'y'], shape=[2]))
print(tf.zeros([2, 2]).op.node_def, tf.constant(0., shape=[100]).op.node_def)
try:
    tf.make_tensor_proto([1, 2], shape=[3, 3])
    tf.make_tensor_proto(tf.constant(1))
except Exception as e:
    print(type(e).__name__, e)
