"""Feeds that are refused, callables, closed sessions, time that runs out."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import re
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)


def caught(function):
    try:
        result = function()
        print("  no error: %s" % getattr(result, "name", result))
    except Exception as error:
        text = error.message if isinstance(error, tf.errors.OpError) else str(error)
        print("  %s: %s" % (type(error).__name__, re.sub(r"[\w.<>]*<lambda>\(", "<lambda>(", text.split("\n")[0])))


def case(title):
    tf.reset_default_graph()
    print("== " + title)


case("feeds and callables")
s = tf.placeholder(tf.string, name="s")
x = tf.placeholder(tf.float32, [], name="x")
y = tf.multiply(x, 2.0, name="y")
with tf.Session() as sess:
    caught(lambda: sess.run(s, {s: 3}))
    caught(lambda: sess.make_callable("nope"))
    caught(lambda: sess.make_callable(y, x))
    caught(lambda: sess.make_callable(y, ["gone"])(1.0))
    metadata = tf.RunMetadata()
    call = sess.make_callable({"k": y}, [x], accept_options=True)
    print("  %s" % call(3.0, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata))
    print("  traced %s" % any(n.node_name == "y" for d in metadata.step_stats.dev_stats for n in d.node_stats))
    caught(lambda: sess.run(y, {x: 1.0}, options=3))
    print("  %s" % [d.device_type for d in sess.list_devices() if d.device_type == "CPU"])
caught(lambda: sess.make_callable(y)())
caught(lambda: sess.list_devices())
print("  %s %s" % (tf.string.as_numpy_dtype, x.experimental_ref() == x.experimental_ref()))

case("time runs out")
queue = tf.FIFOQueue(2, [tf.int32])
taken = queue.dequeue()
with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=300)) as sess:
    caught(lambda: sess.run(taken))

case("dtypes and shapes that numpy would take")
x = tf.placeholder(tf.float32, [None, 4], name="x")
i = tf.placeholder(tf.int32, [3], name="i")
for function in [lambda: tf.placeholder("a"), lambda: tf.as_dtype("a"), lambda: tf.cast(x, None), lambda: tf.reshape(x, [3, 5]),
                 lambda: tf.reshape(x, [3, 4]).shape, lambda: tf.one_hot(i, 3, axis=4).shape, lambda: tf.meshgrid(i, indexing="a"),
                 lambda: tf.split(x, tf.placeholder(tf.int32, name="n"), 0), lambda: tf.add_n(x)]:
    caught(function)
