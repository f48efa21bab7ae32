# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Convolutions that keep lengths: initializers of tf.contrib.framework whose kernels are orthogonal as maps of pictures."""

import itertools

from .. import dtypes
from ..framework import ops
from ..operators import array_ops, linalg, math_ops, random_ops
from ..state import initializers

_RANKS = ("three", "four", "five")


def _orthogonal_matrix(size, dtype, seed, **keywords):
    q, r = ops.apply_op("Qr", input=random_ops.random_normal([size, size], dtype=dtype, seed=seed), **keywords)
    d = array_ops.diag_part(r)
    q *= math_ops.sign(d)
    return q


class _OfKernels(initializers.Initializer):
    def __init__(self, gain=1.0, seed=None, dtype=dtypes.float32):
        self.gain, self.seed, self.dtype = gain, seed, initializers._float_dtype(dtype)

    def get_config(self):
        return {"gain": self.gain, "seed": self.seed, "dtype": self.dtype.name}


class ConvolutionDeltaOrthogonal(_OfKernels):
    """An orthogonal matrix in the middle, nothing around it."""

    def __call__(self, shape, dtype=None, partition_info=None):
        dtype = dtype or self.dtype
        if not 3 <= len(shape) <= 5:
            raise ValueError("The tensor to initialize must be at least three-dimensional and at most five-dimensional")
        if shape[-2] > shape[-1]:
            raise ValueError("In_filters cannot be greater than out_filters.")
        q = _orthogonal_matrix(shape[-1], dtype, self.seed, full_matrices=False)
        q = q[:shape[-2], :]
        q *= math_ops.cast(self.gain, dtype=dtype)
        return array_ops.scatter_nd([[(size - 1) // 2 for size in shape[:-2]]], array_ops.expand_dims(q, 0), shape)


class _ConvolutionOrthogonal(_OfKernels):
    """A product of small orthogonal kernels; a kernel is a dictionary of matrices by their place."""

    RANK = None

    def __call__(self, shape, dtype=None, partition_info=None):
        dtype = dtype or self.dtype
        if len(shape) != self.RANK + 2:
            raise ValueError("The tensor to initialize must be %s-dimensional" % _RANKS[self.RANK - 1])
        if shape[-2] > shape[-1]:
            raise ValueError("In_filters cannot be greater than out_filters.")
        if len(set(shape[:-2])) > 1:
            raise ValueError("Kernel sizes must be equal.")
        kernel = self._kernel(*shape[-3:])
        kernel *= math_ops.cast(self.gain, dtype=dtype)
        return kernel

    def _next_seed(self):
        seed = self.seed
        if seed:
            self.seed += 1
        return seed

    def _matrix(self, size):
        return _orthogonal_matrix(size, self.dtype, self._next_seed())

    def _projection(self, size):
        q = self._matrix(size)
        mask = math_ops.cast(random_ops.random_normal([size], seed=self._next_seed()) > 0, self.dtype)
        chosen = math_ops.multiply(q, mask)
        return math_ops.matmul(chosen, linalg.matrix_transpose(chosen))

    def _block(self, size):
        """A kernel of two to each side."""
        projections = [self._projection(size) for _ in range(self.RANK)]
        return self._of_projections(linalg.eye(size, dtype=self.dtype), *projections)

    def _product(self, one, other, size):
        length, other_length = (round(len(kernel) ** (1 / self.RANK)) for kernel in (one, other))
        found = {}
        for at in itertools.product(range(length + other_length - 1), repeat=self.RANK):
            found[at] = array_ops.zeros([size, size], self.dtype)
            for first in itertools.product(*(range(min(length, i + 1)) for i in at)):
                second = tuple(i - j for i, j in zip(at, first))
                if max(second) < other_length:
                    found[at] += math_ops.matmul(one[first], other[second])
        return found

    def _stacked(self, kernel, length, at=()):
        if len(at) == self.RANK:
            return kernel[at]
        return array_ops.stack([self._stacked(kernel, length, at + (i,)) for i in range(length)])

    def _kernel(self, length, inputs, outputs):
        rows = self._matrix(outputs)[0:inputs, :]
        if length == 1:
            for _ in range(self.RANK):
                rows = array_ops.expand_dims(rows, 0)
            return rows
        kernel = self._block(outputs)
        for _ in range(length - 2):
            kernel = self._product(kernel, self._block(outputs), outputs)
        kernel = {at: math_ops.matmul(rows, kernel[at]) for at in itertools.product(range(length), repeat=self.RANK)}
        return self._stacked(kernel, length)


class ConvolutionOrthogonal1D(_ConvolutionOrthogonal):
    RANK = 1

    def _of_projections(self, eye, p):
        return {(0,): p, (1,): eye - p}


class ConvolutionOrthogonal2D(_ConvolutionOrthogonal):
    RANK = 2

    def _of_projections(self, eye, p1, p2):
        return {(0, 0): math_ops.matmul(p1, p2), (0, 1): math_ops.matmul(p1, eye - p2),
                (1, 0): math_ops.matmul(eye - p1, p2), (1, 1): math_ops.matmul(eye - p1, eye - p2)}


class ConvolutionOrthogonal3D(_ConvolutionOrthogonal):
    RANK = 3

    def _of_projections(self, eye, *projections):
        def of(at):
            p1, p2, p3 = (i * p + (1 - i) * (eye - p) for i, p in zip(at, projections))
            return math_ops.matmul(math_ops.matmul(p1, p2), p3)
        return {at: of(at) for at in itertools.product((0, 1), repeat=3)}


convolutional_delta_orthogonal = ConvolutionDeltaOrthogonal
convolutional_orthogonal_1d = ConvolutionOrthogonal1D
convolutional_orthogonal_2d = ConvolutionOrthogonal2D
convolutional_orthogonal_3d = ConvolutionOrthogonal3D
