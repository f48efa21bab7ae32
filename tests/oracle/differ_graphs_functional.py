# differ_graphs_functional.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Random functions for differ_graphs.py: calls (tf.function and Defun), If, Case, While and For, with bodies in bodies,
captured values, a variable, errors and gradients, lowered control flow beside functional one.

A block is ([(op, i, j, c, block)], [output]) over a list of float scalars; i, j and outputs count it from its end, round
and round. A graph is (block, v2, fetched gradients): v2 says whether cond and while_loop make functional ops."""

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.eager import function as eager_function
from tensorflow.python.data.experimental.ops import map_defun
from tensorflow.python.framework import function
from tensorflow.python.ops import control_flow_util, functional_ops

from differ_values import pick

TOLERANCE = 5e-5


def checked(env, a, b, c, block):
    with tf.control_dependencies([tf.Assert(a < c + 1.5, [a, 'too large'])]):
        return tf.identity(b)


def random_of(env, a, b, c, block):
    return tf.random.uniform([], seed=c + 1) + a


def changed(env, a, b, c, block):
    return env['variable'].assign_add(tf.tanh(a), read_value=False if c == 3 else True) if c != 3 else env['variable'].read_value()


def inner(env, block, first, outer=()):
    """The value of a block whose list begins with these; sometimes it takes one from outside."""
    return run_block(env, block, list(first) + list(outer))[0]


def called(env, a, b, c, block):
    outer = [a] if c % 2 else []
    f = eager_function.defun(lambda p, q: inner(env, block, [p, q], outer), autograph=False)
    return f(a, b)


def called_defun(env, a, b, c, block):
    @function.Defun(tf.float32, tf.float32)
    def f(p, q):
        return inner(dict(env, variable=None), block, [p, q])
    return f(a, b)


def chosen(env, a, b, c, block):
    return tf.cond(a > c - 1.0, lambda: inner(env, block, [a, b]), lambda: -b)


def both(env, a, b, c, block):
    return tf.cond(b < c, lambda: a * 0.5, lambda: inner(env, block, [b, a]))


def switched(env, a, b, c, block):
    index = tf.cast(tf.floor(a), tf.int32) + c - 1
    return tf.switch_case(index, [lambda: inner(env, block, [a, b]), lambda: a - b, lambda: tf.constant(0.25)])


def looped(env, a, b, c, block):
    return tf.while_loop(lambda i, s: i < c, lambda i, s: (i + 1, tf.tanh(inner(env, block, [s, b])) + tf.cast(i, tf.float32)),
                         [tf.constant(0), a], parallel_iterations=1)[1]


def looped_while(env, a, b, c, block):
    return tf.while_loop(lambda s, t: s < 2.0, lambda s, t: (tf.abs(s) + 0.75, inner(env, block, [t, s])), [a, b],
                         parallel_iterations=1, maximum_iterations=c + 1)[1]


def mapped(env, a, b, c, block):
    return tf.reduce_sum(tf.map_fn(lambda x: inner(env, block, [x, b]), tf.stack([a, b, a + b][:c]), parallel_iterations=1))


def scanned(env, a, b, c, block):
    return tf.scan(lambda s, x: tf.tanh(s) + inner(env, block, [x, s]), tf.stack([a, b]), parallel_iterations=1)[-1]


def rows(env, a, b, c, block):
    f = eager_function.defun(lambda x: inner(env, block, [x]), [tf.TensorSpec([], tf.float32)], autograph=False)
    return tf.reduce_sum(map_defun.map_defun(f, [tf.stack([a, b])], [tf.float32], [[]])[0])


def counted(env, a, b, c, block):
    @function.Defun(tf.int32, tf.float32)
    def body(i, s):
        return tf.tanh(inner(env, block, [s, tf.cast(i, tf.float32)]))
    return functional_ops.For(0, c, 1, [a], body)[0]


def slope(env, a, b, c, block):
    found = tf.gradients(a, [b])[0]
    return found if found is not None else tf.constant(0.5)


OPS = {
    'add': lambda env, a, b, c, block: a + b, 'mul': lambda env, a, b, c, block: tf.tanh(a) * b,
    'sub': lambda env, a, b, c, block: a - b * 0.5, 'max': lambda env, a, b, c, block: tf.maximum(a, b),
    'tanh': lambda env, a, b, c, block: tf.tanh(a), 'const': lambda env, a, b, c, block: tf.constant(c - 1.5),
    'inverse': lambda env, a, b, c, block: tf.check_numerics(1 / tf.floor(a - c), 'odd'),
    'check': checked, 'random': random_of, 'variable': changed, 'call': called, 'defun': called_defun, 'cond': chosen, 'cond2': both,
    'case': switched, 'loop': looped, 'while': looped_while, 'map': mapped, 'scan': scanned, 'rows': rows, 'for': counted, 'slope': slope,
}
PLAIN = ['add', 'mul', 'sub', 'max', 'tanh', 'const', 'inverse', 'check', 'random', 'variable', 'slope']
NESTED = sorted(set(OPS) - set(PLAIN))
# What fails, draws or writes does it in an order: rows are computed at once, so it stands in none of them.
IN_ORDER = {'inverse', 'check', 'random', 'variable'}


def run_block(env, block, values):
    """What a block gives. One op after the other, so that each run goes the same way."""
    pool = list(values)
    before = []
    for op, i, j, c, body in block[0]:
        a, b = pool[-1 - i % len(pool)], pool[-1 - j % len(pool)]
        try:
            with tf.control_dependencies(before):
                made = OPS[op](env, a, b, c, body)
                made = tf.reshape(tf.identity(made), [])
        except (ValueError, TypeError, LookupError, AttributeError, NotImplementedError):
            continue
        pool.append(made)
        before = [made]
    return [pool[-1 - o % len(pool)] for o in block[1]] or pool[-1:]


def draw_block(r, depth, at_once=False):
    body = []
    plain = [op for op in PLAIN if not at_once or op not in IN_ORDER]
    for _ in range(r.randint(1, 4) if depth else r.randint(2, 5)):
        nested = depth < 2 and r.randint(4) == 0 or depth == 0 and r.randint(2)
        op = pick(r, NESTED if nested else plain)
        inside = draw_block(r, depth + 1, at_once or op == 'rows') if nested else ([], [])
        body.append((op, int(r.randint(4)), int(r.randint(4)), int(r.randint(4)), inside))
    return (body, [int(r.randint(3)) for _ in range(2 if depth == 0 else 1)])


def draw(r):
    return (draw_block(r, 0), int(r.randint(3) > 0), int(r.randint(2)))


def build(description):
    block, v2, gradients = description
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = bool(v2)
    x = tf.placeholder(tf.float32, [], name='x')
    y = tf.placeholder(tf.float32, [], name='y')
    variable = tf.Variable(0.5, use_resource=True, name='v')
    found = run_block({'variable': variable}, block, [x, y])
    fetches = [tf.identity(t) for t in found]
    with tf.control_dependencies(fetches):
        fetches.append(variable.read_value())
    if gradients:
        try:
            slopes = [g for g in tf.gradients(found[0], [x, y]) if g is not None]
            with tf.control_dependencies(fetches):
                fetches += [tf.identity(g) for g in slopes]
        except (ValueError, TypeError, LookupError, AttributeError, NotImplementedError):
            pass
    runs = [({}, [], [variable.initializer])]
    for a, b in ((0.5, 1.25), (-1.5, 2.0), (3.25, -0.75)):
        runs.append(({x: np.float32(a), y: np.float32(b)}, fetches, []))
    return runs, 3


def accepted(description, problem):
    return False
