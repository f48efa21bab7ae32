"""Functions that TensorFlow generates for its ops: their names, their arguments by place, and what they refuse."""
import inspect

import numpy as np
import tensorflow as tf
from tensorflow.python.ops import gen_array_ops, gen_data_flow_ops, gen_image_ops, gen_math_ops, gen_nn_ops
from tensorflow.python.ops import gen_resource_variable_ops, gen_state_ops
from tensorflow.python.training import gen_training_ops


def told(function):
    try:
        made = function()
        print([t.name for t in made] if isinstance(made, (list, tuple)) else made.name)
        return made
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)


x = tf.constant(np.arange(24.0).reshape([1, 4, 3, 2]), tf.float32, name="x")
kernel = tf.constant(np.ones([2, 2, 2, 1]), tf.float32, name="kernel")
square = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="square")
results = [
    told(lambda: gen_array_ops.matrix_set_diag(square, [7.0, 8.0])),
    told(lambda: gen_nn_ops.conv2d(x, kernel, [1, 1, 1, 1], "VALID")),
    told(lambda: gen_nn_ops.max_pool(x, [1, 2, 2, 1], [1, 1, 1, 1], "SAME")),
    told(lambda: gen_nn_ops.top_kv2(square, 1).values),
    told(lambda: gen_math_ops.mat_mul(square, square, True)),
    told(lambda: gen_math_ops._sum(square, [0], True)),
    told(lambda: gen_array_ops.split(1, square, 2)[1]),
    told(lambda: gen_array_ops.concat_v2([square, square], 0)),
    told(lambda: gen_image_ops.rgb_to_hsv(tf.constant([[[0.5, 0.25, 1.0]]]))),
]
told(lambda: gen_array_ops.matrix_set_diag(0, [0]))
told(lambda: gen_data_flow_ops.fifo_queue_v2([tf.float32], capacity=3))
told(lambda: gen_math_ops.MatMul(square, square))
told(lambda: gen_array_ops.gather_nd(square))

variable = told(lambda: gen_state_ops.variable_v2([2], tf.float32))
begun = gen_state_ops.assign(variable, [1.0, 2.0])
handle = told(lambda: gen_resource_variable_ops.var_handle_op(tf.float32, []))
step = gen_training_ops.apply_gradient_descent(variable, 0.5, [1.0, 1.0])
print(step.op.name, list(inspect.signature(gen_training_ops.apply_adam).parameters))

with tf.Session() as sess:
    for value in sess.run(results):
        print(value.tolist())
    sess.run(begun)
    print(sess.run(step).tolist())
