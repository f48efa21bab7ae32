import tensorflow as tf
# what flags do not take
flags = tf.app.flags
flags.DEFINE_integer('steps', 5, 'how many % of it')
flags.DEFINE_float('rate', .1, 'rate', lower_bound=0.)
flags.DEFINE_boolean('fast', False, 'fast')
flags.DEFINE_enum('kind', 'a', ['a', 'b'], 'kind')
flags.DEFINE_list('items', ['p'], 'items')
flags.DEFINE_bool('other', True, 'other')
flags.DEFINE_integer('low', 3, 'low', lower_bound=1)
flags.DEFINE_integer('mid', 3, 'mid', 1, 9)
flags.DEFINE_float('up', 3., 'up', upper_bound=7.5)
FLAGS = flags.FLAGS


def told(function, *a):
    try:
        print('  ', function(*a))
    except Exception as error:
        print('  %s: %s' % (type(error).__name__, error))


print(FLAGS(['prog', '--steps=7', '--fast', '--items=a,b', '--noother', 'rest', '--rate', '0.5', '--kind', 'b']))
print(FLAGS.steps, FLAGS.rate, FLAGS.fast, FLAGS.kind, FLAGS.items, FLAGS.other)
for argument in ('--unknown=3', '--steps=x', '--kind=z', '--rate=-1', '--low=0', '--mid=12', '--up=8', '--steps=1.5', '--rate=word'):
    told(FLAGS, ['prog', argument])
told(lambda: FLAGS(['prog', '--unknown=3', 'word'], known_only=True)[-1])
told(lambda: FLAGS.nothing)
told(lambda: [issubclass(getattr(flags, name), flags.Error) for name in ('UnrecognizedFlagError', 'IllegalFlagValueError', 'DuplicateFlagError')])
try:
    flags.DEFINE_string('steps', '', 'again')
except flags.DuplicateFlagError as error:
    print(str(error).split(' is defined')[0], str(error).split('  ')[1])
try:
    tf.app.run(lambda argv: print(argv, FLAGS.steps) or 4, ['prog', '--steps=6', 'word', '--more=2'])
except SystemExit as end:
    print('exit', end.code)
