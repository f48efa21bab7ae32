# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Slot variables: what an optimizer keeps beside each variable."""

from ..framework import graph as graph_lib
from ..operators import array_ops
from ..state import initializers, scope, variables


def _make(primary, value, validate_shape, shape=None, dtype=None):
    use_resource = variables.is_resource_variable(primary) if isinstance(primary, variables.Variable) else None
    info = getattr(primary, "_save_slice_info", None)
    if not callable(value):
        shape = None
    # A slot is as large as its variable, or part of one: it is in no parts of its own.
    current = scope.get_variable_scope()
    partitioner = current.partitioner
    current.set_partitioner(None)
    try:
        slot = scope.get_variable("", initializer=value, trainable=False, use_resource=use_resource, shape=shape,
                                  dtype=dtype, validate_shape=validate_shape)
    finally:
        current.set_partitioner(partitioner)
    if info is not None:
        real_name = slot.op.name[len(primary.op.name + "/"):]
        slot._set_save_slice_info(variables.SaveSliceInfo(info.full_name + "/" + real_name, info.full_shape[:],
                                                          info.var_offset[:], info.var_shape[:]))
    return slot


def _in_scope(primary, name, colocate, make):
    prefix = primary._shared_name if isinstance(primary, variables.ResourceVariable) else primary.op.name
    with scope.variable_scope(None, prefix + "/" + name):
        if colocate:
            with graph_lib.colocate_with(primary):
                return make()
        return make()


def create_slot(primary, val, name, colocate_with_primary=True):
    return _in_scope(primary, name, colocate_with_primary,
                     lambda: _make(primary, val, val.shape.is_fully_defined()))


def create_slot_with_initializer(primary, initializer, shape, dtype, name, colocate_with_primary=True):
    return _in_scope(primary, name, colocate_with_primary,
                     lambda: _make(primary, initializer, shape.is_fully_defined(), shape, dtype))


def create_zeros_slot(primary, name, dtype=None, colocate_with_primary=True):
    dtype = dtype or primary.dtype
    shape = primary.shape
    if shape.is_fully_defined():
        return create_slot_with_initializer(primary, initializers.Zeros(), shape, dtype, name, colocate_with_primary)
    value = primary.initialized_value() if isinstance(primary, variables.Variable) else primary
    value = array_ops.zeros(array_ops.shape(value), dtype=dtype)
    return create_slot(primary, value, name, colocate_with_primary)
