# cases_families.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Checks, decays, moving averages, metrics, losses, batch normalization and tf.contrib.layers: every function takes the
module tf. record_composites.py records what TensorFlow makes of them, test-composites.py compares ours."""

CASES = {}


def case(function):
    CASES["family_" + function.__name__] = function
    return function


def labelled(tf, count=4):
    return (tf.placeholder(tf.int64, [count], name="l"), tf.placeholder(tf.float32, [count], name="p"),
            tf.placeholder(tf.float32, [count], name="w"))


def step_of(tf):
    return tf.train.get_or_create_global_step()


@case
def exponential_decay(tf):
    tf.train.exponential_decay(0.1, step_of(tf), 100, 0.9)


@case
def natural_exp_decay(tf):
    tf.train.natural_exp_decay(0.1, step_of(tf), 100, 0.9, staircase=True)


@case
def inverse_time_decay(tf):
    tf.train.inverse_time_decay(0.1, step_of(tf), 100, 0.9, True)


@case
def polynomial_decay(tf):
    tf.train.polynomial_decay(0.1, step_of(tf), 100)


@case
def polynomial_decay_cycle(tf):
    tf.train.polynomial_decay(0.1, step_of(tf), 100, cycle=True, power=2.)


@case
def cosine_decay(tf):
    tf.train.cosine_decay(0.1, step_of(tf), 100)


@case
def cosine_decay_restarts(tf):
    tf.train.cosine_decay_restarts(0.1, step_of(tf), 100)


@case
def linear_cosine_decay(tf):
    tf.train.linear_cosine_decay(0.1, step_of(tf), 100)


@case
def piecewise_constant(tf):
    tf.train.piecewise_constant(step_of(tf), [100, 200], [0.1, 0.01, 0.001])


@case
def average_of_tensors(tf):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    y = x * 2.
    with tf.name_scope("sc"):
        tf.train.ExponentialMovingAverage(0.9, zero_debias=True, name="av").apply([x, y])


@case
def average_of_variables(tf):
    tf.get_variable("w", [3, 2])
    tf.Variable(tf.zeros([3]), name="v")
    tf.train.ExponentialMovingAverage(0.9, num_updates=step_of(tf)).apply()


@case
def checks_of_ints(tf):
    n = tf.placeholder(tf.int32, [None], name="n")
    tf.assert_equal(n, 3)
    tf.assert_less(n, n, message="m")
    tf.assert_greater_equal(n, tf.constant([1, 2]), name="ge")
    tf.assert_positive(n)
    tf.assert_non_positive(n)
    tf.assert_none_equal(n, 4, summarize=5)
    tf.assert_equal(n, n)
    tf.assert_integer(n)


@case
def checks_of_floats(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    tf.assert_equal(x, 3.)
    tf.debugging.assert_near(x, x + 1.)
    tf.Assert(tf.reduce_all(x > 0.), [x])


@case
def checks_of_ranks(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    u = tf.placeholder(tf.float32, name="u")
    tf.assert_rank(x, 2)
    tf.assert_rank(u, 2)
    tf.assert_rank_at_least(u, 1)
    tf.assert_rank_in(u, [0, 1], name="rin")


@case
def checks_of_shapes(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.placeholder(tf.float32, [None, 2, None], name="y")
    tf.debugging.assert_shapes([(x, ("N", "Q")), (y, ("N", "Q", "D")), (x, (3, 2))])


@case
def order(tf):
    tf.debugging.is_strictly_increasing(tf.placeholder(tf.float32, [None], name="x"))


@case
def confusion(tf):
    l = tf.placeholder(tf.int32, [None])
    tf.confusion_matrix(l, l, num_classes=3)


@case
def metric_mean(tf):
    l, p, w = labelled(tf)
    tf.metrics.mean(p, w)


@case
def metric_accuracy(tf):
    l, p, w = labelled(tf)
    tf.metrics.accuracy(tf.cast(l, tf.int32), p)


@case
def metric_mean_tensor(tf):
    l, p, w = labelled(tf)
    tf.metrics.mean_tensor(p)


@case
def metric_mean_relative_error(tf):
    l, p, w = labelled(tf)
    tf.metrics.mean_relative_error(p, p, p)


@case
def metric_root_mean_squared_error(tf):
    l, p, w = labelled(tf)
    tf.metrics.root_mean_squared_error(p, p)


@case
def metric_percentage_below(tf):
    l, p, w = labelled(tf)
    tf.metrics.percentage_below(p, 0.5)


@case
def metric_precision(tf):
    l, p, w = labelled(tf)
    tf.metrics.precision(l, p, w)


@case
def metric_recall(tf):
    l, p, w = labelled(tf)
    tf.metrics.recall(l, p)


@case
def metric_mean_per_class(tf):
    l, p, w = labelled(tf)
    tf.metrics.mean_per_class_accuracy(l, l, 3, w)


@case
def metric_mean_iou(tf):
    l, p, w = labelled(tf)
    tf.metrics.mean_iou(l, l, 3)


@case
def metric_auc(tf):
    l, p, w = labelled(tf)
    tf.metrics.auc(l, p, num_thresholds=4)


@case
def metric_auc_pr(tf):
    l, p, w = labelled(tf)
    tf.metrics.auc(l, p, w, num_thresholds=4, curve="PR", summation_method="careful_interpolation")


@case
def metric_auc_minoring(tf):
    l, p, w = labelled(tf)
    tf.metrics.auc(l, p, w, thresholds=[0.7, 0.2], summation_method="minoring", curve="PR")


@case
def metric_precision_at_thresholds(tf):
    l, p, w = labelled(tf)
    tf.metrics.precision_at_thresholds(l, p, [0.2, 0.5])


@case
def metric_sensitivity(tf):
    l, p, w = labelled(tf)
    tf.metrics.sensitivity_at_specificity(l, p, 0.5, num_thresholds=4)


@case
def metric_specificity(tf):
    l, p, w = labelled(tf)
    tf.metrics.specificity_at_sensitivity(l, p, 0.5, num_thresholds=4)


@case
def metric_of_unknown(tf):
    tf.metrics.mean(tf.placeholder(tf.float32), tf.placeholder(tf.float32))


@case
def metric_recall_at_k(tf):
    l = tf.placeholder(tf.int64, [None, 2], name="l")
    tf.metrics.recall_at_k(l, tf.placeholder(tf.float32, [None, 5], name="p"), 3)


@case
def metric_precision_at_k_class(tf):
    l = tf.placeholder(tf.int64, [4], name="l")
    tf.metrics.precision_at_k(l, tf.placeholder(tf.float32, [4, 5], name="p"), 2, class_id=0, weights=2., name="n")


@case
def metric_recall_at_k_sparse(tf):
    labels = tf.sparse_placeholder(tf.int64, name="s")
    tf.metrics.recall_at_k(labels, tf.placeholder(tf.float32, [4, 5], name="p"), 3)


@case
def metric_average_precision(tf):
    l = tf.placeholder(tf.int64, [4, 2], name="l")
    tf.metrics.average_precision_at_k(l, tf.placeholder(tf.float32, [4, 5]), 3, weights=tf.placeholder(tf.float32, [4]))


@case
def loss_of_unknown_weights(tf):
    tf.losses.mean_squared_error(*[tf.placeholder(tf.float32, [None]) for _ in range(3)])


@case
def loss_reductions(tf):
    l, p, w = labelled(tf)
    for reduction in tf.losses.Reduction.all():
        tf.losses.huber_loss(p, p + 1., w, delta=2., reduction=reduction)


@case
def loss_others(tf):
    p = tf.placeholder(tf.float32, [2, 2])
    tf.losses.log_loss(p, p)
    tf.losses.hinge_loss(p, p)
    tf.losses.cosine_distance(p, p, axis=1)
    tf.losses.mean_pairwise_squared_error(p, p)
    tf.losses.softmax_cross_entropy(p, p, label_smoothing=0.1, weights=0.)
    tf.losses.get_total_loss()


@case
def bn_renorm(tf):
    tf.layers.batch_normalization(tf.placeholder(tf.float32, [None, 3]), training=True, renorm=True,
            renorm_clipping={"rmax": 1.5, "rmin": 0.5, "dmax": 0.5})


@case
def bn_virtual(tf):
    tf.layers.batch_normalization(tf.ones([8, 3]), training=True, virtual_batch_size=4)


@case
def bn_two_axes(tf):
    tf.layers.batch_normalization(tf.ones([2, 4, 5]), axis=[1, 2], training=True)


@case
def bn_half(tf):
    tf.layers.batch_normalization(tf.placeholder(tf.float16, [None, 3]), training=True)


@case
def bn_fused_first(tf):
    tf.layers.batch_normalization(tf.placeholder(tf.float32, [None, 4, 4, 3]), axis=1, training=True)


@case
def bn_switched_renorm(tf):
    tf.layers.batch_normalization(tf.placeholder(tf.float32, [None, 3]), training=tf.placeholder(tf.bool, []),
                                  renorm=True)


@case
def bn_switched_fused(tf):
    tf.layers.batch_normalization(tf.placeholder(tf.float32, [None, 4, 4, 3]), training=tf.placeholder(tf.bool, []))


@case
def layer_objects(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    layer = tf.layers.Dense(4, name="foo")
    other = tf.layers.Dense(4, name="foo", activity_regularizer=tf.reduce_sum)
    other(layer(layer(x)[:, :3]))


@case
def contrib_fully_connected(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.fully_connected(x, 4, normalizer_fn=L.batch_norm, weights_regularizer=L.l2_regularizer(0.1))


@case
def contrib_layer_norm(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.layer_norm(x, activation_fn=tf.nn.relu)


@case
def contrib_batch_norm_forced(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.batch_norm(x, scale=True, updates_collections=None, decay=0.9)


@case
def contrib_batch_norm_debiased(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.batch_norm(x, zero_debias_moving_mean=True)


@case
def contrib_batch_norm_switched(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.batch_norm(x, is_training=tf.placeholder(tf.bool, []), updates_collections=None)


@case
def contrib_stack(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.stack(L.repeat(x, 2, L.fully_connected, 5), L.fully_connected, [3, 4])


@case
def contrib_dropout(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.dropout(x, 0.8)


@case
def contrib_unit_norm(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.unit_norm(x, 1)


@case
def contrib_maxout(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.maxout(x, 1)


@case
def contrib_softmax(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.softmax(x)


@case
def contrib_embed(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.embed_sequence(tf.constant([[1, 2]]), vocab_size=5, embed_dim=3)


@case
def contrib_one_hot(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.one_hot_encoding(tf.constant([1, 2]), 3)


@case
def contrib_optimize(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    L.optimize_loss(tf.reduce_mean(L.linear(x, 1)), step_of(tf), 0.1, "Adam", clip_gradients=5.)


@case
def contrib_conv(tf):
    L = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
    y = L.max_pool2d(L.conv2d(x, 4, 3), 2)
    y = L.conv2d(y, 4, [3, 3], stride=2, padding="VALID", normalizer_fn=L.batch_norm, scope="c2")
    L.conv2d_transpose(L.separable_conv2d(y, 4, 1), 2, 3)


@case
def contrib_group_norm(tf):
    tf.contrib.layers.group_norm(tf.placeholder(tf.float32, [None, 4, 4, 8]), groups=2)


@case
def slim(tf):
    slim = tf.contrib.slim
    x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
    with slim.arg_scope([slim.conv2d, slim.fully_connected], activation_fn=tf.nn.elu,
                        weights_regularizer=slim.l2_regularizer(0.01)):
        y = slim.repeat(slim.conv2d(x, 4, [3, 3], scope="c1"), 2, slim.conv2d, 8, [3, 3], scope="c2")
        y = slim.fully_connected(slim.flatten(y), 10, scope="fc")
    slim.losses.softmax_cross_entropy(y, tf.one_hot(tf.constant([1, 2]), 10))
    slim.learning.create_train_op(slim.losses.get_total_loss(), tf.train.GradientDescentOptimizer(0.1),
                                  clip_gradient_norm=4., summarize_gradients=True)
