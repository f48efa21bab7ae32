import numpy as np, tensorflow as tf
from tensorflow.contrib import metrics, opt
from tensorflow.contrib.losses import metric_learning as learn
rng = np.random.RandomState(3)
labels, rows, other = rng.randint(0, 3, 8), rng.randn(8, 4).astype('f'), rng.randn(8, 4).astype('f')
with tf.Session() as s:
    a, b = tf.constant(rows), tf.constant(other)
    for name, loss in [('contrastive', learn.contrastive_loss(labels % 2, a, b)), ('semihard', learn.triplet_semihard_loss(tf.constant(labels), a)),
                       ('lifted', learn.lifted_struct_loss(tf.constant(labels), a)), ('npairs', learn.npairs_loss(tf.constant(labels), a, b))]:
        print(name, '%.4f' % s.run(loss), ['%.4f' % np.abs(g).sum() for g in s.run(tf.gradients(loss, [a]))])
    for wrong in (lambda: learn.npairs_loss_multilabel([tf.constant(1)], a, b), lambda: learn.triplet_semihard_loss(tf.constant([[1]]), a),
                  lambda: learn.cluster_loss(tf.constant(labels), a, 1.0)):
        try:
            wrong()
        except (TypeError, AssertionError, ImportError) as e:
            print(type(e).__name__, str(e)[:70])

tf.reset_default_graph()
l, p, w = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
made = [metrics.streaming_concat(p), metrics.streaming_concat(p, max_size=5, name='few'), metrics.streaming_dynamic_auc(l, p), metrics.streaming_dynamic_auc(l, p, 'PR', weights=w),
        metrics.precision_recall_at_equal_thresholds(tf.cast(l, tf.bool), p, w, num_thresholds=4), metrics.auc_using_histogram(tf.cast(l, tf.bool), p, [0.0, 1.0], nbins=10)]
sure = metrics.auc_with_confidence_intervals(l, p, w)
with tf.Session() as s:
    s.run(tf.local_variables_initializer())
    for i in range(4):
        n = 3 + i
        feed = {l: (np.arange(n) + i) % 2, p: rng.rand(n).astype('f'), w: rng.rand(n).astype('f')}
        s.run([u for _, u in made + [sure]], feed)
        for v, _ in made:
            print(i, [np.round(x, 4).tolist() for x in (s.run(v, feed) if isinstance(v, tuple) else [s.run(v, feed)])])
        print(i, np.round(s.run(sure[0], feed), 4).tolist())
    for bad in ({l: [2, 0], p: [.1, .2], w: [1, 1]}, {l: [1, 0], p: [.1, 1.2], w: [1, 1]}):
        for k in (2, 4):
            try:
                s.run(made[k][1], bad)
                print('fine')
            except tf.errors.InvalidArgumentError as e:
                print([line for line in e.message.splitlines() if 'assertion' in line or 'must' in line][:1])
for wrong in (lambda: metrics.streaming_concat(tf.placeholder(tf.float32)), lambda: metrics.streaming_concat(p, axis=2), lambda: metrics.streaming_concat(tf.placeholder(tf.float32, [None, None])),
              lambda: metrics.streaming_dynamic_auc(l, p, 'X'), lambda: metrics.auc_with_confidence_intervals(l, p, alpha=1.5), lambda: metrics.auc_using_histogram(p, p, [0., 1.])):
    try:
        wrong()
    except ValueError as e:
        print(e.args[0])


def train(name, make, steps=4, use_resource=False):
    tf.reset_default_graph()
    with tf.variable_scope('net', custom_getter=make.getter if hasattr(make, 'getter') else None, use_resource=use_resource):
        v = tf.get_variable('v', initializer=np.linspace(-1, 1, 6).reshape(3, 2).astype('f'))
    step = tf.train.get_or_create_global_step()
    loss = tf.reduce_sum(tf.square(v - 0.3)) + tf.reduce_sum(tf.gather(v, [0, 2]))
    made = make(step)
    op = made.minimize(loss, global_step=step)
    with tf.Session() as s:
        s.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        if hasattr(made, 'get_init_op'):
            s.run(made.get_init_op(*([] if isinstance(made, opt.ModelAverageOptimizer) else [0])))
        for _ in range(steps):
            s.run(op)
        print(name, s.run(step), np.round(s.run(v), 2 if name == 'ggt' else 4).tolist())
    print(sorted(x.name for x in tf.local_variables()), [x.name for x in tf.global_variables()])


train('gs', lambda step: opt.AdamGSOptimizer(step, 0.1))
train('lazy gs', lambda step: opt.LazyAdamGSOptimizer(step, 0.1), use_resource=True)
train('shampoo', lambda step: opt.ShampooOptimizer(step, learning_rate=0.1))
train('shampoo root', lambda step: opt.ShampooOptimizer(step, learning_rate=0.1, max_matrix_size=2, svd_interval=2))
train('ggt', lambda step: opt.GGTOptimizer(0.1, window=3))
for getter_type, optimizer in ((opt.ElasticAverageCustomGetter, lambda g: opt.ElasticAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), 1, g, 2)),
                               (opt.AGNCustomGetter, lambda g: opt.AGNOptimizer(tf.train.GradientDescentOptimizer(0.1), 1, g, 2)),
                               (opt.ModelAverageCustomGetter, lambda g: opt.ModelAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), 1, True, g, 2))):
    def make(step):
        return optimizer(make.getter)
    make.getter = getter_type('/cpu:0')
    train(getter_type.__name__, make)
