import os
import tensorflow as tf
from tensorflow.python.training import slot_creator
# slots of variables whose shapes are not known, and variables that begin with another vocabulary's rows
with tf.Session() as s:
    loose = tf.get_variable('loose', initializer=tf.constant([1., 2.]), validate_shape=False)
    tensor = tf.placeholder_with_default(tf.zeros([2], tf.float64), [None], name='fed')
    slots = [slot_creator.create_zeros_slot(loose, name='zeros'), slot_creator.create_zeros_slot(tensor, name='zeros', dtype=tf.float64)]
    steps = [make.apply_gradients([(tf.constant([.5, .5]), loose)]) for make in (
        tf.train.AdagradOptimizer(lambda: .5), tf.train.MomentumOptimizer(.5, .9), tf.train.RMSPropOptimizer(.5), tf.train.AdamOptimizer(.5))]
    s.run(tf.global_variables_initializer())
    print([v.name for v in tf.global_variables()])
    for step in steps: s.run(step), print(s.run(loose))
    print(s.run(slots), [slot.shape for slot in slots])
with tf.Graph().as_default():
    with tf.variable_scope('scope', use_resource=True):
        plain = tf.Variable([1.], use_resource=False, name='plain')
        print(type(slot_creator.create_zeros_slot(plain, name='slot')).__name__)

with open('old.txt', 'w') as file: file.write('apple\nbanana\ncherry\n')
with open('new.txt', 'w') as file: file.write('cherry\ndate\napple\n')
with tf.Graph().as_default(), tf.Session() as s:
    tf.get_variable('words', initializer=[[1., 1.5], [2., 2.5], [3., 3.5]]), tf.get_variable('columns', initializer=[[1., 2., 3.], [4., 5., 6.]])
    tf.get_variable('rest', initializer=[7.])
    s.run(tf.global_variables_initializer())
    prefix = tf.train.Saver().save(s, os.path.abspath('was/model'))
for axis in (0, 1, 2):
    try: info = tf.train.VocabInfo('new.txt', 3, 1, 'old.txt', backup_initializer=tf.constant_initializer(9.), axis=axis)
    except ValueError as e: print(e)
print(info._replace(backup_initializer=None), tf.estimator.VocabInfo is tf.train.VocabInfo)
rows, columns = tf.train.VocabInfo('new.txt', 3, 1, 'old.txt'), tf.train.VocabInfo('new.txt', 3, 1, 'old.txt', axis=1)
for wanted, vocabularies, renamed, parts in (
        ('.*', {'words': rows, 'columns': columns}, None, None), (None, {'words': rows._replace(old_vocab_size=2)}, None, None),
        ('.*', {'words': rows, 'columns': columns}, None, tf.fixed_size_partitioner(2)), ('.*', {'words': rows, 'more': rows}, None, None)):
    with tf.Graph().as_default(), tf.Session() as s:
        with tf.variable_scope('', partitioner=parts):
            made = [tf.get_variable('words', [4, 2], initializer=tf.zeros_initializer()), tf.get_variable('columns', [2, 4] , initializer=tf.zeros_initializer(), partitioner=lambda shape, dtype: [1, 1]), tf.get_variable('rest', [1], initializer=tf.zeros_initializer(), partitioner=lambda shape, dtype: [1])]
        try: tf.train.warm_start(prefix, wanted, vocabularies, renamed)
        except ValueError as e:
            print(e)
            continue
        s.run(tf.global_variables_initializer())
        for v in made: print(s.run(tf.convert_to_tensor(v)).tolist())
with tf.Graph().as_default(), tf.Session() as s:
    v = tf.get_variable('kept', initializer=[4., 5.])
    s.run(v.initializer)
    saved = tf.train.Checkpoint(v=v).save('objects/model', s)
for name in ('kept', 'missing'):
    with tf.Graph().as_default(), tf.Session() as s:
        v = tf.get_variable(name, [2], initializer=tf.zeros_initializer())
        try: tf.train.warm_start(saved)
        except ValueError as e: print(e)
        else: s.run(v.initializer), print(s.run(v))
