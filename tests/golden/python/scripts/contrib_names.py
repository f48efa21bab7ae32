# Small modules of tf.contrib: the ops that each function makes, and what they give.
import glob
import os
import tempfile

import numpy as np
import tensorflow as tf


def listed(make):
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        fetched = make()
        for op in graph.get_operations():
            print(op.name, op.type, [i.name for i in op.inputs], sorted(c.name for c in op.control_inputs), op.device)
        if fetched is not None:
            with tf.Session() as sess:
                sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
                for value in sess.run(fetched):
                    print(np.round(value, 4).tolist() if value.dtype.kind == "f" else value.tolist())
    print("--")


def staging():
    area = tf.contrib.staging.StagingArea([tf.float32, tf.int32], shapes=[[2], []], names=["a", "b"], capacity=3)
    area.put({"a": tf.constant([1., 2.]), "b": tf.constant(3)})
    got = area.get()
    print(sorted(got), got["a"].shape, area.name, area.capacity)
    area.size()
    area.peek(0)
    area.clear()
    for wrong in (lambda: area.put([1]), lambda: area.put({"c": 1}), lambda: area.put({"a": tf.constant([1])}),
                  lambda: tf.contrib.staging.StagingArea([tf.int32], shapes=[]),
                  lambda: tf.contrib.staging.StagingArea([tf.int32], shared_name=3)):
        try:
            wrong()
        except ValueError as error:
            print(error)


def cells():
    x = tf.constant(np.arange(6, dtype=np.float32).reshape(2, 3) / 6)
    gru = tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell(2, kernel_initializer=tf.constant_initializer(0.1))
    lstm = tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell(2)
    with tf.variable_scope("rnn", initializer=tf.constant_initializer(0.2)):
        a, _ = gru(x, tf.ones([2, 2]))
        b, _ = lstm(x, lstm.zero_state(2, tf.float32))
    return [a, b]


def lookups():
    words = tf.constant(["a", "c", "b"])
    return [tf.contrib.lookup.string_to_index(words, ["a", "b"]),
            tf.contrib.lookup.index_to_string(tf.constant([1, 0, 5], tf.int64), tf.constant(["x", "y"]))]


def dropped():
    x = tf.constant([[1., -2., 3.]])
    logits, labels = tf.constant([[1., 2., 3.]]), tf.constant([[0., 1., 0.]])
    return [tf.contrib.nn.alpha_dropout(x, 1.0), tf.contrib.nn.nth_element(x, 1),
            tf.contrib.nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(logits, labels),
            tf.contrib.nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(logits, tf.constant([1]))]


for make in (staging, cells, lookups, dropped):
    listed(make)
with tf.Graph().as_default():
    tf.contrib.nn.alpha_dropout(tf.ones([2]), 0.5, seed=3)
    print([op.name for op in tf.get_default_graph().get_operations()])
    try:
        tf.contrib.nn.alpha_dropout(tf.ones([2]), 0.)
    except ValueError as error:
        print(error)

with tf.Graph().as_default() as graph:
    tf.contrib.deprecated.scalar_summary("loss", 1.5)
    tf.contrib.deprecated.histogram_summary("hist", [1., 2.])
    merged = tf.contrib.deprecated.merge_all_summaries()
    print([(op.name, op.type) for op in graph.get_operations()])
    with tf.Session() as sess:
        print([value.tag for value in tf.Summary.FromString(sess.run(merged)).value])

folder = tempfile.mkdtemp()
with tf.Graph().as_default() as graph:
    step = tf.train.get_or_create_global_step()
    writer = tf.contrib.summary.create_file_writer(folder, flush_millis=1, name="w")
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        tf.contrib.summary.scalar("loss", tf.constant(2.5))
        with tf.name_scope("deep"):
            tf.contrib.summary.histogram("weights", tf.constant([1., 2., 3.]))
            tf.contrib.summary.generic("plain", tf.constant([1, 2]), step=7)
        with tf.contrib.summary.record_summaries_every_n_global_steps(2):
            tf.contrib.summary.scalar("rarely", tf.constant(1.))
        with tf.Session(graph=graph) as sess:
            sess.run(tf.global_variables_initializer())
            tf.contrib.summary.initialize(session=sess)
            sess.run(tf.contrib.summary.all_summary_ops())
            sess.run(tf.assign(step, 3))
            sess.run(tf.contrib.summary.all_summary_ops())
            sess.run(writer.flush())
    for op in graph.get_operations():
        print(op.name, op.type, [i.name for i in op.inputs], sorted(c.name for c in op.control_inputs), op.device)
    print(sorted(key for key in graph.get_all_collection_keys()))
found = sorted((event.step, value.tag) for path in glob.glob(os.path.join(folder, "*"))
               for event in tf.train.summary_iterator(path) for value in event.summary.value)
print(found)
print(tf.contrib.summary.eval_dir("a"), tf.contrib.summary.eval_dir("a", "b"))
try:
    tf.contrib.summary.initialize()
except RuntimeError as error:
    print(error)
