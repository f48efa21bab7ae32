#!/usr/bin/env python3
# cases_python_errors.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Scripts that are wrong, one a function; c.run(fetches, feeds) runs, c.open() is the session. Recorded by
record_python_errors.py, run under our face by tests/python/test-errors.py."""

import numpy as np
import tensorflow.compat.v1 as tf


def _p(name, shape=None, dtype=tf.float32):
    return tf.placeholder(dtype, shape, name=name)


def _graph_def(make):
    with tf.Graph().as_default() as g:
        make()
    return g.as_graph_def()


def _identity():
    return _graph_def(lambda: tf.identity(_p('a', [2]), name='o'))


def _defun(*types, **settings):
    from tensorflow.python.framework import function
    return function.Defun(*types, **settings)


# -- building, variables, saving, importing, summaries


def build_001(c):
    tf.matmul(_p('a', [2, 3]), _p('b', [4, 5]), name='mm')


def build_002(c):
    tf.matmul(_p('a', [2, 3]), _p('b', [3]))


def build_003(c):
    tf.matmul(_p('a', [2, 3]), _p('b', [3, 2], tf.int32))


def build_004(c):
    tf.matmul(_p('a', [2, 3, 4]), _p('b', [3, 4, 5]))


def build_005(c):
    _p('a', [2, 3]) * _p('b', [4])


def build_006(c):
    _p('a', [2, 3]) - _p('b', [3, 2])


def build_007(c):
    _p('a', [2]) / _p('b', [2], tf.int32)


def build_008(c):
    _p('a', [2]) + 'x'


def build_009(c):
    _p('a', [2]) + None


def build_010(c):
    _p('a', [2], tf.int32) * 0.5


def build_011(c):
    tf.concat([_p('a', [2, 3]), _p('b', [3, 2])], 1)


def build_012(c):
    tf.concat([_p('a', [2, 3]), _p('b', [3])], 0)


def build_013(c):
    tf.concat([_p('a', [2, 3]), _p('b', [2, 3])], 2)


def build_014(c):
    tf.concat([_p('a', [2]), _p('b', [2], tf.int32)], 0)


def build_015(c):
    tf.stack([_p('a', [2]), _p('b', [3])])


def build_016(c):
    tf.stack([_p('a', [2]), _p('b', [2], tf.int32)])


def build_017(c):
    tf.stack([_p('a', [2]), _p('b', [2])], axis=3)


def build_018(c):
    tf.unstack(_p('a'))


def build_019(c):
    tf.unstack(_p('a', [3]), num=2)


def build_020(c):
    tf.split(_p('a', [7, 2]), 3)


def build_021(c):
    tf.split(_p('a', [7, 2]), [3, 3])


def build_022(c):
    tf.reshape(_p('a', [2, 3]), [-1, 4])


def build_024(c):
    tf.transpose(_p('a', [2, 3]), [0, 1, 2])


def build_025(c):
    tf.transpose(_p('a', [2, 3]), [0, 2])


def build_026(c):
    tf.squeeze(_p('a', [2, 3]), [0])


def build_027(c):
    tf.expand_dims(_p('a', [2, 3]), 4)


def build_028(c):
    _p('a', [2, 3])[5]


def build_029(c):
    _p('a', [2, 3])[0, 1, 2]


def build_030(c):
    _p('a', [2, 3])['x']


def build_031(c):
    _p('a', [2, 3])[1.5]


def build_033(c):
    tf.gather(_p('a', [3]), _p('i', [2]))


def build_034(c):
    tf.tile(_p('a', [3]), [2, 2])


def build_035(c):
    tf.pad(_p('a', [3]), [[1, 1], [0, 0]])


def build_036(c):
    tf.pad(_p('a', [3]), [[1, 1]], 'WRONG')


def build_037(c):
    tf.nn.conv2d(_p('x', [1, 4, 4, 3]), _p('k', [2, 2, 3]), [1, 1, 1, 1], 'SAME')


def build_038(c):
    tf.nn.conv2d(_p('x', [1, 4, 4, 3]), _p('k', [5, 5, 3, 2]), [1, 1, 1, 1], 'VALID')


def build_039(c):
    tf.nn.conv2d(_p('x', [1, 4, 4, 3]), _p('k', [2, 2, 3, 2]), [1, 1, 1, 1], 'WRONG')


def build_040(c):
    tf.nn.max_pool(_p('x', [1, 4, 4]), [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')


def build_041(c):
    tf.nn.max_pool(_p('x', [1, 2, 2, 3]), [1, 3, 3, 1], [1, 2, 2, 1], 'VALID')


def build_042(c):
    tf.nn.bias_add(_p('x', [2, 3]), _p('b', [4]))


def build_043(c):
    tf.nn.bias_add(_p('x', [2, 3]), _p('b', [4, 1]))


def build_044(c):
    tf.nn.softmax_cross_entropy_with_logits(labels=_p('l', [2, 3]), logits=_p('z', [2, 4]))


def build_045(c):
    tf.nn.softmax_cross_entropy_with_logits(_p('l', [2, 3]), _p('z', [2, 3]))


def build_046(c):
    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=_p('l', [2, 3], tf.int32), logits=_p('z', [2, 3]))


def build_047(c):
    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=_p('l', [3], tf.int32), logits=_p('z', [2, 3]))


def build_048(c):
    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=_p('l', [2]), logits=_p('z', [2, 3]))


def build_049(c):
    tf.nn.sigmoid_cross_entropy_with_logits(labels=_p('l', [2]), logits=_p('z', [3]))


def build_050(c):
    tf.reduce_sum(_p('a', [2, 3]), axis=2)


def build_051(c):
    tf.reduce_mean(_p('a', [2, 3]), axis=[0, -3])


def build_052(c):
    tf.argmax(_p('a', [2, 3]), axis=2)


def build_053(c):
    tf.one_hot(_p('i', [2]), 3)


def build_054(c):
    tf.cast(_p('a', [2]), 'nope')


def build_055(c):
    tf.constant([1, 2, 3], shape=[2])


def build_056(c):
    tf.constant([[1, 2], [3]])


def build_057(c):
    tf.constant('a', dtype=tf.float32)


def build_058(c):
    tf.constant(1.5, dtype=tf.int32)


def build_059(c):
    tf.constant(None)


def build_060(c):
    tf.convert_to_tensor(_p('a', [2]), dtype=tf.int32)


def build_061(c):
    tf.convert_to_tensor(object())


def build_062(c):
    tf.convert_to_tensor({'a': 1})


def build_063(c):
    for x in _p('a', [2]):
        pass


def build_064(c):
    if _p('a', [], tf.bool):
        pass


def build_065(c):
    len(_p('a', [2]))


def build_066(c):
    np.array(_p('a', [2]))


def build_069(c):
    range(tf.constant(3))


def build_070(c):
    tf.get_variable('w')


def build_071(c):
    tf.get_variable('w', [None, 2])


def build_073(c):
    with tf.variable_scope('s'):
        tf.get_variable('w', [2])
    with tf.variable_scope('s', reuse=True):
        tf.get_variable('v', [2])


def build_074(c):
    with tf.variable_scope('s'):
        tf.get_variable('w', [2])
    with tf.variable_scope('s', reuse=tf.AUTO_REUSE):
        tf.get_variable('w', [3])


def build_075(c):
    with tf.variable_scope('s'):
        tf.get_variable('w', [2])
    with tf.variable_scope('s', reuse=True):
        tf.get_variable('w', [2], dtype=tf.int32)


def build_076(c):
    with tf.variable_scope(3):
        pass


def build_077(c):
    with tf.variable_scope(None):
        pass


def build_078(c):
    with tf.name_scope(3):
        pass


def build_079(c):
    with tf.name_scope('bad name'):
        tf.constant(1)


def build_080(c):
    tf.placeholder(tf.float32, [2], name='_x')


def build_082(c):
    tf.Variable()


def build_083(c):
    tf.Variable(3.0, collections='abc')


def build_084(c):
    tf.Variable(_p('a'), name='v')


def build_085(c):
    tf.assign(tf.Variable([1.0, 2.0], use_resource=False), [1.0, 2.0, 3.0])


def build_086(c):
    tf.assign(_p('a', [2]), [1.0, 2.0])


def build_088(c):
    tf.assign_add(tf.Variable([1, 2], use_resource=False), [1.5, 2.0])


def build_089(c):
    v = tf.Variable([1.0, 2.0], use_resource=False)
    for x in v:
        pass


def build_090(c):
    tf.train.GradientDescentOptimizer(0.1).minimize(3.0)


def build_091(c):
    tf.Variable(1.0)
    tf.train.AdamOptimizer().apply_gradients([])


def build_092(c):
    v = tf.Variable(1.0, use_resource=False)
    tf.train.AdamOptimizer().apply_gradients([(None, v)])


def build_093(c):
    v = tf.Variable(1, use_resource=False)
    tf.train.AdamOptimizer().minimize(v * 2)


def build_094(c):
    v = tf.Variable(1.0, use_resource=False)
    tf.train.AdamOptimizer().minimize(tf.cast(v, tf.string) if 0 else tf.constant(['a']))


def build_097(c):
    tf.gradients([_p('y')], [_p('x')], grad_ys=[])


def build_099(c):
    tf.train.Saver([tf.constant(1.0)])


def build_100(c):
    tf.train.Saver({'a': 1})


def build_101(c):
    tf.train.Saver(5)


def build_102(c):
    tf.Variable(1.0, name='a')
    tf.train.Saver().restore(c.open(), None)


def build_103(c):
    tf.Variable(1.0, name='a')
    tf.train.Saver().restore(c.open(), 'nowhere/at/all')


def build_104(c):
    tf.Variable(1.0, name='a', use_resource=False)
    s = tf.train.Saver()
    s.save(c.open(), 'missing_dir/x')


def build_105(c):
    tf.train.import_meta_graph('no/such.meta')


def build_106(c):
    tf.train.export_meta_graph('x', clear_devices=True, collection_list=5)


def build_107(c):
    tf.import_graph_def(3)


def build_108(c):
    tf.import_graph_def(tf.GraphDef(), return_elements=['a:0'])


def build_109(c):
    tf.import_graph_def(tf.GraphDef(), input_map={'a': _p('b')})


def build_110(c):
    tf.import_graph_def(tf.GraphDef(), return_elements=5)


def build_111(c):
    d = _identity()
    tf.import_graph_def(d, return_elements=['o:1'])


def build_112(c):
    d = _identity()
    tf.import_graph_def(d, input_map={'a:0': tf.constant([1, 2])})


def build_113(c):
    d = _identity()
    tf.import_graph_def(d, input_map={'zzz:0': tf.constant([1.0, 2])})


def build_114(c):
    d = _identity()
    del d.node[0]
    tf.import_graph_def(d)


def build_115(c):
    d = _identity()
    d.node[1].input[0] = 'a:3'
    tf.import_graph_def(d)


def build_116(c):
    d = _identity()
    d.node[1].attr['T'].type = 3
    tf.import_graph_def(d)


def build_117(c):
    d = _identity()
    del d.node[1].attr['T']
    tf.import_graph_def(d)


def build_118(c):
    d = _identity()
    d.node[1].name = 'bad name'
    tf.import_graph_def(d)


def build_119(c):
    d = _identity()
    d.node[1].attr['zz'].i = 3
    tf.import_graph_def(d)


def build_120(c):
    d = _identity()
    d.node[1].input.append('a')
    tf.import_graph_def(d)


def build_122(c):
    tf.summary.scalar(None, _p('x', []))


def build_125(c):
    tf.summary.merge([])


def build_126(c):
    tf.summary.merge('abc')


def build_128(c):
    tf.summary.scalar('s', 'text')


# -- running, graphs, control flow, cells, losses, layers


def run_001(c):
    c.run(_p('x', [2]) * 2.0, {'x:0': [1.0, 2.0, 3.0]})


def run_003(c):
    c.run(_p('x', [2]) * 2.0, {'x:0': ['a', 'b']})


def run_004(c):
    c.run(_p('x', [2]) * 2.0, {'x:0': None})


def run_005(c):
    c.run(_p('x', [2]) * 2.0, {'y:0': [1.0, 2.0]})


def run_006(c):
    c.run(_p('x', [2]) * 2.0, {3: [1.0, 2.0]})


def run_007(c):
    c.run(_p('x', [2]) * 2.0, {None: [1.0, 2.0]})


def run_008(c):
    x = _p('x', [2])
    c.open().run(x * 2.0, [1.0, 2.0])


def run_009(c):
    c.run({'a': None, 'b': tf.constant(1)})


def run_010(c):
    c.run([tf.constant(1.0), 'a:0:0'])


def run_011(c):
    tf.constant(1.0, name='a')
    c.run('a:b')


def run_012(c):
    tf.constant(1.0, name='a')
    c.run(['a:0', object])


def run_013(c):
    c.run(tf.train.GradientDescentOptimizer)


def run_014(c):
    tf.constant(1.0)
    c.run(True)


def run_015(c):
    tf.constant(1.0)
    c.run(1.5)


def run_016(c):
    tf.constant(1.0)
    c.run('')


def run_017(c):
    tf.get_default_graph().get_tensor_by_name('a')


def run_018(c):
    tf.get_default_graph().get_tensor_by_name('a:0')


def run_019(c):
    tf.constant(1.0, name='a')
    tf.get_default_graph().get_tensor_by_name('a:4')


def run_020(c):
    tf.get_default_graph().get_operation_by_name('a:0')


def run_021(c):
    tf.get_default_graph().get_operation_by_name('a')


def run_022(c):
    tf.get_default_graph().get_operation_by_name(tf.constant(1))


def run_023(c):
    tf.get_default_graph().get_tensor_by_name(7)


def run_024(c):
    tf.get_default_graph().as_graph_element(7)


def run_025(c):
    tf.get_default_graph().as_graph_element('a:0', allow_tensor=False)


def run_026(c):
    a = tf.constant(1.0, name='a')
    tf.get_default_graph().as_graph_element('a', allow_operation=False)


def run_029(c):
    v = tf.get_variable('v', [2], use_resource=False)
    with tf.Graph().as_default():
        with tf.control_dependencies([v.initializer]):
            tf.no_op()


def run_030(c):
    a = tf.constant(1.0)
    with tf.Graph().as_default():
        tf.concat([a, tf.constant([2.0])], 0)


def run_032(c):
    tf.get_default_graph().finalize()
    tf.Variable(1.0)


def run_033(c):
    tf.get_default_graph().finalize()
    tf.add_to_collection('x', 1)


def run_034(c):
    w = tf.get_variable('w', [2], use_resource=False)
    c.run(w)


def run_035(c):
    w = tf.get_variable('w', [2], use_resource=True)
    c.run(w)


def run_036(c):
    w = tf.get_variable('w', [2], use_resource=False)
    w.eval()


def run_037(c):
    w = tf.get_variable('w', [2], use_resource=False)
    w.initializer.run()


def run_038(c):
    w = tf.get_variable('w', [2], use_resource=False)
    with tf.Session(graph=tf.Graph()) as s:
        w.eval()


def run_039(c):
    w = tf.constant(1.0)
    with tf.Session(graph=tf.Graph()) as s:
        w.eval()


def run_040(c):
    w = tf.constant(1.0)
    s = tf.Session(graph=tf.Graph())
    s.run(w)


def run_041(c):
    s = tf.Session()
    tf.constant(1)
    s.close()
    s.run('Const:0')


def run_042(c):
    tf.Session(graph=5)


def run_043(c):
    tf.Session(5)


def run_044(c):
    tf.Session(config=5)


def run_045(c):
    tf.cond(_p('p', []), lambda: 1.0, lambda: 2.0)


def run_046(c):
    tf.cond(_p('p', [2], tf.bool), lambda: tf.constant(1.0), lambda: tf.constant(2.0))


def run_047(c):
    tf.cond(_p('p', [], tf.bool), tf.constant(1.0), lambda: tf.constant(2.0))


def run_048(c):
    tf.cond(_p('p', [], tf.bool), lambda: tf.constant(1.0), 3)


def run_049(c):
    tf.cond(_p('p', [], tf.bool), lambda: None, lambda: tf.constant(2.0))


def run_050(c):
    tf.cond(_p('p', [], tf.bool), lambda: (tf.constant(1.0), tf.constant(1.0)), lambda: [tf.constant(2.0), tf.constant(2.0)])


def run_051(c):
    tf.cond(_p('p', [], tf.bool), lambda: [tf.constant(1.0)], lambda: [tf.constant(2.0), tf.constant(2.0)])


def run_052(c):
    tf.cond(_p('p', [], tf.bool), lambda: {'a': tf.constant(1.0)}, lambda: {'b': tf.constant(2.0)})


def run_053(c):
    tf.cond(None, lambda: tf.constant(1.0), lambda: tf.constant(2.0))


def run_054(c):
    tf.case([], default=lambda: 1)


def run_055(c):
    tf.case(5, default=lambda: 1)


def run_056(c):
    tf.case([(tf.constant(True), 3)], default=lambda: 1)


def run_057(c):
    tf.case([(True, lambda: tf.constant(1))], default=lambda: tf.constant(1))


def run_058(c):
    tf.case([(_p('p', []), lambda: tf.constant(1))], default=lambda: tf.constant(1))


def run_059(c):
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [])


def run_060(c):
    tf.while_loop(3, lambda i: i + 1, [0])


def run_061(c):
    tf.while_loop(lambda i: i < 3, 3, [0])


def run_062(c):
    tf.while_loop(lambda i: i, lambda i: i + 1, [tf.constant(0)])


def run_063(c):
    tf.while_loop(lambda i: [i < 3, i < 3], lambda i: i + 1, [tf.constant(0)])


def run_064(c):
    tf.while_loop(lambda i: i < 3, lambda i: None, [tf.constant(0)])


def run_065(c):
    tf.while_loop(lambda i: i < 3, lambda i: tf.stack([i, i]), [tf.constant(0)])


def run_066(c):
    tf.while_loop(lambda i, j: i < 3, lambda i, j: (i + 1,), [tf.constant(0), tf.constant(1)])


def run_067(c):
    tf.while_loop(lambda i, j: i < 3, lambda i, j: (i + 1, (j, j)), [tf.constant(0), tf.constant(1)])


def run_068(c):
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], parallel_iterations=0)


def run_069(c):
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], shape_invariants=[tf.TensorShape([2])])


def run_070(c):
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], maximum_iterations='a')


def run_072(c):
    tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x], 0)), [tf.constant(0), tf.zeros([2, 2])], shape_invariants=[tf.TensorShape([]), tf.TensorShape([2, None])])


def run_073(c):
    tf.map_fn(3, tf.constant([1.0]))


def run_074(c):
    tf.map_fn(lambda x: x, tf.constant(1.0))


def run_076(c):
    tf.map_fn(lambda x: (x, x), tf.constant([1.0, 2.0]))


def run_077(c):
    tf.scan(3, tf.constant([1.0]))


def run_078(c):
    tf.foldl(3, tf.constant([1.0]))


def run_079(c):
    tf.scan(lambda a, x: (a, x), tf.constant([1.0, 2.0]))


def run_081(c):
    ta = tf.TensorArray(tf.float32, 3, element_shape=[2])
    ta.write(0, tf.constant([1.0]))


def run_082(c):
    ta = tf.TensorArray(tf.float32, 3)
    ta.write(0, tf.constant([1.0])).write(1, tf.constant([1.0, 2.0])).stack()


def run_083(c):
    tf.TensorArray(tf.float32)


def run_084(c):
    tf.TensorArray(tf.float32, 3).unstack(tf.constant(1.0))


def run_087(c):
    tf.nn.rnn_cell.BasicLSTMCell(4)(_p('x', [2]), _p('s', [2, 8]))


def run_088(c):
    tf.nn.rnn_cell.BasicLSTMCell(4)(_p('x', [2, None]), (_p('s', [2, 4]), _p('t', [2, 4])))


def run_091(c):
    tf.nn.rnn_cell.LSTMCell(4)(_p('x', [2, None]), (_p('s', [2, 4]), _p('t', [2, 4])))


def run_092(c):
    tf.nn.rnn_cell.MultiRNNCell([])


def run_095(c):
    tf.nn.rnn_cell.DropoutWrapper(3, 0.5)


def run_096(c):
    tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(3), input_keep_prob=1.5)


def run_097(c):
    tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), _p('x', [2, 4, 5]))


def run_098(c):
    tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), _p('x', [2, 4]), dtype=tf.float32)


def run_099(c):
    tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), _p('x', [2, 4, None]), dtype=tf.float32)


def run_100(c):
    tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), _p('x', [2, 4, 5]), sequence_length=_p('l', [2, 1], tf.int32), dtype=tf.float32)


def run_101(c):
    tf.nn.dynamic_rnn(3, _p('x', [2, 4, 5]), dtype=tf.float32)


def run_102(c):
    tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(3), [], dtype=tf.float32)


def run_103(c):
    tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(3), _p('x', [2, 3]), dtype=tf.float32)


def run_104(c):
    tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(3), [_p('x', [2, 3])])


def run_105(c):
    cell = tf.nn.rnn_cell.GRUCell(3)
    tf.nn.dynamic_rnn(cell, _p('x', [2, 4, 5]), dtype=tf.float32)
    tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), _p('y', [2, 4, 5]), dtype=tf.float32)


def run_107(c):
    tf.nn.bidirectional_dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), None, _p('x', [2, 4, 5]), dtype=tf.float32)


def run_108(c):
    tf.losses.mean_squared_error(_p('l', [2]), _p('p', [3]))


def run_109(c):
    tf.losses.mean_squared_error(None, _p('p', [3]))


def run_110(c):
    tf.losses.softmax_cross_entropy(_p('l', [2, 3]), _p('p', [2, 4]))


def run_111(c):
    tf.losses.sparse_softmax_cross_entropy(_p('l', [2, 2], tf.int32), _p('p', [2, 4]))


def run_112(c):
    tf.losses.sigmoid_cross_entropy(_p('l', [2, 3]), _p('p', [2, 4]))


def run_113(c):
    tf.losses.mean_squared_error(_p('l', [2, 3]), _p('p', [2, 3]), weights=_p('w', [3]))


def run_114(c):
    tf.losses.mean_squared_error(_p('l', [2, 3]), _p('p', [2, 3]), weights=_p('w', [3, 3]))


def run_115(c):
    tf.losses.absolute_difference(_p('l', [2, 3]), _p('p', [2, 3]), reduction='x')


def run_116(c):
    tf.losses.cosine_distance(_p('l', [2, 3]), _p('p', [2, 3]))


def run_117(c):
    tf.losses.hinge_loss(_p('l', [2, 3]), _p('p', [2, 4]))


def run_118(c):
    tf.losses.log_loss(_p('l', [2, 3]), _p('p', [3, 2]))


def run_119(c):
    tf.losses.get_total_loss() + 1


def run_120(c):
    tf.layers.dense(_p('x', [2, None]), 3)


def run_121(c):
    tf.layers.dense(_p('x'), 3)


def run_122(c):
    tf.layers.dense(_p('x', [2]), 3)


def run_123(c):
    tf.layers.conv2d(_p('x', [2, 4, 4]), 3, 2)


def run_124(c):
    tf.layers.conv2d(_p('x', [2, 4, 4, None]), 3, 2)


def run_125(c):
    tf.layers.conv2d(_p('x', [2, 4, 4, 3]), 3, [2, 2, 2])


def run_126(c):
    tf.layers.conv2d(_p('x', [2, 4, 4, 3]), 3, 2, padding='both')


def run_128(c):
    tf.layers.batch_normalization(_p('x'))


def run_129(c):
    tf.layers.batch_normalization(_p('x', [2, None]))


def run_130(c):
    tf.layers.max_pooling2d(_p('x', [2, 4, 4]), 2, 2)


def run_133(c):
    tf.layers.dense(_p('x', [2, 3], tf.int32), 3)


def run_134(c):
    tf.layers.dense(_p('x', [2, 3]), 3, activation='reluu')


def run_135(c):
    tf.layers.dense(_p('x', [2, 3]), 'a')


def run_136(c):
    tf.layers.dense(_p('x', [2, 3]), 3, name='d')
    tf.layers.dense(_p('y', [2, 3]), 3, name='d')


def run_137(c):
    tf.layers.dense(_p('x', [2, 3]), 3, name='d', reuse=True)


def run_138(c):
    tf.layers.Dense(3)(5)


def run_139(c):
    tf.layers.Dense(3, foo=1)


def run_140(c):
    tf.layers.conv1d(_p('x', [2, 3]), 3, 2)


# -- ranks that only the building of a graph asks for, and ops that graphs have no more


def rank_001(c):
    tf.raw_ops.ReadFile(filename=_p('f', [1], tf.string))


def rank_002(c):
    tf.raw_ops.UnsortedSegmentSum(data=_p('x', [3, 2]), segment_ids=_p('i', [3], tf.int32), num_segments=_p('n', [1], tf.int32))


def rank_003(c):
    tf.raw_ops.Reshape(tensor=_p('x', [1]), shape=_p('s', [], tf.int32))


def rank_004(c):
    tf.raw_ops.SparseSegmentSum(data=_p('x', [3, 4]), indices=_p('i', [5, None], tf.int32), segment_ids=_p('s', [5], tf.int32))


def rank_005(c):
    tf.raw_ops.EditDistance(hypothesis_indices=_p('a', [4], tf.int64), hypothesis_values=_p('b', [4]),
                            hypothesis_shape=_p('c', [2], tf.int64), truth_indices=_p('d', [4, 2], tf.int64),
                            truth_values=_p('e', [4]), truth_shape=_p('f', [2], tf.int64))


def rank_006(c):
    tf.raw_ops.SparseConcat(indices=[_p('a', [4, 2], tf.int64), _p('b', [3], tf.int64)], values=[_p('c', [4]), _p('d', [3])],
                            shapes=[_p('e', [2], tf.int64), _p('f', [2], tf.int64)], concat_dim=0)


def rank_007(c):
    tf.raw_ops.RaggedTensorToSparse(rt_nested_splits=[_p('s', [4], tf.int64)], rt_dense_values=_p('v', []))


def rank_008(c):
    tf.raw_ops.AvgPoolGrad(orig_input_shape=_p('s', [], tf.int32), grad=_p('g', [2, 3, 3, 3]), ksize=[1, 2, 2, 1],
                           strides=[1, 2, 2, 1], padding='VALID')


def rank_009(c):
    tf.raw_ops.QuantizeV2(input=_p('x', [6]), min_range=_p('a', [1]), max_range=_p('b', []), T=tf.quint8)


def rank_010(c):
    tf.raw_ops.ReduceJoin(inputs=_p('x', [2, 3], tf.string), reduction_indices=_p('r', [1, 1], tf.int32))


def removed_001(c):
    tf.raw_ops.BatchCholesky(input=_p('x', [2, 3, 3]))


def removed_002(c):
    tf.raw_ops.TopK(input=_p('x', [2, 3]), k=1)


def removed_003(c):
    tf.raw_ops.TensorArrayV2(size=3, dtype=tf.float32)


def removed_004(c):
    tf.raw_ops.BatchMatrixSolve(matrix=_p('x', [2, 3, 3]), rhs=_p('y', [2, 3, 1], tf.float64))


def lists_001(c):
    tf.raw_ops.ConcatOffset(concat_dim=0, shape=[_p('a', [2]), _p('b', [2], tf.int32)])


def lists_002(c):
    tf.raw_ops.DynamicStitch(indices=[_p('a', [2], tf.int32)], data=[_p('x', [2]), _p('y', [2])])


def lists_003(c):
    tf.raw_ops.AddN(inputs=[_p('a', [2]), _p('b', [2], tf.int32)])


def lists_004(c):
    tf.raw_ops.AvgPool(value=_p('x', [1, 4, 4, 1]), ksize=2, strides=[1, 1, 1, 1], padding='SAME')


def lists_005(c):
    tf.raw_ops.AvgPool(value=_p('x', [1, 4, 4, 1], tf.string), ksize=[1, 'a', 2, 1], strides=[1, 1, 1, 1], padding='SAME')


def lists_006(c):
    tf.raw_ops.Pack(values=_p('x', [2]))


def lists_007(c):
    tf.raw_ops.ParallelConcat(values=[_p('a', [1, 2]), _p('b', [1, 2], tf.int32)], shape=[2, 2])


# -- functions, rules, flags and modules that scripts ask for


def defun_001(c):
    double = _defun(tf.float32, func_name='Double')(lambda x: x * 2.0)
    double(tf.constant(1))


def defun_002(c):
    _defun(tf.float32, func_name='F')(lambda x: x * 2.0)(_p('a'))
    _defun(tf.float32, func_name='F')(lambda x: x * 3.0)(_p('b'))


def defun_003(c):
    back = _defun(tf.float32, tf.float32, func_name='Back')(lambda x, dy: dy)
    _defun(tf.float32, func_name='F', grad_func=back, python_grad_func=lambda op, g: g)(lambda x: x + 1.0)(_p('a'))


def rules_001(c):
    tf.RegisterGradient('Mine')(lambda op, g: g)
    tf.RegisterGradient('Mine')(lambda op, g: g)


def rules_002(c):
    tf.RegisterGradient('MatMul')(lambda op, g: g)


def rules_003(c):
    tf.NotDifferentiable('Shape')


def flags_001(c):
    tf.app.flags.DEFINE_string('train_dir', 'here', 'where')
    tf.app.flags.FLAGS(['script', '--train_dri=there'])


def flags_002(c):
    tf.app.flags.DEFINE_float('rate', 1.0, 'how fast')
    tf.app.flags.FLAGS(['script', '--rate'])


def flags_003(c):
    tf.app.flags.DEFINE_string('needed', None, 'what has to be there')
    tf.app.flags.mark_flag_as_required('needed')
    tf.app.flags.FLAGS(['script'])


def modules_001(c):
    tf.nn.no_such_thing


def modules_002(c):
    tf.train.SGDOptimizer


def modules_003(c):
    tf.keras.layers.Densse


def modules_004(c):
    tf.matmull


def checkpoints_001(c):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0, name='v')
        session.run(v.initializer)
        path = tf.train.Saver([v]).save(session, 'ckpt/one')
    tf.train.init_from_checkpoint(path, {'v': tf.constant(1.0)})


def dtypes_001(c):
    tf.as_dtype([1])


def axes_001(c):
    tf.tensordot(_p('a', [2, 3]), _p('b', [2, 3]), [[1], [0, 1]])


def axes_002(c):
    tf.sequence_mask([1, 2], maxlen=[3])


def gradients_001(c):
    v = tf.Variable(1.0, name='v')
    tf.train.AdamOptimizer().apply_gradients([('a', v)])


def arguments_001(c):
    tf.nn.dropout(_p('x', [2]), keep_prob=0.5, rate=0.6)


def arguments_002(c):
    tf.nn.dropout(_p('x', [2]), keep_prob='half')


def arguments_003(c):
    tf.Variable(1.0, trainabel=True)


def arguments_004(c):
    tf.train.export_meta_graph(graph_def=3, graph=tf.Graph())


def arguments_005(c):
    tf.train.export_meta_graph(graph='g')
