import os
import numpy as np, tensorflow as tf
from tensorflow.contrib import framework, layers


def fails(make):
    try:
        make()
        print('fine')
    except (ValueError, TypeError, KeyError, NotImplementedError, AssertionError) as e:
        print(type(e).__name__, (str(e).splitlines() or [''])[0][:140])


# Initializers from a checkpoint, with other vocabularies.
for name, words in (('old', 'a b c d'), ('new', 'd x b'), ('old_columns', 'p q r'), ('new_columns', 'r p')):
    with open(name, 'w') as f:
        f.write('\n'.join(words.split()) + '\n')
w = tf.get_variable('w', initializer=np.arange(12.).reshape(4, 3).astype('f'))
with tf.Session() as s:
    s.run(w.initializer)
    path = tf.train.Saver().save(s, os.path.join(os.getcwd(), 'ckpt'))
tf.reset_default_graph()
both = framework.load_and_remap_matrix_initializer(path, 'w', 3, 2, old_row_vocab_file='old', new_row_vocab_file='new', old_col_vocab_file='old_columns', new_col_vocab_file='new_columns',
                                                   num_row_oov_buckets=1, num_col_oov_buckets=1, initializer=tf.ones_initializer())
made = [tf.get_variable('both', [4, 3], initializer=both),
        tf.get_variable('embedding', [4, 3], initializer=framework.load_embedding_initializer(path, 'w', 3, 3, 'old', 'new', num_oov_buckets=1, initializer=tf.zeros_initializer()),
                        partitioner=tf.fixed_size_partitioner(2))]
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for v in made:
        print(s.run(tf.convert_to_tensor(v)).tolist())
fails(lambda: both([4, 3], tf.float64))
fails(lambda: both([4]))
fails(lambda: both([0, 3]))
fails(lambda: both([4, 4]))
fails(lambda: both([9, 3]))
fails(lambda: framework.load_and_remap_matrix_initializer(path, 'w', 3, 2, initializer=3))
fails(lambda: framework.load_and_remap_matrix_initializer(path, 'w', 3, 2)([3, 2]))
fails(lambda: framework.load_and_remap_matrix_initializer(path, 'w', 3, 2, old_row_vocab_file='old')([3, 2]))

# Orthogonal convolutions keep the length of what goes through them.
tf.reset_default_graph()
for rank, make in ((1, framework.convolutional_orthogonal_1d), (2, framework.convolutional_orthogonal_2d), (3, framework.convolutional_orthogonal_3d)):
    kernel = make(seed=4)([3] * rank + [2, 3])
    x = tf.constant(np.random.RandomState(1).randn(1, *[6] * rank, 2).astype('f'))
    wide = tf.tile(x, [1] + [3] * rank + [1])
    y = tf.nn.convolution(wide, kernel, 'SAME')
    middle = y[(slice(None),) + (slice(6, 12),) * rank]
    with tf.Session() as s:
        a, b = s.run([tf.norm(x), tf.norm(middle)])
        print(rank, kernel.shape, abs(a - b) < 1e-3)
for make in (framework.convolutional_orthogonal_1d, framework.convolutional_orthogonal_2d, framework.convolutional_orthogonal_3d, framework.convolutional_delta_orthogonal):
    for shape in ([3, 2, 3], [3, 3, 3, 2], [3, 2, 2, 3], [3, 2, 2, 2, 3], [2, 2]):
        fails(lambda: make()(shape))
print(make(2.0, 3).get_config())

spec = framework.BoundedTensorSpec([2, None], tf.int32, 0, [3])
print(spec, spec == framework.BoundedTensorSpec([2, None], tf.int32, 0, [3]), spec == framework.BoundedTensorSpec([2, None], tf.int32, 1, [3]), spec.minimum, spec.maximum)
print(framework.BoundedTensorSpec.from_spec(tf.TensorSpec([3], tf.uint8, 'n')))
fails(lambda: framework.BoundedTensorSpec([2], tf.int32, None, 3))
fails(lambda: framework.BoundedTensorSpec([2], tf.int32, [1, 2, 3], 3))

