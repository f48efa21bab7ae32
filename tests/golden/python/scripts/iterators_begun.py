"""Iterators that several datasets begin: names, order, ends, handles, and what is refused."""
import tensorflow as tf

Dataset = tf.data.Dataset


def refused(make):
    try:
        make()
        print("accepted")
    except Exception as error:
        print(type(error).__name__, error)


pairs = Dataset.zip((Dataset.range(3), Dataset.from_tensors("x").repeat())).concatenate(
    Dataset.from_tensors((tf.constant(9, tf.int64), "z")))
iterator = tf.data.Iterator.from_structure(pairs.output_types, pairs.output_shapes)
element = iterator.get_next()
initializers = [iterator.make_initializer(pairs), iterator.make_initializer(pairs.take(1), name="second")]
print([op.name for op in initializers], element)
with tf.Session() as sess:
    for initializer in initializers:
        sess.run(initializer)
        try:
            while True:
                print(sess.run(element))
        except tf.errors.OutOfRangeError:
            print("end")

refused(lambda: iterator.make_initializer(Dataset.range(3)))
refused(lambda: iterator.make_initializer(Dataset.from_tensors({"a": 1, "b": 1.5})))
refused(lambda: iterator.make_initializer(Dataset.from_tensors((1, "x"))))
refused(lambda: iterator.make_initializer(Dataset.from_tensors(([tf.constant(1, tf.int64)], "x"))))

handle = tf.placeholder(tf.string, [])
of_handle = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
low, high = Dataset.range(2).make_one_shot_iterator(), Dataset.range(10, 12).make_one_shot_iterator()
with tf.Session() as sess:
    handles = sess.run([low.string_handle(), high.string_handle()])
    print([sess.run(of_handle, {handle: handles[i]}) for i in (0, 1, 0, 1)])
    try:
        sess.run(of_handle, {handle: "bad"})
    except tf.errors.OpError as error:
        print(type(error).__name__, error.message.splitlines()[0])
