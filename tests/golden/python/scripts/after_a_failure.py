# An op that fails ends a run, and all that does not come of it executes before the run is over: what it leaves behind in
# variables, tables of calls and summaries is there.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [], name='x')
v = [tf.get_variable('v%d' % i, initializer=0.0) for i in range(8)]
checked = tf.check_numerics(tf.log(x), 'log')
asserted = tf.Assert(x > 0, ['not above 0', x])
gathered = tf.gather(tf.constant([1.0, 2.0]), tf.cast(x, tf.int32))


def calls(value):
    print('called with', float(value))
    if value < 0:
        raise ValueError('below 0')
    return np.float32(value)


called = tf.py_func(calls, [x], tf.float32)
called.set_shape([])
counted = tf.assign_add(v[0], 1.0)
after = tf.assign_add(v[1], tf.identity(x) * 2.0 + 1.0)
with tf.control_dependencies([after]):
    later = tf.assign_add(v[2], v[1] * 1.0)
depends = tf.assign_add(v[3], checked)
with tf.control_dependencies([asserted]):
    held = tf.assign_add(v[4], 1.0)
looped = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + x), [0, 0.0])[1]
from_loop = tf.assign_add(v[5], looped)
failing_loop = tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, tf.check_numerics(s / tf.cast(2 - i, tf.float32), 'round')), [0, x])[1]
branch = tf.cond(x > 0, lambda: tf.assign_add(v[6], 1.0), lambda: tf.assign_sub(v[6], 1.0))
two_failing = tf.group(checked, asserted, failing_loop)

everything = [checked, asserted, counted, after, later, depends, held, from_loop, failing_loop, branch]

with tf.Session() as session:
    session.run(tf.global_variables_initializer())

    def attempt(fetches, value):
        try:
            print(session.run(fetches, {x: value}))
        except tf.errors.OpError as e:
            print(type(e).__name__, e.message.split('\n')[0])
        print([float(a) for a in session.run(v)])

    attempt([counted, checked], -1.0)
    attempt([depends, later], -1.0)
    attempt([held, after], -2.0)
    attempt([gathered, counted], 7.0)
    attempt([called, counted], -3.0)
    attempt([called, depends, after], -3.0)
    attempt([from_loop, asserted], -1.0)
    attempt([failing_loop, later], 1.0)
    attempt([branch, failing_loop], 2.0)
    attempt([branch, asserted], -2.0)
    attempt([counted, after], 1.0)
    with tf.control_dependencies([failing_loop]):
        never = tf.assign_add(v[7], 1.0)
    attempt([never, counted], 3.0)
