#!/usr/bin/env python3
# record_datasets.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Input pipelines as TensorFlow 1.15.5's Python makes them, with functions and files, and the elements
that they give.

    python tests/oracle/record_datasets.py

Writes ../golden/datasets: `pipelines.pb.gz`, one graph with all of them; the files that they read;
`pipelines.json`: {"tensorflow", "pipelines": [{"name", "init": op or null, "fetches": [tensor],
"n": elements recorded, "ends": whether the end comes after them, "error": {"code", "message"}
instead}]}; `pipelines.npz`: element k of pipeline P, component i, as "P/k/i"; strings as "#len" and
"#data". Names of files are relative to the folder."""

import gzip
import io
import json
import os
import sys
import zipfile

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ.setdefault('CUDA_VISIBLE_DEVICES', '')
os.environ['TZ'] = 'UTC'

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.data.experimental.ops import (batching, distribute, error_ops, grouping, interleave_ops, map_defun, readers,
                                                      scan_ops, take_while_ops, unique)
from tensorflow.python.data.ops import multi_device_iterator_ops
from tensorflow.python.eager import function

# Before cases_reader, which goes to a folder of its own.
HERE = os.path.dirname(os.path.abspath(__file__))

from cases_reader import record_file, zipped  # noqa: E402

OUT = os.path.join(HERE, '..', 'golden', 'datasets')
# Elements recorded of pipelines without end.
MOST = 24

tf.disable_v2_behavior()
D = tf.data.Dataset
PIPELINES = []


def pipeline(function):
    PIPELINES.append(function)
    return function


# --- files --------------------------------------------------------------------------------------

def write_files():
    with open('lines.txt', 'wb') as f:
        f.write(b'first line\nsecond\n\nfourth\r\nlast')
    with open('more.txt', 'wb') as f:
        f.write(b'5\n6\n7\n')
    with open('table.csv', 'wb') as f:
        f.write(b'id,name,score,n\n1,ann,0.5,10\n2,"b, ob",1.5,20\n3,"say ""hi""",,30\n')
    with open('bad.csv', 'wb') as f:
        f.write(b'1,x\ntwo,y\n3,z\n')
    for name, kind, start in (('a.tfrecord', '', 0), ('b.tfrecord.gz', 'GZIP', 3), ('c.tfrecord.z', 'ZLIB', 5)):
        data = record_file(*[example(i).SerializeToString(deterministic=True) for i in range(start, start + 3)])
        with open(name, 'wb') as f:
            f.write(zipped(data, kind) if kind else data)


def example(i):
    return tf.train.Example(features=tf.train.Features(feature={
        'x': tf.train.Feature(float_list=tf.train.FloatList(value=[i, i / 2.0])),
        'label': tf.train.Feature(int64_list=tf.train.Int64List(value=[i % 3])),
        'words': tf.train.Feature(bytes_list=tf.train.BytesList(value=[b'w%d' % k for k in range(i % 3)]))}))


# --- pipelines ----------------------------------------------------------------------------------

@pipeline
def map_square():
    return D.range(5).map(lambda x: x * x)


@pipeline
def map_two_components():
    return D.from_tensor_slices((np.arange(4, dtype='float32'), np.arange(8).reshape(4, 2))).map(
        lambda a, b: (a + 1, tf.reduce_sum(b), tf.as_string(a)))


@pipeline
def map_captured():
    w = tf.constant([1.0, 10.0])
    return D.range(3).map(lambda x: w * tf.cast(x, tf.float32))


@pipeline
def map_parallel():
    return D.range(7).map(lambda x: x + 100, num_parallel_calls=3)


@pipeline
def map_fails_in_the_middle():
    return D.range(5).map(lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x - 2, tf.float32), 'no'))


@pipeline
def map_cond_and_while():
    def f(x):
        y = tf.cond(x > 2, lambda: x * 10, lambda: -x)
        return tf.while_loop(lambda i, s: i < x, lambda i, s: (i + 1, s + i), [tf.constant(0, tf.int64), y])[1]
    return D.range(5).map(f)


@pipeline
def map_defun_rows():
    def rows(x):
        f = function.defun(lambda a, b: (a * b, tf.reduce_sum(a)), [tf.TensorSpec([2], tf.float32), tf.TensorSpec([], tf.float32)])
        return map_defun.map_defun(f, [x, tf.range(3.0)], [tf.float32, tf.float32], [[2], []])
    return D.from_tensors(np.arange(6, dtype='float32').reshape(3, 2)).repeat(2).map(rows)


