# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Lists of tensors, as loops and TensorArrays of version 2 keep them."""

from .. import dtypes
from ..framework import ops, tensor_shape
from ..framework.graph import Tensor
from ..framework.ops import apply_op


def _element_shape(shape):
    """What the ops take: -1 for what is not known."""
    if isinstance(shape, Tensor):
        return shape
    if isinstance(shape, tensor_shape.TensorShape):
        shape = None if shape.ndims is None else shape.as_list()
    if shape is None:
        return -1
    if not shape:
        return ops.convert_to_tensor(shape, dtype=dtypes.int32)
    dims = [tensor_shape.dimension_value(dim) for dim in shape]
    return [-1 if dim is None else dim for dim in dims]


def empty(element_shape, element_dtype, max_num_elements=None, name=None):
    return apply_op("EmptyTensorList", element_shape=_element_shape(element_shape), element_dtype=element_dtype,
                    max_num_elements=-1 if max_num_elements is None else max_num_elements, name=name)


def reserve(element_shape, num_elements, element_dtype, name=None):
    return apply_op("TensorListReserve", element_shape=_element_shape(element_shape), num_elements=num_elements,
                    element_dtype=element_dtype, name=name)


def from_tensor(tensor, element_shape, name=None):
    return apply_op("TensorListFromTensor", tensor=tensor, element_shape=_element_shape(element_shape), name=name)


def get_item(input_handle, index, element_dtype, element_shape=None, name=None):
    return apply_op("TensorListGetItem", input_handle=input_handle, index=index, element_shape=_element_shape(element_shape),
                    element_dtype=element_dtype, name=name)


def set_item(input_handle, index, item, resize_if_index_out_of_bounds=False, name=None):
    if resize_if_index_out_of_bounds:
        from . import control_flow
        size = apply_op("TensorListLength", input_handle=input_handle)
        kept = input_handle
        input_handle = control_flow.cond(index >= size, lambda: apply_op("TensorListResize", input_handle=kept, size=index + 1),
                                   lambda: kept)
    return apply_op("TensorListSetItem", input_handle=input_handle, index=index, item=item, name=name)


def push_back(input_handle, tensor, name=None):
    return apply_op("TensorListPushBack", input_handle=input_handle, tensor=tensor, name=name)


def pop_back(input_handle, element_dtype, name=None):
    return apply_op("TensorListPopBack", input_handle=input_handle, element_shape=-1, element_dtype=element_dtype, name=name)


def gather(input_handle, indices, element_dtype, element_shape=None, name=None):
    return apply_op("TensorListGather", input_handle=input_handle, indices=indices, element_shape=_element_shape(element_shape),
                    element_dtype=element_dtype, name=name)


def scatter(tensor, indices, element_shape=None, input_handle=None, name=None):
    if input_handle is not None:
        return apply_op("TensorListScatterIntoExistingList", input_handle=input_handle, tensor=tensor, indices=indices,
                        name=name)
    return apply_op("TensorListScatterV2", tensor=tensor, indices=indices, element_shape=_element_shape(element_shape),
                    num_elements=-1, name=name)


def stack(input_handle, element_dtype, num_elements=-1, element_shape=None, name=None):
    return apply_op("TensorListStack", input_handle=input_handle, element_shape=_element_shape(element_shape),
                    element_dtype=element_dtype, num_elements=num_elements, name=name)


def concat(input_handle, element_dtype, element_shape=None, name=None):
    return apply_op("TensorListConcatV2", input_handle=input_handle, element_dtype=element_dtype,
                    element_shape=_element_shape(element_shape),
                    leading_dims=ops.convert_to_tensor([], dtype=dtypes.int64), name=name)[0]


def split(tensor, element_shape, lengths, name=None):
    return apply_op("TensorListSplit", tensor=tensor, element_shape=_element_shape(element_shape), lengths=lengths, name=name)


def length(input_handle, name=None):
    return apply_op("TensorListLength", input_handle=input_handle, name=name)
