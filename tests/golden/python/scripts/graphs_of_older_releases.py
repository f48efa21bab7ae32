"""What is imported may be older than what is made here: then a placeholder of no dimensions is one of any shape."""
import tensorflow as tf


def written_by(producer, min_consumer=0):
    graph_def = tf.GraphDef()
    graph_def.versions.producer = producer
    graph_def.versions.min_consumer = min_consumer
    node = graph_def.node.add(name='p', op='Placeholder')
    node.attr['dtype'].type = tf.float32.as_datatype_enum
    node.attr['shape'].shape.SetInParent()
    return graph_def


for producer in (134, 22, 21, 9, 0):
    with tf.Graph().as_default() as graph:
        before = tf.placeholder(tf.float32, [], name='before')
        tf.import_graph_def(written_by(producer), name='')
        after = tf.placeholder(tf.float32, [], name='after')
        p = graph.get_tensor_by_name('p:0')
        print(producer, before.shape, p.shape, after.shape, tf.add(p, 1.).shape, graph.as_graph_def().versions.producer)
        with tf.Session() as sess:
            try:
                print(sess.run(p, {p: [1., 2.]}))
            except ValueError as error:
                print(error)
with tf.Graph().as_default() as graph:
    for producer, min_consumer in ((100, 3), (24, 12), (120, 0)):
        tf.import_graph_def(written_by(producer, min_consumer))
        print(graph.graph_def_versions.producer, graph.graph_def_versions.min_consumer)
    meta = tf.train.export_meta_graph()
    print(meta.graph_def.versions.producer, meta.graph_def.versions.min_consumer)
with tf.Graph().as_default() as graph:
    w = tf.get_variable('w', [], initializer=tf.zeros_initializer())
    x = tf.placeholder(tf.float32, [], name='x')
    y = tf.add(x, w, name='y')
    with tf.Session() as sess:
        sess.run(w.initializer)
        frozen = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ['y'])
    print('frozen', frozen.versions.producer, tf.graph_util.extract_sub_graph(graph.as_graph_def(), ['y']).versions.producer)
with tf.Graph().as_default() as graph:
    x, y = tf.import_graph_def(frozen, name='', return_elements=['x:0', 'y:0'])
    print(x.shape, y.shape)
