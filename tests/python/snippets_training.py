# snippets_training.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Gradients, optimizers and control flow of version 1; oracle/record_snippets.py records what TensorFlow 1.15.5 makes of each."""

import tensorflow.compat.v1 as tf


def opt_all_dense():
    x = tf.placeholder(tf.float32, [None, 3], name='x')
    w = tf.get_variable('w', [3, 2])
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    step = tf.train.get_or_create_global_step()
    for opt in (tf.train.AdagradDAOptimizer(0.1, step), tf.train.ProximalGradientDescentOptimizer(0.1, l1_regularization_strength=.1),
                tf.train.ProximalAdagradOptimizer(0.1), tf.train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=.1),
                tf.train.RMSPropOptimizer(0.1, centered=True), tf.train.AdadeltaOptimizer(), tf.train.MomentumOptimizer(.1, .9, use_nesterov=True)):
        opt.minimize(loss, global_step=step)


def opt_all_sparse():
    i = tf.placeholder(tf.int32, [4], name='i')
    w = tf.get_variable('w', [10, 2])
    loss = tf.reduce_mean(tf.square(tf.nn.embedding_lookup(w, i)))
    step = tf.train.get_or_create_global_step()
    for opt in (tf.train.GradientDescentOptimizer(.1), tf.train.AdagradDAOptimizer(0.1, step), tf.train.ProximalGradientDescentOptimizer(0.1),
                tf.train.ProximalAdagradOptimizer(0.1), tf.train.FtrlOptimizer(0.1),
                tf.train.RMSPropOptimizer(0.1), tf.train.AdadeltaOptimizer(), tf.train.MomentumOptimizer(.1, .9),
                tf.train.AdamOptimizer(), tf.train.AdagradOptimizer(.1)):
        opt.minimize(loss)


def opt_all_resource():
    x = tf.placeholder(tf.float32, [None, 3], name='x')
    w = tf.get_variable('w', [3, 2], use_resource=True)
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    step = tf.train.get_or_create_global_step()
    for opt in (tf.train.GradientDescentOptimizer(.1), tf.train.AdagradDAOptimizer(0.1, step), tf.train.ProximalGradientDescentOptimizer(0.1),
                tf.train.ProximalAdagradOptimizer(0.1), tf.train.FtrlOptimizer(0.1),
                tf.train.RMSPropOptimizer(0.1), tf.train.AdadeltaOptimizer(), tf.train.MomentumOptimizer(.1, .9),
                tf.train.AdamOptimizer(), tf.train.AdagradOptimizer(.1)):
        opt.minimize(loss)


def opt_all_resource_sparse():
    i = tf.placeholder(tf.int32, [4], name='i')
    w = tf.get_variable('w', [10, 2], use_resource=True)
    loss = tf.reduce_mean(tf.square(tf.nn.embedding_lookup(w, i)))
    step = tf.train.get_or_create_global_step()
    for opt in (tf.train.GradientDescentOptimizer(.1), tf.train.AdagradDAOptimizer(0.1, step), tf.train.ProximalGradientDescentOptimizer(0.1),
                tf.train.ProximalAdagradOptimizer(0.1), tf.train.FtrlOptimizer(0.1),
                tf.train.RMSPropOptimizer(0.1), tf.train.AdadeltaOptimizer(), tf.train.MomentumOptimizer(.1, .9),
                tf.train.AdamOptimizer(), tf.train.AdagradOptimizer(.1)):
        opt.minimize(loss)


def opt_gate_and_aggregate():
    x = tf.placeholder(tf.float32, [None, 3], name='x')
    w = tf.get_variable('w', [3, 2])
    b = tf.get_variable('b', [2])
    h = tf.matmul(x, w) + b
    loss = tf.reduce_mean(h * h + h)
    opt = tf.train.GradientDescentOptimizer(0.1)
    opt.minimize(loss, gate_gradients=opt.GATE_GRAPH, name='a')
    opt.minimize(loss, gate_gradients=opt.GATE_NONE, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE, name='b')
    opt.minimize(loss, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N, colocate_gradients_with_ops=True, name='c')
    opt.minimize(loss, var_list=[w], grad_loss=tf.ones([]), name='d')


