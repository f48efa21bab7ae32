# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What the elements of datasets look like: tuples and dictionaries of specs, and their way through flat lists of tensors."""

import collections

from . import dtypes, sparse, tensor_shape
from .graph import Tensor, name_scope
from .ops import apply_op, convert_to_tensor
from .sparse import SparseTensor, SparseTensorValue


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

class TensorSpec:
    """A dtype and a shape."""

    def __init__(self, shape, dtype=dtypes.float32, name=None):
        self.shape, self.dtype, self.name = tensor_shape.TensorShape(shape), dtypes.as_dtype(dtype), name

    output_class = Tensor

    def __eq__(self, other):
        return type(self) is type(other) and self.dtype == other.dtype and str(self.shape) == str(other.shape)

    def __hash__(self):
        return hash((self.dtype, str(self.shape)))

    def __repr__(self):
        return "TensorSpec(shape=%s, dtype=%r, name=%r)" % (self.shape, self.dtype, self.name)

    @classmethod
    def from_tensor(cls, tensor, name=None):
        return cls(tensor.shape, tensor.dtype, name or tensor.op.name)

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


class SparseTensorSpec(TensorSpec):
    """A sparse tensor; in lists it is one variant."""

    output_class = SparseTensor

    def flat(self):
        return [(dtypes.variant, tensor_shape.unknown_shape())]

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


class DatasetSpec(TensorSpec):
    """A dataset of elements; in lists it is one variant."""

    def __init__(self, element_spec):
        super().__init__([], dtypes.variant)
        self.element_spec = element_spec

    def __eq__(self, other):
        return isinstance(other, DatasetSpec) and self.element_spec == other.element_spec

    __hash__ = TensorSpec.__hash__

    @property
    def output_class(self):
        return type(self)

    def to_list(self, value):
        return [value._variant_tensor]

    def from_list(self, tensors):
        from . import datasets
        return datasets.VariantDataset(tensors[0], self.element_spec)


def spec_of(value, fallback=True):
    """The specs of an element."""
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype.base_dtype)
    if isinstance(value, (SparseTensor, SparseTensorValue)):
        value = SparseTensor.from_value(value)
        return SparseTensorSpec(value.shape, value.dtype)
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
            elif isinstance(value, SparseTensor) or hasattr(value, "_variant_tensor"):
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
        if isinstance(of_class, type) and issubclass(of_class, SparseTensor):
            made.append(SparseTensorSpec(shape, kind))
        else:
            made.append(TensorSpec(shape, kind))
    return pack(kinds, made)


def arguments(element):
    """What a function that is given the element gets: tuples in parts."""
    return element if type(element) is tuple else (element,)


