"""What variables take: operators in place, shapes that are asked for, ways to assign, what refuses."""
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)


def caught(title, function):
    before = len(tf.get_default_graph().get_operations())
    try:
        result = function()
    except Exception as error:
        result = "%s: %s" % (type(error).__name__, str(error).split("\n")[0])
    made = [op.name for op in tf.get_default_graph().get_operations()[before:]]
    print(title, result, " ".join(made))


for variable in [tf.Variable([1., 2.], name="reference"), tf.Variable([1., 2.], name="resource", use_resource=True)]:
    print("==", variable.op.name, variable._shared_name, variable.experimental_ref())
    for sign in ["iadd", "isub", "imul", "itruediv", "ipow"]:
        caught(sign, lambda: getattr(variable, "__%s__" % sign)(2.))
    caught("rows", lambda: variable.batch_scatter_update(tf.IndexedSlices(tf.constant([1.]), tf.constant([0]))))
    caught("eval", lambda: variable.eval())
    caught("wrong size", lambda: variable.assign([1.]))
    caught("wrong size added", lambda: variable.assign_add([1.]))
    caught("shape", lambda: variable.set_shape([3]))
print("== shapes that are asked for")
held = tf.placeholder(tf.float32, [None, 2], name="held")
for shape in [[], [2], [None], tf.TensorShape(None), [3]]:
    caught(shape, lambda: tf.Variable([1., 2.], shape=shape, name="a"))
    caught(shape, lambda: tf.Variable([1., 2.], shape=shape, name="b", use_resource=True))
caught("in part", lambda: tf.Variable(held, name="c"))
caught("not checked", lambda: tf.Variable(held, validate_shape=False, name="d"))
caught("no definition", lambda: tf.Variable(variable_def=3))
print("== what is no variable")
caught("scatter_update", lambda: tf.scatter_update(tf.constant([1.]), [0], [3.]))
caught("assign", lambda: tf.assign(tf.constant([1.]), [3.]))
parts = tf.get_variable("parts", [4], partitioner=tf.fixed_size_partitioner(2))
caught("parts added", lambda: parts + 1.)
caught("a part", lambda: parts[0])
caught("of all", lambda: tf.get_variable("told", [2], initializer=lambda shape, dtype, partition_info: tf.fill(shape, 2.)))
print("== initialized")
with tf.Graph().as_default():
    caught("none", tf.assert_variables_initialized)
    tf.Variable(1., collections=[])
    caught("kept nowhere", tf.assert_variables_initialized)
    tf.Variable([1.], name="r", use_resource=True)
    caught("given", lambda: tf.assert_variables_initialized(tf.global_variables()))
    caught("none given", lambda: tf.report_uninitialized_variables([]))
