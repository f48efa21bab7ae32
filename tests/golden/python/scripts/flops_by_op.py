import tensorflow as tf
# the float operations of each kind of op that has a rule
image, weights = [4, 6, 5, 3], [3, 2, 3, 7]
def count(name, build):
    with tf.Graph().as_default() as g:
        build()
        told = tf.profiler.profile(g, options=tf.profiler.ProfileOptionBuilder(
            tf.profiler.ProfileOptionBuilder.float_operation()).with_empty_output().build())
        print(name, told.total_float_ops)
def of(shape):
    return tf.placeholder(tf.float32, shape)
for padding in ('SAME', 'VALID'):
    for stride in (1, 2):
        strides = [1, stride, stride, 1]
        at = (padding, stride)
        count(('conv2d',) + at, lambda: tf.nn.conv2d(of(image), of(weights), strides, padding))
        def both():
            x, w = of(image), of(weights)
            tf.gradients(tf.nn.conv2d(x, w, strides, padding), [x, w])
        count(('conv2d gradients',) + at, both)
        count(('depthwise',) + at, lambda: tf.nn.depthwise_conv2d_native(of(image), of(weights), strides, padding))
        count(('dilation',) + at, lambda: tf.nn.dilation2d(of(image), of([2, 2, 3]), strides, [1, 1, 1, 1], padding))
        for pool in (tf.nn.max_pool, tf.nn.avg_pool):
            def there_and_back():
                x = of(image)
                tf.gradients(pool(x, [1, 3, 2, 1], strides, padding), x)
            count((pool.__name__,) + at, there_and_back)
count('transposed', lambda: tf.nn.conv2d_transpose(of(image), of([2, 2, 5, 3]), [4, 12, 10, 5], [1, 2, 2, 1], 'SAME'))
for a in (False, True):
    for b in (False, True):
        count(('matmul', a, b), lambda: tf.matmul(of([6, 4] if a else [4, 6]), of([5, 6] if b else [6, 5]), transpose_a=a, transpose_b=b))
for f in ('add subtract multiply realdiv maximum minimum pow squared_difference less less_equal greater greater_equal equal '
          'not_equal').split():
    count(f, lambda: getattr(tf, f)(of(image), of([3])))
for f in 'log negative reciprocal rsqrt square exp tanh reduce_sum reduce_mean reduce_max argmax argmin'.split():
    count(f, lambda: getattr(tf, f)(of(image)))
count('l2_loss', lambda: tf.nn.l2_loss(of(image)))
count('softmax', lambda: tf.nn.softmax(of([4, 6])))
count('add_n', lambda: tf.add_n([of(image), of(image), of(image)]))
count('bias', lambda: tf.nn.bias_add(of(image), of([3])))
