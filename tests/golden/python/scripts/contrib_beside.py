# Parts of tf.contrib that stand beside what most scripts use: sparse ids, sparsemax, signs that decay, estimators that are
# made of others, and modules that are imported by TensorFlow's own paths.
import os

import numpy as np

import tensorflow as tf
from tensorflow.contrib.framework.python.ops import arg_scope
from tensorflow.contrib.framework.python.ops.arg_scope import add_arg_scope
from tensorflow.contrib.layers.python.layers import layers as layers_lib, utils
from tensorflow.contrib.layers.python.ops import sparse_ops
from tensorflow.contrib.losses.python import metric_learning
from tensorflow.contrib.opt.python.training import matrix_functions, sign_decay
from tensorflow.contrib.slim.python.slim.data import dataset, parallel_reader, prefetch_queue, tfexample_decoder
from tensorflow.python.feature_column import dense_features
from tensorflow.python.layers import convolutional
from tensorflow.python.saved_model import loader_impl, simple_save
from tensorflow.python.tools import freeze_graph

tf.logging.set_verbosity(tf.logging.ERROR)
session = tf.Session()


def told(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


# Paths
print(callable(arg_scope), callable(add_arg_scope), callable(prefetch_queue.prefetch_queue), dataset.Dataset.__name__)
print(tfexample_decoder.Tensor.__name__, callable(parallel_reader.parallel_read), dense_features.DenseFeatures.__name__)
print(loader_impl.SavedModelLoader.__name__, callable(simple_save.simple_save), callable(metric_learning.contrastive_loss))
print(callable(matrix_functions.matrix_square_root))
print(convolutional.conv1d(tf.ones([2, 8, 3]), 4, 3, use_bias=False).shape)
with arg_scope([tf.contrib.losses.add_loss], loss_collection="mine"):
    tf.contrib.losses.mean_squared_error(tf.constant([1.0]), tf.constant([2.0]))
print(len(tf.get_collection("mine")), len(tf.losses.get_losses()))

# Values that say nothing
for given in ([[1, 0, 2], [0, 0, 3]], [["a", ""], ["", "b"]], [0.0, 1.5]):
    print(session.run(sparse_ops.dense_to_sparse_tensor(given)))
print(session.run(sparse_ops.dense_to_sparse_tensor([[5, -1], [-1, 7]], ignore_value=-1)))
print(session.run(sparse_ops.indicators_to_sparse_ids([[0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]])))
told(lambda: sparse_ops.indicators_to_sparse_ids([[1]], dtype=tf.float32))
rows = tf.SparseTensor([[0, 0], [2, 0], [2, 1], [2, 2]], [0, 1, 2, 3], [4, 3])
print(session.run(sparse_ops.sparse_row_envelope(rows)), session.run(sparse_ops.sparse_row_envelope(rows, 1, 0)))
told(lambda: sparse_ops.sparse_row_envelope(rows, 1, 1))
told(lambda: sparse_ops.sparse_row_envelope(rows, 1.0, 0))

# sparsemax
logits = tf.constant([[1.0, 2.0, 0.5], [0.0, 0.0, 0.0], [0.1, 0.3, float("nan")], [1.0, float("-inf"), 0.5]])
chosen = tf.contrib.sparsemax.sparsemax(logits)
loss = tf.contrib.sparsemax.sparsemax_loss(logits, chosen, tf.constant([[0, 1, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]], tf.float32))
print(np.round(session.run(chosen), 5).tolist())
print(np.round(session.run([loss, tf.gradients(loss, logits)[0][:2, 0]])[0], 5).tolist())

# Signs that decay
for make in (sign_decay.get_linear_decay_fn(10), sign_decay.get_cosine_decay_fn(10), sign_decay.get_cosine_decay_fn(10, 2, 1),
             sign_decay.get_restart_decay_fn(10, 3), sign_decay.get_restart_decay_fn(10, 2, 1)):
    print([round(float(session.run(make(tf.constant(step)))), 5) for step in (0, 3, 7, 12)])
    told(lambda: make(None))

# Layers
print(np.round(session.run(layers_lib.poincare_normalize(tf.constant([[3.0, 4.0], [0.3, 0.4]]))), 5).tolist())
print(utils.static_cond(True, lambda: 1, lambda: 2), utils.append_tensor_alias(tf.constant(1), "a/").aliases,
      utils.NamedOutputs("a", 1))
told(lambda: utils.static_cond(True, 3, lambda: 2))

# What is known while a graph is built
held = tf.sets.set_size(tf.sets.set_intersection(tf.constant([[1, 2], [3, 4]]), tf.constant([[1], [2]])))
print(held.shape, tf.contrib.util.constant_value(tf.rank(held)), tf.contrib.util.constant_value(tf.shape(held)))
print(tf.contrib.util.constant_value(tf.rank(tf.placeholder(tf.float32, [None, 2]))))
told(lambda: tf.slice(tf.placeholder(tf.float32, [3]), [5], [-1]))
told(lambda: tf.slice(tf.shape(held, name="known"), [0], [-1]).shape)

# A checkpoint whose name a folder has as well
os.mkdir("kept")
with tf.Graph().as_default(), tf.Session() as sess:
    variable = tf.contrib.framework.variable("v", initializer=tf.constant(3.0))
    sess.run(variable.initializer)
    path = tf.train.Saver().save(sess, os.path.abspath("kept"), write_meta_graph=False)
    op, feed = tf.contrib.framework.assign_from_checkpoint(path, {"v": variable})
    sess.run(variable.assign(0.0))
    sess.run(op, feed)
    print(sess.run(variable))

# Parts of a variable cannot be frozen from a checkpoint
with tf.Graph().as_default() as graph, tf.Session() as sess:
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
        tf.identity(tf.get_variable("v", [4, 2], initializer=tf.zeros_initializer()), name="out")
    sess.run(tf.global_variables_initializer())
    path = tf.train.Saver().save(sess, os.path.abspath("parts"), write_meta_graph=False)
    told(lambda: freeze_graph.freeze_graph_with_def_protos(
        graph.as_graph_def(), None, path, "out", "save/restore_all", "save/Const:0", "", False, ""))


# Estimators made of others
def model_fn(features, labels, mode, config):
    head = tf.contrib.estimator.multi_class_head(3) if config.tf_random_seed else tf.contrib.estimator.binary_classification_head()
    logits = tf.layers.dense(features["x"], head.logits_dimension, kernel_initializer=tf.ones_initializer())
    optimizer = tf.contrib.estimator.clip_gradients_by_norm(tf.train.GradientDescentOptimizer(0.5), 0.1)
    print(optimizer.get_name(), optimizer.get_slot_names())
    return head.create_estimator_spec(features, mode, logits, labels, train_op_fn=lambda loss: optimizer.minimize(
        loss, tf.train.get_global_step()))


def input_fn():
    features = {"x": tf.constant([[1.0, 2.0], [0.0, 1.0]]), "id": tf.constant([7, 8]),
                "words": tf.SparseTensor([[0, 0]], ["a"], [2, 1])}
    return features, tf.constant([[1], [0]])


def measured(labels, predictions):
    return {"sum": tf.metrics.mean(tf.reduce_sum(predictions["probabilities"]))}


for seed in (None, 5):
    made = tf.estimator.Estimator(model_fn, "seed%s" % seed, tf.estimator.RunConfig(tf_random_seed=seed))
    made = tf.contrib.estimator.add_metrics(made, measured)
    made.train(input_fn, steps=2)
    print(sorted((k, round(float(v), 4)) for k, v in made.evaluate(input_fn, steps=1).items()))
    forwarded = tf.contrib.estimator.forward_features(made, ["id", "words"], {"words": "none"})
    for row in forwarded.predict(input_fn):
        print(row["id"], row["words"], np.round(row["probabilities"], 4).tolist())
        break
    told(lambda: next(tf.contrib.estimator.forward_features(made, "other").predict(input_fn)) and None)
    told(lambda: next(tf.contrib.estimator.forward_features(made, "words").predict(input_fn)))
told(lambda: tf.contrib.estimator.forward_features(made, 3))
told(lambda: tf.contrib.estimator.forward_features(made, ["a", 3]))
with tf.Graph().as_default():
    told(lambda: tf.contrib.estimator.call_logit_fn(lambda features, params: {"a": features * params}, tf.constant(2), "train", 3, 4))
    told(lambda: tf.contrib.estimator.call_logit_fn(lambda features: 3, tf.constant(2), "train", 3, 4))


class Without(tf.test.TestCase):
    def test_no_session(self):
        with tf.Session(graph=tf.Graph()) as other, other.graph.as_default():
            with self.cached_session():
                pass
            print(self.evaluate(tf.constant(3)))


Without("test_no_session").debug()
