# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What enters a frame, goes on in it and leaves it: tensors of either kind, and values of several tensors."""

from .. import nest
from ..framework import ops


def _each(data, op_type, name, **attrs):
    """The op of each tensor of data, or that on references."""
    data = ops.internal_convert_to_tensor_or_composite(data, as_ref=True)
    if nest.is_composite(data):
        return nest.map_structure(lambda t: _each(t, op_type, None, **attrs), data, expand_composites=True)
    return ops.apply_op(("Ref" if data.dtype._is_ref_dtype else "") + op_type, data=data, name=name, **attrs)


def _Identity(data, name=None):
    data = ops.internal_convert_to_tensor_or_composite(data, as_ref=True)
    if nest.is_composite(data):
        return nest.map_structure(_Identity, data, expand_composites=True)
    return ops.apply_op("RefIdentity" if data.dtype._is_ref_dtype else "Identity", input=data, name=name)


def _NextIteration(data, name=None):
    return _each(data, "NextIteration", name)


def exit(data, name=None):
    return _each(data, "Exit", name)


def _Enter(data, frame_name, is_constant=False, parallel_iterations=10, use_ref=True, use_input_shape=True, name=None):
    data = ops.internal_convert_to_tensor_or_composite(data, as_ref=True)
    if nest.is_composite(data):
        return nest.map_structure(
            lambda t: _Enter(t, frame_name, is_constant, parallel_iterations, use_ref, use_input_shape), data,
            expand_composites=True)
    is_ref = data.dtype._is_ref_dtype and use_ref
    made = ops.apply_op("RefEnter" if is_ref else "Enter", data=data, frame_name=frame_name, is_constant=is_constant,
                        parallel_iterations=parallel_iterations, name=name)
    if use_input_shape:
        made.set_shape(data.shape)
    return made
