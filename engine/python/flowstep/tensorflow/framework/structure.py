# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What the elements of datasets look like: tuples and dictionaries of specs, and their way through flat lists of tensors."""

import collections

from .. import dtypes
from ..operators import sparse
from ..operators.sparse import SparseTensor, SparseTensorValue
from . import tensor_shape
from .graph import Tensor, name_scope
from .ops import apply_op, convert_to_tensor
from .type_spec import TypeSpec


# -- nests: tuples, named tuples and dictionaries, whose keys are taken in order; lists are values

def is_nested(value):
    return isinstance(value, (tuple, collections.abc.Mapping)) and not isinstance(value, SparseTensorValue)


def flatten(value):
    if isinstance(value, SparseTensorValue):
        return [value]
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in flatten(item)]
    if isinstance(value, collections.abc.Mapping):
        return [leaf for key in sorted(value) for leaf in flatten(value[key])]
    return [value]


def pack(structure, leaves):
    """The leaves in the structure's form."""
    leaves = iter(leaves)

    def build(value):
        if not is_nested(value):
            return next(leaves)
        if isinstance(value, tuple):
            items = [build(item) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        made = {key: build(value[key]) for key in sorted(value)}
        return type(value)((key, made[key]) for key in value)
    return build(structure)


def map_structure(function, structure, *others):
    return pack(structure, [function(*leaves) for leaves in zip(flatten(structure), *[flatten(o) for o in others])])


def flatten_up_to(shallow, value):
    """The parts of a value that stand where the shallow structure has leaves."""
    if not is_nested(shallow):
        return [value]
    if isinstance(shallow, tuple):
        if not isinstance(value, (tuple, list)):
            raise TypeError("If shallow structure is a sequence, input must also be a sequence. Input has type: %s." %
                            type(value))
        if len(shallow) != len(value):
            raise ValueError("The two structures don't have the same sequence length. Input structure has length %s, "
                             "while shallow structure has length %s." % (len(value), len(shallow)))
        return [part for a, b in zip(shallow, value) for part in flatten_up_to(a, b)]
    return [part for key in sorted(shallow) for part in flatten_up_to(shallow[key], value[key])]


def _describe(value):
    return tuple(_describe(v) for v in value) if isinstance(value, tuple) else \
        {k: _describe(v) for k, v in value.items()} if isinstance(value, collections.abc.Mapping) else "."


def assert_same(first, second):
    if _describe(first) != _describe(second):
        raise ValueError("The two structures don't have the same nested structure. First structure: %s. Second "
                         "structure: %s." % (_describe(first), _describe(second)))


# -- specs

class TensorSpec(TypeSpec):
    """A dtype and a shape."""

    def __init__(self, shape, dtype=dtypes.float32, name=None):
        self._shape, self._dtype, self._name = tensor_shape.TensorShape(shape), dtypes.as_dtype(dtype), name

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)
    value_type = property(lambda self: Tensor)
    output_class = Tensor

    def _serialize(self):
        return self._shape, self._dtype, self._name

    def __repr__(self):
        return "TensorSpec(shape={}, dtype={!r}, name={!r})".format(self.shape, self.dtype, self.name)

    @classmethod
    def from_spec(cls, spec, name=None):
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor, name=None):
        if not isinstance(tensor, Tensor):
            raise ValueError("`tensor` should be a tf.Tensor")
        return cls(tensor.shape, tensor.dtype, name or tensor.op.name)

    def is_compatible_with(self, spec_or_tensor):
        return isinstance(spec_or_tensor, (TensorSpec, Tensor)) and \
            self._dtype.is_compatible_with(spec_or_tensor.dtype) and self._shape.is_compatible_with(spec_or_tensor.shape)

    def most_specific_compatible_type(self, other):
        if type(self) is not type(other) or self._dtype != other.dtype:
            raise ValueError("Types are not compatible: %r vs %r" % (self, other))
        return TensorSpec(self._shape.most_specific_compatible_shape(other.shape), self._dtype,
                          self._name if self._name == other.name else None)

    _component_specs = property(lambda self: self)

    def _to_components(self, value):
        return convert_to_tensor(value, self._dtype)

    def _from_components(self, components):
        return components

    def flat(self):
        return [(self.dtype, self.shape)]

    def to_list(self, value):
        return [value]

    to_batched_list = to_list

    def from_list(self, tensors):
        return tensors[0]

    def batched(self, size):
        return type(self)(tensor_shape.TensorShape([size]).concatenate(self.shape), self.dtype)

    def unbatched(self):
        if self.shape.ndims == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return type(self)(self.shape[1:], self.dtype)


