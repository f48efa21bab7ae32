# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sessions that log the placement of ops: the devices, and all ops each time the graph has grown."""

import tensorflow as tf

a = tf.constant(1., name="a")
v = tf.Variable(a, name="v")
with tf.device("/cpu:0"):
    kept = tf.Variable(a, name="kept", use_resource=True)
looped = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
x = tf.placeholder(tf.float32, [2], name="x")
print("before")
session = tf.Session(config=tf.ConfigProto(log_device_placement=True, allow_soft_placement=True, device_count={"CPU": 2}))
print("made")
session.run(tf.global_variables_initializer())
with tf.device("/gpu:0"):
    b = v + 2.
with tf.device("/cpu:1"):
    c = tf.identity(b, name="c")
    tf.no_op(name="nothing")
print(session.run(c))
print(session.run([c, looped]))
left, right = tf.split(tf.random_uniform([4]), 2)
print(session.run(left).shape)
number = tf.data.Dataset.range(3).map(lambda n: n + 1).make_one_shot_iterator().get_next()
print(session.run(number))
with tf.Session(graph=tf.Graph(), config=tf.ConfigProto(log_device_placement=True)) as session:
    halves = tf.floor_div(tf.constant([5, 7]), 2), tf.floordiv(tf.constant([5, 7]), 2), tf.floor_div(4, 2)
    print([each.op.name for each in halves], session.run(halves))
with tf.Session(config=tf.ConfigProto(log_device_placement=False, allow_soft_placement=True)) as session:
    print(session.run(tf.constant(2)))
