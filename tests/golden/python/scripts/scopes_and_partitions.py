"""What scopes hand down and what they do not; variables in parts made, found again and refused."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import re
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)


def caught(function):
    try:
        result = function()
        print("  no error: %s" % getattr(result, "name", result))
    except Exception as error:
        text = error.message if isinstance(error, tf.errors.OpError) else str(error)
        print("  %s: %s" % (type(error).__name__, re.sub(r"[\w.<>]*<lambda>\(", "<lambda>(", text.split("\n")[0])))


def case(title):
    tf.reset_default_graph()
    print("== " + title)


case("name scopes left alone")
with tf.variable_scope("a", auxiliary_name_scope=False) as a:
    print("  %r %r" % (a.original_name_scope, tf.get_default_graph().get_name_scope()))
with tf.variable_scope(None, "free", auxiliary_name_scope=False) as free:
    print("  %s %r %s" % (free.name, free.original_name_scope, tf.get_variable("v", []).name))
print("  %r" % tf.get_default_graph().get_name_scope())

case("constraints")
with tf.variable_scope("p", constraint=lambda v: v) as p:
    print("  %s" % (tf.get_variable("w", [2]).constraint is p.constraint))
    with tf.variable_scope("q"):
        print("  %s" % tf.get_variable("u", [2]).constraint)
caught(lambda: tf.get_variable("o", [2], constraint=3))
caught(lambda: tf.Variable(1.0, constraint="x"))

case("partitions")
with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2, axis=1)):
    w = tf.get_variable("w", [3, 5], initializer=tf.ones_initializer())
    caught(lambda: tf.get_variable("s", []))
    caught(lambda: tf.get_variable("c", initializer=[[1.0, 2.0]]))
    caught(lambda: [v.name for v in tf.get_variable("d", [1, 2], initializer=[[1.0, 2.0]])])
    tf.get_variable("none", [2, 2])
with tf.variable_scope("p", reuse=True):
    caught(lambda: tf.get_variable("w", [3, 5]) is w)
    caught(lambda: tf.get_variable("w", [3, 5], partitioner=tf.fixed_size_partitioner(3, axis=1)))
    caught(lambda: tf.get_variable("w", [3, 5], dtype=tf.float64))
    caught(lambda: tf.get_variable("none", [2, 2], partitioner=tf.fixed_size_partitioner(2)))
tf.get_variable("alone", [2])
with tf.variable_scope("", reuse=True):
    caught(lambda: tf.get_variable("alone", [2], partitioner=tf.fixed_size_partitioner(2)))
tf.get_variable("hand/part_0", [2])
caught(lambda: tf.get_variable("hand", [4], partitioner=tf.fixed_size_partitioner(2)))
caught(lambda: tf.get_variable("more", [2, 4], partitioner=lambda shape, dtype: [5, 1]))
caught(lambda: tf.get_variable("x", [], custom_getter=3))

case("who initializes a part knows where it begins")


def rows(shape, dtype, partition_info):
    begin = partition_info.single_offset(shape)
    print("  %s of %s at %s, cut along %s" % (shape, partition_info.full_shape, begin, partition_info.single_slice_dim(shape)))
    return tf.fill(shape, tf.cast(begin, dtype))


v = tf.get_variable("v", [5, 2], initializer=rows, partitioner=tf.fixed_size_partitioner(3))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("  %s" % sess.run(tf.convert_to_tensor(v)).tolist())
