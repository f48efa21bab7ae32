import os, shutil, tempfile
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import graph_util
tf.logging.set_verbosity(tf.logging.ERROR)
folder = tempfile.mkdtemp()
x = tf.placeholder(tf.float32, [None, 2], name='x')
w = tf.Variable([[1.], [2.]], name='w')
b = tf.get_variable('b', [1], initializer=tf.constant_initializer(.5))
h = tf.identity(tf.matmul(x, w) + b, name='h')
drop = tf.nn.dropout(h, keep_prob=tf.placeholder_with_default(1.0, [], name='keep'))
y = tf.nn.sigmoid(drop, name='y')
loss = tf.reduce_sum(y)
train = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    saver.save(sess, os.path.join(folder, 'm.ckpt'))
    tf.train.write_graph(sess.graph_def, folder, 'graph.pbtxt', as_text=True)
    print(tf.train.write_graph(sess.graph.as_graph_def(), folder, 'graph.pb', as_text=False).replace(folder, 'F'))
    frozen = graph_util.convert_variables_to_constants(sess, sess.graph_def, ['y'])
    print([(n.name, n.op) for n in frozen.node])
    sub = tf.graph_util.extract_sub_graph(sess.graph_def, ['h'])
    print([n.name for n in sub.node])
    print([n.name for n in tf.graph_util.remove_training_nodes(sub).node])
    with tf.gfile.GFile(os.path.join(folder, 'frozen.pb'), 'wb') as f:
        f.write(frozen.SerializeToString())
    print(sess.run(y, {x: [[1., 2.]]}))
with tf.gfile.GFile(os.path.join(folder, 'frozen.pb'), 'rb') as f:
    gd = tf.GraphDef()
    gd.ParseFromString(f.read())
with tf.Graph().as_default() as g:
    out, = tf.import_graph_def(gd, return_elements=['y:0'], name='imp')
    print(out, [o.name for o in g.get_operations()])
    with tf.Session() as s:
        print(s.run(out, {'imp/x:0': [[1., 2.]]}))
with tf.Graph().as_default() as g:
    new_x = tf.constant([[3., 4.]], name='new')
    r = tf.import_graph_def(gd, input_map={'x:0': new_x}, return_elements=['y', 'h:0'])
    print(r)
    with tf.Session() as s:
        print(s.run(r[1]))
    for kw in (dict(input_map={'nope:0': new_x}), dict(return_elements=['nope:0']), dict(name='')):
        try:
            print(tf.import_graph_def(gd, **kw))
        except Exception as e:
            print(type(e).__name__, str(e).split('\n')[0])
from tensorflow.python.tools import freeze_graph, optimize_for_inference_lib
freeze_graph.freeze_graph(os.path.join(folder, 'graph.pbtxt'), '', False, os.path.join(folder, 'm.ckpt'), 'y', 'save/restore_all', 'save/Const:0', os.path.join(folder, 'f2.pb'), True, '')
gd2 = tf.GraphDef()
with open(os.path.join(folder, 'f2.pb'), 'rb') as f:
    gd2.ParseFromString(f.read())
print([(n.name, n.op) for n in gd2.node])
opt = optimize_for_inference_lib.optimize_for_inference(gd2, ['x'], ['y'], tf.float32.as_datatype_enum)
print([(n.name, n.op, list(n.input)) for n in opt.node])
from google.protobuf import text_format
gd3 = tf.GraphDef()
with open(os.path.join(folder, 'graph.pbtxt')) as f:
    text_format.Merge(f.read(), gd3)
print(len(gd3.node), gd3.versions.producer, gd3 == tf.get_default_graph().as_graph_def() if False else '')
try:
    graph_util.convert_variables_to_constants(None, gd3, ['nope'])
except AssertionError as e:
    print(e)
shutil.rmtree(folder)
