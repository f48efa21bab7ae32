"""tf.contrib.learn: arrays fed to a model function, words as ids, small sets of data."""
import os
import tempfile
import numpy as np, tensorflow as tf
from tensorflow.contrib.learn.python import SKCompat
from tensorflow.contrib.learn.python.learn import learn_runner
from tensorflow.contrib.learn.python.learn.datasets import base
from tensorflow.contrib.learn.python.learn.datasets.mnist import DataSet, dense_to_one_hot
from tensorflow.contrib.learn.python.learn.estimators import model_fn as model_fn_lib, run_config
tf.logging.set_verbosity(tf.logging.ERROR)
learn = tf.contrib.learn


def numbers(values):
    return np.round(np.float64(values), 4).tolist()


def model_fn(features, labels, mode, params):
    first = tf.contrib.layers.relu(features, 10)
    second = tf.contrib.layers.fully_connected(first, 1, activation_fn=None)
    predictions = tf.reshape(second, [-1])
    if mode == learn.ModeKeys.INFER:
        print('asked for predictions;', None if labels is None else (labels.name, labels.shape))
        return learn.ModelFnOps(mode, predictions={'ages': predictions})
    loss = tf.losses.mean_squared_error(labels, predictions)
    train_op = tf.contrib.layers.optimize_loss(loss, tf.train.get_global_step(), params['rate'], 'SGD')
    errors = {'rmse': tf.metrics.root_mean_squared_error(tf.cast(labels, tf.float32), predictions)}
    if mode == learn.ModeKeys.TRAIN:
        print([node.name for node in tf.get_default_graph().as_graph_def().node])
    return learn.ModelFnOps(mode=mode, predictions={'ages': predictions}, loss=loss, train_op=train_op, eval_metric_ops=errors)


rng = np.random.RandomState(1)
x = rng.rand(50, 3).astype(np.float32)
y = (x.sum(1) * 2).astype(np.float32)
network = learn.Estimator(model_fn=model_fn, params={'rate': 0.05}, config=learn.RunConfig(tf_random_seed=1))
try:
    network.predict(x)
except learn.NotFittedError as error:
    print(type(error).__name__, str(error).split(' at ')[0])
network.fit(x=x, y=y, steps=20)
print({key: numbers(value) for key, value in sorted(network.evaluate(x=x, y=y, steps=1).items())})
print([numbers(row['ages']) for row in network.predict(x=x[:3], as_iterable=True)])
print(sorted(network.get_variable_names()))
shuffled = learn.SKCompat(network)
shuffled.fit(x, y, batch_size=16, steps=15)
spec = learn.MetricSpec(metric_fn=tf.contrib.metrics.streaming_mean_absolute_error, prediction_key='ages')
print(spec)
print({key: numbers(value) for key, value in sorted(shuffled.score(x, y, batch_size=20, metrics={'mae': spec}).items())})
print({key: numbers(value[:4]) for key, value in shuffled.predict(x, batch_size=20).items()})
network.fit(input_fn=lambda: (tf.constant(x), tf.constant(y)), max_steps=40)
print(os.listdir(os.path.join(network.model_dir, 'eval'))[0].split('.')[:3])
print(network.get_variable_value('global_step'), [numbers(row['ages']) for row in network.predict(input_fn=lambda: tf.constant(x[:2]))])
for call in (lambda: network.fit(), lambda: network.fit(x=x, y=y, steps=1, max_steps=2),
             lambda: network.fit(x=x, y=y, input_fn=model_fn), lambda: network.fit(input_fn=model_fn, batch_size=3),
             lambda: network.predict(x=tf.constant(x)), lambda: network.evaluate(x=x, y=y, metrics='mae'),
             lambda: learn.ModelFnOps('training'), lambda: learn.ModelFnOps('train'), lambda: learn.ModelFnOps('infer'),
             lambda: learn.ModelFnOps('eval'), lambda: learn.Estimator(lambda features, labels: None, params={}).fit):
    try:
        print(call())
    except ValueError as error:
        print(str(error).split(' (<')[0])
config = learn.RunConfig()
print(config.tf_random_seed, config.save_checkpoints_secs, config.save_checkpoints_steps, config.keep_checkpoint_max,
      config.task_type, config.task_id, config.is_chief, repr(config.master), config.num_ps_replicas)
config = learn.RunConfig(save_checkpoints_steps=7, num_cores=2)
print(config.save_checkpoints_secs, config.save_checkpoints_steps, config.tf_config.intra_op_parallelism_threads)

documents = ["I'm fine TensorFlow is ABCdef", 'a well-known word, a word', 'fine 3 words']
processor = learn.preprocessing.VocabularyProcessor(max_document_length=5)
ids = np.array(list(processor.fit_transform(documents)))
print(ids.tolist(), len(processor.vocabulary_), list(processor.reverse(ids)))
print(np.array(list(processor.transform(['a new word'])))[0].tolist())
path = os.path.join(tempfile.mkdtemp(), 'words')
processor.save(path)
print(list(learn.preprocessing.VocabularyProcessor.restore(path).transform(['word fine'])))
often = learn.preprocessing.VocabularyProcessor(4, min_frequency=1)
print([row.tolist() for row in often.fit_transform(documents)], len(often.vocabulary_), often.vocabulary_.reverse(1))
numbers_of = learn.preprocessing.ByteProcessor(6)
rows = list(numbers_of.fit_transform(['abc', 'abcdefgh']))
print([row.tolist() for row in rows], list(numbers_of.reverse(rows)))

iris = learn.datasets.load_iris()
print(iris.data.shape, iris.target.shape, iris.data.dtype, iris.target.dtype, iris.data.sum().round(3), np.bincount(iris.target))
path = os.path.join(tempfile.mkdtemp(), 'few.csv')
with open(path, 'w') as file:
    file.write('2,2,no,yes\n1.5,2,0\n3,4.25,1\n')
print(learn.datasets.base.load_csv_with_header(path, np.int32, np.float32))
with open(path, 'w') as file:
    file.write('7,1.5,2\n8,3,4.25\n9,0,0\n')
print(learn.datasets.base.load_csv_without_header(path, np.int32, np.float32, target_column=0))
learn.datasets.base.shrink_csv(path, 2)
print(open(path.replace('.', '_small.')).read().split())
try:
    learn.datasets.load_dataset('flowers')
except ValueError as error:
    print(error)
print(SKCompat is learn.SKCompat, model_fn_lib.ModelFnOps is learn.ModelFnOps, run_config.RunConfig is learn.RunConfig,
      learn_runner.run.__name__, base.load_iris().target[[0, 149]].tolist())
digits = DataSet(np.arange(24, dtype=np.uint8).reshape(6, 2, 2, 1), dense_to_one_hot(np.arange(6), 10), seed=3)
for _ in range(2):
    images, labels = digits.next_batch(4)
    print(numbers(images[:, 0]), labels.argmax(1).tolist(), digits.epochs_completed)