def opt_devices_colocate():
    with tf.device('/cpu:0'):
        x = tf.placeholder(tf.float32, [None, 3], name='x')
        w = tf.get_variable('w', [3, 2])
    with tf.device('/job:worker/task:1'):
        loss = tf.reduce_mean(tf.nn.relu(tf.matmul(x, w)))
    tf.train.AdamOptimizer().minimize(loss, colocate_gradients_with_ops=True)


def opt_partitioned():
    x = tf.placeholder(tf.float32, [None, 6], name='x')
    with tf.variable_scope('p', partitioner=tf.fixed_size_partitioner(2)):
        w = tf.get_variable('w', [6, 4])
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(tf.matmul(x, w)))


def opt_partitioned_embedding():
    i = tf.placeholder(tf.int64, [None], name='i')
    with tf.variable_scope('p', partitioner=tf.fixed_size_partitioner(3)):
        w = tf.get_variable('w', [7, 4])
    e = tf.nn.embedding_lookup(w, i, partition_strategy='div')
    tf.train.AdagradOptimizer(.1).minimize(tf.reduce_sum(e * e))


def opt_exponential_decay_ema():
    step = tf.train.get_or_create_global_step()
    lr = tf.train.exponential_decay(0.1, step, 100, 0.9, staircase=True)
    w = tf.get_variable('w', [3])
    train = tf.train.RMSPropOptimizer(lr, momentum=.9).minimize(tf.nn.l2_loss(w), global_step=step)
    ema = tf.train.ExponentialMovingAverage(0.99, step)
    with tf.control_dependencies([train]):
        ema.apply([w])


def opt_sync_loss_scale():
    w = tf.get_variable('w', [3])
    opt = tf.train.GradientDescentOptimizer(.1)
    gv = opt.compute_gradients(tf.nn.l2_loss(w), [w])
    gv = [(tf.clip_by_norm(g, 1.), v) for g, v in gv]
    gv = [(tf.clip_by_value(g, -1., 1.), v) for g, v in gv]
    opt.apply_gradients(gv, name='go')


def grads_penalty():
    x = tf.placeholder(tf.float32, [None, 3], name='x')
    y = tf.layers.dense(tf.layers.dense(x, 4, tf.nn.tanh), 1)
    g, = tf.gradients(y, [x])
    norm = tf.sqrt(tf.reduce_sum(tf.square(g), axis=1))
    loss = tf.reduce_mean(y) + 10. * tf.reduce_mean(tf.square(norm - 1.))
    tf.train.AdamOptimizer(1e-4, beta1=0.5, beta2=.9).minimize(loss)


def grads_override():
    @tf.RegisterGradient('Flip')
    def flip(op, g):
        return -g
    x = tf.placeholder(tf.float32, [3], name='x')
    with tf.get_default_graph().gradient_override_map({'Identity': 'Flip'}):
        y = tf.identity(x * 2.)
    tf.gradients(y, x)


def grads_custom():
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)

        def grad(dy):
            return dy * (1 - 1 / (1 + e))
        return tf.log(1 + e), grad
    x = tf.placeholder(tf.float32, [3], name='x')
    tf.gradients(log1pexp(x) + log1pexp(x * 2.), x)


def grads_custom_variables():
    @tf.custom_gradient
    def f(x):
        v = tf.get_variable('v', [3], use_resource=True)

        def grad(dy, variables=None):
            return dy * v, [dy * x for _ in variables]
        return x * v, grad
    x = tf.placeholder(tf.float32, [3], name='x')
    with tf.variable_scope('s', use_resource=True):
        y = f(x)
    tf.gradients(y, [x] + tf.trainable_variables())


