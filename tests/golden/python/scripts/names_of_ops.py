import numpy as np
import tensorflow as tf


def ops():
    return [(o.name, o.type) for o in tf.get_default_graph().get_operations()]


x = tf.placeholder(tf.float32, [None, 4], name='x'); y = tf.placeholder(tf.float32, [None, 2])
print((x + 1 - 2 * x / 3)[:, 0], x @ tf.ones([4, 2]), x > 1, tf.logical_and(x > 1, x < 2), ~(x > 1), (x > 1) & (x < 3), (x > 1) | (x < 3), x // 2, x % 2, x ** 2, -x, abs(x), 1 - x, 2 / x, sep='\n')
for f in [lambda: tf.reduce_mean(x), lambda: tf.reduce_sum(x, 1, keepdims=True), lambda: tf.reduce_max(x, axis=[0, 1]), lambda: tf.argmax(x, 1), lambda: tf.nn.softmax(x), lambda: tf.nn.log_softmax(x), lambda: tf.nn.l2_normalize(x, 1), lambda: tf.nn.moments(x, [0]),
          lambda: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=y), lambda: tf.losses.mean_squared_error(y, y), lambda: tf.losses.absolute_difference(y, y), lambda: tf.losses.log_loss(y, y), lambda: tf.losses.hinge_loss(y, y), lambda: tf.losses.get_total_loss(), lambda: tf.clip_by_value(x, 0, 1), lambda: tf.one_hot([1, 2], 4),
          lambda: tf.concat([x, x], -1), lambda: tf.stack([x, x], 2), lambda: tf.split(x, [1, 3], 1), lambda: tf.tile(x, [2, 1]), lambda: tf.pad(x, [[1, 1], [0, 0]]), lambda: tf.transpose(x), lambda: tf.expand_dims(x, 1), lambda: tf.squeeze(tf.ones([1, 2])), lambda: tf.cast(x, tf.int32), lambda: tf.to_float(1), lambda: tf.identity(x), lambda: tf.where(x > 0, x, -x), lambda: tf.where(x > 0),
          lambda: tf.gather(x, [0, 1]), lambda: tf.boolean_mask(x, [True, False]), lambda: tf.linspace(0., 1., 5), lambda: tf.range(3), lambda: tf.range(1., 2., .5), lambda: tf.fill([2], 3), lambda: tf.eye(3), lambda: tf.diag([1, 2]), lambda: tf.norm(x), lambda: tf.einsum('ij,jk->ik', x, tf.ones([4, 3])), lambda: tf.tensordot(x, tf.ones([4, 3]), 1),
          lambda: tf.sigmoid(x), lambda: tf.nn.elu(x), lambda: tf.nn.selu(x), lambda: tf.nn.leaky_relu(x), lambda: tf.nn.crelu(x), lambda: tf.nn.swish(x), lambda: tf.nn.bias_add(x, [1., 1., 1., 1.]), lambda: tf.nn.xw_plus_b(x, tf.ones([4, 2]), tf.ones([2])), lambda: tf.nn.relu_layer(x, tf.ones([4, 2]), tf.ones([2])), lambda: tf.nn.zero_fraction(x), lambda: tf.nn.lrn(tf.ones([1, 2, 2, 4])), lambda: tf.nn.batch_normalization(x, 0., 1., None, None, 1e-3),
          lambda: tf.accumulate_n([x, x]), lambda: tf.add_n([x, x]), lambda: tf.cumsum(x), lambda: tf.unstack(x, axis=1), lambda: tf.reverse(x, [1]), lambda: tf.sequence_mask([1, 2], 3), lambda: tf.image.resize_images(tf.ones([1, 2, 2, 3]), [4, 4]), lambda: tf.nn.conv2d_transpose(tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1]), [1, 4, 4, 1], [1, 2, 2, 1]), lambda: tf.nn.depthwise_conv2d(tf.ones([1, 3, 3, 2]), tf.ones([2, 2, 2, 1]), [1, 1, 1, 1], 'SAME'), lambda: tf.nn.conv1d(tf.ones([1, 4, 2]), tf.ones([2, 2, 3]), 1, 'SAME'),
          lambda: tf.metrics.accuracy([1, 2], [1, 3]), lambda: tf.confusion_matrix([0, 1], [1, 1]), lambda: tf.string_join(['a', 'b']), lambda: tf.as_string(x), lambda: tf.Print(x, [x]), lambda: tf.no_op(), lambda: tf.group(tf.no_op()), lambda: tf.tuple([x, x]), lambda: tf.train.exponential_decay(.1, tf.train.get_or_create_global_step(), 10, .9), lambda: tf.summary.scalar('a b', 1.), lambda: tf.global_variables_initializer(), lambda: tf.count_nonzero(x), lambda: tf.matrix_inverse(tf.eye(2)), lambda: tf.self_adjoint_eig(tf.eye(2)), lambda: tf.svd(tf.ones([2, 3]))]:
    n = len(ops()); r = f(); print(r); print('   ', ops()[n:])
