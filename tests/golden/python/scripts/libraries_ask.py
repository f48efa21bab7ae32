# What libraries built on TensorFlow ask of its inside: decorators, modules seen through others, kinds of tensors, tfdbg.
import numpy as np
import tensorflow as tf
from tensorflow.python import debug as tf_debug
from tensorflow.python.framework import ops
from tensorflow.python.framework.tensor_like import _TensorLike
from tensorflow.python.ops.rnn import array_ops, rnn_cell_impl
from tensorflow.python.training import evaluation
from tensorflow.python.util import tf_contextlib, tf_decorator, tf_inspect

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)


def added(x, y=1):
    'adds'
    return x + y


def doubled(target):
    def inner(*args, **kwargs):
        return target(*args, **kwargs) * 2
    return tf_decorator.make_decorator(target, inner)


w = doubled(added)
print(w(1), w.__name__, w.__doc__, w.__wrapped__ is added, w.__module__ == added.__module__)
t = w._tf_decorator
print(type(t).__name__, t.decorator_name, t.decorated_target is added, t.decorator_doc, t.decorator_argspec)
decorators, target = tf_decorator.unwrap(w)
print(len(decorators), decorators[0] is t, target is added, tf_decorator.unwrap(added) == ([], added))
named = tf_decorator.make_decorator(w, lambda *args: 0, 'named', 'its doc', tf_inspect.getargspec(added))
print(named.__name__, named.__doc__, [d.decorator_name for d in tf_decorator.unwrap(named)[0]],
      tf_decorator.unwrap(named)[1] is added, tf_inspect.getargspec(named), tf_inspect.getargspec(w))
tf_decorator.rewrap(w, added, abs)
print(w._tf_decorator.decorated_target is abs, w.__wrapped__ is abs, w(-3))
print(tf_decorator.TFDecorator('n', added).__name__, tf_decorator.TFDecorator('n', added)(2),
      tf_decorator.TFDecorator('n', added, 'dd').__doc__, tf_decorator.TFDecorator('n', added).__doc__)


@tf_contextlib.contextmanager
def told():
    print('in')
    yield 3
    print('out')


with told() as three:
    print(three)
print(array_ops.rank(tf.zeros([1, 2])).op.type, rnn_cell_impl.BasicLSTMCell is tf.nn.rnn_cell.BasicLSTMCell,
      evaluation._StopAfterNEvalsHook.__name__[-4:])
for value in (tf.Variable(1.), tf.get_variable('r', initializer=1., use_resource=True), tf.constant(1.),
              tf.SparseTensor([[0]], [1.], [1]), tf.IndexedSlices(tf.zeros([1]), tf.constant([0])), 3):
    print(ops.is_dense_tensor_like(value), isinstance(value, ops._TensorLike), isinstance(value, _TensorLike))
print(sorted(tf.Tensor.OVERLOADABLE_OPERATORS))

x = tf.placeholder(tf.float32, [2])
for value in (np.array([1., np.nan]), np.array([1, 2]), np.array(['a']), np.array([1., 2.]), np.array([-np.inf])):
    print(tf_debug.has_inf_or_nan(None, value))
sess = tf_debug.LocalCLIDebugWrapperSession.__mro__[1].__name__
print(sess)
hook = tf_debug.LocalCLIDebugHook(ui_type='readline')
hook.add_tensor_filter('has_inf_or_nan', tf_debug.has_inf_or_nan)
print(isinstance(hook, tf.train.SessionRunHook))
try:
    tf_debug.LocalCLIDebugWrapperSession(3)
except TypeError as e:
    print(str(e)[:14])

from tensorflow.python.autograph.impl.api import do_not_convert  # noqa: E402
from tensorflow.python.ops.data_flow_ops import StagingArea  # noqa: E402
from tensorflow.python.util import all_util, deprecation  # noqa: E402
print(do_not_convert.__name__, StagingArea.__name__, callable(all_util.remove_undocumented))
for given in ((None, None), (1, None), (None, 2), (1, 2)):
    try:
        print(deprecation.deprecated_argument_lookup('axis', given[0], 'dim', given[1]))
    except ValueError as e:
        print(e)
with deprecation.silence():
    pass
__doc__ = '@@told\n@@doubled'
print(sorted(all_util.make_all('__main__')))
