# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers that put several tensors together."""

import functools
import operator

from ... import nn
from ...operators import array_ops, math_ops
from .. import backend
from ..base_layer import Layer


def _dims(shapes):
    return [None if s.ndims is None else s.as_list() for s in shapes]


class _Merge(Layer):
    def __init__(self, **keywords):
        super().__init__(**keywords)
        self.supports_masking = True

    def build(self, input_shape):
        if not isinstance(input_shape, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        if len(input_shape) < 2:
            raise ValueError("A merge layer should be called on a list of at least 2 inputs. Got " +
                             str(len(input_shape)) + " inputs.")
        dims = _dims(input_shape)
        if len({d[0] for d in dims if d is not None} - {None}) > 1:
            raise ValueError("Can not merge tensors with different batch sizes. Got tensors with shapes : " +
                             str([tuple(d) for d in dims]))
        for other in dims[1:]:
            for i, j in zip(reversed(dims[0][1:]), reversed(other[1:])):
                if None not in (i, j) and i != j and 1 not in (i, j):
                    raise ValueError("Operands could not be broadcast together with shapes " + str(tuple(dims[0][1:])) +
                                     " " + str(tuple(other[1:])))

    def call(self, inputs):
        if not isinstance(inputs, list):
            raise ValueError("A merge layer should be called on a list of inputs.")
        ranks = [x.shape.ndims for x in inputs]
        if None not in ranks and len(set(ranks)) > 1:
            grown = []
            for x, rank in zip(inputs, ranks):
                for _ in range(max(ranks) - rank):
                    x = array_ops.expand_dims(x, axis=1)
                grown.append(x)
            inputs = grown
        return self._merge_function(inputs)

    def compute_mask(self, inputs, mask=None):
        if mask is None or all(m is None for m in mask):
            return None
        masks = [array_ops.expand_dims(m, axis=0) for m in mask if m is not None]
        return backend.all(backend.concatenate(masks, axis=0), axis=0, keepdims=False)


class Add(_Merge):
    def _merge_function(self, inputs):
        return functools.reduce(operator.add, inputs)


class Subtract(_Merge):
    def _merge_function(self, inputs):
        if len(inputs) != 2:
            raise ValueError("A `Subtract` layer should be called on exactly 2 inputs")
        return inputs[0] - inputs[1]


class Multiply(_Merge):
    def _merge_function(self, inputs):
        return functools.reduce(operator.mul, inputs)


class Average(_Merge):
    def _merge_function(self, inputs):
        return functools.reduce(operator.add, inputs) / len(inputs)


class Maximum(_Merge):
    def _merge_function(self, inputs):
        return functools.reduce(math_ops.maximum, inputs)


class Minimum(_Merge):
    def _merge_function(self, inputs):
        return functools.reduce(math_ops.minimum, inputs)


class Concatenate(_Merge):
    def __init__(self, axis=-1, **keywords):
        super().__init__(**keywords)
        self.axis = axis

    def build(self, input_shape):
        if not isinstance(input_shape, list) or len(input_shape) < 2:
            raise ValueError("A `Concatenate` layer should be called on a list of at least 2 inputs")
        dims = [d for d in _dims(input_shape) if d is not None]
        others = [d[:self.axis] + d[self.axis:][1:] for d in dims]
        if len({tuple(d) for d in others}) > 1:
            raise ValueError("A `Concatenate` layer requires inputs with matching shapes except for the concat axis. Got "
                             "inputs shapes: %s" % [tuple(d) for d in dims])

    def call(self, inputs):
        return backend.concatenate(inputs, axis=self.axis)

    def compute_mask(self, inputs, mask=None):
        if mask is None or all(m is None for m in mask):
            return None
        masks = []
        for x, m in zip(inputs, mask):
            if m is None:
                masks.append(array_ops.ones_like(x, dtype="bool"))
            else:
                masks.append(array_ops.expand_dims(m, axis=-1) if m.shape.ndims < x.shape.ndims else m)
        return backend.all(backend.concatenate(masks, axis=self.axis), axis=-1, keepdims=False)


class Dot(_Merge):
    def __init__(self, axes, normalize=False, **keywords):
        super().__init__(**keywords)
        if not isinstance(axes, int) and len(axes) != 2:
            raise ValueError("Invalid format for `axes` - should contain two elements.")
        self.axes, self.normalize = axes, normalize

    def _settled(self, ranks):
        axes = [self.axes] * 2 if isinstance(self.axes, int) else self.axes
        return [a % rank if a < 0 else a for a, rank in zip(axes, ranks)]

    def build(self, input_shape):
        if not isinstance(input_shape, list) or len(input_shape) != 2:
            raise ValueError("A `Dot` layer should be called on a list of 2 inputs.")
        first, second = (tuple(d) for d in _dims(input_shape))
        axes = self._settled([len(first), len(second)])
        if first[axes[0]] != second[axes[1]]:
            raise ValueError("Dimension incompatibility %s != %s. Layer shapes: %s, %s" %
                             (first[axes[0]], second[axes[1]], first, second))

    def call(self, inputs):
        axes = self._settled([x.shape.ndims for x in inputs])
        if self.normalize:
            inputs = [nn.l2_normalize(x, axis=a) for x, a in zip(inputs, axes)]
        return backend.batch_dot(inputs[0], inputs[1], axes)

    def compute_mask(self, inputs, mask=None):
        return None


def add(inputs, **keywords):
    return Add(**keywords)(inputs)


def subtract(inputs, **keywords):
    return Subtract(**keywords)(inputs)


def multiply(inputs, **keywords):
    return Multiply(**keywords)(inputs)


def average(inputs, **keywords):
    return Average(**keywords)(inputs)


def maximum(inputs, **keywords):
    return Maximum(**keywords)(inputs)


def minimum(inputs, **keywords):
    return Minimum(**keywords)(inputs)


def concatenate(inputs, axis=-1, **keywords):
    return Concatenate(axis=axis, **keywords)(inputs)


def dot(inputs, axes, normalize=False, **keywords):
    return Dot(axes=axes, normalize=normalize, **keywords)(inputs)
