"""tf.keras.metrics: what they collect, and the graphs of it."""
import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)

TRUE, GUESS = [[0., 1., 0.], [1., 0., 0.]], [[.1, .7, .2], [.3, .4, .3]]
for name in ('MeanAbsolutePercentageError', 'MeanSquaredLogarithmicError', 'Hinge', 'SquaredHinge', 'CategoricalHinge',
             'KLDivergence', 'LogCoshError', 'Poisson', 'RootMeanSquaredError', 'SparseTopKCategoricalAccuracy'):
    for weights in (None, [1., 3.]):
        tf.keras.backend.clear_session()
        with tf.Graph().as_default() as graph, tf.Session() as sess:
            labels = [2., 1.] if name.startswith('Sparse') else TRUE
            kept = None if name.startswith('Root') and weights else weights
            options = {'k': 2} if name.startswith('Sparse') else {}
            metric = getattr(tf.keras.metrics, name)(**options)
            value = metric(tf.constant(labels), tf.constant(GUESS), sample_weight=kept)
            sess.run(tf.variables_initializer(metric.variables))
            print(metric.name, ['%.4f' % sess.run(value) for _ in range(2)], '%.4f' % sess.run(metric.result()))
            if weights is None:
                print('  ', [(op.name, op.type) for op in graph.get_operations()][-12:])
