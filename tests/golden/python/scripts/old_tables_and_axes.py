"""tf.contrib.lookup's tables, axes named twice, and what is refused beside them."""
import numpy as np
import tensorflow as tf

lookup = tf.contrib.lookup
session = tf.Session()


def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])


def found(tensor):
    session.run(tf.tables_initializer())
    return session.run(tensor).tolist()


print("== vocabularies")
words, numbers = tf.constant(["a", "b", "c"]), tf.constant([1, 7], tf.int64)
print(found(lookup.index_table_from_tensor(mapping=words, num_oov_buckets=1).lookup(tf.constant(["b", "z"]))))
print(found(lookup.index_to_string_table_from_tensor(mapping=words, default_value="none").lookup(numbers)))
print(found(lookup.string_to_index(tf.constant(["b", "z"]), mapping=words)))
print(found(lookup.index_to_string(numbers, mapping=words)))
print(found(lookup.string_to_index_table_from_tensor(["x", "y"], name="letters").lookup(tf.constant(["y"]))))
told(lambda: lookup.string_to_index_table_from_tensor([1, 2]))
told(lambda: lookup.index_table_from_tensor(None))
told(lambda: lookup.index_to_string_table_from_tensor(mapping=None))
for op in tf.get_default_graph().get_operations():
    print(op.name, op.type, [t.name for t in op.inputs])

x = tf.constant(np.arange(24.).reshape(2, 3, 4))
print("== shapes of axes that are named twice")
for axes in ([0, 0], [1, -2], [2, 2, -1], [0, -3, 2]):
    print(axes, tf.reduce_sum(x, axes).shape, tf.reduce_max(x, axes, keepdims=True).shape)

print("== shapes of strings")
text, unknown = tf.placeholder(tf.string, [2, 3]), tf.placeholder(tf.string, [2, None])
for value, axes, keep in ((text, [1], False), (text, [0, 0], False), (text, [1], True), (text, -1, False), (unknown, [0], True),
                          (text, tf.placeholder(tf.int32, [2]), True), (text, [], False), (text, [5], False)):
    told(lambda: tf.reduce_join(value, axes, keep_dims=keep).shape)
for position, length in (([3], [3]), ([], []), ([2, 1], [2, 1]), ([4], [4]), ([2], [3]), ([2], [2, 2]), (None, [3])):
    told(lambda: tf.strings.substr(text, tf.placeholder(tf.int32, position), tf.placeholder(tf.int32, length)).shape)

print("== refused")
told(lambda: tf.cond([tf.constant(True)], lambda: 1, lambda: 2))
told(lambda: tf.gradients(x, None))
told(lambda: tf.gradients(None, x))
told(lambda: tf.gradients(x, [x, None]))
told(lambda: tf.data.Dataset.range(3).filter(lambda value: [value > 1]))
print(tf.gradients(x, x)[0].name)