def grads_unconnected():
    x = tf.placeholder(tf.float32, [2, 3], name='x')
    z = tf.placeholder(tf.float32, [None], name='z')
    v = tf.get_variable('v', [2], use_resource=True)
    tf.gradients(x * 2., [x, z, v], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    tf.gradients(x * 2., [x, z], unconnected_gradients='none')


def grads_stop():
    x = tf.placeholder(tf.float32, [2, 3], name='x')
    a = x * 2.
    b = a * x
    tf.gradients(a + b, [x, a], stop_gradients=[a])
    tf.gradients([a, b], [x], grad_ys=[tf.ones([2, 3]), None])


def grads_hessian():
    x = tf.placeholder(tf.float32, [2], name='x')
    y = tf.placeholder(tf.float32, [None, 3], name='y')
    tf.hessians(tf.reduce_sum(x ** 3), x)
    tf.hessians(tf.reduce_sum(y ** 3), [y])


def grads_cond_while_v1():
    x = tf.placeholder(tf.float32, [2], name='x')
    w = tf.get_variable('w', [2])
    y = tf.cond(x[0] > 0., lambda: tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, tf.cond(
        h[0] > 1., lambda: h * w, lambda: h + x)), [0, x])[1], lambda: x * w)
    tf.train.MomentumOptimizer(.1, .9).minimize(tf.reduce_sum(y))


def grads_while_swap():
    x = tf.placeholder(tf.float32, [2], name='x')
    z = tf.while_loop(lambda h: tf.reduce_sum(h) < 10., lambda h: h * h + x, [x], swap_memory=True, parallel_iterations=3,
                      back_prop=True, maximum_iterations=5)
    tf.gradients(z, x)


def grads_while_no_back_prop():
    x = tf.placeholder(tf.float32, [2], name='x')
    z = tf.while_loop(lambda h: tf.reduce_sum(h) < 10., lambda h: h * h + x, [x], back_prop=False)
    tf.gradients(z + x, x)


def grads_scan_foldr():
    x = tf.placeholder(tf.float32, [4, 2], name='x')
    y = tf.scan(lambda a, v: a * v, x, initializer=tf.ones([2]), reverse=True)
    z = tf.foldr(lambda a, v: a + tf.tanh(v), x)
    tf.gradients([y, z], x)


def grads_map_nested():
    x = tf.placeholder(tf.float32, [4, 2, 3], name='x')
    y = tf.map_fn(lambda r: tf.map_fn(lambda v: tf.reduce_sum(v * v), r), x)
    tf.gradients(y, x)


def grads_case():
    x = tf.placeholder(tf.float32, [], name='x')
    y = tf.case([(x > 1., lambda: x * x), (x > 0., lambda: tf.exp(x))], default=lambda: x, exclusive=True, strict=True)
    tf.gradients(y, x)


def grads_bidirectional():
    x = tf.placeholder(tf.float32, [None, 5, 3], name='x')
    f, b = tf.nn.rnn_cell.LSTMCell(4, use_peepholes=True), tf.nn.rnn_cell.GRUCell(4)
    (o, p), _ = tf.nn.bidirectional_dynamic_rnn(f, b, x, dtype=tf.float32)
    tf.train.AdagradOptimizer(.1).minimize(tf.reduce_mean(tf.concat([o, p], 2)))


def grads_sparse():
    a = tf.sparse_placeholder(tf.float32, [3, 4], name='a')
    w = tf.get_variable('w', [4, 2])
    y = tf.sparse_tensor_dense_matmul(a, w)
    e = tf.nn.embedding_lookup_sparse(w, tf.sparse_placeholder(tf.int64, [3, 2]), None, combiner='mean')
    tf.train.FtrlOptimizer(.1).minimize(tf.reduce_sum(y) + tf.reduce_sum(e))


