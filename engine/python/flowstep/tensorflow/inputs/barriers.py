# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Barriers: elements that are complete when each of their components was put in."""

from .. import dtypes
from ..framework.ops import apply_op, constant_value, make_op
from ..framework.tensor_shape import TensorShape, unknown_shape


class Barrier:
    def __init__(self, types, shapes=None, shared_name=None, name="barrier"):
        self._types = [dtypes.as_dtype(t) for t in (types if isinstance(types, (list, tuple)) else [types])]
        if shapes is None:
            self._shapes = [unknown_shape() for _ in self._types]
        else:
            self._shapes = [TensorShape(shape) for shape in shapes]
            if len(self._shapes) != len(self._types):
                raise ValueError("Queue shapes must have the same length as dtypes")
        for i, shape in enumerate(self._shapes):
            if shape.num_elements() == 0:
                raise ValueError("Empty tensors are not supported, but received shape '%s' at index %d" % (shape, i))
        self._barrier_ref = apply_op("Barrier", component_types=self._types, shapes=self._shapes, shared_name=shared_name,
                                     name=name)
        self._name = self._barrier_ref.op.name.split("/")[-1]

    barrier_ref = property(lambda self: self._barrier_ref)
    name = property(lambda self: self._barrier_ref.op.name)

    def _named(self, name, what):
        return "%s_Barrier%s" % (self._name, what) if name is None else name

    def insert_many(self, component_index, keys, values, name=None):
        return make_op("BarrierInsertMany", handle=self._barrier_ref, keys=keys, values=values,
                       component_index=component_index, name=self._named(name, "InsertMany"))

    def take_many(self, num_elements, allow_small_batch=False, timeout=None, name=None):
        """Indices, keys, and the components' values."""
        taken = apply_op("BarrierTakeMany", handle=self._barrier_ref, num_elements=num_elements, component_types=self._types,
                         allow_small_batch=allow_small_batch, timeout_ms=timeout, name=self._named(name, "TakeMany"))
        op = taken[0].op
        rows = None if allow_small_batch else constant_value(op.inputs[1])
        rows = TensorShape([None if rows is None else int(rows)])
        for output, shape in zip(op.outputs, [TensorShape([]), TensorShape([])] + self._shapes):
            output.set_shape(rows.concatenate(shape))
        return taken

    def close(self, cancel_pending_enqueues=False, name=None):
        return make_op("BarrierClose", handle=self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues,
                       name=self._named(name, "Close"))

    def ready_size(self, name=None):
        return apply_op("BarrierReadySize", handle=self._barrier_ref, name=self._named(name, "ReadySize"))

    def incomplete_size(self, name=None):
        return apply_op("BarrierIncompleteSize", handle=self._barrier_ref, name=self._named(name, "IncompleteSize"))