class VariantSpec(TypeSpec):
    """What is one variant in lists."""

    def flat(self):
        return [(dtypes.variant, tensor_shape.unknown_shape())]

    def to_list(self, value):
        return self._to_components(value)

    to_batched_list = to_list

    def from_list(self, tensors):
        return self._from_components(tensors)


class SparseTensorSpec(VariantSpec):
    """A sparse tensor."""

    output_class = SparseTensor
    value_type = property(lambda self: SparseTensor)

    def __init__(self, shape=None, dtype=dtypes.float32):
        self._shape, self._dtype = tensor_shape.as_shape(shape), dtypes.as_dtype(dtype)

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    batched, unbatched = TensorSpec.batched, TensorSpec.unbatched

    def _serialize(self):
        return self._shape, self._dtype

    @property
    def _component_specs(self):
        rank = self._shape.ndims
        return [TensorSpec([None, rank], dtypes.int64), TensorSpec([None], self._dtype), TensorSpec([rank], dtypes.int64)]

    def _to_components(self, value):
        value = SparseTensor.from_value(value)
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, components):
        return SparseTensor(*components)

    @classmethod
    def from_value(cls, value):
        if not isinstance(value, (SparseTensor, SparseTensorValue)):
            raise TypeError("Expected SparseTensor or SparseTensorValue")
        value = SparseTensor.from_value(value)
        return cls(value.shape, value.dtype)

    @classmethod
    def from_invariant(cls, value, shape):
        """TF: it is the shape of the shape."""
        if shape.ndims not in (None, 1):
            raise ValueError("Expected a shape with 1 dimension")
        return cls(tensor_shape.unknown_shape(tensor_shape.dimension_value(shape[0])), value.dtype)

    def to_list(self, value):
        value = sparse.to_sparse(value)
        return [apply_op("SerializeSparse", sparse_indices=value.indices, sparse_values=value.values,
                         sparse_shape=value.dense_shape, out_type=dtypes.variant)]

    def to_batched_list(self, value):
        return [apply_op("SerializeManySparse", sparse_indices=value.indices, sparse_values=value.values,
                         sparse_shape=value.dense_shape, out_type=dtypes.variant)]

    def from_list(self, tensors):
        indices, values, dims = apply_op("DeserializeSparse", serialized_sparse=tensors[0], dtype=self.dtype)
        result = SparseTensor(indices, values, dims)
        result.indices.set_shape([None, self.shape.ndims])
        result.dense_shape.set_shape([self.shape.ndims])
        return result