def grads_image_ops():
    x = tf.placeholder(tf.float32, [2, 8, 8, 3], name='x')
    a = tf.image.resize_bilinear(x, [4, 4])
    b = tf.image.resize_nearest_neighbor(x, [4, 4])
    c = tf.image.crop_and_resize(x, [[0., 0., 1., 1.]], [0], [3, 3])
    d = tf.image.resize_bicubic(x, [5, 5])
    tf.gradients([a, b, c, d], x)


def grads_linalg():
    x = tf.placeholder(tf.float32, [3, 3], name='x')
    ys = [tf.matrix_inverse(x), tf.cholesky(x), tf.matrix_determinant(x), tf.matrix_triangular_solve(x, x), tf.linalg.logdet(x),
          tf.trace(x), tf.matrix_band_part(x, 1, 0), tf.linalg.qr(x)[0], tf.self_adjoint_eig(x)[0], tf.norm(x), tf.einsum('ij,jk->ik', x, x),
          tf.tensordot(x, x, 1), tf.matrix_solve(x, x)]
    tf.gradients(ys, x)


def grads_multi_tower():
    w = tf.get_variable('w', [3, 2])
    opt = tf.train.GradientDescentOptimizer(.1)
    towers = []
    for i in range(2):
        with tf.device('/gpu:%d' % i), tf.name_scope('tower_%d' % i):
            x = tf.placeholder(tf.float32, [None, 3])
            towers.append(opt.compute_gradients(tf.reduce_mean(tf.matmul(x, w))))
    avg = [(tf.reduce_mean(tf.stack([g for g, _ in gv]), 0), gv[0][1]) for gv in zip(*towers)]
    opt.apply_gradients(avg)


def grads_complex_fft():
    x = tf.placeholder(tf.float32, [4, 8], name='x')
    y = tf.fft(tf.cast(x, tf.complex64))
    tf.gradients(tf.abs(y), x)
    tf.gradients(tf.real(tf.ifft2d(y)), x)


def opt_callable_rates():
    w = tf.get_variable('w', [3], use_resource=True)
    loss = tf.nn.l2_loss(w)
    for opt in (tf.train.GradientDescentOptimizer(lambda: .1), tf.train.MomentumOptimizer(lambda: .1, lambda: .9), tf.train.AdamOptimizer(lambda: .1)):
        opt.minimize(loss)


def opt_tensor_rates():
    lr = tf.placeholder(tf.float32, [], name='lr')
    w = tf.get_variable('w', [3])
    loss = tf.nn.l2_loss(w)
    for opt in (tf.train.GradientDescentOptimizer(lr), tf.train.MomentumOptimizer(lr, .9), tf.train.AdamOptimizer(lr),
                tf.train.AdagradOptimizer(lr), tf.train.RMSPropOptimizer(lr), tf.train.FtrlOptimizer(lr), tf.train.AdadeltaOptimizer(lr)):
        opt.minimize(loss)


def opt_float64():
    w = tf.get_variable('w', [3], tf.float64)
    e = tf.get_variable('e', [5, 2], tf.float64)
    loss = tf.nn.l2_loss(w) + tf.reduce_sum(tf.gather(e, [1, 2, 1]))
    for opt in (tf.train.GradientDescentOptimizer(.1), tf.train.MomentumOptimizer(.1, .9), tf.train.AdamOptimizer(.1),
                tf.train.AdagradOptimizer(.1), tf.train.RMSPropOptimizer(.1), tf.train.FtrlOptimizer(.1), tf.train.AdadeltaOptimizer(.1)):
        opt.minimize(loss)


def opt_half_cast():
    w = tf.get_variable('w', [3], tf.float32)
    h = tf.cast(w, tf.float16)
    loss = tf.cast(tf.reduce_sum(h * h), tf.float32) * 128.
    opt = tf.train.MomentumOptimizer(.1, .9)
    gv = [(g / 128., v) for g, v in opt.compute_gradients(loss)]
    opt.apply_gradients(gv)


