# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.TypeSpec: of which type a value is, and what of it has to be the same for two to be compatible."""

import abc

from .. import dtypes
from . import tensor_shape

_COMPARED = (tensor_shape.TensorShape, dtypes.DType)


def _key(value):
    """Something to compare by that can be hashed."""
    if isinstance(value, tensor_shape.TensorShape):
        return None if value.ndims is None else tuple(value.as_list())
    if isinstance(value, tuple):
        return tuple(_key(v) for v in value)
    if isinstance(value, dict):
        return tuple((key, _key(value[key])) for key in sorted(value))
    return value


def _are_compatible(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(_are_compatible(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        return sorted(a) == sorted(b) and all(_are_compatible(a[key], b[key]) for key in a)
    return a.is_compatible_with(b) if isinstance(a, _COMPARED + (TypeSpec,)) else a == b


def _in_common(a, b):
    """What holds of both."""
    wrong = ValueError("Types are not compatible: %r vs %r" % (a, b))
    if type(a) is not type(b):
        raise wrong
    if isinstance(a, tuple):
        if len(a) != len(b):
            raise wrong
        return tuple(_in_common(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        if sorted(a) != sorted(b):
            raise wrong
        return {key: _in_common(a[key], b[key]) for key in sorted(a)}
    if isinstance(a, tensor_shape.TensorShape):
        return a.most_specific_compatible_shape(b)
    if isinstance(a, TypeSpec):
        return a.most_specific_compatible_type(b)
    if a != b:
        raise wrong
    return a


class TypeSpec(metaclass=abc.ABCMeta):
    """Base of what says which values there are; _serialize () is what tells two apart."""

    @property
    @abc.abstractmethod
    def value_type(self):
        raise NotImplementedError("%s.value_type" % type(self).__name__)

    @abc.abstractmethod
    def _serialize(self):
        raise NotImplementedError("%s._serialize()" % type(self).__name__)

    @abc.abstractmethod
    def _to_components(self, value):
        raise NotImplementedError("%s._to_components()" % type(self).__name__)

    @abc.abstractmethod
    def _from_components(self, components):
        raise NotImplementedError("%s._from_components()" % type(self).__name__)

    @property
    @abc.abstractmethod
    def _component_specs(self):
        raise NotImplementedError("%s._component_specs()" % type(self).__name__)

    def is_compatible_with(self, spec_or_value):
        if not isinstance(spec_or_value, TypeSpec):
            from . import structure
            spec_or_value = structure.spec_of(spec_or_value)
        return type(self) is type(spec_or_value) and _are_compatible(self._serialize(), spec_or_value._serialize())

    def most_specific_compatible_type(self, other):
        if type(self) is not type(other):
            raise ValueError("No TypeSpec is compatible with both %s and %s" % (self, other))
        return type(self)(*_in_common(self._serialize(), other._serialize()))

    def __eq__(self, other):
        return type(other) is type(self) and _key(self._serialize()) == _key(other._serialize())

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((type(self).__name__, _key(self._serialize())))

    def __reduce__(self):
        return type(self), self._serialize()

    def __repr__(self):
        return "%s%r" % (type(self).__name__, self._serialize())
