"""Arguments that are refused while a graph is built, and what TensorFlow knows of shapes by then."""
import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)


def caught(function, *arguments, **keywords):
    try:
        print(" ", str(function(*arguments, **keywords)).replace("\n", " "))
    except Exception as error:
        print(" ", type(error).__name__, str(error).split("\n")[0])


print("== shapes")
half = tf.placeholder(tf.float32, [None, 3], name="half")
whole = tf.zeros([5, 3])
for shape in [tf.slice(tf.shape(half), [1], [1]), tf.shape(half)[1:2], tf.slice(tf.shape(whole), [1], [1]),
              tf.gather(tf.shape(half), [1])]:
    print(" ", tf.reshape(half, tf.concat([[-1], shape], 0)).shape)
print(" ", tf.nn.softmax_cross_entropy_with_logits_v2(labels=half, logits=tf.zeros([5, 4])).shape)
caught(tf.zeros, [2, -3])
caught(tf.reshape, whole, [-3, 2])
caught(tf.range, 1, 2, 0)
caught(tf.dynamic_stitch, [[0]], [tf.zeros([2, 3])])
caught(tf.dynamic_partition, tf.zeros([2, 3]), [0, 1, 0], 2)
four = tf.zeros([4])
for sizes in [tf.placeholder(tf.int32, [], name="n"), np.int64(2), "a", 2., tf.Dimension(2)]:
    caught(tf.split, four, sizes, name="split")
print("== einsum")
for equation in ["ij,jk-ik", "ij->ijk", "ij->i.", "ij->ii", "", "->", "i1->1", "ij->ik", "i j -> j", "ij,jk->ik"]:
    caught(tf.einsum, equation, whole, name="e")
print("== dtypes")
for value in [int, str, float, bool, object, np.int64, np.dtype("int64"), "int", None]:
    caught(tf.as_dtype, value)
for dtype in [tf.float32, tf.int8, tf.string, tf.bool, tf.complex64, tf.qint8, tf.resource]:
    for side in ["min", "max"]:
        caught(getattr, dtype, side)
caught(lambda: [tf.float32.limits, tf.int8.limits, tf.uint16.limits])
caught(tf.range, 3, dtype=tf.string)
caught(tf.range, tf.constant(True))
caught(tf.random_uniform, [2], dtype=tf.string)
caught(tf.random_uniform, [2], dtype=tf.uint8, maxval=3)
caught(tf.register_tensor_conversion_function, 3, 4)
caught(tf.register_tensor_conversion_function, str, 4)
caught(tf.add_n, [None, four])
print("== gradients")
x = tf.constant([1., 2.], name="x")
y = tf.square(x, name="y")
s = tf.reduce_sum(x, name="s")
caught(tf.gradients, y * s, [x], stop_gradients=s)
caught(tf.gradients, y, 3)
caught(tf.gradients, y, x, aggregation_method=99)
caught(tf.gradients, y, x)
print("== messages")
for make in [lambda: tf.ConfigProto(log_device_placement="x"), lambda: tf.ConfigProto(intra_op_parallelism_threads=1.5),
             lambda: tf.ConfigProto(gpu_options=3), lambda: tf.ConfigProto(device_filters=3), lambda: tf.ConfigProto().nope,
             lambda: setattr(tf.ConfigProto(), "gpu_options", tf.GPUOptions()),
             lambda: setattr(tf.ConfigProto(), "device_filters", []), lambda: tf.RunOptions(trace_level="FULL_TRACE"),
             lambda: tf.train.Int64List(value=[1.5]), lambda: tf.train.Int64List(value=["a"]),
             lambda: tf.train.BytesList(value=["a"]), lambda: tf.train.FloatList(value=["a"]),
             lambda: tf.train.FloatList(value=[1, 2.5]), lambda: tf.train.Feature(int64_list=[1]),
             lambda: tf.train.Example.FromString(b"\xff\xff"), lambda: tf.GraphDef.FromString(b"abc"),
             lambda: tf.Summary.Value(tag=3), lambda: tf.Summary.Value(simple_value="x"), lambda: tf.NodeDef(name=3),
             lambda: tf.NodeDef().HasField("name"), lambda: tf.NodeDef().HasField("attr"), lambda: hash(tf.GraphDef()),
             lambda: tf.train.Int64List(value=[2 ** 70])]:
    caught(make)
