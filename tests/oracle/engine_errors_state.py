# engine_errors_state.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Runs that end in an error for the state they meet, or for how they are asked: for record_engine_errors.py."""

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import function as _function
from tensorflow.python.ops import data_flow_ops as _dfo
from tensorflow.python.ops import gen_data_flow_ops as _gen

R = tf.raw_ops
F, I, L, S, B = tf.float32, tf.int32, tf.int64, tf.string, tf.bool
o = np.ones


def _p(name, dtype=tf.float32, shape=None):
    return tf.placeholder(dtype, shape, name=name)


def _ref(c, init=(1., 2.), name='w', run=True):
    w = tf.Variable(np.array(init, np.float32), name=name, use_resource=False)
    if run:
        c.run(w.initializer)
    return w


def _res(c, init=(1., 2.), name='w', run=True):
    w = tf.Variable(np.array(init, np.float32), name=name, use_resource=True)
    if run:
        c.run(w.initializer)
    return w


def uninit_scatter(c):
    c.run(tf.scatter_add(_ref(c, run=False), [0], [1.]))


def uninit_resource_scatter(c):
    c.run(tf.scatter_add(_res(c, run=False), [0], [1.]))


def uninit_resource_gather(c):
    c.run(tf.gather(_res(c, run=False), [0]))


def uninit_resource_strided(c):
    c.run(_res(c, run=False)[0].assign(2.))


def uninit_slot_only(c):
    w = _ref(c)
    c.run(tf.train.MomentumOptimizer(.1, .9).apply_gradients([(tf.constant([1., 1.]), w)]))


def uninit_ema(c):
    w = _ref(c)
    c.run(tf.train.ExponentialMovingAverage(.9).apply([w]))


def uninit_count_up_to(c):
    c.run(tf.count_up_to(tf.Variable(0, name='n', use_resource=False), 3))


def uninit_in_while(c):
    w = _ref(c, run=False)
    c.run(tf.while_loop(lambda i: i < 3, lambda i: i + tf.to_int32(tf.reduce_sum(w)), [0]))


def uninit_in_cond(c):
    w = _ref(c, run=False)
    c.run(tf.cond(_p('b', B), lambda: w + 1., lambda: tf.zeros([2])), {'b:0': True})


def count_up_to_limit(c):
    v = tf.Variable(3, name='n', use_resource=False)
    c.run(v.initializer)
    c.run(tf.count_up_to(v, 3))


def resource_count_up_to_limit(c):
    v = tf.Variable(3, name='n', use_resource=True)
    c.run(v.initializer)
    c.run(R.ResourceCountUpTo(resource=v.handle, limit=3, T=I))


def resource_assign_shape(c):
    w = _res(c)
    c.run(R.AssignVariableOp(resource=w.handle, value=_p('x')), {'x:0': o([3])})
    c.run(R.AssignAddVariableOp(resource=w.handle, value=_p('x2')), {'x2:0': o([4])})


def resource_assign_add_shape(c):
    w = _res(c)
    c.run(R.AssignAddVariableOp(resource=w.handle, value=_p('x')), {'x:0': o([3])})


def resource_read_dtype(c):
    w = _res(c)
    c.run(R.ReadVariableOp(resource=w.handle, dtype=I))


def resource_scatter_index(c):
    w = _res(c)
    c.run(R.ResourceScatterUpdate(resource=w.handle, indices=_p('i', I), updates=_p('u')), {'i:0': [7], 'u:0': [1.]})


def resource_gather_index(c):
    w = _res(c)
    c.run(tf.gather(w, _p('i', I)), {'i:0': [2]})


def resource_scatter_nd_index(c):
    w = _res(c)
    c.run(R.ResourceScatterNdUpdate(ref=w.handle, indices=_p('i', I), updates=_p('u')), {'i:0': [[3]], 'u:0': [1.]})


def resource_strided_assign(c):
    w = _res(c)
    c.run(w[:1].assign(_p('u')), {'u:0': [1., 2., 3.]})


def ref_strided_assign(c):
    w = _ref(c)
    c.run(w[:1].assign(_p('u')), {'u:0': [1., 2., 3.]})


def ref_scatter_updates(c):
    w = _ref(c)
    c.run(tf.scatter_add(w, _p('i', I), _p('u')), {'i:0': [0], 'u:0': [1., 2.]})


def ref_scatter_nd_index(c):
    w = _ref(c)
    c.run(tf.scatter_nd_add(w, _p('i', I), _p('u')), {'i:0': [[2]], 'u:0': [1.]})


def ref_scatter_negative(c):
    w = _ref(c)
    c.run(tf.scatter_sub(w, _p('i', I), _p('u')), {'i:0': [-1], 'u:0': [1.]})


def adam_gradient_shape(c):
    w = _ref(c)
    t = tf.train.AdamOptimizer().apply_gradients([(_p('g'), w)])
    c.run(tf.global_variables_initializer())
    c.run(t, {'g:0': o([3])})


