# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Batches out of queues (tf.train.batch, shuffle_batch and their like)."""

import collections

from .. import dtypes, summary
from ..control import control_flow
from ..framework import graph as graph_lib, ops
from ..framework import tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..operators import array_ops, math_ops, sparse
from ..operators.sparse import SparseTensor
from ..sessions import runners
from . import data_flow

_Stored = collections.namedtuple("_Stored", ["sparse", "map_op", "rank"])
_ADDING = ("AddSparseToTensorsMap", "AddManySparseToTensorsMap")


def _listed(tensors):
    return [tensors[k] for k in sorted(tensors, key=str)] if isinstance(tensors, dict) else tensors


def _all_listed(tensors_list):
    if not tensors_list:
        raise ValueError("Expected at least one set of tensors")
    if isinstance(tensors_list[0], dict):
        keys = set(tensors_list[0])
        if any(set(tensors) != keys for tensors in tensors_list[1:]):
            raise ValueError("All dictionaries in tensors_list must have the same keys")
        return [_listed(tensors) for tensors in tensors_list]
    return tensors_list


def _as_given(original, tensor_list):
    if not isinstance(original, dict):
        return tensor_list
    if len(original) == 1:
        tensor_list = [tensor_list]
    return {k: tensor_list[i] for i, k in enumerate(sorted(original, key=str))}


def _converted(tensor_list):
    return [t if isinstance(t, SparseTensor) else ops.internal_convert_to_tensor_or_indexed_slices(t)
            for t in tensor_list]


def _converted_inputs(tensor_list):
    tensor_list = _converted(tensor_list)
    if not tensor_list:
        raise ValueError("Expected at least one tensor in batch().")
    return tensor_list


def _keep_input(keep_input, enqueue_many):
    keep_input = convert_to_tensor(keep_input)
    if keep_input.shape.ndims is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if not enqueue_many and keep_input.shape.ndims == 1:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if keep_input.shape.ndims > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep_input


def _when(keep_input, make, otherwise):
    """make() where keep_input is known to hold, a cond where it is not known."""
    value = ops.constant_value(keep_input)
    if value is not None:
        return make() if value else otherwise()
    return control_flow.cond(keep_input, true_fn=make, false_fn=otherwise)


# -- sparse tensors go through queues as handles

def _add_to_map(t, many, shared_name):
    return apply_op("AddManySparseToTensorsMap" if many else "AddSparseToTensorsMap", sparse_indices=t.indices,
                    sparse_values=t.values, sparse_shape=t.dense_shape, shared_name=shared_name)


def _store(t, enqueue_many, keep_input, shared_name):
    if keep_input.shape.ndims == 1:
        t = sparse.sparse_retain(t, array_ops.gather(keep_input, t.indices[:, 0]))
        return _add_to_map(t, True, shared_name)
    if not enqueue_many:
        return _when(keep_input, lambda: _add_to_map(t, False, shared_name), lambda: ops.constant(-1, dtypes.int64))
    stored = _when(keep_input, lambda: _add_to_map(t, True, shared_name),
                   lambda: -1 * array_ops.ones(array_ops.shape(t)[0:1], dtypes.int64))
    stored.set_shape([None])
    return stored


def _storing_op(stored):
    for source in stored.op.inputs:
        if source.op.type in _ADDING:
            return source.op
    return stored.op


def _store_all(tensor_list, enqueue_many, keep_input, shared=None):
    shared = shared or [None] * len(tensor_list)
    stored, infos = [], []
    for t, map_op in zip(tensor_list, shared):
        if isinstance(t, SparseTensor):
            stored.append(_store(t, enqueue_many, keep_input, map_op.name if map_op else None))
        else:
            stored.append(t)
    for t, made, map_op in zip(tensor_list, stored, shared):
        if isinstance(t, SparseTensor):
            rank = t.dense_shape.shape.with_rank(1).dims[0]
            infos.append(_Stored(True, map_op or _storing_op(made), (rank - 1 if enqueue_many else rank).value))
        else:
            infos.append(_Stored(False, None, None))
    stored = [array_ops.expand_dims(s, [-1]) if info.sparse else s for s, info in zip(stored, infos)]
    return stored, infos


def _store_join(tensor_lists, enqueue_many, keep_input):
    stored, infos = _store_all(tensor_lists[0], enqueue_many, keep_input)
    result = [stored]
    for tensor_list in tensor_lists[1:]:
        stored, candidate = _store_all(tensor_list, enqueue_many, keep_input, [info.map_op for info in infos])
        if [i[:2] for i in infos] != [i[:2] for i in candidate]:
            raise ValueError("Inconsistent SparseTensors list: %s vs. %s" % (tensor_lists[0], tensor_list))
        infos = [i if i.rank is not None else c for i, c in zip(infos, candidate)]
        result.append(stored)
    return result, infos


