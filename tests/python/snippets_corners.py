# snippets_corners.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Scopes, loops, optimizers, imports, savers and layers where their options meet; oracle/record_snippets.py records what
TensorFlow 1.15.5 makes of each."""

import tensorflow.compat.v1 as tf


def _graph():
    inner = tf.Graph()
    with inner.as_default():
        a = tf.placeholder(tf.float32, [2], name="a")
        b = tf.placeholder_with_default([1.0, 2.0], [2], name="b")
        with tf.name_scope("s"), tf.control_dependencies([a]):
            c = tf.add(a, b, name="c")
        with tf.colocate_with(c):
            tf.identity(c, name="d")
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], name="w")
    return inner.as_graph_def()


def constraint_is_not_handed_down():
    def half(v):
        return v * 0.5
    with tf.variable_scope("p", constraint=half):
        w = tf.get_variable("w", [2])
        with tf.variable_scope("q") as q:
            u = tf.get_variable("u", [2])
        with tf.variable_scope(q, constraint=half):
            z = tf.get_variable("z", [2])
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * u * z))


def scopes_without_names():
    with tf.variable_scope("a", auxiliary_name_scope=False) as a:
        tf.get_variable("v", [1])
        tf.constant(0.0)
        with tf.variable_scope("b") as b:
            tf.constant(0.0)
    with tf.name_scope("n"):
        for scope in (a, b):
            with tf.variable_scope(scope, auxiliary_name_scope=False) as again, tf.name_scope(again.original_name_scope):
                tf.constant(0.0)
    with tf.variable_scope(None, "free", auxiliary_name_scope=False):
        tf.get_variable("v", [1])
        with tf.variable_scope(None, "free"):
            tf.get_variable("v", [1])


def partitions_of_values():
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2, axis=1)):
        tf.get_variable("of_tensor", initializer=tf.constant([[1.0, 2.0, 3.0]] * 2))
        tf.get_variable("of_list", [1, 2], initializer=[[1.0, 2.0]])
        tf.get_variable("scalar", [])
        w = tf.get_variable("w", [3, 5], regularizer=lambda v: tf.reduce_sum(tf.abs(v)))
    with tf.variable_scope("p", reuse=True):
        tf.get_variable("w", [3, 5])
        tf.get_variable("w", [3, 5], partitioner=tf.fixed_size_partitioner(2, axis=1))
    return tf.train.Saver({"whole": w})


def initializers_that_see_parts():
    def rows(shape, dtype, partition_info=None):
        begin = partition_info.single_offset(shape) if partition_info is not None else 0
        return tf.fill(shape, tf.cast(begin, dtype))
    tf.get_variable("w", [5, 2], initializer=rows, partitioner=tf.fixed_size_partitioner(3))


def getters_one_in_another():
    def doubled(getter, name, *a, **k):
        return tf.multiply(getter(name, *a, **k), 2.0, name=name.replace("/", "_") + "_doubled")

    def renamed(getter, name, *a, **k):
        return getter(name + "_renamed", *a, **k)
    with tf.variable_scope("g", custom_getter=doubled):
        tf.get_variable("a", [])
        with tf.variable_scope("h", custom_getter=renamed):
            tf.get_variable("b", [])
            tf.get_variable("c", [], custom_getter=doubled)


def import_with_values():
    x = tf.constant([5.0, 6.0], name="x")
    c, d = tf.import_graph_def(_graph(), {"a": [1.0, 2.0], "s/c:0": x}, ["s/c:0", "d"], name="i")
    tf.add(c, d.outputs[0], name="sum")
    with tf.name_scope("outer"):
        tf.import_graph_def(_graph(), {"a:0": x}, name="import")
        tf.import_graph_def(_graph(), {"a:0": x}, name="same/")


def import_beside_and_after():
    x = tf.constant([5.0, 6.0], name="x")
    with tf.control_dependencies([x]), tf.device("/job:worker"), tf.colocate_with(x.op):
        tf.import_graph_def(_graph(), return_elements=["a", "d"], name="dep")


def own_optimizer():
    class Mine(tf.train.Optimizer):
        def __init__(self, rate, name="Mine"):
            super().__init__(False, name)
            self._rate = rate

        def _prepare(self):
            self._t = tf.convert_to_tensor(self._rate, name="rate")

        def _create_slots(self, var_list):
            for v in var_list:
                self._zeros_slot(v, "k", self._name)
                self._get_or_make_slot_with_initializer(v, tf.ones_initializer(), v.shape, v.dtype.base_dtype, "o", "Ones")
            self._create_non_slot_variable(2.0, "power", var_list[0])

        def _apply_dense(self, grad, var):
            return tf.group(tf.assign_sub(var, grad * self._t), tf.assign_add(self.get_slot(var, "k"), grad))

        def _apply_sparse_duplicate_indices(self, grad, var):
            return tf.scatter_sub(var, grad.indices, grad.values * self._t)

        def _finish(self, update_ops, name_scope):
            with tf.control_dependencies(update_ops):
                return tf.group(self._get_non_slot_variable("power", tf.get_default_graph()).assign_add(1.0), name=name_scope)
    a = tf.get_variable("a", [3, 2])
    b = tf.get_variable("b", [3, 2])
    loss = tf.reduce_sum(tf.gather(a, [0, 0])) + tf.reduce_sum(b)
    Mine(0.1).minimize(loss, tf.train.get_or_create_global_step(), name="go")


def averages_of_all_kinds():
    a = tf.Variable([1.0, 2.0], name="a")
    r = tf.get_variable("r", initializer=4.0, use_resource=True)
    t = tf.multiply(r, 2.0, name="t")
    n = tf.Variable(0, name="n", trainable=False)
    tf.train.ExponentialMovingAverage(0.9).apply([a, r])
    tf.train.ExponentialMovingAverage(0.5, n, zero_debias=True, name="Z").apply([t, a])


def savers_of_parts():
    p = tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2))
    a = tf.get_variable("a", [2])
    tf.train.Saver([p])
    tf.train.Saver({"whole": list(p), "x": a}, name="dict")
    tf.train.Saver({"x": a}, reshape=True)
    return tf.train.Saver([a, p], sharded=True, max_to_keep=3, name="sharded")


def layers_by_names():
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    tf.layers.dense(x, 3, kernel_initializer="zeros", bias_initializer="ones")
    y = tf.layers.dense(x, 3, activity_regularizer=tf.reduce_sum, kernel_regularizer=tf.reduce_sum, name="named")
    tf.layers.batch_normalization(y, training=True, renorm=True)
    tf.layers.dense(x, 3, name="named", reuse=True)


def gradients_at_odd_places():
    x = tf.placeholder(tf.float32, [2], name="x")

    def outer(i, a):
        b = tf.while_loop(lambda j, c: j < 2, lambda j, c: (j + 1, c * x), [0, a], name="inner")[1]
        return i + 1, tf.cond(tf.reduce_sum(b) > 4.0, lambda: tf.sin(b), lambda: b * b, name="pick")
    y = tf.while_loop(lambda i, a: i < 3, outer, [0, x], name="outer", swap_memory=True, parallel_iterations=1)[1]
    tf.gradients(y, x, grad_ys=tf.ones([2]), name="g", colocate_gradients_with_ops=True, gate_gradients=True,
                 aggregation_method=tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N)


def loops_of_growing_shape():
    x = tf.placeholder(tf.float32, [1, 2], name="x")
    y = tf.while_loop(lambda i, a: tf.shape(a)[0] < 6, lambda i, a: (i + 1, tf.concat([a, a * 0.5], 0)), [0, x],
                      shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])])[1]
    tf.gradients(y, x)


def loop_in_a_branch():
    p = tf.placeholder(tf.bool, [], name="p")
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.cond(p, lambda: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1], lambda: tf.exp(x))
    tf.gradients(y, x, stop_gradients=[x])
    tf.gradients(y, x)


def rates_of_all_kinds():
    g = tf.placeholder(tf.int64, [], name="g")
    tf.train.cosine_decay_restarts(1.0, g, 2)
    tf.train.linear_cosine_decay(1.0, g, 5)
    tf.train.noisy_linear_cosine_decay(1.0, g, 5)
    tf.train.polynomial_decay(1.0, g, 5, cycle=True)
    tf.train.piecewise_constant(g, [2, 4], [1.0, 0.5, 0.1])


def clipped_by_all_means():
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), tf.constant([2, 2]))
    tf.clip_by_norm(tf.reshape(x, [2, 1]), 1.0, axes=[1])
    tf.clip_by_average_norm(x, 1.0)
    tf.clip_by_global_norm([x, None, y], 2.5)
    tf.clip_by_global_norm((x,), 2.5, use_norm=tf.constant(3.0), name="G")
    tf.clip_by_value(x, tf.constant([0.0, 1.0]), 2.0)
