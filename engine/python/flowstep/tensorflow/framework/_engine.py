# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The engine over GObject Introspection, and tensors to and from numpy without copies."""

import threading

import gi
import numpy as np

gi.require_version("Flow", "1.0")
from gi.repository import Flow, GLib  # noqa: E402

from .. import dtypes  # noqa: E402

Flow.kernels_register()

NODE_NONE = 0xFFFFFFFF


class InTurns:
    """A builder that several threads use: each call waits for the one that another thread is in, and the builder is told
    which thread it is."""

    def __init__(self, wrapped):
        self.wrapped, self.turn = wrapped, threading.RLock()
        self._thread = threading.get_ident()
        wrapped.set_thread(self._thread)

    def _take_turn(self, thread):
        self.wrapped.set_thread(thread)
        self._thread = thread

    def __getattr__(self, name):
        method, turn, ident = getattr(self.wrapped, name), self.turn, threading.get_ident

        def call(*arguments):
            given = [value.wrapped if type(value) is InTurns else value for value in arguments]
            with turn:
                thread = ident()
                if thread != self._thread:
                    self._take_turn(thread)
                return method(*given)
        setattr(self, name, call)
        return call


def shape(dims):
    """A FlowShape from a list with None or -1 where unknown, or None."""
    if dims is None:
        return Flow.Shape.new_unknown()
    if not dims:
        return Flow.Shape.new_scalar()
    return Flow.Shape.new([-1 if d is None else d for d in dims])


def shape_dims(value):
    """The dims of a FlowShape: None if its rank is unknown."""
    rank = value.get_rank()
    if rank < 0:
        return None
    return [value.get_dim(i) for i in range(rank)]


def to_tensor(array, dtype):
    """A FlowTensor of a numpy array; numbers are not copied, so the array must not change."""
    if dtype == dtypes.string:
        return _strings(array)
    if not array.flags.c_contiguous:
        array = np.ascontiguousarray(array)
    number = Flow.DType(dtype.as_datatype_enum)
    if array.size == 0:
        return Flow.Tensor.new_zeros(number, shape(array.shape), None)
    return Flow.Tensor.new_from_memory(number, shape(array.shape), array.ctypes.data, _release, array)


def _release(array):
    del array


def as_bytes(value):
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8")
    raise TypeError("Expected binary or unicode string, got %r" % (value,))


def _strings(array):
    values = [GLib.Bytes.new(as_bytes(v)) for v in np.asarray(array, object).ravel()]
    return Flow.Tensor.new_strings(shape(array.shape), values)


class _Memory:
    """What numpy reads an array from; keeps the tensor."""

    def __init__(self, tensor, np_dtype, dims, is_writable):
        self._tensor = tensor
        self.__array_interface__ = {
            "version": 3, "shape": tuple(dims), "typestr": np_dtype.str,
            "data": (tensor.get_address(), not is_writable),
        }


def view(tensor):
    """A numpy array over a FlowTensor's memory, to be written to only where nobody else has the tensor; strings become an
    array of bytes objects."""
    dtype = dtypes.as_dtype(int(tensor.get_dtype()))
    dims = shape_dims(tensor.get_shape())
    if dtype == dtypes.string:
        count = tensor.get_n_elements()
        values = np.empty(count, object)
        for i in range(count):
            values[i] = tensor.dup_string(i).get_data() or b""
        return values.reshape(dims)
    if dtype in (dtypes.resource, dtypes.variant):
        return np.empty(dims, object)
    if tensor.get_n_elements() == 0:
        return np.zeros(dims, dtype.as_numpy_dtype)
    return np.asarray(_Memory(tensor, np.dtype(dtype.as_numpy_dtype), dims, tensor.is_exclusive()))


def to_numpy(tensor):
    """A numpy array for people, who may write to it: the tensor's memory, a copy where the engine has it still."""
    array = view(tensor)
    return array if array.flags.writeable else array.copy()
