"""tf.contrib.learn: experiments run by learn_runner, and monitors that watch a training."""
import tempfile
import numpy as np, tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
learn = tf.contrib.learn
x = np.linspace(0, 1, 20).reshape(-1, 1).astype(np.float32)
y = (3 * x[:, 0] + 1).astype(np.float32)


def input_fn():
    return tf.constant(x), tf.constant(y)


def model_fn(features, labels, mode):
    predictions = tf.reshape(tf.layers.dense(features, 1, name='line'), [-1])
    if mode == 'infer':
        return predictions, None, None
    loss = tf.losses.mean_squared_error(labels, predictions)
    train_op = tf.train.GradientDescentOptimizer(0.2).minimize(loss, global_step=tf.train.get_global_step())
    return predictions, loss, train_op


def show(found):
    print({key: np.round(float(value), 4) for key, value in sorted(found.items())})


class Watcher(learn.monitors.EveryN):
    def every_n_step_begin(self, step):
        return ['line/bias']

    def every_n_step_end(self, step, outputs):
        print('step', step, sorted(outputs))
        return False


def experiment_fn(run_config, hparams):
    estimator = learn.Estimator(model_fn, config=run_config)
    return learn.Experiment(estimator, input_fn, input_fn, train_steps=30, eval_steps=1, min_eval_frequency=10,
                            train_monitors=[Watcher(every_n_steps=10)], eval_delay_secs=0)


config = learn.RunConfig(model_dir=tempfile.mkdtemp(), tf_random_seed=1)
found, exported = learn.learn_runner.run(experiment_fn, run_config=config, schedule='train_and_evaluate')
show(found)
print(exported)
show(learn.learn_runner.run(experiment_fn, run_config=config, schedule='evaluate'))
show(learn.learn_runner.run(experiment_fn, run_config=config, schedule='test'))

config = learn.RunConfig(model_dir=tempfile.mkdtemp(), tf_random_seed=1, save_checkpoints_steps=5)
estimator = learn.Estimator(model_fn, config=config)
validation = learn.monitors.ValidationMonitor(x, y, every_n_steps=10, eval_steps=1, early_stopping_rounds=15, check_interval_secs=None,
                                              early_stopping_metric_minimize=False)
estimator.fit(input_fn=input_fn, steps=60, monitors=[validation])
print(estimator.get_variable_value('global_step'), validation.early_stopped, validation.best_step,
      np.round(float(validation.best_value), 4))
for call in (lambda: learn.learn_runner.run(experiment_fn), lambda: learn.learn_runner.run(experiment_fn, 'a', run_config=config),
             lambda: learn.learn_runner.run(3, 'a'), lambda: learn.learn_runner.run(experiment_fn, ''),
             lambda: learn.learn_runner.run(lambda output_dir: None, 'a'),
             lambda: learn.learn_runner.run(experiment_fn, run_config=config, schedule='sleep'),
             lambda: learn.monitors.ValidationMonitor()):
    try:
        call()
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)
