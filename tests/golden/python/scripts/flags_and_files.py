import sys, logging
import numpy as np
import tensorflow as tf
flags = tf.app.flags
FLAGS = flags.FLAGS
flags.DEFINE_float('learning_rate', 0.01, 'Initial learning rate.')
flags.DEFINE_integer('max_steps', 3, 'Number of steps to run trainer.')
flags.DEFINE_string('name', 'default', 'A name.')
flags.DEFINE_boolean('verbose', True, 'Talk.')
tf.flags.DEFINE_bool('quiet', False, 'Silence.')
tf.flags.DEFINE_enum('mode', 'train', ['train', 'eval'], 'What to do.')
tf.flags.DEFINE_list('layers', ['1', '2'], 'Layers.')
sys.argv = [sys.argv[0], '--learning_rate=0.5', '--name', 'given', '--noverbose', '--layers=3,4']


def main(argv):
    print(type(argv).__name__, len(argv), FLAGS.learning_rate, FLAGS.max_steps, FLAGS.name, FLAGS.verbose, FLAGS.quiet, FLAGS.mode, FLAGS.layers)
    FLAGS.max_steps = 7
    print(sorted((k, v.value) for k, v in getattr(FLAGS, '__flags').items() if k in ('name', 'mode')))
    print(FLAGS.max_steps, 'name' in FLAGS, sorted(k for k in FLAGS.flag_values_dict() if k in ('name', 'mode')), FLAGS['name'].value, FLAGS['max_steps'].default)
    try:
        FLAGS.nothing
    except AttributeError as e:
        print(type(e).__name__, e)
    tf.logging.set_verbosity(tf.logging.INFO)
    tf.logging.set_verbosity(tf.logging.ERROR); tf.logging.info('no')
    import tempfile, os, shutil
    d = tempfile.mkdtemp(); p = os.path.join(d, 'a', 'b')
    tf.gfile.MakeDirs(p); print(tf.gfile.Exists(p), tf.gfile.IsDirectory(p), tf.gfile.ListDirectory(d))
    with tf.gfile.GFile(os.path.join(p, 'f.txt'), 'w') as f:
        f.write('line one\nline two\n')
    with tf.gfile.Open(os.path.join(p, 'f.txt')) as f:
        print(f.read().split('\n'))
    with tf.gfile.FastGFile(os.path.join(p, 'f.txt'), 'rb') as f:
        print(f.readline(), f.size(), f.tell())
        print([l for l in f])
    print([os.path.basename(q) for q in tf.gfile.Glob(p + '/*.txt')], tf.gfile.Stat(os.path.join(p, 'f.txt')).length)
    tf.gfile.Copy(p + '/f.txt', p + '/g.txt'); tf.gfile.Rename(p + '/g.txt', p + '/h.txt'); tf.gfile.Remove(p + '/f.txt')
    print(sorted(tf.gfile.ListDirectory(p)), [(os.path.relpath(a, d), b, c) for a, b, c in tf.gfile.Walk(d)])
    for bad in (lambda: tf.gfile.GFile(p + '/no').read(), lambda: tf.gfile.Remove(p + '/no'), lambda: tf.gfile.ListDirectory(p + '/no'), lambda: tf.gfile.Copy(p + '/h.txt', p + '/h.txt')):
        try:
            bad(); print('fine')
        except tf.errors.OpError as e:
            print(type(e).__name__, e.message.replace(d, 'D'))
    tf.gfile.DeleteRecursively(d); print(tf.gfile.Exists(d))
    print(tf.compat.as_bytes('a'), tf.compat.as_text(b'a'), tf.compat.as_str(b'a'), tf.compat.as_str_any(3), tf.sysconfig.get_include() is not None if hasattr(tf, 'sysconfig') else True)


if __name__ == '__main__':
    tf.app.run()
