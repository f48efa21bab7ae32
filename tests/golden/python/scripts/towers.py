import numpy as np
import tensorflow as tf
tf.set_random_seed(8); rng = np.random.RandomState(8)
PS_OPS = ['Variable', 'VariableV2', 'AutoReloadVariable']


def assign_to_device(device, ps_device='/cpu:0'):
    def _assign(op):
        node_def = op if isinstance(op, tf.NodeDef) else op.node_def
        return '/' + ps_device if node_def.op in PS_OPS else device
    return _assign


def average_gradients(tower_grads):
    average_grads = []
    for grad_and_vars in zip(*tower_grads):
        grads = [tf.expand_dims(g, 0) for g, _ in grad_and_vars]
        grad = tf.reduce_mean(tf.concat(grads, 0), 0)
        average_grads.append((grad, grad_and_vars[0][1]))
    return average_grads


def net(x, reuse):
    with tf.variable_scope('net', reuse=reuse):
        x = tf.layers.conv2d(x, 3, 3, activation=tf.nn.relu, name='c')
        return tf.layers.dense(tf.contrib.layers.flatten(x), 4, name='d')


with tf.device('/cpu:0'):
    X = tf.placeholder(tf.float32, [None, 6, 6, 1]); Y = tf.placeholder(tf.float32, [None, 4]); towers = []; reuse = False
    for i in range(2):
        with tf.device(assign_to_device('/gpu:{}'.format(i), ps_device='/cpu:0')):
            with tf.name_scope('tower_%d' % i):
                xb, yb = X[i * 4:(i + 1) * 4], Y[i * 4:(i + 1) * 4]
                logits = net(xb, reuse)
                loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=yb))
                opt = tf.train.GradientDescentOptimizer(0.1); grads = opt.compute_gradients(loss)
                if i == 0:
                    acc = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(yb, 1)), tf.float32))
                reuse = True; towers.append(grads)
    tg = average_gradients(towers); train_op = opt.apply_gradients(tg)
    print([(g.name, v.name) for g, v in tg], train_op.name, logits, loss, acc, sep='\n')
    print([(v.name, v.device) for v in tf.global_variables()], logits.device, xb.device, towers[1][0][0].device)
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True, log_device_placement=False)) as sess:
    sess.run(tf.global_variables_initializer()); xs, ys = rng.rand(8, 6, 6, 1), np.eye(4)[rng.randint(0, 4, 8)]
    for _ in range(4):
        _, l = sess.run([train_op, loss], {X: xs, Y: ys}); print('%.5f' % l)
try:
    with tf.Session() as s:
        with tf.device('/gpu:3'):
            q = tf.constant(1) + 1
        print('q', q.device)
except tf.errors.InvalidArgumentError as e:
    print(e.message.split('\n')[0][:120])
with tf.device('/job:ps/task:1'), tf.device('/gpu:0'):
    print(tf.constant(1).device, tf.constant(1).op.device)
    with tf.device(None):
        print(repr(tf.constant(2).device))
    with tf.device(lambda op: '/cpu:1' if op.type == 'Const' else ''):
        print(tf.constant(3).device, tf.placeholder(tf.int32).device)
print(tf.train.replica_device_setter(ps_tasks=2)is not None)
with tf.device(tf.train.replica_device_setter(ps_tasks=2)):
    print([tf.Variable(1., name='p%d' % i).device for i in range(3)], tf.constant(1).device)
