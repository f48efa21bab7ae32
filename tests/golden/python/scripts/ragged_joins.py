# Ragged tensors joined, stacked, gathered from and masked: values, and what is refused.
import tensorflow.compat.v1 as tf

sess = tf.Session()
a, b = tf.ragged.constant([[1, 2], [3], []]), tf.ragged.constant([[4], [], [5, 6]])
deep = tf.ragged.constant([[[1, 2], [3]], [[4]], []])


def show(*made):
    for x in made:
        value = sess.run(x)
        print(value.to_list() if hasattr(value, 'to_list') else value.tolist())


def refused(make):
    try:
        show(make())
    except Exception as e:
        print(type(e).__name__, str(e).split('\n')[0])


show(tf.concat([a, b], 0), tf.concat([a, b, a], 1), tf.concat([a, tf.constant([[7, 8], [9, 9], [0, 0]])], -1))
show(tf.concat([deep, deep], 0), tf.concat([deep, deep], 1), tf.concat([deep, deep], 2), tf.concat([a], 0))
show(tf.stack([a, b]), tf.stack([a, b], 1), tf.ragged.stack([a, a], 2), tf.ragged.stack([a]))
show(tf.ragged.stack([[[1, 2]], [[3], [4]]]), tf.ragged.stack([[1, 2], [3, 4]]))
show(tf.gather(a, [2, 0, 0]), tf.gather(deep, [[0], [1]]), tf.gather([5, 6, 7], tf.ragged.constant([[2], [], [0, 1]])))
show(tf.expand_dims(a, 0), tf.expand_dims(a, 1), tf.expand_dims(deep, -1), tf.expand_dims(deep, 2))
show(tf.ragged.boolean_mask(a, [True, False, True]), tf.ragged.boolean_mask(a, tf.ragged.constant([[True, False], [True], []])))
show(tf.ragged.boolean_mask(deep, tf.ragged.constant([[True, False], [True], []], ragged_rank=1)))
show(tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]]))
show(tf.ragged.boolean_mask([[[1, 2], [3, 4]]], [[[True, False], [False, False]]]), tf.ragged.boolean_mask([1, 2], [False, True]))
refused(lambda: tf.gather(a, [0], axis=1))
refused(lambda: tf.gather(a, tf.placeholder(tf.int32)))
refused(lambda: tf.concat([a, b], 2))
refused(lambda: tf.ragged.stack([]))
refused(lambda: tf.concat([a, deep], 0))
refused(lambda: tf.ragged.boolean_mask(a, True))
refused(lambda: tf.ragged.boolean_mask(a, tf.placeholder(tf.bool)))
refused(lambda: tf.ragged.stack([a, b.with_row_splits_dtype(tf.int32)]))
