"""Names that stand in several modules, and old paths of imports."""
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import dtypes, graph_util, ops, tensor_shape
from tensorflow.python.ops import array_ops, control_flow_ops, math_ops, nn_ops, variable_scope
from tensorflow.python.platform import gfile
from tensorflow.python.training import moving_averages
from tensorflow.python.util import nest
from tensorflow.core.framework import graph_pb2
x = tf.constant([[0.5, -1.], [2., 3.]])
print(tf.math.divide_no_nan(x, [0., 1.]), tf.nn.space_to_depth(tf.ones([1, 2, 2, 1]), 2))
print(tf.initializers.global_variables() is not None, tf.random.gamma([2], 1., seed=1), tf.sparse.segment_sum(x, [0, 1], [0, 0]))
print(tf.strings.as_string([1, 2]), tf.estimator.StopAtStepHook is tf.train.StopAtStepHook)
print(ops.Tensor is tf.Tensor, dtypes.float32 is tf.float32, tensor_shape.TensorShape is tf.TensorShape)
print(array_ops.reshape(x, [4]), math_ops.reduce_sum(x), control_flow_ops.group(x.op).name, nn_ops.relu(x))
print(gfile.Exists('/'), nest.flatten([1, (2, 3)]), graph_pb2.GraphDef is tf.GraphDef)
print([n.name for n in graph_util.extract_sub_graph(tf.get_default_graph().as_graph_def(), ['Sum']).node])
with variable_scope.variable_scope('v'):
    v = variable_scope.get_variable('w', [2], initializer=tf.zeros_initializer())
up = moving_averages.assign_moving_average(v, [1., 1.], 0.9, zero_debias=False)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(up).round(4), sess.run(tf.math.divide_no_nan(x, [0., 1.])), sess.run(tf.nn.space_to_depth(tf.ones([1, 2, 2, 1]), 2)))
