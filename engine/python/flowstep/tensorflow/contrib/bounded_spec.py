# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.framework.BoundedTensorSpec: what a tensor is like, and between which values it stays."""

import numpy as np

from .. import dtypes
from ..framework.structure import TensorSpec
from ..framework.tensor_shape import TensorShape
from ..names.aliases import broadcast_static_shape


class BoundedTensorSpec(TensorSpec):
    def __init__(self, shape, dtype, minimum, maximum, name=None):
        super().__init__(shape, dtype, name)
        if minimum is None or maximum is None:
            raise ValueError("minimum and maximum must be provided; but saw '%s' and '%s'" % (minimum, maximum))
        self._minimum = self._bound("minimum", minimum)
        self._maximum = self._bound("maximum", maximum)

    def _bound(self, what, value):
        try:
            broadcast_static_shape(TensorShape(np.shape(value)), self.shape)
        except ValueError as error:
            raise ValueError("{} is not compatible with shape. Message: {!r}.".format(what, error)) from None
        bound = np.array(value, dtype=self.dtype.as_numpy_dtype())
        bound.setflags(write=False)
        return bound

    @classmethod
    def from_spec(cls, spec):
        dtype = dtypes.as_dtype(spec.dtype)
        return BoundedTensorSpec(spec.shape, dtype, getattr(spec, "minimum", dtype.min), getattr(spec, "maximum", dtype.max),
                                 spec.name)

    minimum = property(lambda self: self._minimum)
    maximum = property(lambda self: self._maximum)

    def __repr__(self):
        return "BoundedTensorSpec(shape={}, dtype={}, name={}, minimum={}, maximum={})".format(
            self.shape, repr(self.dtype), repr(self.name), repr(self.minimum), repr(self.maximum))

    def __eq__(self, other):
        return (super().__eq__(other) and np.allclose(self.minimum, other.minimum) and
                np.allclose(self.maximum, other.maximum))

    def __hash__(self):
        return super().__hash__()

    def __reduce__(self):
        return BoundedTensorSpec, (self.shape, self.dtype, self._minimum, self._maximum, self.name)