def resource_adam_gradient_shape(c):
    w = _res(c)
    t = tf.train.AdamOptimizer().apply_gradients([(_p('g'), w)])
    c.run(tf.global_variables_initializer())
    c.run(t, {'g:0': o([3])})


def momentum_gradient_shape(c):
    w = _ref(c)
    t = tf.train.MomentumOptimizer(.1, .9).apply_gradients([(_p('g'), w)])
    c.run(tf.global_variables_initializer())
    c.run(t, {'g:0': o([3])})


def ftrl_gradient_shape(c):
    w = _ref(c)
    t = tf.train.FtrlOptimizer(.1).apply_gradients([(_p('g'), w)])
    c.run(tf.global_variables_initializer())
    c.run(t, {'g:0': o([3])})


def rmsprop_gradient_shape(c):
    w = _ref(c)
    t = tf.train.RMSPropOptimizer(.1).apply_gradients([(_p('g'), w)])
    c.run(tf.global_variables_initializer())
    c.run(t, {'g:0': o([3])})


def adagrad_sparse_index(c):
    w = _ref(c)
    t = tf.train.AdagradOptimizer(.1).apply_gradients([(tf.IndexedSlices(_p('g'), _p('i', I)), w)])
    c.run(tf.global_variables_initializer())
    c.run(t, {'g:0': o([1]), 'i:0': [5]})


def momentum_sparse_index(c):
    w = _ref(c, np.ones((2, 2)))
    t = tf.train.MomentumOptimizer(.1, .9).apply_gradients([(tf.IndexedSlices(_p('g'), _p('i', I)), w)])
    c.run(tf.global_variables_initializer())
    c.run(t, {'g:0': o([1, 2]), 'i:0': [5]})


def sgd_rate_vector(c):
    w = _ref(c)
    c.run(R.ApplyGradientDescent(var=w._ref() if hasattr(w, '_ref') else w, alpha=_p('a'), delta=[1., 1.]), {'a:0': [.1, .2]})


def embedding_index(c):
    w = _ref(c, np.ones((3, 2)))
    c.run(tf.nn.embedding_lookup(w, _p('i', I)), {'i:0': [[0, 3]]})


def embedding_negative(c):
    w = _ref(c, np.ones((3, 2)))
    c.run(tf.nn.embedding_lookup(w, _p('i', I)), {'i:0': [-1]})


# -- queues, stacks, arrays --------------------------------------------------------------------

def padding_queue_rank(c):
    q = tf.PaddingFIFOQueue(3, [F], [[None, 2]])
    c.run(R.QueueEnqueueV2(handle=q.queue_ref, components=[_p('x')]), {'x:0': o([2])})


def queue_enqueue_shape(c):
    q = tf.FIFOQueue(3, [F], [[2]], shared_name='s')
    c.run(R.QueueEnqueueV2(handle=q.queue_ref, components=[_p('x')]), {'x:0': o([3])})


def queue_components(c):
    q = tf.FIFOQueue(3, [F, I], [[], []])
    c.run(R.QueueEnqueueV2(handle=q.queue_ref, components=[_p('x')]), {'x:0': 1.})


def queue_dequeue_types(c):
    q = tf.FIFOQueue(3, [F], [[]])
    c.run(R.QueueDequeueV2(handle=q.queue_ref, component_types=[I]))


def queue_dequeue_many_unshaped(c):
    q = tf.FIFOQueue(3, [F])
    c.run(q.enqueue([1.]))
    c.run(R.QueueDequeueManyV2(handle=q.queue_ref, n=1, component_types=[F]))


def queue_dequeue_many_negative(c):
    q = tf.FIFOQueue(3, [F], [[]])
    c.run(R.QueueDequeueManyV2(handle=q.queue_ref, n=_p('n', I), component_types=[F]), {'n:0': -1})


def queue_close_twice(c):
    q = tf.FIFOQueue(3, [F], [[]], name='q')
    c.run(q.close())
    c.run(q.close())
    c.run(q.enqueue([1.]))


def queue_cancel_pending(c):
    q = tf.FIFOQueue(3, [F], [[]], name='q')
    c.run(q.close(cancel_pending_enqueues=True))
    c.run(q.dequeue_up_to(2))


def queue_up_to_closed(c):
    q = tf.RandomShuffleQueue(3, 1, [F], [[]], name='rq')
    c.run(q.close())
    c.run(q.dequeue_up_to(2))


def random_queue_insufficient(c):
    q = tf.RandomShuffleQueue(5, 2, [F], [[]], name='rq', shared_name='shuffle')
    c.run(q.enqueue([1.]))
    c.run(q.close())
    c.run(q.dequeue_many(3))


def padding_queue_closed(c):
    q = tf.PaddingFIFOQueue(5, [F], [[None]], name='pq')
    c.run(q.close())
    c.run(q.dequeue())


