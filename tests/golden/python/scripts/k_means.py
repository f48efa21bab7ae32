"""k-means: the graph's own loop, and the estimator."""
import hashlib
import numpy as np, tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
F = tf.contrib.factorization
rng = np.random.RandomState(3)
points = np.concatenate([rng.randn(20, 2) * 0.3 + c for c in ((0, 0), (4, 4), (0, 5))]).astype(np.float32)
rng.shuffle(points)


def numbers(values):
    return np.round(np.float64(values), 3).tolist()


def loop(**settings):
    tf.reset_default_graph()
    tf.set_random_seed(5)
    x = tf.constant(points)
    distances, nearest, scores, initialized, init_op, train_op = F.KMeans(x, 3, random_seed=7, **settings).training_graph()
    graph_def = tf.get_default_graph().as_graph_def()
    average = tf.reduce_mean(scores[0])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        while not session.run(initialized):
            session.run(init_op)
        for _ in range(4):
            session.run(train_op)
        found, value = session.run([nearest[0], average])
    nodes = '\n'.join(' '.join([node.op, node.name] + list(node.input)) for node in graph_def.node)
    print(sorted(settings.items(), key=str), len(graph_def.node), hashlib.md5(nodes.encode()).hexdigest())
    print(np.bincount(found), round(float(value), 1 if 'use_mini_batch' in settings else 4), distances[0].shape)


loop()
loop(distance_metric=F.COSINE_DISTANCE)
loop(initial_clusters=F.KMEANS_PLUS_PLUS_INIT)
loop(initial_clusters='kmc2', kmc2_chain_length=10)
loop(initial_clusters=F.KMEANS_PLUS_PLUS_INIT, use_mini_batch=True)
loop(initial_clusters=F.KMEANS_PLUS_PLUS_INIT, use_mini_batch=True, mini_batch_steps_per_iteration=2)
loop(initial_clusters=F.KMEANS_PLUS_PLUS_INIT, use_mini_batch=True, mini_batch_steps_per_iteration=2, distance_metric='cosine')
for wrong in (dict(initial_clusters='nearest'), dict(distance_metric='manhattan')):
    for make in (lambda **k: F.KMeans(points, 3, **k), lambda **k: F.KMeansClustering(3, **k)):
        try:
            make(**wrong)
        except ValueError as error:
            print(error)


def input_fn():
    return tf.train.limit_epochs(tf.convert_to_tensor(points, dtype=tf.float32), num_epochs=1)


means = F.KMeansClustering(num_clusters=3, use_mini_batch=False, initial_clusters=points[:3],
                           config=tf.estimator.RunConfig(tf_random_seed=1))
before = None
for _ in range(4):
    means.train(input_fn)
    centers = means.cluster_centers()
    if before is not None:
        print('delta:', numbers(centers - before))
    before = centers
    print('score:', round(float(means.score(input_fn)), 3))
indices = list(means.predict_cluster_index(input_fn))
print(indices[:8], [numbers(row) for row in list(means.transform(input_fn))[:2]])
print(sorted(means.get_variable_names()))


def by_name():
    return tf.data.Dataset.from_tensor_slices({'b': points[:, 1:], 'a': points[:, :1]}).batch(60).repeat()


means = F.KMeansClustering(3, relative_tolerance=1e-4, initial_clusters=points[:3], use_mini_batch=False,
                           feature_columns=[tf.feature_column.numeric_column('a'), tf.feature_column.numeric_column('b')])
means.train(by_name, steps=50)
print(means.get_variable_value('global_step'), numbers(means.cluster_centers()))
