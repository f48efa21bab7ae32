# snippets_functional.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Control flow of version 2 and its gradients; oracle/record_snippets.py records what TensorFlow 1.15.5 makes of each."""

import tensorflow.compat.v1 as tf


def v2_cond_simple():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    y = tf.cond(tf.reduce_sum(x) > 0., lambda: x * 2., lambda: x - 1.)
    tf.gradients(y, x)


def v2_cond_intermediates():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    w = tf.placeholder(tf.float32, [None], name='w')
    y = tf.cond(tf.reduce_sum(x) > 0., lambda: tf.tanh(tf.exp(x) * w), lambda: tf.sigmoid(x))
    tf.gradients(y, [x, w])


def v2_cond_var():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2, 3], name='x')
    v = tf.get_variable('v', [3, 4])
    y = tf.cond(tf.reduce_sum(x) > 0., lambda: tf.matmul(x, v), lambda: tf.zeros([2, 4]))
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y))


def v2_cond_resvar():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2, 3], name='x')
    v = tf.get_variable('v', [3, 4], use_resource=True)
    y = tf.cond(tf.reduce_sum(x) > 0., lambda: tf.matmul(x, v), lambda: tf.zeros([2, 4]))
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y))


def v2_cond_two_outputs():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    a, b = tf.cond(tf.reduce_sum(x) > 0., lambda: (x * 2., tf.square(x)), lambda: (x - 1., x + 1.))
    tf.gradients(a * b, x)


def v2_cond_nested():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    p = tf.placeholder(tf.bool, [], name='p')
    y = tf.cond(tf.reduce_sum(x) > 0., lambda: tf.cond(p, lambda: tf.exp(x), lambda: x * x), lambda: x - 1.)
    tf.gradients(y, x)


def v2_cond_gather():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [5, 2], name='x')
    p = tf.placeholder(tf.bool, [], name='p')
    y = tf.cond(p, lambda: tf.gather(x, [0, 2]), lambda: x[:2] * 3.)
    tf.gradients(y, x)


def v2_cond_second():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    p = tf.placeholder(tf.bool, [], name='p')
    y = tf.cond(p, lambda: tf.exp(x), lambda: x * x)
    g, = tf.gradients(y, x)
    tf.gradients(g, x)


def v2_cond_assign():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    v = tf.get_variable('v', [2], use_resource=True)
    p = tf.placeholder(tf.bool, [], name='p')
    tf.cond(p, lambda: v.assign(x), lambda: v.assign_add(x))


def v2_cond_ops():
    tf.enable_control_flow_v2()
    v = tf.get_variable('v', [2], use_resource=True)
    p = tf.placeholder(tf.bool, [], name='p')
    tf.cond(p, lambda: v.assign([1., 2.]).op, lambda: tf.no_op())


def v2_while_simple():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, h * x), [0, x])
    tf.gradients(z, x)


def v2_while_max():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, tf.tanh(h * 2.)), [0, x], maximum_iterations=7)
    tf.gradients(z, x)


def v2_while_one_var():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [], name='x')
    z = tf.while_loop(lambda h: h < 3., lambda h: h * h, [x])
    tf.gradients(z, x)


def v2_while_var():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2, 3], name='x')
    v = tf.get_variable('v', [3, 3])
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, tf.nn.relu(tf.matmul(h, v))), [0, x])
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(z))


def v2_while_resvar():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2, 3], name='x')
    v = tf.get_variable('v', [3, 3], use_resource=True)
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, tf.nn.relu(tf.matmul(h, v))), [0, x])
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(z))


def v2_while_nested():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')

    def body(i, h):
        _, g = tf.while_loop(lambda j, g: j < 2, lambda j, g: (j + 1, g * x), [0, h])
        return i + 1, tf.sin(g)
    _, z = tf.while_loop(lambda i, h: i < 3, body, [0, x])
    tf.gradients(z, x)


def v2_while_cond():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    _, z = tf.while_loop(lambda i, h: i < 3,
                         lambda i, h: (i + 1, tf.cond(tf.reduce_sum(h) > 1., lambda: tf.exp(h), lambda: h * x)), [0, x])
    tf.gradients(z, x)


def v2_cond_while():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    p = tf.placeholder(tf.bool, [], name='p')
    y = tf.cond(p, lambda: tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, h * x), [0, x])[1], lambda: x)
    tf.gradients(y, x)


def v2_while_shapes():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [None, 2], name='x')
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, tf.concat([h, x], 0)), [0, x],
                         shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])])
    tf.gradients(z, x)


def v2_while_second():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, h * x), [0, x])
    g, = tf.gradients(z, x)
    tf.gradients(g, x)


