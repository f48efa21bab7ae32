# Generators with a state, scaled losses, batched functions, messages of a profiler, tests that measure, and statuses.
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.logging.set_verbosity(tf.logging.ERROR)
sess = tf.Session()


def show(*made):
    sess.run(tf.global_variables_initializer())
    for value in tf.nest.flatten(sess.run(list(made))):
        print(np.round(value, 4).tolist() if hasattr(value, 'tolist') else value)


def refused(make):
    try:
        make()
    except Exception as e:
        print(type(e).__name__, str(e).split('\n')[0][:50])


random = tf.random.experimental
generator = random.Generator.from_seed(5, alg=1)
print(random.create_rng_state(5, 1), random.create_rng_state([1, 2], 1), generator.algorithm, generator.state.shape)
show(generator.state, generator.key)
sess.run(tf.global_variables_initializer())
for drawn in (generator.normal([2]), generator.uniform([2], 1., 2.), generator.uniform([2], 0, 9, dtype=tf.int64),
              generator.truncated_normal([2]), generator.uniform_full_int([1]), generator.make_seeds(1),
              generator.binomial([2], [3.], [.5])):
    print(np.round(sess.run(drawn), 4).tolist())
print([op.name for op in tf.get_default_graph().get_operations() if op.type.startswith('Stateful')])
refused(lambda: generator.uniform([2], dtype=tf.int32))
refused(lambda: random.create_rng_state(1, 7))
copied = random.Generator(copy_from=generator)
keyed = random.Generator.from_key_counter(3, [1, 2], 1)
show(keyed.state)

experimental = tf.train.experimental
print(experimental.FixedLossScale(8), experimental.DynamicLossScale(4., 1), experimental.FixedLossScale(8).get_config())
refused(lambda: experimental.FixedLossScale(.5))
refused(lambda: experimental.MixedPrecisionLossScaleOptimizer(3, 2))
refused(experimental.LossScale)
v = tf.Variable([1., 2.], name='v')
for scale in (16., 'dynamic'):
    optimizer = experimental.enable_mixed_precision_graph_rewrite(tf.train.GradientDescentOptimizer(.5), scale)
    pairs = optimizer.compute_gradients(tf.reduce_sum(v * v), [v])
    step = optimizer.apply_gradients(pairs)
    sess.run(tf.global_variables_initializer())
    sess.run(step)
    print(step.name, sess.run([pairs[0][0], v]))
refused(lambda: experimental.enable_mixed_precision_graph_rewrite(optimizer))
experimental.disable_mixed_precision_graph_rewrite()
scale = experimental.DynamicLossScale(4., 1)
update, wanted = scale.update([v, tf.constant([1.])])
bad, _ = scale.update([tf.constant([np.inf])])
sess.run(tf.global_variables_initializer())
print(sess.run(wanted), sess.run(scale()))
sess.run(update)
print(sess.run(scale()))
sess.run(bad)
print(sess.run(scale()))


@tf.nondifferentiable_batch_function(1, 4, 1000)
def batched(x):
    return x * 2., x + 1.


show(batched(tf.constant([[1.], [2.]])))
refused(lambda: batched(np.float32([1.])))

log = tf.profiler.OpLogProto()
log.log_entries.add(name='MatMul', types=['mine'])
with tf.Graph().as_default() as graph:
    a = tf.get_variable('a', [2, 3])
    tf.matmul(a, tf.ones([3, 4]))
    tf.profiler.write_op_log(graph, '.', log, add_trace=False)
with open('tfprof_log', 'rb') as file:
    read = tf.profiler.OpLogProto.FromString(file.read())
print(sorted((e.name, e.float_ops, sorted(e.types)) for e in read.log_entries), dict(read.id_to_string))
advice = tf.profiler.AdviceProto()
advice.checkers['a'].reports.append('slow')
node = tf.profiler.GraphNodeProto(name='n', total_float_ops=3, devices=['cpu'])
print(tf.profiler.AdviceProto.FromString(advice.SerializeToString()).checkers['a'].reports[0], node.total_float_ops)
print(tf.LogMessage(level=tf.LogMessage.INFO, message='x').level, tf.profiler.MultiGraphNodeProto(name='m').name)
described = tf.NodeDef(op='TensorSummary')
described.attr['description'].s = b'{"typeHint": "histogram"}'
print(tf.summary.get_summary_description(described).type_hint)
refused(lambda: tf.summary.get_summary_description(tf.NodeDef(op='Add')))


class Kept(object):
    word = 'old'

    @staticmethod
    def say():
        return 'said'


with tf.test.StubOutForTesting() as stubs:
    stubs.Set(Kept, 'word', 'new')
    stubs.SmartSet(Kept, 'say', lambda: 'other')
    print(Kept.word, Kept.say(), Kept().word)
print(Kept.word, Kept.say(), Kept().say())
print(tf.test.Benchmark.is_abstract(), tf.test.benchmark_config().graph_options.rewrite_options.dependency_optimization)


class Measured(tf.test.Benchmark):
    def first(self):
        self.report_benchmark(iters=3, wall_time=.5, extras={'a': 1, 'b': 'c'}, name='it')


Measured().first()
with tf.errors.raise_exception_on_not_ok_status():
    print('well')
with tf.experimental.function_executor_type(None):
    show(tf.function(lambda x: x + 1)(tf.constant(1)))
tf.enable_tensor_equality()
one = tf.constant(1)
print(one == one, one == tf.constant(1), one in [one])
refused(lambda: tf.load_file_system_library('/nowhere/lib.so'))
reader = tf.LMDBReader(name='reader')
print(reader.reader_ref.dtype, reader.supports_serialize)
print(tf.saved_model.main_op_with_restore(tf.no_op(name='restore')).type, os.path.exists('tfprof_log'))
show(tf.user_ops.my_fact())
bound = tf.nn.quantized_relu_x(tf.cast([1, 2], tf.quint8), 3., 0., 6.)
print([(t.dtype.name, t.shape) for t in bound])
refused(lambda: sess.run(bound[0]))
compat = tf.compat
for given in (b'a', 'b', 3, 'c\u00e9', b'c\xc3\xa9'):
    refused(lambda: print(compat.as_bytes(given))), refused(lambda: print(len(compat.as_text(given))))
    print(len(compat.as_str_any(given)))
print(compat.path_to_str('a'), compat.path_to_str(3), compat.bytes_or_text_types == (bytes, str))
print([kind.__name__ for kind in compat.complex_types + compat.integral_types + compat.real_types])
print(compat.forward_compatible(2019, 8, 1), compat.forward_compatible(2019, 9, 1))
with compat.forward_compatibility_horizon(2030, 1, 1):
    print(compat.forward_compatible(2029, 1, 1))
tf.config.experimental_run_functions_eagerly(True)
print(tf.function(lambda x: x + 1)(tf.constant(1)).op.type)
tf.config.experimental_run_functions_eagerly(False)
