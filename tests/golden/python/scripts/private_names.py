# What has no shared name is numbered over the process, in the order in which it is first come to: queues, tables,
# iterators, in one session and the next.
import tensorflow as tf


def first_line(session, fetch):
    try:
        print(session.run(fetch))
    except tf.errors.OpError as e:
        print(type(e).__name__, e.message.split('\n')[0])


numbers = tf.FIFOQueue(3, [tf.float32], name='numbers')
unnamed = tf.FIFOQueue(3, [tf.float32], shapes=[[]])
shuffled = tf.RandomShuffleQueue(5, 1, [tf.int32], name='shuffled')
shared = tf.FIFOQueue(2, [tf.int32], shared_name='everybodys', name='shared')
table = tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer(['a'], [1]), -1)
found = table.lookup(tf.constant('a'))
iterator = tf.data.Dataset.range(3).make_initializable_iterator()
tables = tf.tables_initializer()
queues = [unnamed, numbers, shared, shuffled]
closing = [q.close() for q in queues]
taking = [q.dequeue() for q in queues]
items = [tf.PriorityQueue(2, tf.int32, [[]], name='last').dequeue(), tf.PaddingFIFOQueue(2, tf.int32, [[None]], name='padded')]

for turn in range(2):
    with tf.Session() as session:
        if turn:
            session.run(tables)
        first_line(session, found)
        first_line(session, iterator.get_next(name='turn_%d' % turn))
        for i in (1, 3, 2, 0) if turn else (0, 1, 2, 3):
            session.run(closing[i])
            first_line(session, taking[i])
        session.run(items[1].close())
        first_line(session, items[1].dequeue())
