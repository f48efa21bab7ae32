# What datasets say of their elements, and options of them.
import tensorflow.compat.v1 as tf

tf.logging.set_verbosity(tf.logging.ERROR)
E, Dataset = tf.data.experimental, tf.data.Dataset


def refused(make):
    try:
        make()
    except Exception as e:
        print(type(e).__name__, str(e).split('\n')[0][:90])


a, b = tf.TensorSpec([2, None]), tf.TensorSpec([2, 3], name='n')
print(a, tf.SparseTensorSpec([1, 2]), tf.RaggedTensorSpec([2, None]), tf.IndexedSlicesSpec([3]), tf.TensorArraySpec([2]))
print(tf.OptionalSpec(a), tf.data.DatasetSpec(tf.TensorSpec([], tf.int64)))
print(a.is_compatible_with(b), a == b, a.most_specific_compatible_type(b), hash(a) == hash(tf.TensorSpec([2, None])))
print(tf.TensorSpec.from_spec(b, 'm'), a.value_type.__name__, tf.SparseTensorSpec([1]).value_type.__name__)
print(E.TensorStructure(tf.int32, [2]), E.SparseTensorStructure(tf.int32, [2]), E.RaggedTensorStructure(tf.int32, [2, None], 1))
print(E.TensorArrayStructure(tf.int32, [2], False, True), E.Structure is tf.TypeSpec, E.OptionalStructure is tf.OptionalSpec)
print(tf.SparseTensorSpec([1, None]).most_specific_compatible_type(tf.SparseTensorSpec([1, 3])))
print(tf.SparseTensorSpec([1]).is_compatible_with(tf.SparseTensor([[0]], [1.], [1])))
print(E.get_structure(Dataset.range(3)), E.get_structure(Dataset.range(3).window(2)), Dataset.range(3).window(2))
refused(tf.TypeSpec), refused(tf.RaggedTensorSpec), refused(lambda: tf.RaggedTensorSpec([2], ragged_rank=1))
refused(lambda: a.most_specific_compatible_type(tf.TensorSpec([2], tf.int32)))
refused(lambda: tf.SparseTensorSpec([1]).most_specific_compatible_type(a))
refused(lambda: E.get_structure(3))

options, other = tf.data.Options(), tf.data.Options()
options.experimental_deterministic, options.experimental_threading.private_threadpool_size = False, 1
print(options.experimental_slack, options.experimental_distribute.auto_shard, options == other, other == tf.data.Options())
print(options.merge(other).experimental_threading.private_threadpool_size, E.ThreadingOptions() == E.ThreadingOptions())
other.experimental_deterministic = True
refused(lambda: Dataset.range(3).with_options(options).with_options(other).options())
refused(lambda: setattr(other, 'experimental_deterministic', 1))
refused(lambda: setattr(other, 'nothing', 1))

reducer = E.Reducer(lambda _: tf.constant(0, tf.int64), lambda s, x: s + x, lambda s: (s, s * 2))
sums = tf.data.make_one_shot_iterator(
    Dataset.range(10).apply(E.group_by_reducer(lambda x: x % 2, reducer)).batch(2)).get_next()
rows = tf.ragged.constant([[1, 2], [3], [4, 5, 6]])
batch = tf.data.make_one_shot_iterator(Dataset.from_tensor_slices(rows).batch(2)).get_next()
legacy = tf.data.make_one_shot_iterator(
    Dataset.range(4).apply(E.map_and_batch_with_legacy_function(lambda x: x + 1, 2))).get_next()
refused(lambda: Dataset.range(4).apply(E.group_by_reducer(lambda x: tf.cast(x, tf.int32), reducer)))
measured = Dataset.range(3).apply(E.latency_stats('l')).apply(E.bytes_produced_stats('b'))
missing = tf.data.make_one_shot_iterator(Dataset.from_tensors(E.Optional.from_value(tf.constant(3)))).get_next()
iterator = tf.data.make_initializable_iterator(Dataset.range(5))
moved = tf.data.make_initializable_iterator(Dataset.range(3).apply(E.prefetch_to_device('/cpu:0')))
with tf.Graph().as_default():
    refused(lambda: tf.data.make_one_shot_iterator(Dataset.range(3).apply(E.copy_to_device('/gpu:0'))))
saveable = E.make_saveable_from_iterator(iterator)
print(saveable.name, [spec.name for spec in saveable.specs])
with tf.Session() as sess:
    print(sess.run([sums, batch, legacy, missing.get_value()]))
    print(sess.run(tf.data.make_one_shot_iterator(measured).get_next()))
    sess.run(moved.initializer)
    print([sess.run(moved.get_next()) for _ in range(3)])