@pipeline
def map_defun_captured():
    w = tf.constant([5, 6], tf.int64)
    f = function.defun(lambda a: tf.concat([w, [a]], 0), [tf.TensorSpec([], tf.int64)])
    return D.range(6).batch(4).map(lambda x: map_defun.map_defun(f, [x], [tf.int64], [[None]]))


@pipeline
def map_defun_of_nothing():
    f = function.defun(lambda a: tf.stack([a, a]), [tf.TensorSpec([], tf.int64)])
    return D.from_tensors(np.zeros([0], 'int64')).map(lambda x: map_defun.map_defun(f, [x], [tf.int64], [[2]]))


@pipeline
def map_defun_other_rows():
    f = function.defun(lambda a, b: a + b, [tf.TensorSpec([], tf.int64)] * 2)
    return D.range(3).batch(3).map(lambda x: map_defun.map_defun(f, [x, tf.unique(x[:2]).y], [tf.int64], [[]]))


@pipeline
def filter_even():
    return D.range(9).filter(lambda x: tf.equal(x % 2, 0))


@pipeline
def filter_nothing():
    return D.range(9).filter(lambda x: x > 100)


@pipeline
def flat_map_ranges():
    return D.range(4).flat_map(lambda x: D.range(x).map(lambda y: x * 10 + y))


@pipeline
def flat_map_lines():
    return D.from_tensor_slices(['lines.txt', 'more.txt']).flat_map(tf.data.TextLineDataset)


@pipeline
def interleave_two():
    return D.range(5).interleave(lambda x: D.from_tensors(x).repeat(x + 1), cycle_length=2, block_length=2)


@pipeline
def interleave_more_than_there_are():
    return D.range(3).interleave(lambda x: D.from_tensors(x).repeat(x), cycle_length=9)


@pipeline
def interleave_parallel():
    return D.range(5).interleave(lambda x: D.from_tensors(x).repeat(x + 1), cycle_length=3, block_length=1,
                                 num_parallel_calls=2)


@pipeline
def interleave_more_calls_than_places():
    return D.range(5).interleave(lambda x: D.from_tensors(x).repeat(x + 1), cycle_length=2, num_parallel_calls=3)


@pipeline
def interleave_parallel_without_block():
    return D.range(5).interleave(lambda x: D.from_tensors(x).repeat(x + 1), cycle_length=2, block_length=0, num_parallel_calls=2)


@pipeline
def interleave_old_parallel():
    return D.range(5).apply(interleave_ops.parallel_interleave(lambda x: D.from_tensors(x).repeat(x + 1), cycle_length=2,
                                                               block_length=2, sloppy=False))


@pipeline
def shuffle_batch_repeat():
    return D.range(10).shuffle(5, seed=11).batch(3).repeat(2)


@pipeline
def shuffle_repeat_fused():
    return D.range(6).shuffle(6, seed=5).repeat(3)


@pipeline
def shuffle_repeat_same_each_time():
    return D.range(6).shuffle(4, seed=5, reshuffle_each_iteration=False).repeat(3)


@pipeline
def shuffle_repeat_forever():
    return D.range(4).shuffle(10, seed=3).repeat()


@pipeline
def repeat_shuffle():
    return D.range(5).repeat(3).shuffle(4, seed=9)


@pipeline
def repeat_map_shuffle():
    return D.range(5).map(lambda x: x * 2).shuffle(3, seed=1).map(lambda x: x + 1).repeat(2).batch(4, drop_remainder=True)


@pipeline
def cache_after_shuffle():
    return D.range(5).shuffle(5, seed=2).cache().repeat(2)


@pipeline
def map_and_batch():
    return D.range(7).apply(batching.map_and_batch(lambda x: (x, tf.stack([x, -x])), 3))


@pipeline
def map_then_batch_fused():
    return D.range(7).map(lambda x: x * 3, num_parallel_calls=2).batch(2, drop_remainder=True)


@pipeline
def padded_words():
    return D.range(1, 6).map(lambda x: (tf.fill([x], x), tf.string_split([tf.as_string(x)]).values)).padded_batch(
        2, ([None], [2]), (tf.constant(-1, tf.int64), '?'))


@pipeline
def window_flat():
    return D.range(7).window(3, shift=2).flat_map(lambda w: w.batch(3))