def v2_switch_case():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    i = tf.placeholder(tf.int32, [], name='i')
    y = tf.switch_case(i, [lambda: x * 2., lambda: tf.exp(x), lambda: x - 1.])
    tf.gradients(y, x)


def v2_case():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [], name='x')
    y = tf.case([(x > 1., lambda: x * x), (x > 0., lambda: tf.exp(x))], default=lambda: x)
    tf.gradients(y, x)


def v2_map_fn():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [4, 2], name='x')
    y = tf.map_fn(lambda v: v * v, x)
    tf.gradients(y, x)


def v2_scan():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [4, 2], name='x')
    y = tf.scan(lambda a, v: a * v, x)
    tf.gradients(y, x)


def v2_foldl():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [4, 2], name='x')
    tf.gradients(tf.foldl(lambda a, v: a * v, x), x)


def v2_dynamic_rnn():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [None, 5, 3], name='x')
    cell = tf.nn.rnn_cell.BasicRNNCell(4)
    out, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(state))


def v2_while_tensor_array():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    ta = tf.TensorArray(tf.float32, 3)
    _, ta = tf.while_loop(lambda i, ta: i < 3, lambda i, ta: (i + 1, ta.write(i, x * tf.cast(i, tf.float32))), [0, ta])
    tf.gradients(ta.stack(), x)


def v2_while_stop():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, h * tf.stop_gradient(x)), [0, x])
    tf.gradients(z, x)

def v1_while_gather():
    x = tf.placeholder(tf.float32, [5, 2], name='x')
    v = tf.get_variable('v', [5, 3])
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (
        i + 1, h + tf.reduce_sum(tf.gather(v, [i, 1]) * tf.cast(i, tf.float32))), [0, tf.reduce_sum(x)])
    tf.gradients(z, [x, v])


def v1_while_gather_res():
    x = tf.placeholder(tf.float32, [5, 2], name='x')
    v = tf.get_variable('v', [5, 3], use_resource=True)
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (
        i + 1, h + tf.reduce_sum(tf.gather(v, [i, 1]) * tf.cast(i, tf.float32))), [0, tf.reduce_sum(x)])
    tf.gradients(z, [x, v])


def v2_while_gather_res():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [5, 2], name='x')
    v = tf.get_variable('v', [5, 3], use_resource=True)
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (
        i + 1, h + tf.reduce_sum(tf.gather(v, [i, 1]) * tf.cast(i, tf.float32))), [0, tf.reduce_sum(x)])
    tf.gradients(z, [x, v])


def v2_while_gather():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [5, 2], name='x')
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (
        i + 1, h + tf.reduce_sum(tf.gather(x, [i, 1]) * tf.cast(i, tf.float32))), [0, tf.reduce_sum(x)])
    tf.gradients(z, [x])


def v2_cond_gather_both():
    tf.enable_control_flow_v2()
    p = tf.placeholder(tf.bool, [], name='p')
    v = tf.get_variable('v', [5, 3], use_resource=True)
    y = tf.cond(p, lambda: tf.gather(v, [0, 2]), lambda: tf.gather(v, tf.constant([1, 3], tf.int64)))
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(y))


def v2_cond_pred_constant():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    y = tf.cond(tf.constant(True), lambda: x * 2., lambda: tf.ones_like(x))
    tf.gradients(y, x, grad_ys=tf.fill([2], 3.))


def v2_cond_of_rows():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [5, 2], name='x')
    p = tf.placeholder(tf.bool, [], name='p')
    y = tf.cond(p, lambda: x * 2., lambda: tf.exp(x))
    tf.gradients(tf.gather(y, [1, 2]), x)


def v2_names_and_scopes():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    with tf.name_scope('outer'):
        y = tf.cond(x[0] > 0., lambda: x * 2., lambda: x, name='pick')
        z = tf.while_loop(lambda h: tf.reduce_sum(h) < 10., lambda h: h * 2. + y, [y], name='loop')
    with tf.name_scope('g'):
        tf.gradients([y, z], x, name='mine')


def v2_while_tuple_structure():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    r = tf.while_loop(lambda s: s[0] < 3, lambda s: ((s[0] + 1, s[1] * x),), [(0, x)])
    tf.gradients(r[1] if isinstance(r, tuple) else r[0][1], x)


def v2_while_control_deps():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    a = tf.Assert(tf.reduce_all(x > 0.), [x])
    with tf.control_dependencies([a]):
        y = tf.cond(x[0] > 1., lambda: x * 2., lambda: tf.sqrt(x))
    tf.gradients(y, x)


def v2_while_side_effect():
    tf.enable_control_flow_v2()
    v = tf.get_variable('v', [2], use_resource=True)

    def body(i):
        with tf.control_dependencies([v.assign_add([1., 2.])]):
            return i + 1
    tf.while_loop(lambda i: i < 3, body, [0])


