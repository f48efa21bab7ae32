# snippets_optimizers.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The optimizers of tf.contrib.opt: dense and sparse, variables and resources, and those around others."""

import tensorflow as tf
from tensorflow.contrib import opt


def _model(use_resource=False, sparse=True):
    v = tf.get_variable('v', [5, 3], use_resource=use_resource)
    w = tf.get_variable('w', [3, 2], use_resource=use_resource)
    x = tf.gather(v, tf.placeholder(tf.int32, [4], name='rows')) if sparse else v
    return tf.reduce_sum(tf.matmul(x, w))


def _minimize(make, resource=True, sparse=True):
    step = tf.train.get_or_create_global_step()
    for use_resource in (False, True) if resource else (False,):
        with tf.variable_scope('r%d' % use_resource) as scope:
            loss = _model(use_resource, sparse)
            make().minimize(loss, global_step=step, var_list=tf.trainable_variables(scope.name))


def nadam():
    _minimize(lambda: opt.NadamOptimizer(0.01))


def adamax():
    _minimize(lambda: opt.AdaMaxOptimizer())


def lars():
    _minimize(lambda: opt.LARSOptimizer(0.1, skip_list=['w'], use_nesterov=True))
    with tf.variable_scope('b'):
        _minimize(lambda: opt.LARSOptimizer(0.1), sparse=False)


def signs():
    _minimize(lambda: opt.AddSignOptimizer(0.1), resource=False)
    with tf.variable_scope('b'):
        _minimize(lambda: opt.PowerSignOptimizer(0.1, sign_decay_fn=lambda step: tf.cast(step, tf.float32) / 10.), resource=False)
    with tf.variable_scope('c'):
        _minimize(lambda: opt.PowerSignOptimizer(sign_decay_fn=lambda step: tf.constant(0.5)), sparse=False)
    with tf.variable_scope('d'):
        _minimize(lambda: opt.AddSignOptimizer(sign_decay_fn=lambda step: 0.3), sparse=False)


def reg_adagrad():
    o = opt.RegAdagradOptimizer(0.1)
    loss = _model()
    with o.avoid_updating_slots():
        o.minimize(loss)
    with tf.variable_scope('b'):
        _minimize(lambda: opt.RegAdagradOptimizer(0.1))


def moving_average():
    o = opt.MovingAverageOptimizer(tf.train.AdamOptimizer(), average_decay=0.9)
    o.minimize(_model())
    with tf.variable_scope('b'):
        opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), sequential_update=False).minimize(_model(True))
    return o.swapping_saver()


def variable_clipping():
    loss = _model()
    v, w = tf.trainable_variables()
    opt.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(0.1), {v: [1], w: [0]}, 2.).minimize(loss)
    opt.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(0.1), {v: [0, 1]}, 2., colocate_clip_ops_with_vars=True).minimize(loss)


def several_tasks():
    o = opt.MultitaskOptimizerWrapper(tf.train.MomentumOptimizer(0.1, 0.9))
    loss = _model(sparse=False)
    grads, _ = opt.clip_gradients_by_global_norm(o.compute_gradients(loss), clip_norm=5.)
    o.apply_gradients(grads)


def stale_gradients():
    step = tf.train.get_or_create_global_step()
    opt.DropStaleGradientOptimizer(tf.train.GradientDescentOptimizer(0.1), 2).minimize(_model(sparse=False), global_step=step)


def outside_the_graph():
    loss = _model(sparse=False)
    v, w = tf.trainable_variables()
    opt.ScipyOptimizerInterface(loss, equalities=[tf.reduce_sum(v) - 1.], inequalities=[w[0, 0]], var_to_bounds={w: (0., 1.)},
                                method='SLSQP', options={'maxiter': 3})
    opt.ScipyOptimizerInterface(loss, var_list=[v])
