# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""TensorArray: one tensor for each step of a loop."""

import contextlib

from .. import dtypes
from ..framework import graph as graph_lib, ops, tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op
from ..operators import array_ops, math_ops


class TensorArray:
    """An array of tensors that is written and read by index; its flow orders what was done to it."""

    def __new__(cls, *args, **kwargs):
        from . import functional, list_arrays
        return super().__new__(list_arrays.ListArray if cls is TensorArray and functional.is_version_2() else cls)

    def __init__(self, dtype, size=None, dynamic_size=None, clear_after_read=None, tensor_array_name=None, handle=None,
                 flow=None, infer_shape=True, element_shape=None, colocate_with_first_write_call=True, name=None):
        if handle is not None and tensor_array_name:
            raise ValueError("Cannot construct with both handle and tensor_array_name")
        if handle is not None and not isinstance(handle, Tensor):
            raise TypeError("Handle must be a Tensor")
        if handle is None and size is None:
            raise ValueError("Size must be provided if handle is not provided")
        for given, what in ((size, "size"), (element_shape, "element_shape"), (dynamic_size, "dynamic_size"),
                            (clear_after_read, "clear_after_read")):
            if handle is not None and given is not None:
                raise ValueError("Cannot provide both a handle and %s at the same time" % what)
        self._dynamic_size = dynamic_size or False
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._colocate_with_first_write_call = colocate_with_first_write_call
        # Shared by all that have another flow of the same array.
        self._colocate_with = [] if colocate_with_first_write_call else None
        self._element_shape = [tensor_shape.as_shape(element_shape)]
        self._infer_shape = infer_shape
        with name_scope(name, "TensorArray", [v for v in (handle, size, flow) if v is not None]) as scope:
            if handle is not None:
                if flow is None:
                    raise ValueError("flow must not be None if handle is not None.")
                self._handle, self._flow = handle, flow
                return
            with contextlib.ExitStack() as stack:
                if colocate_with_first_write_call:
                    stack.enter_context(graph_lib.device(None))
                    stack.enter_context(graph_lib.colocate_with(None, ignore_existing=True))
                self._handle, self._flow = apply_op(
                    "TensorArrayV3", dtype=dtype, size=size, element_shape=element_shape,
                    identical_element_shapes=infer_shape, dynamic_size=self._dynamic_size,
                    clear_after_read=True if clear_after_read is None else clear_after_read,
                    tensor_array_name=tensor_array_name, name=scope)

    flow = property(lambda self: self._flow)
    dtype = property(lambda self: self._dtype)
    handle = property(lambda self: self._handle)
    element_shape = property(lambda self: self._element_shape[0])
    dynamic_size = property(lambda self: self._dynamic_size)

    def _check_element_shape(self, shape):
        if not shape.is_compatible_with(self.element_shape):
            raise ValueError("Inconsistent shapes: saw %s but expected %s " % (shape, self.element_shape))
        if self._infer_shape:
            self._element_shape[0] = self.element_shape.merge_with(shape)

    def _check_split(self, value, lengths):
        sizes = ops.constant_value(lengths)
        if sizes is not None and sizes.shape and value.shape.ndims is not None and sizes.min() == sizes.max():
            self._check_element_shape(tensor_shape.TensorShape([int(sizes[0])]).concatenate(value.shape[1:]))

    @contextlib.contextmanager
    def _maybe_colocate_with(self, value):
        if not self._colocate_with_first_write_call:
            yield
            return
        if not self._colocate_with:
            self._colocate_with.append(value)
        with graph_lib.colocate_with(self._colocate_with[0]):
            yield

    def mark_used(self):
        """There is no complaint here about arrays that nobody uses."""

    def identity(self):
        return build_ta_with_new_flow(self, array_ops.identity(self._flow))

    def grad(self, source, flow=None, name=None):
        flow = self._flow if flow is None else flow
        with name_scope(name, "TensorArrayGrad", [self._handle]):
            with graph_lib.colocate_with(self._handle):
                handle, _ = apply_op("TensorArrayGradV3", handle=self._handle, source=source, flow_in=flow, name=name)
                with graph_lib.control_dependencies([handle]):
                    flow = array_ops.identity(flow, name="gradient_flow")
                made = TensorArray(self._dtype, handle=handle, flow=flow, infer_shape=self._infer_shape,
                                   colocate_with_first_write_call=False)
                made._element_shape = self._element_shape
                return made

    def read(self, index, name=None):
        value = apply_op("TensorArrayReadV3", handle=self._handle, index=index, flow_in=self._flow, dtype=self._dtype,
                         name=name)
        if self.element_shape.ndims is not None:
            value.set_shape(self.element_shape)
        return value

    def write(self, index, value, name=None):
        with name_scope(name, "TensorArrayWrite", [self._handle, index, value]):
            value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
            self._check_element_shape(value.shape)
            with self._maybe_colocate_with(value):
                flow = apply_op("TensorArrayWriteV3", handle=self._handle, index=index, value=value, flow_in=self._flow,
                                name=name)
            return build_ta_with_new_flow(self, flow)

    def stack(self, name=None):
        with graph_lib.colocate_with(self._handle):
            with name_scope(name, "TensorArrayStack", [self._handle]):
                return self.gather(math_ops.range(0, self.size()), name=name)

    def gather(self, indices, name=None):
        value = apply_op("TensorArrayGatherV3", handle=self._handle, indices=indices, flow_in=self._flow,
                         dtype=self._dtype, name=name, element_shape=self.element_shape)
        if self.element_shape.ndims is not None:
            value.set_shape([None] + self.element_shape.as_list())
        return value

    def concat(self, name=None):
        rest = self.element_shape[1:] if self.element_shape.ndims is not None else tensor_shape.unknown_shape()
        value, _ = apply_op("TensorArrayConcatV3", handle=self._handle, flow_in=self._flow, dtype=self._dtype, name=name,
                            element_shape_except0=rest)
        if self.element_shape.ndims is not None:
            value.set_shape([None] + self.element_shape.as_list()[1:])
        return value

    def unstack(self, value, name=None):
        with name_scope(name, "TensorArrayUnstack", [self._handle, value]):
            count = array_ops.shape(value)[0]
            return self.scatter(indices=math_ops.range(0, count), value=value, name=name)

    def scatter(self, indices, value, name=None):
        with name_scope(name, "TensorArrayScatter", [self._handle, value, indices]):
            value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
            self._check_element_shape(value.shape[1:])
            with self._maybe_colocate_with(value):
                flow = apply_op("TensorArrayScatterV3", handle=self._handle, indices=indices, value=value,
                                flow_in=self._flow, name=name)
            return build_ta_with_new_flow(self, flow)

    def split(self, value, lengths, name=None):
        with name_scope(name, "TensorArraySplit", [self._handle, value, lengths]):
            value = ops.convert_to_tensor(value, dtype=self._dtype, name="value")
            with self._maybe_colocate_with(value):
                lengths_64 = math_ops.cast(lengths, dtypes.int64)
                self._check_split(value, lengths_64)
                flow = apply_op("TensorArraySplitV3", handle=self._handle, value=value, lengths=lengths_64,
                                flow_in=self._flow, name=name)
            return build_ta_with_new_flow(self, flow)

    def size(self, name=None):
        return apply_op("TensorArraySizeV3", handle=self._handle, flow_in=self._flow, name=name)

    def close(self, name=None):
        return apply_op("TensorArrayCloseV3", handle=self._handle, name=name)


def build_ta_with_new_flow(old, flow):
    """The same array after what flow waits for."""
    made = TensorArray(old.dtype, handle=old.handle, flow=flow, infer_shape=old._infer_shape,
                       colocate_with_first_write_call=old._colocate_with_first_write_call)
    made._dynamic_size, made._colocate_with, made._element_shape = \
        old._dynamic_size, old._colocate_with, old._element_shape
    return made
