"""A MetaGraphDef whose ops have attrs that are not known here: those with their writer's default say nothing."""
import tensorflow as tf


def written_later(value):
    """A graph as a release would write it whose Relu has an attr of its own."""
    with tf.Graph().as_default():
        tf.nn.relu(tf.placeholder(tf.float32, [2], name='x'), name='y')
        meta = tf.train.export_meta_graph()
    for op in meta.meta_info_def.stripped_op_list.op:
        if op.name == 'Relu':
            attr = op.attr.add(name='slope', type='float')
            attr.default_value.f = 0.5
    for node in meta.graph_def.node:
        if node.op == 'Relu':
            node.attr['slope'].f = value
    return meta


for value in (0.5, 0.25):
    with tf.Graph().as_default() as graph:
        try:
            tf.train.import_meta_graph(written_later(value))
            print([op.name for op in graph.get_operations()], sorted(graph.get_operation_by_name('y').node_def.attr))
            with tf.Session() as sess:
                print(sess.run('y:0', {'x:0': [-1., 2.]}))
        except ValueError as error:
            print(str(error).split(';')[0])
meta = written_later(0.5)
with tf.Graph().as_default():
    try:
        tf.import_graph_def(meta.graph_def, name='')
    except ValueError as error:
        print(str(error).split(';')[0])
with tf.Graph().as_default() as graph:
    tf.import_graph_def(meta.graph_def, name='', producer_op_list=meta.meta_info_def.stripped_op_list)
    print(len(graph.get_operations()))
