"""Messages that are only looked at, queues with names in an order of their own, and functions of numpy in a graph."""
import shutil
import tempfile
import threading

import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.python.tools import freeze_graph, saved_model_utils, strip_unused_lib


folder = tempfile.mkdtemp()


def told(function, *arguments, **named):
    try:
        result = function(*arguments, **named)
        print("  gives %s" % (getattr(result, "name", result),))
    except Exception as error:
        text = getattr(error, "message", str(error)).replace(folder, "FOLDER")
        print("  %s: %s" % (type(error).__name__, text.split("\nTraceback")[0].split("\n\t")[0]))


print("== messages")
event = tf.Event(step=3, session_log=tf.SessionLog(status=tf.SessionLog.CHECKPOINT))
print(len(event.summary.value), event.WhichOneof("what"), event.HasField("summary"), event.session_log.status)
event.summary.value.add(tag="made", simple_value=1.)
print(len(event.summary.value), event.WhichOneof("what"), event.session_log.status)
config = tf.ConfigProto()
print(list(config.session_inter_op_thread_pool), list(config.gpu_options.experimental.virtual_devices),
      config.HasField("gpu_options"))
node = tf.NodeDef(name="n")
print(sorted(node.attr), len(node.attr["a"].list.s), node.attr["a"].HasField("list"))
node.attr["a"].list.s.append(b"x")
print(node.attr["a"].WhichOneof("value"))
told(text_format.Parse, 'node { nme: "x" }', tf.GraphDef())

print("== queues")
queue = tf.FIFOQueue(4, [tf.int32, tf.float32], shapes=[[], [2]], names=["i", "f"], name="q")
put, take = queue.enqueue({"f": [1., 2.], "i": 7}), queue.dequeue()
print(put.name, queue.names, sorted((k, v.name, v.shape.as_list()) for k, v in take.items()))
told(queue.enqueue, {"i": 1})
told(queue.enqueue, {"i": 1, "f": [1.]})
told(tf.PriorityQueue, 4, [tf.string], [[]], ["only"])
with tf.Session() as session:
    session.run(put)
    print(sorted((k, v.tolist()) for k, v in session.run(take).items()))
coordinator = tf.train.Coordinator()
coordinator.register_thread(threading.Thread(target=print, name="never"))
release = threading.Event()
waiting = threading.Thread(target=release.wait, name="waits")
waiting.daemon = True
waiting.start()
coordinator.request_stop()
told(coordinator.join, [waiting], stop_grace_period_secs=0.2)
release.set()

print("== fed by parts")
slices = tf.IndexedSlices(tf.constant([[1.]]), tf.constant([0]), tf.constant([1, 1]))
with tf.Session() as session:
    told(lambda: session.run(slices.values, {slices: (np.array([[7.]], "f"), [0])}).tolist())

print("== functions of numpy")
told(tf.py_func, np.square, [tf.constant([1., 2.])], tf.float32)
with tf.Session() as session:
    told(lambda: session.run(tf.py_func(lambda: np.array([u"a", u"b\xe9"]), [], tf.string)))
    told(lambda: session.run(tf.py_func(lambda: np.array([u"a", u"b"]), [], tf.string)).tolist())
    told(lambda: session.run(tf.py_func(lambda: [u"a", u"b\xe9"], [], tf.string)).tolist())

print("== shapes and editing")
print(tf.strings.unsorted_segment_join(tf.constant(["a", "b", "c"]), [1, 0, 1], 3, ":").shape)
a, b = tf.constant(1., name="a"), tf.constant(2., name="b")
total, product = tf.add(a, a), tf.multiply(b, a)
print(tf.contrib.graph_editor.reroute_ts([b], [a]), [t.name for t in total.op.inputs], [t.name for t in product.op.inputs])

print("== saved and stripped")
tf.reset_default_graph()
x = tf.placeholder(tf.float32, [None, 1], "x")
y = tf.identity(x * tf.get_variable("w", initializer=[[2.]]), name="y")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    tf.saved_model.simple_save(session, folder + "/model", {"x": x}, {"y": y})
    prefix = tf.train.Saver().save(session, folder + "/check")
print(saved_model_utils.get_saved_model_tag_sets(folder + "/model"))
print(sorted(saved_model_utils.get_meta_graph_def(folder + "/model", "serve").signature_def))
told(saved_model_utils.get_meta_graph_def, folder + "/model", "serve,gpu")
predictor = tf.contrib.predictor.from_saved_model(folder + "/model", "no such signature")
print(predictor.feed_tensors, predictor.fetch_tensors)
graph_def = tf.get_default_graph().as_graph_def()
told(strip_unused_lib.strip_unused, graph_def, ["none"], ["y"], tf.float32.as_datatype_enum)
told(strip_unused_lib.strip_unused, graph_def, ["x:0"], ["y"], tf.float32.as_datatype_enum)
told(freeze_graph.freeze_graph, folder + "/none", "", True, prefix, "y", "", "", "", True, "")
shutil.rmtree(folder)
