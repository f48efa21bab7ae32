"""A graph exported with and without the attrs that are what they are anyway."""

import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 8, 8, 3], name='x')
y = tf.layers.conv2d(x, 4, 3, strides=2, name='conv')
y = tf.layers.batch_normalization(tf.layers.max_pooling2d(y, 2, 2), training=True)
s = tf.string_split(['a b', 'c'])
q = tf.FIFOQueue(3, [tf.float32])
q.dequeue()
z = tf.data.Dataset.range(3).map(lambda v: tf.matmul([[v]], [[v]])).make_initializable_iterator().get_next()
p = tf.placeholder_with_default(tf.constant(1.), [])
tf.one_hot([1, 2], 3), tf.squeeze(tf.ones([1, 2])), tf.nn.lrn(x), tf.as_string(p), tf.image.resize_bilinear(x, [4, 4])
tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y))
tf.train.Saver()
for strip in (False, True):
    meta = tf.train.export_meta_graph(strip_default_attrs=strip)
    print(meta.meta_info_def.stripped_default_attrs)
    for node in list(meta.graph_def.node) + [n for f in meta.graph_def.library.function for n in f.node_def]:
        print(node.op, sorted(k for k in node.attr if k != '_output_shapes' and not k.startswith('_class')))
