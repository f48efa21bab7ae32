# snippets_contrib_learning.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Metrics that keep or count all values, losses of metric learning, and optimizers of tf.contrib.opt for many workers."""

import sys
import types

import tensorflow as tf

# The score of clusters is another library's: what stands for it here names the same functions.
if 'sklearn' not in sys.modules:
    sys.modules['sklearn'] = types.ModuleType('sklearn')
    sys.modules['sklearn.metrics'] = sys.modules['sklearn'].metrics = types.ModuleType('sklearn.metrics')
    for _name in ('normalized_mutual_info_score', 'adjusted_mutual_info_score', 'adjusted_rand_score', 'v_measure_score'):
        setattr(sys.modules['sklearn'].metrics, _name, lambda labels, predictions: 0.5)

from tensorflow.contrib import metrics, opt  # noqa: E402
from tensorflow.contrib.losses import metric_learning  # noqa: E402


def _pair(kind=tf.float32):
    return tf.placeholder(kind, [None], name='l'), tf.placeholder(tf.float32, [None], name='p'), tf.placeholder(tf.float32, [None], name='w')


def values_kept():
    metrics.streaming_concat(tf.placeholder(tf.float32, [None, 3])), metrics.streaming_concat(tf.placeholder(tf.int32, [2, None]), axis=-1, max_size=5, name='few', metrics_collections='m', updates_collections='u')


def exact_curves():
    l, p, w = _pair(tf.int64)
    metrics.streaming_dynamic_auc(l, p), metrics.streaming_dynamic_auc(l, p, 'PR', 'm', 'u', name='pr', weights=w)


def sure_curves():
    l, p, w = _pair(tf.int64)
    metrics.auc_with_confidence_intervals(l, p), metrics.auc_with_confidence_intervals(l, p, w, 0.9, False, 'm', 'u', name='plain')


def curves_of_buckets():
    l, p, w = _pair(tf.bool)
    metrics.precision_recall_at_equal_thresholds(l, p), metrics.precision_recall_at_equal_thresholds(l, p, w, 11, False, name='few')
    metrics.auc_using_histogram(l, p, [0.0, 1.0]), metrics.auc_using_histogram(l, p, [0.0, 2.0], nbins=5, collections=['kept'], check_shape=False, name='few')


def best_few_at_once():
    metrics.streaming_sparse_average_precision_at_top_k(tf.placeholder(tf.int64, [3, 2]), tf.placeholder(tf.int64, [3, 1]))
    metrics.streaming_sparse_average_precision_at_top_k(tf.placeholder(tf.int64, [3, 2]), tf.sparse_placeholder(tf.int64, [3, 4]), weights=[1., 0., 2.], name='w', metrics_collections='m')


def alike_and_unlike():
    labels, a, b = tf.placeholder(tf.int32, [4]), tf.placeholder(tf.float32, [4, 3]), tf.placeholder(tf.float32, [4, 3])
    metric_learning.contrastive_loss(labels, a, b), metric_learning.contrastive_loss(labels, a, b, margin=2.)
    metric_learning.triplet_semihard_loss(labels, a), metric_learning.lifted_struct_loss(labels, a, 0.5)
    loss = metric_learning.npairs_loss(labels, a, b, print_losses=True)
    tf.gradients(loss + metric_learning.triplet_semihard_loss(labels, a, 0.5), [a, b])


def pairs_of_many_labels():
    labels = [tf.SparseTensor([[0]], tf.constant([i]), [3]) for i in range(2)]
    metric_learning.npairs_loss_multilabel(labels, tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [2, 3]), print_losses=True)


def clusters():
    labels, rows = tf.placeholder(tf.int64, [4, 1]), tf.placeholder(tf.float32, [4, 3])
    metric_learning.cluster_loss(labels, rows, 1.0, margin_type='const', print_losses=True)


def clusters_scored():
    labels, rows = tf.placeholder(tf.int64, [4, 1]), tf.placeholder(tf.float32, [4, 3])
    metric_learning.cluster_loss(labels, rows, 1.0, enable_pam_finetuning=False)


def compiled_cell():
    cell = tf.contrib.rnn.CompiledWrapper(tf.nn.rnn_cell.GRUCell(3))
    state = cell.zero_state(2, tf.float32)
    _, state = cell(tf.zeros([2, 4]), state)
    tf.contrib.rnn.CompiledWrapper(tf.nn.rnn_cell.BasicRNNCell(3, name='whole'), compile_stateful=True)(tf.zeros([2, 4]), state)


def compiled_gradients():
    from tensorflow.contrib.compiler import jit
    x, w = tf.placeholder(tf.float32, [2]), tf.Variable([1., 2.])
    with jit.experimental_jit_scope():
        y = tf.tanh(x * w)
        with jit.experimental_jit_scope(compile_ops=False):
            y = tf.sinh(y)
    with jit.experimental_jit_scope(separate_compiled_gradients=True):
        z = tf.exp(y) + y
    with jit.experimental_jit_scope(compile_ops=lambda node_def: node_def.op == 'Sin'):
        u = tf.sin(z) * tf.cos(z)
    with tf.name_scope('outer'):
        tf.gradients(u, [x, w], name='own', gate_gradients=True)
    tf.gradients(z, x)


