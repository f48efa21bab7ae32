"""What is read of a variable in the very run that writes it, with no edge between the two."""
import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)


def show(title, value):
    print('%s %s' % (title, ' '.join('%.4g' % v for v in value)))


w = tf.get_variable('w', [3], initializer=tf.constant_initializer([1., 2., 3.]))
x = tf.placeholder(tf.float32, [3], name='x')
loss = tf.reduce_sum(tf.square(x - w))
histogram = tf.summary.histogram('weights', w)
own = tf.summary.merge([tf.summary.scalar('loss', loss), histogram])
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
twice = w * 2.
step = tf.train.get_or_create_global_step()
count = tf.assign_add(step, 1)
feed = {x: [1., 1., 1.]}
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print('== a fetch of the buffer sees what was written')
    show('variable', session.run([w, train], feed)[0])
    show('twice', session.run([twice, train], feed)[0])
    show('identity', session.run([tf.identity(w), train], feed)[0])
    print('steps %s %s' % (session.run([step, count]), session.run([step + 0, count])))
    print('== a summary beside the step')
    for _ in range(3):
        text = session.run([own, train], feed)[0]
        for value in tf.Summary.FromString(text).value:
            if value.tag == 'weights':
                show('weights', [value.histo.min, value.histo.max, value.histo.sum])