def _take(info, handles):
    op = info.map_op
    with graph_lib.colocate_with(op):
        indices, values, dims = apply_op(
            "TakeManySparseFromTensorsMap", sparse_handles=handles, dtype=op.get_attr("T"),
            container=op.get_attr("container"), shared_name=op.get_attr("shared_name") or op.name)
    rank = None if info.rank is None else info.rank + 1
    indices.set_shape([None, rank])
    dims.set_shape([rank])
    return SparseTensor(indices, values, dims)


def _restore(dequeued, infos):
    is_list = isinstance(dequeued, (list, tuple))
    tensors = [_take(info, array_ops.squeeze(s, [1])) if info.sparse else s
               for s, info in zip(dequeued if is_list else [dequeued], infos)]
    if any(isinstance(t, SparseTensor) for t in tensors):
        deps = [t.values if isinstance(t, SparseTensor) else t for t in tensors]

        def after(x):
            return control_flow.with_dependencies(deps, x)
        tensors = [SparseTensor(after(t.indices), after(t.values), after(t.dense_shape))
                   if isinstance(t, SparseTensor) else after(t) for t in tensors]
    return tensors if is_list else tensors[0]


# -- what all of them do

def _types(tensor_lists):
    kinds = [[t.dtype for t in tensor_list] for tensor_list in tensor_lists]
    for other in kinds[1:]:
        if other != kinds[0]:
            raise TypeError("Expected types to be consistent: %s vs. %s." % (
                ", ".join(d.name for d in kinds[0]), ", ".join(d.name for d in other)))
    return kinds[0]


def _merged_shape(shapes, enqueue_many):
    shapes = [tensor_shape.as_shape(s) for s in shapes]
    if enqueue_many:
        shapes = [s.with_rank_at_least(1)[1:] for s in shapes]
    for other in shapes[1:]:
        shapes[0].merge_with(other)
    return shapes[0].as_list()


def _shapes(tensor_lists, shapes, enqueue_many):
    if shapes is not None:
        return shapes
    count = len(tensor_lists[0])
    for tensor_list in tensor_lists:
        for t in tensor_list[:count]:
            if t.shape.ndims is None:
                raise ValueError("Cannot infer Tensor's rank: %s" % t)
    return [_merged_shape([tl[i].shape.as_list() for tl in tensor_lists], enqueue_many) for i in range(count)]


def _selected(tensor_list, keep_input):
    select = math_ops.cast(keep_input, dtypes.int32)
    return [apply_op("DynamicPartition", data=x, partitions=select, num_partitions=2)[1] for x in tensor_list]


def _enqueue_op(queue, tensor_list, enqueue_many, keep_input):
    enqueue = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep_input.shape.ndims == 1:
        return enqueue(_selected(tensor_list, keep_input))
    return _when(keep_input, lambda: enqueue(tensor_list), control_flow.no_op)


def _dequeue(queue, batch_size, allow_smaller_final_batch, name):
    if allow_smaller_final_batch:
        return queue.dequeue_up_to(batch_size, name=name)
    return queue.dequeue_many(batch_size, name=name)


def _fullness(queue, capacity):
    summary.scalar("fraction_of_%d_full" % capacity, math_ops.cast(queue.size(), dtypes.float32) * (1. / capacity))


def _fullness_over(queue, capacity, minimum):
    full = math_ops.cast(math_ops.maximum(0, queue.size() - minimum), dtypes.float32) * (1. / (capacity - minimum))
    summary.scalar("fraction_over_%d_of_%d_full" % (minimum, capacity - minimum), full)


def _fifo(dynamic_pad):
    return data_flow.PaddingFIFOQueue if dynamic_pad else data_flow.FIFOQueue


def _add_runner(queue, enqueue_ops):
    runners.add_queue_runner(runners.QueueRunner(queue, enqueue_ops))


def _single(tensors, keep_input, num_threads, enqueue_many, shapes, scope, make_queue, count_fullness, batch_size,
            allow_smaller_final_batch):
    """One list of tensors, enqueued by several threads."""
    tensor_list = _converted_inputs(_listed(tensors))
    keep_input = _keep_input(keep_input, enqueue_many)
    tensor_list, infos = _store_all(tensor_list, enqueue_many, keep_input)
    kinds = _types([tensor_list])
    queue = make_queue(kinds, _shapes([tensor_list], shapes, enqueue_many))
    _add_runner(queue, [_enqueue_op(queue, tensor_list, enqueue_many, keep_input)] * num_threads)
    count_fullness(queue)
    dequeued = _dequeue(queue, batch_size, allow_smaller_final_batch, scope)
    return _as_given(tensors, _restore(dequeued, infos))


