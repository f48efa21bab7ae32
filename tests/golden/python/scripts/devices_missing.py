"""Devices that are not there: who says so, and when another one will do."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import re
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)


def shown(text):
    return re.sub(r" \(defined at [^)]*\) ", "", text)


def attempt(title, build, **config):
    tf.reset_default_graph()
    fetch = build()
    try:
        with tf.Session(config=tf.ConfigProto(**config)) as sess:
            print("%s %s: %s" % (title, sorted(config), sess.run(fetch)))
    except tf.errors.OpError as error:
        print("%s %s: %s %s" % (title, sorted(config), type(error).__name__, shown(error.message)))


def placed(device):
    def build():
        with tf.device(device):
            value = tf.negative(tf.constant(1.0), name="value")
        return value
    return build


def beside():
    with tf.device("/gpu:0"):
        for i in range(3):
            tf.negative(tf.placeholder_with_default(1.0, [], name="p%d" % i), name="n%d" % i)
    return tf.constant(3.0)


print("== an op of its own")
for device in ["/gpu:0", "/device:GPU:1", "/cpu:1", "/job:worker/task:0", "/device:TPU:0", "/task:1", "/cpu:0",
               "/job:localhost/replica:0/task:0/device:CPU:0", "/device:cpu:0", "/cpu:*"]:
    attempt(device, placed(device))
    attempt(device, placed(device), allow_soft_placement=True)

print("== it need not run")
attempt("beside", beside)
attempt("beside", beside, allow_soft_placement=True)

print("== more processors")
attempt("/cpu:1", placed("/cpu:1"), device_count={"CPU": 2})
attempt("/cpu:2", placed("/cpu:2"), device_count={"CPU": 2})
with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2, "GPU": 0})) as sess:
    for device in sess.list_devices():
        print("  %s %s %d" % (device.name, device.device_type, device.memory_limit_bytes))

print("== what a session has run it goes on with, until the graph has such an op")
tf.reset_default_graph()
one = tf.constant(1.0, name="one")
with tf.Session() as sess:
    print(sess.run(one))
    with tf.device("/gpu:0"):
        tf.negative(one, name="late")
    for _ in range(2):
        try:
            print(sess.run(one))
        except tf.errors.InvalidArgumentError as error:
            print("  %s on %s" % (type(error).__name__, error.op and error.op.name))

print("== names of devices")
for text in ["/device:cpu:0", "/CPU:0", "/job:a/replica:1/task:2/gpu:3", "/gpu", "/cpu:*"]:
    tf.reset_default_graph()
    with tf.device(text):
        print("  %s -> %s" % (text, tf.constant(1).device))
