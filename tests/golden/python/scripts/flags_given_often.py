import sys
import tensorflow as tf
flags = tf.app.flags
FLAGS = flags.FLAGS
flags.DEFINE_multi_integer('gpus', [0, 1], 'gpu ids')
flags.DEFINE_multi_string('tags', None, 'tags')
flags.DEFINE_multi_float('ws', 0.5, 'weights')
flags.DEFINE_multi_string('names', ['a'], 'names')
flags.DEFINE_list('layers', ['64', '32'], 'list')
flags.DEFINE_string('out', None, 'folder')
flags.mark_flags_as_required(['out'])


def main(argv):
    print(argv[1:], FLAGS.gpus, FLAGS.tags, FLAGS.ws, FLAGS.names, FLAGS.layers, FLAGS.out)


if __name__ == '__main__':
    sys.argv[1:] = ['--gpus=3', '--gpus', '4', 'rest', '--names=x', '--layers=1,2', '--out=here', '--tags=t', '--tags=u']
    tf.app.run()