def opt_constraint():
    w = tf.get_variable('w', [3], constraint=lambda x: tf.clip_by_value(x, 0., 1.))
    v = tf.get_variable('v', [3], use_resource=True, constraint=tf.keras.constraints.NonNeg() if False else (lambda x: tf.nn.relu(x)))
    tf.train.AdamOptimizer().minimize(tf.nn.l2_loss(w) + tf.nn.l2_loss(v))


def opt_two_losses_scopes():
    with tf.variable_scope('gen'):
        a = tf.get_variable('w', [3])
    with tf.variable_scope('dis'):
        b = tf.get_variable('w', [3])
    lg = tf.reduce_sum(a * b)
    ld = tf.reduce_sum(tf.square(b) - a)
    gv = tf.trainable_variables('gen')
    dv = [v for v in tf.trainable_variables() if v.name.startswith('dis')]
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        g = tf.train.AdamOptimizer(1e-3, name='g_adam').minimize(lg, var_list=gv)
    with tf.control_dependencies([g]), tf.name_scope('train_d'):
        tf.train.AdamOptimizer(1e-3).minimize(ld, var_list=dv)


def opt_accumulate():
    w = tf.get_variable('w', [3])
    acc = tf.get_variable('acc', [3], trainable=False, initializer=tf.zeros_initializer())
    opt = tf.train.GradientDescentOptimizer(.1)
    (g, v), = opt.compute_gradients(tf.nn.l2_loss(w))
    add = acc.assign_add(g)
    with tf.control_dependencies([add]):
        opt.apply_gradients([(acc / 4., v)])
    acc.assign(tf.zeros_like(acc))


def opt_gradient_noise_none():
    w = tf.get_variable('w', [3])
    u = tf.get_variable('u', [3])
    opt = tf.train.GradientDescentOptimizer(.1)
    gv = opt.compute_gradients(tf.nn.l2_loss(w))
    gv = [(g + tf.random_normal(tf.shape(g), seed=1), v) for g, v in gv if g is not None]
    opt.apply_gradients(gv, tf.train.get_or_create_global_step())


def opt_ema_swap():
    w = tf.get_variable('w', [3])
    s = tf.train.get_or_create_global_step()
    op = tf.train.MomentumOptimizer(.1, .9, use_nesterov=True).minimize(tf.nn.l2_loss(w), s)
    ema = tf.train.ExponentialMovingAverage(.999, s, zero_debias=True)
    with tf.control_dependencies([op]):
        m = ema.apply(tf.trainable_variables())
    return tf.train.Saver(ema.variables_to_restore())


def opt_schedules():
    s = tf.train.get_or_create_global_step()
    w = tf.get_variable('w', [3])
    for i, lr in enumerate([tf.train.polynomial_decay(.1, s, 100, cycle=True), tf.train.cosine_decay(.1, s, 100),
                            tf.train.natural_exp_decay(.1, s, 10, .9), tf.train.inverse_time_decay(.1, s, 10, .9, staircase=True),
                            tf.train.linear_cosine_decay(.1, s, 100), tf.train.cosine_decay_restarts(.1, s, 10),
                            tf.train.noisy_linear_cosine_decay(.1, s, 100), tf.train.piecewise_constant(s, [10, 20], [.1, .2, .3])]):
        tf.train.GradientDescentOptimizer(lr, name='o%d' % i).minimize(tf.nn.l2_loss(w), global_step=s)


def grads_reductions():
    x = tf.placeholder(tf.float32, [3, None, 4], name='x')
    ys = [tf.reduce_prod(x, 1), tf.reduce_max(x, [0, 2]), tf.reduce_min(x), tf.reduce_logsumexp(x, -1), tf.reduce_mean(x, [0], keepdims=True),
          tf.reduce_sum(x), tf.cumprod(x, 1), tf.cumsum(x, 2, exclusive=True, reverse=True), tf.nn.moments(x, [0, 1])[1],
          tf.norm(x, axis=1), tf.math.reduce_std(x), tf.math.reduce_variance(x, 0), tf.math.reduce_euclidean_norm(x, 1), tf.nn.l2_normalize(x, 2)]
    tf.gradients([tf.reduce_sum(y) for y in ys], x)


