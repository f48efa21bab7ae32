# Of functional control flow a run takes what leads to what it fetches, in TensorFlow that lowers it first: what else the
# functions would read need not be fed, and what else they do is not done.
import tensorflow as tf

tf.enable_control_flow_v2()


def say(session, fetches, feed_dict=None):
    try:
        print(session.run(fetches, feed_dict))
    except tf.errors.OpError as e:
        print(type(e).__name__, e.message.split('\n')[0])


p = tf.placeholder(tf.bool, name='p')
x = tf.placeholder(tf.float32, name='x')
y = tf.placeholder(tf.float32, [], name='y')
v = tf.get_variable('v', initializer=1.0, use_resource=True)

one, two = tf.cond(p, lambda: (x + 1, y * 2), lambda: (x - 1, y * 3))
outer, inner = tf.cond(p, lambda: tf.cond(y > 1, lambda: (x, y), lambda: (-x, -y)), lambda: (x * 10, y * 10))
_, a, b = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a + x, b * y), [0, x, y])
_, c, d = tf.while_loop(lambda i, c, d: i < 3, lambda i, c, d: (i + 1, c + d, d * y), [0, x, y])


def counted():
    with tf.control_dependencies([v.assign_add(1.0)]):
        return tf.identity(x), tf.identity(y)


def refused():
    with tf.control_dependencies([tf.debugging.Assert(y > 100, ['too small', y])]):
        return tf.identity(x), x * y


left, right = tf.cond(p, counted, refused)
case = tf.switch_case(tf.cast(x, tf.int32), [lambda: (x, y), lambda: (x + y, y), lambda: (x * x, x)])
grads = tf.gradients(one, [x, y])

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for t in (True, False):
        say(session, one, {p: t, x: 5.0})
        say(session, two, {p: t, y: 5.0})
        say(session, [one, two], {p: t, x: 1.0})
        say(session, inner, {p: t, y: 2.0})
        say(session, outer, {p: t, x: 2.0, y: 0.5})
        say(session, left, {p: t, x: 2.0, y: 200.0})
        say(session, right, {p: t, x: 2.0, y: 3.0})
        say(session, v)
        say(session, grads[0], {p: t, x: 3.0})
    say(session, a, {x: 2.0})
    say(session, b, {y: 2.0})
    say(session, c, {x: 2.0, y: 3.0})
    say(session, d, {y: 3.0})
    say(session, c, {x: 2.0})
    for i in range(3):
        say(session, case[0], {x: float(i)})
        say(session, case[1], {x: float(i)})
        say(session, case[1], {x: float(i), y: 7.0})
