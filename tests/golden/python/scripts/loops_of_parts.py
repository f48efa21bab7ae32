# while_loop over ragged and sparse tensors and slices by index; what goes into a frame, and what a loop waits for.
import tensorflow as tf
from tensorflow.contrib.framework import nest
from tensorflow.python.ops import control_flow_ops, control_flow_util, state_ops, variables


def told(function, run=True):
    try:
        made = function()
    except Exception as error:
        print(type(error).__name__, str(error).split(" object at ")[0])
        return
    parts = nest.flatten(made, expand_composites=True)
    print([(t.op.name, t.shape.as_list()) for t in parts])
    if run:
        with tf.Session() as session:
            print([v.tolist() for v in session.run(parts)])


def loop(body, first, invariant=None):
    shapes = None if invariant is None else [tf.TensorShape([]), invariant]
    return lambda: tf.while_loop(lambda i, _: i < 2, lambda i, x: (i + 1, body(x)), [tf.constant(0), first], shapes)


def same(x):
    return x


ragged = tf.ragged.constant([[1, 2], [3], [4, 5, 6]])
deep = tf.ragged.constant([[[1, 2], [3]], [[], [8, 9]]])


def wider(x):
    return tf.concat([x, x], axis=1)


def longer(x):
    return tf.concat([x, x], axis=0)


told(loop(wider, ragged))
told(loop(longer, ragged))
told(loop(longer, ragged, tf.TensorShape([None, None])))
told(loop(longer, ragged, tf.RaggedTensorSpec([None, None], tf.int32)))
told(loop(longer, ragged, tf.RaggedTensorSpec([None, None], tf.float32)))
told(loop(wider, ragged, tf.TensorShape([None, None, None])))
told(loop(lambda x: x.values, ragged))
told(loop(lambda x: ragged, tf.constant([1])))
told(loop(lambda x: tf.ragged.map_flat_values(tf.cast, x, tf.float32), ragged))
told(loop(lambda x: tf.concat([x, x], axis=-1), deep))
told(lambda: tf.while_loop(lambda x: tf.size(x.values) < 20, wider, [ragged], maximum_iterations=2))

sparse = tf.SparseTensor([[0], [2]], [1.0, 2.0], [3])


def doubled(x):
    return tf.SparseTensor(x.indices, x.values * 2.0, x.dense_shape)


told(loop(doubled, sparse))
told(loop(doubled, sparse, tf.TensorShape([None])))
told(loop(doubled, sparse, tf.TensorShape([1])))
told(loop(doubled, sparse, tf.TensorShape([None, 1])))
told(loop(doubled, sparse, tf.SparseTensorSpec([None], tf.float32)))
told(loop(doubled, sparse, tf.TensorSpec([None], tf.float32)))
told(loop(doubled, sparse, tf.SparseTensorSpec([None], tf.int32)))

rows = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1]), tf.constant([4, 3]))


def joined(x):
    return tf.IndexedSlices(tf.concat([x.values, x.values], 0), tf.concat([x.indices, x.indices], 0), x.dense_shape)


told(loop(same, tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1]))))
told(loop(joined, rows))
told(loop(joined, rows, tf.TensorShape([None, 3])))
told(loop(joined, rows, tf.TensorShape([None, None])))
told(loop(lambda x: tf.IndexedSlices(x.values, x.indices), rows))
told(loop(same, tf.constant(1), tf.TensorSpec([], tf.float32)))
told(loop(same, tf.constant(1), tf.RaggedTensorSpec([None, None], tf.int32)))

tf.reset_default_graph()
switched = control_flow_ops.switch(tf.constant(3.0), tf.constant(True))
merged = control_flow_ops.merge(switched)
print(type(switched).__name__, switched._fields, type(merged).__name__, merged._fields)
sparse = tf.SparseTensor([[0], [2]], [1.0, 2.0], [3])
off, on = control_flow_ops.switch(sparse, tf.constant(True))
left = control_flow_ops.exit(control_flow_ops._Enter(on, "frame"))
with tf.Session() as session:
    print(session.run([merged.output, merged.value_index]))
    print(session.run(control_flow_ops.merge([off, left])))
    print(session.run(control_flow_ops._Identity(sparse)).values)

# A variable of version 2 is a resource; what an assignment gives is read after it.
tf.reset_default_graph()
total = variables.Variable(0.0, name="total")
print(total.op.type, isinstance(total, tf.Variable), isinstance(tf.Variable(1.0), variables.Variable))
added = total.assign_add(1.0).read_value()
print(added.name, [op.name for op in added.op.control_inputs])


def waits(i):
    with tf.control_dependencies([added]):
        return i + 1


result = tf.while_loop(lambda i: i < 3, waits, [0])
reference = tf.Variable(7)
same_reference = control_flow_ops._Identity(reference._ref())
print(same_reference.op.type, same_reference.dtype)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(result), session.run(total))
    print(session.run(state_ops.assign(same_reference, 9)))

# The same with control flow of version 2.
tf.reset_default_graph()
control_flow_util.ENABLE_CONTROL_FLOW_V2 = True
print(tf.control_flow_v2_enabled())
ragged = tf.ragged.constant([[1, 2], [3], [4, 5, 6]])
print([t.shape.as_list() for t in nest.flatten(loop(longer, ragged, tf.TensorShape([None, None]))(), expand_composites=True)])
x = tf.constant(10.0)
for everything in (False, True):
    tf.compat.v1.experimental.output_all_intermediates(everything)
    chosen = tf.cond(tf.less(1, 2), lambda: x * x * x, lambda: x * x)
    with tf.Session() as session:
        print(session.run(chosen))
        grad, = tf.gradients(chosen, x)
        try:
            print(session.run(grad))
        except tf.errors.InvalidArgumentError as error:
            print(error.message)
control_flow_util.ENABLE_CONTROL_FLOW_V2 = False
print(tf.control_flow_v2_enabled())

# Summaries written in a loop are waited for within it.
tf.reset_default_graph()
tf.train.create_global_step()
with tf.contrib.summary.create_file_writer("events").as_default(), tf.contrib.summary.always_record_summaries():
    def written(i):
        tf.contrib.summary.scalar("i", i)
        return i + 1

    result = tf.while_loop(lambda i: i < 3, written, [0])
    print(tf.contrib.summary.all_summary_ops())
print(result.name, [(op.name, [c.name for c in op.control_inputs]) for op in tf.get_default_graph().get_operations()
                    if op.type == "NextIteration" or op.name.startswith("while/Identity")])
with tf.Session() as session:
    session.run([tf.global_variables_initializer(), tf.contrib.summary.summary_writer_initializer_op()])
    print(session.run(result))
