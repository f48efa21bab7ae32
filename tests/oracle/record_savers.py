#!/usr/bin/env python3
# record_savers.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Savers that take all variables, some, some under other names, and parts: what each leaves out.

    python record_savers.py ../golden/models

With TensorFlow 1.15.5. Writes savers.meta and savers.txt: the save op of each Saver, and the variables not in its list.
"""

import os
import sys

import tensorflow as tf


def main():
    os.chdir(sys.argv[1])
    a = tf.get_variable('a', [2])
    b = tf.get_variable('b', [3], use_resource=True)
    parts = tf.get_variable('parts', [4, 2], partitioner=tf.fixed_size_partitioner(2))
    with tf.variable_scope('s'):
        c = tf.get_variable('c', [], tf.int32, initializer=tf.zeros_initializer())
    everything = list(a.graph.get_collection('variables'))
    lists = [everything, [a, c], {'old/name': b, 'a': c}, list(parts), {'parts': parts}]
    left_out = {}
    for wanted in lists:
        saver = tf.train.Saver(wanted)
        kept = []
        for item in wanted.values() if isinstance(wanted, dict) else wanted:
            kept += list(item) if not isinstance(item, (tf.Variable, tf.compat.v1.Variable)) else [item]
        names = {v.op.name for v in kept}
        save = saver.saver_def.save_tensor_name.split('/')[0] + '/SaveV2'
        left_out[save] = sorted(v.op.name for v in everything if v.op.name not in names)
    tf.train.export_meta_graph('savers.meta')
    with open('savers.txt', 'w') as file:
        for save in sorted(left_out):
            file.write(' '.join([save] + left_out[save]) + '\n')


main()