def priority_queue_closed(c):
    q = tf.PriorityQueue(5, [F], [[]], name='prio')
    c.run(q.close())
    c.run(q.dequeue())


def priority_queue_priority(c):
    q = tf.PriorityQueue(5, [F], [[]], name='prio')
    c.run(R.QueueEnqueueV2(handle=q.queue_ref, components=[_p('a', I), _p('b')]), {'a:0': 1, 'b:0': 1.})


def queue_shared_capacity(c):
    a = tf.FIFOQueue(1, [F], [[]], name='a', shared_name='s')
    b = tf.FIFOQueue(2, [F], [[]], name='b', shared_name='s')
    c.run(a.enqueue([1.]))
    c.run(b.size())


def queue_shared_types(c):
    a = tf.FIFOQueue(1, [F], [[]], name='a', shared_name='s')
    b = tf.FIFOQueue(1, [I], [[]], name='b', shared_name='s')
    c.run(a.enqueue([1.]))
    c.run(b.size())


def queue_shared_shapes(c):
    a = tf.FIFOQueue(1, [F], [[]], name='a', shared_name='s')
    b = tf.FIFOQueue(1, [F], [[2]], name='b', shared_name='s')
    c.run(a.enqueue([1.]))
    c.run(b.size())


def queue_shared_kind(c):
    a = tf.FIFOQueue(1, [F], [[]], name='a', shared_name='s')
    b = tf.RandomShuffleQueue(1, 0, [F], [[]], name='b', shared_name='s')
    c.run(a.enqueue([1.]))
    c.run(b.size())


def random_queue_min_after(c):
    q = R.RandomShuffleQueueV2(component_types=[F], capacity=2, min_after_dequeue=5)
    c.run(R.QueueSizeV2(handle=q))


def barrier_closed(c):
    b = _dfo.Barrier([F], shapes=[[]], name='bar')
    c.run(b.close())
    c.run(b.insert_many(0, ['k'], [1.]))


def barrier_twice(c):
    b = _dfo.Barrier([F, F], shapes=[[], []], name='bar')
    c.run(b.insert_many(0, ['k'], [1.]))
    c.run(b.insert_many(0, ['k'], [1.]))


def barrier_take(c):
    b = _dfo.Barrier([F], shapes=[[]], name='bar')
    c.run(b.close())
    c.run(b.take_many(2)[0])


def accumulator_shape(c):
    a = tf.ConditionalAccumulator(F, [2], name='acc')
    c.run(R.AccumulatorApplyGradient(handle=a.accumulator_ref, local_step=tf.constant(0, L), gradient=_p('g')), {'g:0': o([3])})


def accumulator_take_zero(c):
    a = tf.ConditionalAccumulator(F, [2], name='acc')
    c.run(a.take_grad(_p('n', I, [])), {'n:0': 0})


def sparse_accumulator_indices(c):
    a = tf.SparseConditionalAccumulator(F, [2], name='acc')
    c.run(a.apply_grad(_p('i', L), _p('v'), [2]), {'i:0': [0, 1], 'v:0': o([1])})


def stack_pop_type(c):
    s = _gen.stack_v2(-1, F)
    with tf.control_dependencies([_gen.stack_push_v2(s, _p('x'))]):
        y = _gen.stack_pop_v2(s, I)
    c.run(y, {'x:0': 1.})


def stack_push_full(c):
    s = _gen.stack_v2(1, F)
    with tf.control_dependencies([_gen.stack_push_v2(s, 1.)]):
        y = _gen.stack_push_v2(s, 2.)
    c.run(y)


def stack_closed(c):
    s = _gen.stack_v2(-1, F)
    with tf.control_dependencies([_gen.stack_close_v2(s)]):
        y = _gen.stack_pop_v2(s, F)
    c.run(y)


def array_read_unwritten_no_shape(c):
    a = tf.TensorArray(F, 3, infer_shape=False, name='arr')
    c.run(a.read(2))


def array_shape(c):
    a = tf.TensorArray(F, 3, infer_shape=False, element_shape=[2])
    c.run(a.write(0, _p('x')).flow, {'x:0': o([3])})


def array_dtype(c):
    h, f = R.TensorArrayV3(size=2, dtype=F)
    c.run(R.TensorArrayWriteV3(handle=h, index=0, value=_p('x', I), flow_in=f), {'x:0': 1})


def array_negative(c):
    a = tf.TensorArray(F, 3)
    c.run(a.write(_p('i', I, []), 1.).flow, {'i:0': -1})


def array_size_vector(c):
    h, f = R.TensorArrayV3(size=_p('n', I), dtype=F)
    c.run(f, {'n:0': [1, 2]})


def array_unstack_size(c):
    a = tf.TensorArray(F, 2)
    c.run(a.unstack(_p('x', F)).flow, {'x:0': o([3])})


