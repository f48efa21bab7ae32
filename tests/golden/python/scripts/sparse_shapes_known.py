"""Static shapes of what ops on sparse tensors give, and products whose sizes do not fit."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)


def caught(function):
    try:
        print("  no error: %s" % function())
    except Exception as error:
        print("  %s: %s" % (type(error).__name__, str(error).split("\n")[0]))


a = tf.SparseTensor([[0, 1], [1, 0], [2, 2]], [1.0, 2.0, 3.0], [3, 4])
b = tf.SparseTensor(tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.float32, [None]), [3, 4])
open_shape = tf.sparse_placeholder(tf.float32)
for title, reduced in [("sum", tf.sparse_reduce_sum), ("max", tf.sparse_reduce_max)]:
    print("== " + title)
    for axis in [None, 0, 1, -1, [0, 1], -2]:
        print("  %s %s %s" % (axis, reduced(a, axis).shape, reduced(a, axis, keep_dims=True).shape))
    print("  %s" % reduced(open_shape, 0).shape)
print("== reduced to sparse ones")
for sparse in [tf.sparse_reduce_sum_sparse(a, 0), tf.sparse_reduce_max_sparse(a, 0)]:
    print("  %s %s %s" % (sparse.indices.shape, sparse.values.shape, sparse.dense_shape.shape))
print("== joined")
for parts in [[a, a], [a, b], [b, b, b]]:
    joined = tf.sparse_concat(0, parts)
    print("  %s %s %s" % (joined.indices.shape, joined.values.shape, joined.dense_shape.shape))
print("== filled")
for sparse in [a, open_shape]:
    filled, empty = tf.sparse_fill_empty_rows(sparse, 0.0)
    print("  %s %s" % (filled.indices.shape, empty.shape))
print("== products")
caught(lambda: tf.sparse_tensor_dense_matmul(a, tf.ones([4, 2])).shape)
caught(lambda: tf.sparse_tensor_dense_matmul(a, tf.ones([2, 2])))
caught(lambda: tf.sparse_tensor_dense_matmul(a, tf.ones([2, 3]), adjoint_a=True, adjoint_b=True).shape)
caught(lambda: tf.sparse_tensor_dense_matmul(open_shape, tf.ones([2, 3])).shape)
caught(lambda: tf.sparse_tensor_dense_matmul(tf.SparseTensor([[0]], [1.0], [2]), tf.ones([2, 2])))
consumed = tf.sparse_retain(a, [True, False, True])
print("== consumers %s" % sorted(op.type for op in a.consumers())[:3])
print("== what is neither here nor there")
caught(lambda: tf.matmul(a, tf.ones([4, 3])))
caught(lambda: tf.switch_case(tf.placeholder(tf.int32, []), {0: lambda: (tf.constant(1), tf.constant(2)), 1: lambda: tf.constant(3)}))
caught(lambda: tf.as_dtype(complex))
print("  %s" % tf.bool.as_numpy_dtype)


def called(function):
    try:
        with tf.Session() as session:
            print("  %s" % session.run(tf.py_func(function, [tf.constant([1.0])], tf.float32)))
    except tf.errors.OpError as error:
        print("  %s: %s" % (type(error).__name__, error.message.split("\n")[0].split("pyfunc_")[-1].lstrip("0123456789")))


called(lambda value: None)
called(lambda value: {})
called(lambda value: value)
