"""Premade estimators: three kinds of flowers, and a line."""
import numpy as np, tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
rng = np.random.RandomState(0)

def data(n):
    y = rng.randint(0, 3, n)
    x = np.stack([y * 1.5 + rng.randn(n) * 0.3 + k for k in range(4)], 1).astype(np.float32)
    return (dict(zip(['SepalLength', 'SepalWidth', 'PetalLength', 'PetalWidth'], x.T.copy())), y.astype(np.int64))
tx, ty = data(120)
ex, ey = data(30)

def train_input_fn(f, l, b):
    return tf.data.Dataset.from_tensor_slices((dict(f), l)).repeat().batch(b)

def eval_input_fn(f, l, b):
    return tf.data.Dataset.from_tensor_slices(dict(f) if l is None else (dict(f), l)).batch(b)
cols = [tf.feature_column.numeric_column(key=k) for k in tx]
clf = tf.estimator.DNNClassifier(feature_columns=cols, hidden_units=[10, 10], n_classes=3, config=tf.estimator.RunConfig(tf_random_seed=7))
clf.train(input_fn=lambda: train_input_fn(tx, ty, 20), steps=200)
r = clf.evaluate(input_fn=lambda: eval_input_fn(ex, ey, 20))
print({k: round(float(v), 3) for k, v in sorted(r.items())})
for p, e in list(zip(clf.predict(input_fn=lambda: eval_input_fn(ex, None, 20)), ey))[:5]:
    print(p['class_ids'], p['classes'], np.round(p['probabilities'], 2), e)
print(sorted(clf.get_variable_names()))
lr = tf.estimator.LinearRegressor(feature_columns=[tf.feature_column.numeric_column('x')], config=tf.estimator.RunConfig(tf_random_seed=1))
x = np.array([1.0, 2.0, 3.0, 4.0])
y = np.array([0.0, -1.0, -2.0, -3.0])
fn = tf.estimator.inputs.numpy_input_fn({'x': x}, y, batch_size=4, num_epochs=None, shuffle=False)
lr.train(fn, steps=300)
ev = tf.estimator.inputs.numpy_input_fn({'x': x}, y, batch_size=4, num_epochs=3, shuffle=False)
print({k: round(float(v), 4) for k, v in sorted(lr.evaluate(ev).items())})
for p in lr.predict(tf.estimator.inputs.numpy_input_fn({'x': x[:2]}, num_epochs=1, shuffle=False)):
    print(np.round(p['predictions'], 3))