def array_split_lengths(c):
    a = tf.TensorArray(F, 2, infer_shape=False)
    c.run(a.split(_p('x'), _p('l', L)).flow, {'x:0': o([5]), 'l:0': [2, 2]})


def array_split_count(c):
    a = tf.TensorArray(F, 2, infer_shape=False)
    c.run(a.split(_p('x'), _p('l', L)).flow, {'x:0': o([5]), 'l:0': [2, 2, 1]})


def array_concat_shapes(c):
    a = tf.TensorArray(F, 2, infer_shape=False)
    c.run(a.write(0, _p('x')).write(1, _p('y')).concat(), {'x:0': o([1, 2]), 'y:0': o([1, 3])})


def array_stack_shapes(c):
    a = tf.TensorArray(F, 2, infer_shape=False)
    c.run(a.write(0, _p('x')).write(1, _p('y')).stack(), {'x:0': o([2]), 'y:0': o([3])})


def array_closed(c):
    a = tf.TensorArray(F, 2)
    with tf.control_dependencies([a.close()]):
        y = a.write(0, 1.).flow
    c.run(y)


def array_scatter_sizes(c):
    a = tf.TensorArray(F, 3)
    c.run(a.scatter(_p('i', I), _p('x')).flow, {'i:0': [0, 1, 2], 'x:0': o([2])})


def array_gather_range(c):
    a = tf.TensorArray(F, 2)
    c.run(a.unstack([1., 2.]).gather(_p('i', I)), {'i:0': [0, 2]})


# -- tables, datasets ---------------------------------------------------------------------------

def _table(**kw):
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(['a', 'b'], [0, 1], key_dtype=S, value_dtype=L), -1, **kw)


def table_duplicate_keys(c):
    t = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(['a', 'a'], [0, 1], key_dtype=S, value_dtype=L), -1)
    c.run(t.initializer)


def table_sizes(c):
    t = R.HashTableV2(key_dtype=S, value_dtype=L)
    c.run(R.InitializeTableV2(table_handle=t, keys=_p('k', S), values=_p('v', L)), {'k:0': ['a', 'b'], 'v:0': [1]})


def table_find_types(c):
    t = R.HashTableV2(key_dtype=S, value_dtype=L)
    c.run(R.LookupTableFindV2(table_handle=t, keys=_p('k', L), default_value=_p('d', L)), {'k:0': [1], 'd:0': 0})


def table_default_shape(c):
    t = _table()
    c.run(t.initializer)
    c.run(R.LookupTableFindV2(table_handle=t.resource_handle, keys=['a'], default_value=_p('d', L)), {'d:0': [1, 2]})


def table_file_absent(c):
    t = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer('absent.txt', S, tf.lookup.TextFileIndex.WHOLE_LINE, L, tf.lookup.TextFileIndex.LINE_NUMBER), -1)
    c.run(t.initializer)


def table_shared_types(c):
    a = R.HashTableV2(key_dtype=S, value_dtype=L, shared_name='t')
    b = R.HashTableV2(key_dtype=L, value_dtype=L, shared_name='t')
    c.run(R.LookupTableSizeV2(table_handle=a))
    c.run(R.LookupTableSizeV2(table_handle=b))


def mutable_table_insert_sizes(c):
    t = R.MutableHashTableV2(key_dtype=S, value_dtype=L)
    c.run(R.LookupTableInsertV2(table_handle=t, keys=_p('k', S), values=_p('v', L)), {'k:0': ['a', 'b'], 'v:0': [1]})


def dense_table_empty_key(c):
    t = R.MutableDenseHashTableV2(empty_key=tf.constant(-1, L), deleted_key=tf.constant(-2, L), value_dtype=L, value_shape=[])
    c.run(R.LookupTableInsertV2(table_handle=t, keys=_p('k', L), values=_p('v', L)), {'k:0': [-1], 'v:0': [1]})


def dataset_batch_shapes(c):
    d = tf.data.Dataset.range(3).map(lambda i: tf.ones([i + 1])).batch(2)
    it = tf.data.make_initializable_iterator(d)
    c.run(it.initializer)
    c.run(it.get_next())


def dataset_batch_zero(c):
    d = tf.data.Dataset.range(3).batch(_p('n', L, []))
    c.run(tf.data.make_initializable_iterator(d).initializer, {'n:0': 0})


def dataset_map_error(c):
    d = tf.data.Dataset.range(3).map(lambda i: tf.gather([1., 2.], i))
    it = tf.data.make_initializable_iterator(d)
    c.run(it.initializer)
    n = it.get_next()
    c.run(n)
    c.run(n)
    c.run(n)


def dataset_shuffle_zero(c):
    d = tf.data.Dataset.range(3).shuffle(_p('n', L, []))
    c.run(tf.data.make_initializable_iterator(d).initializer, {'n:0': 0})


def dataset_padded_too_small(c):
    d = tf.data.Dataset.range(3).map(lambda i: tf.ones([i + 1])).padded_batch(3, [2])
    it = tf.data.make_initializable_iterator(d)
    c.run(it.initializer)
    c.run(it.get_next())


