# Lists of tensors where a tensor is asked for: what is made a tensor once, and what twice.
import tensorflow as tf

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
p = tf.placeholder(tf.float32)
q = tf.placeholder(tf.float32, [None, 3])
for function in (tf.rank, tf.shape, tf.size, tf.shape_n, tf.zeros_like, tf.ones_like, tf.squeeze, tf.identity, tf.reduce_sum,
                 tf.transpose, tf.nn.softmax, tf.norm, tf.random_shuffle, tf.reverse_v2, tf.unstack):
    for given in ([p], [q], [p, p], [[q, q]], [1, 2], [[1.5]]):
        try:
            function(given)
        except Exception as e:
            print(function.__name__, type(e).__name__, str(e).split('\n')[0])
for make in (lambda: tf.nn.moments([q], [0]), lambda: tf.nn.moments(q, [0]), lambda: tf.nn.weighted_moments([q], [0], 1.),
             lambda: tf.nn.l2_normalize([q], 0), lambda: tf.clip_by_norm([q], 1.), lambda: tf.sequence_mask([1, 2])):
    try:
        make()
    except Exception as e:
        print(type(e).__name__, e)
for op in tf.get_default_graph().get_operations():
    print(op.type, op.name, [t.name for t in op.inputs])
