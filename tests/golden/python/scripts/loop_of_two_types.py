"""A loop whose variable comes back as another type: the graph is made and written, no session takes it."""
import tensorflow as tf


def caught(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, str(error).split('\n')[0])


changed = tf.while_loop(lambda v: v < 3, lambda v: tf.cast(v, tf.float32), [0])
one = tf.constant(1, name='one')
meta = tf.train.export_meta_graph()
print([node.name for node in meta.graph_def.node])
print([list(node.input) for node in meta.graph_def.node if node.op == 'Merge'])
print(len(tf.get_default_graph().as_graph_def(add_shapes=True).node))
with tf.Session() as sess:
    caught(lambda: sess.run(changed))
    caught(lambda: sess.run(one))
with tf.Graph().as_default():
    caught(lambda: tf.train.import_meta_graph(meta))
    caught(lambda: len(tf.get_default_graph().get_operations()))