def _joined(tensors_list, tensor_lists, keep_input, enqueue_many, shapes, scope, make_queue, count_fullness, batch_size,
            allow_smaller_final_batch):
    """Several lists of tensors, each with a thread of its own."""
    tensor_lists = [_converted(tensor_list) for tensor_list in tensor_lists]
    if not tensor_lists:
        raise ValueError("Expected at least one input in batch_join().")
    keep_input = _keep_input(keep_input, enqueue_many)
    tensor_lists, infos = _store_join(tensor_lists, enqueue_many, keep_input)
    kinds = _types(tensor_lists)
    queue = make_queue(kinds, _shapes(tensor_lists, shapes, enqueue_many))
    _add_runner(queue, [_enqueue_op(queue, tensor_list, enqueue_many, keep_input) for tensor_list in tensor_lists])
    count_fullness(queue)
    dequeued = _dequeue(queue, batch_size, allow_smaller_final_batch, scope)
    return _as_given(tensors_list[0], _restore(dequeued, infos))


def _flat(tensor_lists):
    return [t for tensor_list in tensor_lists for t in tensor_list]


def maybe_batch(tensors, keep_input, batch_size, num_threads=1, capacity=32, enqueue_many=False, shapes=None,
                dynamic_pad=False, allow_smaller_final_batch=False, shared_name=None, name=None):
    with name_scope(name, "batch", list(_listed(tensors)) + [keep_input]) as scope:
        return _single(tensors, keep_input, num_threads, enqueue_many, shapes, scope,
                       lambda kinds, dims: _fifo(dynamic_pad)(capacity=capacity, dtypes=kinds, shapes=dims,
                                                              shared_name=shared_name),
                       lambda queue: _fullness(queue, capacity), batch_size, allow_smaller_final_batch)


def batch(tensors, batch_size, num_threads=1, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False,
          allow_smaller_final_batch=False, shared_name=None, name=None):
    return maybe_batch(tensors, True, batch_size, num_threads, capacity, enqueue_many, shapes, dynamic_pad,
                       allow_smaller_final_batch, shared_name, name)


def maybe_batch_join(tensors_list, keep_input, batch_size, capacity=32, enqueue_many=False, shapes=None,
                     dynamic_pad=False, allow_smaller_final_batch=False, shared_name=None, name=None):
    tensor_lists = _all_listed(tensors_list)
    with name_scope(name, "batch_join", _flat(tensor_lists) + [keep_input]) as scope:
        return _joined(tensors_list, tensor_lists, keep_input, enqueue_many, shapes, scope,
                       lambda kinds, dims: _fifo(dynamic_pad)(capacity=capacity, dtypes=kinds, shapes=dims,
                                                              shared_name=shared_name),
                       lambda queue: _fullness(queue, capacity), batch_size, allow_smaller_final_batch)


def batch_join(tensors_list, batch_size, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False,
               allow_smaller_final_batch=False, shared_name=None, name=None):
    return maybe_batch_join(tensors_list, True, batch_size, capacity, enqueue_many, shapes, dynamic_pad,
                            allow_smaller_final_batch, shared_name, name)


def maybe_shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, keep_input, num_threads=1, seed=None,
                        enqueue_many=False, shapes=None, allow_smaller_final_batch=False, shared_name=None, name=None):
    with name_scope(name, "shuffle_batch", list(_listed(tensors)) + [keep_input]) as scope:
        if capacity <= min_after_dequeue:
            raise ValueError("capacity %d must be bigger than min_after_dequeue %d." % (capacity, min_after_dequeue))
        return _single(tensors, keep_input, num_threads, enqueue_many, shapes, scope,
                       lambda kinds, dims: data_flow.RandomShuffleQueue(
                           capacity=capacity, min_after_dequeue=min_after_dequeue, seed=seed, dtypes=kinds, shapes=dims,
                           shared_name=shared_name),
                       lambda queue: _fullness_over(queue, capacity, min_after_dequeue), batch_size,
                       allow_smaller_final_batch)


def shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, num_threads=1, seed=None, enqueue_many=False,
                  shapes=None, allow_smaller_final_batch=False, shared_name=None, name=None):
    return maybe_shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, True, num_threads, seed, enqueue_many,
                               shapes, allow_smaller_final_batch, shared_name, name)


def maybe_shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, keep_input, seed=None,
                             enqueue_many=False, shapes=None, allow_smaller_final_batch=False, shared_name=None,
                             name=None):
    tensor_lists = _all_listed(tensors_list)
    with name_scope(name, "shuffle_batch_join", _flat(tensor_lists) + [keep_input]) as scope:
        return _joined(tensors_list, tensor_lists, keep_input, enqueue_many, shapes, scope,
                       lambda kinds, dims: data_flow.RandomShuffleQueue(
                           capacity=capacity, min_after_dequeue=min_after_dequeue, seed=seed, dtypes=kinds, shapes=dims,
                           shared_name=shared_name),
                       lambda queue: _fullness_over(queue, capacity, min_after_dequeue), batch_size,
                       allow_smaller_final_batch)


def shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, seed=None, enqueue_many=False, shapes=None,
                       allow_smaller_final_batch=False, shared_name=None, name=None):
    return maybe_shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, True, seed, enqueue_many,
                                    shapes, allow_smaller_final_batch, shared_name, name)
