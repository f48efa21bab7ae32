"""Variables of shapes that are left open, what asserts that they have values, scopes left in the wrong order, and calls of
functions of one name with and without a gradient of their own."""
import tensorflow as tf
from tensorflow.python.framework import function

x, y = tf.get_variable("x", [2]), tf.Variable(1.0)
ranks = tf.assert_variables_initialized()
print(ranks.name, ranks.dtype, ranks.shape, [op.type for op in tf.get_default_graph().get_operations()][-4:],
      [t.op.inputs[0].name for t in ranks.op.inputs], ranks.op.inputs[0].op.colocation_groups())
one = tf.assert_variables_initialized([y])
with tf.Session() as session:
    try:
        session.run(one)
    except tf.errors.FailedPreconditionError as error:
        print(error.message.split("\n")[0])
    session.run(tf.global_variables_initializer())
    print(session.run([ranks, one]))
with tf.Graph().as_default():
    print(tf.assert_variables_initialized())
for is_resource in (False, True):
    open_one = tf.Variable([[0.0]], shape=tf.TensorShape(None), use_resource=is_resource, name="open")
    print(open_one, open_one.read_value().shape, open_one.initial_value.shape)
    print(tf.Variable(lambda: [[0.0]], shape=[None, 1], use_resource=is_resource, name="half_open"))
    try:
        tf.Variable([[0.0]], shape=[2, 3], use_resource=is_resource, name="refused")
    except ValueError as error:
        print(str(error).split(" for '")[0])

outer = tf.variable_scope("outer")
outer.__enter__()
with tf.variable_scope("inner"):
    try:
        outer.__exit__(None, None, None)
    except RuntimeError as error:
        print(error)
outer.__exit__(None, None, None)
print(tf.get_variable_scope().name == "")


def square_plus(x, b):
    return x * x + b


def thrice(op, grad):
    grad *= 3.0
    return grad * op.inputs[0] * 2.0, grad


def slopes(**given):
    with tf.Graph().as_default() as graph:
        defined = function.Defun(tf.float32, tf.float32, **given)(square_plus)
        x, b = tf.constant([2.0], name="x"), tf.constant([1.0], name="b")
        found = tf.gradients(defined(x, b), [x, b])
        print([t.name.split("/")[-1] for t in found], graph.get_operations()[-1].type)
        with tf.Session() as session:
            print(session.run(found))


slopes()
slopes(python_grad_func=thrice)
slopes()
