# snippets_names.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Graphs of layers, cells, losses, metrics, savers, summaries, inputs and variables of all kinds, for the names,
attributes and collections that TensorFlow gives them."""

import numpy as np
import tensorflow as tf


def _features(shape=(None, 8), name='features'):
    return tf.placeholder(tf.float32, shape, name=name)


def autoencoder_tied():
    x = _features([None, 16])
    with tf.variable_scope('encoder', initializer=tf.random_normal_initializer(stddev=0.02, seed=3)):
        w = tf.get_variable('w', [16, 4])
        b = tf.get_variable('b', [4], initializer=tf.zeros_initializer())
        code = tf.nn.relu(tf.matmul(x, w) + b)
    with tf.variable_scope('decoder'):
        c = tf.get_variable('b', [16], initializer=tf.constant_initializer(0.1))
        out = tf.nn.sigmoid(tf.matmul(code, w, transpose_b=True) + c)
    loss = tf.reduce_mean(tf.squared_difference(out, x), name='loss')
    tf.summary.scalar('loss', loss)
    tf.train.AdamOptimizer(1e-3).minimize(loss, global_step=tf.train.get_or_create_global_step())
    tf.summary.merge_all()
    return tf.train.Saver(max_to_keep=3)


def initializers_of_all_kinds():
    kinds = [tf.glorot_uniform_initializer(seed=1), tf.glorot_normal_initializer(seed=2), tf.truncated_normal_initializer(0., 0.1),
             tf.random_uniform_initializer(-1., 1., seed=4), tf.variance_scaling_initializer(2., 'fan_in', 'uniform'),
             tf.variance_scaling_initializer(1., 'fan_avg', 'untruncated_normal'), tf.orthogonal_initializer(gain=1.5),
             tf.initializers.he_normal(), tf.initializers.he_uniform(seed=9), tf.initializers.lecun_normal(),
             tf.constant_initializer([1., 2., 3.] * 4), tf.uniform_unit_scaling_initializer(factor=1.3), tf.ones_initializer()]
    for i, kind in enumerate(kinds):
        tf.get_variable('v%d' % i, [4, 3], initializer=kind)
    tf.get_variable('eye', [3, 3], initializer=tf.initializers.identity(gain=2.))
    tf.get_variable('ints', [2], dtype=tf.int32)
    tf.get_variable('flag', [], dtype=tf.bool)
    tf.get_variable('given', initializer=np.arange(3.))
    tf.get_variable('made', initializer=lambda: tf.fill([2], 7.))


def regularizers_and_weight_decay():
    x = _features([None, 5])
    y = tf.placeholder(tf.int64, [None], name='y')
    with tf.variable_scope('net', regularizer=tf.contrib.layers.l2_regularizer(1e-4)):
        h = tf.layers.dense(x, 7, tf.nn.elu, kernel_regularizer=tf.contrib.layers.l1_regularizer(0.01), name='h')
        h = tf.layers.dense(h, 7, tf.nn.tanh, bias_regularizer=tf.contrib.layers.l1_l2_regularizer(0.1, 0.2), name='i')
        logits = tf.layers.dense(h, 3, activity_regularizer=tf.contrib.layers.l2_regularizer(0.5), name='out')
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    total = tf.losses.get_total_loss()
    decay = 1e-3 * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if 'bias' not in v.name])
    tf.train.MomentumOptimizer(0.1, 0.9).minimize(total + decay + 0. * loss)


def custom_getter_averages():
    average = tf.train.ExponentialMovingAverage(0.99)

    def build(scope, getter=None, reuse=None):
        with tf.variable_scope(scope, custom_getter=getter, reuse=reuse):
            return tf.layers.dense(_features(), 2, name='d')

    out = build('m')
    update = average.apply(tf.trainable_variables('m'))

    def averaged(getter, name, *args, **kwargs):
        var = getter(name, *args, **kwargs)
        mean = average.average(var)
        return mean if mean is not None else var

    shadow = build('m', averaged, True)
    with tf.control_dependencies([update]):
        tf.identity(out - shadow, name='gap')


def caching_device_and_local():
    with tf.variable_scope('a', caching_device='/cpu:0', use_resource=False):
        v = tf.get_variable('v', [2])
    with tf.variable_scope('b', use_resource=True):
        w = tf.get_variable('w', [2], caching_device=lambda op: '/cpu:0')
    local = tf.get_local_variable('count', [], initializer=tf.zeros_initializer())
    tf.add_n([v, w]) * local
    tf.local_variables_initializer()
    tf.report_uninitialized_variables()


def partitioned_embedding_training():
    ids = tf.placeholder(tf.int64, [None, 3], name='ids')
    with tf.variable_scope('emb', partitioner=tf.fixed_size_partitioner(3)):
        table = tf.get_variable('table', [10, 4])
    found = tf.nn.embedding_lookup(table, ids, partition_strategy='div')
    pooled = tf.reduce_mean(found, axis=1)
    logit = tf.layers.dense(pooled, 1, use_bias=False)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=logit, labels=tf.ones_like(logit)))
    tf.train.AdagradOptimizer(0.1).minimize(loss)
    return tf.train.Saver()


def sharded_saver():
    tf.Variable([1., 2.], name='a')
    with tf.device('/job:ps/task:0'):
        tf.Variable([3.], name='b')
    with tf.device('/job:ps/task:1'):
        tf.Variable(4, name='c', dtype=tf.int64)
    return tf.train.Saver(sharded=True, keep_checkpoint_every_n_hours=2.)


def savers_several():
    a = tf.Variable(1., name='a')
    b = tf.get_variable('scope/b', [2, 3])
    tf.train.Saver({'renamed': a, 'b': b})
    tf.train.Saver([b], reshape=True, name='one', restore_sequentially=True)
    return tf.train.Saver(allow_empty=True, filename='model', write_version=tf.train.SaverDef.V1)


def summaries_of_all_kinds():
    with tf.name_scope('board'):
        x = tf.placeholder(tf.float32, [2, 4, 4, 3], name='x')
        tf.summary.image('pictures', x, max_outputs=2)
        tf.summary.histogram('values', x, collections=['mine'])
        tf.summary.scalar('mean value', tf.reduce_mean(x), family='stats')
        tf.summary.text('note', tf.constant('hello'))
        tf.summary.audio('sound', tf.reshape(x, [2, -1]), 8000., max_outputs=1)
    tf.summary.tensor_summary('raw', x)
    tf.summary.merge_all()
    tf.summary.merge_all('mine')
    tf.summary.merge_all(scope='board/pict')


def rnn_two_layers_dropout():
    x = tf.placeholder(tf.float32, [None, 6, 5], name='x')
    lengths = tf.placeholder(tf.int32, [None], name='lengths')
    keep = tf.placeholder_with_default(1., [], name='keep')

    def cell(n):
        return tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.LSTMCell(n, forget_bias=0.5, use_peepholes=True), output_keep_prob=keep)

    stacked = tf.nn.rnn_cell.MultiRNNCell([cell(4), cell(3)])
    outputs, state = tf.nn.dynamic_rnn(stacked, x, sequence_length=lengths, dtype=tf.float32)
    tf.layers.dense(state[-1].h, 2)
    tf.reduce_max(outputs, axis=1, name='most')


def rnn_bidirectional_time_major():
    x = tf.placeholder(tf.float32, [7, 2, 5], name='x')
    forward, backward = tf.nn.rnn_cell.GRUCell(3), tf.nn.rnn_cell.BasicLSTMCell(4)
    (a, b), states = tf.nn.bidirectional_dynamic_rnn(forward, backward, x, sequence_length=[7, 5], dtype=tf.float32,
                                                     time_major=True, scope='both')
    tf.concat([a, b], -1, name='joined')
    tf.concat([states[0], states[1].c], 1)


def rnn_static_gradients():
    x = tf.placeholder(tf.float32, [3, 4, 2], name='x')
    steps = tf.unstack(x, axis=1)
    cell = tf.nn.rnn_cell.BasicRNNCell(5, activation=tf.nn.relu)
    outputs, _ = tf.nn.static_rnn(cell, steps, dtype=tf.float32, sequence_length=[4, 2, 3])
    loss = tf.reduce_sum(tf.stack(outputs))
    optimizer = tf.train.RMSPropOptimizer(0.01, centered=True)
    grads, variables = zip(*optimizer.compute_gradients(loss))
    grads, _ = tf.clip_by_global_norm(grads, 5.)
    optimizer.apply_gradients(zip(grads, variables))


def rnn_residual_in_devices():
    cells = [tf.nn.rnn_cell.DeviceWrapper(tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(4)), '/cpu:%d' % i) for i in range(2)]
    x = tf.placeholder(tf.float32, [None, None, 4], name='x')
    tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), x, initial_state=(tf.zeros([1, 4]), tf.zeros([1, 4])), swap_memory=True)


def losses_collected():
    p = tf.placeholder(tf.float32, [None, 3], name='p')
    t = tf.placeholder(tf.float32, [None, 3], name='t')
    w = tf.placeholder(tf.float32, [None, 1], name='w')
    tf.losses.absolute_difference(t, p)
    tf.losses.huber_loss(t, p, delta=0.7, weights=w)
    tf.losses.log_loss(t, p, reduction=tf.losses.Reduction.MEAN)
    tf.losses.hinge_loss(t, p, scope='hinge')
    tf.losses.cosine_distance(t, p, axis=1)
    tf.losses.softmax_cross_entropy(t, p, label_smoothing=0.1)
    tf.losses.sigmoid_cross_entropy(t, p, weights=0.5, reduction=tf.losses.Reduction.SUM)
    tf.losses.mean_pairwise_squared_error(t, p)
    tf.losses.add_loss(tf.reduce_sum(w))
    tf.losses.get_total_loss(add_regularization_losses=False, name='all')


def metrics_several():
    label = tf.placeholder(tf.int64, [None], name='label')
    logits = tf.placeholder(tf.float32, [None, 4], name='logits')
    said = tf.argmax(logits, 1)
    tf.metrics.accuracy(label, said, name='acc')
    tf.metrics.precision(label > 1, said > 1)
    tf.metrics.recall(label > 1, said > 1, updates_collections=['ups'])
    tf.metrics.mean_per_class_accuracy(label, said, 4)
    tf.metrics.recall_at_k(label, logits, 2)
    tf.metrics.root_mean_squared_error(tf.cast(label, tf.float32), logits[:, 0])
    tf.metrics.mean_iou(label, said, 4)
    tf.metrics.mean_tensor(logits[0])


def conv_net_pools():
    x = tf.placeholder(tf.float32, [None, 12, 12, 3], name='x')
    y = tf.layers.conv2d(x, 4, 3, strides=2, padding='same', activation=tf.nn.relu, name='c1')
    y = tf.layers.max_pooling2d(y, 2, 2, name='p1')
    y = tf.layers.separable_conv2d(y, 6, [3, 3], depth_multiplier=2, use_bias=False)
    y = tf.layers.batch_normalization(y, training=True, scale=False)
    y = tf.layers.conv2d_transpose(tf.expand_dims(tf.expand_dims(tf.layers.flatten(y), 1), 1), 2, 4, strides=2)
    y = tf.layers.average_pooling2d(y, [2, 2], 1, padding='same')
    y = tf.layers.dropout(y, 0.3, training=True, noise_shape=[1, 1, 1, 2])
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01).minimize(tf.reduce_sum(y))


def conv_1d_and_3d():
    a = tf.layers.conv1d(tf.placeholder(tf.float32, [2, 9, 3]), 4, 3, dilation_rate=2)
    tf.layers.max_pooling1d(a, 2, 2)
    b = tf.layers.conv3d(tf.placeholder(tf.float32, [2, 4, 5, 6, 1]), 2, [2, 3, 2], data_format='channels_last')
    tf.layers.average_pooling3d(b, 2, 1)
    tf.nn.atrous_conv2d(tf.placeholder(tf.float32, [1, 8, 8, 2]), tf.ones([3, 3, 2, 2]), 2, 'SAME')
    tf.nn.conv1d(tf.placeholder(tf.float32, [1, 8, 2]), tf.ones([3, 2, 2]), 1, 'SAME')
    tf.nn.pool(tf.placeholder(tf.float32, [1, 8, 8, 2]), [2, 2], 'MAX', 'VALID')


def contrib_layers_stack():
    x = tf.placeholder(tf.float32, [4, 10], name='x')
    net = tf.contrib.layers.stack(x, tf.contrib.layers.fully_connected, [8, 6], scope='fc')
    net = tf.contrib.layers.layer_norm(net)
    net = tf.contrib.layers.dropout(net, 0.8, is_training=True)
    net = tf.contrib.layers.linear(net, 3, outputs_collections=['ends'])
    tf.contrib.layers.softmax(net)
    tf.contrib.layers.one_hot_encoding(tf.constant([0, 2]), 3)
    tf.contrib.layers.unit_norm(net, 1)


def slim_scopes():
    slim = tf.contrib.slim
    x = tf.placeholder(tf.float32, [2, 16, 16, 3], name='x')
    with slim.arg_scope([slim.conv2d, slim.fully_connected], activation_fn=tf.nn.relu, normalizer_fn=slim.batch_norm,
                        normalizer_params={'is_training': True, 'decay': 0.9},
                        weights_initializer=tf.truncated_normal_initializer(0., 0.01), weights_regularizer=slim.l2_regularizer(5e-4)):
        net = slim.repeat(x, 2, slim.conv2d, 4, [3, 3], scope='conv1')
        net = slim.max_pool2d(net, [2, 2], scope='pool1')
        net = slim.avg_pool2d(net, 4, padding='VALID')
        net = slim.flatten(net)
        net = slim.fully_connected(net, 5, activation_fn=None, normalizer_fn=None, scope='logits')
    slim.losses.softmax_cross_entropy(net, tf.one_hot([1, 2], 5))
    total = slim.losses.get_total_loss()
    slim.learning.create_train_op(total, tf.train.GradientDescentOptimizer(0.1), clip_gradient_norm=4.)


def dataset_pipeline():
    data = tf.data.Dataset.from_tensor_slices({'x': np.arange(12.).reshape(6, 2), 'y': np.arange(6)})
    data = data.shuffle(10, seed=3).repeat(2).map(lambda d: (d['x'] * 2., d['y']), num_parallel_calls=2)
    data = data.batch(3, drop_remainder=True).prefetch(1)
    iterator = tf.data.make_initializable_iterator(data)
    x, y = iterator.get_next()
    tf.layers.dense(tf.cast(x, tf.float32), 1)
    tf.identity(y, name='labels')


def dataset_reinitializable():
    train = tf.data.Dataset.range(10).filter(lambda i: tf.equal(i % 2, 0)).batch(2)
    test = tf.data.Dataset.range(100, 104).batch(2)
    iterator = tf.data.Iterator.from_structure(train.output_types, train.output_shapes)
    iterator.make_initializer(train, name='train_init')
    iterator.make_initializer(test)
    iterator.get_next(name='batch')


def dataset_feedable():
    handle = tf.placeholder(tf.string, [], name='handle')
    data = tf.data.Dataset.from_tensors((1, 2.)).take(3).skip(1).cache()
    iterator = tf.data.Iterator.from_string_handle(handle, data.output_types, data.output_shapes)
    a, b = iterator.get_next()
    tf.cast(a, tf.float32) + b
    tf.data.make_initializable_iterator(data.zip((data, data)).concatenate(data.zip((data, data)))).get_next()


def queues_of_pairs():
    q = tf.RandomShuffleQueue(20, 5, [tf.float32, tf.int32], [[2], []], seed=4, name='pool', shared_name='shared')
    put = q.enqueue_many([tf.ones([4, 2]), tf.range(4)])
    x, i = q.dequeue_many(3)
    q.size()
    tf.train.add_queue_runner(tf.train.QueueRunner(q, [put] * 2))
    p = tf.PaddingFIFOQueue(5, [tf.int64], [[None]])
    p.enqueue([tf.cast(i, tf.int64)])
    p.dequeue_up_to(2, name='some')
    tf.QueueBase.from_list(0, [tf.FIFOQueue(2, [tf.float32]), tf.FIFOQueue(3, [tf.float32])])
    q.close(cancel_pending_enqueues=True)
    x * 2.


def tables_and_strings():
    table = tf.contrib.lookup.index_table_from_tensor(['a', 'b'], num_oov_buckets=2, default_value=-1)
    words = tf.string_split(['a b c', 'd'], ' ').values
    ids = table.lookup(words)
    back = tf.contrib.lookup.index_to_string_table_from_tensor(['a', 'b'], default_value='?')
    back.lookup(ids)
    tf.string_to_hash_bucket_fast(words, 10)
    tf.strings.join([words, words], separator='-')
    tf.regex_replace(words, 'a', 'b')
    tf.as_string(ids, width=3)
    tf.strings.length(words)
    tf.strings.substr(words, 0, 1)
    tf.tables_initializer()


def sparse_ops_mixed():
    s = tf.SparseTensor([[0, 1], [2, 0]], [1., 2.], [3, 4])
    p = tf.sparse_placeholder(tf.float32, [3, 4], name='p')
    tf.sparse_add(s, p)
    tf.sparse_tensor_dense_matmul(s, tf.ones([4, 2]), name='product')
    tf.sparse_to_dense([[0], [2]], [4], [1, 2])
    tf.sparse_tensor_to_dense(s, 9.)
    tf.sparse_reduce_sum(p, axis=1)
    tf.sparse_concat(0, [s, p])
    ids = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([1, 3], tf.int64), [2, 2])
    tf.nn.embedding_lookup_sparse(tf.get_variable('e', [5, 2]), ids, None, combiner='sum')
    s * tf.ones([3, 4])


def images_prepared():
    raw = tf.placeholder(tf.string, [], name='raw')
    image = tf.image.decode_jpeg(raw, channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.resize_images(image, [20, 24])
    image = tf.random_crop(image, [16, 16, 3], seed=5)
    image = tf.image.random_flip_left_right(image, seed=6)
    image = tf.image.random_brightness(image, 0.2)
    image = tf.image.random_contrast(image, 0.5, 1.5)
    image = tf.image.adjust_saturation(image, 0.4)
    image = tf.image.per_image_standardization(image)
    image = tf.image.resize_image_with_crop_or_pad(image, 12, 12)
    image = tf.image.rgb_to_grayscale(tf.image.central_crop(image, 0.5))
    tf.image.rot90(image)


def numbers_drawn():
    tf.set_random_seed(77)
    tf.random_normal([3], 1., 2., seed=2)
    tf.truncated_normal([2, 2])
    tf.random_uniform([], maxval=4, dtype=tf.int32)
    tf.multinomial(tf.log([[0.3, 0.7]]), 5)
    tf.random_shuffle(tf.range(4), seed=1)
    tf.random_gamma([2], 0.5, seed=8)
    tf.random_poisson(3., [2])
    tf.nn.dropout(tf.ones([2, 3]), keep_prob=0.4, noise_shape=[2, 1])


def decayed_rates():
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 100, 0.9, staircase=True)
    tf.train.piecewise_constant(step, [10, 20], [1., 0.5, 0.1])
    tf.train.polynomial_decay(0.1, step, 50, power=2., cycle=True)
    tf.train.cosine_decay(0.1, step, 30, alpha=0.01)
    tf.train.inverse_time_decay(0.1, step, 5, 0.5)
    tf.train.natural_exp_decay(0.1, step, 5, 0.5, name='nat')
    v = tf.get_variable('v', [2])
    tf.train.ProximalAdagradOptimizer(rate, l2_regularization_strength=0.1).minimize(tf.nn.l2_loss(v), step)


def gan_scopes():
    z = tf.placeholder(tf.float32, [None, 3], name='z')
    real = tf.placeholder(tf.float32, [None, 2], name='real')

    def discriminate(x, reuse=tf.AUTO_REUSE):
        with tf.variable_scope('D', reuse=reuse):
            h = tf.layers.dense(x, 4, tf.nn.leaky_relu)
            return tf.layers.dense(h, 1)

    with tf.variable_scope('G'):
        fake = tf.layers.dense(tf.layers.dense(z, 4, tf.nn.relu), 2, tf.nn.tanh)
    a, b = discriminate(real), discriminate(fake)
    cost = tf.nn.sigmoid_cross_entropy_with_logits
    d_loss = tf.reduce_mean(cost(logits=a, labels=tf.ones_like(a)) + cost(logits=b, labels=tf.zeros_like(b)))
    g_loss = tf.reduce_mean(cost(logits=b, labels=tf.ones_like(b)))
    for loss, scope in ((d_loss, 'D'), (g_loss, 'G')):
        variables = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope)
        tf.train.AdamOptimizer(2e-4, beta1=0.5).minimize(loss, var_list=variables)
    with tf.name_scope('clip'):
        tf.group(*[v.assign(tf.clip_by_value(v, -0.01, 0.01)) for v in tf.trainable_variables('D')])


def variational():
    x = _features([None, 6])
    h = tf.layers.dense(x, 5, tf.nn.softplus)
    mean, log_var = tf.layers.dense(h, 2, name='mean'), tf.layers.dense(h, 2, name='log_var')
    z = mean + tf.exp(0.5 * log_var) * tf.random_normal(tf.shape(mean))
    out = tf.layers.dense(z, 6, tf.nn.sigmoid)
    fit = -tf.reduce_sum(x * tf.log(1e-10 + out) + (1 - x) * tf.log(1e-10 + 1 - out), 1)
    spread = -0.5 * tf.reduce_sum(1 + log_var - tf.square(mean) - tf.exp(log_var), reduction_indices=1)
    tf.train.AdadeltaOptimizer(0.5).minimize(tf.reduce_mean(fit + spread))


def attention_by_hand():
    memory = tf.placeholder(tf.float32, [None, 5, 4], name='memory')
    query = tf.placeholder(tf.float32, [None, 4], name='query')
    mask = tf.sequence_mask(tf.placeholder(tf.int32, [None], name='len'), 5, dtype=tf.float32)
    with tf.variable_scope('attention'):
        w = tf.get_variable('w', [4, 4])
        v = tf.get_variable('v', [4])
        keys = tf.tensordot(memory, w, axes=[[2], [0]])
        score = tf.reduce_sum(v * tf.tanh(keys + tf.expand_dims(query, 1)), [2])
        weights = tf.nn.softmax(score * mask + (1. - mask) * -1e9)
        tf.squeeze(tf.matmul(tf.expand_dims(weights, 1), memory), [1], name='context')


def transformer_block():
    x = tf.placeholder(tf.float32, [2, 3, 8], name='x')
    with tf.variable_scope('block'):
        q, k, v = [tf.layers.dense(x, 8, use_bias=False, name=n) for n in 'qkv']
        split = [tf.concat(tf.split(t, 2, axis=2), axis=0) for t in (q, k, v)]
        scores = tf.matmul(split[0], tf.transpose(split[1], [0, 2, 1])) / (4 ** 0.5)
        out = tf.concat(tf.split(tf.matmul(tf.nn.softmax(scores), split[2]), 2, axis=0), axis=2)
        out = tf.contrib.layers.layer_norm(out + x, begin_norm_axis=-1)
        out += tf.layers.conv1d(tf.layers.conv1d(out, 16, 1, activation=tf.nn.relu), 8, 1)
    tf.einsum('bij,bkj->bik', out, out)


def policy_gradient():
    state = tf.placeholder(tf.float32, [None, 4], 'state')
    action = tf.placeholder(tf.int32, [None], 'action')
    value = tf.placeholder(tf.float32, [None], 'value')
    with tf.variable_scope('policy'):
        logits = tf.layers.dense(tf.layers.dense(state, 8, tf.nn.tanh), 2)
        chosen = tf.one_hot(action, 2)
        log_prob = tf.reduce_sum(chosen * tf.nn.log_softmax(logits), axis=1)
    grads = tf.gradients(-tf.reduce_mean(log_prob * value), tf.trainable_variables())
    stores = [tf.placeholder(tf.float32, name='grad_%d' % i) for i in range(len(grads))]
    tf.train.AdamOptimizer(0.01).apply_gradients(zip(stores, tf.trainable_variables()))
    with tf.variable_scope('target'):
        tf.layers.dense(tf.layers.dense(state, 8, tf.nn.tanh), 2)
    [tf.assign(t, 0.9 * t + 0.1 * p) for t, p in zip(tf.trainable_variables('target'), tf.trainable_variables('policy'))]


def word2vec_sampled():
    center = tf.placeholder(tf.int32, [16], name='center')
    near = tf.placeholder(tf.int32, [16, 1], name='near')
    with tf.device('/cpu:0'):
        table = tf.Variable(tf.random_uniform([50, 8], -1., 1.), name='table')
        embed = tf.nn.embedding_lookup(table, center)
    weights = tf.Variable(tf.truncated_normal([50, 8], stddev=0.3))
    biases = tf.Variable(tf.zeros([50]))
    loss = tf.reduce_mean(tf.nn.nce_loss(weights=weights, biases=biases, labels=near, inputs=embed, num_sampled=4, num_classes=50))
    tf.train.GradientDescentOptimizer(1.).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(table), 1, keepdims=True))
    tf.matmul(tf.nn.embedding_lookup(table / norm, tf.constant([1, 2, 3])), table / norm, transpose_b=True)
    tf.reduce_mean(tf.nn.sampled_softmax_loss(weights, biases, near, embed, 4, 50))


def ctc_recognizer():
    x = tf.placeholder(tf.float32, [None, None, 6], name='x')
    targets = tf.sparse_placeholder(tf.int32, name='targets')
    lengths = tf.placeholder(tf.int32, [None], name='lengths')
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(5, state_is_tuple=True), x, lengths, dtype=tf.float32)
    shape = tf.shape(x)
    logits = tf.matmul(tf.reshape(outputs, [-1, 5]), tf.Variable(tf.truncated_normal([5, 4], stddev=0.1), name='W'))
    logits = tf.transpose(tf.reshape(logits, [shape[0], -1, 4]), (1, 0, 2))
    cost = tf.reduce_mean(tf.nn.ctc_loss(targets, logits, lengths))
    tf.train.MomentumOptimizer(0.01, 0.9).minimize(cost)
    decoded, _ = tf.nn.ctc_greedy_decoder(logits, lengths)
    tf.reduce_mean(tf.edit_distance(tf.cast(decoded[0], tf.int32), targets), name='ler')


def towers():
    x = tf.placeholder(tf.float32, [8, 4], name='x')
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    found = []
    for i, part in enumerate(tf.split(x, 2)):
        with tf.device('/cpu:%d' % i), tf.name_scope('tower_%d' % i):
            with tf.variable_scope(tf.get_variable_scope(), reuse=i > 0):
                y = tf.layers.dense(part, 1, name='y')
            found.append(optimizer.compute_gradients(tf.reduce_mean(tf.square(y))))
    means = [(tf.reduce_mean(tf.stack([g for g, _ in pairs]), 0), pairs[0][1]) for pairs in zip(*found)]
    optimizer.apply_gradients(means)


def conditions_and_cases():
    x = tf.placeholder(tf.float32, [], name='x')
    y = tf.cond(x > 0, lambda: tf.sqrt(x), lambda: tf.constant(0.), name='root')
    z = tf.case([(x < -1, lambda: x * 2), (x > 1, lambda: x * 3)], default=lambda: x)
    tf.where(tf.greater([1., 2.], y), [z, z], [0., 1.])
    with tf.control_dependencies([tf.assert_positive(x), tf.Assert(x < 9, [x, y])]):
        tf.identity(x, name='checked')
    tf.map_fn(lambda i: i * i, tf.range(4))
    tf.scan(lambda a, b: a + b, tf.constant([1., 2., 3.]), initializer=x)
    tf.foldr(lambda a, b: a - b, tf.range(3))


def collected_by_name():
    with tf.name_scope('a') as scope:
        c = tf.constant(1., name='c')
        with tf.name_scope('b'), tf.name_scope(None):
            tf.constant(2., name='c')
        with tf.name_scope(scope):
            tf.add(c, 1., name='c')
    tf.add_to_collection('things', c)
    tf.add_to_collections(['things', 'numbers'], tf.constant([1, 2]))
    tf.add_to_collection('plain', 3)
    tf.add_to_collection('words', 'w')
    with tf.variable_scope('v') as v, tf.variable_scope(v, auxiliary_name_scope=False):
        tf.constant(4.)
    with tf.variable_scope(None, default_name='v'):
        tf.get_variable('w', [1])
        with tf.variable_scope('v/in'):
            tf.get_variable('w', [1])
