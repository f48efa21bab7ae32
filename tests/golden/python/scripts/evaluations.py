"""Training and evaluation as tf.contrib.training does them: hooks, checkpoints, summaries at the end."""
import os
import tempfile

import tensorflow as tf
from tensorflow.contrib import training

folder = tempfile.mkdtemp()
with tf.Graph().as_default():
    w = tf.get_variable('w', [], initializer=tf.zeros_initializer())
    tf.train.get_or_create_global_step()
    op = training.create_train_op(tf.square(w - 3.), tf.train.GradientDescentOptimizer(0.1))
    print('%.4f' % training.train(op, folder, hooks=[tf.train.StopAtStepHook(5)], save_summaries_steps=None))
    try:
        training.train(op, None)
    except ValueError as error:
        print(error)

with tf.Graph().as_default() as graph:
    w, step = tf.get_variable('w', []), tf.train.get_or_create_global_step()
    value, update = tf.metrics.mean(w * 2.)
    tf.summary.scalar('w', w)
    hooks = [training.StopAfterNEvalsHook(3), training.SummaryAtEndHook(folder + '/eval')]
    print('%.4f' % training.evaluate_once(tf.train.latest_checkpoint(folder), eval_ops=update, final_ops=value, hooks=hooks))
    print([op.name for op in graph.get_operations() if 'eval_step' in op.name or op.name.startswith('Assign')])
    event = [e for e in tf.train.summary_iterator(os.path.join(folder, 'eval', os.listdir(folder + '/eval')[0])) if e.summary.value]
    print(event[0].step, event[0].summary.value[0].tag, '%.4f' % event[0].summary.value[0].simple_value)

with tf.Graph().as_default():
    w = tf.get_variable('w', [])
    value, update = tf.metrics.mean(w * 2.)
    print('%.4f' % training.evaluate_repeatedly(folder, eval_ops=[update], final_ops=value, eval_interval_secs=0,
                                                hooks=[training.StopAfterNEvalsHook(2)], max_number_of_evaluations=1))
    print(training.wait_for_new_checkpoint(folder, tf.train.latest_checkpoint(folder), timeout=0.1))
