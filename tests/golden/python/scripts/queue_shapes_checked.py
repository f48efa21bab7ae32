"""Shapes and names of queues that are refused, and what a batch of them needs."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)


def caught(function):
    try:
        result = function()
        print("  no error: %s" % getattr(result, "name", result))
    except Exception as error:
        print("  %s: %s" % (type(error).__name__, str(error).split("\n")[0]))


print("== queues")
two = [tf.float32, tf.int32]
caught(lambda: tf.FIFOQueue(2, two, [[]]))
caught(lambda: tf.FIFOQueue(2, two, [[None], []]))
caught(lambda: tf.FIFOQueue(2, two, names=["a"]))
caught(lambda: tf.PaddingFIFOQueue(2, two, [[None]]))
caught(lambda: tf.PaddingFIFOQueue(2, two, [[None], None]))
caught(lambda: tf.PaddingFIFOQueue(2, two, [[None], [2, None]]))
caught(lambda: tf.RandomShuffleQueue(4, 1, two, [[], [None]]))
caught(lambda: tf.PriorityQueue(4, two, [[], [None]]))
caught(lambda: tf.FIFOQueue(2, two, [[], [3]]))
print("  " + " ".join(op.name for op in tf.get_default_graph().get_operations()))

print("== batches")
unknown = tf.placeholder(tf.int32, [None], name="unknown")
caught(lambda: tf.train.batch([unknown], 2))
caught(lambda: tf.train.batch([unknown], 2, dynamic_pad=True))
caught(lambda: tf.train.batch([tf.constant(1)], 2, shapes=[[], []]))
caught(lambda: tf.train.shuffle_batch([unknown], 2, 8, 2))
caught(lambda: tf.train.batch([tf.placeholder(tf.int32)], 2, dynamic_pad=True))

print("== attrs that are lists")
caught(lambda: tf.decode_csv("a", []))
caught(lambda: tf.decode_csv("a", [[True]]))
caught(lambda: tf.parse_example(["a"], {"a": tf.FixedLenFeature([2], tf.int32)}))
caught(lambda: tf.parse_example(["a"], {"a": tf.VarLenFeature(tf.int32)}))
caught(lambda: tf.constant(1, name=3))

print("== shapes of what is parsed")
context, lists = tf.parse_single_sequence_example(
    tf.placeholder(tf.string, []), {"k": tf.FixedLenFeature([], tf.int64), "v": tf.VarLenFeature(tf.float32)},
    {"f": tf.FixedLenSequenceFeature([2], tf.float32), "s": tf.VarLenFeature(tf.string)})
for name, value in sorted(context.items()) + sorted(lists.items()):
    print("  %s %s" % (name, [t.shape for t in (value.indices, value.values, value.dense_shape)]
                       if isinstance(value, tf.SparseTensor) else value.shape))
context, lists, lengths = tf.io.parse_sequence_example(
    tf.placeholder(tf.string, [3]), {"k": tf.FixedLenFeature([], tf.int64), "v": tf.VarLenFeature(tf.float32)},
    {"f": tf.FixedLenSequenceFeature([2], tf.float32), "s": tf.VarLenFeature(tf.string)})
for name, value in sorted(context.items()) + sorted(lists.items()) + sorted(lengths.items()):
    print("  %s %s" % (name, [t.shape for t in (value.indices, value.values, value.dense_shape)]
                       if isinstance(value, tf.SparseTensor) else value.shape))

print("== what the getter is told")


def told(getter, name, **arguments):
    print("  %s %s" % (name, sorted(key for key in arguments if arguments[key] is not None)))
    return getter(name, **arguments)


with tf.variable_scope("told", custom_getter=told):
    tf.get_variable("one", [2])
    tf.get_variable("two", [2], collections=["own"])
    tf.get_variable("three", [2], collections=[])
for key in sorted(k for k in tf.get_default_graph().get_all_collection_keys() if not isinstance(k, tuple)):
    print("  %s %s" % (key, [getattr(item, "name", "-") for item in tf.get_collection(key)]))
