#!/usr/bin/env python3
# record_events.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Records tests/golden/events: an event file of every kind of event, and what TensorFlow reads from it.

Run with TensorFlow 1.15: python record_events.py
"""

import os
import sys

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.summary import summary_iterator

tf.disable_v2_behavior()
OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "events")
NAME = "events.out.tfevents.1700000000.recorded"


def event(step, **what):
    return tf.Event(wall_time=1700000000.0 + step / 4, step=step, **what)


def scalar_tensor(tag, value):
    summary = tf.Summary()
    one = summary.value.add(tag=tag)
    one.tensor.CopyFrom(tf.make_tensor_proto(value))
    one.metadata.plugin_data.plugin_name = "scalars"
    one.metadata.display_name = "Shown as"
    one.metadata.summary_description = "A tensor of one number"
    return summary


def write(folder):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None], name="x")
        w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(x - w), name="loss")
        train = tf.train.GradientDescentOptimizer(0.125).minimize(loss, name="train")
        merged = tf.summary.merge([
            tf.summary.scalar("loss_summary", loss),
            tf.summary.histogram("x_summary", x),
            tf.summary.image("picture", tf.reshape(x, [1, 2, 2, 1])),
            tf.summary.text("words", tf.as_string(loss)),
            tf.summary.tensor_summary("whole", tf.reshape(x, [2, 2])),
        ])
        writer = tf.summary.FileWriter(folder, graph=graph)
        writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), 1)
        with tf.Session(graph=graph) as sess:
            sess.run(tf.global_variables_initializer())
            metadata = tf.RunMetadata()
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            for step in list(range(1, 6)) + [4, 5, 6]:
                feed = {x: np.arange(4, dtype=np.float32) + step}
                summary, _ = sess.run([merged, train], feed, options=options, run_metadata=metadata)
                parsed = tf.Summary.FromString(summary)
                writer.add_event(event(step, summary=parsed))
                writer.add_event(event(step, summary=scalar_tensor("tensor_scalar", float(step) / 2)))
            writer.add_run_metadata(metadata, "step6", 6)
            nans = tf.Summary()
            nans.value.add(tag="strange", simple_value=float("nan"))
            nans.value.add(tag="strange", simple_value=float("inf"))
            writer.add_event(event(7, summary=nans))
        writer.add_session_log(tf.SessionLog(status=tf.SessionLog.CHECKPOINT, checkpoint_path="/m/model.ckpt-6"), 6)
        writer.close()


def read(path):
    """What TensorFlow's own iterator gives: (what | scalar | other, name, step, value)."""
    for one in summary_iterator.summary_iterator(path):
        yield "what", one.WhichOneof("what"), one.step, ""
        for value in one.summary.value:
            kind = value.WhichOneof("value")
            if kind == "simple_value":
                yield "scalar", value.tag, one.step, repr(value.simple_value)
            elif kind == "tensor" and value.tag == "tensor_scalar":
                yield "scalar", value.tag, one.step, repr(float(tf.make_ndarray(value.tensor)))
            elif kind == "histo":
                yield "histo", value.tag, one.step, repr(value.histo.sum)
            else:
                yield kind, value.tag, one.step, ""


def main():
    os.makedirs(OUT, exist_ok=True)
    folder = os.path.join(OUT, "new")
    write(folder)
    (name,) = os.listdir(folder)
    path = os.path.join(OUT, NAME)
    os.replace(os.path.join(folder, name), path)
    os.rmdir(folder)
    with open(os.path.join(OUT, "events.tsv"), "w") as f:
        for row in read(path):
            f.write("\t".join(str(column) for column in row) + "\n")


if __name__ == "__main__":
    sys.exit(main())
