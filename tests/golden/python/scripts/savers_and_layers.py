"""Savers that are refused or asked for numbers of other kinds; layers by names of initializers, and what they say of themselves."""
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


import shutil
import tempfile
D = tempfile.mkdtemp()
case("savers")
a = tf.get_variable("a", initializer=[1.0, 2.0])
b = tf.get_variable("b", initializer=3.0)
caught(lambda: tf.train.Saver({"x": [a, b]}))
caught(lambda: tf.train.Saver({"x": [a, tf.constant(1.0, name="one")]}))
caught(lambda: tf.train.Saver(saver_def=tf.train.SaverDef()))
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("  %s" % os.path.basename(saver.save(sess, D + "/m", global_step=np.int64(4))))
    print("  %s" % [tf.train.checkpoint_exists(D + "/" + k) for k in ["m-4", "m-*", "n-*"]])
    saver.set_last_checkpoints_with_time([(D + "/y", 1.0)])
    print("  %s" % [os.path.basename(c) for c in saver.last_checkpoints])
shutil.rmtree(D)

case("layers")
x = tf.placeholder(tf.float32, [None, 4], name="x")
y = tf.layers.dense(x, 2, kernel_initializer="zeros", bias_initializer="ones")
caught(lambda: tf.layers.dense(x, 2, kernel_initializer="nope"))
layer = tf.layers.Dense(3, name="d", kernel_regularizer=tf.reduce_sum, activity_regularizer=tf.reduce_mean)
layer(x)
print("  %s" % [t.name for t in layer.get_losses_for(x)])
print("  %d %d" % (len(layer.get_losses_for(None)), len(layer.losses)))
caught(lambda: layer.output)
caught(lambda: tf.layers.Dense(3, name="e").input)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("  %s" % sess.run(y, {x: np.ones([1, 4])}).tolist())