@pipeline
def window_of_two():
    return D.zip((D.range(5), D.range(10, 15))).window(2, drop_remainder=True).flat_map(
        lambda a, b: D.zip((a.batch(2), b.batch(2))))


@pipeline
def zip_concatenate_skip_take_shard():
    a = D.range(10).skip(2).take(6).shard(2, 1)
    return D.zip((a.concatenate(D.range(50, 52)), D.from_tensors('s').repeat()))


@pipeline
def scan_sums():
    return D.range(6).apply(scan_ops.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s * 100 + x)))


@pipeline
def take_while_small():
    return D.range(9).apply(take_while_ops.take_while(lambda x: x < 4))


@pipeline
def group_by_window_parity():
    return D.range(11).apply(grouping.group_by_window(lambda x: x % 2, lambda k, w: w.batch(3), window_size=3))


@pipeline
def group_by_window_sizes():
    return D.range(12).apply(grouping.group_by_window(
        lambda x: x % 3, lambda k, w: w.batch(10).map(lambda v: tf.reduce_sum(v) + k * 1000),
        window_size_func=lambda k: k + 1))


@pipeline
def bucket_by_length():
    return D.from_tensor_slices(np.array([1, 5, 2, 7, 3, 6, 1], 'int64')).map(lambda n: tf.range(n)).apply(
        grouping.bucket_by_sequence_length(lambda x: tf.size(x), [4], [2, 2]))


@pipeline
def ignore_errors():
    return D.range(5).map(lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x - 2, tf.float32), 'no')).apply(
        error_ops.ignore_errors())


@pipeline
def unique_words():
    return D.from_tensor_slices(['a', 'b', 'a', 'c', 'b']).apply(unique.unique())


@pipeline
def unbatch_rows():
    return D.from_tensor_slices(np.arange(12).reshape(2, 3, 2)).apply(batching.unbatch())


@pipeline
def reduce_in_map():
    return D.range(4).map(lambda n: D.range(n + 1).reduce(tf.constant(0, tf.int64), lambda s, x: s + x))


@pipeline
def sparse_slices():
    st = tf.SparseTensor(indices=[[0, 0], [0, 2], [2, 1]], values=[1.0, 2.0, 3.0], dense_shape=[3, 4])
    return D.from_tensor_slices(st).map(lambda s: tf.sparse.to_dense(s))


@pipeline
def random_in_map():
    return D.range(4).map(lambda x: tf.random.uniform([2], seed=4) + 0 * tf.cast(x, tf.float32))


@pipeline
def text_files():
    return tf.data.TextLineDataset(['lines.txt', 'more.txt']).map(tf.strings.length)


@pipeline
def records_plain():
    return tf.data.TFRecordDataset('a.tfrecord').map(parse)


@pipeline
def records_gzip():
    return tf.data.TFRecordDataset('b.tfrecord.gz', compression_type='GZIP').map(parse).batch(2)


@pipeline
def records_zlib():
    return tf.data.TFRecordDataset('c.tfrecord.z', 'ZLIB').shuffle(2, seed=7).map(parse).repeat(2)


def parse(s):
    f = tf.io.parse_single_example(s, {'x': tf.io.FixedLenFeature([2], tf.float32),
                                       'label': tf.io.FixedLenFeature([], tf.int64),
                                       'words': tf.io.VarLenFeature(tf.string)})
    return f['x'], f['label'], tf.sparse.to_dense(f['words'], default_value='')


@pipeline
def records_as_trainers_read_them():
    d = D.list_files('*.tfrecord', shuffle=False).interleave(tf.data.TFRecordDataset, cycle_length=2)
    return d.map(parse, num_parallel_calls=2).map(lambda x, y, w: (x, y)).shuffle(10, seed=3).repeat().batch(2).prefetch(1)


@pipeline
def list_files_shuffled():
    return D.list_files('*.t*', shuffle=True, seed=4)


@pipeline
def csv_columns():
    return readers.CsvDataset('table.csv', [tf.int32, tf.string, tf.constant([-1.0], tf.float32), tf.int64], header=True)


@pipeline
def csv_select():
    return readers.CsvDataset('table.csv', [tf.constant([-1.0], tf.float32), tf.int64], header=True, select_cols=[2, 3])


@pipeline
def csv_bad_number():
    return readers.CsvDataset('bad.csv', [tf.int32, tf.string])


