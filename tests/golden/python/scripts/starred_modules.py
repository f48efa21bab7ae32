"""`from tensorflow.python... import *`, as older scripts have it, and the helpers that tell what functions take."""
import functools
import tensorflow as tf
from tensorflow.python.framework.ops import *
from tensorflow.python.ops.math_ops import *
from tensorflow.python.ops.nn import *
from tensorflow.python.ops.array_ops import *
from tensorflow.python.ops.init_ops import *
from tensorflow.python.ops.rnn_cell import *
from tensorflow.python.ops.losses.losses import *
from tensorflow.python.keras.layers import *
from tensorflow.contrib.layers.python.layers import *
from tensorflow.python.platform.app import *
from tensorflow.python.estimator import util
from tensorflow.python.util import function_utils


class Gated(RNNCell):
    def __init__(self, units):
        super(Gated, self).__init__()
        self._units = units
    state_size = output_size = property(lambda self: self._units)

    def call(self, inputs, state):
        joined = concat([inputs, state], 1)
        gate = math_ops.sigmoid(nn_ops.bias_add(math_ops.matmul(joined, tf.get_variable(
            'w', [joined.shape[1], self._units], initializer=init_ops.ones_initializer())), constant_op.constant([.5] * self._units)))
        return gate * state + nn_ops.relu(state), gate


x = tf.placeholder(dtypes.float32, [2, 3, 4])
outputs, state = tf.nn.dynamic_rnn(MultiRNNCell([Gated(3), BasicLSTMCell(2)]), x, dtype=tf.float32)
kept = [add_n([reduce_sum(outputs), reduce_mean(state[0])]), Dense(2)(outputs), fully_connected(state[0], 2),
        mean_squared_error(zeros_like(state[0]), state[0]), cast(shape(x), tf.float32)]
print([get_default_graph() is tf.get_default_graph(), isinstance(kept[0], Tensor), issubclass(GRUCell, RNNCell)])
print([k.name for k in kept], GraphKeys.LOSSES, LSTMStateTuple._fields, [i.__name__ for i in (zeros_initializer, Zeros)])
for op in tf.get_default_graph().get_operations():
    print(op.name, op.type, [i.name for i in op.inputs])


class Called:
    def method(self, a, b=1):
        pass

    def __call__(self, x, *, y=2):
        pass

    @classmethod
    def of_class(cls, z):
        pass


def taken(a, b, c=3, *rest, **keywords):
    pass


for known in (taken, Called().method, Called(), Called.of_class, functools.partial(taken, 1), functools.partial(taken, b=2),
              functools.partial(Called(), y=1), lambda q: q):
    print(util.fn_args(known), function_utils.has_kwargs(known), function_utils.get_func_name(known))
for asked in (function_utils.has_kwargs, function_utils.get_func_name, function_utils.get_func_code):
    try:
        print(asked(3))
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
print(function_utils.get_func_code(taken).co_name, function_utils.get_func_code(Called()).co_name)
