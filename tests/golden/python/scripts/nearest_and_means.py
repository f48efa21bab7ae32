import numpy as np
import tensorflow as tf
rng = np.random.RandomState(5)
Xtr = rng.rand(40, 6); Ytr = np.eye(3)[rng.randint(0, 3, 40)]
Xte = rng.rand(10, 6); Yte = np.eye(3)[rng.randint(0, 3, 10)]
xtr = tf.placeholder("float", [None, 6])
xte = tf.placeholder("float", [6])
distance = tf.reduce_sum(tf.abs(tf.add(xtr, tf.negative(xte))), reduction_indices=1)
pred = tf.arg_min(distance, 0)
accuracy = 0.
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(len(Xte)):
        nn_index = sess.run(pred, feed_dict={xtr: Xtr, xte: Xte[i, :]})
        print("Test", i, "Prediction:", np.argmax(Ytr[nn_index]), "True Class:", np.argmax(Yte[i]))
        if np.argmax(Ytr[nn_index]) == np.argmax(Yte[i]):
            accuracy += 1. / len(Xte)
    print("Accuracy: %.2f" % accuracy)

# k-means by hand
tf.reset_default_graph()
points = np.concatenate([rng.normal(c, 0.3, (20, 2)) for c in [(0, 0), (3, 3), (0, 4)]]).astype(np.float32)
k = 3
vectors = tf.constant(points)
centroids = tf.Variable(tf.slice(vectors, [0, 0], [k, -1]))
expanded_vectors = tf.expand_dims(vectors, 0)
expanded_centroids = tf.expand_dims(centroids, 1)
assignments = tf.argmin(tf.reduce_sum(tf.square(tf.subtract(expanded_vectors, expanded_centroids)), 2), 0)
means = tf.concat([tf.reduce_mean(tf.gather(vectors, tf.reshape(tf.where(tf.equal(assignments, c)), [1, -1])), reduction_indices=[1]) for c in range(k)], 0)
update = tf.assign(centroids, means)
print(expanded_vectors, expanded_centroids, assignments, means, update, sep='\n')
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(6):
        _, centers, a = sess.run([update, centroids, assignments])
        print(step, centers.round(3).tolist(), np.bincount(a, minlength=3))
top = tf.nn.top_k(tf.constant([[1., 5., 3.], [9., 2., 7.]]), k=2)
print(top)
print(top.values, top.indices)
with tf.Session() as sess:
    print(sess.run(top))
    print(sess.run(tf.nn.in_top_k([[0.1, 0.9], [0.8, 0.2]], [1, 1], 1)))
    print(sess.run(tf.unsorted_segment_mean(points, np.arange(60) % 3, 3)).round(4))
    print(sess.run(tf.dynamic_partition([1, 2, 3, 4], [0, 1, 0, 1], 2)))
    print(sess.run(tf.unique([4, 5, 4, 3])))
    print(sess.run(tf.setdiff1d([1, 2, 3, 4], [2, 4])))
    print(sess.run(tf.unique_with_counts([4, 5, 4, 3])))
    print(tf.unique([1]), tf.meshgrid([1, 2], [3, 4]))