def dataset_uninit_variable(c):
    w = _res(c, run=False)
    d = tf.data.Dataset.range(3).map(lambda i: w[0])
    it = tf.data.make_initializable_iterator(d)
    c.run(it.initializer)
    c.run(it.get_next())


def dataset_slices_sizes(c):
    d = tf.data.Dataset.from_tensor_slices((_p('a'), _p('b')))
    c.run(tf.data.make_initializable_iterator(d).initializer, {'a:0': o([2]), 'b:0': o([3])})


def dataset_text_absent(c):
    it = tf.data.make_initializable_iterator(tf.data.TextLineDataset(['absent.txt']))
    c.run(it.initializer)
    c.run(it.get_next())


def dataset_record_absent(c):
    it = tf.data.make_initializable_iterator(tf.data.TFRecordDataset(['absent.rec']))
    c.run(it.initializer)
    c.run(it.get_next())


def dataset_shard(c):
    d = tf.data.Dataset.range(3).shard(_p('n', L, []), _p('i', L, []))
    c.run(tf.data.make_initializable_iterator(d).initializer, {'n:0': 2, 'i:0': 5})


def dataset_window_zero(c):
    d = tf.data.Dataset.range(3).window(_p('n', L, []))
    c.run(tf.data.make_initializable_iterator(d).initializer, {'n:0': 0})


def one_shot_end(c):
    n = tf.data.make_one_shot_iterator(tf.data.Dataset.range(1)).get_next(name='nxt')
    c.run(n)
    c.run(n)


def iterator_handle_garbage(c):
    it = tf.data.Iterator.from_string_handle(_p('h', S, []), F, [])
    c.run(it.get_next(), {'h:0': 'nonsense'})


def iterator_shapes(c):
    it = tf.data.Iterator.from_structure(F, [2])
    c.run(R.MakeIterator(dataset=tf.data.Dataset.from_tensors(_p('x'))._variant_tensor, iterator=it._iterator_resource), {'x:0': o([3])})
    c.run(it.get_next())


def reader_no_files(c):
    q = tf.FIFOQueue(3, S, [[]], name='files')
    c.run(q.close())
    c.run(tf.TextLineReader(name='rd').read(q))


def reader_absent(c):
    q = tf.FIFOQueue(3, S, [[]], name='files')
    c.run(q.enqueue(['absent.txt']))
    c.run(tf.TextLineReader(name='rd').read(q)[1])


def fixed_reader_bytes(c):
    q = tf.FIFOQueue(3, S, [[]], name='files')
    c.run(q.close())
    c.run(tf.FixedLengthRecordReader(4, name='rd').read(q)[1])


# -- control flow -------------------------------------------------------------------------------

def cond_predicate_vector(c):
    d, p = _p('d'), _p('p', B)
    a, b = R.Switch(data=d, pred=p)
    c.run(R.Merge(inputs=[a, b])[0], {'d:0': 1., 'p:0': [True, False]})


def dead_switch_fetch(c):
    a, b = R.Switch(data=_p('d'), pred=_p('p', B), name='sw')
    c.run([a], {'d:0': 1., 'p:0': True})


def dead_two_fetches(c):
    a, b = R.Switch(data=_p('d'), pred=_p('p', B), name='sw')
    c.run([tf.negative(b, name='n'), tf.constant(1.)], {'d:0': 1., 'p:0': False})


def assert_in_while(c):
    def body(i):
        with tf.control_dependencies([tf.Assert(i < 2, ['too far', i])]):
            return i + 1
    c.run(tf.while_loop(lambda i: i < 5, body, [0]))


def while_matmul(c):
    c.run(tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.matmul(a, a)), [0, _p('a')], shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)])[1], {'a:0': o([2, 3])})


def case_none(c):
    x = _p('x', F, [])
    c.run(tf.case([(x > 1., lambda: tf.constant(1)), (x > 0., lambda: tf.constant(2))]), {'x:0': -2.})


def assert_rank(c):
    x = _p('x')
    with tf.control_dependencies([tf.assert_rank(x, 2, message='images')]):
        y = tf.identity(x)
    c.run(y, {'x:0': o([3])})


def assert_less(c):
    x = _p('x')
    with tf.control_dependencies([tf.assert_less(x, 3., data=['got', x])]):
        y = tf.identity(x)
    c.run(y, {'x:0': [1., 5., 7., 9.]})


def assert_positive(c):
    with tf.control_dependencies([tf.assert_positive(_p('x', I), summarize=1)]):
        y = tf.constant(1)
    c.run(y, {'x:0': [1, -5, 7]})


def assert_strings(c):
    with tf.control_dependencies([tf.Assert(_p('b', B), ['text', tf.constant(['u', 'v', 'w', 'x']), tf.constant([[1.5, 2.25], [3., 1e10]]), tf.constant([True, False]), tf.constant(3, L)])]):
        y = tf.constant(1)
    c.run(y, {'b:0': False})


