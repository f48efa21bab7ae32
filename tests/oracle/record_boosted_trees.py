#!/usr/bin/env python3
# record_boosted_trees.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Graphs of TensorFlow 1.15.5's canned estimators of boosted trees, and what they compute over some steps.

    python tests/oracle/record_boosted_trees.py

writes ../golden/training/boosted-classifier and boosted-regressor: the graph, a checkpoint before the first step, the
runs, and the values that TensorFlow fetches in them. The classifier has buckets given, centers its bias and prunes;
the regressor finds its buckets first."""

import json
import os
import shutil
import tempfile

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')

import numpy as np
import tensorflow as tf
import tensorflow.compat.v1 as tf1

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, '..', 'golden', 'training')
STEPS = 6


def data():
    random = np.random.RandomState(3)
    x = {k: random.normal(size=[40]).astype('float32') for k in ('x0', 'x1', 'y')}
    return tf1.data.Dataset.from_tensors((x, (x['x0'] + x['y'] > 0).astype('int32'))).repeat()


def estimator(kind, folder):
    column = tf.feature_column.numeric_column
    buckets = [tf.feature_column.bucketized_column(column(k), [0., 1., 2.]) for k in ('x0', 'x1')]
    if kind == 'classifier':
        return tf.estimator.BoostedTreesClassifier(buckets, 1, n_trees=3, max_depth=2, center_bias=True,
                                                   pruning_mode='post', tree_complexity=0.01, model_dir=folder)
    return tf.estimator.BoostedTreesRegressor(buckets + [column('y')], 1, n_trees=3, max_depth=2, model_dir=folder)


def record(kind):
    to = os.path.join(GOLDEN, 'boosted-' + kind)
    shutil.rmtree(to, ignore_errors=True)
    os.makedirs(to)
    work = tempfile.mkdtemp()
    estimator(kind, work).train(data, steps=1)
    for name, new in (('meta', 'model.meta'), ('index', 'init.ckpt.index'),
                      ('data-00000-of-00001', 'init.ckpt.data-00000-of-00001')):
        shutil.copy(os.path.join(work, 'model.ckpt-0.' + name), os.path.join(to, new))
    shutil.rmtree(work)
    with tf.Graph().as_default() as graph:
        saver = tf1.train.import_meta_graph(os.path.join(to, 'model.meta'))
        ops = graph.get_operations()
        make = [o.name for o in ops if o.type == 'MakeIterator']
        train = [o.name for o in ops if o.type == 'If'][-1]
        states = [o for o in ops if o.type == 'BoostedTreesGetEnsembleStates'][0].name
        predict = [o for o in ops if o.type == 'BoostedTreesTrainingPredict'][0].name
        fetches = ['head/weighted_loss/value:0', predict + ':0']
        ends = [states + ':%d' % i for i in range(5)]
        runs = [{'name': 'restore', 'targets': ['save/restore_all'], 'feeds': {'save/Const:0': {'value': 'init.ckpt'}}},
                {'name': 'iterator', 'targets': make}]
        expected, doc = {}, []
        with tf1.Session() as session:
            saver.restore(session, os.path.join(to, 'init.ckpt'))
            session.run(make)
            for i in range(STEPS):
                values = session.run({'fetches': fetches, 'train': graph.get_operation_by_name(train)})['fetches']
                runs.append({'name': 'step%d' % i, 'fetches': fetches, 'targets': [train]})
                doc.append({'name': 'step%d' % i, 'fetches': {f: '%s@%d' % (f, i) for f in fetches}})
                expected.update(('%s@%d' % (f, i), v) for f, v in zip(fetches, values))
            runs.append({'name': 'end', 'fetches': ends})
            doc.append({'name': 'end', 'fetches': {f: f + '@end' for f in ends}})
            expected.update((f + '@end', v) for f, v in zip(ends, session.run(ends)))
    np.savez(os.path.join(to, 'expected.npz'), **expected)
    for name, what in (('flowstep.run.json', {'graph': 'model.meta', 'runs': runs}),
                       ('run.json', {'recorded_by': 'tests/oracle/record_boosted_trees.py', 'tensorflow': tf.__version__,
                                     'tolerance': {'rtol': 1e-5, 'atol': 1e-6, 'keys': {}}, 'runs': doc})):
        with open(os.path.join(to, name), 'w') as f:
            json.dump(what, f, indent=1, sort_keys=True)
            f.write('\n')


if __name__ == '__main__':
    for k in ('classifier', 'regressor'):
        record(k)
