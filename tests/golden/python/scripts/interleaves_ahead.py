# How many inputs a parallel interleave fetches ahead: none is as good as any.
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)

for ahead in (0, 1, None, -1):
    interleave = tf.data.experimental.parallel_interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(3), cycle_length=2, block_length=2, prefetch_input_elements=ahead)
    element = tf.data.Dataset.range(3).apply(interleave).make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        try:
            print(ahead, [sess.run(element) for _ in range(9)])
        except tf.errors.InvalidArgumentError as error:
            print(ahead, error.message.split('\n')[0])
