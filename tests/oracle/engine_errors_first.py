# engine_errors_first.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Which of several ops that fail is named: for record_engine_errors.py. With no more than eight that wait for nothing this
is no chance."""

import numpy as np
import tensorflow.compat.v1 as tf

from engine_errors_state import _p, _ref, _res

F = tf.float32
o = np.ones


def first_of_two_variables(c):
    w, b = _ref(c, run=False), _ref(c, name='b', run=False)
    c.run(w * 2. + b)


def first_of_three_resources(c):
    c.run(tf.add_n([_res(c, name=n, run=False).read_value() for n in 'abc']))


def first_is_a_later_variable(c):
    x = _p('x', F, [2])
    c.run(x * _ref(c, run=False) + _ref(c, name='b', run=False))


def first_is_a_later_placeholder(c):
    w = _ref(c, run=False)
    c.run(w * _p('x', F, [2]))


def first_of_two_assertions(c):
    c.run(tf.image.pad_to_bounding_box(_p('x', F, [None, None, None, 3]), 0, 0, 4, 4), {'x:0': o([1, 5, 6, 3])})


def first_of_a_metric(c):
    value, update = tf.metrics.mean(_p('x', F, [None]))
    c.run(update, {'x:0': [1., 2.]})


def first_of_parts(c):
    with tf.variable_scope('p', partitioner=tf.fixed_size_partitioner(2), use_resource=False):
        w = tf.get_variable('w', [4, 2], initializer=tf.ones_initializer())
    c.run(tf.concat([v.value() for v in w], 0))


def first_of_a_cell(c):
    cell = tf.nn.rnn_cell.BasicRNNCell(2)
    y, _ = cell(_p('x', F, [1, 2]), _p('h', F, [1, 2]))
    c.run(y, {'x:0': [[1., 2.]], 'h:0': [[0., 0.]]})


def first_in_a_deeper_branch(c):
    x = _p('x', F, [2])
    y = tf.reduce_sum(tf.check_numerics(tf.log(x), 'left')) + tf.reduce_sum(tf.check_numerics(tf.sqrt(tf.exp(x) - 9.), 'right'))
    c.run(y, {'x:0': [-1., 1.]})
