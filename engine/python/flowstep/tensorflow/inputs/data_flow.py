# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Queues."""

import functools

from .. import dtypes
from ..framework import ops, tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..operators import array_ops, random_ops


def _shape_common(a, b):
    """What two shapes have in common."""
    if a.ndims is None or b.ndims is None or a.ndims != b.ndims:
        return tensor_shape.unknown_shape()
    return tensor_shape.TensorShape([x if x == y else None for x, y in zip(a.as_list(), b.as_list())])


class QueueBase:
    """What all queues do; their ops are named after the queue."""

    def __init__(self, kinds, shapes, names, queue_ref):
        # TF: the op is there by then.
        if shapes is not None and len(shapes) != len(kinds):
            raise ValueError("Queue shapes must have the same length as dtypes")
        self._dtypes, self._shapes = kinds, shapes or [tensor_shape.unknown_shape()] * len(kinds)
        if names is not None and len(names) != len(kinds):
            raise ValueError("Queue names must have the same length as dtypes")
        self._names = names
        self._queue_ref = queue_ref
        self._name = queue_ref.op.name.split("/")[-1]

    @staticmethod
    def from_list(index, queues):
        """The queue that an index chooses."""
        if not queues or not isinstance(queues, list) or not all(isinstance(q, QueueBase) for q in queues):
            raise TypeError("A list of queues expected")
        if any(q.dtypes != queues[0].dtypes for q in queues):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(q.names != queues[0].names for q in queues):
            raise TypeError("Queues do not have matching component names.")
        shapes = [functools.reduce(_shape_common, parts) for parts in zip(*[q.shapes for q in queues])]
        chosen = array_ops.gather(array_ops.stack([q.queue_ref for q in queues]), index)
        return QueueBase(queues[0].dtypes, shapes, queues[0].names, chosen)

    queue_ref = property(lambda self: self._queue_ref)
    name = property(lambda self: self._queue_ref.op.name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)

    def _values(self, values):
        if isinstance(values, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if set(values) != set(self._names):
                raise ValueError("Keys in dictionary to enqueue do not match names of Queue.  Dictionary: (%s), Queue: "
                                 "(%s)" % (sorted(values), sorted(self._names)))
            values = [values[k] for k in self._names]
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        elif not isinstance(values, (list, tuple)):
            values = [values]
        return [convert_to_tensor(v, dtype=d, name="component_%d" % i)
                for i, (v, d) in enumerate(zip(values, self._dtypes))]

    def enqueue(self, vals, name=None):
        with name_scope(name, "%s_enqueue" % self._name, self._flat(vals)) as scope:
            values = self._values(vals)
            for value, shape in zip(values, self._shapes):
                value.shape.assert_is_compatible_with(shape)
            return ops.make_op("QueueEnqueueV2", handle=self._queue_ref, components=values, name=scope)

    def enqueue_many(self, vals, name=None):
        with name_scope(name, "%s_EnqueueMany" % self._name, self._flat(vals)) as scope:
            values = self._values(vals)
            batch = values[0].shape.with_rank_at_least(1)[0]
            for value, shape in zip(values, self._shapes):
                batch = batch.merge_with(value.shape[0])
                value.shape[1:].assert_is_compatible_with(shape)
            return ops.make_op("QueueEnqueueManyV2", handle=self._queue_ref, components=values, name=scope)

    @staticmethod
    def _flat(values):
        return list(values.values()) if isinstance(values, dict) else list(ops._flat(values))

    def _result(self, tensors):
        if self._names:
            return dict(zip(self._names, tensors))
        return tensors[0] if len(tensors) == 1 else tensors

    def dequeue(self, name=None):
        made = ops.make_op("QueueDequeueV2", handle=self._queue_ref, component_types=self._dtypes,
                           name=name or "%s_Dequeue" % self._name)
        for output, shape in zip(made.outputs, self._shapes):
            output.set_shape(shape)
        return self._result(made.outputs)

    def _many(self, op_type, n, name):
        made = ops.make_op(op_type, handle=self._queue_ref, n=n, component_types=self._dtypes, name=name)
        size = ops.constant_value(made.inputs[1])
        first = tensor_shape.Dimension(None if size is None or op_type == "QueueDequeueUpToV2" else int(size))
        for output, shape in zip(made.outputs, self._shapes):
            output.set_shape(tensor_shape.TensorShape([first]).concatenate(shape))
        return self._result(made.outputs)

    def dequeue_many(self, n, name=None):
        return self._many("QueueDequeueManyV2", n, name or "%s_DequeueMany" % self._name)

    def dequeue_up_to(self, n, name=None):
        return self._many("QueueDequeueUpToV2", n, name or "%s_DequeueUpTo" % self._name)

    def close(self, cancel_pending_enqueues=False, name=None):
        return ops.make_op("QueueCloseV2", handle=self._queue_ref, cancel_pending_enqueues=cancel_pending_enqueues,
                           name=name or "%s_Close" % self._name)

    def is_closed(self, name=None):
        return apply_op("QueueIsClosedV2", handle=self._queue_ref, name=name or "%s_Is_Closed" % self._name)

    def size(self, name=None):
        return apply_op("QueueSizeV2", handle=self._queue_ref, name=name or "%s_Size" % self._name)


def _whole_shapes(shapes, is_padded):
    """The shapes of a queue's components: known as far as it must know them."""
    is_one = lambda: any(dim is None or isinstance(dim, int) for dim in shapes)  # noqa: E731
    if is_padded and (not isinstance(shapes, (list, tuple)) or not shapes or is_one()):
        raise ValueError("When providing partial shapes, a list of shapes must be provided.")
    if shapes is None:
        return None
    if isinstance(shapes, tensor_shape.TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, (list, tuple)):
        raise TypeError("shapes must be a TensorShape or a list or tuple of TensorShapes.")
    if all(dim is None or isinstance(dim, int) for dim in shapes):
        shapes = [shapes]
    shapes = [tensor_shape.as_shape(s) for s in shapes]
    if not is_padded and not all(s.is_fully_defined() for s in shapes):
        raise ValueError("All shapes must be fully defined: %s" % shapes)
    if any(s.dims is None for s in shapes):
        raise ValueError("All shapes must have a defined rank: %s" % shapes)
    return shapes


def _components(kinds, shapes, names, is_padded=False):
    kinds = [dtypes.as_dtype(d) for d in (kinds if isinstance(kinds, (list, tuple)) else [kinds])]
    shapes = _whole_shapes(shapes, is_padded)
    if names is not None:
        names = list(names) if isinstance(names, (list, tuple)) else [names]
        if len(names) != len(kinds):
            raise ValueError("List of names must have the same length as the list of dtypes")
    if is_padded and len(shapes) != len(kinds):
        raise ValueError("Shapes must be provided for all components, but received %d dtypes and %d shapes." %
                         (len(kinds), len(shapes)))
    return kinds, shapes, names


class FIFOQueue(QueueBase):
    _TYPE = "FIFOQueueV2"

    def __init__(self, capacity, dtypes, shapes=None, names=None, shared_name=None, name="fifo_queue"):
        kinds, shapes, names = _components(dtypes, shapes, names, self._TYPE.startswith("Padding"))
        ref = apply_op(self._TYPE, component_types=kinds, shapes=shapes, capacity=capacity,
                       shared_name=shared_name, name=name)
        super().__init__(kinds, shapes, names, ref)


class PaddingFIFOQueue(FIFOQueue):
    _TYPE = "PaddingFIFOQueueV2"

    def __init__(self, capacity, dtypes, shapes, names=None, shared_name=None, name="padding_fifo_queue"):
        super().__init__(capacity, dtypes, shapes, names, shared_name, name)


class RandomShuffleQueue(QueueBase):
    def __init__(self, capacity, min_after_dequeue, dtypes, shapes=None, names=None, seed=None, shared_name=None,
                 name="random_shuffle_queue"):
        kinds, shapes, names = _components(dtypes, shapes, names)
        first, second = random_ops.get_seed(seed)
        if first is None and second is None:
            first, second = 0, 0
        ref = apply_op("RandomShuffleQueueV2", component_types=kinds, shapes=shapes, capacity=capacity,
                       min_after_dequeue=min_after_dequeue, seed=first, seed2=second, shared_name=shared_name, name=name)
        super().__init__(kinds, shapes, names, ref)


class PriorityQueue(QueueBase):
    def __init__(self, capacity, types, shapes=None, names=None, shared_name=None, name="priority_queue"):
        kinds, shapes, names = _components(types, shapes, names)
        ref = apply_op("PriorityQueueV2", component_types=kinds, shapes=shapes, capacity=capacity,
                       shared_name=shared_name, name=name)
        super().__init__([dtypes.int64] + kinds, [tensor_shape.scalar()] + (shapes or []), names, ref)
