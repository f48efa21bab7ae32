"""Baselines, and rows of databases."""
import os, sqlite3, tempfile
import numpy as np, tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
features = {'x': np.arange(8, dtype=np.float32), 'w': np.float32([1, 1, 1, 1, 2, 2, 2, 2])}


def numbers(values):
    return np.round(np.float64(values), 3).tolist()


def train(estimator, labels):
    fn = tf.estimator.inputs.numpy_input_fn(features, labels, batch_size=8, num_epochs=None, shuffle=False)
    estimator.train(fn, steps=30)
    once = tf.estimator.inputs.numpy_input_fn(features, labels, batch_size=8, num_epochs=1, shuffle=False)
    print({k: round(float(v), 4) for k, v in sorted(estimator.evaluate(once).items())})
    print({k: v.tolist() if v.dtype == object else numbers(v)
           for k, v in sorted(next(estimator.predict(once)).items())})
    print({name: numbers(estimator.get_variable_value(name)) for name in estimator.get_variable_names()})


train(tf.estimator.BaselineClassifier(), np.array([0, 0, 0, 1, 0, 0, 1, 0]))
train(tf.estimator.BaselineClassifier(n_classes=3, weight_column='w', optimizer='SGD'), np.array([0, 2, 0, 1, 2, 2, 1, 2]))
train(tf.estimator.BaselineRegressor(label_dimension=1), np.float32([1, 2, 3, 4, 5, 6, 7, 8]))
train(tf.estimator.BaselineRegressor(optimizer=lambda: tf.train.AdamOptimizer(0.1)), np.float32([1, 2, 3, 4, 5, 6, 7, 8]))
try:
    train(tf.estimator.BaselineClassifier(weight_column=tf.feature_column.numeric_column('w')), np.zeros(8, int))
except TypeError as error:
    print(str(error).split('<')[0])
path = os.path.join(tempfile.mkdtemp(), 'people.db')
with sqlite3.connect(path) as base:
    base.execute('create table people (name text, age integer, height real)')
    base.executemany('insert into people values (?, ?, ?)', [('Ada', 36, 1.65), ('Kurt', 71, 1.68), ('Emmy', 53, 1.6)])
for module in (tf.data.experimental, tf.contrib.data):
    rows = module.SqlDataset('sqlite', path, 'select name, age, height from people order by age', (tf.string, tf.int32, tf.float64))
    print(rows.output_types, rows.output_shapes)
    found = rows.repeat(2).batch(4).make_one_shot_iterator().get_next()
    with tf.Session() as session:
        for _ in range(2):
            print([part.tolist() for part in session.run(found)])
        try:
            session.run(found)
        except tf.errors.OutOfRangeError:
            print('end')
entries = tf.contrib.data.LMDBDataset(['/nowhere'])
print(tf.data.get_output_types(entries), tf.data.get_output_shapes(entries))
print([(node.name, node.op, list(node.input)) for node in tf.get_default_graph().as_graph_def().node if 'LMDB' in node.op or 'Sql' in node.op])
