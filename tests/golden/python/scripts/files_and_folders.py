"""tf.gfile: what is read and written where, and what is said of files that are not as they should be."""
import os
import shutil
import tempfile
import tensorflow as tf
from tensorflow.python.lib.io import file_io

FOLDER = tempfile.mkdtemp()
gfile = tf.gfile


def at(*names):
    return os.path.join(FOLDER, *names)


def told(function, *arguments):
    try:
        print('  %s' % repr(function(*arguments)).replace(FOLDER, '...'))
    except (tf.errors.OpError, TypeError) as error:
        print('  %s: %s' % (type(error).__name__, str(error).replace(FOLDER, '...')))


print('== written and read')
with gfile.GFile(at('a'), 'w') as f:
    f.write('one\ntwo\n')
    f.write(b'three')
    print('  at %d' % f.tell())
    f.flush()
    print('  %d bytes' % f.size())
    told(f.write, 3)
    told(f.read)
with gfile.Open(at('a')) as f:
    for call in [f.size, f.readline, f.tell, f.readlines, f.read, lambda: f.seek(4), f.read, lambda: f.seek(-1, 2), f.read,
                 lambda: f.seek(99), f.read, lambda: f.seek(0, 7), f.seek, lambda: f.seek(-5), lambda: f.write('x')]:
        told(call)
told(lambda: list(gfile.GFile(at('a'), 'rb')))
with gfile.GFile(at('a'), 'a') as f:
    f.write('!')
told(gfile.GFile(at('a')).read)
with gfile.FastGFile(at('a'), 'r+') as f:
    told(f.read, 3)
    f.write('anew')
told(gfile.GFile(at('a')).read)

print('== what cannot be opened')
for name, mode in [('no', 'r'), ('no/x', 'w'), ('', 'w'), ('a', 'q')]:
    told(lambda: gfile.GFile(at(name), mode).write('x') if mode == 'w' else gfile.GFile(at(name), mode).read())
told(lambda: gfile.GFile(FOLDER).read())
told(lambda: gfile.GFile(None).read())
told(gfile.Exists, 3)
told(tf.train.import_meta_graph, FOLDER)
told(tf.train.import_meta_graph, 3)

print('== folders')
for function, name in [(gfile.MkDir, 'd'), (gfile.MkDir, 'd'), (gfile.MkDir, 'p/q'), (gfile.MkDir, 'a/q'), (gfile.MakeDirs, 'p/q'),
                       (gfile.MakeDirs, 'p/q'), (gfile.MakeDirs, 'a/z'), (gfile.MakeDirs, 'a'), (gfile.IsDirectory, 'a'),
                       (gfile.ListDirectory, 'a'), (gfile.ListDirectory, 'p'), (gfile.Remove, 'd'), (gfile.Remove, 'no'),
                       (gfile.DeleteRecursively, 'p'), (gfile.DeleteRecursively, 'no'), (gfile.Exists, 'p'), (gfile.Glob, '?'),
                       (file_io.get_matching_files_v2, 'a*')]:
    told(lambda: sorted(function(at(name))) if function is gfile.Glob else function(at(name)))

print('== from here to there')
for function, name, target, over in [(gfile.Copy, 'a', 'b', False), (gfile.Copy, 'a', 'b', False), (gfile.Copy, 'a', 'b', True),
                                     (gfile.Copy, 'no', 'c', False), (gfile.Copy, 'd', 'e', False), (gfile.Copy, 'a', 'no/c', False),
                                     (gfile.Copy, 'a', 'd', True), (gfile.Rename, 'a', 'b', False), (gfile.Rename, 'a', 'b', True),
                                     (gfile.Rename, 'no', 'z', False)]:
    told(function, at(name), at(target), over)
told(lambda: sorted(os.listdir(FOLDER)))
told(lambda: gfile.Stat(at('b')).length)
told(gfile.Stat, at('no'))
told(lambda: list(gfile.Walk(at('no'))))
shutil.rmtree(FOLDER)