def grads_segments():
    x = tf.placeholder(tf.float32, [6, 2], name='x')
    i = tf.constant([0, 0, 1, 1, 1, 3])
    ys = [tf.segment_sum(x, i), tf.segment_mean(x, i), tf.segment_max(x, i), tf.segment_min(x, i), tf.unsorted_segment_sum(x, i, 4),
          tf.unsorted_segment_max(x, i, 4), tf.unsorted_segment_mean(x, i, 4), tf.unsorted_segment_prod(x, i, 4), tf.sparse_segment_sum(x, [0, 2], [0, 1]),
          tf.sparse_segment_mean(x, [0, 2], [0, 1]), tf.dynamic_partition(x, i, 4)[0], tf.dynamic_stitch([[0, 2], [1]], [x[:2], x[2:3]]),
          tf.scatter_nd([[1], [3]], x[:2], [5, 2]), tf.gather_nd(x, [[1], [2]]), tf.batch_gather(x, tf.constant([[0], [1], [0], [0], [0], [0]]))]
    tf.gradients(ys, x)


def grads_conv_kinds():
    x = tf.placeholder(tf.float32, [2, 8, 8, 3], name='x')
    k = tf.get_variable('k', [3, 3, 3, 4])
    d = tf.get_variable('d', [3, 3, 3, 2])
    p = tf.get_variable('p', [1, 1, 6, 5])
    t = tf.get_variable('t', [2, 2, 6, 3])
    v = tf.placeholder(tf.float32, [1, 4, 4, 4, 2], name='v')
    w = tf.get_variable('w', [2, 2, 2, 2, 3])
    ys = [tf.nn.conv2d(x, k, [1, 2, 2, 1], 'SAME'), tf.nn.depthwise_conv2d(x, d, [1, 1, 1, 1], 'VALID'), tf.nn.separable_conv2d(x, d, p, [1, 1, 1, 1], 'SAME'),
          tf.nn.conv2d_transpose(x, t, [2, 16, 16, 6], [1, 2, 2, 1]), tf.nn.conv3d(v, w, [1, 1, 1, 1, 1], 'SAME'), tf.nn.atrous_conv2d(x, k, 2, 'SAME'),
          tf.nn.max_pool(x, 2, 2, 'SAME'), tf.nn.avg_pool(x, 2, 2, 'VALID'), tf.nn.max_pool3d(v, 2, 2, 'SAME'), tf.nn.avg_pool3d(v, 2, 2, 'SAME'),
          tf.nn.dilation2d(x, k[..., 0], [1, 1, 1, 1], [1, 1, 1, 1], 'SAME'), tf.nn.lrn(x), tf.nn.fractional_max_pool(x, [1., 1.4, 1.4, 1.], seed=1)[0]]
    tf.gradients(ys, [x, v, k, d, p, t, w])


def grads_activations():
    x = tf.placeholder(tf.float32, [None, 4], name='x')
    ys = [tf.nn.elu(x), tf.nn.selu(x), tf.nn.leaky_relu(x), tf.nn.crelu(x), tf.nn.softsign(x), tf.nn.softplus(x), tf.nn.swish(x), tf.nn.relu6(x), tf.nn.dropout(x, rate=.3, seed=1),
          tf.nn.log_softmax(x), tf.sigmoid(x), tf.tanh(x), tf.nn.bias_add(x, tf.ones([4])), tf.nn.softmax_cross_entropy_with_logits(labels=x, logits=x), tf.nn.log_poisson_loss(x, x), tf.nn.in_top_k(x, [0], 1)]
    ys.pop()
    tf.gradients(ys, x)


