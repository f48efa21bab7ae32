"""Graphs that are left while something is open in them, and loops over tensors of two graphs."""
import tensorflow as tf


def told(function, *arguments):
    try:
        result = function(*arguments)
        print("  gives %s" % getattr(result, "name", result))
    except Exception as error:
        print("  %s: %s" % (type(error).__name__, str(error).split("\n")[0]))


def reset_in_a_name_scope():
    with tf.name_scope("s"):
        tf.reset_default_graph()
        return tf.constant(1)


def reset_in_a_variable_scope():
    with tf.variable_scope("v"):
        tf.reset_default_graph()


def reset_in_a_graph():
    with tf.Graph().as_default():
        tf.reset_default_graph()


print("== resets")
told(reset_in_a_name_scope)
told(reset_in_a_variable_scope)
told(reset_in_a_graph)

print("== loops")
tf.reset_default_graph()
old = tf.constant([1., 2.], name="old")
tf.reset_default_graph()
new = tf.constant([3., 4.], name="new")
told(lambda: tf.while_loop(lambda a: a[0] < 5., lambda a: a * 2., [old]))
told(lambda: tf.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, a * 2.), [0, old])[1])
told(lambda: tf.while_loop(lambda b, a: b[0] < 5., lambda b, a: (b + a, a), [new, old]))
array = tf.TensorArray(tf.float32, 2)
told(lambda: tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a), [tf.constant(0), array]))
with old.graph.as_default():
    array = tf.TensorArray(tf.float32, 2)
told(lambda: tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a), [tf.constant(0), array]))
told(lambda: tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), tf.reshape(old, [1, 2, 1]), dtype=tf.float32))
print([op.name for op in old.graph.get_operations()][-2:])

print("== folds of a scalar")
told(lambda: tf.foldl(lambda a, b: a + b, tf.constant(5.)))
told(lambda: tf.foldr(lambda a, b: a + b, tf.constant(5.)))
told(lambda: tf.scan(lambda a, b: a + b, tf.constant(5.)))

print("== what is exported with loops that were refused half-way")
for graph in (old.graph, new.graph):
    with graph.as_default():
        print(sorted(tf.train.export_meta_graph().collection_def))
