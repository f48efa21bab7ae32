import numpy as np, tensorflow as tf
from tensorflow.contrib import layers, lookup
data = tf.contrib.data


def fails(make):
    try:
        make()
        print('fine')
    except (ValueError, TypeError, NotImplementedError) as e:
        print(type(e).__name__, (str(e).splitlines() or [''])[0][:120])


words = layers.sparse_column_with_hash_bucket('words', 10)
example = tf.train.SequenceExample()
example.context.feature['y'].float_list.value[:] = [1., 2.]
for step in (['a', 'b'], [], ['c']):
    example.feature_lists.feature_list['words'].feature.add().bytes_list.value[:] = [w.encode() for w in step]
    example.feature_lists.feature_list['x'].feature.add().float_list.value[:] = [len(step), .5]
columns = [layers.embedding_column(words, 2, initializer=tf.ones_initializer()), layers.real_valued_column('x', 2), layers.one_hot_column(words)]
context, sequence = layers.parse_feature_columns_from_sequence_examples(example.SerializeToString(), [layers.real_valued_column('y', 2)], columns[:2])
batch = {'words': tf.sparse_reshape(sequence['words'], [1, 3, 2]), 'x': tf.reshape(sequence['x'], [1, 3, 2])}
made = layers.sequence_input_from_feature_columns(batch, columns)
scattered = layers.scattered_embedding_column('more', 20, 3, 5)
more = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ['p', 'q', 'p'], [3, 2])
deep = layers.input_from_feature_columns({'more': more}, [scattered])
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    print({k: v.tolist() for k, v in s.run(context).items()}, s.run(made).tolist())
    w = tf.trainable_variables()[-1]
    s.run(w.assign(np.arange(20.)))
    print(w.name, s.run(deep).tolist())
fails(lambda: layers.sequence_input_from_feature_columns(batch, [words]))
fails(lambda: layers.sequence_input_from_feature_columns(batch, [layers.one_hot_column(layers.crossed_column([words, layers.sparse_column_with_hash_bucket('z', 3)], 7))]))
fails(lambda: layers.sequence_input_from_feature_columns({'x': tf.zeros([3])}, [layers.real_valued_column('x')]))
fails(lambda: layers.sequence_input_from_feature_columns({'x': tf.placeholder(tf.float32)}, [layers.real_valued_column('x')]))
fails(lambda: layers.parse_feature_columns_from_sequence_examples(tf.constant(['a', 'b']), None, columns))
fails(lambda: layers.check_feature_columns({'a': words}))
fails(lambda: layers.check_feature_columns([words, layers.sparse_column_with_hash_bucket('words', 10)]))
fails(lambda: layers.scattered_embedding_column('a', 0, 3, 5))
fails(lambda: layers.scattered_embedding_column('a', 5, 3, 5, combiner='x'))
fails(lambda: layers.scattered_embedding_column('a', 5, 3, 5, initializer=3))
print(layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY, sorted(layers.make_place_holder_tensors_for_base_features(columns + [scattered])), scattered.name)

numbers = tf.data.Dataset.range(9)
for settings in (dict(), dict(stride=2), dict(window_shift=3, window_stride=2)):
    element = tf.data.make_one_shot_iterator(numbers.apply(data.sliding_window_batch(3, **settings))).get_next()
    with tf.Session() as s:
        print(settings, [s.run(element).tolist() for _ in range(2)])
fails(lambda: data.sliding_window_batch(3, 1, 2))
fails(lambda: data.reduce_dataset(3, None))
fails(lambda: numbers.apply(data.assert_element_shape(tf.TensorShape([3]))))
shape = tf.placeholder(tf.int64, [1])
iterator = tf.data.make_initializable_iterator(numbers.map(lambda x: tf.fill(shape, x)).apply(data.assert_element_shape(tf.TensorShape([3]))))
element = iterator.get_next()
total = data.reduce_dataset(numbers, data.Reducer(lambda _: tf.constant(1, tf.int64), lambda x, y: x + y, None))
with tf.Session() as s:
    for size in (3, 2):
        s.run(iterator.initializer, {shape: [size]})
        try:
            print(element.shape, s.run(element).tolist())
        except tf.errors.InvalidArgumentError as e:
            print([line for line in e.message.splitlines() if 'Wrong shape' in line][:1])
    print(s.run(total))


class Lengths(lookup.TableInitializerBase):
    def initialize(self, table):
        return tf.raw_ops.LookupTableImportV2(table_handle=table.resource_handle, keys=['a', 'bb'], values=tf.constant([1, 2], tf.int64))


class Table(lookup.InitializableLookupTableBase):
    @property
    def name(self):
        return 'own'

    def _create_resource(self):
        return tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)


table = Table(-1, Lengths(tf.string, tf.int64))
with tf.Session() as s:
    s.run(table._init_op)
    print(s.run([table.lookup(tf.constant(['bb', 'c'])), table.size()]), table.default_value.dtype, table.key_dtype)
fails(lambda: lookup.InitializableLookupTableBase(-1, Lengths(tf.string, tf.int64)))
fails(lambda: lookup.TableInitializerBase(tf.string, tf.int64).initialize(None))
