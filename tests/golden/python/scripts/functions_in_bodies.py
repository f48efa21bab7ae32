# Functions of the library that branches and loops call, and what goes back through them.
import tensorflow as tf
from tensorflow.python.framework import function


@function.Defun(tf.float32)
def cube(x):
    return x * x * x


@function.Defun(tf.float32, tf.float32, out_names=["Sum", "both"])
def both(x, y):
    return cube(x) + y, x * y


tf.enable_control_flow_v2()
x, w = tf.constant(2.0), tf.constant(0.5)
results = {
    "cond": tf.cond(x > 1.0, lambda: cube(x) * w, lambda: both(x, w)[1]),
    "case": tf.switch_case(tf.constant(1), [lambda: cube(x), lambda: both(x, w)[0], lambda: w]),
    "while": tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, tf.reshape(both(v, w)[0] * 0.5, [])), [0, x])[1],
}
wanted = {}
for name, y in sorted(results.items()):
    wanted[name] = [y] + [g for g in tf.gradients(y, [x, w]) if g is not None]
    try:
        wanted[name].append(tf.gradients(wanted[name][1], x)[0])
    except LookupError as error:
        print(name, error)
print(sorted(tf.Session().run(wanted).items()))
for names in (["n"], ["a", "a"], ["a", "b", "c"], ["Mul", "q-r"], ["X", "v"], []):
    try:
        definition = function.Defun(tf.float32, out_names=names)(lambda v: (v, v * v)).definition
    except tf.errors.InvalidArgumentError as error:
        print(error)
    else:
        print([a.name for a in definition.signature.input_arg], [a.name for a in definition.signature.output_arg],
              [n.name for n in definition.node_def], sorted(definition.ret.items()), definition.signature.name)
