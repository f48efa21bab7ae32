# snippets_seldom.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Arguments and combinations that are seldom met: parts of resource variables in a Saver, gradients by the rule of another op,
functions as ops of control flow, loops copied by graph_editor."""

import tensorflow.compat.v1 as tf
from tensorflow.contrib import framework as contrib_framework
from tensorflow.contrib import graph_editor
from tensorflow.contrib import seq2seq
from tensorflow.python.framework import function
from tensorflow.python.framework import meta_graph
from tensorflow.python.ops import functional_ops


def savers_of_resource_parts():
    with tf.device("/job:ps/task:1"):
        rows = tf.get_variable("rows", [6, 2], partitioner=tf.fixed_size_partitioner(3), use_resource=True)
    columns = tf.get_variable("columns", [4, 2], partitioner=tf.fixed_size_partitioner(2, axis=1))
    whole = tf.get_variable("whole", [3], use_resource=True)
    tf.train.Saver({"all": rows, "columns": columns, "whole": whole})
    tf.train.Saver([rows, whole], reshape=True, sharded=True)
    tf.train.Saver(list(rows), restore_sequentially=True, write_version=tf.train.SaverDef.V1)
    return tf.train.Saver({"rows": list(rows)}, reshape=True)


def parts_saved_one_by_one():
    rows = tf.get_variable("rows", [6, 2], partitioner=tf.fixed_size_partitioner(2))
    more = tf.get_variable("more", [6, 2], partitioner=tf.fixed_size_partitioner(2), use_resource=True)
    tf.train.Saver({part.op.name: part for part in list(rows) + list(more)})
    average = tf.train.ExponentialMovingAverage(0.9)
    average.apply(tf.trainable_variables())
    return tf.train.Saver(average.variables_to_restore(), sharded=True)


def rules_of_other_ops():
    graph = tf.get_default_graph()
    x = tf.placeholder(tf.float32, [4])
    v = tf.get_variable("v", [4])
    with graph.gradient_override_map({"Sign": "Identity", "Relu": "Relu6", "Tanh": "Sigmoid", "Sqrt": "Rsqrt",
                                      "Softsign": "Softplus", "Max": "Sum", "Maximum": "Minimum"}):
        y = (tf.sign(x) + tf.nn.relu(v) * tf.tanh(x * v) + tf.sqrt(x) + tf.nn.softsign(x) + tf.maximum(x, v)
             + tf.reduce_max(v))
    tf.gradients(y, [x, v])
    with graph._kernel_label_map({"MatMul": "eigen"}):
        tf.matmul([[1.0]], [[2.0]])


def variables_of_a_dictionary():
    weights = {"a": tf.Variable(1.0, name="a"), "b": tf.get_variable("b", [2], use_resource=True)}
    loss = weights["a"] * tf.reduce_sum(weights["b"])
    tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=weights.values())
    tf.train.GradientDescentOptimizer(0.1).compute_gradients(loss, var_list=weights)


def softmax_of_other_axes():
    x = tf.placeholder(tf.float32, [2, 3, 4, 5])
    y = tf.placeholder(tf.float32, [None, 3, None])
    tf.gradients([tf.nn.softmax(x, axis=-2), tf.nn.log_softmax(x, axis=-4, name="first"), tf.nn.softmax(y, -3),
                  tf.nn.softmax(y, axis=tf.constant(1)),
                  tf.nn.log_softmax(y, axis=tf.placeholder_with_default(-2, []))], [x, y])
    for labels, logits in (([1, 7], [None, 7]), ([3, 1], [None, 7]), (None, [3, None])):
        tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.placeholder(tf.float32, labels),
                                                   logits=tf.placeholder(tf.float32, logits))


def grey_pictures():
    for shape in ([None, 4, 4, 1], [4, 4, 1], [None, None, 1], [2, 4, 4, None], None):
        tf.image.grayscale_to_rgb(tf.placeholder(tf.float32, shape))


def functions_as_control_flow():
    x = tf.placeholder(tf.float32, [2])
    y = x * 3.0

    @function.Defun(tf.int32, tf.float32)
    def body(i, s):
        return s + tf.cast(i, tf.float32)

    @function.Defun(tf.int32, tf.float32)
    def capturing(i, s):
        return s * y

    @function.Defun(tf.float32, tf.float32)
    def product(a, b):
        return a * b
    functional_ops.For(0, 3, 1, [x], body, hostmem=[0])
    functional_ops.For(1, 9, 2, [x], capturing)
    functional_ops.For(0, 3, 1, [x], body, rewrite_with_while=True)
    functional_ops.For(tf.constant(0), tf.constant(9), tf.constant(3), [y], body, rewrite_with_while=True, hostmem=[0])
    functional_ops.Gradient([x, y, tf.ones([2])], product, name="back")
    functional_ops.If(tf.reduce_sum(x) > 1.0, [x, y], product, product)


def a_function_called_in_a_loop():
    @function.Defun(tf.float32)
    def double(x):
        return x * 2.0
    tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, double(s)), (0, tf.placeholder(tf.float32, [2])),
                  shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)))


def loops_copied():
    x = tf.placeholder(tf.float32, [], name="x")
    _, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * 2.0 + x), (0, x))
    result = tf.identity(s)
    made = [op for op in tf.get_default_graph().get_operations() if op.type != "Placeholder"]
    graph_editor.copy(graph_editor.sgv(made), dst_scope="whole")
    graph_editor.graph_replace(result, {x: tf.constant(3.0)}, dst_scope="replaced")


def a_scope_bound_anew():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    with tf.variable_scope("tower"):
        tf.layers.dense(x, 4)
    part, _ = meta_graph.export_scoped_meta_graph(export_scope="tower", unbound_inputs_col_name="from_outside")
    meta_graph.import_scoped_meta_graph(part, import_scope="twin", unbound_inputs_col_name="from_outside",
                                        input_map={"$unbound_inputs_x": x * 2.0})


def small_ops_of_contrib():
    contrib_framework.zero_initializer(tf.Variable([1.0, 2.0]))
    contrib_framework.zero_initializer(tf.get_variable("r", [2], use_resource=True), name="zeros")
    seq2seq.gather_tree(tf.ones([2, 1, 3], tf.int32), tf.zeros([2, 1, 3], tf.int32), [2], 9, name="tree")


def summaries_of_slim():
    from tensorflow.contrib import slim
    x = tf.placeholder(tf.float32, [1, 4, 4, 3], name="x")
    total = tf.reduce_sum(x, name="total")
    slim.summaries.add_histogram_summary(x, name="given", prefix="first")
    slim.summaries.add_histogram_summaries([x, total], prefix="all")
    slim.summaries.add_image_summary(x, print_summary=True)
    slim.summaries.add_scalar_summary(total, print_summary=True)
    slim.summaries.add_scalar_summaries([total], prefix="each")
    slim.summaries.add_zero_fraction_summary(x)
    slim.summaries.add_zero_fraction_summaries([x], prefix="zeros")
    slim.summaries.add_image_summaries([x])
