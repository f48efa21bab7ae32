"""Tensors that stay in a session, float operations told op by op, queue runners and sessions: what each gives and refuses."""
import tensorflow as tf
from tensorflow.python.framework import ops


def told(function, *arguments, **keywords):
    try:
        print('  no error: %s' % (function(*arguments, **keywords),))
    except Exception as error:
        text = error.message if isinstance(error, tf.errors.OpError) else str(error)
        print('  %s: %s' % (type(error).__name__, text.split('\n')[0]))


def case(title):
    tf.reset_default_graph()
    print('== ' + title)


case('a handle')
a = tf.constant([1., 2.], name='a')
kept = tf.get_session_handle(a * 2., name='kept')
x = tf.placeholder(tf.float32, [2], name='x')
plus = x + 1.
with tf.Session() as sess:
    handle = sess.run(kept)
    print('  %s %s %s' % (type(handle).__name__, handle.eval().tolist(), str(handle) == handle.handle))
    holder, again = tf.get_session_tensor(handle.handle, tf.float32)
    print('  %s %s' % (holder.name, again.name))
    print('  %s %s' % (sess.run(again + 1., {holder: handle.handle}).tolist(), sess.run(plus, {x: handle}).tolist()))
    handle.delete()
    told(lambda: str(handle.eval()).split(' may')[0] and None)
    deleter = tf.delete_session_tensor(handle.handle)
    print('  %s %s' % (deleter[0].name, deleter[1].type))
told(tf.get_session_handle, 3)

case('float operations')
volume = tf.layers.conv3d(tf.zeros([1, 4, 4, 4, 2]), 3, 2, name='volume')
unknown = tf.layers.dense(tf.placeholder(tf.float32, [None, 3]), 2, name='unknown')
graph = tf.get_default_graph()


def cost(op, kind='flops'):
    return ops.get_stats_for_node_def(graph, op.node_def, kind).value


told(lambda: [cost(op) for op in [volume.op, volume.op.inputs[0].op, graph.get_operations()[0]]])
told(lambda: cost(volume.op, 'weights'))
told(lambda: cost(unknown.op.inputs[0].op))


@ops.RegisterStatistics('Softsign', 'flops')
def _softsign(graph, node):
    return ops.OpStats('flops', 77)


told(lambda: cost(tf.nn.softsign(tf.zeros([2])).op))
told(ops.RegisterStatistics, 'a,b', 'flops')
told(ops.RegisterStatistics, 'a', 3)
total = ops.OpStats('flops')
total += ops.OpStats('flops', 2)
total += ops.OpStats('flops', 3)
print('  %s' % total.value)
told(total.__iadd__, ops.OpStats('other', 1))
builder = tf.profiler.ProfileOptionBuilder
print('  %s' % sorted(builder.float_operation().items()))
print('  %s' % sorted(builder.time_and_memory().items()))
print('  %s' % tf.profiler.profile(graph, options=builder(builder.float_operation()).with_empty_output().build()).total_float_ops)

case('queues, runners, draws')
queue = tf.FIFOQueue(4, tf.int32, [[]], name='q')
told(queue.dequeue_many, -1)
told(lambda: tf.train.start_queue_runners('session'))
told(lambda: tf.train.start_queue_runners(tf.Session()))
with tf.train.MonitoredSession() as sess:
    told(lambda: tf.train.start_queue_runners(sess))
told(lambda: tf.multinomial([[1.]], -1))
w, u = tf.get_variable('w', []), tf.get_variable('u', [])
pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(w * u, var_list={'a': w, 'b': [u]})
print('  %s' % [v.name for _, v in pairs])
