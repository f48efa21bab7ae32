"""A census in columns: linear, deep and both, from CSV to a SavedModel."""
import numpy as np, tensorflow as tf, os
tf.logging.set_verbosity(tf.logging.ERROR)
rng = np.random.RandomState(1)
n = 300
age = rng.randint(18, 70, n).astype(np.float32)
edu = rng.choice(['Bachelors', 'HS-grad', 'Masters'], n)
occ = rng.choice(['tech', 'farm', 'sales', 'x'], n)
hours = rng.randint(10, 60, n).astype(np.float32)
lab = ((age > 35) & (edu != 'HS-grad') | (hours > 50)).astype(np.int32)
with open('train.csv', 'w') as f:
    for r in zip(age, edu, occ, hours, lab):
        f.write('%g,%s,%s,%g,%s\n' % (r[0], r[1], r[2], r[3], '>50K' if r[4] else '<=50K'))
_COLS = ['age', 'education', 'occupation', 'hours', 'income']
_DEF = [[0.0], [''], [''], [0.0], ['']]

def input_fn(data_file, num_epochs, shuffle, batch_size):
    assert tf.gfile.Exists(data_file)

    def parse_csv(value):
        columns = tf.decode_csv(value, record_defaults=_DEF)
        features = dict(zip(_COLS, columns))
        labels = features.pop('income')
        return (features, tf.equal(labels, '>50K'))
    d = tf.data.TextLineDataset(data_file)
    if shuffle:
        d = d.shuffle(buffer_size=500)
    d = d.map(parse_csv, num_parallel_calls=5)
    d = d.repeat(num_epochs)
    return d.batch(batch_size)
fc = tf.feature_column

def build():
    age = fc.numeric_column('age')
    hours = fc.numeric_column('hours')
    edu = fc.categorical_column_with_vocabulary_list('education', ['Bachelors', 'HS-grad', 'Masters'])
    occ = fc.categorical_column_with_hash_bucket('occupation', hash_bucket_size=100)
    ab = fc.bucketized_column(age, boundaries=[18, 25, 30, 35, 40, 45, 50, 55, 60, 65])
    base = [edu, occ, ab]
    crossed = [fc.crossed_column(['education', 'occupation'], hash_bucket_size=100), fc.crossed_column([ab, 'education', 'occupation'], hash_bucket_size=100)]
    deep = [age, hours, fc.indicator_column(edu), fc.embedding_column(occ, dimension=8)]
    return (base + crossed, deep)
wide, deep = build()
rc = tf.estimator.RunConfig(tf_random_seed=5)
for kind in ('wide', 'deep', 'wide_deep'):
    if kind == 'wide':
        m = tf.estimator.LinearClassifier(model_dir=None, feature_columns=wide, config=rc)
    elif kind == 'deep':
        m = tf.estimator.DNNClassifier(feature_columns=deep, hidden_units=[20, 10], config=rc)
    else:
        m = tf.estimator.DNNLinearCombinedClassifier(linear_feature_columns=wide, dnn_feature_columns=deep, dnn_hidden_units=[20, 10], config=rc)
    m.train(input_fn=lambda: input_fn('train.csv', 5, False, 40))
    res = m.evaluate(input_fn=lambda: input_fn('train.csv', 1, False, 40))
    print(kind)
    for k in sorted(res):
        print('%s: %.2f' % (k, res[k]))
    if kind == 'wide_deep':
        spec = fc.make_parse_example_spec(deep)
        d = m.export_savedmodel('exp', tf.estimator.export.build_parsing_serving_input_receiver_fn(spec))
        print(type(d).__name__, sorted(os.listdir(d.decode())))
        with tf.Session(graph=tf.Graph()) as s:
            mg = tf.saved_model.loader.load(s, ['serve'], d.decode())
            print(sorted(mg.signature_def))
            ex = tf.train.Example(features=tf.train.Features(feature={'age': tf.train.Feature(float_list=tf.train.FloatList(value=[44.0])), 'hours': tf.train.Feature(float_list=tf.train.FloatList(value=[50.0])), 'education': tf.train.Feature(bytes_list=tf.train.BytesList(value=[b'Masters'])), 'occupation': tf.train.Feature(bytes_list=tf.train.BytesList(value=[b'tech']))}))
            sd = mg.signature_def['predict']
            print(sorted(sd.outputs), sd.inputs['examples'].name)
