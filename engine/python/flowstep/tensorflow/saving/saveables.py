# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What a Saver keeps that is no variable: which tensors, under which names, and what takes them back."""

from ..framework import tensor_shape
from ..framework.ops import convert_to_tensor


class SaveSpec:
    """A tensor to save: all of it or a slice, under a name."""

    def __init__(self, tensor, slice_spec, name, dtype=None, device=None):
        self._tensor, self.slice_spec, self.name = tensor, slice_spec, name
        self._dtype, self._device = dtype, device

    tensor = property(lambda self: self._tensor() if callable(self._tensor) else self._tensor)
    dtype = property(lambda self: self._dtype or self.tensor.dtype)
    device = property(lambda self: self._device if callable(self._tensor) else self.tensor.device)


class SaveableObject:
    """Base of what is saved and restored in its own way."""

    def __init__(self, op, specs, name):
        self.op, self.specs, self.name = op, specs, name

    optional_restore = False
    device = property(lambda self: self.specs[0].device)

    def restore(self, restored_tensors, restored_shapes):
        raise ValueError("Calling an abstract method.")

    def _taken_back(self, tensors, reshape):
        """The op that restores it; shapes are what a Saver that reshapes knows of what was saved."""
        shapes = None
        if reshape:
            shapes = []
            for spec in self.specs:
                dims = convert_to_tensor(spec.tensor).shape
                shapes.append(dims.as_list() if tensor_shape.as_shape(dims).is_fully_defined() else None)
        return self.restore(tensors, shapes)
