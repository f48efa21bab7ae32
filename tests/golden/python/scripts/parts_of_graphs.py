import tensorflow as tf, numpy as np
from tensorflow.contrib import graph_editor as ge
tf.set_random_seed(0)
x = tf.placeholder(tf.float32, [None, 2], name='x')
with tf.variable_scope('net'):
    h = tf.layers.dense(x, 3, activation=tf.nn.relu, name='one', kernel_initializer=tf.constant_initializer(0.5))
    y = tf.layers.dense(h, 1, name='two', kernel_initializer=tf.constant_initializer(0.25))
sgv = ge.sgv_scope('net', graph=tf.get_default_graph())
print([t.name for t in sgv.inputs], [t.name for t in sgv.outputs])
ops = ge.select_ops('^net/one/.*', graph=tf.get_default_graph())
print([o.name for o in ops][:5], len(ops))
print([t.name for t in ge.select_ts('^net/two/.*', graph=tf.get_default_graph())][:4])
new_x = tf.placeholder(tf.float32, [None, 2], name='new_x')
copy, info = ge.copy_with_input_replacements(sgv, {x: new_x}, dst_scope='copy')
print(info.transformed(y).name, info.original(info.transformed(h)).name)
print([v.name for v in tf.global_variables()])
ty = info.transformed(y)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    print(s.run(y, {x: [[1., 2.]]}))
    try:
        print(s.run(ty, {new_x: [[1., 2.]]}))
    except tf.errors.FailedPreconditionError as e:
        # Of several the one is named that is begun first, and rewriting a graph changes that.
        print(e.message.splitlines()[0].split(" copy/")[0])
print(sorted(o.name for o in ge.get_backward_walk_ops([y], inclusive=True)))
print(sorted(o.name for o in ge.get_walks_intersection_ops([x], [h])))
print([o.name for o in ge.filter_ops(tf.get_default_graph(), lambda op: op.type == 'MatMul')])
print([o.name for o in ge.get_forward_walk_ops(x.op)][:3])
ge.swap_ts(x, new_x) if False else None
g = tf.Graph()
with g.as_default():
    a = tf.constant([1., 2.], name='a'); b = tf.constant([3., 4.], name='b')
    c = tf.add(a, b, name='c'); d = tf.multiply(c, 2., name='d')
    ge.reroute_ts([b], [a], can_modify=[c.op])
    print(c.op.node_def.input)
    ge.connect(ge.sgv(a.op), ge.sgv(d.op), disconnect_first=True) if False else None
    with tf.Session() as s: print(s.run(d))
    ph = ge.make_placeholder_from_tensor(a, scope='ph'); print(ph.name, ph.shape)
    ins, outs = ge.compute_boundary_ts([c.op, d.op])[:2]
    print([t.name for t in ins], [t.name for t in outs])
    ge.detach(ge.sgv(d.op)); print(d.op.node_def.input)
