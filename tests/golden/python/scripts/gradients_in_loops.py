# Gradients made inside a loop's body and inside a branch, under control edges from references outside of it.
import tensorflow as tf

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
v = tf.Variable([1., 2.], name='v')
ready = tf.Variable(True, name='ready')
x = tf.constant([[1., 2.], [3., 4.]])


def body(i, total):
    y = tf.matmul(x, tf.reshape(v * total, [2, 1]))
    loss = tf.reduce_mean(tf.minimum(y, y * y) / 3.)
    grads = tf.gradients(loss, [total])
    return i + 1, total - 0.1 * grads[0]


with tf.control_dependencies([ready]):
    looped = tf.while_loop(lambda i, total: i < 3, body, [0, tf.constant([1., 1.])])


def taken():
    with tf.control_dependencies([ready]):
        y = tf.reduce_sum(v * 2.)
        return tf.gradients(y, [v])[0]


chosen = tf.cond(ready, taken, lambda: tf.zeros([2]))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for value in sess.run(looped + (chosen,)):
        print(value)
for op in tf.get_default_graph().get_operations():
    print(op.type, op.name, [t.name for t in op.inputs], [c.name for c in op.control_inputs])