def v2_while_random():
    tf.enable_control_flow_v2()
    tf.set_random_seed(3)
    x = tf.placeholder(tf.float32, [2], name='x')
    _, z = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, h * tf.random_uniform([2])), [0, x])
    tf.gradients(z, x)


def v2_dropout_switched():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [4, 6], name='x')
    train = tf.placeholder_with_default(False, [], name='train')
    h = tf.layers.dense(x, 5, activation=tf.nn.relu)
    h = tf.layers.dropout(h, 0.4, training=train)
    y = tf.layers.dense(h, 1)
    tf.train.AdamOptimizer(0.01).minimize(tf.reduce_mean(tf.square(y)))


def v2_bn_switched():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [4, 5, 5, 3], name='x')
    train = tf.placeholder_with_default(False, [], name='train')
    h = tf.layers.batch_normalization(x, training=train)
    tf.train.MomentumOptimizer(0.01, 0.9).minimize(tf.reduce_mean(tf.square(h)))


def v2_piecewise_clip():
    tf.enable_control_flow_v2()
    step = tf.train.get_or_create_global_step()
    lr = tf.train.piecewise_constant(step, [10, 20], [0.1, 0.05, 0.01])
    v = tf.get_variable('v', [3])
    opt = tf.train.AdamOptimizer(lr)
    gv = opt.compute_gradients(tf.reduce_sum(v * v))
    gs, _ = tf.clip_by_global_norm([g for g, _ in gv], 5.)
    opt.apply_gradients(zip(gs, [v for _, v in gv]), global_step=step)


def v2_static_rnn_lengths():
    tf.enable_control_flow_v2()
    x = [tf.placeholder(tf.float32, [2, 3]) for _ in range(3)]
    n = tf.placeholder(tf.int32, [2])
    cell = tf.nn.rnn_cell.GRUCell(4)
    out, state = tf.nn.static_rnn(cell, x, sequence_length=n, dtype=tf.float32)
    tf.gradients(state, x)


def v2_dynamic_lstm_lengths():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [None, 5, 3], name='x')
    n = tf.placeholder(tf.int32, [None], name='n')
    cell = tf.nn.rnn_cell.BasicLSTMCell(4)
    out, state = tf.nn.dynamic_rnn(cell, x, sequence_length=n, dtype=tf.float32)
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(state.h))


def v2_case_exclusive():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [], name='x')
    y = tf.case({x > 1.: lambda: x * x, x < 0.: lambda: tf.exp(x)}, default=lambda: x, exclusive=True)
    tf.gradients(y, x)


def v2_switch_default():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')
    i = tf.placeholder(tf.int32, [], name='i')
    y = tf.switch_case(i, {1: lambda: x * 2., 0: lambda: tf.exp(x)}, default=lambda: tf.sqrt(x), name='pick')
    tf.gradients(y, x)


def v2_hessian_in_cond():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [2], name='x')

    def inside():
        return tf.gradients(x * x * x, x)[0]
    tf.cond(x[0] > 0., inside, lambda: x)


def v2_map_fn_two():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [None, 2], name='x')
    a, b = tf.map_fn(lambda v: (v * 2., tf.reduce_sum(v)), x, dtype=(tf.float32, tf.float32))
    tf.gradients([a, b], x)


def v2_tensor_array_ops():
    tf.enable_control_flow_v2()
    x = tf.placeholder(tf.float32, [6, 2], name='x')
    ta = tf.TensorArray(tf.float32, 3, dynamic_size=True, element_shape=[None, 2])
    ta = ta.split(x, [1, 2, 3])
    y = ta.concat()
    tb = tf.TensorArray(tf.float32, 6).unstack(x)
    z = tb.gather([0, 3]) + tb.read(2)
    tc = tf.TensorArray(tf.float32, 4, element_shape=[2]).scatter([0, 2], z)
    w = tc.stack()
    tc.size()
    tc.close()
    tb.identity()
    ta.write(4, x[:2])
    tf.gradients([y, w], x)


def v2_imported():
    """Branches and bodies that came from a file."""
    tf.enable_control_flow_v2()
    with tf.Graph().as_default() as inner:
        x = tf.placeholder(tf.float32, [2], name='x')
        i = tf.placeholder(tf.int32, [], name='i')
        y = tf.switch_case(i, [lambda: x * 2., lambda: tf.exp(x)])
        z = tf.cond(i > 0, lambda: y * y, lambda: y)
        tf.while_loop(lambda n, v: n < i, lambda n, v: (n + 1, v * 2.), [0, z])[1] + tf.constant(1., name='one')
    definition = inner.as_graph_def()
    tf.import_graph_def(definition, name='')
    graph = tf.get_default_graph()
    tf.gradients(graph.get_tensor_by_name('add:0'), graph.get_tensor_by_name('x:0'))
