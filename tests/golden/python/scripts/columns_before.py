"""Linear models and networks of tf.contrib.learn, over columns as they were before tf.feature_column."""
import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
learn = tf.contrib.learn; L = tf.contrib.layers
rng = np.random.RandomState(0)
X = rng.rand(60, 4).astype(np.float32); Y = (X[:, 0] * 3).astype(np.int64)
def cfg(): return learn.RunConfig(tf_random_seed=1)
cols = [L.real_valued_column("", dimension=4)]
c = learn.DNNClassifier(feature_columns=cols, hidden_units=[10, 20], n_classes=3, model_dir=tempfile.mkdtemp(), config=cfg())
c.fit(x=X, y=Y, steps=50)
print(sorted(c.get_variable_names()))
r = c.evaluate(x=X, y=Y); print(sorted(r)); print(["%.3f" % r[k] for k in sorted(r)])
print(list(c.predict(X[:5], as_iterable=True)), ["%.3f" % v for v in list(c.predict_proba(X[:1]))[0]])
c = learn.LinearClassifier(feature_columns=learn.infer_real_valued_columns_from_input(X), n_classes=2, config=cfg())
c.fit(X, (Y > 0).astype(np.int64), steps=20, batch_size=30)
r = c.evaluate(X, (Y > 0).astype(np.int64)); print(sorted(r)); print(["%.3f" % r[k] for k in sorted(r)])
print(sorted(c.get_variable_names()))
def data():
    f = {'age': tf.constant([[20.], [30.], [41.], [55.]]), 'job': tf.SparseTensor([[0,0],[1,0],[2,0],[3,0]], ['a','b','c','a'], [4,1]),
         'city': tf.constant([['x'], ['y'], ['x'], ['']]), 'n': tf.constant([[1],[2],[3],[14]], tf.int64)}
    return f, tf.constant([[0], [1], [1], [0]])
age, job = L.real_valued_column('age'), L.sparse_column_with_hash_bucket('job', 10)
city, n = L.sparse_column_with_keys('city', ['x', 'y']), L.sparse_column_with_integerized_feature('n', 8)
ab = L.bucketized_column(age, [25, 40]); x = L.crossed_column([job, city], 20); x2 = L.crossed_column([ab, job], 30, hash_key=956888297470)
m = learn.DNNLinearCombinedClassifier(linear_feature_columns=[age, job, city, n, ab, x, x2], dnn_feature_columns=[age, L.embedding_column(job, 3), L.one_hot_column(city), L.embedding_column(x, 2, combiner='sum'), ab], dnn_hidden_units=[4, 3], config=cfg(), fix_global_step_increment_bug=True)
m.fit(input_fn=data, steps=20)
r = m.evaluate(input_fn=data, steps=1); print(sorted(r)); print(["%.3f" % r[k] for k in sorted(r)])
for v in sorted(m.get_variable_names()): print(v, m.get_variable_value(v).shape)
print(list(m.predict(input_fn=data)))
g = learn.DNNRegressor(feature_columns=cols, hidden_units=[5], config=cfg(), optimizer=tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.001), dropout=0.1)
g.fit(X, X[:, 1] * 2, steps=30, batch_size=20)
r = g.evaluate(X, X[:, 1] * 2, metrics={'mse': tf.contrib.metrics.streaming_mean_squared_error}); print(sorted(r)); print(["%.3f" % r[k] for k in sorted(r)])
print(["%.3f" % v for v in g.predict(X[:3])])
lr = learn.LinearRegressor(feature_columns=[L.real_valued_column('x')], optimizer=tf.train.GradientDescentOptimizer(0.1), config=cfg())
fn = lambda: ({'x': tf.constant([[1.], [2.], [3.]])}, tf.constant([[2.], [4.], [6.]]))
lr.fit(input_fn=fn, steps=30); r = lr.evaluate(input_fn=fn, steps=1); print({k: "%.4f" % v for k, v in sorted(r.items())}); print(["%.3f" % v for v in lr.predict(input_fn=fn)], sorted(lr.get_variable_names()))
sk = learn.SKCompat(learn.DNNClassifier(feature_columns=cols, hidden_units=[3], n_classes=3, config=cfg())); sk.fit(X, Y, steps=5); print(sk.predict(X[:4])['classes'])
for bad in (lambda: L.input_from_feature_columns({'job': tf.constant([['a']])}, [job]), lambda: L.weighted_sum_from_feature_columns({'job': tf.constant([['a']])}, [L.embedding_column(job, 3)], 1), lambda: L.crossed_column([age, job], 10)):
    try: bad()
    except Exception as e: print(type(e).__name__, str(e)[:150])
