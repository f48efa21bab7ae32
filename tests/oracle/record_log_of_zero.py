#!/usr/bin/env python3
# record_log_of_zero.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""A training that goes wrong as many do: a cross entropy written by hand, softmax that saturates, log (0).

    python record_log_of_zero.py ../golden/training/log-of-zero

With TensorFlow 1.15.5. The second step makes the first infinity, in loss/Log; from the third on all is NaN.
`expected.json` says in which step TensorFlow finds which tensor to be first.
"""

import json
import os
import sys

import numpy as np
import tensorflow as tf

STEPS = 4


def dense(value, units, name, seed):
    with tf.variable_scope(name):
        w = tf.get_variable('w', [value.shape[1], units], initializer=tf.random_normal_initializer(stddev=2., seed=seed))
        b = tf.get_variable('b', [units], initializer=tf.zeros_initializer())
        return tf.matmul(value, w) + b


def build():
    x = tf.placeholder(tf.float32, [None, 8], name='x')
    y = tf.placeholder(tf.float32, [None, 3], name='y')
    logits = dense(tf.nn.relu(dense(x, 16, 'hidden', 1)), 3, 'out', 2)
    p = tf.nn.softmax(logits, name='p')
    with tf.name_scope('loss'):
        loss = tf.negative(tf.reduce_mean(tf.reduce_sum(y * tf.log(p), axis=1)), name='loss')
    step = tf.train.get_or_create_global_step()
    tf.train.MomentumOptimizer(0.5, 0.9).minimize(loss, global_step=step)
    tf.global_variables_initializer()


def make_feeds():
    random = np.random.RandomState(0)
    feeds = {'x:0@%d' % i: (random.randn(4, 8) * (1 + i * 2)).astype(np.float32) for i in range(STEPS)}
    feeds.update({'y:0@%d' % i: np.eye(3, dtype=np.float32)[random.randint(0, 3, 4)] for i in range(STEPS)})
    return feeds


def find_first(session, feeds):
    """(step, tensor): the first float tensor of the forward part, in the order of the graph, that is not finite."""
    graph = session.graph
    forward = [op.outputs[0] for op in graph.get_operations()
               if op.name.split('/')[0] in ('hidden', 'out', 'loss', 'p') and op.outputs
               and op.outputs[0].dtype == tf.float32
               and not any(part in op.name for part in ('Initializer', 'Momentum', 'Assign'))]
    for i in range(STEPS):
        feed = {'x:0': feeds['x:0@%d' % i], 'y:0': feeds['y:0@%d' % i]}
        values = session.run(forward, feed)
        for tensor, value in zip(forward, values):
            if not np.isfinite(value).all():
                return {'step': i, 'tensor': tensor.name, 'inf': int(np.isinf(value).sum()),
                        'nan': int(np.isnan(value).sum())}
        session.run('Momentum', feed)
    return None


def main():
    os.chdir(sys.argv[1])
    build()
    feeds = make_feeds()
    np.savez('feeds.npz', **feeds)
    tf.train.export_meta_graph('model.meta')
    with tf.Session() as session:
        session.run('init')
        tf.train.Saver().save(session, './init.ckpt', write_meta_graph=False, latest_filename='.state')
        os.remove('.state')
        first = find_first(session, feeds)
    run = {'name': 'train', 'repeat': STEPS, 'fetches': ['loss/loss:0'], 'targets': ['Momentum'],
           'feeds': {name: {'npz': 'feeds.npz', 'key': name + '@{i}'} for name in ('x:0', 'y:0')}}
    predict = {'name': 'predict', 'fetches': ['p:0'], 'feeds': {'x:0': {'npz': 'feeds.npz', 'key': 'x:0@0'}}}
    with open('model.run.json', 'w') as file:
        json.dump({'graph': 'model.meta', 'checkpoint': 'init.ckpt', 'runs': [run, predict]}, file, indent=1)
    with open('expected.json', 'w') as file:
        json.dump(first, file, indent=1)


main()
