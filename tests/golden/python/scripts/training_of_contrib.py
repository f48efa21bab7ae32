import numpy as np, tensorflow as tf
from tensorflow.contrib import training


def fails(make, *kinds):
    try:
        make()
        print('fine')
    except (kinds or (ValueError, TypeError, KeyError)) as e:
        print(type(e).__name__, str(e).splitlines()[0][:150])


# Sequences in parts: the state of a part comes to the one behind it.
tf.set_random_seed(1)
rows = tf.constant(np.arange(14).reshape(7, 2).astype('f'))
names = tf.train.string_input_producer(['first', 'second'], num_epochs=1, shuffle=False)
batch = training.batch_sequences_with_states(names.dequeue(), {'a': rows, 's': tf.SparseTensor([[0, 1], [4, 0]], [5, 6], [7, 2])}, {'c': tf.constant([3, 4]), 'd': tf.SparseTensor([[1]], [9.], [3])},
                                             tf.constant(7), {'h': tf.zeros([2])}, 3, 1, num_threads=1, capacity=1)
new = tf.reduce_sum(batch.sequences['a'], 1) + batch.state('h')
saved = batch.save_state('h', new)
with tf.Session() as s:
    s.run(tf.local_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(s, coord)
    for i in range(6):
        key, next_key, n, total, number, count, state, values, context, sparse, of_context, _ = s.run(
            [batch.key, batch.next_key, batch.length, batch.total_length, batch.sequence, batch.sequence_count, batch.state('h'), batch.sequences['a'], batch.context['c'],
             batch.sequences['s'], batch.context['d'], saved])
        print(key, next_key, n, total, number, count, state.tolist(), values.tolist(), context.tolist())
        print(sparse.indices.tolist(), sparse.values.tolist(), sparse.dense_shape.tolist(), of_context.indices.tolist(), of_context.values.tolist(), of_context.dense_shape.tolist())
    coord.request_stop()
fails(lambda: batch.save_state('x', new))
fails(lambda: batch.save_state('h', tf.zeros([3])))

tf.reset_default_graph()
a, key, length, zero = tf.placeholder(tf.float32, [None, 2]), tf.constant('k'), tf.placeholder(tf.int32, []), {'h': tf.zeros([2])}
Saver = training.SequenceQueueingStateSaver
fails(lambda: Saver(2, 3, length, key, {'a': a}, {}, {}))
fails(lambda: Saver(2, 3, length, key, {'a': a}, {}, [1]))
fails(lambda: Saver(2, 3, length, key, {}, {}, zero))
fails(lambda: Saver(2, 3, length, key, {'a:b': a}, {}, zero))
fails(lambda: Saver(2, 3, length, key, {'a': a}, {3: a}, zero))
fails(lambda: Saver(2, 3, tf.constant(3, tf.int64), key, {'a': a}, {}, zero))
fails(lambda: Saver(2, 3, length, tf.constant(3), {'a': a}, {}, zero))
fails(lambda: Saver(2, 3, tf.constant([3]), key, {'a': a}, {}, zero))
fails(lambda: Saver(2, 3, length, key, {'a': tf.placeholder(tf.float32, [None, None])}, {}, zero))
fails(lambda: Saver(5, 3, length, key, {'a': a}, {}, zero, capacity=2))
fails(lambda: training.batch_sequences_with_states(key, {'a': a}, {}, length, zero, 2.5, 1))
fails(lambda: training.batch_sequences_with_states(key, {3: a}, {}, length, zero, 2, 1))
saver = Saver(1, 3, length, key, {'a': a}, {}, zero)
with tf.Session() as s:
    for n, rows in ((3, 4), (7, 6), (2, 0)):
        try:
            s.run(saver.prefetch_op, {a: np.zeros([rows, 2]), length: n})
            print('fine')
        except tf.errors.InvalidArgumentError as e:
            print([line for line in e.message.splitlines() if 'assertion' in line])

# Samplers, counted over many batches.
tf.reset_default_graph()
tf.set_random_seed(5)
label = tf.random_uniform([], 0, 2, tf.int32, seed=1)
data, labels = training.stratified_sample([tf.cast(label, tf.float32) * 2.], label, [.9, .1], 20, init_probs=[.5, .5])
accepted = training.rejection_sample([tf.random_uniform([], seed=2)], lambda t: tf.cast(t[0] > .5, tf.float32), 10)
with tf.Session() as s:
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(s, coord)
    drawn = [s.run([data[0], labels]) for _ in range(10)]
    print(all(np.array_equal(d, l * 2.) for d, l in drawn), .8 < np.mean([l == 0 for _, l in drawn]) < .98, s.run(accepted)[0].min() > .5)
    coord.request_stop()
    coord.join(threads)
bad = training.stratified_sample([tf.constant(1.)], tf.constant(0), [.5, .5], 1, init_probs=[0., 1.], name='bad')
fails(lambda: training.stratified_sample([tf.constant(1.)], tf.constant(0), [.5, .5], 1, init_probs=[1.]))
fails(lambda: training.stratified_sample([tf.zeros([3])], tf.zeros([2], tf.int32), [.5, .5], 1, enqueue_many=True))
fails(lambda: training.rejection_sample([tf.zeros([3]), tf.zeros([2])], lambda t: 1., 1, enqueue_many=True))

tf.reset_default_graph()
x = tf.constant(np.arange(2000.))
out, rates = training.weighted_resample([x], tf.constant([.5, 1.5] * 1000, tf.float64), 2., seed=3)
many = training.resample_at_rate([x], tf.constant([0., 3.] * 1000), seed=4)[0]
none = training.resample_at_rate([x[:3]], tf.zeros([3]))[0]
with tf.Session() as s:
    s.run([tf.local_variables_initializer(), tf.global_variables_initializer()])
    print(s.run(tf.local_variables()), s.run(none).tolist(), np.unique(s.run(many) % 2).tolist(), 2700 < s.run(tf.size(many)) < 3300, s.run(out[0]).dtype, len(out))

# A runner that feeds its queue.
tf.reset_default_graph()
queue, value = tf.FIFOQueue(10, tf.float32, [[]]), tf.placeholder(tf.float32, [])
numbers = iter(range(4))


def feed():
    try:
        return {value: float(next(numbers))}
    except StopIteration:
        raise tf.errors.OutOfRangeError(None, None, 'over')


runner = training.FeedingQueueRunner(queue, [queue.enqueue(value)], feed_fns=[feed])
taken = queue.dequeue()
with tf.Session() as s:
    for t in runner.create_threads(s, start=True):
        t.join()
    print([s.run(taken) for _ in range(4)])
    fails(lambda: s.run(taken), tf.errors.OutOfRangeError)
fails(lambda: training.FeedingQueueRunner(queue, [queue.enqueue(1.)], feed_fns=[]))
fails(runner.to_proto, NotImplementedError)

for text, kinds, known in (('a=1,b=[2, 3],c[1]=x, c[0]=y', {'a': int, 'b': float, 'c': str}, False), ('a=1,z=2', {'a': int}, True), ('a=1,z=2', {'a': int}, False), ('a=1,a=2', {'a': int}, False),
                           ('a[1]=1,a[1]=2', {'a': int}, False), ('a=1,a[1]=2', {'a': int}, False), ('a[1]=[2]', {'a': int}, False), ('a=x', {'a': int}, False), ('a=[1,x]', {'a': int}, False),
                           ('a=yes', {'a': bool}, False), ('a=true,b=0,c=[1,False]', {'a': bool, 'b': bool, 'c': bool}, False), ('a', {'a': int}, False), ('a=', {'a': int}, False), ('a=1 b=2', {'a': str}, False)):
    fails(lambda: print(training.parse_values(text, kinds, known)))
print(training.byte_size_load_fn(tf.zeros([3, 4], tf.float64).op), training.RandomStrategy(5)(tf.no_op('x')), training.RandomStrategy(5, 3)(tf.no_op('x')))
fails(lambda: training.byte_size_load_fn(tf.no_op('none')))
