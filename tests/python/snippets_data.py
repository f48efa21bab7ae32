# snippets_data.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.data.experimental; oracle/record_snippets.py records what TensorFlow 1.15.5 makes of each."""

import os
import tempfile

import tensorflow.compat.v1 as tf

data = tf.data.experimental


def _next(dataset):
    return dataset.make_initializable_iterator().get_next()


def scanned():
    _next(tf.data.Dataset.range(4).apply(data.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s * x))))
    _next(tf.data.Dataset.from_tensor_slices({'a': [1., 2.]}).apply(
        data.scan((0., tf.zeros([1])), lambda s, x: ((s[0] + x['a'], tf.concat([s[1], [x['a']]], 0)), s[0]))))


def taken_while():
    limit = tf.placeholder(tf.int64, [], name='limit')
    _next(tf.data.Dataset.range(9).apply(data.take_while(lambda x: x < limit)).apply(data.unique()).apply(
        data.ignore_errors()))


def windows():
    _next(tf.data.Dataset.range(9).apply(data.group_by_window(lambda x: x % 2, lambda key, xs: xs.batch(4), window_size=4)))
    _next(tf.data.Dataset.range(9).apply(data.group_by_window(
        lambda x: x % 2, lambda key, xs: xs.map(lambda x: x + key), window_size_func=lambda key: key + 2)))


def buckets():
    words = tf.data.Dataset.range(9).map(lambda n: (tf.range(n), tf.cast(n, tf.float32)))
    _next(words.apply(data.bucket_by_sequence_length(lambda x, n: tf.shape(x)[0], [3, 5], [2, 2, 2])))
    _next(words.apply(data.bucket_by_sequence_length(lambda x, n: tf.shape(x)[0], [30], [2, 3],
                                                     pad_to_bucket_boundary=True, drop_remainder=True)))


def buckets_of_one_length():
    _next(tf.data.Dataset.range(9).map(lambda n: tf.fill([n % 2], n)).apply(
        data.bucket_by_sequence_length(lambda x: tf.shape(x)[0], [1], [4, 2], no_padding=True)))


def chosen():
    parts = [tf.data.Dataset.from_tensors(float(i)).repeat() for i in range(3)]
    _next(data.choose_from_datasets(parts, tf.data.Dataset.range(3).repeat(2)))
    _next(data.sample_from_datasets(parts, seed=3))
    _next(data.sample_from_datasets(parts, weights=[0.5, 0.25, 0.25]))
    weights = tf.data.Dataset.from_tensors([0.5, 0.25, 0.25]).repeat()
    _next(data.sample_from_datasets(parts, weights=weights, seed=1))


def counted():
    _next(data.Counter().take(3))
    _next(data.Counter(5, -2, tf.int32).take(3))
    _next(data.RandomDataset(7).batch(2))
    data.cardinality(tf.data.Dataset.range(3))


def sparse_rows():
    _next(tf.data.Dataset.range(1, 7).map(lambda n: tf.fill([n], n)).apply(data.dense_to_sparse_batch(2, [8])))


def options():
    some = data.Optional.from_value((tf.constant(1.), tf.constant([2, 3])))
    some.has_value(name='has')
    some.get_value()
    data.Optional.none_from_structure(some.value_structure).has_value()
    found = data.get_next_as_optional(tf.data.Dataset.range(2).make_initializable_iterator())
    tf.cond(found.has_value(), lambda: found.get_value(), lambda: tf.constant(-1, tf.int64))


def examples():
    features = {'x': tf.FixedLenFeature([2], tf.float32), 'n': tf.FixedLenFeature([], tf.int64, default_value=3),
                'v': tf.VarLenFeature(tf.string)}
    records = tf.data.TFRecordDataset(['a', 'b']).batch(2)
    _next(records.apply(data.parse_example_dataset(features)))
    _next(data.make_batched_features_dataset('/nowhere/*', 4, features, label_key='n', num_epochs=2, shuffle_seed=1))
    _next(data.make_batched_features_dataset('/nowhere/*', 4, {'x': features['x']}, shuffle=False, num_epochs=1,
                                             reader=tf.data.TextLineDataset, reader_num_threads=2))


def csv():
    with tempfile.TemporaryDirectory(prefix='flowstep-csv-') as folder:
        path = os.path.join(folder, 'a.csv')
        with open(path, 'w') as file:
            file.write('a,b,c,d\n1,2.5,x,5000000000\n,3,y,1\n')
        kept = os.getcwd()
        os.chdir(folder)
        try:
            _next(data.make_csv_dataset('a.csv', 2, label_name='c', shuffle_seed=3))
            _next(data.make_csv_dataset('a.csv', 2, select_columns=['d', 'a'], num_epochs=1, shuffle=False,
                                        ignore_errors=True))
            _next(data.make_csv_dataset(['a.csv'], 2, column_names=['p', 'q', 'r', 's'], num_epochs=3,
                                        column_defaults=[tf.int32, tf.float32, tf.constant(['?']), tf.int64]))
        finally:
            os.chdir(kept)


def sync_replicas():
    x = tf.placeholder(tf.float32, [None, 2], name='x')
    w = tf.get_variable('w', [2, 1])
    rows = tf.gather(tf.get_variable('e', [5, 2]), tf.placeholder(tf.int32, [3], name='i'))
    step = tf.train.get_or_create_global_step()
    average = tf.train.ExponentialMovingAverage(0.9, step)
    opt = tf.train.SyncReplicasOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 3, 4, average, [w])
    opt.minimize(tf.reduce_sum(tf.matmul(x, w)) + tf.reduce_sum(rows), global_step=step)
    opt.get_init_tokens_op()
    opt.make_session_run_hook(True, 2).begin()


def names_elsewhere():
    rows = tf.sparse.SparseTensor([[0, 1]], [2.], [3, 4])
    tf.io.serialize_sparse(rows)
    tf.io.deserialize_many_sparse(tf.io.serialize_many_sparse(rows), tf.float32)
    tf.nn.depthwise_conv2d_backprop_input([1, 4, 4, 2], tf.ones([2, 2, 2, 1]), tf.ones([1, 3, 3, 2]), [1, 1, 1, 1], 'VALID')
    tf.nn.depthwise_conv2d_backprop_filter(tf.ones([1, 4, 4, 2]), [2, 2, 2, 1], tf.ones([1, 3, 3, 2]), [1, 1, 1, 1], 'VALID')
    assert tf.errors.exception_type_from_error_code(5) is tf.errors.NotFoundError
    assert tf.errors.error_code_from_exception_type(tf.errors.InvalidArgumentError) == tf.errors.INVALID_ARGUMENT
    tf.sparse.SparseConditionalAccumulator(tf.float32, [2, 3]).num_accumulated()
    assert issubclass(tf.errors.NotFoundError, tf.OpError)