# Part of a graph as one op.
tf.reset_default_graph()
a, b = tf.placeholder(tf.float32, [2], 'a'), tf.placeholder(tf.float32, [2], 'b')
c = tf.identity(tf.add(tf.exp(a, 'e'), b, 'sum'), 'c')
d = tf.negative(c, 'd')
graph_def = tf.get_default_graph().as_graph_def()
fused = framework.fuse_op(graph_def, ['a', 'b'], ['c'], [1], False, 'whole', 'Whole')
print([(n.name, n.op, list(n.input)) for n in fused.node], fused.node[2].attr['_output_types'].list.type, fused.node[2].attr['_output_quantized'].b)
fails(lambda: framework.fuse_op(graph_def, ['e'], ['sum'], [1], False, 'whole', 'Whole'))
fails(lambda: framework.fuse_op(graph_def, 'a', ['c'], [1], False, 'whole', 'Whole'))
fails(lambda: framework.fuse_op(graph_def, ['a'], ['nothing'], [1], False, 'whole', 'Whole'))
fails(lambda: framework.fuse_op(3, ['a'], ['c'], [1], False, 'whole', 'Whole'))

# Layers: the way back gives what went in, and the gradients of the plain graph.
tf.reset_default_graph()
tf.set_random_seed(3)
rng = np.random.RandomState(2)
a, b = tf.constant(rng.randn(3, 4).astype('f')), tf.constant(rng.randn(3, 4).astype('f'))
side = tf.constant(rng.randn(4).astype('f'))


def dense(x):
    return tf.tanh(tf.matmul(x, tf.get_variable('w', [4, 4], initializer=tf.random_uniform_initializer(-1, 1, seed=1))))


def shifted(x, s):
    return dense(x) * s[0]


results = []
tf.get_variable_scope().set_use_resource(True)
for efficient in (True, False):
    block = layers.RevBlock(dense, shifted, 3, g_side_input=[side], use_efficient_backprop=efficient, name='net%d' % efficient)
    y1, y2 = block.forward(a, b)
    own = [v for v in tf.trainable_variables() if v.name.startswith('net%d' % efficient)]
    results.append([y1, y2] + tf.gradients(y1 * y1 + y2, [a, b, side] + own))
    print(len(own), len(block.trainable_variables), own[0].name)
tf.get_variable_scope().reuse_variables()
back = block.backward(y1, y2)
tf.get_variable_scope()._reuse = False
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    one, other = s.run(results)
    print(all(np.allclose(x, y, atol=1e-4) for x, y in zip(one, other)), np.allclose(s.run(back[0]), s.run(a), atol=1e-4))


@layers.recompute_grad
def f(x, y):
    return tf.exp(x) * tf.sin(y), dense(x)


with tf.variable_scope('again', use_resource=True):
    out = f(a, b)
grads = tf.gradients(out[0] + out[1], [a, b] + tf.trainable_variables('again'))
gdn = layers.gdn(tf.reshape(a, [1, 3, 2, 2]), name='norm')
back = layers.gdn(gdn, inverse=True, name='inverse')
rows = layers.images_to_sequence(tf.reshape(tf.range(24), [2, 3, 2, 2]))
scaled = layers.scale_gradient(a, tf.constant(.5))
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    print([np.round(np.abs(g).sum(), 3) for g in s.run(grads)])
    print(np.round(s.run(gdn), 3).tolist(), np.round(np.abs(s.run(tf.gradients(back, [a] + tf.trainable_variables('norm'))[0])).sum(), 3))
    print(s.run(rows).tolist(), np.array_equal(s.run(layers.sequence_to_images(rows, 3)).ravel(), np.arange(24)), s.run(tf.gradients(scaled * 3., a))[0].tolist())
captured = tf.constant(1.)
fails(lambda: layers.recompute_grad(lambda x: x + captured))
fails(lambda: layers.recompute_grad(lambda x: x)(3))
fails(lambda: layers.gdn(tf.zeros([2, 3, 4, 4]), data_format='x'))
fails(lambda: layers.gdn(tf.placeholder(tf.float32, [2, 3, 4, None])))
fails(lambda: layers.images_to_sequence(tf.zeros([1, 2, 3, 4]), 'x'))
fails(lambda: layers.multi_class_target(1))
fails(lambda: layers.multi_class_target(2).get_eval_ops({}, tf.zeros([3, 1]), tf.zeros([3]), {('a', 'b'): None}))
fails(lambda: layers.multi_class_target(2).get_eval_ops({}, tf.zeros([3, 1]), tf.zeros([3]), {('a',): None}))
fails(lambda: layers.multi_class_target(2).get_eval_ops({}, tf.zeros([3, 1]), tf.zeros([3]), {3: None}))
