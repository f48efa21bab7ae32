#!/usr/bin/env python3
# record_plans.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Which nodes TensorFlow 1.15.5 keeps of graphs with functional control flow: ../golden/plans.

    python tests/oracle/record_plans.py        (TensorFlow 1.15.5)

Writes NAME.pb and NAME.json.gz: [{"fetches", "targets", "feeds": names, "nodes": sorted names of the graph's own nodes
that are left}], from the partition graphs of runs with all rewrites off."""

import gzip
import json
import os
import warnings

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ['CUDA_VISIBLE_DEVICES'] = ''
warnings.filterwarnings('ignore')

import tensorflow.compat.v1 as tf

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden', 'plans')


def place(name, dtype=tf.float32):
    return tf.placeholder(dtype, [], name=name)


def variable(name):
    return tf.get_variable(name, [], initializer=tf.ones_initializer(), use_resource=True)


def find(*types):
    return [op for op in tf.get_default_graph().get_operations() if op.type in types][0]


def branches():
    """Effects in branches, and what waits for them."""
    x, q = place('x'), place('q', tf.bool)
    a, b, c = variable('a'), variable('b'), variable('c')

    def then():
        with tf.control_dependencies([a.assign_add(x)]):
            return x + b, tf.identity(c)

    y, z = tf.cond(q, then, lambda: (x * c, tf.constant(2.)), name='y')
    up = tf.cond(q, lambda: tf.group(a.assign_add(1.)), tf.no_op, name='up')
    with tf.control_dependencies([find('If', 'StatelessIf')]):
        tf.constant(1., name='after_if')
    with tf.control_dependencies([y]):
        tf.constant(1., name='after_y')
    tf.global_variables_initializer()
    feeds = {'x:0': 1., 'q:0': True}
    yield ['init'], {}
    for ends in ([y.name], [z.name], [y.name, z.name], [up.name], ['after_if:0'], ['after_y:0']):
        yield ends, feeds


def nested():
    """switch_case, a loop in a branch, branches in a branch, and gradients through them."""
    k, x, y, z = place('k', tf.int32), place('x'), place('y'), place('z')
    first, second = tf.switch_case(k, {0: lambda: (x, y), 1: lambda: (y + 1., x), 2: lambda: (tf.constant(1.), z)},
                                   default=lambda: (x * y, tf.constant(0.)), name='sw')
    n = tf.cond(k > 1, lambda: tf.cond(k > 2, lambda: x, lambda: y + z),
                lambda: tf.while_loop(lambda i, a: i < k, lambda i, a: (i + 1, a + z), [0, x])[1], name='n')
    gradients = tf.gradients(n, [x, z])
    feeds = {'k:0': 1, 'x:0': 1., 'y:0': 2., 'z:0': 3.}
    for ends in ([first.name], [second.name], [n.name], [gradients[0].name], [g.name for g in gradients]):
        yield ends, feeds


def loops():
    """Variables of a loop that some outputs need, effects of its body, and what waits for it."""
    n, x, m = place('n', tf.int32), place('x'), place('m')
    v, count, unused = variable('v'), variable('count'), variable('unused')

    def body(i, a, b, c, array):
        with tf.control_dependencies([count.assign_add(1.)]):
            a = a * v
        b = tf.cond(b > m, lambda: b - unused, lambda: b + a)
        return i + 1, a, b, c, array.write(i, c)

    out = tf.while_loop(lambda i, *_: i < n, body, [0, x, x + 1., x * 3., tf.TensorArray(tf.float32, n)], name='w')
    stacked = out[4].stack(name='stacked')
    with tf.control_dependencies([find('While', 'StatelessWhile')]):
        tf.constant(1., name='after')
    with tf.control_dependencies([tf.constant(3., name='before')]):
        short = tf.while_loop(lambda i: i < n, lambda i: i + 2, [0], name='w2', maximum_iterations=5)
    tf.global_variables_initializer()
    feeds = {'n:0': 2, 'x:0': 1., 'm:0': 0.}
    yield ['init'], {}
    for ends in [[t.name] for t in out[:4]] + [[stacked.name], ['after:0'], [short.name], [out[0].name, out[2].name]]:
        yield ends, feeds


def record(make):
    with tf.Graph().as_default() as graph:
        wanted = list(make())
        config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        config.graph_options.optimizer_options.opt_level = -1
        own = {op.name for op in graph.get_operations()}
        runs = []
        with tf.Session(config=config) as session:
            for ends, feeds in wanted:
                metadata = tf.RunMetadata()
                session.run(ends, feeds, tf.RunOptions(output_partition_graphs=True), metadata)
                left = {node.name for part in metadata.partition_graphs for node in part.node}
                runs.append({'fetches': [e for e in ends if ':' in e], 'targets': [e for e in ends if ':' not in e],
                             'feeds': sorted(feeds), 'nodes': sorted(left & own)})
        with open(os.path.join(OUT, make.__name__ + '.pb'), 'wb') as f:
            f.write(graph.as_graph_def().SerializeToString(deterministic=True))
    with open(os.path.join(OUT, make.__name__ + '.json.gz'), 'wb') as f:
        with gzip.GzipFile(filename='', mode='wb', fileobj=f, mtime=0) as z:
            z.write((json.dumps(runs, indent=0, sort_keys=True) + '\n').encode())
    print('%s: %d runs' % (make.__name__, len(runs)))


def main():
    tf.logging.set_verbosity(tf.logging.FATAL)
    tf.enable_control_flow_v2()
    os.makedirs(OUT, exist_ok=True)
    for make in (branches, nested, loops):
        record(make)


if __name__ == '__main__':
    main()
