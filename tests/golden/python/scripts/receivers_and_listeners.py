import tempfile
import numpy as np
import tensorflow as tf
from tensorflow.contrib.hooks import ProfilerHook
from tensorflow.contrib.hooks.python.training import profiler_hook
from tensorflow.contrib.learn.python.learn.preprocessing import categorical_vocabulary, text
from tensorflow.contrib.lookup import lookup_ops
from tensorflow.contrib.summary import summary as contrib_summary
from tensorflow.contrib.tpu.python.tpu import tpu_config, tpu_estimator, tpu_optimizer
from tensorflow.core.protobuf import cluster_pb2, tensorflow_server_pb2
from tensorflow.python.ops.rnn import _dynamic_rnn_loop, _infer_state_dtype, _rnn_step
tf.logging.set_verbosity(tf.logging.ERROR)
# what an exporter is given, what is told of checkpoints, and files that scripts import from
print(ProfilerHook is profiler_hook.ProfilerHook, tpu_config.TPUConfig.__name__, tpu_estimator.TPUEstimator.__name__,
      tpu_optimizer.CrossShardOptimizer.__name__, callable(_dynamic_rnn_loop), callable(_rnn_step))
print(_infer_state_dtype(tf.float64, None), _infer_state_dtype(None, [tf.zeros([1])]), contrib_summary.scalar.__name__)
print(list(text.tokenizer(['One two-three'])), len(categorical_vocabulary.CategoricalVocabulary()),
      lookup_ops.index_table_from_tensor is tf.contrib.lookup.index_table_from_tensor)
print(tensorflow_server_pb2.ServerDef(cluster=cluster_pb2.ClusterDef(), job_name='w').job_name)
Serving, Single = tf.estimator.export.ServingInputReceiver, tf.estimator.export.TensorServingInputReceiver
t = tf.placeholder(tf.float32, [None], name='t')
sparse = tf.sparse_placeholder(tf.float32, name='s')


def say(make, *arguments):
    try:
        made = make(*arguments)
        print(type(made).__name__, made.features if isinstance(made.features, tf.Tensor) else sorted(made.features, key=str),
              sorted(made.receiver_tensors), made.receiver_tensors_alternatives and sorted(made.receiver_tensors_alternatives))
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)


for make in (Serving, Single):
    for arguments in ((t, t), ({'a': t}, {'b': t}), (None, t), (t, None), ({'a': 1}, t), (t, {'b': 2.}), ({1: t}, t), ({1.5: t}, t),
                      (t, {1: t}), (sparse, t), (t, t, {'c': t}), (t, t, {'c': {2: t}}), (t, t, 'c'), (t, t, {'c': None})):
        say(make, *arguments)


def model_fn(features, labels, mode):
    loss = tf.reduce_mean(tf.get_variable('w', [], initializer=tf.ones_initializer()) * features)
    step = tf.train.get_global_step()
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(.1).minimize(loss, step))


with tempfile.TemporaryDirectory() as folder:
    estimator = tf.estimator.Estimator(model_fn, folder)
    for listeners in (['x'], tf.train.CheckpointSaverListener(), [tf.train.CheckpointSaverListener()]):
        try:
            estimator.train(lambda: (tf.constant([1., 2.]), None), steps=1, saving_listeners=listeners)
            print('trained', estimator.get_variable_value('global_step'))
        except TypeError as error:
            print('TypeError', error)
