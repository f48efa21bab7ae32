# What an export must say for TensorFlow to take it: ops' definitions, attrs and shapes of 1.15.5; locks that nobody consumes.
import numpy as np
import tensorflow as tf

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)


def told(op):
    print(op.type, [str(t.shape) for t in op.outputs], sorted(op.node_def.attr))


handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[2])
told(handle.op)
print([attr.name for attr in handle.op.op_def.attr])
told(tf.raw_ops.AssignVariableOp(resource=handle, value=[1., 2.]))
told(tf.ConditionalAccumulator(tf.float32, shape=[2]).accumulator_ref.op)
told(tf.SparseConditionalAccumulator(tf.float32).accumulator_ref.op)
told(tf.raw_ops.ConditionalAccumulator(dtype=tf.float32, shape=[]).op)
told(tf.sparse.segment_sum([[1.], [2.]], [0, 1], [0, 0]).op)
a = tf.constant([1., 2.])
v = tf.Variable(a)
tf.assign_add(v, tf.add_n([a, a]) + a)
tf.split(tf.strings.join(['a', ['b', 'c']]), 2)
tf.FIFOQueue(3, [tf.float32]).dequeue()
tf.map_fn(lambda x: x * 2., a)
tf.contrib.lookup.index_table_from_file(tf.constant('words'))
tf.summary.image('picture', tf.zeros([1, 2, 2, 3]))
tf.nn.max_pool_with_argmax(tf.zeros([1, 2, 2, 3]), [1, 2, 2, 1], [1, 2, 2, 1], 'VALID')
tf.print('told')
info = tf.train.export_meta_graph().meta_info_def
print(info.stripped_op_list)

# The same graph again, out of what was written.
meta = tf.train.export_meta_graph()
tf.reset_default_graph()
tf.train.import_meta_graph(meta)
print(tf.train.export_meta_graph().meta_info_def.stripped_op_list == info.stripped_op_list)

# A lock whose section is not run to its end is free again: in the run where nothing reads it, else after the run.
tf.reset_default_graph()
section = tf.CriticalSection(name='section')
v = tf.get_variable('v', initializer=0., use_resource=True)
count = section.execute(lambda: v.assign_add(1., read_value=True), name='count')
lock = tf.get_default_graph().get_operation_by_name('count/MutexLock')
mutex = lock.inputs[0]
second = tf.raw_ops.MutexLock(mutex=mutex)
with tf.control_dependencies([lock, second.op]):
    both = tf.constant(3.)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(both), sess.run(both), sess.run(count), sess.run(both), sess.run(count))
    failing = section.execute(lambda: tf.reshape(v, tf.fill([tf.cast(v, tf.int32) * 0 + 1], 2)), name='failing')
    for _ in range(2):
        try:
            sess.run(failing)
        except tf.errors.InvalidArgumentError as e:
            print(e.message.split('\n')[0])
    print(sess.run(count))

# What a run gives belongs to the script: it may write to it, and nothing of the engine changes.
tf.reset_default_graph()
c, v = tf.constant([1., -2.]), tf.Variable([1., -2.])
r = tf.get_variable('r', initializer=[1., -2.], use_resource=True)
p = tf.placeholder(tf.float32, [2])


def clipped(x, y):
    x[x < 0] = 0
    y[0] = 9
    return x


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for tensor in (c, v, r, tf.identity(v), tf.identity(p), c * 2., tf.reshape(c, [1, 2]), tf.shape(c), tf.assign(v, c),
                   tf.constant(['a', 'b']), tf.py_func(clipped, [c, v], tf.float32)):
        for _ in range(2):
            value = sess.run(tensor, {p: [1., -2.]})
            print(value.tolist(), value.flags.writeable)
            value[...] = 77
    fed = np.ones(2, np.float32)
    value = sess.run(p, {p: fed})
    value[0] = 5
    print(fed, value is fed, tf.get_static_value(c).flags.writeable)
flat = tf.placeholder(tf.float32, [None])
print(tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.zeros_like(flat), logits=flat).shape)
