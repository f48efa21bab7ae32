"""Forests by ops, their parameters, what is saved of them, and as estimators of both kinds."""
import os
import random
import shutil
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.contrib.tensor_forest.client import eval_metrics, random_forest
from tensorflow.contrib.tensor_forest.python import tensor_forest
from tensorflow.contrib.tensor_forest.python.ops import data_ops
from tensorflow.python.ops import resources

tf.logging.set_verbosity(tf.logging.ERROR)
rng = np.random.RandomState(0)
X = rng.rand(200, 6).astype("f")
Y = (X[:, 0] + X[:, 3] > 1).astype("i") + (X[:, 2] > .8)
folder = tempfile.mkdtemp()


def numbers(values):
    return " ".join("%.4g" % v for v in np.ravel(values))


def parameters(**given):
    given = dict(dict(num_classes=3, num_features=6, num_trees=3, max_nodes=30, split_after_samples=20, base_random_seed=7),
                 **given)
    return tensor_forest.ForestHParams(**given)


def told(function, *arguments, **named):
    try:
        print("  gives %s" % (function(*arguments, **named),))
    except Exception as error:
        print("  %s: %s" % (type(error).__name__, str(error).split("\n")[0]))


print("== parameters")
random.seed(3)
for given in ({}, dict(feature_bagging_fraction=.5, num_features=8), dict(split_finish_name="hoeffding", early_finish_check_every_samples=5),
              dict(split_pruning_name="half", split_after_samples="30", prune_every_samples=10), dict(regression=True, split_name="less"),
              dict(model_name="sparse_then_dense"), dict(num_splits_to_consider="linear { slope: .5 y_intercept: 2 }")):
    filled = parameters(**given).fill()
    print(sorted((k, v) for k, v in filled.values().items() if k not in ("dominate_method", "valid_leaf_threshold")))
    print(tensor_forest.build_params_proto(filled))
told(lambda: tensor_forest.ForestHParams(num_classes=2).fill())
told(lambda: parameters(model_name="other").fill())
told(lambda: parameters(split_finish_name="bootstrap").fill())
told(lambda: parameters(10, 20, num_trees=1))

print("== features")
sparse = tf.SparseTensor([[0, 1]], tf.constant([3], tf.int64), [2, 5])
for features in (tf.constant(X), tf.constant([[1], [2]]), sparse, {"b": tf.constant([[1.], [2.]]), "a": tf.constant([["x"], ["y"]])},
                 {"s": sparse, "d": tf.constant([[1], [2]])}):
    dense, of_sparse, spec = data_ops.ParseDataTensorOrDict(features)
    print(getattr(dense, "name", None), of_sparse is None or of_sparse.values.name, spec.SerializeToString())
print(data_ops.ParseLabelTensorOrDict({"b": tf.ones([2, 1]), "a": tf.zeros([2, 1])}).name)

for title, given in (("classes", {}), ("a part of the examples", dict(bagging_fraction=.7))):
    print("== " + title)
    tf.reset_default_graph()
    tf.set_random_seed(2)
    random.seed(5)
    x, y = tf.placeholder(tf.float32, [None, 6], "x"), tf.placeholder(tf.int32, [None], "y")
    forest = tensor_forest.RandomForestGraphs(parameters(**given).fill())
    train, loss = forest.training_graph(x, y), forest.training_loss(x, y)
    asked, paths, variance = forest.inference_graph(x)
    right = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(asked, 1), tf.cast(y, tf.int64)), tf.float32))
    importances, size = forest.feature_importances(), forest.average_size()
    init = tf.group(tf.global_variables_initializer(), resources.initialize_resources(resources.shared_resources()))
    if not given:
        for op in tf.get_default_graph().get_operations():
            print(op.name, op.type, [i.name for i in op.inputs], [c.name for c in op.control_inputs], op.device)
    saver = tf.train.Saver()
    with tf.Session() as session:
        print(session.run(resources.report_uninitialized_resources()))
        session.run(init)
        for step in range(12):
            session.run(train, {x: X, y: Y})
            if step % 4 == 0:
                print(numbers(session.run([loss, right, size], {x: X, y: Y})))
        print(numbers(session.run(importances)), paths.shape, numbers(session.run(variance, {x: X[:2]})))
        print(numbers(session.run(asked, {x: X[:3]})))
        saver.save(session, folder + "/forest")
    with tf.Session() as session:
        saver.restore(session, folder + "/forest")
        print(numbers(session.run([right, size], {x: X, y: Y})))
    print(tf.train.list_variables(folder + "/forest"))

print("== estimators")


def batches(y=Y, key="x"):
    return lambda: tf.data.Dataset.from_tensor_slices(({key: X}, y)).batch(100).repeat(4).make_one_shot_iterator().get_next()


for kind, given, y in ((random_forest.CoreTensorForestEstimator, {}, Y[:, None]),
                       (random_forest.CoreTensorForestEstimator, dict(num_classes=2), (Y[:, None] > 0).astype("i")),
                       (random_forest.CoreTensorForestEstimator, dict(num_classes=1, regression=True), X[:, :1] * 2),
                       (random_forest.TensorForestEstimator, {}, Y),
                       (random_forest.TensorForestEstimator, dict(num_classes=2), (Y > 0).astype("i")),
                       (random_forest.TensorForestEstimator, dict(num_classes=1, regression=True), X[:, :1] * 2)):
    made = kind(parameters(**given), model_dir=tempfile.mkdtemp(dir=folder), report_feature_importances=True)
    learn = kind is random_forest.TensorForestEstimator
    (made.fit if learn else made.train)(input_fn=batches(y))
    found = made.evaluate(input_fn=batches(y), steps=2)
    print(kind.__name__, sorted(given), sorted((k, "%.4g" % v) for k, v in found.items()))
    print(sorted((k, np.shape(v)) for k, v in next(iter(made.predict(input_fn=batches(y)))).items()))
    print(made.get_variable_names())
print(sorted(eval_metrics.get_prediction_key(k) for k in ("auc", "r2", "accuracy")))
values = tf.constant([[.9, .1], [.2, .8], [.6, .4]])
made = [eval_metrics.get_metric(name)(values, tf.constant([[0.], [1.], [1.]])) for name in ("auc", "classification_log_loss")]
made.append(eval_metrics.get_metric("r2")(values[:, :1], tf.constant([[0.], [1.], [1.]])))
with tf.Session() as session:
    session.run(tf.local_variables_initializer())
    print([numbers(session.run(update)) for _, update in made])
shutil.rmtree(folder)
