"""What scripts use beside graphs: texts and sequences, clusters, TensorBoard's points, optimizers of contrib, stacked networks."""
import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import random
import shutil
import tempfile
import numpy as np
import tensorflow as tf
from tensorflow.contrib.tensorboard.plugins import projector
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.preprocessing.text import Tokenizer
tf.logging.set_verbosity(tf.logging.ERROR)


def numbers(values):
    return ' '.join('%.4g' % (v + 0.0) for v in np.ravel(values))


def told(function, *arguments, **keywords):
    try:
        print('   ->', function(*arguments, **keywords))
    except Exception as error:
        print('   %s: %s' % (type(error).__name__, str(error).split('\n')[0]))


def listing(prefix=''):
    for op in tf.get_default_graph().get_operations():
        if op.name.startswith(prefix):
            print('  ', op.name, op.type, [t.name for t in op.inputs], [c.name for c in op.control_inputs])


print('== sequences of one length')
rows = [[1, 2, 3], [4], [], [5, 6, 7, 8, 9]]
for options in ({}, {'maxlen': 4}, {'maxlen': 3, 'padding': 'post'}, {'maxlen': 3, 'truncating': 'post', 'value': -1},
                {'dtype': 'float32', 'value': .5}):
    padded = pad_sequences(rows, **options)
    print(padded.dtype, padded.tolist())
print(pad_sequences([[[1, 2]], [[3, 4], [5, 6]]]).tolist())
told(pad_sequences, [1, 2])
told(pad_sequences, 3)
told(pad_sequences, rows, padding='left')
told(pad_sequences, rows, truncating='left')
sequence = tf.keras.preprocessing.sequence
print(numbers(sequence.make_sampling_table(8)))
random.seed(1)
print(sequence.skipgrams([1, 2, 0, 3], 5, window_size=1, negative_samples=0., shuffle=False))
print([len(x) for x in sequence.skipgrams([1, 2, 3, 4], 5, categorical=True, seed=2)])

print('== texts')
texts = ['The cat sat on the mat.', 'The dog ate my homework, twice!', 'Cat & dog']
for options in ({}, {'num_words': 4}, {'num_words': 4, 'oov_token': '?'}, {'char_level': True, 'lower': False}):
    words = Tokenizer(**options)
    words.fit_on_texts(texts)
    print(sorted(words.word_index.items(), key=lambda item: item[1])[:6], words.document_count)
    found = words.texts_to_sequences(['the cat ate a dog'])
    print(found, words.sequences_to_texts(found))
    for mode in ('binary', 'count', 'freq', 'tfidf'):
        print('  ', mode, words.texts_to_matrix(['the cat the'], mode).shape, numbers(words.texts_to_matrix(['the cat the'], mode)))
told(words.texts_to_matrix, texts, 'nonsense')
told(Tokenizer().texts_to_matrix, texts)
told(Tokenizer, words=3)
text = tf.keras.preprocessing.text
print(text.text_to_word_sequence('A b;c  D'), text.hashing_trick('a b c', 10, 'md5'))
print(sorted(words.get_config()))

print('== clusters')
cluster = tf.train.ClusterSpec({'worker': ['w0:1', 'w1:2'], 'ps': {0: 'p0:3', 2: 'p2:4'}})
print(sorted(cluster.jobs), sorted(cluster.as_dict().items()), cluster.num_tasks('ps'), cluster.task_indices('ps'))
print(cluster.task_address('worker', 1), cluster.job_tasks('ps'), bool(cluster), cluster == tf.train.ClusterSpec(cluster))
print(cluster.as_cluster_def())
told(cluster.task_address, 'worker', 7)
told(cluster.num_tasks, 'chief')
told(tf.train.ClusterSpec, 3)
told(tf.train.ClusterSpec, {'ps': 'p0'})
told(tf.train.ClusterSpec, {'ps': [3]})
print(tf.train.ClusterSpec({'ps': ['a:1'], 'worker': ['b:2']}))
with tf.Graph().as_default(), tf.device(tf.train.replica_device_setter(
        cluster=tf.train.ClusterSpec({'ps': ['a:1', 'b:2'], 'worker': ['c:3']}))):
    made = [tf.Variable(1., name='v%d' % i) for i in range(3)]
    print([v.device for v in made], (made[0] + made[1]).device)

print('== TensorBoard\'s points')
folder = tempfile.mkdtemp()
config = projector.ProjectorConfig()
embedding = config.embeddings.add()
embedding.tensor_name, embedding.metadata_path = 'embedding', 'labels.tsv'
embedding.sprite.image_path = 'sprite.png'
embedding.sprite.single_image_dim.extend([28, 28])
writer = tf.summary.FileWriter(folder)
projector.visualize_embeddings(writer, config)
writer.close()
print(open(os.path.join(folder, 'projector_config.pbtxt')).read())
shutil.rmtree(folder)

print('== optimizers of contrib')
for kind, make in (('lazy', lambda: tf.contrib.opt.LazyAdamOptimizer(.1)),
                   ('AdamW', lambda: tf.contrib.opt.AdamWOptimizer(.01, .1)),
                   ('MomentumW', lambda: tf.contrib.opt.MomentumWOptimizer(.01, .1, .9)),
                   ('extended', lambda: tf.contrib.opt.extend_with_decoupled_weight_decay(
                       tf.train.GradientDescentOptimizer)(weight_decay=.1, learning_rate=.1))):
    for resource in (False, True):
        with tf.Graph().as_default(), tf.Session() as sess:
            with tf.variable_scope('', use_resource=resource):
                table = tf.get_variable('table', [4, 2], initializer=tf.ones_initializer())
                weight = tf.get_variable('weight', [2], initializer=tf.ones_initializer())
            loss = tf.reduce_sum(tf.gather(table, [0, 2])) + tf.reduce_sum(weight * [1., 2.])
            train = make().minimize(loss)
            sess.run(tf.global_variables_initializer())
            for _ in range(2):
                sess.run(train)
            print(kind, resource, numbers(sess.run(table)), numbers(sess.run(weight)))
            listing(train.name + '/update')

print('== stacked networks')
for lengths in (None, [2, 3]):
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(4)
        x = tf.constant(np.arange(18).reshape(2, 3, 3) / 18., tf.float32)
        cells = [[tf.nn.rnn_cell.GRUCell(2) for _ in range(2)] for _ in range(2)]
        outputs, forward, backward = tf.contrib.rnn.stack_bidirectional_dynamic_rnn(
            cells[0], cells[1], x, dtype=tf.float32, sequence_length=lengths)
        sess.run(tf.global_variables_initializer())
        print(outputs, [v.name for v in tf.trainable_variables()])
        print(numbers(sess.run(outputs)), numbers(sess.run(forward[1])), numbers(sess.run(backward[0])))
with tf.Graph().as_default():
    cells = [tf.nn.rnn_cell.LSTMCell(2)]
    outputs, forward, backward = tf.contrib.rnn.stack_bidirectional_rnn(cells, cells, [tf.zeros([1, 2])] * 2, dtype=tf.float32)
    print(outputs, forward)
    told(tf.contrib.rnn.stack_bidirectional_dynamic_rnn, cells, [], tf.zeros([1, 2, 3]))
    told(tf.contrib.rnn.stack_bidirectional_dynamic_rnn, cells[0], cells, tf.zeros([1, 2, 3]))
