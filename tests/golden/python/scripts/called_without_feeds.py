import re
import threading
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
# functions of sessions: what they say of errors, and what of Python's own errors reaches a script


def clean(text):
    text = re.sub(r'\n  File "[^"]*", line \d+.*(\n    .*)?', '', text.split('\n\nOriginal stack')[0])
    return re.sub(r'\(defined at [^)]*\)', '(defined)', text)


def say(function, *arguments):
    try:
        print(function(*arguments))
    except (tf.errors.OpError, TypeError, KeyError) as error:
        op = getattr(error, 'op', None)
        print(type(error).__name__, repr(clean(str(error))).replace('BaseSession.make_callable.<locals>.', ''), op and op.name)


x = tf.placeholder(tf.float32, [], name='x')
d = tf.placeholder_with_default(0., [], name='d')
y = tf.check_numerics(1. / x, 'x is zero', name='y')
z = tf.check_numerics(1. / d, 'd is zero', name='z')
sess = tf.Session()
for fetches in (z, z.op, [z, d], x, {'z': z}):
    say(sess.make_callable(fetches))
say(sess.make_callable(y, [x]), 0.)
say(sess.make_callable(y, [x]))
say(sess.make_callable(d), 1.)
say(sess.make_callable(d, accept_options=True))
print([sess.make_callable(f, l).__name__ for f, l in ((d, None), (d.op, None), ([d], None), (d, [x]))])
late = sess.make_callable(d)
sess.close()
say(late)

queue = tf.FIFOQueue(2, tf.float32, [[]])
runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.check_numerics(1. / d, 'never', name='checked'))])
coord = tf.train.Coordinator()
with tf.Session() as sess:
    threads = runner.create_threads(sess, coord, start=True)
    coord.wait_for_stop()
    say(coord.join, threads)


def fails(value):
    raise KeyError('no %s' % value)


with tf.Session() as sess:
    say(sess.run, tf.py_func(fails, [1.], tf.float32, name='py'))
    for item in ([1, 2], [1., 2., 3.], 'abc'):
        data = tf.data.Dataset.from_generator(lambda: iter([item]), (tf.int32), [3])
        try:
            print(sess.run(data.make_one_shot_iterator().get_next()))
        except tf.errors.InvalidArgumentError as error:
            print([line for line in clean(error.message).split('\n') if not line.startswith('ValueError: inv')][:2])

    data = tf.data.Dataset.from_generator(lambda: iter([[1, 2]]), tf.int32, [3])
    say(sess.run, data.make_one_shot_iterator().get_next())
