# What a call says of the executor of its function.
import tensorflow as tf
from tensorflow.python.framework import function


@function.Defun(tf.int32)
def add_five(x):
    return x + 5


for kind in (tf.raw_ops.PartitionedCall, tf.raw_ops.StatefulPartitionedCall):
    for executor_type in ('', 'DEFAULT', 'SINGLE_THREADED_EXECUTOR', 'default', 'NOBODYS'):
        tf.reset_default_graph()
        called = kind(args=[tf.constant([1, 2])], f=add_five, Tout=[tf.int32], executor_type=executor_type)
        with tf.Session() as sess:
            try:
                print(sess.run(called))
            except tf.errors.NotFoundError as error:
                print(error.message.split('\n')[0])