@pipeline
def prefetch_and_options():
    o = tf.data.Options()
    o.experimental_optimization.apply_default_optimizations = False
    return D.range(6).shuffle(3, seed=8).repeat(2).prefetch(2).with_options(o)


@pipeline
def enumerate_and_more():
    return D.from_tensor_slices(['a', 'b', 'c']).apply(tf.data.experimental.enumerate_dataset(start=5))


@pipeline
def sample_from_two():
    return tf.data.experimental.sample_from_datasets([D.range(0, 6), D.range(100, 106)], [0.5, 0.5], seed=3)


@pipeline
def choose_from_two():
    return tf.data.experimental.choose_from_datasets([D.range(0, 3), D.range(100, 103)],
                                                     D.from_tensor_slices(np.array([0, 1, 1, 0, 1, 0], 'int64')))


FEATURES = {'x': tf.io.FixedLenFeature([2], tf.float32), 'label': tf.io.FixedLenFeature([], tf.int64),
            'words': tf.io.VarLenFeature(tf.string)}


@pipeline
def parse_batches():
    d = tf.data.TFRecordDataset('a.tfrecord').batch(2).apply(tf.data.experimental.parse_example_dataset(FEATURES))
    return d.map(lambda f: (f['x'], f['label'], tf.sparse.to_dense(f['words'], default_value='')))


@pipeline
def parse_batches_with_defaults():
    features = {'zz': tf.io.FixedLenFeature([], tf.float32, -1.0), 'aa': tf.io.VarLenFeature(tf.int64),
                'label': tf.io.FixedLenFeature([], tf.int64), 'words': tf.io.FixedLenSequenceFeature([], tf.string, True)}
    d = tf.data.TFRecordDataset('a.tfrecord').batch(3).apply(tf.data.experimental.parse_example_dataset(features, 2))
    return d.map(lambda f: (f['zz'], f['aa'].values, f['aa'].dense_shape, f['label'], f['words']))


@pipeline
def parse_batches_without_it():
    d = tf.data.TFRecordDataset('a.tfrecord').batch(2)
    return d.apply(tf.data.experimental.parse_example_dataset({'no': tf.io.FixedLenFeature([], tf.float32)}))


@pipeline
def parse_damaged():
    return D.from_tensors(['no example']).apply(
        tf.data.experimental.parse_example_dataset({'label': tf.io.FixedLenFeature([], tf.int64)}))


@pipeline
def reduced_by_key():
    reducer = grouping.Reducer(lambda key: (tf.constant(0, tf.int64), key * 100), lambda s, x: (s[0] + 1, s[1] + x),
                               lambda n, total: (n, total))
    return D.range(10).apply(grouping.group_by_reducer(lambda x: -(x % 3), reducer))


@pipeline
def reduced_by_key_with_captured():
    weight = tf.constant([2.0, 3.0])
    reducer = grouping.Reducer(lambda key: tf.zeros([2]), lambda s, x: s + weight * tf.cast(x, tf.float32),
                               lambda s: (tf.as_string(s), s - weight))
    return D.range(7).apply(grouping.group_by_reducer(lambda x: (x * 5) % 4, reducer)).repeat(2)


@pipeline
def reduced_strings_of_growing_shape():
    reducer = grouping.Reducer(lambda key: tf.constant([], tf.string), lambda s, w: tf.concat([s, [w]], 0), lambda s: s)
    return D.from_tensor_slices(['a', 'bb', 'c', 'dd', 'eee']).apply(
        grouping.group_by_reducer(lambda w: tf.cast(tf.strings.length(w), tf.int64), reducer))


@pipeline
def reduced_nothing():
    reducer = grouping.Reducer(lambda key: key, lambda s, x: s + x, lambda s: s)
    return D.range(0).apply(grouping.group_by_reducer(lambda x: x, reducer))


@pipeline
def reduced_fails():
    reducer = grouping.Reducer(lambda key: key, lambda s, x: tf.cast(tf.debugging.check_numerics(
        1.0 / tf.cast(x - 2, tf.float32), 'no'), tf.int64), lambda s: s)
    return D.range(4).apply(grouping.group_by_reducer(lambda x: x, reducer))


@pipeline
def rebatched():
    return distribute._RebatchDataset(D.range(19).batch(8), 2)


@pipeline
def rebatched_to_more_than_there_are():
    return distribute._RebatchDataset(D.from_tensor_slices(['a', 'b', 'c', 'd', 'e']).batch(4), 3)


