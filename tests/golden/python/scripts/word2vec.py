import collections
import math
import random
import numpy as np
import tensorflow as tf
random.seed(1); np.random.seed(1)
words = ('the quick brown fox jumps over the lazy dog and the dog barks at the fox while the quick cat watches ' * 12).split()
vocabulary_size = 12


def build_dataset(words, n_words):
    count = [['UNK', -1]]
    count.extend(sorted(collections.Counter(words).items(), key=lambda kv: (-kv[1], kv[0]))[:n_words - 1])
    dictionary = {w: i for i, (w, _) in enumerate(count)}
    data = [dictionary.get(w, 0) for w in words]
    count[0][1] = data.count(0)
    return data, count, dictionary, dict(zip(dictionary.values(), dictionary.keys()))


data, count, dictionary, reverse = build_dataset(words, vocabulary_size)
print('Most common words (+UNK)', count[:5])
data_index = 0


def generate_batch(batch_size, num_skips, skip_window):
    global data_index
    batch = np.ndarray(shape=(batch_size), dtype=np.int32)
    labels = np.ndarray(shape=(batch_size, 1), dtype=np.int32)
    span = 2 * skip_window + 1
    buffer = collections.deque(maxlen=span)
    for _ in range(span):
        buffer.append(data[data_index]); data_index = (data_index + 1) % len(data)
    for i in range(batch_size // num_skips):
        ctx = [w for w in range(span) if w != skip_window]
        for j, w in enumerate(random.sample(ctx, num_skips)):
            batch[i * num_skips + j] = buffer[skip_window]
            labels[i * num_skips + j, 0] = buffer[w]
        buffer.append(data[data_index]); data_index = (data_index + 1) % len(data)
    return batch, labels


batch_size, embedding_size, num_sampled = 16, 8, 4
graph = tf.Graph()
with graph.as_default():
    tf.set_random_seed(5)
    with tf.name_scope('inputs'):
        train_inputs = tf.placeholder(tf.int32, shape=[batch_size])
        train_labels = tf.placeholder(tf.int32, shape=[batch_size, 1])
        valid_dataset = tf.constant([1, 2, 3], dtype=tf.int32)
    with tf.device('/cpu:0'):
        with tf.name_scope('embeddings'):
            embeddings = tf.Variable(tf.random_uniform([vocabulary_size, embedding_size], -1.0, 1.0))
            embed = tf.nn.embedding_lookup(embeddings, train_inputs)
        with tf.name_scope('weights'):
            nce_weights = tf.Variable(tf.truncated_normal([vocabulary_size, embedding_size], stddev=1.0 / math.sqrt(embedding_size)))
        with tf.name_scope('biases'):
            nce_biases = tf.Variable(tf.zeros([vocabulary_size]))
    with tf.name_scope('loss'):
        loss = tf.reduce_mean(tf.nn.nce_loss(weights=nce_weights, biases=nce_biases, labels=train_labels, inputs=embed, num_sampled=num_sampled, num_classes=vocabulary_size))
    tf.summary.scalar('loss', loss)
    with tf.name_scope('optimizer'):
        optimizer = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keepdims=True))
    normalized_embeddings = embeddings / norm
    valid_embeddings = tf.nn.embedding_lookup(normalized_embeddings, valid_dataset)
    similarity = tf.matmul(valid_embeddings, normalized_embeddings, transpose_b=True)
    merged = tf.summary.merge_all()
    init = tf.global_variables_initializer()
    saver = tf.train.Saver()
print(embed, loss, similarity, merged, embeddings.device, embeddings.op.device, sep='\n')
with tf.Session(graph=graph) as session:
    init.run()
    print('Initialized')
    average_loss = 0
    for step in range(60):
        bi, bl = generate_batch(batch_size, 2, 1)
        _, loss_val = session.run([optimizer, loss], feed_dict={train_inputs: bi, train_labels: bl})
        average_loss += loss_val
        if step % 20 == 19:
            print('Average loss at step ', step, ': %.4f' % (average_loss / 20))
            average_loss = 0
    sim = similarity.eval()
    for i, w in enumerate([1, 2, 3]):
        nearest = (-sim[i, :]).argsort()[1:4]
        print('Nearest to %s: %s' % (reverse[w], ', '.join(reverse[k] for k in nearest)))
    final = normalized_embeddings.eval()
    print(final.shape, final[0].round(4))
