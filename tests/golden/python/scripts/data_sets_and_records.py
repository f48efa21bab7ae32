"""Data sets of arrays and of records, and queues of the same."""
import tensorflow as tf, numpy as np, os
rs = np.random.RandomState(0)
features = rs.random_sample((100, 2))
labels = np.arange(100) % 2
ds = tf.data.Dataset.from_tensor_slices((features, labels))
ds = ds.repeat().batch(32).prefetch(32)
it = ds.make_initializable_iterator()
X, Y = it.get_next()
with tf.Session() as s:
    s.run(it.initializer)
    for i in range(4):
        a, b = s.run([X, Y])
        print(a.shape, b.sum(), a.dtype)

def _bytes(v):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[v]))

def _int(v):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[v]))
w = tf.python_io.TFRecordWriter('d.tfrecords')
for i in range(10):
    im = rs.randint(0, 255, (4, 3, 1)).astype(np.uint8)
    ex = tf.train.Example(features=tf.train.Features(feature={'height': _int(4), 'width': _int(3), 'image_raw': _bytes(im.tostring()), 'label': _int(i)}))
    w.write(ex.SerializeToString())
w.close()

def parse(r):
    f = tf.parse_single_example(r, features={'height': tf.FixedLenFeature([], tf.int64), 'width': tf.FixedLenFeature([], tf.int64), 'image_raw': tf.FixedLenFeature([], tf.string), 'label': tf.FixedLenFeature([], tf.int64)})
    im = tf.decode_raw(f['image_raw'], tf.uint8)
    h = tf.cast(f['height'], tf.int32)
    wd = tf.cast(f['width'], tf.int32)
    im = tf.reshape(im, tf.stack([h, wd, 1]))
    return (tf.cast(im, tf.float32) * (1.0 / 255) - 0.5, f['label'])
d = tf.data.TFRecordDataset('d.tfrecords').map(parse).shuffle(5, seed=3).repeat(2).batch(4)
i2 = d.make_one_shot_iterator()
n = i2.get_next()
print(d.output_types, d.output_shapes)
with tf.Session() as s:
    try:
        while True:
            a, b = s.run(n)
            print(a.shape, list(b), '%.4f' % a.mean())
    except tf.errors.OutOfRangeError:
        print('End of dataset')
q = tf.train.string_input_producer(['d.tfrecords'], num_epochs=1, shuffle=False)
r = tf.TFRecordReader()
_, ser = r.read(q)
im, lb = parse(ser)
im.set_shape([4, 3, 1])
b = tf.train.batch([im, lb], batch_size=5, num_threads=1, capacity=20)
with tf.Session() as s:
    s.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    c = tf.train.Coordinator()
    th = tf.train.start_queue_runners(s, c)
    try:
        while not c.should_stop():
            x, y = s.run(b)
            print(x.shape, y)
    except tf.errors.OutOfRangeError:
        print('Done training')
    finally:
        c.request_stop()
    c.join(th)
for rec in tf.python_io.tf_record_iterator('d.tfrecords'):
    e = tf.train.Example()
    e.ParseFromString(rec)
    print(e.features.feature['label'].int64_list.value[0], len(e.features.feature['image_raw'].bytes_list.value[0]))
    break
