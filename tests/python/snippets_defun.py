# snippets_defun.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Functions of the library: Defun with its options and gradients, functions imported, iterators that make their dataset."""

import tensorflow.compat.v1 as tf
from tensorflow.python.framework import function


def defun_plain():
    @function.Defun(tf.float32, tf.float32)
    def MulAdd(x, y):
        """Twice the one and the other."""
        with tf.name_scope('inner'):
            z = x * 2.
        return z + y

    @function.Defun(tf.float32, func_name='Named', noinline=True)
    def Other(x):
        return [tf.square(x), tf.reduce_sum(x, name='total')]

    @function.Defun()
    def Nothing():
        return tf.constant([1., 2.])
    a = tf.placeholder(tf.float32, [2], name='a')
    b = MulAdd(a, 3.)
    c, d = Other(b, name='other')
    MulAdd(c, d, name='again')
    tf.add(Nothing(), MulAdd(a, b), name='sum')
    with tf.name_scope('s'):
        Other(a)


def defun_overloaded():
    @function.Defun()
    def Double(x):
        return x + x

    @function.Defun(func_name='Any')
    def Named(x, y):
        return tf.cast(x, tf.float32) * y
    Double(tf.constant(1.)), Double(tf.constant(1)), Double(2.)
    Named(tf.constant(1, tf.int64), tf.constant(2.))


def defun_gradients():
    @function.Defun(tf.float32, tf.float32)
    def F(x, y):
        return tf.sin(x) * y, x - y
    x = tf.placeholder(tf.float32, [3], name='x')
    y = tf.placeholder(tf.float32, [3], name='y')
    p, q = F(x, y)
    tf.gradients(p, [x, y])
    tf.gradients([p, q], [x])


def defun_grad_func():
    @function.Defun(tf.float32, tf.float32)
    def XSquaredPlusBGrad(x, g):
        return 2. * x * g

    @function.Defun(tf.float32, grad_func=XSquaredPlusBGrad)
    def XSquared(x):
        return x * x

    def python_grad(op, grad):
        return grad * op.inputs[0] * 3.

    @function.Defun(tf.float32, python_grad_func=python_grad, out_names=['result'])
    def Cubish(x):
        return x * x * x
    x = tf.placeholder(tf.float32, [2], name='x')
    tf.gradients(XSquared(x) + Cubish(x), x)


def defun_shapes():
    @function.Defun(tf.float32, shape_func=lambda op: [op.inputs[0].get_shape()])
    def Same(x):
        return tf.tanh(x)
    x = tf.placeholder(tf.float32, [2, 3], name='x')
    tf.layers.dense(Same(x), 2)
    Same(Same(x)).set_shape([2, 3])


def defun_captures():
    w = tf.get_variable('w', [2])
    r = tf.get_variable('r', [2], use_resource=True)
    c = tf.constant([3., 4.], name='c')

    @function.Defun(tf.float32)
    def Uses(x):
        v = tf.get_variable('inside', [2], initializer=tf.ones_initializer())
        return x * w + c + v

    @function.Defun(tf.float32)
    def Reads(x):
        return x * tf.get_variable('made', [2], use_resource=True)

    @function.Defun(tf.float32, capture_by_value=True)
    def Copies(x):
        return x * c
    x = tf.placeholder(tf.float32, [2], name='x')
    loss = tf.reduce_sum(Uses(x) + Reads(x) + Copies(x)) + tf.reduce_sum(r)
    tf.gradients(loss, [w, x])


def defun_nested():
    @function.Defun(tf.float32)
    def Inner(x):
        return tf.exp(x)

    @function.Defun(tf.float32)
    def Outer(x):
        return Inner(x) + Inner(x * 2.)
    tf.gradients(Outer(tf.ones([2], name='one')), tf.get_default_graph().get_tensor_by_name('one:0'))


def defun_imported():
    inner = tf.Graph()
    with inner.as_default():
        @function.Defun(tf.float32)
        def F(x):
            return x + 1.
        F(tf.placeholder(tf.float32, [2], name='x'), name='call')
    tf.import_graph_def(inner.as_graph_def(), name='first')
    out, = tf.import_graph_def(inner.as_graph_def(), return_elements=['call:0'], name='second')
    tf.gradients(out, tf.get_default_graph().get_tensor_by_name('second/x:0'))


def one_shot_iterators():
    a = tf.data.make_one_shot_iterator(tf.data.Dataset.range(5).batch(2))
    b = tf.data.Dataset.from_tensor_slices({'x': tf.ones([4, 2]), 'y': [1, 2, 3, 4]}).repeat(2).make_one_shot_iterator()
    a.get_next(), b.get_next('named')
    tf.data.make_one_shot_iterator(tf.data.Dataset.from_tensors(1.).map(lambda v: v + 1.)).get_next()


def partitioned_calls():
    """Calls by an op, and by a type of that name; what is not trainable gets zeros too."""
    definition = tf.GraphDef()
    f = definition.library.function.add()
    f.signature.name = 'f'
    for name, kind in (('x', 1), ('i', 3)):
        f.signature.input_arg.add(name=name, type=kind)
    for name, op, argument, kind in (('y', 'Square', 'x', 1), ('j', 'Neg', 'i', 3)):
        f.signature.output_arg.add(name=name, type=kind)
        node = f.node_def.add(name='node_' + name, op=op, input=[argument])
        node.attr['T'].type = kind
        f.ret[name] = 'node_%s:y:0' % name
    for name, kind in (('x', 1), ('i', 3)):
        definition.node.add(name=name, op='Placeholder').attr['dtype'].type = kind
    for name, op in (('p', 'PartitionedCall'), ('s', 'StatefulPartitionedCall'), ('c', 'f')):
        node = definition.node.add(name=name, op=op, input=['x', 'i'])
        if op != 'f':
            node.attr['Tin'].list.type.extend([1, 3])
            node.attr['Tout'].list.type.extend([1, 3])
            node.attr['f'].func.name = 'f'
    tf.import_graph_def(definition, name='')
    graph = tf.get_default_graph()
    for name in ('p', 's', 'c'):
        tf.gradients(graph.get_tensor_by_name(name + ':0') * 2., [graph.get_tensor_by_name('x:0')], name='of_' + name)
