# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Specs of ragged tensors, slices by index, arrays of tensors and values that may be missing."""

from .. import dtypes, nest
from ..control import tensor_array
from ..inputs.dataset_transforms import Optional
from ..operators import ragged_tensors
from ..operators.sparse import SparseTensor
from . import ops, structure, tensor_shape
from .graph import Tensor, name_scope
from .ops import apply_op
from .structure import TensorSpec, VariantSpec


class RaggedTensorSpec(VariantSpec):
    """A ragged tensor: its shape, and how many of its dimensions are ragged."""

    def __init__(self, shape=None, dtype=dtypes.float32, ragged_rank=None, row_splits_dtype=dtypes.int64):
        self._shape, self._dtype = tensor_shape.as_shape(shape), dtypes.as_dtype(dtype)
        self._row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        rank = self._shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError("ragged_rank must be an int")
        if rank is not None and ragged_rank >= rank:
            raise ValueError("ragged_rank must be less than rank.")
        self._ragged_rank = ragged_rank

    value_type = property(lambda self: ragged_tensors.RaggedTensor if self._ragged_rank > 0 else Tensor)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)
    output_class = property(lambda self: self)

    def _serialize(self):
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    @property
    def _component_specs(self):
        if self._ragged_rank == 0:
            return [TensorSpec(self._shape, self._dtype)]
        flat = tensor_shape.TensorShape([None]).concatenate(self._shape[self._ragged_rank + 1:])
        first = None if self._shape.ndims is None else self._shape.as_list()[0]
        outer = TensorSpec([None if first is None else first + 1], self._row_splits_dtype)
        inner = TensorSpec([None], self._row_splits_dtype)
        return [TensorSpec(flat, self._dtype), outer] + [inner] * (self._ragged_rank - 1)

    def _to_components(self, value):
        if isinstance(value, ragged_tensors.RaggedTensor):
            return [value.flat_values] + list(value.nested_row_splits)
        return [value]

    def _from_components(self, components):
        return ragged_tensors.RaggedTensor.from_nested_row_splits(components[0], components[1:], validate=False)

    def _encoded(self, value, batched):
        with name_scope(None, "RaggedToVariant", []):
            return [apply_op("RaggedTensorToVariant", rt_nested_splits=list(value.nested_row_splits),
                             rt_dense_values=value.flat_values, batched_input=batched)]

    def to_list(self, value):
        return self._encoded(value, False)

    def to_batched_list(self, value):
        return self._encoded(value, True)

    def from_list(self, tensors):
        if self._ragged_rank <= 0:
            raise ValueError("ragged_rank must be non-negative; got %s." % self._ragged_rank)
        with name_scope(None, "RaggedFromVariant", []):
            splits, flat = apply_op("RaggedTensorFromVariant", encoded_ragged=tensors[0], input_ragged_rank=-1,
                                    output_ragged_rank=self._ragged_rank, Tvalues=self._dtype, Tsplits=dtypes.int64)
            result = ragged_tensors.RaggedTensor.from_nested_row_splits(flat, splits, validate=False)
        if self._shape.ndims is not None:
            first = self._shape.as_list()[0]
            if first is not None:
                result.row_splits.set_shape([first + 1])
            result.flat_values.set_shape(tensor_shape.TensorShape([None]).concatenate(self._shape[1 + self._ragged_rank:]))
        return result

    def batched(self, size):
        return RaggedTensorSpec(tensor_shape.TensorShape([size]).concatenate(self._shape), self._dtype, self._ragged_rank + 1)

    def unbatched(self):
        return RaggedTensorSpec(self._shape[1:], self._dtype, self._ragged_rank - 1)

    @classmethod
    def from_value(cls, value):
        return cls(value.shape, value.values.dtype, value.ragged_rank, value.row_splits.dtype)

    @classmethod
    def from_invariant(cls, value, shape):
        return cls(shape, value.dtype, value.ragged_rank, value.row_splits.dtype)


class IndexedSlicesSpec(structure.TypeSpec):
    """Slices of a tensor, and where they stand in it."""

    value_type = property(lambda self: ops.IndexedSlices)

    def __init__(self, shape=None, dtype=dtypes.float32, indices_dtype=dtypes.int64, dense_shape_dtype=None,
                 indices_shape=None):
        self._shape, self._values_dtype = tensor_shape.as_shape(shape), dtypes.as_dtype(dtype)
        self._indices_dtype = dtypes.as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype)
        self._indices_shape = tensor_shape.as_shape(indices_shape).with_rank(1)

    def _serialize(self):
        return self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape

    @property
    def _component_specs(self):
        specs = [TensorSpec(self._indices_shape.concatenate(self._shape[1:]), self._values_dtype),
                 TensorSpec(self._indices_shape, self._indices_dtype)]
        if self._dense_shape_dtype is not None:
            specs.append(TensorSpec([self._shape.ndims], self._dense_shape_dtype))
        return tuple(specs)

    def _to_components(self, value):
        parts = (value.values, value.indices)
        return parts if value.dense_shape is None else parts + (value.dense_shape,)

    def _from_components(self, components):
        return ops.IndexedSlices(*components)

    @classmethod
    def _like(cls, value, shape, indices_shape):
        return cls(shape, value.dtype, value.indices.dtype, None if value.dense_shape is None else value.dense_shape.dtype,
                   indices_shape)

    @classmethod
    def from_value(cls, value):
        shape = tensor_shape.TensorShape([None]).concatenate(value.values.shape[1:])
        if value.dense_shape is not None:
            shape = shape.merge_with(ops.constant_value_as_shape(value.dense_shape))
        return cls._like(value, shape, value.indices.shape.merge_with(value.values.shape[:1]))

    @classmethod
    def from_invariant(cls, value, shape):
        """TF: it is the shape of the values."""
        return cls._like(value, tensor_shape.TensorShape([None]).concatenate(shape[1:]), shape[:1])


