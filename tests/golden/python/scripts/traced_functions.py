# tf.function, tf.wrap_function, tf.Module and tf.GradientTape in graphs: values, gradients, and what is refused.
import tensorflow.compat.v1 as tf

tf.logging.set_verbosity(tf.logging.ERROR)
sess = tf.Session()


def show(*made):
    sess.run(tf.global_variables_initializer())
    for value in tf.nest.flatten(sess.run(list(made))):
        print(value.tolist() if hasattr(value, 'tolist') else value)


def refused(make):
    try:
        make()
    except Exception as e:
        print(type(e).__name__, str(e).split('\n')[0][:100])


@tf.function
def scaled(x, y=2.0):
    return x * y + 1.0


@tf.function
def stepped(x):
    if x > 0.0:
        r = x * 2.0
    else:
        r = x - 1.0
    i = 0
    while i < 3:
        i += 1
        r += 1.0
    return {'r': r, 'both': (x, None)}


x = tf.constant([1., 2.])
show(scaled(x), scaled(x, 3.0), scaled(x), scaled(y=4.0, x=x))
print([op.type for op in tf.get_default_graph().get_operations()])
print(scaled(tf.placeholder(tf.float32, [None, 3])).shape, scaled.__name__, scaled.python_function.__name__)
show(stepped(tf.constant(2.0))['r'], stepped(tf.constant(-2.0))['r'])
y = scaled(x)
show(tf.gradients(y * y, x)[0])
v = tf.get_variable('v', initializer=3.0, use_resource=True)


@tf.function
def changed(a):
    v.assign_add(a)
    return v * a


show(changed(tf.constant(2.0)))
powered = tf.function(lambda a: v * v * a)
show(tf.gradients(powered(tf.constant(2.0)), v)[0])


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name='q')])
def total(a):
    return tf.reduce_sum(a)


show(total(x), total([3., 4., 5.]))
refused(lambda: total(tf.constant(1)))
refused(lambda: total(x, x))
refused(lambda: total())
concrete = total.get_concrete_function()
print(concrete.inputs, concrete.output_shapes, concrete.output_dtypes)
pair = tf.function(lambda a, b: a - b).get_concrete_function(tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.float32))
show(pair(tf.constant(5.), tf.constant(2.)), pair(b=tf.constant(5.), a=tf.constant(2.)))
refused(lambda: pair(tf.constant(1.)))
refused(lambda: pair(tf.constant(1.), tf.constant(1.), c=1))
refused(lambda: concrete(tf.constant(1.)))
refused(lambda: tf.function(lambda a: 'no' if a is None else object())(x))


class Counted(object):
    made = None

    def next(self, a):
        if self.made is None:
            self.made = tf.Variable(5.0, name='made')
        return self.made * a


counted = tf.function(Counted().next)
show(counted(tf.constant(2.0)), counted(tf.constant(3.0)))


@tf.function
def twice(a):
    return scaled(a) + scaled(a)


show(twice(x), tf.gradients(twice(x), x)[0])


def old(a):
    w = tf.get_variable('w', initializer=2.0)
    return w * a, a + 1.


wrapped = tf.wrap_function(old, [tf.TensorSpec([], tf.float32)])
part = wrapped.prune(wrapped.inputs[0], wrapped.outputs[1])
show(wrapped(tf.constant(3.0)), part(tf.constant(7.0)))
print([u.name for u in tf.global_variables()], part.inputs, part.outputs)


class Scale(tf.Module):
    def __init__(self, n, name=None):
        super(Scale, self).__init__(name=name)
        with self.name_scope:
            self.w = tf.Variable(tf.ones([n]) * 3., name='w')

    @tf.Module.with_name_scope
    def __call__(self, a):
        return a * self.w


class SmallNet(tf.Module):
    def __init__(self):
        super(SmallNet, self).__init__()
        self.first, self.rest = Scale(2), [Scale(2, 'other'), {'b': Scale(2)}]
        self.fixed = tf.Variable(1.0, trainable=False, name='fixed')


net = SmallNet()
print(net.name, [u.name for u in net.variables], [u.name for u in net.trainable_variables])
print([m.name for m in net.submodules], net.first(x).name)
refused(lambda: Scale(1, 'a b'))

with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    z = tf.reduce_sum(x * x * v)
print([u.name for u in tape.watched_variables()])
show(tape.gradient(z, [x, v]), tape.gradient(z, {'v': v}, output_gradients=tf.constant(2.0))['v'])
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        z = x * x * x
    slope = inner.gradient(z, x)
show(outer.gradient(slope, x))
refused(lambda: inner.gradient(z, x))
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    z, rows = x * x, tf.reshape(x, [2, 1]) * [[1., 2.]]
show(tape.jacobian(z, x), tape.jacobian(rows, x))
with tf.GradientTape() as tape:
    rows = tf.constant([[1., 2.], [3., 4.]])
    tape.watch(rows)
    z = rows * rows
show(tape.batch_jacobian(z, rows))
