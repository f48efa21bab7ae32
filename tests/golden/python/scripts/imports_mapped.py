"""Imports whose inputs are mapped, whose elements are asked for, and which are refused."""
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


inner = tf.Graph()
with inner.as_default():
    a = tf.placeholder(tf.float32, [2], name="a")
    b = tf.placeholder_with_default([1.0, 2.0], [2], name="b")
    c = tf.add(a, b, name="c")
    with tf.colocate_with(c):
        tf.identity(c, name="d")
    tf.split(c, 2, name="e")
text = inner.as_graph_def()

case("maps")
x = tf.constant([5.0, 6.0], name="x")
print("  %s" % [t.name for t in tf.import_graph_def(text, {"a": x, "c:0": x}, ["c:0", "e:1", "d"], name="i")])
print("  %s" % [t.name for t in tf.import_graph_def(text, {"a": [3.0, 4.0]}, ["c:0", "a"], name="values")])
print("  %s" % [op.name for op in tf.get_default_graph().get_operations() if "_inputs" in op.name])
caught(lambda: tf.import_graph_def(text, {"a": [3.0, 4.0]}, name=""))
caught(lambda: tf.import_graph_def(text, [x]))
caught(lambda: tf.import_graph_def(text, {1: x}))
caught(lambda: tf.import_graph_def(text, {"a:x": x}))
caught(lambda: tf.import_graph_def(text, {"a:0:0": x}))
caught(lambda: tf.import_graph_def(text, {"a": tf.no_op(name="other")}))
caught(lambda: tf.import_graph_def(text, {"a": inner.get_tensor_by_name("b:0")}))
caught(lambda: tf.import_graph_def(text, return_elements=["e:x"]))
caught(lambda: tf.import_graph_def(text, return_elements=[3]))
caught(lambda: tf.import_graph_def(text, name=3))

case("graphs that are wrong")


def changed(change):
    copy = tf.GraphDef()
    copy.CopyFrom(text)
    change(copy)
    caught(lambda: tf.import_graph_def(copy))


def beside(copy):
    node = [n for n in copy.node if n.name == "d"][0]
    node.attr["_class"].list.s[:] = [b"loc:@gone"]


changed(beside)
changed(lambda copy: setattr(copy.node[0].attr["extra"], "i", 3))
changed(lambda copy: setattr(copy.versions, "min_consumer", 9999))
changed(lambda copy: copy.versions.bad_consumers.append(134))
print("  producer %d" % inner.graph_def_versions.producer)
