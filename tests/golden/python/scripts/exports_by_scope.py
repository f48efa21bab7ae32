import tensorflow as tf, numpy as np
# parts of graphs out and in again
g = tf.Graph()
with g.as_default():
    x = tf.placeholder(tf.float32, [None, 2], name='x')
    with tf.variable_scope('enc'):
        w = tf.get_variable('w', initializer=[[1., 2.], [3., 4.]]); h = tf.nn.relu(tf.matmul(x, w), name='h')
    with tf.variable_scope('dec'):
        u = tf.get_variable('u', initializer=[[1.], [1.]]); y = tf.matmul(h, u, name='y')
    tf.add_to_collection('ends', y); tf.add_to_collection('words', 'hello'); tf.add_to_collection('numbers', 3)
    saver = tf.train.Saver()
    with tf.Session() as s:
        s.run(tf.global_variables_initializer()); s.run(w.assign_add(tf.ones([2, 2]))); saver.save(s, './m')
part = tf.train.export_meta_graph(graph=g, export_scope='enc')
print([n.name for n in part.graph_def.node]); print(sorted(part.collection_def)); print([n.input for n in part.graph_def.node if n.op == 'MatMul'])
tf.reset_default_graph()
z = tf.placeholder(tf.float32, [None, 2], name='z')
try: tf.train.import_meta_graph(part, import_scope='new')
except ValueError as e: print(e)
s2 = tf.train.import_meta_graph(part, import_scope='new', input_map={'$unbound_inputs_x': z})
print([v.name for v in tf.global_variables()], s2 is None)
with tf.Session() as s:
    s.run(tf.global_variables_initializer()); print(s.run('new/h:0', {z: [[1., 1.]]}))
tf.reset_default_graph()
s3 = tf.train.import_meta_graph('m.meta', import_scope='imported'); s4 = tf.train.import_meta_graph('m.meta', clear_devices=True)
print([v.name for v in tf.global_variables()], tf.get_collection('ends'), tf.get_collection('words'), tf.get_collection('numbers'))
with tf.Session() as s:
    s4.restore(s, './m'); print(s.run('dec/y:0', {'x:0': [[1., 1.]]}))
    try: print(s.run('imported/dec/y:0', {'imported/x:0': [[1., 1.]]}))
    except tf.errors.FailedPreconditionError as e: print(e.message.splitlines()[0].split(" imported/")[0])
    s3.restore(s, './m'); print(s.run('imported/dec/y:0', {'imported/x:0': [[1., 1.]]}))
gd = tf.get_default_graph().as_graph_def()
const = tf.graph_util.convert_variables_to_constants
with tf.Session() as s:
    s4.restore(s, './m'); frozen = const(s, gd, ['dec/y']); print([n.op for n in frozen.node], [n.name for n in tf.graph_util.extract_sub_graph(gd, ['enc/h']).node])
tf.reset_default_graph()
a, b = tf.import_graph_def(frozen, input_map={'x': tf.constant([[2., 0.]])}, return_elements=['dec/y:0', 'enc/h'], name='f')
with tf.Session() as s: print(s.run(a), b.name, b.type)
for f in (lambda: tf.import_graph_def(frozen, input_map={'nope:0': a}), lambda: tf.import_graph_def(frozen, return_elements=['nope']), lambda: tf.import_graph_def(frozen, return_elements=['x:7']), lambda: tf.import_graph_def('x'),
          lambda: tf.import_graph_def(frozen, input_map={'x:0': tf.constant(['s'])}), lambda: tf.train.import_meta_graph('none.meta'), lambda: tf.graph_util.extract_sub_graph(frozen, ['q'])):
    try: f()
    except Exception as e: print(type(e).__name__, str(e).splitlines()[0])
from tensorflow.python.framework import meta_graph
tf.reset_default_graph()
with tf.name_scope('one'): v = tf.Variable(1., name='v'); t = v + 1.
print(sorted(meta_graph.copy_scoped_meta_graph('one', 'two')), [v.name for v in tf.global_variables()])
tf.io.write_graph(frozen, 'out', 'f.pbtxt') if hasattr(tf.io, 'write_graph') else tf.train.write_graph(frozen, 'out', 'f.pbtxt')
from google.protobuf import text_format
print(len(text_format.Parse(open('out/f.pbtxt').read(), tf.GraphDef()).node))
