# Names that few scripts call: values of them, and what is refused.
import numpy as np
import tensorflow.compat.v1 as tf

np.set_printoptions(precision=4, suppress=True)
tf.logging.set_verbosity(tf.logging.ERROR)
sess = tf.Session()
fc, L, KL = tf.feature_column, tf.linalg, tf.keras.layers


def show(*made):
    sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
    for value in tf.nest.flatten(sess.run(list(made))):
        print(np.round(value, 4).tolist() if value.dtype.kind in 'fc' else value.tolist())


def refused(make):
    try:
        make()
    except Exception as e:
        print(type(e).__name__, str(e).split('\n')[0][:160])


logits = tf.constant(np.random.RandomState(0).randn(5, 2, 4).astype('f'))
labels = tf.constant([[1, 2, 2], [3, 1, 0]])
loss = tf.nn.ctc_loss_v2(labels, logits, tf.constant([3, 2]), tf.constant([5, 4]))
show(loss, tf.gradients(loss, logits)[0])
show(tf.nn.ctc_loss_v2(labels, logits, [3, 2], [5, 4], unique=tf.nn.ctc_unique_labels(labels)))
show(tf.nn.collapse_repeated([[1, 1, 2, 2, 1], [3, 4, 4, 0, 0]], [5, 3]))
show(tf.nn.ctc_unique_labels(tf.constant([[3, 4, 4, 3], [1, 1, 0, 0]])))
refused(lambda: tf.nn.ctc_loss_v2(tf.SparseTensor([[0, 0]], [1], [1, 1]), tf.zeros([2, 1, 3]), None, [2]))

v = tf.get_variable('v', initializer=0., use_resource=True)
section = tf.CriticalSection(name='cs')


def count():
    value = v.read_value()
    with tf.control_dependencies([value]):
        with tf.control_dependencies([v.assign_add(2.)]):
            return tf.identity(value)


show(section.execute(count) + section.execute(count))
refused(lambda: tf.CriticalSection(name='other').execute(count))
refused(lambda: section.execute(lambda: section.execute(lambda: tf.constant(1))))

rows = [[0, 0], [1, 0], [1, 1]]
given = {'w': tf.SparseTensor(rows, tf.constant([2, 0, 1], tf.int64), [3, 2]),
         's': tf.SparseTensor(rows, ['a', 'b', 'c'], [3, 2]), 'r': tf.SparseTensor(rows, [1., 2., 3.], [3, 2])}
number, ids = fc.sequence_numeric_column('r'), fc.sequence_categorical_column_with_identity('w', 3)
with open('words.txt', 'w') as file:
    file.write('b\na\nc\n')
words = fc.sequence_categorical_column_with_vocabulary_file('s', 'words.txt')
show(*tf.keras.experimental.SequenceFeatures([number, fc.indicator_column(ids), fc.indicator_column(words)])(given))
refused(lambda: fc.make_parse_example_spec([number]))
refused(lambda: fc.sequence_numeric_column('r', shape=(0,)))
refused(lambda: fc.sequence_numeric_column('r', dtype=tf.string))
refused(lambda: tf.keras.experimental.SequenceFeatures([fc.numeric_column('r')]))

for operator in (L.LinearOperatorCirculant([1., 2., 2.], input_output_dtype=tf.float32),
                 L.LinearOperatorToeplitz([1., 2., 3.], [1., 4., 5.]), L.LinearOperatorHouseholder([1., 2., 2.])):
    print(operator.name, operator.shape, operator.is_self_adjoint, operator.is_non_singular)
    show(operator.to_dense(), operator.matmul(tf.ones([3, 1])), operator.solve(tf.ones([3, 1])), operator.determinant())
show(L.LinearOperatorZeros(2).matmul(tf.ones([2, 1])), L.LinearOperatorZeros(2, batch_shape=[2]).diag_part())
refused(lambda: L.LinearOperatorZeros(2, 3))
refused(lambda: L.LinearOperatorZeros(-1))
refused(lambda: L.LinearOperatorHouseholder([1., 2.], is_square=False))
refused(lambda: L.LinearOperatorToeplitz([1., 2.], [1., 2., 3.]))
refused(lambda: L.LinearOperatorCirculant2D([1., 2.]))
refused(lambda: L.LinearOperatorZeros(3).solve(tf.ones([3, 1])))

pictures = KL.ConvLSTM2D(2, 3, kernel_initializer='ones', recurrent_initializer='zeros', return_state=True)
made = pictures(tf.ones([1, 3, 4, 4, 1]))
print([w.name for w in pictures.weights], [t.shape.as_list() for t in made], pictures.compute_output_shape((1, 3, 4, 4, 1)))
show(made[0])
print(sorted(pictures.get_config()))
refused(lambda: KL.AbstractRNNCell().state_size)
print(sorted(KL.CuDNNGRU(3).get_config()), KL.CuDNNLSTM(3).get_config()['unit_forget_bias'])
with tf.Graph().as_default():
    layer = KL.CuDNNLSTM(3, return_state=True)
    print([t.shape.as_list() for t in layer(tf.ones([2, 4, 5]))], [w.shape.as_list() for w in layer.weights])

callbacks = tf.keras.callbacks
means = callbacks.BaseLogger(stateful_metrics=['a'])
means.set_params({'metrics': ['loss', 'a']}), means.on_epoch_begin(0)
means.on_batch_end(0, {'size': 2, 'loss': 1., 'a': 3.}), means.on_batch_end(1, {'size': 4, 'loss': 2., 'a': 5.})
logs = {}
means.on_epoch_end(0, logs)
print(sorted(logs.items()))
refused(lambda: callbacks.ProgbarLogger('x'))
print(callbacks.RemoteMonitor(root='http://127.0.0.1:9').path)
numbers = tf.ragged.constant([[1, 2], [], [3]])
for made in (numbers * 2, 5 - numbers, -numbers, numbers > 1, tf.maximum(numbers, 2), numbers // 2):
    print(sess.run(made).to_list())
refused(lambda: bool(numbers))
