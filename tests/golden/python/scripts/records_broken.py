# Files of records that end in the middle or are not what they should be, with and without ignore_errors.
import gzip

import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)


def write(name, count, tail=b''):
    with tf.python_io.TFRecordWriter(name) as writer:
        for i in range(count):
            writer.write(b'%s %d' % (name.encode(), i))
    with open(name, 'ab') as out:
        out.write(tail)


write('one', 3, b'and so on, to its end')
write('two', 2)
write('three', 2, b'short')
with open('four', 'wb') as out:
    out.write(b'no records are here at all')
with gzip.open('packed', 'wb') as out:
    out.write(b'abcdefghij')


def pulled(dataset, most=10):
    element = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        for _ in range(most):
            try:
                print(' ', sess.run(element))
            except tf.errors.OpError as error:
                print(' ', type(error).__name__, error.message.split('\n')[0].split('[[')[0].strip())
                if isinstance(error, tf.errors.OutOfRangeError):
                    break


for names in (['one', 'two', 'three'], ['four', 'three', 'one'], ['two', 'four']):
    for packed in ('', 'GZIP'):
        print('records', names, packed)
        pulled(tf.data.TFRecordDataset(names, packed))
        print('records, errors ignored', names, packed)
        pulled(tf.data.TFRecordDataset(names, packed).apply(tf.data.experimental.ignore_errors()))
print('of one length')
pulled(tf.data.FixedLengthRecordDataset(['two', 'one'], 5), 3)
for names in (['four', 'packed'], ['packed', 'four']):
    print('of one length, packed', names)
    pulled(tf.data.FixedLengthRecordDataset(names, 5, compression_type='GZIP'))