def flow_cond_variables():
    g = tf.train.get_or_create_global_step()
    v = tf.get_variable('v', [2])
    p = tf.placeholder(tf.bool, [], name='p')
    y = tf.cond(p, lambda: tf.assign_add(v, [1., 1.]), lambda: tf.identity(v))
    with tf.control_dependencies([y]):
        tf.train.GradientDescentOptimizer(.1).minimize(tf.nn.l2_loss(v), g)
    tf.cond(tf.equal(g % 10, 0), lambda: g.assign_add(1).op, lambda: tf.no_op())
    return tf.train.Saver()


def flow_cond_dicts():
    x = tf.placeholder(tf.float32, [2], name='x')
    r = tf.cond(x[0] > 0., lambda: {'a': x, 'b': (x * 2., x * 3.)}, lambda: {'a': x * x, 'b': (x, x)})
    tf.gradients([r['a'], r['b'][1]], x)


def flow_while_dict():
    x = tf.placeholder(tf.float32, [2], name='x')
    r = tf.while_loop(lambda s: s['i'] < 3, lambda s: ({'i': s['i'] + 1, 'h': s['h'] * x},), [{'i': 0, 'h': x}])
    tf.gradients(r['h'] if isinstance(r, dict) else r[0]['h'], x)


def flow_while_three():
    x = tf.placeholder(tf.float32, [None, 3], name='x')
    w = tf.get_variable('w', [3, 3])

    def body(i, h, acc):
        h = tf.tanh(tf.matmul(h, w) + x)
        return i + 1, h, acc + tf.reduce_sum(h, 1)
    i, h, acc = tf.while_loop(lambda i, *_: i < 5, body, [tf.constant(0), tf.zeros_like(x), tf.zeros([tf.shape(x)[0]])],
                              shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 3]), tf.TensorShape([None])])
    tf.train.AdamOptimizer().minimize(tf.reduce_mean(acc))


def flow_while_ta():
    x = tf.placeholder(tf.float32, [5, 3], name='x')
    ta = tf.TensorArray(tf.float32, 5, clear_after_read=False).unstack(x)
    out = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    _, out, s = tf.while_loop(lambda i, *_: i < 5, lambda i, o, s: (i + 1, o.write(i, s), s + ta.read(i)), [0, out, tf.zeros([3])])
    tf.gradients([out.stack(), s], x)


def flow_ta_rest():
    x = tf.placeholder(tf.float32, [6, 2], name='x')
    a = tf.TensorArray(tf.float32, 3, infer_shape=False).split(x, [1, 2, 3])
    b = tf.TensorArray(tf.float32, 6).scatter([0, 1, 2, 3, 4, 5], x)
    tf.gradients([a.concat(), b.gather([1, 3])], x)


def flow_switch_merge():
    x = tf.placeholder(tf.float32, [2], name='x')
    from tensorflow.python.ops import control_flow_ops as c
    f, t = c.switch(x, x[0] > 0.)
    y, i = c.merge([f * 2., t * 3.])
    tf.gradients(y, x)


def flow_group_tuple():
    x = tf.placeholder(tf.float32, [2], name='x')
    v = tf.get_variable('v', [2])
    a, b = tf.tuple([x * 2., v * 3.], control_inputs=[v.initializer])
    tf.group(a, b, v.assign(x), name='all')
    tf.gradients(a + b, [x, v])
    with tf.control_dependencies([a]):
        with tf.control_dependencies(None):
            tf.identity(b)


def flow_assert_debug():
    x = tf.placeholder(tf.float32, [2], name='x')
    with tf.control_dependencies([tf.assert_positive(x), tf.assert_less(x, 3.), tf.Assert(x[0] > 0., [x])]):
        y = tf.Print(tf.log(x), [x], 'x')
    tf.gradients(y, x)