class DatasetSpec(VariantSpec):
    """A dataset of elements."""

    def __init__(self, element_spec, dataset_shape=()):
        self._element_spec, self._dataset_shape = element_spec, tensor_shape.as_shape(dataset_shape)

    element_spec = property(lambda self: self._element_spec)
    # What datasets once said of their elements was for each of them the spec itself.
    dtype = shape = output_class = property(lambda self: self)

    @property
    def value_type(self):
        from ..inputs import datasets
        return datasets.VariantDataset

    def _serialize(self):
        return self._element_spec, self._dataset_shape

    _component_specs = property(lambda self: TensorSpec(self._dataset_shape, dtypes.variant))

    def flat(self):
        return [(dtypes.variant, self._dataset_shape)]

    def _to_components(self, value):
        return [value._variant_tensor]

    def _from_components(self, components):
        from ..inputs import datasets
        return datasets.VariantDataset(components[0], self._element_spec)

    def batched(self, size):
        return DatasetSpec(self._element_spec, tensor_shape.TensorShape([size]).concatenate(self._dataset_shape))

    def unbatched(self):
        if self._dataset_shape.ndims == 0:
            raise ValueError("Unbatching a dataset is only supported for rank >= 1")
        return DatasetSpec(self._element_spec, self._dataset_shape[1:])

    @staticmethod
    def from_value(value):
        return DatasetSpec(value.element_spec)


# Of which spec a value of a class is: (class, function of the value)
_KINDS = []


def register(kind, function):
    _KINDS.append((kind, function))


def spec_of(value, fallback=True):
    """The specs of an element."""
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype.base_dtype)
    if isinstance(value, (SparseTensor, SparseTensorValue)):
        value = SparseTensor.from_value(value)
        return SparseTensorSpec(value.shape, value.dtype)
    for kind, function in _KINDS:
        if isinstance(value, kind):
            return function(value)
    if hasattr(value, "_variant_tensor"):
        return DatasetSpec(value.element_spec)
    if isinstance(value, dict):
        return type(value)((k, spec_of(v)) for k, v in value.items())
    if isinstance(value, tuple):
        parts = [spec_of(v) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if not fallback:
        return None
    try:
        return spec_of(convert_to_tensor(value))
    except (ValueError, TypeError):
        raise TypeError("Could not build a TypeSpec for %r with type %s" % (value, type(value).__name__)) from None


def normalize(element):
    """The element with its values made tensors."""
    made = []
    with name_scope("normalize_element"):
        for i, value in enumerate(flatten(element)):
            if isinstance(value, SparseTensorValue):
                made.append(SparseTensor.from_value(value))
            elif isinstance(value, (SparseTensor,) + tuple(kind for kind, _ in _KINDS)) or hasattr(value, "_variant_tensor"):
                made.append(value)
            else:
                made.append(convert_to_tensor(value, name="component_%d" % i))
    return pack(element, made)


def to_list(spec, element):
    assert_same(spec, element)
    return [t for s, value in zip(flatten(spec), flatten(element)) for t in s.to_list(value)]


def to_batched_list(spec, element):
    return [t for s, value in zip(flatten(spec), flatten(element)) for t in s.to_batched_list(value)]


def from_list(spec, tensors):
    return pack(spec, [s.from_list([t]) for s, t in zip(flatten(spec), tensors)])


def flat(spec):
    """(dtype, shape) of each tensor of the list."""
    return [pair for s in flatten(spec) for pair in s.flat()]


def types(spec):
    return map_structure(lambda s: s.dtype, spec)


def shapes(spec):
    return map_structure(lambda s: s.shape, spec)


def classes(spec):
    return map_structure(lambda s: s.output_class, spec)


def from_legacy(kinds, dims, of_classes=None):
    """Specs of the three structures that datasets once had."""
    flat_types = [dtypes.as_dtype(d) for d in flatten(kinds)]
    flat_shapes = flatten_up_to(kinds, dims) if dims is not None else [None] * len(flat_types)
    flat_classes = flatten(of_classes) if of_classes is not None else [Tensor] * len(flat_types)
    made = []
    for kind, shape, of_class in zip(flat_types, flat_shapes, flat_classes):
        if isinstance(of_class, TypeSpec):
            made.append(of_class)
        elif isinstance(of_class, type) and issubclass(of_class, SparseTensor):
            made.append(SparseTensorSpec(shape, kind))
        else:
            made.append(TensorSpec(shape, kind))
    return pack(kinds, made)


def arguments(element):
    """What a function that is given the element gets: tuples in parts."""
    return element if type(element) is tuple else (element,)


