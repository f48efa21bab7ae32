import os
import shutil
import tempfile
import numpy as np
import tensorflow as tf
folder = tempfile.mkdtemp()


def rel(p):
    return None if p is None else os.path.relpath(p, folder)


w1 = tf.get_variable('w1', shape=[3], initializer=tf.constant_initializer([1., 2., 3.]))
w2 = tf.Variable([[1, 2], [3, 4]], name='w2')
step = tf.train.get_or_create_global_step()
inc = tf.assign_add(step, 1)
x = tf.placeholder(tf.float32, [3], name='x')
y = tf.add(w1 * x, 1., name='y')
tf.add_to_collection('outputs', y)
tf.add_to_collection('inputs', x)
saver = tf.train.Saver(max_to_keep=2)
print(saver.last_checkpoints)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        sess.run(inc)
        p = saver.save(sess, os.path.join(folder, 'model'), global_step=step)
        print(rel(p))
    print([rel(p) for p in saver.last_checkpoints])
    print(sorted(os.listdir(folder)))
    print(saver.save(sess, os.path.join(folder, 'plain'), write_meta_graph=False, write_state=False) == os.path.join(folder, 'plain'))
print(rel(tf.train.latest_checkpoint(folder)))
state = tf.train.get_checkpoint_state(folder)
print(type(state).__name__, rel(state.model_checkpoint_path), [rel(p) for p in state.all_model_checkpoint_paths])
print(open(os.path.join(folder, 'checkpoint')).read().replace(folder, 'F'))
print(tf.train.list_variables(tf.train.latest_checkpoint(folder)))
print(tf.train.load_variable(folder, 'w1'), tf.train.checkpoint_exists(os.path.join(folder, 'nope')))
reader = tf.train.NewCheckpointReader(os.path.join(folder, 'plain'))
print(sorted(reader.get_variable_to_shape_map().items()), sorted(reader.get_variable_to_dtype_map().items()), reader.has_tensor('w9'), reader.get_tensor('w2'))
print(reader.debug_string().decode())
from tensorflow.python.tools.inspect_checkpoint import print_tensors_in_checkpoint_file
print_tensors_in_checkpoint_file(os.path.join(folder, 'plain'), tensor_name='', all_tensors=True)
print_tensors_in_checkpoint_file(os.path.join(folder, 'plain'), tensor_name='w1', all_tensors=False)
print_tensors_in_checkpoint_file(os.path.join(folder, 'plain'), tensor_name='', all_tensors=False, all_tensor_names=True)
tf.reset_default_graph()
with tf.Session() as sess:
    s2 = tf.train.import_meta_graph(os.path.join(folder, 'model-4.meta'))
    s2.restore(sess, os.path.join(folder, 'model-4'))
    g = tf.get_default_graph()
    y = tf.get_collection('outputs')[0]
    print(sess.run(y, {'x:0': [1, 1, 1]}), sess.run('global_step:0'), g.get_tensor_by_name('w2:0'))
    print(sess.run(g.get_tensor_by_name('w1:0')))
    print(tf.global_variables(), tf.get_collection('inputs'))
    print(sorted(g.get_all_collection_keys()))
tf.reset_default_graph()
w1 = tf.get_variable('w1', shape=[3]); other = tf.get_variable('other', [2]); w2 = tf.get_variable('w2', [2, 3], tf.int32, initializer=tf.zeros_initializer())
with tf.Session() as sess:
    tf.train.Saver({'w1': w1}).restore(sess, os.path.join(folder, 'plain'))
    print(sess.run(w1))
    print(sess.run(tf.report_uninitialized_variables()))
    for bad in ({'other': other}, {'w2': w2}, {'w1': other}):
        try:
            tf.train.Saver(bad).restore(sess, os.path.join(folder, 'plain'))
        except Exception as e:
            print(type(e).__name__, str(e).split('\n')[0].replace(folder, 'F'))
    try:
        tf.train.Saver([w1]).restore(sess, os.path.join(folder, 'missing'))
    except Exception as e:
        print(type(e).__name__, str(e).replace(folder, 'F').split('\n')[0])
    try:
        tf.train.Saver([w1]).restore(sess, None)
    except Exception as e:
        print(type(e).__name__, str(e))
    try:
        tf.train.Saver([other]).save(sess, os.path.join(folder, 'n', 'o'))
    except Exception as e:
        print(type(e).__name__, str(e).replace(folder, 'F').split('\n')[0])
    try:
        sess.run(other)
    except tf.errors.FailedPreconditionError as e:
        print(e.message.split('\n')[0], e.error_code)
tf.reset_default_graph()
try:
    tf.train.Saver()
except ValueError as e:
    print(e)
shutil.rmtree(folder)
