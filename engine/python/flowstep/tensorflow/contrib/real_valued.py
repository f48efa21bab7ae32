# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.layers.real_valued_column: numbers of a feature, as columns were before tf.feature_column; and guessing them."""

import collections

from .. import dtypes
from ..estimators.feature_columns import DenseColumn
from ..framework import tensor_shape
from ..operators import math_ops
from ..operators.parsing import FixedLenFeature
from ..operators.sparse import SparseTensor


class _RealValuedColumn(DenseColumn, collections.namedtuple(
        "_RealValuedColumn", "column_name dimension default_value dtype normalizer")):
    is_v2 = False
    name = property(lambda self: self.column_name)
    normalizer_fn = property(lambda self: self.normalizer)
    variable_shape = property(lambda self: tensor_shape.TensorShape([self.dimension]))

    @property
    def config(self):
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: FixedLenFeature([self.dimension], self.dtype, default)}

    parse_example_spec = config

    @property
    def key(self):
        return "_RealValuedColumn(%s)" % ", ".join(
            "%s=%s" % (name, getattr(self, name)) for name in self._fields if name != "normalizer")

    def transform(self, cache):
        given = cache.get(self.name)
        return math_ops.cast(self.normalizer(given) if self.normalizer else given, dtypes.float32)

    def dense_tensor(self, cache, state):
        return cache.get(self)


def _defaults(given, dimension, dtype, name):
    """The default as a tuple of the dtype's numbers."""
    values = given if isinstance(given, list) else [given] * dimension
    if len(values) != dimension:
        raise ValueError("The length of default_value must be equal to dimension. default_value: {}, dimension: {}, "
                         "column_name: {}".format(given, dimension, name))
    if all(isinstance(value, int) for value in values):
        return tuple(values) if dtype.is_integer else tuple(float(value) for value in values)
    if dtype.is_floating and all(isinstance(value, (int, float)) for value in values):
        return tuple(float(value) for value in values)
    raise TypeError("default_value must be compatible with dtype. default_value: {}, dtype: {}, column_name: {}".format(
        given, dtype, name))


def real_valued_column(column_name, dimension=1, default_value=None, dtype=dtypes.float32, normalizer=None):
    if dimension is None:
        raise TypeError("dimension must be an integer. Use the _real_valued_var_len_column for variable length features."
                        "dimension: {}, column_name: {}".format(dimension, column_name))
    if not isinstance(dimension, int):
        raise TypeError("dimension must be an integer. dimension: {}, column_name: {}".format(dimension, column_name))
    if dimension < 1:
        raise ValueError("dimension must be greater than 0. dimension: {}, column_name: {}".format(dimension, column_name))
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError("dtype must be convertible to float. dtype: {}, column_name: {}".format(dtype, column_name))
    if default_value is not None:
        default_value = _defaults(default_value, dimension, dtype, column_name)
    return _RealValuedColumn(column_name, dimension, default_value, dtype, normalizer)


def _inferred(name, tensor):
    if isinstance(tensor, SparseTensor):
        raise ValueError("SparseTensor is not supported for auto detection. Please define corresponding FeatureColumn for "
                         "tensor {} {}.", name, tensor)
    if not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        raise ValueError("Non integer or non floating types are not supported for auto detection. Please define "
                         "corresponding FeatureColumn for tensor {} {}.", name, tensor)
    dimension = 1
    for size in tensor.shape.as_list()[1:]:
        dimension *= size
    return real_valued_column(name, dimension=dimension, dtype=tensor.dtype)


def infer_real_valued_columns(features):
    if not isinstance(features, dict):
        return [_inferred("", features)]
    return [_inferred(name, tensor) for name, tensor in features.items()]
