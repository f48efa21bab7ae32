import numpy as np
import tensorflow as tf
a = tf.constant([1., 2.]); v = tf.Variable(a, name='v'); s = tf.Session()
for x in [a, v, s, a.op, a.graph, a.shape, a.dtype, a.shape[0], tf.get_variable('r', [1], use_resource=True), tf.train.AdamOptimizer(), tf.train.Saver([v]), tf.nn.rnn_cell.GRUCell(3), tf.zeros_initializer(),
          tf.FIFOQueue(2, tf.float32), tf.SparseTensor([[0]], [1], [1]), tf.TensorArray(tf.float32, 2), tf.layers.Dense(3), tf.get_variable_scope(), tf.train.Coordinator(), tf.errors.NotFoundError(None, None, 'x')]:
    print(type(x))
print(isinstance(v, tf.Variable), isinstance(a, tf.Tensor), issubclass(tf.Session, object), tf.is_tensor(a))
print(s.run(v.initializer), s.run(v), s.graph is a.graph, s.graph_def.node[0].name)
print(tf.layers.Dense(3), ) if False else print(tf.layers.Dense(3).name, tf.layers.Dense(3, name='q').name)
d = tf.layers.Dense(4, activation=tf.nn.relu, name='mine')
y = d(tf.ones([2, 3]))
print(y, d.kernel, d.bias, d.units, d.weights, d.trainable_weights, d.built, d.count_params(), d.variables == d.weights)
print(d(tf.ones([5, 3])), d.losses, d.updates, d.scope_name)
c = tf.layers.Conv2D(3, 2, name='cc'); print(c(tf.ones([1, 4, 4, 2])), c.kernel.shape, c.kernel_size, c.strides, c.padding)
b = tf.layers.BatchNormalization(name='bb'); print(b(tf.ones([2, 3]), training=True), b.updates, b.moving_mean, b.gamma)
print(tf.global_variables(), tf.trainable_variables('mine'), tf.local_variables(), tf.model_variables(), tf.moving_average_variables())
print(tf.get_collection('trainable_variables', 'cc'), tf.get_collection(tf.GraphKeys.UPDATE_OPS))
print([n for n in (v.assign(a), v.assign_add(a), v.assign_sub(a))], v.initialized_value(), tf.is_variable_initialized(v), v.read_value(), v.count_up_to if False else '', v.eval(s))
print(v[0], v[0:1], len(v.shape), v.get_shape(), v.constraint, v.trainable, v.op.type, v.dtype.base_dtype, v.initial_value)
print(np.asarray(s.run(a)) + 1, s.run([a, [v, (a,)]]), s.run({'a': a}), s.run((a, v)), s.run([]), s.run(a.op), s.run('Const:0'), s.run(['v:0', 'v/read']))
import collections
P = collections.namedtuple('P', 'x y')
print(s.run(P(a, v)), s.run(collections.OrderedDict([('z', a), ('b', v)])))
print(s.run(a, feed_dict={a: [5., 6.]}), s.run(a * 2, {'Const:0': np.array([1, 2])}), s.run(v * 1, {v: [9., 9.]}))
print(s.run(tf.shape(a)), s.run(tf.rank(a)), s.run(tf.size(a)), s.run(a[0]), type(s.run(a[0])), s.run(tf.constant('x')), s.run(tf.constant(['x', 'yy'])), s.run(tf.constant(True)), type(s.run(tf.constant(True))), s.run(tf.constant([True])))
print(s.run(tf.constant(1, tf.int64)), repr(s.run(tf.constant(1, tf.int64))), repr(s.run(tf.constant(1.5, tf.float64))), repr(s.run(tf.constant(1j))), repr(s.run(tf.zeros([0, 2]))), repr(s.run(tf.constant([[1, 2]], tf.uint8))))
call = s.make_callable(a * 3); print(call())
call = s.make_callable([a * 3], feed_list=[a]); print(call(np.array([1., 1.], np.float32)))
print(s.list_devices() is not None, s.partial_run_setup is not None)
s.close()
with tf.Session() as s2:
    print(tf.get_default_session() is s2)
print(tf.get_default_session())
i = tf.InteractiveSession(); print(a.eval(), v.initializer.run(), v.eval(), tf.get_default_session() is i); i.close()
