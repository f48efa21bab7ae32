import numpy as np
import tensorflow as tf
# what is fed as the output of control flow that TensorFlow lowers before it prunes: nobody reads it
tf.enable_control_flow_v2()
x = tf.placeholder(tf.float32, [], name='x')
tf.cond(x > 0, lambda: x * 2., lambda: x - 1.)
tf.while_loop(lambda i: i < 3., lambda i: i + 1., [x])
tf.switch_case(tf.cast(x, tf.int32), [lambda: x, lambda: x + 5.])
made = [op for op in tf.get_default_graph().get_operations() if op.type in ('If', 'StatelessIf', 'Case', 'While', 'StatelessWhile')]
tensors = [t for op in made for t in op.outputs if t.dtype == tf.float32 and t.shape.ndims == 0]
with tf.Session() as s:
    for t in tensors:
        y = t + 100.
        for fetches in (y, [y, t], y.op):
            for feeds in ({x: 1., t: 7.}, {t: 7.}, {x: 1.}):
                try:
                    print(t.op.type, s.run(fetches, feeds))
                except (ValueError, tf.errors.InvalidArgumentError) as error:
                    print(t.op.type, str(error).split("\n")[0])
