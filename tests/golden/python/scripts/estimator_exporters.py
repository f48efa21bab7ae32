import os, json, tempfile, shutil, glob
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
D = tempfile.mkdtemp()
def input_fn(n=64, epochs=None, batch=16):
    rng = np.random.RandomState(1)
    x = rng.randn(n, 4).astype(np.float32); y = (x.sum(1) > 0).astype(np.int32)
    ds = tf.data.Dataset.from_tensor_slices(({'x': x, 'z': x[:, :1]}, y))
    return ds.shuffle(10, seed=3).repeat(epochs).batch(batch)
class Hook(tf.train.SessionRunHook):
    def __init__(self, name): self.name = name
    def begin(self): print(self.name, 'begin', tf.train.get_global_step().name)
    def after_create_session(self, session, coord): print(self.name, 'created')
    def before_run(self, ctx): return tf.train.SessionRunArgs(tf.train.get_global_step())
    def after_run(self, ctx, values): print(self.name, 'ran', values.results)
    def end(self, session): print(self.name, 'end')
def model_fn(features, labels, mode, params, config):
    print('model_fn', mode, sorted(features), config.model_dir is not None)
    net = tf.concat([features['x'], features['z']], 1)
    for units in params['hidden']:
        net = tf.layers.dense(net, units, tf.nn.relu, kernel_initializer=tf.glorot_uniform_initializer(seed=1))
        net = tf.layers.batch_normalization(net, training=mode == tf.estimator.ModeKeys.TRAIN)
    logits = tf.layers.dense(net, 2, kernel_initializer=tf.glorot_uniform_initializer(seed=2))
    probs = tf.nn.softmax(logits)
    cls = tf.argmax(logits, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        out = {'classes': cls, 'probabilities': probs}
        return tf.estimator.EstimatorSpec(mode, predictions=out, export_outputs={'serving_default': tf.estimator.export.PredictOutput(out), 'score': tf.estimator.export.ClassificationOutput(scores=probs)})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={'accuracy': tf.metrics.accuracy(labels, cls), 'auc': tf.metrics.auc(labels, probs[:, 1])})
    opt = tf.train.MomentumOptimizer(params['lr'], 0.9)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        op = opt.minimize(loss, tf.train.get_or_create_global_step())
    tf.summary.scalar('acc', tf.reduce_mean(tf.cast(tf.equal(cls, tf.cast(labels, tf.int64)), tf.float32)))
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=op, training_hooks=[Hook('own')], training_chief_hooks=[Hook('chief')])
cfg = tf.estimator.RunConfig(tf_random_seed=7, save_checkpoints_steps=4, save_summary_steps=2, keep_checkpoint_max=2, log_step_count_steps=2)
print(cfg.save_checkpoints_secs, cfg.save_checkpoints_steps, cfg.task_type, cfg.task_id, cfg.is_chief, cfg.num_worker_replicas, cfg.num_ps_replicas, cfg.master, cfg.cluster_spec)
est = tf.estimator.Estimator(model_fn, os.path.join(D, 'm'), cfg, {'hidden': [6, 3], 'lr': 0.05})
print(est.params, est.config.keep_checkpoint_max, est.eval_dir('x')[len(D):], est.model_dir == os.path.join(D, 'm'))
def serving():
    ph = {'x': tf.placeholder(tf.float32, [None, 4], 'x'), 'z': tf.placeholder(tf.float32, [None, 1], 'z')}
    return tf.estimator.export.ServingInputReceiver(ph, ph)
final = tf.estimator.FinalExporter('final', serving)
latest = tf.estimator.LatestExporter('latest', serving, exports_to_keep=1)
best = tf.estimator.BestExporter('best', serving, compare_fn=lambda best_eval_result, current_eval_result: current_eval_result['accuracy'] > best_eval_result['accuracy'])
tr = tf.estimator.TrainSpec(lambda: input_fn(), max_steps=6, hooks=[Hook('train')])
ev = tf.estimator.EvalSpec(lambda: input_fn(32, 1), steps=None, exporters=[final, latest, best], throttle_secs=0, start_delay_secs=0)
res, exports = tf.estimator.train_and_evaluate(est, tr, ev)
print({k: round(float(v), 3) for k, v in sorted(res.items())}, [e is not None for e in exports])
print(sorted(os.listdir(os.path.join(D, 'm', 'export'))), [len(os.listdir(p)) for p in sorted(glob.glob(D + '/m/export/*'))])
print(sorted(f for f in os.listdir(D + '/m') if 'ckpt' in f or f.startswith('eval')))
print(est.get_variable_names(), '%.4f' % est.get_variable_value('dense/kernel').sum())
print(open(D + '/m/checkpoint').read())
print({k: round(float(v), 3) for k, v in sorted(est.evaluate(lambda: input_fn(32, 1), steps=1, name='other', hooks=[Hook('ev')]).items())})
p = list(est.predict(lambda: input_fn(4, 1).map(lambda f, l: f), predict_keys=['classes']))
print(p)
ev_file = glob.glob(D + '/m/events*')[0]
tags = {}
for e in tf.train.summary_iterator(ev_file):
    for v in e.summary.value: tags.setdefault(v.tag, []).append(e.step)
print({k: v for k, v in sorted(tags.items()) if 'sec' not in k})
tags = {}
for f in sorted(glob.glob(D + '/m/eval/events*')):
    for e in tf.train.summary_iterator(f):
        for v in e.summary.value: tags.setdefault(v.tag, []).append((e.step, v.WhichOneof('value')))
print(tags)
pred = tf.contrib.predictor.from_saved_model(exports[0].decode())
print(sorted(pred({'x': np.ones((2, 4)), 'z': np.ones((2, 1))})), pred.graph is not tf.get_default_graph())
def check(f):
    try: f(); print('fine')
    except Exception as e: print(type(e).__name__, str(e)[:150])
check(lambda: tf.estimator.EvalSpec(input_fn, steps=0)); check(lambda: tf.estimator.TrainSpec(None)); check(lambda: tf.estimator.TrainSpec(input_fn, max_steps=-1))
check(lambda: tf.estimator.EvalSpec(input_fn, exporters=[final, final])); check(lambda: tf.estimator.EvalSpec(input_fn, throttle_secs=-1)); check(lambda: tf.estimator.EvalSpec(input_fn, hooks=[3]))
check(lambda: tf.estimator.train_and_evaluate(est, tr, None)); check(lambda: tf.estimator.RunConfig(save_checkpoints_steps=1, save_checkpoints_secs=1)); check(lambda: tf.estimator.RunConfig(keep_checkpoint_max=-1))
check(lambda: cfg.replace(nope=1)); check(lambda: tf.estimator.Estimator(model_fn, 'a', tf.estimator.RunConfig(model_dir='b')))
check(lambda: est.train(lambda: input_fn(), steps=1, max_steps=2)); check(lambda: est.evaluate(lambda: input_fn(), steps=-1))
est.train(lambda: input_fn(), max_steps=6); est.train(lambda: input_fn(), steps=1); print(est.get_variable_value('global_step'))
shutil.rmtree(D)
