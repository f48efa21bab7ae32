# How many elements TensorFlow says that a range has, also in batches, and how many there are.
import tensorflow as tf

RANGES = [(0, 0, 1), (0, 0, 2), (5, 5, 4), (5, 3, 2), (5, 4, 3), (5, 4, 1), (5, 3, 3), (5, 1, 3), (0, 0, -1), (0, 0, -2),
          (3, 4, -3), (3, 5, -3), (3, 7, -2), (0, 10, 3), (10, 0, -3), (0, 9, 3), (9, 0, -3)]

with tf.Session() as session:
    for numbers in RANGES:
        dataset = tf.data.Dataset.range(*numbers)
        told = [tf.data.experimental.cardinality(d) for d in (dataset, dataset.batch(2))]
        print(numbers, session.run(told + [dataset.reduce(tf.constant(0, tf.int64), lambda n, x: n + 1)]))
