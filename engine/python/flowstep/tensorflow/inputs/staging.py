# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.staging.StagingArea: tensors kept from one step to the next."""

from ..control import control_flow
from ..framework import graph as graph_lib, ops, tensor_shape
from ..framework.graph import get_default_graph, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..operators import array_ops


class StagingArea:
    def __init__(self, dtypes, shapes=None, names=None, shared_name=None, capacity=0, memory_limit=0):
        if shared_name is not None and not isinstance(shared_name, str):
            raise ValueError("shared_name must be a string")
        for given, what in ((shapes, "shapes"), (names, "names")):
            if given is not None and len(given) != len(dtypes):
                raise ValueError("StagingArea %s must be the same length as dtypes" % what)
        self._name = get_default_graph().unique_name("StagingArea") if shared_name is None else shared_name
        self._dtypes, self._names = dtypes, names
        self._shapes = [tensor_shape.TensorShape(s) for s in ([None] * len(dtypes) if shapes is None else shapes)]
        self._capacity, self._memory_limit = capacity, memory_limit
        with name_scope("%s_root" % self._name):
            self._place = control_flow.no_op()

    name = property(lambda self: self._name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)
    capacity = property(lambda self: self._capacity)
    memory_limit = property(lambda self: self._memory_limit)

    def _about(self):
        return dict(shared_name=self._name, capacity=self._capacity, memory_limit=self._memory_limit)

    def _ordered(self, values):
        """The values, and which components they are."""
        if isinstance(values, dict):
            if not self._names:
                raise ValueError("Staging areas must have names to enqueue a dictionary")
            if not set(values).issubset(self._names):
                raise ValueError("Keys in dictionary to put do not match names of staging area. Dictionary: (%s), Queue: (%s)" %
                                 (sorted(values), sorted(self._names)))
            found = [(values[key], i) for i, key in enumerate(self._names) if key in values]
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a staging area with names")
            found = [(value, i) for i, value in enumerate(values)]
        if len(found) > len(self._dtypes):
            raise ValueError("Unexpected number of inputs '%s' vs '%s'" % (len(found), len(self._dtypes)))
        return found

    def put(self, values, name=None):
        values = values if isinstance(values, (list, tuple, dict)) else [values]
        with name_scope(name, "%s_put" % self._name, list(values.values() if isinstance(values, dict) else values)) as scope:
            tensors = []
            for value, i in self._ordered(values):
                if value.dtype != self._dtypes[i]:
                    raise ValueError("Datatypes do not match. '%s' != '%s'" % (value.dtype, self._dtypes[i]))
                value.shape.assert_is_compatible_with(self._shapes[i])
                tensors.append(convert_to_tensor(value, dtype=self._dtypes[i], name="component_%d" % i))
            with graph_lib.colocate_with(self._place):
                return ops.make_op("Stage", values=tensors, name=scope, **self._about())

    def _taken(self, op_type, name, **more):
        with graph_lib.colocate_with(self._place):
            tensors = apply_op(op_type, dtypes=self._dtypes, name=name, **more, **self._about())
        tensors = list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]
        if control_flow.no_op().device != self._place.device:
            tensors = [array_ops.identity(t) for t in tensors]
        for tensor, shape in zip(tensors, self._shapes):
            tensor.set_shape(shape)
        return dict(zip(self._names, tensors)) if self._names else tensors

    def get(self, name=None):
        return self._taken("Unstage", name or "%s_get" % self._name)

    def peek(self, index, name=None):
        return self._taken("StagePeek", name or "%s_peek" % self._name, index=index)

    def size(self, name=None):
        return apply_op("StageSize", dtypes=self._dtypes, name=name or "%s_size" % self._name, **self._about())

    def clear(self, name=None):
        return ops.make_op("StageClear", dtypes=self._dtypes, name=name or "%s_clear" % self._name, **self._about())
