# snippets_late_names.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Names that few scripts call: dense CTC, critical sections, sequence columns, operators known by their spectrum."""

import tensorflow.compat.v1 as tf

fc = tf.feature_column


def ctc_of_dense_labels():
    logits, labels = tf.placeholder(tf.float32, [5, 2, 4]), tf.constant([[1, 2, 2], [3, 1, 0]])
    loss = tf.nn.ctc_loss_v2(labels, logits, tf.constant([3, 2]), tf.constant([5, 4]))
    tf.gradients(loss, logits)


def ctc_of_dense_labels_with_another_blank():
    logits, labels = tf.placeholder(tf.float32, [2, 5, 4]), tf.constant([[1, 2, 2], [3, 1, 0]])
    unique = tf.nn.ctc_unique_labels(labels)
    tf.nn.ctc_loss_v2(labels, logits, [3, 2], [5, 4], logits_time_major=False, blank_index=-1, unique=unique, name='L')
    rows = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 2, 3], [2, 2])
    tf.nn.ctc_loss_v2(rows, tf.placeholder(tf.float32, [5, 2, 4]), None, tf.constant([5, 4]), blank_index=0)
    tf.nn.collapse_repeated(labels, [3, 2])


def partitions_stacked():
    tf.ragged.stack_dynamic_partitions(['a', 'b', 'c'], [3, 0, 2], 5)
    tf.ragged.stack_dynamic_partitions([[1, 2], [3, 4]], [[0, 1], [1, 0]], 2)
    tf.ragged.stack_dynamic_partitions(tf.constant([1, 2]), 1, tf.constant(3))
    rows = tf.ragged.constant([[1, 2], [3]])
    tf.ragged.stack_dynamic_partitions(rows, [1, 0], 2)
    tf.ragged.stack_dynamic_partitions(rows, tf.ragged.constant([[1, 0], [1]]), 2)


def sections_run_alone():
    v = tf.get_variable('v', initializer=0., use_resource=True)
    section, more = tf.CriticalSection(name='cs'), tf.constant(2.)

    def count():
        value = v.read_value()
        with tf.control_dependencies([value]):
            with tf.control_dependencies([v.assign_add(more)]):
                return {'before': tf.identity(value)}
    section.execute(count), section.execute(count, name='again')
    tf.get_default_graph().clear_collection('critical_sections')
    tf.get_default_graph().clear_collection('critical_section_executions')


def _sequences():
    rows = [[0, 0], [1, 0], [1, 1]]
    return {'w': tf.SparseTensor(rows, tf.constant([2, 0, 1], tf.int64), [3, 2]),
            's': tf.SparseTensor(rows, ['a', 'b', 'c'], [3, 2]), 'r': tf.SparseTensor(rows, [1., 2., 3.], [3, 2]),
            'q': tf.SparseTensor([[0, 0], [0, 1], [1, 0], [1, 1]], [1., 2., 3., 4.], [3, 2]),
            'z': tf.SparseTensor([[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 1, 0]], [1., 2., 3., 4.], [3, 2, 2])}


def columns_of_sequences():
    columns = [fc.sequence_numeric_column('r'),
               fc.embedding_column(fc.sequence_categorical_column_with_identity('w', 3), 2, initializer=tf.ones_initializer()),
               fc.indicator_column(fc.sequence_categorical_column_with_hash_bucket('s', 5))]
    tf.keras.experimental.SequenceFeatures(columns)(_sequences())


def columns_of_sequences_of_rows():
    given = _sequences()
    double = fc.sequence_numeric_column('q', shape=(2,), normalizer_fn=lambda x: x * 2.)
    tf.keras.experimental.SequenceFeatures([double], name='n')(given)
    tf.keras.experimental.SequenceFeatures([fc.sequence_numeric_column('z', shape=2, default_value=-1.)])(given)
    words = fc.sequence_categorical_column_with_vocabulary_list('s', ['b', 'a'], num_oov_buckets=1)
    tf.keras.experimental.SequenceFeatures([fc.indicator_column(words), fc.embedding_column(words, 3, combiner='sum')])(given)


def _all_of(operator, x):
    operator.matmul(x), operator.matmul(x, adjoint=True), operator.matvec(x[..., 0]), operator.to_dense()
    operator.diag_part(), operator.trace(), operator.shape_tensor(), operator.add_to_tensor(tf.ones([3, 3], operator.dtype))
    if operator.is_non_singular is not False:
        operator.solve(x), operator.determinant(), operator.log_abs_determinant()