def flow_scan_multi():
    x = tf.placeholder(tf.float32, [5, 2], name='x')
    a, b = tf.scan(lambda s, v: (s[0] + v, s[1] * v), x, (tf.zeros([2]), tf.ones([2])))
    tf.gradients([a, b], x)


def flow_map_dtype():
    x = tf.placeholder(tf.float32, [None, 2], name='x')
    i = tf.map_fn(lambda v: tf.cast(v[0], tf.int32), x, dtype=tf.int32, parallel_iterations=2, back_prop=False)
    y = tf.map_fn(lambda p: p[0] * tf.cast(p[1], tf.float32), (x, i), dtype=tf.float32, infer_shape=False)
    tf.gradients(y, x)


def flow_raw_rnn():
    x = tf.placeholder(tf.float32, [4, 2, 3], name='x')
    ta = tf.TensorArray(tf.float32, 4).unstack(x)
    cell = tf.nn.rnn_cell.BasicRNNCell(5)

    def loop(time, out, state, _):
        fin = time >= 4
        nxt = tf.cond(tf.reduce_all(fin), lambda: tf.zeros([2, 3]), lambda: ta.read(time))
        return (tf.fill([2], fin), nxt, cell.zero_state(2, tf.float32) if out is None else state, out, None)
    o, s, _ = tf.nn.raw_rnn(cell, loop)
    tf.gradients(o.stack(), x)

def bn_second_training():
    x = tf.placeholder(tf.float32, [2, 8, 8, 3], name='x')
    h = tf.layers.batch_normalization(x, training=True)
    g = tf.gradients(h * h, x)[0]
    tf.gradients(tf.reduce_sum(g * g), [x] + tf.trainable_variables(), name='second')


def bn_second_frozen():
    x = tf.placeholder(tf.float32, [2, 8, 8, 3], name='x')
    h = tf.layers.batch_normalization(x, training=False)
    g = tf.gradients(h * h, x)[0]
    tf.gradients(tf.reduce_sum(g * g), [x] + tf.trainable_variables(), name='second')


def bn_second_unknown():
    x = tf.placeholder(tf.float32, [None, None, None, 3], name='x')
    h = tf.layers.batch_normalization(x, training=True)
    g = tf.gradients(h * h, x)[0]
    tf.gradients(tf.reduce_sum(g * g), [x] + tf.trainable_variables(), name='second')


def bn_second_nchw():
    x = tf.placeholder(tf.float32, [2, 3, 8, 8], name='x')
    h = tf.layers.batch_normalization(x, axis=1, training=True)
    g = tf.gradients(h * h, x)[0]
    tf.gradients(tf.reduce_sum(g * g), [x] + tf.trainable_variables(), name='second')


def bn_gradient_penalty():
    def critic(x):
        with tf.variable_scope('critic', reuse=tf.AUTO_REUSE):
            h = tf.layers.conv2d(x, 4, 3, 2, 'same', name='c')
            h = tf.nn.leaky_relu(tf.layers.batch_normalization(h, training=True, name='bn'))
            return tf.layers.dense(tf.layers.flatten(h), 1, name='d')
    x = tf.placeholder(tf.float32, [4, 8, 8, 3], name='x')
    g = tf.gradients(critic(x), [x])[0]
    loss = tf.reduce_mean(tf.square(tf.sqrt(tf.reduce_sum(tf.square(g), [1, 2, 3])) - 1.))
    tf.train.AdamOptimizer(1e-4, .5, .9).minimize(loss)

def patches_known():
    x = tf.placeholder(tf.float32, [2, 6, 6, 3], name='x')
    y = tf.extract_image_patches(x, [1, 2, 3, 1], [1, 2, 1, 1], [1, 1, 1, 1], 'SAME')
    tf.gradients(y * y, x)


def patches_unknown():
    x = tf.placeholder(tf.float32, [None, None, 6, 3], name='x')
    y = tf.extract_image_patches(x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 2, 2, 1], 'VALID')
    tf.gradients(y * y, x)
