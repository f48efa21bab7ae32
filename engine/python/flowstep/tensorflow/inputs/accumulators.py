# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Accumulators of gradients, which hold them until enough have come."""

from .. import dtypes
from ..framework import tensor_shape
from ..framework.ops import IndexedSlices, apply_op, convert_to_tensor
from ..operators import math_ops


class ConditionalAccumulatorBase:
    """What both kinds have."""

    _PREFIX = ""

    def __init__(self, dtype, shape, accumulator_ref):
        self._dtype, self._accumulator_ref = dtypes.as_dtype(dtype), accumulator_ref
        self._shape = tensor_shape.unknown_shape() if shape is None else tensor_shape.TensorShape(shape)
        self._name = accumulator_ref.op.name.split("/")[-1]

    accumulator_ref = property(lambda self: self._accumulator_ref)
    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)

    def num_accumulated(self, name=None):
        if name is None:
            name = "%s_NumAccumulated" % self._name
        return apply_op(self._PREFIX + "AccumulatorNumAccumulated", handle=self._accumulator_ref, name=name)

    def set_global_step(self, new_global_step, name=None):
        return apply_op(self._PREFIX + "AccumulatorSetGlobalStep", handle=self._accumulator_ref,
                        new_global_step=_step(new_global_step), name=name)


def _step(value):
    return math_ops.cast(convert_to_tensor(value), dtypes.int64)


class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Of dense gradients."""

    _PREFIX = "Resource"

    def __init__(self, dtype, shape=None, shared_name=None, name="conditional_accumulator", reduction_type="MEAN"):
        super().__init__(dtype, shape, apply_op("ResourceConditionalAccumulator", dtype=dtype, shape=shape,
                                                shared_name=shared_name, name=name, reduction_type=reduction_type))

    def apply_grad(self, grad, local_step=0, name=None):
        grad = convert_to_tensor(grad, self._dtype)
        grad.shape.assert_is_compatible_with(self._shape)
        return apply_op("ResourceAccumulatorApplyGradient", handle=self._accumulator_ref, local_step=_step(local_step), gradient=grad,
                        name=name)

    def take_grad(self, num_required, name=None):
        result = apply_op("ResourceAccumulatorTakeGradient", handle=self._accumulator_ref, num_required=num_required,
                          dtype=self._dtype, name=name)
        result.set_shape(self._shape)
        return result


class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Of gradients of rows."""

    def __init__(self, dtype, shape=None, shared_name=None, name="sparse_conditional_accumulator", reduction_type="MEAN"):
        super().__init__(dtype, shape, apply_op("SparseConditionalAccumulator", dtype=dtype, shape=shape,
                                                shared_name=shared_name, name=name, reduction_type=reduction_type))

    def apply_indexed_slices_grad(self, grad, local_step=0, name=None):
        return self.apply_grad(grad.indices, grad.values, grad.dense_shape, local_step, name)

    def apply_grad(self, grad_indices, grad_values, grad_shape=None, local_step=0, name=None):
        step = _step(local_step)
        indices = math_ops.cast(grad_indices, dtypes.int64)
        shape = math_ops.cast([] if grad_shape is None else grad_shape, dtypes.int64)
        return apply_op("SparseAccumulatorApplyGradient", handle=self._accumulator_ref, local_step=step,
                        gradient_indices=indices, gradient_values=grad_values, gradient_shape=shape,
                        has_known_shape=grad_shape is not None, name=name)

    def take_grad(self, num_required, name=None):
        return apply_op("SparseAccumulatorTakeGradient", handle=self._accumulator_ref, num_required=num_required,
                        dtype=self._dtype, name=name)

    def take_indexed_slices_grad(self, num_required, name=None):
        taken = self.take_grad(num_required, name)
        return IndexedSlices(indices=taken.indices, values=taken.values, dense_shape=taken.shape)
