# What takes elements while something holds goes on behind its end, and so does what passes on what it is given; what
# has given a last part ends for good.
import tensorflow as tf

Dataset = tf.data.Dataset
PIPELINES = {
    'plain': lambda taken: taken, 'take': lambda taken: taken.take(-1), 'take all': lambda taken: taken.take(-2),
    'skip': lambda taken: taken.skip(0), 'skip all': lambda taken: taken.skip(-1), 'repeat': lambda taken: taken.repeat(1),
    'prefetch': lambda taken: taken.prefetch(0), 'map': lambda taken: taken.map(tf.identity),
    'parallel': lambda taken: taken.map(tf.identity, 1), 'take some': lambda taken: taken.take(3),
    'filter': lambda taken: taken.filter(lambda x: x > 0),
    'concatenate': lambda taken: taken.concatenate(Dataset.range(2)), 'cache': lambda taken: taken.cache(),
    'shard': lambda taken: taken.shard(1, 0), 'all of it': lambda taken: taken.take(-1).skip(0).repeat(1),
    'batch': lambda taken: taken.skip(0).batch(2).map(tf.reduce_sum),
    'padded': lambda taken: taken.padded_batch(2, []).map(tf.reduce_sum),
    'mapped batch': lambda taken: taken.map(tf.identity, 2).batch(3).map(tf.reduce_sum),
}


def holds(x):
    return x % 3 > 0


for title in sorted(PIPELINES):
    with tf.Graph().as_default(), tf.Session() as session:
        taken = Dataset.range(8).apply(tf.data.experimental.take_while(holds))
        iterator = tf.data.make_initializable_iterator(PIPELINES[title](taken))
        optional = tf.data.experimental.get_next_as_optional(iterator)
        value = tf.cond(optional.has_value(), optional.get_value, lambda: tf.constant(-1, tf.int64))
        session.run(iterator.initializer)
        print(title, [session.run(value) for _ in range(11)])
