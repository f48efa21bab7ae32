"""Variables, races between assignments, lazy loading, initialisation orders."""
import numpy as np
import tensorflow as tf
W = tf.Variable(10, name='W'); assign_op = W.assign(100)
with tf.Session() as sess:
    sess.run(W.initializer); print(W.eval()); sess.run(assign_op); print(W.eval())
two = tf.Variable(2, name='two'); dbl = two.assign(2 * two)
with tf.Session() as sess:
    sess.run(two.initializer); print([sess.run(dbl) for _ in range(3)], sess.run(two))
    print(sess.run([two.assign_add(10), ]), sess.run(two.assign_sub(2)))
s1, s2 = tf.Session(), tf.Session(); sess1 = [s.run(W.initializer) for s in (s1, s2)]
print(s1.run(W.assign_add(10)), s2.run(W.assign_sub(2)), s1.run(W.assign_add(100)), s2.run(W.assign_sub(50)))
U = tf.Variable(W.initialized_value() * 2); print(U.initial_value)
with tf.Session() as sess:
    sess.run(U.initializer) if False else sess.run(tf.global_variables_initializer()); print(sess.run(U), sess.run(tf.report_uninitialized_variables()))
g = tf.get_default_graph(); x = tf.Variable(10, name='x'); y = tf.Variable(20, name='y'); before = len(g.get_operations())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(5):
        sess.run(tf.add(x, y))
print(len(g.get_operations()) - before, [o.name for o in g.get_operations() if o.type.startswith('Add')][-3:])
a, b, c = tf.constant(5, name='a'), tf.constant(3, name='b'), None
with g.control_dependencies([x.assign(7)]):
    r1 = x.read_value(); r2 = tf.identity(x); r3 = x + 0; r4 = x.value()
w = tf.Variable(1., name='w'); up = w.assign_add(1.); down = w.assign(w * 10.)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([r1, r2, r3, r4]), sess.run(x))
    print(sess.run(up), sess.run([up, w]), sess.run([w, up]), sess.run(w), sess.run(down), sess.run((down, w)), sess.run(w + 0.))
    print(sess.run([w.read_value()]), sess.run(tf.assign(w, 3., name='set')), w.eval(), sess.run(w.initializer), sess.run(w))
    w.load(42., sess); print(sess.run(w))
    m = tf.Variable(tf.zeros([3, 2]), name='m'); sess.run(m.initializer)
    print(sess.run(tf.scatter_update(m, [0, 2], [[1., 1.], [2., 2.]])), sess.run(tf.scatter_add(m, [0, 0], [[1., 1.], [2., 2.]])), sess.run(m[1].assign([7., 8.])), sess.run(m[:, 0]), sess.run(tf.scatter_nd_update(m, [[1, 0]], [5.])), sess.run(tf.count_up_to(tf.Variable(1, name='cnt'), 2)) if False else '')
    print(sess.run(tf.assign(m, tf.ones([2, 2]), validate_shape=False)), sess.run(m).shape, m.shape)
    try:
        sess.run(m + tf.ones([3, 2]))
    except tf.errors.InvalidArgumentError as e:
        print(e.message.split('\n')[0])
k = tf.Variable(0, name='k'); lim = k.count_up_to(2) if hasattr(k, 'count_up_to') else tf.count_up_to(k, 2)
with tf.Session() as sess:
    sess.run(k.initializer)
    try:
        while True:
            print(sess.run(lim))
    except tf.errors.OutOfRangeError as e:
        print(e.message.split('\n')[0])
rv = tf.get_variable('rv', initializer=[1., 2.], use_resource=True)
with tf.Session() as sess:
    sess.run(rv.initializer)
    print(sess.run(rv), sess.run([rv.assign_add([1., 1.])]), sess.run(rv), sess.run([rv.assign([5., 5.])]), sess.run(rv.read_value()), sess.run(tf.scatter_sub(rv, [0], [1.])), rv, rv.handle, rv.dtype, sess.run(rv[0]), sess.run(rv.sparse_read([1])))
const = tf.constant([1.0, 2.0], name='my_const')
print(tf.get_default_graph().as_graph_def().node[0].name, [n.name for n in g.as_graph_def().node if n.name == 'my_const'])
e = tf.placeholder(tf.float32, shape=[3]); f = e + tf.constant([5, 5, 5], tf.float32)
with tf.Session() as sess:
    print(sess.run(f, {e: [1, 2, 3]}), [sess.run(f, {e: v}) for v in ([1, 1, 1], np.zeros(3))], sess.run(tf.multiply(tf.add(2, 5), 3), feed_dict={}), tf.get_default_graph().is_feedable(f), sess.run(f * 1, {f: [0., 0., 0.]}))