def operators_by_spectrum():
    real = tf.linalg.LinearOperatorCirculant([1., 2., 2.], input_output_dtype=tf.float32)
    _all_of(real, tf.ones([3, 2]))
    real.convolution_kernel(), real.assert_non_singular(), real.assert_positive_definite()
    a, b = [tf.linalg.LinearOperatorCirculant(tf.constant([1. + 1j, 2., k], tf.complex64)) for k in (2., 3.)]
    a.matmul(b).to_dense(), a.adjoint().to_dense(), a.inverse().spectrum, a.solve(b).spectrum
    batch = tf.linalg.LinearOperatorCirculant(tf.placeholder(tf.float64), input_output_dtype=tf.float64)
    batch.matmul(tf.ones([3, 2], tf.float64)), batch.trace(), batch.diag_part()


def operators_in_blocks():
    square = tf.linalg.LinearOperatorCirculant2D([[1., 2.], [3., 4.]], input_output_dtype=tf.float32)
    square.matmul(tf.ones([4, 1])), square.to_dense(), square.determinant(), square.trace()
    cube = tf.linalg.LinearOperatorCirculant3D(tf.ones([2, 2, 2]))
    cube.matmul(tf.ones([8, 1], tf.complex64)), cube.diag_part()
    _all_of(tf.linalg.LinearOperatorToeplitz([1., 2., 3.], [1., 4., 5.]), tf.ones([3, 2]))


def operators_without_a_matrix():
    mirror = tf.linalg.LinearOperatorHouseholder([1., 2., 2.])
    _all_of(mirror, tf.ones([3, 2])), mirror.inverse(), mirror.adjoint(), mirror.assert_non_singular()
    nothing = tf.linalg.LinearOperatorZeros(3)
    _all_of(nothing, tf.ones([3, 2])), nothing.matmul(tf.linalg.LinearOperatorDiag([1., 2., 3.])).to_dense()
    some = tf.linalg.LinearOperatorZeros(tf.placeholder(tf.int32, []), 3, batch_shape=[2], is_square=False,
                                         is_self_adjoint=False, assert_proper_shapes=True, dtype=tf.float64)
    some.matmul(tf.ones([3, 1], tf.float64)), some.diag_part(), some.shape_tensor()


def pictures_one_after_the_other():
    x = tf.placeholder(tf.float32, [2, 3, 5, 5, 1])
    tf.keras.layers.ConvLSTM2D(2, 3, return_sequences=True)(x)
    tf.keras.layers.ConvLSTM2D(2, (3, 2), strides=(2, 1), padding='same', use_bias=False, return_state=True, name='cl')(x)
    tf.keras.layers.ConvLSTM2D(2, 3, padding='same')(x, initial_state=[tf.ones([2, 5, 5, 2])] * 2)


def layers_of_cudnn():
    tf.keras.layers.CuDNNGRU(3, return_state=True)(tf.ones([2, 4, 5]))
    tf.keras.layers.CuDNNLSTM(3, return_sequences=True, go_backwards=True)(tf.ones([2, 4, 5]))


def _begun(dataset):
    tf.data.make_initializable_iterator(dataset)
    tf.get_default_graph().clear_collection('iterators')


def elements_of_a_key_reduced():
    reducer = tf.data.experimental.Reducer(lambda _: tf.constant(0, tf.int64), lambda s, x: s + x, lambda s: (s, s * 2))
    _begun(tf.data.Dataset.range(10).apply(tf.data.experimental.group_by_reducer(lambda x: x % 2, reducer)).batch(2))


def classes_as_often_as_wanted():
    def of_two(x):
        return tf.cast(x % 2, tf.int32)
    numbers, resample = tf.data.Dataset.range(8), tf.data.experimental.rejection_resample
    _begun(numbers.apply(resample(of_two, [.5, .5], [.25, .75], seed=3)))
    _begun(numbers.apply(resample(of_two, [.5, .5], seed=3)))
    _begun(numbers.apply(resample(of_two, [.5, .5], [.5, .5], seed=3)))


def datasets_measured_and_told_of_threads():
    numbers = tf.data.Dataset.range(3).apply(tf.data.experimental.bytes_produced_stats('b'))
    numbers = numbers.apply(tf.data.experimental.latency_stats('l'))
    options, aggregator = tf.data.Options(), tf.data.experimental.StatsAggregator()
    options.experimental_stats.aggregator, options.experimental_stats.prefix = aggregator, 'p'
    options.experimental_stats.latency_all_edges = True
    options.experimental_threading.max_intra_op_parallelism = 2
    options.experimental_threading.private_threadpool_size = 1
    _begun(numbers.with_options(options))
    aggregator.get_summary()


def optimizations_asked_for():
    options = tf.data.Options()
    options.experimental_optimization.map_fusion, options.experimental_optimization.noop_elimination = True, False
    options.experimental_optimization.map_vectorization.enabled = options.experimental_optimization.autotune_buffers = True
    options.experimental_deterministic, options.experimental_slack = False, True
    options.experimental_optimization.autotune_cpu_budget, options.experimental_optimization.autotune_algorithm = 3, 1
    options.experimental_distribute.num_devices = 2
    _begun(tf.data.Dataset.range(3).with_options(options))