def assert_vector(c):
    c.run(R.Assert(condition=_p('b', B), data=['x']), {'b:0': [True, True]})


def confusion_labels(c):
    c.run(tf.confusion_matrix(_p('l', L, [None]), _p('q', L, [None]), 3), {'l:0': [0, 3], 'q:0': [0, 1]})


def static_rnn_lengths(c):
    o_, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(2), _p('x', F, [None, 3, 2]), _p('n', I, [None]), dtype=F)
    c.run(tf.global_variables_initializer())
    c.run(o_, {'x:0': o([2, 3, 2]), 'n:0': [1]})


def layer_sizes(c):
    y = tf.layers.dense(_p('x', F, [None, 4]), 2)
    c.run(y, {'dense/MatMul:0': o([2, 3])})


def parse_example_type(c):
    e = tf.train.Example(); e.features.feature['f'].int64_list.value.append(1)
    c.run(tf.parse_example(_p('s', S, [None]), {'f': tf.FixedLenFeature([], F)})['f'], {'s:0': [e.SerializeToString()]})


def parse_example_size(c):
    e = tf.train.Example(); e.features.feature['f'].float_list.value.extend([1, 2, 3])
    c.run(tf.parse_example(_p('s', S, [None]), {'f': tf.FixedLenFeature([2], F)})['f'], {'s:0': [e.SerializeToString()]})


def parse_example_garbage(c):
    c.run(tf.parse_example(_p('s', S, [None]), {'f': tf.FixedLenFeature([2], F)})['f'], {'s:0': ['garbage!']})


def parse_single_missing(c):
    c.run(tf.parse_single_example(_p('s', S, []), {'f': tf.FixedLenFeature([2], F)})['f'], {'s:0': b''})


def parse_var_type(c):
    e = tf.train.Example(); e.features.feature['f'].bytes_list.value.append(b'x')
    c.run(tf.parse_example(_p('s', S, [None]), {'f': tf.VarLenFeature(L)})['f'].values, {'s:0': [e.SerializeToString()]})


def csv_missing_required(c):
    c.run(tf.decode_csv(_p('s', S, []), [tf.constant([], F), [0.]])[0], {'s:0': ',1.0'})


def csv_quotes(c):
    c.run(tf.decode_csv(_p('s', S, []), [[''], ['']])[0], {'s:0': 'a"b,c'})


def restore_prefix_vector(c):
    c.run(R.RestoreV2(prefix=_p('f', S), tensor_names=['a'], shape_and_slices=[''], dtypes=[F]), {'f:0': ['x', 'y']})


def restore_empty_name(c):
    tf.get_variable('a', [2], use_resource=False)
    s = tf.train.Saver()
    c.run(s.saver_def.restore_op_name, {s.saver_def.filename_tensor_name: ''})


def restore_v1_absent(c):
    c.run(R.Restore(file_pattern=_p('f', S), tensor_name='a', dt=F), {'f:0': 'no/such'})


def save_counts(c):
    c.run(R.SaveV2(prefix=_p('f', S), tensor_names=['a', 'b'], shape_and_slices=['', ''], tensors=[1.]), {'f:0': 'ckpt/x'})


def save_nowhere(c):
    c.run(R.SaveV2(prefix=_p('f', S), tensor_names=['a'], shape_and_slices=[''], tensors=[1.]), {'f:0': 'no/such/dir/x'})


def merge_checkpoints_absent(c):
    c.run(R.MergeV2Checkpoints(checkpoint_prefixes=_p('p', S), destination_prefix='ckpt/out'), {'p:0': ['absent']})


# -- sessions -----------------------------------------------------------------------------------


def placeholder_shape_at_run(c):
    x = tf.placeholder_with_default(tf.ones([2]), [None], name='x')
    c.run(tf.matmul(x[None], tf.ones([3, 1])))


def placeholder_in_function(c):
    c.run(tf.identity(_p('late', S, [2, None])))


def placeholder_scalar_missing_two(c):
    c.run(_p('a', F, []) + _p('b', F, []))


def device_gpu(c):
    with tf.device('/gpu:0'):
        y = tf.constant(1.) + 1.
    c.run(y)


def device_job(c):
    with tf.device('/job:worker/task:1'):
        y = tf.Variable(1., use_resource=False)
    c.run(y.initializer)


def device_name_bad(c):
    g = tf.get_default_graph()
    with tf.device('/cpu:3'):
        y = tf.constant(1.)
    c.run(y)


def colocation_conflict(c):
    with tf.device('/cpu:0'):
        a = tf.Variable(1., name='a', use_resource=False)
    with tf.device('/cpu:1'):
        b = tf.Variable(1., name='b', use_resource=False)
    with tf.colocate_with(a):
        with tf.device('/cpu:1'):
            d = tf.identity(b, name='d')
    c.run(d)


