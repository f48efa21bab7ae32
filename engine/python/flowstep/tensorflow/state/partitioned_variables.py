# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""A variable in parts."""

from .. import dtypes
from ..framework import graph as graph_lib, ops, tensor_shape
from ..framework.graph import name_scope
from ..operators import array_ops


class PartitionInfo:
    """Which part of a variable an initializer is asked for."""

    def __init__(self, full_shape, var_offset):
        for offset, size in zip(var_offset, full_shape):
            if not 0 <= offset < size:
                raise ValueError("Expected 0 <= offset < shape but found offset=%d, shape=%d for var_offset=%s, full_shape=%s"
                                 % (offset, size, var_offset, full_shape))
        self._full_shape, self._var_offset = full_shape, var_offset

    full_shape = property(lambda self: self._full_shape)
    var_offset = property(lambda self: self._var_offset)

    def single_offset(self, shape):
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self._var_offset[axis]

    def single_slice_dim(self, shape):
        """The axis along which a part of this shape is cut, None where it is the whole."""
        cut = [i for i, (size, full) in enumerate(zip(shape, self._full_shape)) if size != full]
        if len(cut) > 1:
            raise ValueError("Cannot use single_slice_dim() with shape=%s and self.full_shape=%s since slice dim could be "
                             "either dimension %d or %d." % (shape, self._full_shape, cut[1], cut[0]))
        return cut[0] if cut else None


class PartitionedVariable:
    """Several variables that are parts of one."""

    def __init__(self, name, shape, dtype, variable_list, partitions):
        self._name, self._shape, self._dtype = name, tensor_shape.as_shape(shape), dtypes.as_dtype(dtype)
        self._variable_list = sorted(variable_list, key=lambda v: v._get_save_slice_info().var_offset)
        self._partitions = partitions
        self._tensor = None

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)
    graph = property(lambda self: self._variable_list[0].graph)
    op = property(lambda self: PartitionedVariable.Op(self))

    class Op:
        def __init__(self, variable):
            self.name = variable._name
            self.type = "PartitionedVariable"

    def get_shape(self):
        return self._shape

    def __iter__(self):
        return iter(self._variable_list)

    def __len__(self):
        return len(self._variable_list)

    def _get_variable_list(self):
        return self._variable_list

    def _get_partitions(self):
        return self._partitions

    def _partition_axes(self):
        axes = [i for i, p in enumerate(self._partitions) if p > 1]
        return axes or [0]

    def _concat(self):
        if len(self._variable_list) == 1:
            with name_scope(None):
                return array_ops.identity(self._variable_list[0], name=self._name)
        with name_scope(self._name + "/ConcatPartitions/"):
            joined = array_ops.concat(self._variable_list, self._partition_axes()[0])
        with name_scope(None):
            return array_ops.identity(joined, name=self._name)

    def as_tensor(self):
        with graph_lib.control_dependencies(None):
            return self._concat()

    def _apply_assign_fn(self, assign, value):
        axes = [i for i, n in enumerate(self._partitions) if n > 1]
        if len(axes) > 1:
            raise NotImplementedError("Cannot concatenate along more than one dimension: %s.  Multi-axis partition concat is "
                                      "not supported" % axes)
        if isinstance(value, list):
            pieces = value
        elif isinstance(value, PartitionedVariable):
            pieces = list(value)
        else:
            axis = self._partition_axes()[0]
            pieces = array_ops.split(value, [v.shape.as_list()[axis] for v in self._variable_list], axis=axis)
        return [assign(v, piece) for v, piece in zip(self._variable_list, pieces)]

    def assign(self, value, use_locking=False, name=None, read_value=True):
        return self._apply_assign_fn(lambda v, piece: v.assign(piece, use_locking=use_locking, name=name,
                                                               read_value=read_value), value)

    def assign_add(self, value, use_locking=False, name=None, read_value=True):
        return self._apply_assign_fn(lambda v, piece: v.assign_add(piece, use_locking=use_locking, name=name,
                                                                   read_value=read_value), value)

    def assign_sub(self, value, use_locking=False, name=None, read_value=True):
        return self._apply_assign_fn(lambda v, piece: v.assign_sub(piece, use_locking=use_locking, name=name,
                                                                   read_value=read_value), value)


ops.register_tensor_conversion_function(PartitionedVariable, lambda value, dtype=None, name=None, as_ref=False:
                                        value.as_tensor())
