"""The queue runner behind an estimator's arrays: an exported collection holds it, though it says that it cannot be written."""
import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
x = np.arange(12.).reshape(6, 2).astype('f')
features, target = tf.estimator.inputs.numpy_input_fn({'x': x}, np.arange(6), batch_size=4, num_epochs=1, shuffle=False)()
runner, = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
try:
    print(runner.to_proto())
except NotImplementedError as error:
    print(error)
meta = tf.train.export_meta_graph()
print(sorted(meta.collection_def))
for held in meta.collection_def['queue_runners'].bytes_list.value:
    print(held)

with tf.Graph().as_default():
    tf.train.import_meta_graph(meta)
    again, = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    print(again.name, again.close_op.name, again.cancel_op.name, [op.name for op in again.enqueue_ops])
    print(again.queue_closed_exception_types)

with tf.Session() as session:
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(session, coordinator)
    try:
        while True:
            print(session.run([features['x'], target]))
    except tf.errors.OutOfRangeError:
        print('out of range')
    coordinator.request_stop()
    coordinator.join(threads)
    value = tf.SparseTensor([[0, 0], [1, 2]], [1, 2], [3, 4]).eval()
    print(type(value).__name__, value)