def get_session_tensor(c):
    c.run(R.GetSessionTensor(handle=_p('h', S), dtype=F), {'h:0': 'nothing'})


def import_cycle(c):
    gd = tf.GraphDef()
    for n, i in (('a', 'b'), ('b', 'a')):
        d = gd.node.add(); d.name, d.op = n, 'Neg'; d.input.append(i); d.attr['T'].type = 1
    tf.import_graph_def(gd, name='')
    c.run('a:0')


def fill_too_large(c):
    c.run(tf.fill(_p('d', L), 1.), {'d:0': [1 << 40, 1 << 40]})


def allocate_too_large(c):
    c.run(tf.zeros(_p('d', L)), {'d:0': [1 << 45]})


def tensor_list_index(c):
    l = R.TensorListReserve(element_shape=tf.constant([], I), num_elements=2, element_dtype=F)
    c.run(R.TensorListGetItem(input_handle=l, index=_p('i', I), element_shape=tf.constant([], I), element_dtype=F), {'i:0': 5})


def tensor_list_pop(c):
    l = R.EmptyTensorList(element_shape=tf.constant([], I), max_num_elements=2, element_dtype=F)
    c.run(R.TensorListPopBack(input_handle=l, element_shape=tf.constant([], I), element_dtype=F)[1])


def tensor_list_shape(c):
    l = R.EmptyTensorList(element_shape=tf.constant([2], I), max_num_elements=2, element_dtype=F)
    c.run(R.TensorListPushBack(input_handle=l, tensor=_p('x')), {'x:0': o([3])})


def tensor_list_dtype(c):
    l = R.EmptyTensorList(element_shape=tf.constant([2], I), max_num_elements=2, element_dtype=F)
    c.run(R.TensorListPushBack(input_handle=l, tensor=_p('x', I)), {'x:0': o([2])})


def lstm_block_sizes(c):
    c.run(R.LSTMBlockCell(x=_p('x'), cs_prev=_p('c'), h_prev=_p('h'), w=_p('w'), wci=_p('wci'), wcf=_p('wcf'), wco=_p('wco'), b=_p('b'))[0], {'x:0': o([1, 2]), 'c:0': o([1, 3]), 'h:0': o([1, 3]), 'w:0': o([4, 12]), 'wci:0': o([3]), 'wcf:0': o([3]), 'wco:0': o([3]), 'b:0': o([12])})


def defun_error(c):
    from tensorflow.python.framework import function

    @function.Defun(F, func_name='inner')
    def inner(x):
        return tf.matmul(x, x, name='mm')
    c.run(inner(_p('x')), {'x:0': o([2, 3])})


def if_error(c):
    from tensorflow.python.framework import function

    @function.Defun(F, func_name='thn')
    def thn(x):
        return tf.reshape(x, [7])

    @function.Defun(F, func_name='els')
    def els(x):
        return x
    from tensorflow.python.ops import functional_ops
    c.run(functional_ops.If(_p('b', B, []), [_p('x')], thn, els)[0], {'b:0': True, 'x:0': o([2])})


def var_is_not_there(c):
    h = R.VarHandleOp(dtype=F, shape=[2], shared_name='ghost', container='box')
    c.run(R.ReadVariableOp(resource=h, dtype=F))


def destroy_absent(c):
    h = R.VarHandleOp(dtype=F, shape=[2], shared_name='ghost')
    c.run(R.DestroyResourceOp(resource=h, ignore_lookup_error=False))


def dequantize_shape(c):
    c.run(R.QuantizedReshape(tensor=_p('x', tf.quint8), shape=[7], input_min=0., input_max=1.)[0], {'x:0': o([4])})


# -- bytes that are no examples -----------------------------------------------------------------


def _example(text):
    def run(c):
        c.run(tf.parse_single_example(_p('s', S, []), {'a': tf.FixedLenFeature([], F)})['a'], {'s:0': text})
    return run


# The first three end in the middle of a field that nobody asked for, which is no mistake.
example_zzz = _example('zzz')
example_bad = _example('bad')
example_broken = _example('broken bytes')
example_not = _example('not an example')
example_x = _example('x')
example_garbage = _example('garbage')
example_cut = _example('\n\x05abc')
example_whole = _example('\n\x03abc')


# -- high-level functions -----------------------------------------------------------------------


def kernel_read_fed(c):
    y = tf.layers.dense(_p('x', F, [None, 3]), 2)
    c.run(tf.global_variables_initializer())
    c.run(y, {'x:0': o([2, 3]), 'dense/kernel/read:0': o([4, 2])})


def softmax_loss_sizes(c):
    c.run(tf.losses.softmax_cross_entropy(_p('y', F, [None, None]), _p('z', F, [None, None])),
          {'y:0': o([2, 3]), 'z:0': o([2, 4])})


