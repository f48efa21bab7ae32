# snippets_contrib_layers.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Of tf.contrib.layers: generalized divisive normalization, reversible blocks, pictures as rows, targets; of
tf.contrib.framework: initializers of convolutions and from checkpoints."""

import tensorflow as tf
from tensorflow.contrib import framework, layers


def orthogonal_kernels():
    for name, make, shape in (('delta3', framework.convolutional_delta_orthogonal, [3, 2, 4]), ('delta4', framework.convolutional_delta_orthogonal, [3, 2, 2, 4]),
                              ('delta5', framework.convolutional_delta_orthogonal, [1, 2, 3, 2, 4]), ('one', framework.convolutional_orthogonal_1d, [4, 2, 3]),
                              ('two', framework.convolutional_orthogonal_2d, [3, 3, 2, 3]), ('three', framework.convolutional_orthogonal_3d, [3, 3, 3, 2, 2]),
                              ('two1', framework.convolutional_orthogonal_2d, [1, 1, 2, 3])):
        tf.get_variable(name, shape, initializer=make(gain=0.5, seed=3)), tf.get_variable(name + '_plain', shape, initializer=make())


def remapped_checkpoints():
    both = framework.load_and_remap_matrix_initializer('ckpt', 'w', 5, 4, old_row_vocab_file='a', new_row_vocab_file='b', old_col_vocab_file='c', new_col_vocab_file='d',
                                                       num_row_oov_buckets=2, num_col_oov_buckets=1, initializer=tf.ones_initializer())
    tf.get_variable('both', [7, 5], initializer=both)
    tf.get_variable('columns', [5, 4], initializer=framework.load_and_remap_matrix_initializer('ckpt', 'w', 5, 4, old_col_vocab_file='c', new_col_vocab_file='d', max_rows_in_memory=2))
    tf.get_variable('parts', [7, 3], initializer=framework.load_embedding_initializer('ckpt', 'e', 5, 3, 'a', 'b', old_vocab_size=4, num_oov_buckets=2), partitioner=tf.fixed_size_partitioner(3))
    tf.get_variable('bias', [6, 1], initializer=framework.load_linear_multiclass_bias_initializer('ckpt', 'b', 5, 'a', 'b', 1))
    tf.get_variable('slot', [5, 4], initializer=framework.load_variable_slot_initializer('ckpt', 's', None, 5, 4, 'a', 'b'))


def gdn():
    x = tf.placeholder(tf.float32, [2, 5, 6, 3])
    y = layers.gdn(layers.gdn(x), inverse=True, name='back')
    layers.gdn(tf.zeros([2, 3, 4]), data_format='channels_first', gamma_init=.2), layers.gdn(tf.zeros([2, 3, 4, 4]), data_format='channels_first')
    layers.gdn(tf.zeros([2, 5, 3]), trainable=False)
    tf.gradients(y, [x] + tf.trainable_variables()[:2])


def pictures_as_rows():
    x = tf.placeholder(tf.float32, [None, 4, 5, 3])
    layers.sequence_to_images(layers.images_to_sequence(x, outputs_collections='rows'), 4), layers.images_to_sequence(tf.zeros([2, 3, 4, 5]), 'NCHW')
    layers.sequence_to_images(tf.zeros([5, 8, 3]), 4, 'channels_first', scope='back')


def _f(x):
    return tf.layers.dense(x, 2, activation=tf.nn.relu)


def _g(x, side):
    return tf.layers.dense(x, 2) + side[0]


def reversible_block():
    a, b = tf.placeholder(tf.float32, [4, 2]), tf.placeholder(tf.float32, [4, 2])
    side = tf.placeholder(tf.float32, [4, 2])
    y1, y2 = layers.rev_block(a, b, tf.tanh, lambda x, s: tf.matmul(x, tf.get_variable('w', [2, 2])) + s[0], g_side_input=[side])
    tf.gradients(y1 + y2, [a, b, side])


def reversible_block_and_back():
    a, b = tf.placeholder(tf.float32, [4, 2]), tf.placeholder(tf.float32, [4, 2])
    block = layers.RevBlock(_f, _g, 2, g_side_input=[tf.ones([2])], use_efficient_backprop=False)
    block.backward(*block.forward(a, b))
    with tf.variable_scope('plain'):
        layers.rev_block(a, b, _f, _f, is_training=False)


def computed_again():
    x, y = tf.placeholder(tf.float32, [3, 2]), tf.placeholder(tf.float32, [3, 2])
    f = layers.recompute_grad(lambda x, y: tf.sin(x) * tf.exp(y))
    tf.gradients(f(x, y), [x, y])

    @layers.recompute_grad(use_data_dep=True, tupleize_grads=True)
    def g(x, is_recomputing=False):
        return tf.exp(x) if is_recomputing else tf.exp(x, name='first')
    tf.gradients(g(x), x)


def computed_again_with_variables():
    x = tf.placeholder(tf.float32, [3, 2])

    @layers.recompute_grad
    def f(x):
        return tf.nn.relu(tf.matmul(x, tf.get_variable('w', [2, 2])))
    with tf.variable_scope('net', use_resource=True):
        y = f(x)
    tf.gradients(y, [x] + tf.trainable_variables())


def targets():
    features, logits = {'w': tf.placeholder(tf.int32, [None])}, tf.placeholder(tf.float32, [None, 1])
    for i, made in enumerate((layers.regression_target(weight_column_name='w'), layers.regression_target(), layers.multi_class_target(2, weight_column_name='w'))):
        with tf.variable_scope('t%d' % i):
            labels = tf.placeholder(tf.float32 if i < 2 else tf.int32, [None])
            made.training_loss(logits, labels, features), made.loss(logits, labels, features), made.logits_to_predictions(logits)
            metrics = {'mean': tf.contrib.metrics.streaming_mean_squared_error} if i < 2 else {('right', 'classes'): tf.contrib.metrics.streaming_accuracy}
            made.get_eval_ops(features, logits, labels, metrics)
    many = layers.multi_class_target(3)
    logits, labels = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int64, [None, 1])
    many.training_loss(logits, labels, {}), many.logits_to_predictions(logits, proba=True), many.logits_to_predictions(logits)


def columns_of_sequences_before():
    words = layers.sparse_column_with_hash_bucket('words', 10)
    weighted = layers.weighted_sparse_column(words, 'weights')
    columns = [layers.embedding_column(words, 3), layers.one_hot_column(layers.sparse_column_with_integerized_feature('ids', 5)), layers.real_valued_column('x', 2),
               layers.embedding_column(weighted, 2)]
    features = {'words': tf.sparse_placeholder(tf.string, [4, 6]), 'weights': tf.sparse_placeholder(tf.float32, [4, 6]), 'ids': tf.sparse_placeholder(tf.int64, [4, 6, 2]),
                'x': tf.placeholder(tf.float32, [4, 6, 2])}
    layers.sequence_input_from_feature_columns(features, columns, weight_collections=['kept'])
    layers.sequence_input_from_feature_columns({'x': tf.placeholder(tf.float32, [4, 6])}, [layers.real_valued_column('x')], scope='own')
    layers.parse_feature_columns_from_sequence_examples(tf.placeholder(tf.string, []), [layers.real_valued_column('y', 2)], columns[:2] + [layers.real_valued_column('z', default_value=0.)], name='parsed')


def columns_scattered():
    columns = [layers.scattered_embedding_column('words', 30, 4, hash_key=layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY), layers.scattered_embedding_column('others', 8, 2, 7, combiner='sum'),
               layers.scattered_embedding_column('more', 8, 2, 7, combiner='sqrtn', initializer=tf.zeros_initializer()), layers.real_valued_column('x', 2)]
    layers.make_place_holder_tensors_for_base_features(columns)
    features = {name: tf.sparse_placeholder(tf.string, [4, 3]) for name in ('words', 'others', 'more')}
    layers.input_from_feature_columns(dict(features, x=tf.placeholder(tf.float32, [4, 2])), columns)


def windows_of_elements():
    data = tf.contrib.data
    numbers = tf.data.Dataset.from_tensor_slices({'a': tf.range(10), 'b': tf.zeros([10, 3])})
    windows = numbers.apply(data.sliding_window_batch(3)).apply(data.sliding_window_batch(2, stride=2)).apply(data.sliding_window_batch(2, window_shift=3, window_stride=2))
    shaped = tf.data.Dataset.from_tensor_slices(tf.placeholder(tf.float32, [4, None])).apply(data.assert_element_shape(tf.TensorShape([5])))
    tf.data.make_initializable_iterator(windows).get_next(), tf.data.make_initializable_iterator(shaped).get_next()
    data.reduce_dataset(tf.data.Dataset.range(5), data.Reducer(lambda _: tf.constant(0, tf.int64), lambda x, y: x + y, lambda x: x))
