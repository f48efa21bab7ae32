# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""TensorArray where control flow is of version 2: its flow is a list of tensors."""

from .. import dtypes
from ..framework import ops, tensor_shape, tf_logging
from ..framework.graph import Tensor, name_scope
from ..operators import math_ops
from . import control_flow, lists
from .tensor_array import TensorArray, build_ta_with_new_flow


class ListArray(TensorArray):
    """An array that has no handle."""

    def __init__(self, dtype, size=None, dynamic_size=None, clear_after_read=None, tensor_array_name=None, handle=None,
                 flow=None, infer_shape=True, element_shape=None, colocate_with_first_write_call=True, name=None):
        self._dynamic_size = dynamic_size
        if flow is not None and (not isinstance(flow, Tensor) or flow.dtype != dtypes.variant):
            raise TypeError("flow must be a variant tensor")
        if flow is None and size is None:
            raise ValueError("Size must be provided if flow is not provided")
        if flow is not None and size is not None:
            raise ValueError("Cannot provide both a flow and size at the same time")
        if flow is not None and element_shape is not None:
            raise ValueError("Cannot provide both a flow and element_shape at the same time")
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._element_shape = [tensor_shape.as_shape(element_shape)]
        self._infer_shape = infer_shape
        with name_scope(name, "TensorArrayV2", [v for v in (size, flow) if v is not None]) as scope:
            self._flow = flow if flow is not None else lists.reserve(self.element_shape, size, self._dtype, scope)
        self._handle = self._colocate_with_first_write_call = self._colocate_with = None

    def grad(self, source, flow=None, name=None):
        raise NotImplementedError()

    def read(self, index, name=None):
        with name_scope(name, "TensorArrayV2Read", [self._flow, index]):
            return lists.get_item(self._flow, index, self._dtype, self.element_shape, name)

    def write(self, index, value, name=None):
        with name_scope(name, "TensorArrayV2Write", [self._flow, index, value]):
            value = self._element(value)
            self._check_element_shape(value.shape)
            return build_ta_with_new_flow(self, lists.set_item(self._flow, index, value, self._dynamic_size, name))

    def _element(self, value):
        value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
        if value.dtype.base_dtype != self._dtype:
            tf_logging.error("Error: Input value %s has dtype %s, but expected dtype %s.  This leads to undefined behavior and "
                             "will be an error in future versions of TensorFlow.", value, value.dtype, self._dtype)
        return value

    def stack(self, name=None):
        with name_scope(name, "TensorArrayV2Stack", [self._flow]):
            return lists.stack(self._flow, self._dtype, element_shape=self.element_shape)

    def gather(self, indices, name=None):
        return lists.gather(self._flow, indices, self._dtype, self.element_shape, name)

    def concat(self, name=None):
        rest = [None] + self.element_shape.as_list()[1:] if self.element_shape.ndims else None
        return lists.concat(self._flow, self._dtype, rest, name)

    def unstack(self, value, name=None):
        with name_scope(name, "TensorArrayUnstack", [self._flow, value]):
            value = self._element(value)
            self._check_element_shape(value.shape[1:])
            return build_ta_with_new_flow(self, lists.from_tensor(value, value.shape[1:]))

    def scatter(self, indices, value, name=None):
        with name_scope(name, "TensorArrayScatter", [self._flow, value, indices]):
            value = self._element(value)
            self._check_element_shape(value.shape[1:])
            return build_ta_with_new_flow(self, lists.scatter(value, indices, self.element_shape, self._flow))

    def split(self, value, lengths, name=None):
        with name_scope(name, "TensorArraySplit", [self._flow, value, lengths]):
            value = self._element(value)
            lengths_64 = math_ops.cast(lengths, dtypes.int64)
            self._check_split(value, lengths_64)
            return build_ta_with_new_flow(self, lists.split(value, self.element_shape, lengths_64, name))

    def size(self, name=None):
        return lists.length(self._flow, name)

    def close(self, name=None):
        return control_flow.no_op(name=name)