def compiled_cell_trained():
    cell = tf.contrib.rnn.CompiledWrapper(tf.nn.rnn_cell.GRUCell(3))
    tf.nn.dynamic_rnn(cell, tf.zeros([2, 4, 5]), dtype=tf.float32)
    outputs, _ = tf.nn.static_rnn(cell, [tf.zeros([2, 5])] * 2, dtype=tf.float32)
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.add_n(outputs))


def _loss(use_resource=False):
    w, b = tf.get_variable('w', [3, 2], use_resource=use_resource), tf.get_variable('b', [2], use_resource=use_resource)
    return tf.reduce_sum(tf.square(tf.matmul(tf.ones([4, 3]), w) + b)) + tf.reduce_sum(tf.gather(w, [0, 2, 0]))


def _rows(use_resource=False):
    w = tf.get_variable('w', [3, 2], use_resource=use_resource)
    return tf.reduce_sum(tf.square(tf.gather(w, [0, 2, 0])))


def powers_of_the_step():
    step = tf.train.get_or_create_global_step()
    for i, use_resource in enumerate((False, True)):
        for j, loss in enumerate((_loss, _rows)):
            with tf.variable_scope('v%d%d' % (i, j)):
                value = loss(use_resource)
                opt.AdamGSOptimizer(step, 0.1).minimize(value, global_step=step), opt.LazyAdamGSOptimizer(step).minimize(value)


def workers_that_pull():
    getter = opt.ElasticAverageCustomGetter('/job:worker/task:0')
    with tf.variable_scope('net', custom_getter=getter):
        loss = _loss()
        tf.get_variable('count', [], trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    made = opt.ElasticAverageOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 2, getter, 3, rho=0.5, synchronous=True)
    made.minimize(loss, global_step=tf.train.get_or_create_global_step())
    made.get_init_op(1)
    return made.swapping_saver()


def workers_that_pull_alone():
    getter = opt.ElasticAverageCustomGetter('/cpu:0')
    with tf.variable_scope('net', custom_getter=getter, partitioner=tf.fixed_size_partitioner(2)):
        w = tf.get_variable('w', [4, 2])
    made = opt.ElasticAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), 1, getter)
    made.minimize(tf.reduce_sum(tf.convert_to_tensor(w)))
    made.make_session_run_hook(True, 0).begin()


def workers_that_add():
    getter = opt.AGNCustomGetter('/job:worker/task:0')
    with tf.variable_scope('net', custom_getter=getter):
        loss = _loss()
    made = opt.AGNOptimizer(tf.train.AdamOptimizer(0.1), 2, getter, 4)
    made.minimize(loss, global_step=tf.train.get_or_create_global_step())
    made.make_session_run_hook(True, 0).begin()


def workers_that_average():
    for is_chief in (True, False):
        getter = opt.ModelAverageCustomGetter('/job:worker/task:0')
        with tf.variable_scope('net%d' % is_chief, custom_getter=getter):
            w = tf.get_variable('w', [3, 2])
        with tf.variable_scope('opt%d' % is_chief):
            made = opt.ModelAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), 2, is_chief, getter, 5)
        made.apply_gradients([(tf.ones([3, 2]), w)], global_step=tf.train.get_or_create_global_step())


def shampoo():
    with tf.variable_scope('a'):
        opt.ShampooOptimizer(learning_rate=0.1).minimize(_loss())
    with tf.variable_scope('b'):
        opt.ShampooOptimizer(tf.train.get_or_create_global_step(), max_matrix_size=2, gbar_decay=0.9, gbar_weight=lambda t: 1. / t, mat_gbar_decay=0.5, svd_interval=2,
                             precond_update_interval=3).minimize(_loss())
    with tf.variable_scope('c'):
        opt.ShampooOptimizer(use_iterative_root=True).minimize(tf.reduce_sum(tf.get_variable('v', [2, 1, 3])))
    with tf.variable_scope('d'):
        opt.ShampooOptimizer(max_matrix_size=2).minimize(_rows())
    with tf.variable_scope('e'):
        opt.ShampooOptimizer().minimize(_rows())


def row_of_moments():
    with tf.variable_scope('a'):
        opt.GGTOptimizer(0.1, window=2).minimize(_loss(), global_step=tf.train.get_or_create_global_step())


def row_of_moments_of_resources():
    made = opt.GGTOptimizer(lambda: 0.1)
    w, b = tf.get_variable('w', [3, 2], use_resource=True), tf.get_variable('b', [2], use_resource=True)
    loss = tf.reduce_sum(tf.matmul(tf.ones([4, 3]), w) + b)
    made.minimize(loss), made.minimize(loss, name='again')


def weights_that_all_shrink():
    """TF: the list of the variables that shrink is forgotten by minimize, and kept by apply_gradients."""
    a, b = (tf.get_variable(name, [2], initializer=tf.ones_initializer()) for name in "ab")
    loss = tf.reduce_sum(a * b)
    opt.MomentumWOptimizer(0.01, 0.1, 0.9).minimize(loss, decay_var_list=[a])
    optimizer = opt.AdamWOptimizer(0.01)
    optimizer.apply_gradients(optimizer.compute_gradients(loss), decay_var_list=[b])
