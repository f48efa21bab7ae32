import os, tempfile, shutil
import numpy as np
import tensorflow as tf
folder = tempfile.mkdtemp()
path = os.path.join(folder, 'data.tfrecords')


def _bytes_feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def _int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


def _floats(v):
    return tf.train.Feature(float_list=tf.train.FloatList(value=v))


rng = np.random.RandomState(0)
with tf.python_io.TFRecordWriter(path) as writer:
    for i in range(6):
        img = rng.randint(0, 255, (2, 3), dtype=np.uint8)
        ex = tf.train.Example(features=tf.train.Features(feature={'height': _int64_feature(2), 'label': _int64_feature(i), 'image_raw': _bytes_feature(img.tobytes()), 'w': _floats([i * .5, 1.])}))
        writer.write(ex.SerializeToString())
        if i == 1:
            print(ex)
            print(ex.features.feature['label'].int64_list.value[0], sorted(ex.features.feature))
for i, rec in enumerate(tf.python_io.tf_record_iterator(path)):
    example = tf.train.Example()
    example.ParseFromString(rec)
    print(i, example.features.feature['w'].float_list.value, len(rec))


def read_and_decode(filename_queue):
    reader = tf.TFRecordReader()
    key, serialized_example = reader.read(filename_queue)
    features = tf.parse_single_example(serialized_example, features={'image_raw': tf.FixedLenFeature([], tf.string), 'label': tf.FixedLenFeature([], tf.int64), 'w': tf.VarLenFeature(tf.float32)})
    image = tf.decode_raw(features['image_raw'], tf.uint8)
    image.set_shape([6])
    image = tf.cast(image, tf.float32) * (1. / 255) - 0.5
    label = tf.cast(features['label'], tf.int32)
    print(key, serialized_example, features['w'], image, label, sep='\n')
    return image, label


filename_queue = tf.train.string_input_producer([path], num_epochs=1, shuffle=False)
image, label = read_and_decode(filename_queue)
images, sparse_labels = tf.train.batch([image, label], batch_size=2, num_threads=1, capacity=20)
init_op = tf.group(tf.global_variables_initializer(), tf.local_variables_initializer())
with tf.Session() as sess:
    sess.run(init_op)
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    try:
        while not coord.should_stop():
            im, la = sess.run([images, sparse_labels])
            print(la, im[0].round(3))
    except tf.errors.OutOfRangeError:
        print('done')
    finally:
        coord.request_stop()
    coord.join(threads)
tf.reset_default_graph()


def parser(record):
    keys = {'image_raw': tf.FixedLenFeature((), tf.string, default_value=''), 'label': tf.FixedLenFeature((), tf.int64, default_value=tf.zeros([], dtype=tf.int64))}
    parsed = tf.parse_single_example(record, keys)
    return tf.reshape(tf.decode_raw(parsed['image_raw'], tf.uint8), [2, 3]), parsed['label']


dataset = tf.data.TFRecordDataset([path]).map(parser).shuffle(100, seed=3).batch(4).repeat(2)
print(dataset, dataset.output_types, dataset.output_shapes)
it = dataset.make_one_shot_iterator()
f, l = it.get_next()
print(f, l)
with tf.Session() as sess:
    while True:
        try:
            print(sess.run([f, l])[1])
        except tf.errors.OutOfRangeError as e:
            print(e.message.split('\n')[0])
            break
ds = tf.data.Dataset.from_tensor_slices((np.arange(10), np.arange(10) ** 2)).filter(lambda a, b: tf.equal(a % 2, 0)).map(lambda a, b: {'a': a, 'b': b + 1}).padded_batch(2, {'a': [], 'b': []}) 
it = ds.make_initializable_iterator()
n = it.get_next()
print(n, it.output_types)
with tf.Session() as sess:
    try:
        sess.run(n)
    except tf.errors.FailedPreconditionError as e:
        print(e.message.split('\n')[0])
    sess.run(it.initializer)
    for _ in range(2):
        print(sess.run(n))
h = tf.placeholder(tf.string, [])
d1 = tf.data.Dataset.range(3)
d2 = tf.data.Dataset.range(100, 103)
i1, i2 = d1.make_one_shot_iterator(), d2.make_one_shot_iterator()
it = tf.data.Iterator.from_string_handle(h, d1.output_types, d1.output_shapes)
e = it.get_next()
r = tf.data.Iterator.from_structure(tf.int64, [])
re = r.get_next()
with tf.Session() as sess:
    h1, h2 = sess.run(i1.string_handle()), sess.run(i2.string_handle())
    print([sess.run(e, {h: q}) for q in (h1, h2, h1, h2)])
    for d in (d1, d2):
        sess.run(r.make_initializer(d))
        print([sess.run(re) for _ in range(3)])
shutil.rmtree(folder)
