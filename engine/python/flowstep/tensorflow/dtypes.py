# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Dtypes (tf.float32 and the others)."""

import numpy as np

_NAMES = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string", 8: "complex64",
    9: "int64", 10: "bool", 11: "qint8", 12: "quint8", 13: "qint32", 14: "bfloat16", 15: "qint16", 16: "quint16",
    17: "uint16", 18: "complex128", 19: "float16", 20: "resource", 21: "variant", 22: "uint32", 23: "uint64",
}
_NUMPY = {
    1: np.float32, 2: np.float64, 3: np.int32, 4: np.uint8, 5: np.int16, 6: np.int8, 7: object,
    8: np.complex64, 9: np.int64, 10: type(True), 14: np.uint16, 17: np.uint16, 18: np.complex128, 19: np.float16,
    22: np.uint32, 23: np.uint64, 11: np.int8, 12: np.uint8, 13: np.int32, 15: np.int16, 16: np.uint16,
    20: object, 21: object,
}


_RANGES = {np.uint8: (0, 255), np.uint16: (0, 65535), np.int8: (-128, 127),
           np.int16: (-32768, 32767), np.int64: (-2 ** 63, 2 ** 63 - 1), np.uint64: (0, 2 ** 64 - 1),
           np.int32: (-2 ** 31, 2 ** 31 - 1), np.uint32: (0, 2 ** 32 - 1), np.float32: (-1, 1), np.float64: (-1, 1)}


class DType:
    """A dtype, or the reference to one."""

    def __init__(self, number):
        self._number = number
        self._base = number - 100 if number > 100 else number

    as_datatype_enum = property(lambda self: self._number)
    _is_ref_dtype = property(lambda self: self._number > 100)
    base_dtype = property(lambda self: _DTYPES[self._base])
    real_dtype = property(lambda self: {8: float32, 18: float64}.get(self._base, self.base_dtype))
    _as_ref = property(lambda self: _DTYPES[self._base + 100])
    as_numpy_dtype = property(lambda self: _NUMPY[self._base])
    name = property(lambda self: _NAMES[self._base] + ("_ref" if self._number > 100 else ""))
    is_floating = property(lambda self: self._base in (1, 2, 14, 19))
    is_complex = property(lambda self: self._base in (8, 18))
    is_integer = property(lambda self: self._base in (3, 4, 5, 6, 9, 17, 22, 23))
    is_bool = property(lambda self: self._base == 10)
    is_unsigned = property(lambda self: self._base in (4, 17, 22, 23))
    is_quantized = property(lambda self: self._base in (11, 12, 13, 15, 16))
    is_numpy_compatible = property(lambda self: self._base not in (20, 21))

    @property
    def min(self):
        return self._end("min", "minimum")

    @property
    def max(self):
        return self._end("max", "maximum")

    def _end(self, side, word):
        """The least or greatest value; where numpy knows of none there is none."""
        if self.is_quantized or self.is_complex or not (self.is_floating or self.is_integer):
            raise TypeError("Cannot find %s value of %s." % (word, self))
        return getattr((np.finfo if self.is_floating else np.iinfo)(self.as_numpy_dtype), side)

    @property
    def limits(self, clip_negative=True):
        """What an image of this dtype holds, from black to white."""
        low, high = _RANGES[self.as_numpy_dtype]
        return (0 if clip_negative else low), high

    @property
    def size(self):
        return np.dtype(self.as_numpy_dtype).itemsize

    def is_compatible_with(self, other):
        other = as_dtype(other)
        return self._number in (other._number, other.base_dtype._number)

    def __eq__(self, other):
        if other is None:
            return False
        try:
            return as_dtype(other)._number == self._number
        except TypeError:
            return False

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return self._number

    def __int__(self):
        return self._number

    def __repr__(self):
        return "tf." + self.name

    def __str__(self):
        return "<dtype: %r>" % self.name


_DTYPES = {}
for _number in _NAMES:
    _DTYPES[_number] = DType(_number)
    _DTYPES[_number + 100] = DType(_number + 100)
_BY_NAME = {d.name: d for d in _DTYPES.values()}
_BY_NAME.update({"half": _DTYPES[19], "float": _DTYPES[1], "double": _DTYPES[2], "half_ref": _DTYPES[119]})

float32, float64, int32, uint8, int16, int8, string = (_DTYPES[i] for i in range(1, 8))
complex64, int64, bool, qint8, quint8, qint32, bfloat16 = (_DTYPES[i] for i in range(8, 15))
qint16, quint16, uint16, complex128, float16, resource = (_DTYPES[i] for i in range(15, 21))
variant, uint32, uint64 = (_DTYPES[i] for i in range(21, 24))
half, double = float16, float64

_FROM_NUMPY = {np.dtype(_NUMPY[n]): _DTYPES[n] for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 18, 19, 22, 23)}
# The module also holds what tf.dtypes has, so that some of Python's own names mean something else here.
_PYTHON = {float: float32, type(True): bool, object: string}


def __getattr__(name):
    """References by their names: only the module has them, tf does not."""
    if name.endswith("_ref") and name in _BY_NAME:
        return _BY_NAME[name]
    raise AttributeError("module %r has no attribute %r" % (__name__, name))


def as_dtype(type_value):
    """A DType from a DType, number, name, numpy dtype or Python type."""
    if isinstance(type_value, DType):
        return type_value
    hash(type_value)    # TF: looks it up in a dictionary
    if isinstance(type_value, int) and type_value in _DTYPES:
        return _DTYPES[type_value]
    if isinstance(type_value, str) and type_value in _BY_NAME:
        return _BY_NAME[type_value]
    if isinstance(type_value, type) and type_value in _PYTHON:
        return _PYTHON[type_value]
    if any(type_value is kind for kind in (int, str, bytes, type(1j))):
        raise TypeError("Cannot convert value %r to a TensorFlow DType." % (type_value,))
    # What numpy would take beyond TensorFlow: None for a double, 'a' for bytes.
    if type_value is None or isinstance(type_value, str):
        raise TypeError("Cannot convert value %r to a TensorFlow DType." % (type_value,))
    try:
        kind = np.dtype(type_value)
    except TypeError:
        kind = None
    if kind is not None:
        if kind in _FROM_NUMPY:
            return _FROM_NUMPY[kind]
        if kind.kind in "SUO":
            return string
    raise TypeError("Cannot convert value %r to a TensorFlow DType." % (type_value,))
