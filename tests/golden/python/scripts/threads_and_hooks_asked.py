import os
import shutil
import tempfile
import threading
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
# what hooks ask of a run, what coordinators keep, estimators that log nothing, records cut short


def told(function, *a, **k):
    try:
        print('  none', function(*a, **k))
    except Exception as error:
        print('  %s: %s' % (type(error).__name__, (error.message if isinstance(error, tf.errors.OpError) else str(error)).split('\n\t')[0]))


class Asks(tf.train.SessionRunHook):
    def before_run(self, context): return tf.train.SessionRunArgs(None, options=tf.RunOptions(timeout_in_ms=90000))
    def after_run(self, context, values): print('  options', str(values.options).split(), bool(values.run_metadata is not None))


tf.train.get_or_create_global_step()
v = tf.Variable(1., name='v')
with tf.train.MonitoredSession(hooks=[Asks(), Asks()]) as s:
    s.run(v)
    s.run(v, options=tf.RunOptions(timeout_in_ms=95000))

c = tf.train.Coordinator()
told(c.request_stop, ValueError('not raised'))
told(c.raise_requested_exception)
c = tf.train.Coordinator()
with c.stop_on_exception(): raise KeyError('raised')
told(c.join)
told(c.request_stop, ValueError('late'))
c = tf.train.Coordinator(clean_stop_exception_types=(ValueError,))
with c.stop_on_exception(): raise ValueError('clean')
told(c.join)

folder = tempfile.mkdtemp()
path = os.path.join(folder, 'records')
with tf.python_io.TFRecordWriter(path) as w: w.write(b'abcdef'), w.write(b'xyz')
data = open(path, 'rb').read()
for size in (0, 5, 12, 20, 25, 34, 40):
    open(path, 'wb').write(data[:size])
    told(lambda: list(tf.python_io.tf_record_iterator(path)))
print(tf.SummaryMetadata.PluginData(plugin_name='scalars'), tf.Summary.Image(height=2), tf.Summary.Value(tag='a'))


def model(features, labels, mode, params):
    z = tf.layers.dense(features['x'], 1, kernel_initializer=tf.ones_initializer())
    out = {'serving_default': tf.estimator.export.PredictOutput(z), 'reg': tf.estimator.export.RegressionOutput(z)}
    loss = tf.reduce_mean(tf.square(z))
    return tf.estimator.EstimatorSpec(mode, z, loss, tf.train.GradientDescentOptimizer(.1).minimize(loss, tf.train.get_global_step()),
                                      export_outputs=out)


config = tf.estimator.RunConfig(folder + '/model', log_step_count_steps=None, tf_random_seed=1)
data_fn = lambda: tf.data.Dataset.from_tensors(({'x': [[1., 2.]]}, [[0.]])).repeat()
est = tf.estimator.Estimator(model, config=config, params=7)
est.train(data_fn, steps=2)
print(est.params, est.latest_checkpoint()[-7:])
told(est.train, data_fn, hooks=[3], steps=1)
told(est.evaluate, data_fn, hooks=['no'], steps=1)
for receiver in (tf.estimator.export.build_raw_serving_input_receiver_fn({'x': tf.placeholder(tf.float32, [None, 2])}),
                 tf.estimator.export.build_parsing_serving_input_receiver_fn({'x': tf.FixedLenFeature([2], tf.float32)})):
    where = est.export_saved_model(folder + '/out%d' % (len(os.listdir(folder))), receiver).decode()
    with tf.Session(graph=tf.Graph()) as s: print(sorted(tf.saved_model.load(s, ['serve'], where).signature_def))
shutil.rmtree(folder)
