"""tf.contrib.layers.real_valued_column: guessed, told apart, and in the estimators after it."""
import numpy as np, tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
layers, learn = tf.contrib.layers, tf.contrib.learn
x = np.random.RandomState(0).rand(6, 4)
print(learn.infer_real_valued_columns_from_input(x))
print(learn.infer_real_valued_columns_from_input(x[:, 0].astype(np.float32)))
print(learn.infer_real_valued_columns_from_input({'a': x.astype(np.int32)}))
print(learn.infer_real_valued_columns_from_input_fn(lambda: ({'b': tf.zeros([3, 2, 5])}, None)))
column = layers.real_valued_column('a', dimension=2, default_value=[1, 2])
print(column.name, column.key, column.config, layers.real_valued_column('n', 2, 3, tf.int64).default_value)
for given in (dict(dimension=None), dict(dimension=0), dict(dimension=1.5), dict(dtype=tf.string), dict(default_value='0'),
              dict(default_value=[1.0, 2.0]), dict(default_value=1.5, dtype=tf.int32)):
    try:
        print(layers.real_valued_column('a', **given))
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
columns = [layers.real_valued_column('a', dimension=2, normalizer=lambda v: v * 2), layers.real_valued_column('b')]
made = tf.feature_column.input_layer({'a': tf.constant(x[:, :2]), 'b': tf.constant(x[:, 2:3])}, columns)
print([(node.op, node.name) for node in tf.get_default_graph().as_graph_def().node])
with tf.Session() as session:
    print(np.round(np.float64(session.run(made)), 3).tolist())
regressor = tf.estimator.LinearRegressor(columns, config=tf.estimator.RunConfig(tf_random_seed=1))
features = {'a': x[:, :2], 'b': x[:, 2:3]}
regressor.train(tf.estimator.inputs.numpy_input_fn(features, x.sum(1), 6, num_epochs=None, shuffle=False), steps=10)
print({name: np.round(np.float64(regressor.get_variable_value(name)), 4).tolist() for name in regressor.get_variable_names()})