@pipeline
def rebatched_components():
    return distribute._RebatchDataset(D.from_tensors((np.arange(12).reshape(6, 2), np.arange(3), np.zeros([0, 4], 'float32'))), 4)


@pipeline
def devices_take_turns():
    return multi_device_iterator_ops.MultiDeviceIterator(D.range(8).map(lambda x: (x, x * x)), ['/cpu:0', '/cpu:0'])


@pipeline
def devices_left_over():
    return multi_device_iterator_ops.MultiDeviceIterator(D.from_tensor_slices(['a', 'b', 'c', 'd', 'e', 'f', 'g']),
                                                         ['/cpu:0'] * 3, max_buffer_size=3, prefetch_buffer_size=2)


@pipeline
def devices_that_shuffle():
    return multi_device_iterator_ops.MultiDeviceIterator(D.range(12).shuffle(5, seed=2).repeat(2).batch(3), ['/cpu:0'] * 2,
                                                         prefetch_buffer_size=0)


# --- recording ----------------------------------------------------------------------------------

def record(session, name, init, fetches, arrays):
    entry = {'name': name, 'init': init.name if init is not None else None, 'fetches': [t.name for t in fetches], 'n': 0,
             'ends': False}
    try:
        if init is not None:
            session.run(init)
        while entry['n'] < MOST:
            got = session.run(fetches)
            for i, value in enumerate(got):
                put(arrays, '%s/%d/%d' % (name, entry['n'], i), value)
            entry['n'] += 1
    except tf.errors.OutOfRangeError as e:
        entry['ends'] = True
    except tf.errors.OpError as e:
        entry['error'] = {'code': e.error_code, 'message': e.message.split('\n')[0]}
    return entry


def put(arrays, key, value):
    value = np.asarray(value, object) if isinstance(value, bytes) else np.asarray(value)
    if value.dtype == object:
        arrays[key + '#len'] = np.array([len(x) for x in value.ravel()], 'int64').reshape(value.shape)
        arrays[key + '#data'] = np.frombuffer(b''.join(value.ravel().tolist()), 'uint8')
    else:
        arrays[key] = value


def save_npz(path, arrays):
    """As numpy.savez_compressed, but the same bytes each time."""
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as z:
        for key in sorted(arrays):
            raw = io.BytesIO()
            np.lib.format.write_array(raw, arrays[key], allow_pickle=False)
            z.writestr(zipfile.ZipInfo(key + '.npy', (1980, 1, 1, 0, 0, 0)), raw.getvalue(), zipfile.ZIP_DEFLATED)


def main():
    if not os.path.isdir(OUT):
        os.makedirs(OUT)
    os.chdir(OUT)
    write_files()
    arrays = {}
    entries = []
    graph = tf.Graph()
    with graph.as_default():
        tf.set_random_seed(87654321)
        made = []
        for make in PIPELINES:
            for one_shot in (False, True):
                name = make.__name__ + ('_one_shot' if one_shot else '')
                if one_shot and (make.__name__ in ('map_captured', 'reduced_by_key_with_captured')
                                 or make.__name__.startswith('devices_') or len(made) % 3 == 2):
                    continue
                with tf.name_scope(name):
                    d = make()
                    if isinstance(d, multi_device_iterator_ops.MultiDeviceIterator):
                        it = d
                    else:
                        it = tf.data.make_one_shot_iterator(d) if one_shot else tf.data.make_initializable_iterator(d)
                    got = it.get_next()
                    flat = [t for t in tf.nest.flatten(got)]
                made.append((name, None if one_shot else it.initializer, flat))
        with tf.Session() as session:
            for name, init, fetches in made:
                entries.append(record(session, name, init, fetches, arrays))
    with open('pipelines.pb.gz', 'wb') as raw:
        with gzip.GzipFile(filename='', mode='wb', fileobj=raw, mtime=0) as f:
            f.write(graph.as_graph_def().SerializeToString(deterministic=True))
    save_npz('pipelines.npz', arrays)
    with open('pipelines.json', 'w') as f:
        json.dump({'tensorflow': tf.__version__, 'recorded_by': 'tests/oracle/record_datasets.py', 'pipelines': entries}, f,
                  indent=1, sort_keys=True)
        f.write('\n')
    print('%d pipelines, %d elements, %d fail' % (len(entries), sum(e['n'] for e in entries),
                                                  sum('error' in e for e in entries)))


if __name__ == '__main__':
    main()
