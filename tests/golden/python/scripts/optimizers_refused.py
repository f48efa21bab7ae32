"""What optimizers refuse before anything is made, and one of a script's own that takes rows as they come."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import re
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)


def caught(function):
    try:
        result = function()
        print("  no error: %s" % getattr(result, "name", result))
    except Exception as error:
        text = error.message if isinstance(error, tf.errors.OpError) else str(error)
        print("  %s: %s" % (type(error).__name__, re.sub(r"[\w.<>]*<lambda>\(", "<lambda>(", text.split("\n")[0])))


def case(title):
    tf.reset_default_graph()
    print("== " + title)


T = tf.train
case("refused")
a = tf.get_variable("a", initializer=[[1.0, 2.0], [3.0, 4.0]])
b = tf.get_variable("b", initializer=0.7)
ones = tf.ones([2, 2], name="ones")
opt = T.GradientDescentOptimizer(0.1)
for function in [lambda: opt.apply_gradients([(ones, None)]), lambda: opt.apply_gradients([(ones, 3)]),
                 lambda: opt.apply_gradients([(ones, ones)]), lambda: opt.apply_gradients([(ones, a)], global_step=3),
                 lambda: opt.apply_gradients([(ones, a)]), lambda: tf.assign(3, 1), lambda: tf.assign_add(ones, 1.0),
                 lambda: T.FtrlOptimizer(0.1, learning_rate_power=1.0), lambda: T.FtrlOptimizer(0.1, initial_accumulator_value=-1.0),
                 lambda: T.FtrlOptimizer(0.1, l1_regularization_strength=-1.0),
                 lambda: T.FtrlOptimizer(0.1, l2_regularization_strength=-1.0),
                 lambda: T.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=-1.0),
                 lambda: T.ExponentialMovingAverage(0.9).average(3), lambda: T.ExponentialMovingAverage(0.9).average_name("x")]:
    caught(function)
adam = T.AdamOptimizer()
adam.minimize(tf.square(b), var_list=[b])
print("  %s" % [v.name for v in adam._get_beta_accumulators()])


class Rows(T.Optimizer):
    def __init__(self):
        super(Rows, self).__init__(False, "Rows")

    def _apply_dense(self, grad, var):
        return tf.assign_sub(var, grad)

    def _apply_sparse_duplicate_indices(self, grad, var):
        return tf.scatter_sub(var, grad.indices, grad.values)


case("rows as they come")
a = tf.get_variable("a", initializer=[[1.0, 2.0], [3.0, 4.0]])
made = len(tf.get_default_graph().get_operations())
train = Rows().minimize(tf.reduce_sum(tf.gather(a, [1, 1])))
print("  %s" % [op.name for op in tf.get_default_graph().get_operations()[made:] if op.name.startswith("Rows")])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    print("  %s" % sess.run(a).tolist())