class TensorArraySpec(VariantSpec):
    """An array of tensors; in lists it is one variant."""

    value_type = property(lambda self: tensor_array.TensorArray)

    def __init__(self, element_shape=None, dtype=dtypes.float32, dynamic_size=False, infer_shape=True):
        self._element_shape, self._dtype = tensor_shape.as_shape(element_shape), dtypes.as_dtype(dtype)
        self._dynamic_size, self._infer_shape = dynamic_size, infer_shape

    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: tensor_shape.TensorShape([self._dynamic_size, self._infer_shape]).concatenate(
        self._element_shape))
    output_class = property(lambda self: tensor_array.TensorArray)

    def flat(self):
        return [(dtypes.variant, tensor_shape.TensorShape([]))]

    def _serialize(self):
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape

    def is_compatible_with(self, other):
        other = other if isinstance(other, structure.TypeSpec) else structure.spec_of(other)
        return isinstance(other, TensorArraySpec) and self._dtype.is_compatible_with(other._dtype) and \
            self._element_shape.is_compatible_with(other._element_shape) and self._dynamic_size == other._dynamic_size

    def most_specific_compatible_type(self, other):
        if not self.is_compatible_with(other):
            raise ValueError("Types are not compatible")
        return TensorArraySpec(self._element_shape.most_specific_compatible_shape(other._element_shape), self._dtype,
                               self._dynamic_size, self._infer_shape and other._infer_shape)

    _component_specs = property(lambda self: [TensorSpec([], dtypes.variant)])

    def _to_components(self, value):
        if not isinstance(value, tensor_array.TensorArray):
            raise TypeError("value must be a TensorArray, but saw: {}".format(type(value)))
        if value.flow is not None and value.flow.dtype == dtypes.variant:
            return [value.flow]
        with name_scope("convert_tensor_array"):
            dims = [-1 if d is None else d for d in value.element_shape.as_list()]
            return [apply_op("TensorListFromTensor", tensor=value.stack(), element_shape=dims)]

    def _from_components(self, components):
        from ..control.list_arrays import ListArray
        result = ListArray(dtype=self._dtype, flow=components[0], dynamic_size=self._dynamic_size,
                           infer_shape=self._infer_shape)
        result._element_shape = [self._element_shape]
        return result

    @staticmethod
    def from_value(value):
        if not isinstance(value, tensor_array.TensorArray):
            raise TypeError("Expected value to be a TensorArray, but saw: {}".format(type(value)))
        return TensorArraySpec(dtype=value.dtype, element_shape=value.element_shape, dynamic_size=value.dynamic_size,
                               infer_shape=value._infer_shape)


class OptionalSpec(VariantSpec):
    """A value that may be missing; in lists it is one variant."""

    value_type = property(lambda self: Optional)

    def __init__(self, value_structure):
        self._value_structure = value_structure

    dtype = shape = output_class = property(lambda self: self)

    def _serialize(self):
        return (self._value_structure,)

    _component_specs = property(lambda self: [TensorSpec((), dtypes.variant)])

    def flat(self):
        return [(dtypes.variant, tensor_shape.TensorShape([]))]

    def _to_components(self, value):
        return [value._variant_tensor]

    def _from_components(self, components):
        return Optional(components[0], self._value_structure)

    @staticmethod
    def from_value(value):
        return OptionalSpec(value.value_structure)


structure.register(ragged_tensors.RaggedTensor, RaggedTensorSpec.from_value)
structure.register(tensor_array.TensorArray, TensorArraySpec.from_value)
structure.register(Optional, OptionalSpec.from_value)

_OF_PARTS = {SparseTensor: structure.SparseTensorSpec, ragged_tensors.RaggedTensor: RaggedTensorSpec,
             ops.IndexedSlices: IndexedSlicesSpec}
for _kind, _spec in _OF_PARTS.items():
    nest.register_composite_spec(_kind, _spec.from_value)


def of_loop_variable(value, shape=None):
    """The spec that a loop variable of several tensors keeps to, where shape is a shape, a spec or None."""
    kind = _OF_PARTS[type(value)]
    spec = kind.from_value(value)
    if shape is None:
        return spec
    if isinstance(shape, structure.TypeSpec):
        if not shape.is_compatible_with(spec):
            raise TypeError("TypeSpec %r is not compatible with %r" % (shape, value))
        return shape
    if not isinstance(shape, tensor_shape.TensorShape):
        raise TypeError("Expected shape to be a TypeSpec or TensorShape, got %r" % shape)
    return kind.from_invariant(value, shape)


# -- their first names, with the arguments the other way round

def TensorStructure(dtype, shape):
    return TensorSpec(shape, dtype)


def SparseTensorStructure(dtype, shape):
    return structure.SparseTensorSpec(shape, dtype)


def TensorArrayStructure(dtype, element_shape, dynamic_size, infer_shape):
    return TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)


def RaggedTensorStructure(dtype, shape, ragged_rank):
    return RaggedTensorSpec(shape, dtype, ragged_rank)


STRUCTURES = dict(TensorStructure=TensorStructure, SparseTensorStructure=SparseTensorStructure,
                  TensorArrayStructure=TensorArrayStructure, RaggedTensorStructure=RaggedTensorStructure,
                  OptionalStructure=OptionalSpec, DatasetStructure=structure.DatasetSpec, Structure=structure.TypeSpec)