def elements_of_several_tensors():
    rows = tf.ragged.constant([[1, 2], [3], [4, 5, 6]])
    _begun(tf.data.Dataset.from_tensor_slices(rows).batch(2))
    _begun(tf.data.Dataset.from_tensors(rows).map(tf.negative))
    _begun(tf.data.Dataset.range(3).map(lambda x: tf.ragged.range(tf.stack([x, x + 1]))))
    _begun(tf.data.Dataset.from_tensors(tf.data.experimental.Optional.from_value(tf.constant(3))))
    _begun(tf.data.Dataset.range(2).map(lambda x: tf.TensorArray(tf.float32, 2, element_shape=[]).unstack([1., 2.])))
    held = tf.data.experimental.to_variant(tf.data.Dataset.range(3))
    _begun(tf.data.experimental.from_variant(held, tf.TensorSpec([], tf.int64)).map(lambda x: x + 1))


def iterators_saved():
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(5))
    tf.get_default_graph().clear_collection('iterators')
    return tf.train.Saver([tf.data.experimental.make_saveable_from_iterator(iterator)])


def functions_traced():
    @tf.function
    def scaled(x, y=2.0):
        return x * y + 1.0
    x = tf.placeholder(tf.float32, [2], name='x')
    scaled(x), scaled(x, 3.0)
    y = scaled(tf.constant([1., 2.]))
    tf.gradients(y * y, tf.get_default_graph().get_tensor_by_name('Const:0'))


def functions_of_variables_traced():
    v = tf.get_variable('v', initializer=3.0, use_resource=True)

    @tf.function
    def changed(x):
        v.assign_add(x)
        return {'y': v * v * x, 'x': (x, None)}
    y = changed(tf.constant(2.0))['y']
    tf.gradients(y, v)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name='q')])
    def twice(x):
        return tf.reduce_sum(x) + tf.reduce_sum(x)
    twice([1., 2.]), twice(tf.constant([1.]))


def modules_named():
    class Scale(tf.Module):
        def __init__(self, name=None):
            super(Scale, self).__init__(name=name)
            with self.name_scope:
                self.w = tf.Variable(tf.ones([2]), name='w')

        @tf.Module.with_name_scope
        def __call__(self, x):
            return x * self.w
    x = tf.constant([1., 2.])
    Scale()(x), Scale('other')(x), Scale()(x)


def gradients_of_a_tape():
    v, x = tf.get_variable('v', initializer=2.0, use_resource=True), tf.constant([1., 2.])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * v * v)
    tape.gradient(y, [x, v]), tape.gradient(y, v, output_gradients=tf.constant(2.0))


def elements_on_another_device():
    numbers = tf.data.Dataset.from_tensor_slices((tf.constant([1., 2.]), ['a', 'b']))
    _begun(numbers.apply(tf.data.experimental.prefetch_to_device('/cpu:0')))
    _begun(numbers.apply(tf.data.experimental.copy_to_device('/cpu:0')).batch(2))


def generators_with_a_state():
    generator = tf.random.experimental.Generator.from_seed(1)
    generator.normal([2]), generator.uniform([2], 1, 5, tf.int32), generator.truncated_normal([]), generator.reset_from_seed(3)
    generator.binomial([2], [3.], [.5]), generator.make_seeds(2), generator.skip(2)


def losses_scaled():
    v = tf.get_variable('v', [2])
    optimizer = tf.train.experimental.MixedPrecisionLossScaleOptimizer(tf.train.GradientDescentOptimizer(.1), 'dynamic')
    optimizer.minimize(tf.reduce_sum(v * v))


def messages_read_and_written():
    read = tf.io.decode_proto(tf.placeholder(tf.string, [2]), 'tensorflow.VersionDef', ['producer'], [tf.int32])
    tf.io.encode_proto(read.sizes, read.values, ['producer'], 'tensorflow.VersionDef')
    tf.user_ops.my_fact()
    tf.train.sdca_fprint(tf.constant(['a'])), tf.train.sdca_shrink_l1([tf.Variable([1.])], l1=.1, l2=.2)

    @tf.nondifferentiable_batch_function(1, 4, 10, allowed_batch_sizes=[2, 4])
    def added(x, y):
        return x + y
    added(tf.constant([1.]), tf.placeholder(tf.float32, [None]))


def variables_made_by_functions():
    kept = []

    @tf.function
    def counted(x):
        if not kept:
            kept.append(tf.Variable(5.0, name='made'))
            kept.append(tf.Variable(lambda: tf.ones([2]) * 2., name='called', trainable=False))
        return kept[0] * x + kept[1]
    counted(tf.constant(2.0)), counted(tf.constant(3.0))


def ragged_and_numbers():
    a, b = tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[1., 2.], [3.]])
    a * 2, 2 - a, -a, a // 2, a % 2, b / 2., b > 1.5, abs(b), 2. ** b, tf.maximum(b, 2.), tf.sqrt(b) <= 1.
