# Arguments by their places, and methods of tf's and tf.keras's classes that are asked for now and then.
import tensorflow as tf

keras, framework = tf.keras, tf.contrib.framework


def tell(get):
    try:
        print(get())
    except Exception as e:
        print(type(e).__name__, e)


a = tf.constant([[1., 2., 3.], [0., 1., 0.]])
b = tf.constant([[1., 0., 3.], [0., 2., 1.]])
session = tf.Session()

losses = [keras.losses.CosineSimilarity(0), keras.losses.CosineSimilarity(axis=1), keras.losses.CosineSimilarity()]
print(['%.5f' % value for value in session.run([loss(a, b) for loss in losses])])
for metric in [keras.metrics.TopKCategoricalAccuracy(1), keras.metrics.SparseTopKCategoricalAccuracy(2, 'mine')]:
    print(metric.name, sorted(metric.get_config().items()))
cells = keras.layers.StackedRNNCells([keras.layers.GRUCell(2)])
print(keras.layers.StackedRNNCells.from_config(cells.get_config(), custom_objects=None).state_size)
print(keras.callbacks.EarlyStopping('loss').get_monitor_value({'loss': 3}))
print(callable(keras.callbacks.ReduceLROnPlateau(cooldown=1).in_cooldown))

device = tf.DeviceSpec(job='w', task=3)
print(device.replace(task=4).to_string())
print(device.make_merged_spec(tf.DeviceSpec(device_type='CPU', job='p')).to_string(), device.to_string())

rowids = [[0, 0, 2], [0, 1, 1, 2, 2]]
tell(lambda: session.run(tf.RaggedTensor.from_nested_value_rowids(tf.range(5), rowids, [4, None])))
tell(lambda: session.run(tf.RaggedTensor.from_nested_value_rowids(tf.range(5), rowids)))
tell(lambda: tf.RaggedTensor.from_nested_value_rowids(tf.range(5), rowids, [4]))
tell(lambda: tf.RaggedTensor.from_nested_value_rowids(tf.range(5), tf.constant([[0, 0, 2]])))
tell(lambda: len(tf.IndexedSlices(a, tf.constant([0, 1])).consumers()))
tell(lambda: tf.ragged.constant([[1], [2, 3]]).consumers())

keys = tf.constant([1, 2, 3], tf.int64)
table = tf.contrib.lookup.MutableDenseHashTable(tf.int64, tf.int64, -1, 0, -9)
session.run(table.insert(keys, keys * 10))
erased = table.erase(tf.constant([2], tf.int64))
session.run(erased)
print(erased.type, erased.name, session.run([table.lookup(keys), table.size()]))

made = framework.py_func(lambda x, k: (x + k['b'], {'z': x * 2}), (a,), {'k': {'b': b}}, (tf.float32, {'z': tf.float32}),
                         (a.shape, {'z': a.shape}), name='called')
print(made, session.run(made)[1]['z'])
tell(lambda: framework.py_func(lambda x: x, [a], output_types=tf.float32).shape)
tell(lambda: framework.get_graph_from_inputs([a, b]) is tf.get_default_graph())
tell(lambda: framework.get_graph_from_inputs([a, b], tf.Graph()))
print(tf.contrib.training.HParams(x=1, y=[2., 3.]).set_from_map({'x': 5}).x)

message = tf.train.Int64List(value=[1])
message.DiscardUnknownFields()
print(message.SerializePartialToString() == message.SerializeToString(), message.FindInitializationErrors())
print(message.DESCRIPTOR.full_name, message.DESCRIPTOR.fields_by_name['value'].number)
builder = tf.profiler.ProfileOptionBuilder
print(builder().with_timeline_output('f').build()['output'], builder().with_pprof_output('f').build()['output'])
