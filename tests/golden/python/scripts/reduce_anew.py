import tensorflow as tf
# what functions of a dataset keep begins anew in each run of reduce and get_single_element
numbers = tf.data.Dataset.range(4)
noisy = numbers.map(lambda x: tf.cast(x, tf.float32) + tf.random_uniform([], seed=3))
outputs = [noisy.reduce(tf.constant(0.), lambda a, b: a * 2. + b),
           numbers.reduce(tf.constant(0.), lambda a, b: a * 2. + tf.random_uniform([], seed=4)),
           tf.data.experimental.get_single_element(tf.data.Dataset.range(1).map(lambda x: tf.random_uniform([], seed=5))),
           tf.data.experimental.get_single_element(noisy.batch(4)),
           tf.random_uniform([], seed=3)]
with tf.Session() as session:
    for output in outputs:
        print([session.run(output).tolist() for _ in range(3)])
    print([v.tolist() for v in session.run(outputs[:4])])
