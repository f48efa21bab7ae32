import sys
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
# a server's errors say who ran the op; a part that fails cancels its session; what sessions and devices refuse


def told(function, *a, **k):
    try:
        print('  none', function(*a, **k))
    except Exception as error:
        text = error.message if isinstance(error, tf.errors.OpError) else str(error)
        print('  %s: %r' % (type(error).__name__, text.split(' (defined')[0]))



server = tf.train.Server.create_local_server()
x = tf.placeholder(tf.float32, name='x')
v = tf.Variable(1., name='v')
r = tf.Variable(2., use_resource=True, name='r')
queue = tf.FIFOQueue(2, tf.float32, name='q')
product = tf.matmul(x, x, name='mm')
s = tf.Session(server.target)
for fetch, feed in ((product, {x: np.ones([2, 3])}), (product, {}), (v, {}), (r.value(), {}), (tf.check_numerics(x, 'nan', name='c'), {x: [np.nan]}),
                    (tf.gather([1, 2], [5], name='g'), {})):
    try:
        s.run(fetch, feed)
    except tf.errors.OpError as error:
        print(type(error).__name__, error.message.split(' (defined')[0])
try:
    s.run(queue.dequeue(), options=tf.RunOptions(timeout_in_ms=60))
except tf.errors.DeadlineExceededError as error:
    print(error.message)

a, b = tf.placeholder(tf.float32, [], name='a'), tf.placeholder(tf.float32, [], name='b')
c = a + 1.
d = c * b
for last in ({a: 1., b: 2.}, {a: 1.}):
    s = tf.Session()
    handle = s.partial_run_setup([c, d], [a, b] if len(last) == 2 else [a])
    told(lambda: type(s.partial_run(handle, [c, d], last)).__name__)
    told(s.run, c, {a: 1.})
    handle = s.partial_run_setup([c, d], [a, b])
    told(s.partial_run, handle, c, {a: 1.})
    told(s.partial_run, handle, d, {b: 3.})
told(s.partial_run_setup, [c], [3])
told(s.partial_run_setup, [c], ['none:0'])
told(tf.InteractiveSession, config=3)
told(tf.Session, 'local', config=tf.ConfigProto(log_device_placement=False, allow_soft_placement=True))
for device in ('/cpu:x', 3, 'nonsense', '/cpu:0/gpu:0', '/task:x'):
    def within():
        with tf.device(device): return tf.constant(1.).op.device
    told(within)
told(tf.Session.reset, '', 3)
for control_flow in (lambda: tf.cond(a > 0., lambda: a * 2., lambda: a), lambda: tf.while_loop(lambda i: i < 3., lambda i: i + 1., [a])):
    with tf.Graph().as_default():
        a = tf.placeholder(tf.float32, [])
        control_flow()
        told(tf.add_check_numerics_ops)
