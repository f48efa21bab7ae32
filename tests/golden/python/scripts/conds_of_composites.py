import tensorflow as tf
# branches and loops that give rows by index of two types, and ragged tensors
with tf.Session() as s:
    x = tf.constant([10, 20])
    narrow, wide = tf.constant([0, 1]), tf.constant([0, 1], tf.int64)
    rows = tf.cond(tf.constant(True), lambda: tf.IndexedSlices(x + 1, narrow), lambda: tf.IndexedSlices(x - 1, wide))
    print(s.run(rows), rows.indices.dtype)
    pair = tf.cond(tf.placeholder_with_default(False, []), lambda: [tf.IndexedSlices(x + 1, wide), x], lambda: [tf.IndexedSlices(x - 1, narrow), x + 5])
    print(s.run(pair), pair[0].indices.dtype)
    ragged = tf.ragged.constant([[1, 2], [3], [4, 5, 6]])
    for pred in (True, False):
        found = tf.cond(tf.constant(pred), lambda: tf.concat([ragged + 2, [[100]]], axis=0), lambda: ragged[:2] - 2)
        print(type(found).__name__, s.run(found))
    merged = tf.contrib.framework.nest.flatten([ragged, x])
    print([type(part).__name__ for part in merged])
    print([op.name for op in tf.get_default_graph().get_operations() if op.type == 'Merge'])
