# Functional control flow that is lowered reads what is dead: only what comes of that in its functions is dead too. Loops
# wait with their constants for the first variable.
import tensorflow as tf

tf.enable_control_flow_v2()

x = tf.placeholder(tf.float32, [], name='x')
p = tf.placeholder(tf.bool, [], name='p')
q = tf.placeholder(tf.bool, [], name='q')
session = tf.Session()


def say(title, fetches):
    for fetch in fetches:
        for feed in [(True, True), (True, False), (False, True), (False, False)]:
            try:
                print(title, feed, session.run(fetch, {x: 2.0, p: feed[0], q: feed[1]}))
            except tf.errors.OpError as e:
                print(title, feed, type(e).__name__, e.message.split('\n')[0])


off, on = tf.raw_ops.Switch(data=x, pred=p)


def either():
    return tf.raw_ops.Merge(inputs=[on * 2.0, off * 3.0])[0]


one = tf.cond(q, lambda: on * 2.0, lambda: x + 1.0)
say('one', [one] + list(tf.raw_ops.Merge(inputs=[one, off])))
say('three', tf.cond(q, lambda: [on, x, on + off], lambda: [x, off, tf.constant(3.0)]))
say('merged', [tf.cond(q, either, lambda: -x)])
say('nested', [tf.cond(q, lambda: tf.cond(x > 1.0, either, lambda: on), lambda: tf.cond(x > 1.0, lambda: off, either))])
say('case', [tf.switch_case(tf.cast(x, tf.int32), [lambda: x, lambda: x, lambda: either() + on])])
with tf.control_dependencies([on + 0.0]):
    say('after', [tf.cond(q, lambda: x, lambda: -x)])

i, a, b = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: [i + 1, a + x, either() + b], [tf.constant(0), on, x])
say('loop', [i, b])
say('read', tf.while_loop(lambda i, a: a < 9.0, lambda i, a: [i + 1, a + on], [tf.constant(0), x])[1:])
say('untouched', tf.while_loop(lambda i, a, b: i < 2, lambda i, a, b: [i + 1, a + x, b], [tf.constant(0), x, on])[1:])
say('condition', tf.while_loop(lambda i, a: i < 2.0, lambda i, a: [i + 1.0, a + x], [on, x]))
say('midway', tf.while_loop(lambda i, a, b: i < 2, lambda i, a, b: [i + 1, b, a + off], [tf.constant(0), x, x])[1:2])
