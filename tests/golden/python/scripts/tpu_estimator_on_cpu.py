# tf.contrib.tpu.TPUEstimator with use_tpu=False: what functions are told, batch sizes, host calls, metrics and refusals.
import numpy as np

import tensorflow as tf
from tensorflow.contrib import tpu as contrib_tpu

tf.logging.set_verbosity(tf.logging.ERROR)


def model_fn(features, labels, mode, params):
    print("model", mode, sorted(params.items()))
    y = tf.layers.dense(features["x"], 1, kernel_initializer=tf.zeros_initializer())
    if mode == tf.estimator.ModeKeys.PREDICT:
        return contrib_tpu.TPUEstimatorSpec(mode, predictions={"y": y})
    loss = tf.losses.mean_squared_error(labels, y)
    if mode == tf.estimator.ModeKeys.TRAIN:
        step = tf.train.get_or_create_global_step()
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
        return contrib_tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train_op, host_call=(
            lambda step, loss: [tf.identity(step), tf.identity(loss)], [tf.reshape(step, [1]), tf.reshape(loss, [1])]))

    def measured(labels, y):
        return {"mae": tf.metrics.mean_absolute_error(labels, y)}
    tensors = {"labels": labels, "y": y} if params["by_name"] else [labels, y]
    return contrib_tpu.TPUEstimatorSpec(mode, loss=loss, eval_metrics=(measured, tensors))


def input_fn(params):
    print("input", sorted(params.items()))
    x = np.arange(16, dtype=np.float32).reshape(8, 2) / 8
    data = tf.data.Dataset.from_tensor_slices(({"x": x}, x[:, :1]))
    return data.repeat(2).batch(params["batch_size"], drop_remainder=True)


def features_fn(params):
    return input_fn(params).map(lambda features, labels: features)


tpu_config = contrib_tpu.TPUConfig(iterations_per_loop=5, num_shards=8,
                                   per_host_input_for_training=contrib_tpu.InputPipelineConfig.PER_HOST_V2)
print(tpu_config)
print(contrib_tpu.TPUConfig(per_host_input_for_training=False).per_host_input_for_training)
config = contrib_tpu.RunConfig(model_dir="model", master="", save_checkpoints_steps=10, tpu_config=tpu_config)
print(config.master, repr(config.evaluation_master), config.tpu_config is tpu_config, config.cluster)
print(config.replace(save_summary_steps=7).tpu_config == tpu_config,
      config.replace(tpu_config=contrib_tpu.TPUConfig()).tpu_config.iterations_per_loop)
for by_name in (False, True):
    estimator = contrib_tpu.TPUEstimator(
        use_tpu=False, model_fn=model_fn, config=config, params={"by_name": by_name}, train_batch_size=4, eval_batch_size=2,
        predict_batch_size=3)
    estimator.train(input_fn, steps=2)
    print(sorted((k, round(float(v), 4)) for k, v in estimator.evaluate(input_fn, steps=2).items()))
print([np.round(row["y"], 3).tolist() for row in estimator.predict(features_fn)][:4])
print(estimator.get_variable_value("global_step"), estimator.config.log_step_count_steps)


def told(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, str(error).split(" (<function")[0].split("(<function")[0])


told(lambda: contrib_tpu.TPUEstimator(model_fn, params={}, use_tpu=False))
told(lambda: contrib_tpu.TPUEstimator(model_fn, config=config, params={"batch_size": 2}, use_tpu=False))
told(lambda: contrib_tpu.TPUEstimator(model_fn, config=config, use_tpu=True))
told(lambda: contrib_tpu.TPUEstimator(model_fn, config=config, use_tpu=True, train_batch_size=-3))
told(lambda: estimator.train(lambda: None, steps=1))
told(lambda: contrib_tpu.TPUConfig(iterations_per_loop="5x"))
told(lambda: contrib_tpu.TPUConfig(num_shards=0))
told(lambda: contrib_tpu.TPUConfig(num_cores_per_replica=3))
told(lambda: contrib_tpu.TPUConfig(input_partition_dims=[1, 2, 3]))
told(lambda: contrib_tpu.TPUConfig(eval_training_input_configuration=7))
told(lambda: contrib_tpu.TPUEstimatorSpec("eval", eval_metrics=3))
told(lambda: contrib_tpu.TPUEstimatorSpec("eval", eval_metrics=(3,)))
told(lambda: contrib_tpu.TPUEstimatorSpec("eval", eval_metrics=(3, [])))
told(lambda: contrib_tpu.TPUEstimatorSpec("eval", eval_metrics=(lambda a: a, 3)))
told(lambda: contrib_tpu.TPUEstimatorSpec("eval", host_call=(lambda a: a, [1, 2])))
told(lambda: contrib_tpu.TPUEstimatorSpec("train", training_hooks=[3]))
