"""Towers placed by a function, their gradients averaged."""
import tensorflow as tf, numpy as np
from tensorflow.python.client import device_lib
print([d.name for d in device_lib.list_local_devices() if d.device_type == 'CPU'])
PS_OPS = ['Variable', 'VariableV2', 'AutoReloadVariable']

def assign_to_device(device, ps_device='/cpu:0'):

    def _assign(op):
        node_def = op if isinstance(op, tf.NodeDef) else op.node_def
        return '/' + ps_device if node_def.op in PS_OPS else device
    return _assign

def average_gradients(tower_grads):
    out = []
    for gv in zip(*tower_grads):
        grads = [tf.expand_dims(g, 0) for g, _ in gv]
        grad = tf.reduce_mean(tf.concat(grads, 0), 0)
        out.append((grad, gv[0][1]))
    return out
with tf.device('/cpu:0'):
    X = tf.placeholder(tf.float32, [None, 6])
    Y = tf.placeholder(tf.float32, [None, 2])
    tg = []
    reuse = False
    opt = tf.train.AdamOptimizer(0.01)
    for i in range(2):
        with tf.device(assign_to_device('/gpu:{}'.format(i), ps_device='/cpu:0')):
            _x = X[i * 4:(i + 1) * 4]
            _y = Y[i * 4:(i + 1) * 4]
            with tf.variable_scope('net', reuse=reuse):
                lo = tf.layers.dense(_x, 2, kernel_initializer=tf.ones_initializer())
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=lo, labels=_y))
            tg.append(opt.compute_gradients(loss))
            reuse = True
    train = opt.apply_gradients(average_gradients(tg))
for op in tf.get_default_graph().get_operations()[:14]:
    print(op.name, op.device)
cfg = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False)
with tf.Session(config=cfg) as s:
    s.run(tf.global_variables_initializer())
    rs = np.random.RandomState(0)
    xs = rs.rand(8, 6)
    ys = np.eye(2)[rs.randint(0, 2, 8)]
    for i in range(3):
        _, l = s.run([train, loss], {X: xs, Y: ys})
        print('%.5f' % l)
