# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Functions that change variables of either kind, or references."""

from ..framework import tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..state import variables
from . import array_ops


def _is_reference(ref, method):
    """Whether an op on references does it; else the value's own method has to be there."""
    if not isinstance(ref, variables.Variable) and not ref.dtype._is_ref_dtype:
        if hasattr(ref, method):                # a slice of a variable
            return False
        raise AttributeError("%r object has no attribute '%s'" % (type(ref).__name__, method))
    return not isinstance(ref, variables.ResourceVariable)


def variable_op(shape, dtype, name="Variable", set_shape=True, container="", shared_name=""):
    """What holds a variable, as releases before 0.12 made it; its shape may be left open."""
    shape = tensor_shape.as_shape(shape) if set_shape else tensor_shape.unknown_shape()
    made = apply_op("Variable", shape=shape, dtype=dtype, name=name, container=container, shared_name=shared_name)
    if set_shape:
        made.set_shape(shape)
    return made


def variable_op_v2(shape, dtype, name="Variable", container="", shared_name=""):
    return apply_op("VariableV2", shape=shape, dtype=dtype, name=name, container=container, shared_name=shared_name)


def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    if not _is_reference(ref, "assign"):
        return ref.assign(value, name=name)
    return apply_op("Assign", ref=ref, value=value, validate_shape=validate_shape, use_locking=use_locking, name=name)


def assign_add(ref, value, use_locking=None, name=None):
    if not _is_reference(ref, "assign_add"):
        return ref.assign_add(value)
    return apply_op("AssignAdd", ref=ref, value=value, use_locking=use_locking, name=name)


def assign_sub(ref, value, use_locking=None, name=None):
    if not _is_reference(ref, "assign_sub"):
        return ref.assign_sub(value)
    return apply_op("AssignSub", ref=ref, value=value, use_locking=use_locking, name=name)


def _scatter(kind):
    def function(ref, indices, updates, use_locking=kind in ("Update", "NdUpdate"), name=None):
        if isinstance(ref, variables.Variable):
            return ref._scatter(kind, indices, updates, name, use_locking)
        _is_reference(ref, "_lazy_read")
        return apply_op("Scatter" + kind, ref=ref, indices=indices, updates=updates, use_locking=use_locking, name=name)
    return function


scatter_update, scatter_add, scatter_sub = _scatter("Update"), _scatter("Add"), _scatter("Sub")
scatter_mul, scatter_div, scatter_min, scatter_max = _scatter("Mul"), _scatter("Div"), _scatter("Min"), _scatter("Max")
scatter_nd_update, scatter_nd_add, scatter_nd_sub = _scatter("NdUpdate"), _scatter("NdAdd"), _scatter("NdSub")


def batch_scatter_update(ref, indices, updates, use_locking=True, name=None):
    """Rows of each row: ref[i, indices[i, j]] = updates[i, j]."""
    with name_scope(name):
        indices = convert_to_tensor(indices, name="indices")
        sizes, rank = array_ops.shape(indices), indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        last, parts = array_ops.expand_dims(indices, axis=-1), []
        for axis in range(rank - 1):
            size = sizes[axis]
            shape = [1] * (rank + 1)
            shape[axis] = size
            rows = array_ops.reshape(apply_op("Range", start=0, limit=size, delta=1), shape)
            if rows.dtype.base_dtype != last.dtype:
                rows = apply_op("Cast", x=rows, DstT=last.dtype)
            parts.append(rows * array_ops.ones_like(last))
        at = array_ops.concat(parts + [last], axis=-1)
        return scatter_nd_update(ref, at, updates, use_locking=use_locking)


def count_up_to(ref, limit, name=None):
    if isinstance(ref, variables.ResourceVariable):
        return apply_op("ResourceCountUpTo", resource=ref.handle, limit=limit, T=ref.dtype, name=name)
    return apply_op("CountUpTo", ref=ref, limit=limit, name=name)
