"""tf.estimator.EstimatorSpec looks over what it is given; Estimator over its model function."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import re
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)


def caught(function):
    try:
        result = function()
        print("  no error: %s" % re.sub(r"<[\w.]*\.(\w+) object at 0x\w+>", r"<\1>", str(result)))
    except Exception as error:
        text = re.sub(r"\(<function .* at 0x\w+>\)", "(<function>)", str(error))
        print("  %s: %s" % (type(error).__name__, re.sub(r"<[\w.]*\.(\w+) object at 0x\w+>", r"<\1>", text)))


Spec = tf.estimator.EstimatorSpec
with tf.Graph().as_default():
    elsewhere = tf.constant(1.0, name="elsewhere")
loss = tf.constant(1.0, name="loss")
y = tf.constant([1.0, 2.0], name="y")
Output = tf.estimator.export.PredictOutput

print("== training")
for given in [{}, {"loss": loss}, {"train_op": tf.no_op()}, {"loss": 1.0, "train_op": tf.no_op()}, {"loss": y, "train_op": tf.no_op()},
              {"loss": loss, "train_op": 3}, {"loss": elsewhere, "train_op": tf.no_op()}, {"loss": loss, "train_op": elsewhere},
              {"loss": loss, "train_op": tf.no_op(), "training_hooks": [3]}, {"loss": loss, "train_op": tf.no_op(), "scaffold": 3},
              {"loss": loss, "train_op": tf.no_op(), "evaluation_hooks": [tf.train.StepCounterHook()], "training_chief_hooks": ["a"]},
              {"loss": tf.reshape(loss, [1]), "train_op": tf.Variable(1.0, name="v")}, {"loss": loss, "train_op": loss}]:
    caught(lambda: Spec("train", **given))
print("== evaluation")
for given in [{}, {"loss": loss}, {"loss": loss, "eval_metric_ops": 3}, {"loss": loss, "eval_metric_ops": {"a": 1}},
              {"loss": loss, "eval_metric_ops": {"a": (loss,)}}, {"loss": loss, "eval_metric_ops": {"a": (loss, elsewhere)}},
              {"loss": loss, "eval_metric_ops": {"a": tf.metrics.mean(y)}, "predictions": 3}]:
    caught(lambda: Spec("eval", **given))
print("== prediction")
for given in [{}, {"predictions": 3}, {"predictions": {"a": 1.0}}, {"predictions": {"a": y}}, {"predictions": y},
              {"predictions": elsewhere}, {"predictions": {"a": elsewhere}}, {"predictions": y, "export_outputs": 3},
              {"predictions": y, "export_outputs": {"a": 1}}, {"predictions": y, "export_outputs": {"a": Output(y)}},
              {"predictions": y, "export_outputs": {"a": Output(y), "b": Output(y)}}]:
    caught(lambda: sorted(Spec("infer", **given)._asdict().items())[2])
caught(lambda: Spec("infer", predictions=y)._replace(mode="train"))
caught(lambda: Spec("infer", predictions=y)._replace(predictions={"b": y}).predictions)

print("== model functions")
folder = "unused"
for function in [None, lambda x: x, lambda features, labels, other: 1, lambda features, labels: 1]:
    caught(lambda: tf.estimator.Estimator(function, folder))
caught(lambda: tf.estimator.Estimator(lambda features: 1, folder, params={"a": 1}))
caught(lambda: tf.estimator.Estimator(lambda features: 1, folder, config=3))
caught(lambda: tf.estimator.RunConfig(model_dir=""))

print("== definitions of ops")
x = tf.placeholder(tf.float32, [2, 2], name="x")
for op in [x.op, tf.matmul(x, x).op, tf.add_n([x, x]).op, tf.Variable([1.0]).initializer, tf.FIFOQueue(3, [tf.float32]).queue_ref.op,
           tf.nn.max_pool(tf.ones([1, 2, 2, 1]), 1, 1, "SAME").op, tf.string_split(["a"]).op, tf.random_uniform([2]).op]:
    print(op.op_def)
caught(lambda: hash(tf.TensorShape([1])))
caught(lambda: hash(tf.Dimension(1)))
