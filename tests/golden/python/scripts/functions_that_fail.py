"""What the front end says of ops that fail in functions and elsewhere: which op it means, which marks it takes out."""
import re

import tensorflow as tf
from tensorflow.python.framework import function

R = tf.raw_ops


@function.Defun(tf.float32, func_name='kept', noinline=True)
def kept(x):
    return tf.gather(x, 9, name='g')


@function.Defun(tf.float32, func_name='calls_kept')
def calls_kept(x):
    return kept(x)


def tell(name, fetch, feeds, before=[]):
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    with tf.Session(config=config) as session:
        session.run(before)
        try:
            session.run(fetch, feeds)
        except tf.errors.OpError as error:
            text = re.sub(r'\(defined at [^)]*\)', '(defined at)', error.message)
            print(name, type(error).__name__, error.op.name if error.op else None, repr(text))


a = tf.placeholder(tf.float32, name='a')
p = tf.placeholder(tf.bool, [], name='p')
feeds = {a: [1.], p: True}
for f in (kept, calls_kept):
    tell('call', f(a), feeds)
    tell('partitioned', R.PartitionedCall(args=[a], Tout=[tf.float32], f=f), feeds)
    tell('stateful', R.StatefulPartitionedCall(args=[a], Tout=[tf.float32], f=f), feeds)
    tell('if', R.If(cond=p, input=[a], Tout=[tf.float32], then_branch=f, else_branch=f), feeds)
print(sorted(d.signature.name for d in tf.get_default_graph().as_graph_def().library.function))

with tf.Graph().as_default():
    x = tf.constant(1., name='x')
    inside = R.Enter(data=x, frame_name='f', name='inside')
    tell('frames', R.Add(x=inside, y=x, name='mixed'), {})
with tf.Graph().as_default():
    first = tf.FIFOQueue(3, tf.float32, [[]], shared_name='s', name='q').size()
    tell('shapes', tf.FIFOQueue(3, tf.float32, [[2]], shared_name='s', name='r').size(), {}, [first])
with tf.Graph().as_default():
    s, i = tf.placeholder(tf.string, name='s'), tf.placeholder(tf.int32, name='i')
    joined = tf.reduce_join(s, i, name='t')
    print([op.name for op in tf.get_default_graph().get_operations()])
    tell('axis', joined, {s: ['a'], i: 2})
with tf.Graph().as_default():
    try:
        R.RestoreV2(prefix='x', tensor_names=['a'], shape_and_slices=['2 1,2:0,1'], dtypes=[tf.float32])
    except tf.errors.InternalError as error:
        print(error.message)
