# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.training: batches of examples that are alike, one queue for each kind."""

import numpy as np

from .. import dtypes, errors, summary
from ..control import control_flow
from ..framework import tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import constant, constant_value, convert_to_tensor
from ..inputs import batching, data_flow
from ..operators import array_ops, math_ops
from ..sessions import runners


def _runner(queue, enqueue_ops, closed):
    runners.add_queue_runner(runners.QueueRunner(
        queue, enqueue_ops, close_op=control_flow.group(*[q.close() for q in closed]) if len(closed) > 1 else closed[0].close(),
        cancel_op=control_flow.group(*[q.close(cancel_pending_enqueues=True) for q in closed]) if len(closed) > 1
        else closed[0].close(cancel_pending_enqueues=True),
        queue_closed_exception_types=(errors.OutOfRangeError, errors.CancelledError)))


def bucket(tensors, which_bucket, batch_size, num_buckets, num_threads=1, capacity=32, bucket_capacities=None, shapes=None,
           dynamic_pad=False, allow_smaller_final_batch=False, keep_input=True, shared_name=None, name=None):
    is_each = isinstance(batch_size, (list, tuple))
    if is_each and len(batch_size) != num_buckets:
        raise ValueError("If batch_size is a list it must have num_buckets elements")
    sizes = list(batch_size) if is_each else [batch_size] * num_buckets
    bucket_capacities = [capacity] * num_buckets if bucket_capacities is None else bucket_capacities
    if len(bucket_capacities) != num_buckets:
        raise ValueError("The list bucket_capacities (%s) must have exactly num_buckets (%d) elements." % (
            bucket_capacities, num_buckets))
    tensor_list = batching._listed(tensors)
    with name_scope(name, "bucket", tensor_list) as name:
        tensor_list = batching._converted(tensor_list)
        if not tensor_list:
            raise ValueError("Expected at least one tensor in bucket().")
        keep_input = batching._keep_input(keep_input, False)
        tensor_list, infos = batching._store_all(tensor_list, False, keep_input)
        for i, size in enumerate(sizes):
            size = convert_to_tensor(size, dtype=dtypes.int32, name="batch_size")
            known = constant_value(size)
            sizes[i] = size if known is None else known
        types = batching._types([tensor_list])
        shapes = batching._shapes([tensor_list], shapes, False)
        which_bucket = convert_to_tensor(which_bucket, dtype=dtypes.int32, name="which_bucket")
        queues = [batching._fifo(dynamic_pad)(
            capacity=bucket_capacities[i], dtypes=types, shapes=shapes, name="bucket_queue_%d" % i,
            shared_name=None if shared_name is None else "%s_%d" % (shared_name, i)) for i in range(num_buckets)]
        size = None if allow_smaller_final_batch or is_each or known is None else int(known)
        of_batches = [tensor_shape.TensorShape([size]).concatenate(shape) for shape in queues[0].shapes]
        top = data_flow.PaddingFIFOQueue(capacity=capacity, dtypes=[dtypes.int32] + types, name="top_queue",
                                         shapes=[tensor_shape.TensorShape([])] + of_batches, shared_name=shared_name)
        _fill(top, queues, tensor_list, which_bucket, keep_input, num_threads, sizes, allow_smaller_final_batch)
        for queue in queues:
            summary.scalar("bucket/%s/size" % queue.name, math_ops.cast(top.size(), dtypes.float32))
        summary.scalar("bucket/%s/fraction_of_%d_full" % (top.name, capacity),
                       math_ops.cast(top.size(), dtypes.float32) * (1. / capacity))
        dequeued = top.dequeue(name="dequeue_top")
        rest = dequeued[1:]
        rest = batching._restore(rest[0] if len(rest) == 1 else rest, infos)
        return dequeued[0], batching._as_given(tensors, rest)


def _fill(top, queues, tensor_list, which_bucket, keep_input, num_threads, sizes, allow_smaller):
    """The runners: from the tensors into the queues, and from those in batches into the one at the top."""
    def enqueue_which():
        each = [control_flow.cond(math_ops.equal(which_bucket, i), lambda q=queue: q.enqueue(tensor_list),
                                  control_flow.no_op) for i, queue in enumerate(queues)]
        return control_flow.group(*each, name="group_enqueues")
    enqueue = batching._when(keep_input, enqueue_which, control_flow.no_op)
    to_top = []
    for i, (queue, size) in enumerate(zip(queues, sizes)):
        number = constant(i)
        taken = (queue.dequeue_up_to if allow_smaller else queue.dequeue_many)(size, name="read_bucket_%d" % i)
        taken = list(taken) if isinstance(taken, (list, tuple)) else [taken]
        to_top.append(top.enqueue([number] + taken, name="enqueue_from_bucket_%d" % i))
    _runner(queues[0], to_top, [top])
    _runner(top, [enqueue] * num_threads, queues)


def bucket_by_sequence_length(input_length, tensors, batch_size, bucket_boundaries, num_threads=1, capacity=32,
                              bucket_capacities=None, shapes=None, dynamic_pad=False, allow_smaller_final_batch=False,
                              keep_input=True, shared_name=None, name=None):
    tensor_list = batching._listed(tensors)
    if not isinstance(bucket_boundaries, (list, tuple)):
        raise TypeError("bucket_boundaries must be a list or tuple, but received: %s" % bucket_boundaries)
    if not bucket_boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for s, e in zip(bucket_boundaries[:-1], bucket_boundaries[1:]):
        if not isinstance(s, int) or not isinstance(e, int):
            raise TypeError("bucket boundaries must be integers, but saw: %s and %s" % (s, e))
        if s >= e:
            raise ValueError("Buckets must contain sequential increasing lengths, but saw: %d before %d" % (s, e))
    with name_scope(name, "bucket_by_sequence_length", [input_length] + tensor_list) as name:
        input_length = convert_to_tensor(input_length, dtype=dtypes.int32, name="input_length")
        limits = np.iinfo(np.int32)
        from_least = math_ops.less_equal([limits.min] + list(bucket_boundaries), input_length)
        within = math_ops.logical_and(from_least, math_ops.less(input_length, list(bucket_boundaries) + [limits.max]))
        which = math_ops.cast(math_ops.reduce_min(array_ops.where_v2(within)), dtypes.int32)
        if shapes is not None:
            shapes = [tensor_shape.TensorShape([])] + shapes
        _, dequeued = bucket(
            tensors=[input_length] + tensor_list, which_bucket=which, batch_size=batch_size,
            num_buckets=len(bucket_boundaries) + 1, num_threads=num_threads, capacity=capacity,
            bucket_capacities=bucket_capacities, shapes=shapes, dynamic_pad=dynamic_pad,
            allow_smaller_final_batch=allow_smaller_final_batch, keep_input=keep_input, shared_name=shared_name)
        return dequeued[0], batching._as_given(tensors, dequeued[1:])
