# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Static shapes: TensorShape and Dimension, as version 1 shows them."""

from .. import dtypes


class Dimension:
    """One dimension: a number, or None where it is unknown."""

    def __init__(self, value):
        if value is None:
            self._value = None
            return
        if isinstance(value, Dimension):
            self._value = value._value
            return
        if isinstance(value, dtypes.DType):
            raise TypeError("Cannot convert %s to Dimension" % value)
        self._value = int(value)
        if not isinstance(value, str) and self._value != value:
            raise ValueError("Ambiguous dimension: %s" % value)
        if self._value < 0:
            raise ValueError("Dimension %d must be >= 0" % self._value)

    value = property(lambda self: self._value)

    def __repr__(self):
        return "Dimension(%s)" % repr(self._value)

    def __str__(self):
        return "?" if self._value is None else str(self._value)

    def __eq__(self, other):
        try:
            other = as_dimension(other)
        except (TypeError, ValueError):
            return NotImplemented
        if self._value is None or other._value is None:
            return None
        return self._value == other._value

    def __ne__(self, other):
        equal = self.__eq__(other)
        return equal if equal is None or equal is NotImplemented else not equal

    def __int__(self):
        return self._value

    def __index__(self):
        return self._value

    def _with(self, other, function):
        """TF: what is no dimension may know itself how it goes with one."""
        try:
            other = as_dimension(other)._value
        except (TypeError, ValueError):
            return NotImplemented
        if self._value is None or other is None:
            return Dimension(None)
        return Dimension(function(self._value, other))

    def _compare(self, other, function):
        other = as_dimension(other)._value
        return None if self._value is None or other is None else function(self._value, other)

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other):
        return as_dimension(other) - self

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __floordiv__(self, other):
        return self._with(other, lambda a, b: a // b)

    def __rfloordiv__(self, other):
        return as_dimension(other) // self

    def __div__(self, other):
        return self // other

    def __truediv__(self, other):
        raise TypeError("unsupported operand type(s) for /: 'Dimension' and '%s', please use // instead" %
                        type(other).__name__)

    def __rtruediv__(self, other):
        raise TypeError("unsupported operand type(s) for /: '%s' and 'Dimension', please use // instead" %
                        type(other).__name__)

    def __mod__(self, other):
        other = as_dimension(other)
        return self._with(other, lambda a, b: a % b)

    def __rmod__(self, other):
        return as_dimension(other) % self

    def __lt__(self, other):
        return self._compare(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._compare(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._compare(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._compare(other, lambda a, b: a >= b)

    def is_compatible_with(self, other):
        try:
            other = as_dimension(other)._value
        except (TypeError, ValueError):
            return NotImplemented
        return self._value is None or other is None or self._value == other

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError("Dimensions %s and %s are not compatible" % (self, as_dimension(other)))

    def merge_with(self, other):
        other = as_dimension(other)
        self.assert_is_compatible_with(other)
        return other if self._value is None else self


def as_dimension(value):
    return value if isinstance(value, Dimension) else Dimension(value)


def dimension_value(value):
    return value.value if isinstance(value, Dimension) else value


class TensorShape:
    """A shape: dims is None where not even the rank is known."""

    def __init__(self, dims):
        if dims is None:
            self._dims = None
        elif isinstance(dims, TensorShape):
            self._dims = dims._dims
        elif isinstance(dims, (str, bytes)):
            raise TypeError("A string has ambiguous TensorShape, please wrap in a list or convert to an int: %s" % dims)
        elif hasattr(dims, "dim") and hasattr(dims, "unknown_rank"):
            self._dims = None if dims.unknown_rank else \
                [Dimension(d.size if d.size != -1 else None) for d in dims.dim]
        else:
            try:
                items = iter(dims)
            except TypeError:
                items = [dims]
            self._dims = [as_dimension(d) for d in items]

    dims = property(lambda self: self._dims)
    ndims = property(lambda self: None if self._dims is None else len(self._dims))
    rank = ndims

    def __repr__(self):
        return "TensorShape(%r)" % self._dims

    def __str__(self):
        if self._dims is None:
            return "<unknown>"
        if len(self._dims) == 1:
            return "(%s,)" % self._dims[0]
        return "(%s)" % ", ".join(str(d) for d in self._dims)

    def __len__(self):
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self):
        return self._dims is not None

    def __iter__(self):
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._dims)

    def __getitem__(self, key):
        if self._dims is not None:
            return TensorShape(self._dims[key]) if isinstance(key, slice) else self._dims[key]
        if not isinstance(key, slice):
            return Dimension(None)
        start, stop = key.start or 0, key.stop
        if key.step is not None:
            raise ValueError("Steps are not yet handled")
        if stop is None or stop < 0 or start < 0:
            return unknown_shape()
        return unknown_shape(max(stop - start, 0))

    def __eq__(self, other):
        try:
            other = as_shape(other)
        except TypeError:
            return NotImplemented
        if self._dims is None or other._dims is None:
            return self._dims is None and other._dims is None
        # TF: an unknown dimension is equal to nothing but itself.
        return self._dims == other._dims

    def __ne__(self, other):
        other = as_shape(other)
        if self.ndims is None or other.ndims is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return not self == other

    def __add__(self, other):
        return self.concatenate(as_shape(other))

    def __radd__(self, other):
        return as_shape(other).concatenate(self)

    def __reduce__(self):
        return TensorShape, (None if self._dims is None else [d.value for d in self._dims],)

    def num_elements(self):
        if not self.is_fully_defined():
            return None
        count = 1
        for d in self._dims:
            count *= d.value
        return count

    def merge_with(self, other):
        other = as_shape(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return self
        try:
            self.assert_same_rank(other)
            return TensorShape([a.merge_with(b) for a, b in zip(self._dims, other._dims)])
        except ValueError:
            raise ValueError("Shapes %s and %s are not compatible" % (self, other)) from None

    def concatenate(self, other):
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return unknown_shape()
        return TensorShape(self._dims + other._dims)

    def assert_same_rank(self, other):
        other = as_shape(other)
        if self.ndims is not None and other.ndims is not None and self.ndims != other.ndims:
            raise ValueError("Shapes %s and %s must have the same rank" % (self, other))

    def assert_has_rank(self, rank):
        if self.ndims not in (None, rank):
            raise ValueError("Shape %s must have rank %d" % (self, rank))

    def with_rank(self, rank):
        try:
            return self.merge_with(unknown_shape(rank))
        except ValueError:
            raise ValueError("Shape %s must have rank %d" % (self, rank)) from None

    def with_rank_at_least(self, rank):
        if self.ndims is not None and self.ndims < rank:
            raise ValueError("Shape %s must have rank at least %d" % (self, rank))
        return self

    def with_rank_at_most(self, rank):
        if self.ndims is not None and self.ndims > rank:
            raise ValueError("Shape %s must have rank at most %d" % (self, rank))
        return self

    def is_compatible_with(self, other):
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        return len(self._dims) == len(other._dims) and \
            all(a.is_compatible_with(b) for a, b in zip(self._dims, other._dims))

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError("Shapes %s and %s are incompatible" % (self, other))

    def most_specific_compatible_shape(self, other):
        other = as_shape(other)
        if self._dims is None or other._dims is None or self.ndims != other.ndims:
            return unknown_shape()
        return TensorShape([a if a._value is not None and a == b else None for a, b in zip(self._dims, other._dims)])

    def is_fully_defined(self):
        return self._dims is not None and all(d.value is not None for d in self._dims)

    def assert_is_fully_defined(self):
        if not self.is_fully_defined():
            raise ValueError("Shape %s is not fully defined" % self)

    def as_list(self):
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return [d.value for d in self._dims]

    def as_proto(self):
        from . import proto
        if self._dims is None:
            return proto.TensorShapeProto(unknown_rank=True)
        return proto.TensorShapeProto(dim=[{"size": -1 if d.value is None else d.value} for d in self._dims])


def as_shape(value):
    return value if isinstance(value, TensorShape) else TensorShape(value)


def unknown_shape(ndims=None):
    return TensorShape(None) if ndims is None else TensorShape([None] * ndims)


def scalar():
    return TensorShape([])
