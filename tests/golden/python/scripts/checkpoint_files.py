"""The files of checkpoints: saved over one another, of the old format in parts, damaged, and what a reader tells of them."""
import os
import shutil
import tempfile
import tensorflow as tf

FOLDER = tempfile.mkdtemp()
MODEL = os.path.join(FOLDER, 'model')


def told(function, *arguments, **keywords):
    try:
        print('  no error: %s' % str(function(*arguments, **keywords)).replace(FOLDER, '...'))
    except Exception as error:
        text = error.message if isinstance(error, tf.errors.OpError) else str(error)
        print('  %s: %s' % (type(error).__name__, text.replace(FOLDER, '...').split('\n\t')[0]))


def story(title):
    tf.reset_default_graph()
    for name in os.listdir(FOLDER):
        os.remove(os.path.join(FOLDER, name))
    print('== ' + title)


def files():
    return sorted(os.listdir(FOLDER))


story('saved over')
v = tf.get_variable('v', initializer=[1., 2.])
saver = tf.train.Saver()
sharded = tf.train.Saver(sharded=True)
with tf.Session() as sess:
    sess.run(v.initializer)
    for one in [saver, saver, saver, sharded, sharded, saver]:
        one.save(sess, MODEL, write_meta_graph=False)
        print('  %s' % files())
        one.restore(sess, MODEL)

story('the old format')
a = tf.get_variable('a', initializer=[1., 2.])
old = tf.train.Saver(write_version=tf.train.SaverDef.V1)
parts = tf.train.Saver(sharded=True, write_version=tf.train.SaverDef.V1)
print('  %s' % [op.name for op in tf.get_default_graph().get_operations() if op.name.startswith('save_1/')])
with tf.Session() as sess:
    sess.run(a.initializer)
    for one in [old, parts]:
        path = one.save(sess, MODEL, 1)
        print('  %s of %s' % (os.path.basename(path), files()))

story('damaged')
v = tf.get_variable('v', initializer=[1., 2.])
saver = tf.train.Saver()
INDEX, DATA = MODEL + '.index', MODEL + '.data-00000-of-00001'
with tf.Session() as sess:
    sess.run(v.initializer)
    for path, content in [(DATA, b'abc'), (DATA, b''), (DATA, b'\0' * 8), (INDEX, b''), (INDEX, b'x' * 100)]:
        saver.save(sess, MODEL)
        with open(path, 'wb') as f:
            f.write(content)
        told(saver.restore, sess, MODEL)
        told(tf.train.load_variable, MODEL, 'v')

story('what a reader tells')
names = ['layer_%d/%s' % (i, part) for i in range(9) for part in ['kernel', 'bias']]
for name in names:
    tf.get_variable(name, [1], initializer=tf.zeros_initializer())
w = tf.get_variable('w', [1])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, MODEL)
reader = tf.train.NewCheckpointReader(MODEL)
print('  %s' % list(reader.get_variable_to_shape_map()))
print('  %s' % list(reader.get_variable_to_dtype_map()))
told(tf.train.init_from_checkpoint, MODEL, {'missing': w})
told(tf.train.warm_start, MODEL, [3])
told(tf.train.warm_start, MODEL, 3)
told(tf.train.warm_start, MODEL, None)
told(tf.train.warm_start, MODEL, 'w', var_name_to_prev_var_name={'x': 'y'})

story('the state of a folder')
with open(os.path.join(FOLDER, 'checkpoint'), 'w') as f:
    f.write('garbage')
told(tf.train.get_checkpoint_state, FOLDER)
told(tf.train.latest_checkpoint, FOLDER)
told(tf.train.Saver, [tf.no_op(name='nothing')])
told(tf.train.Saver, saver_def=3)
told(saver.set_last_checkpoints_with_time, 3)
told(tf.layers.Dense(2).count_params)
shutil.rmtree(FOLDER)