def loss_weights_rank(c):
    c.run(tf.losses.mean_squared_error(_p('y'), _p('z'), _p('w')), {'y:0': o([2, 3]), 'z:0': o([2, 3]), 'w:0': o([2])})


def accuracy_sizes(c):
    update = tf.metrics.accuracy(_p('y', L), _p('z', L))[1]
    c.run(tf.local_variables_initializer())
    c.run(update, {'y:0': [1, 2], 'z:0': [1, 2, 3]})


def rnn_batch(c):
    cell = tf.nn.rnn_cell.BasicLSTMCell(2)
    y, _ = tf.nn.dynamic_rnn(cell, _p('x', F, [None, 3, 2]), initial_state=cell.zero_state(4, F))
    c.run(tf.global_variables_initializer())
    c.run(y, {'x:0': o([2, 3, 2])})


def cond_branch(c):
    x = _p('x')
    c.run(tf.cond(_p('b', B, []), lambda: tf.reshape(x, [3]), lambda: tf.zeros([3])), {'x:0': o([2]), 'b:0': True})


def map_fn_body(c):
    c.run(tf.map_fn(lambda i: tf.gather([1., 2.], i), _p('i', I, [None]), dtype=F), {'i:0': [0, 1, 2]})


def einsum_sizes(c):
    c.run(tf.einsum('ij,jk->ik', _p('a', F, [None, None]), _p('b', F, [None, None])), {'a:0': o([2, 3]), 'b:0': o([4, 2])})


def epochs_over(c):
    tf.train.input_producer([1, 2], num_epochs=1, shuffle=False, name='ip')
    enqueue = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0].enqueue_ops[0]
    c.run(tf.local_variables_initializer())
    c.run(enqueue)
    c.run(enqueue)


def dataset_map_body(c):
    it = tf.data.make_initializable_iterator(
        tf.data.Dataset.range(3).map(lambda v: tf.check_numerics(1. / tf.to_float(v - 1), 'bad')))
    c.run(it.initializer)
    c.run(it.get_next())
    c.run(it.get_next())


def ensure_shape_fed(c):
    x, y = tf.placeholder(tf.float32, name='m/x'), tf.placeholder(tf.float32, name='b')
    c.run([tf.ensure_shape(x, [2, 3], name='sure'), y + 1.], {'m/x:0': [[1., 2.]], 'b:0': 1.})


def ensure_shape_fed_inner(c):
    parts = tf.split(tf.placeholder(tf.float32, name='x'), [1, 1], name='parts')
    c.run(tf.ensure_shape(parts[1], [2, 3]), {'parts:1': [[1., 2.]]})


def ensure_shape_of_an_output(c):
    c.run(tf.ensure_shape(tf.exp(tf.placeholder(tf.float32, name='x'), name='e'), [2, None]), {'x:0': [1., 2., 3.]})


def ensure_shape_of_a_second_output(c):
    parts = tf.split(tf.placeholder(tf.float32, name='x'), [1, 1], name='parts')
    c.run(tf.ensure_shape(parts[1], [2]), {'x:0': [1., 2.]})


def sparse_map_without_the_handle(c):
    c.run(R.TakeManySparseFromTensorsMap(sparse_handles=_p('h', L), dtype=F, shared_name='m', container=''), {'h:0': [3]})


def temporary_of_another_name(c):
    t = R.TemporaryVariable(shape=[2], dtype=F, var_name='tmp')
    c.run(R.DestroyTemporaryVariable(ref=t, var_name='other'))


def sequence_context_of_another_type(c):
    context, _ = tf.parse_single_sequence_example(_p('s', S, []), {'n': tf.FixedLenFeature([], F)}, {'x': tf.VarLenFeature(F)})
    record = tf.train.SequenceExample()
    record.context.feature['n'].int64_list.value.append(3)
    c.run(context['n'], {'s:0': record.SerializeToString()})


@_function.Defun(F, func_name='kept', noinline=True)
def _kept(x):
    return tf.gather(x, 9, name='g')


@_function.Defun(F, func_name='calls_kept')
def _calls_kept(x):
    return _kept(x)


def function_on_devices(c):
    c.run(R.PartitionedCall(args=[_p('a')], Tout=[F], f=_kept)[0], {'a:0': [1.]})


def function_on_devices_within_another(c):
    c.run(R.StatefulPartitionedCall(args=[_p('a')], Tout=[F], f=_calls_kept)[0], {'a:0': [1.]})


def _frozen_loop():
    """A loop as a file has it, without the context that says what cannot be fetched."""
    with tf.Graph().as_default() as graph:
        tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2.), [0, tf.constant(1., name='one')], name='loop')
    tf.import_graph_def(graph.as_graph_def(), name='')


def fetch_in_a_loop(c):
    _frozen_loop()
    c.run('loop/mul:0')


def second_fetch_in_a_loop(c):
    _frozen_loop()
    c.run(['loop/Exit:0', 'loop/Less:0'])
