import numpy as np
import tensorflow as tf
from tensorflow.python.client import session as session_lib
from tensorflow.python.eager import context, function
from tensorflow.python.framework import device as pydev, ops
from tensorflow.python.ops import control_flow_util, resource_variable_ops, script_ops, variable_scope, variables
from tensorflow.python.training import training_ops
# what scripts take from inside TensorFlow, and what they register there
with context.graph_mode():
    print(context.executing_eagerly(), context.num_gpus(), ops.has_default_graph(), ops.get_name_scope())
with tf.Graph().as_default(), tf.name_scope('a/b'):
    print(ops.has_default_graph(), ops.get_name_scope())
    with tf.name_scope('/') as root, tf.name_scope('c//') as twice: print(root, twice)
v = variable_scope.variable([1., 2.], name='plain')
r = resource_variable_ops.ResourceVariable([1., 2.], name='other')
print(type(v).__name__, [resource_variable_ops.is_resource_variable(x) for x in (v, r)], variables.VariableAggregation.SUM)
step = training_ops.apply_gradient_descent(v, .5, [1., 1.])
step2 = training_ops.resource_apply_adagrad(r.handle, tf.Variable([1., 1.], use_resource=True, name='acc').handle, .5, [1., 1.])
print(step.op.type, step2.type)


@function.defun
def twice(x): return 2. * x


with tf.device(pydev.merge_device('/device:CPU:0')), tf.device(pydev.merge_device('/job:worker')): print(tf.constant(1).device)
scope = tf.device('/cpu:0')
scope.__enter__()
try:
    with tf.device('/cpu:1'): scope.__exit__(None, None, None)
except RuntimeError as e: print(e)
tf.reset_default_graph()

n = tf.constant(0)
loop = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.cond(i > 1, lambda: s + 1., lambda: s * 2.)), [n, 1.])
for name in 'IsSwitch IsMerge IsLoopEnter IsLoopExit IsCondSwitch IsCondMerge IsLoopSwitch IsLoopMerge IsLoopConstantEnter IsInCond IsInWhileLoop IsInXLAContext'.split():
    print(name, sorted(op.name for op in tf.get_default_graph().get_operations() if getattr(control_flow_util, name)(op)))
print(control_flow_util.ENABLE_CONTROL_FLOW_V2)
inner = tf.get_default_graph().get_operation_by_name('while/cond/add')._get_control_flow_context()
print(control_flow_util.GetContainingWhileContext(inner).name, control_flow_util.GetContainingCondContext(inner) is inner, control_flow_util.IsContainingContext(inner, None))


class Squared(object):
    def __init__(self, x): self.sq = tf.square(x)


session_lib.register_session_run_conversion_functions(Squared, lambda s: ([s.sq], lambda val: val[0]), lambda s, value: [(s.sq, value)], lambda s: [s.sq])
try: session_lib.register_session_run_conversion_functions(Squared, None)
except ValueError as e: print(str(e).split('.')[-1])
shaped = tf.ConfigProto(graph_options=tf.GraphOptions(infer_shapes=True))
with tf.Session() as s:
    sq = Squared(np.array([1., 2., 3.]))
    print(s.run(sq), s.run({'a': [sq]}, {sq: [7., 8., 9.]}))
    print(s.run(script_ops.eager_py_func(lambda x, y: x * y, [3., 4.], [tf.float32])), s.run(twice(tf.constant(4.))))
    print(script_ops.py_func(lambda x: None, [1], [], stateful=False), script_ops.py_func(lambda x: None, [1], []).type)
    metadata = tf.RunMetadata()
    s.run(sq.sq, options=tf.RunOptions(output_partition_graphs=True), run_metadata=metadata)
    first = len(metadata.partition_graphs) > 0
    s.run(sq.sq, run_metadata=metadata)
    print(first, len(metadata.partition_graphs))
    print('_output_shapes' in s.graph_def.node[0].attr, '_output_shapes' in tf.Session(config=shaped).graph_def.node[0].attr)
    try: s.run(tf.while_loop(lambda i: i < 100000, lambda i: i + 1, [n]), options=tf.RunOptions(timeout_in_ms=50))
    except tf.errors.DeadlineExceededError as e: print(type(e).__name__)
    try: s.run(tf.py_func(lambda: np.array([], dtype=[('x', np.float32)]), [], [tf.float32]))
    except tf.errors.InternalError as e: print(str(e).split('\n')[0])

a, b, c = tf.constant(2, shape=[3, 1]), tf.constant(1, shape=[2, 2]), tf.placeholder(tf.int32)
total = a + a
with tf.Graph().as_default(): far = tf.constant(1)
for change in (lambda: total.op._update_input(0, b), lambda: total.op._update_input(3, a), lambda: total.op._update_input(0, far)):
    try: change()
    except Exception as e: print(type(e).__name__, str(e).split('\n')[0])
print(tf.get_default_graph().is_feedable(far), tf.get_default_graph().is_fetchable(far.op))
a.op._add_control_input(b.op)
b.op._add_control_input(a.op)
try: tf.Session().run(c, {c: 1})
except tf.errors.InvalidArgumentError as e: print(str(e).split('including')[0])
