# Of mapped elements that fail, and of such that do not fit their batch, the first is told.
import tensorflow as tf


def row(x):
    with tf.control_dependencies([tf.debugging.assert_less(x, tf.constant(3, tf.int64), message='too far')]):
        return tf.fill([x + tf.cast(x > 0, tf.int64)], 1)


for first, count in ((0, 4), (2, 3), (0, 2), (3, 2), (1, 1)):
    numbers = tf.data.Dataset.range(first, first + count)
    batches = numbers.apply(tf.data.experimental.map_and_batch(row, 4, num_parallel_calls=1))
    element = batches.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        try:
            print(first, count, session.run(element).tolist())
        except tf.errors.OpError as e:
            print(first, count, type(e).__name__, e.message.split('\n')[0].split('}} ')[-1])
