# What two branches may give that differ in form, and the shapes of tensor arrays' elements.
import tensorflow as tf
from tensorflow.python.ops import data_flow_ops

pred = tf.placeholder(tf.bool, [], name="pred")


def told(true_fn, false_fn, **keywords):
    try:
        made = tf.cond(pred, true_fn, false_fn, **keywords)
    except Exception as error:
        print(type(error).__name__, str(error).partition("\n")[0])
        return
    if isinstance(made, tf.IndexedSlices):
        print(made.indices.dtype)
    else:
        with tf.Session() as session:
            print(type(made).__name__, [session.run(made, {pred: value}) for value in (True, False)])


def rows(dtype=tf.int32):
    return tf.IndexedSlices(tf.ones([1]), tf.constant([0], dtype))


one, in_list, in_tuple = lambda: tf.constant(1), lambda: [tf.constant(2)], lambda: (tf.constant(3),)
for first, second in ((one, in_list), (one, in_tuple), (in_list, in_tuple), (in_tuple, in_list)):
    told(first, second)
    told(first, second, strict=True)
told(lambda: [tf.constant(1), tf.constant(2)], lambda: (tf.constant(1), tf.constant(2)))
told(lambda: [tf.constant(1), tf.constant(2)], in_list)
told(lambda: {"a": tf.constant(1)}, lambda: {"b": tf.constant(1)})
told(rows, lambda: rows(tf.int64))
told(lambda: rows(tf.int64), rows)
told(rows, rows)
told(rows, lambda: tf.constant([1.0]))
told(rows, lambda: tf.IndexedSlices(tf.ones([1]), tf.constant([0]), tf.constant([1])))
told(lambda: tf.SparseTensor([[0]], [1.0], [1]), lambda: tf.SparseTensor([[0]], [1], [1]))
told(lambda: tf.SparseTensor([[0]], [1.0], [1]), rows)
told(lambda: tf.ragged.constant([[1]]), lambda: tf.ragged.constant([[[1]]]))

array = tf.TensorArray(size=3, dtype=tf.float32, element_shape=[2, 3])
handle, flow = data_flow_ops.tensor_array_grad_with_shape(
    handle=array.handle, flow_in=array.flow, shape_to_prepend=tf.TensorShape([4, 5]), source="source")
longer = tf.TensorArray(tf.float32, handle=handle, flow=flow)
print(longer.write(0, tf.placeholder(tf.float32)).read(0).shape, array.grad("other").read(0).shape)
print(array.unstack(tf.zeros([0, 2, 3])).mark_used())

# Gradients of lists whose elements' shape nobody told.
tf.reset_default_graph()
tf.enable_control_flow_v2()
values = tf.constant([1.0, 2.0, 3.0])
array = tf.TensorArray(tf.float32, size=3).unstack(values)
total = array.read(0) * array.read(1) + array.read(1) + array.stack()[2]
written = tf.TensorArray(tf.float32, size=2, infer_shape=False).write(0, values * 2.0).write(1, values[:2])
joined = written.concat()
with tf.Session() as session:
    print(session.run([total, joined]), session.run(tf.gradients(total, values)), session.run(tf.gradients(joined, values)))
