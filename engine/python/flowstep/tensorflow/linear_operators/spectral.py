# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Operators whose products are convolutions: circulant, in blocks of up to three dimensions, and Toeplitz."""

import numpy as np

from .. import dtypes
from ..distributions.shapes import rotate_transpose
from ..framework import tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..names import aliases
from ..operators import array_ops, check_ops, linalg, math_ops, signals
from . import batches
from .base import LinearOperator

_FORWARD = {1: signals.fft, 2: signals.fft2d, 3: signals.fft3d}
_BACKWARD = {1: signals.ifft, 2: signals.ifft2d, 3: signals.ifft3d}


def _complex(x):
    if x.dtype.is_complex:
        return x
    return math_ops.cast(x, dtypes.complex128 if x.dtype == dtypes.float64 else dtypes.complex64)


class _Circulant(LinearOperator):
    """What circulant operators of one, two and three dimensions have in common: known by their eigenvalues."""

    def __init__(self, spectrum, input_output_dtype=dtypes.complex64, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=True, name=None):
        name = type(self).__name__ if name is None else name
        self._name = name
        with name_scope(name, values=[spectrum]):
            self._spectrum = convert_to_tensor(spectrum, name="spectrum")
            if self._spectrum.shape.ndims is not None and self._spectrum.shape.ndims < self.block_depth:
                raise ValueError("Argument spectrum must have at least %d dimensions.  Found: %s" % (
                    self.block_depth, self._spectrum))
            if not self.spectrum.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real spectrum always corresponds to a self-adjoint operator.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("A [[nested] block] circulant operator is always square.")
            shape = array_ops.shape(self.spectrum)
            self._block_shape_tensor = shape[-self.block_depth:]
            self._spectrum_complex = _complex(self.spectrum)
            self._abs_spectrum = math_ops.abs(self.spectrum)
            self._conj_spectrum = math_ops.conj(self._spectrum_complex)
            super().__init__(dtypes.as_dtype(input_output_dtype), [self.spectrum], is_non_singular, is_self_adjoint,
                             is_positive_definite, True, name)

    spectrum = property(lambda self: self._spectrum)
    block_shape = property(lambda self: self.spectrum.shape[-self.block_depth:])

    def block_shape_tensor(self):
        return self._block_shape_tensor

    # -- vectors as blocks, and back

    def _blocks(self, matrix):
        vectors = rotate_transpose(matrix, shift=1)
        if vectors.shape.is_fully_defined() and self.block_shape.is_fully_defined():
            shape = vectors.shape[:-1].concatenate(self.block_shape)
        else:
            shape = array_ops.concat((array_ops.shape(vectors)[:-1], self.block_shape_tensor()), 0)
        return array_ops.reshape(vectors, shape)

    def _matrix_of(self, blocks):
        depth = self.block_depth
        if blocks.shape.is_fully_defined():
            dims = blocks.shape.as_list()
            shape = dims[:-depth] + [int(np.prod(dims[-depth:]))]
        else:
            dims = array_ops.shape(blocks)
            leading = dims[:-depth]
            shape = array_ops.concat((leading, [math_ops.reduce_prod(dims[-depth:])]), 0)
        return rotate_transpose(array_ops.reshape(blocks, shape), shift=-1)

    def _fft(self, x):
        return _FORWARD[self.block_depth](_complex(x))

    def _ifft(self, x):
        return _BACKWARD[self.block_depth](_complex(x))

    def convolution_kernel(self, name="convolution_kernel"):
        with self._name_scope(name):
            return math_ops.cast(self._ifft(self._spectrum_complex), self.dtype)

    # -- shapes

    def _shape(self):
        dims = self._spectrum.shape
        trailing = dims[-self.block_depth:]
        n = int(np.prod(trailing.as_list())) if trailing.is_fully_defined() else None
        return dims[:-self.block_depth].concatenate(tensor_shape.TensorShape([n, n]))

    def _shape_tensor(self):
        dims = array_ops.shape(self._spectrum)
        batch = dims[:-self.block_depth]
        n = math_ops.reduce_prod(dims[-self.block_depth:])
        return array_ops.concat((batch, [n, n]), 0)

    # -- checks

    def assert_hermitian_spectrum(self, name="assert_hermitian_spectrum"):
        eps = np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps
        with self._name_scope(name):
            largest = eps * self.domain_dimension_tensor()
            imaginary = math_ops.imag(self.convolution_kernel())
            return check_ops.assert_less(math_ops.abs(imaginary), largest, message="Spectrum was not Hermitian")

    def _assert_non_singular(self):
        return batches.assert_no_entries_with_modulus_zero(
            self.spectrum, message="Singular operator:  Spectrum contained zero values.")

    def _assert_positive_definite(self):
        return check_ops.assert_positive(
            math_ops.real(self.spectrum), message="Not positive definite:  Real part of spectrum was not all positive.")

    def _assert_self_adjoint(self):
        return batches.assert_zero_imag_part(
            self.spectrum, message="Not self-adjoint:  The spectrum contained non-zero imaginary part.")

    # -- products and solutions

    def _of_one_batch(self, x, spectrum):
        column = array_ops.reshape(spectrum, array_ops.concat((self.batch_shape_tensor(), [-1, 1]), axis=0))
        x, column = batches.broadcast_matrix_batch_dims((x, column))
        batch = array_ops.shape(x)[:-2]
        return x, array_ops.reshape(column, array_ops.concat((batch, self.block_shape_tensor()), axis=0))

    def _term(self, adjoint):
        return self._conj_spectrum if adjoint else self._spectrum_complex

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = linalg.adjoint(x) if adjoint_arg else x
        spectrum = self._term(adjoint)
        x, spectrum = self._of_one_batch(math_ops.cast(x, spectrum.dtype), spectrum)
        transformed = self._fft(self._blocks(x))
        return math_ops.cast(self._matrix_of(self._ifft(spectrum * transformed)), self.dtype)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        rhs, spectrum = self._of_one_batch(rhs, self._term(adjoint))
        transformed = self._fft(self._blocks(rhs))
        return math_ops.cast(self._matrix_of(self._ifft(transformed / spectrum)), self.dtype)

    # -- numbers of the matrix

    def _axes(self):
        return [-(i + 1) for i in range(self.block_depth)]

    def _determinant(self):
        return math_ops.cast(math_ops.reduce_prod(self.spectrum, axis=self._axes()), self.dtype)

    def _log_abs_determinant(self):
        return math_ops.cast(math_ops.reduce_sum(math_ops.log(self._abs_spectrum), axis=self._axes()), self.dtype)

    def _diag_part(self):
        if self.shape.is_fully_defined():
            shape, size = self.shape[:-1], tensor_shape.dimension_value(self.domain_dimension)
        else:
            shape, size = self.shape_tensor()[:-1], self.domain_dimension_tensor()
        ones = array_ops.ones(shape, dtype=self.dtype)
        value = self.trace() / math_ops.cast(size, self.dtype)
        return value[..., None] * ones

    def _trace(self):
        if self.spectrum.shape.is_fully_defined():
            rank = self.spectrum.shape.ndims
            axis = np.arange(rank - self.block_depth, rank, dtype=np.int32)
        else:
            rank = array_ops.rank(self.spectrum)
            axis = math_ops.range(rank - self.block_depth, rank)
        real = math_ops.reduce_sum(math_ops.real(self.spectrum), axis=axis)
        if not self.dtype.is_complex:
            return math_ops.cast(real, self.dtype)
        if self.is_self_adjoint:
            imaginary = array_ops.zeros_like(real)
        else:
            imaginary = math_ops.reduce_sum(math_ops.imag(self.spectrum), axis=axis)
        return math_ops.cast(math_ops.complex(real, imaginary), self.dtype)


class LinearOperatorCirculant(_Circulant):
    block_depth = 1


class LinearOperatorCirculant2D(_Circulant):
    block_depth = 2


class LinearOperatorCirculant3D(_Circulant):
    block_depth = 3


class LinearOperatorToeplitz(LinearOperator):
    """The same value along each diagonal: part of a circulant operator twice as large."""

    def __init__(self, col, row, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name="LinearOperatorToeplitz"):
        with name_scope(name, values=[row, col]):
            self._row = convert_to_tensor(row, name="row")
            self._col = convert_to_tensor(col, name="col")
            self._check()
            column = array_ops.concat([self._col, array_ops.zeros_like(self._col[..., 0:1]),
                                       array_ops.reverse(self._row[..., 1:], axis=[-1])], axis=-1)
            wide = self._col.dtype in (dtypes.float64, dtypes.complex128)
            column = math_ops.cast(column, dtypes.complex128 if wide else dtypes.complex64)
            self._circulant = LinearOperatorCirculant(signals.fft(column), input_output_dtype=self._row.dtype)
            if is_square is False:
                raise ValueError("Only square Toeplitz operators currently supported.")
            super().__init__(self._row.dtype, [self._row, self._col], is_non_singular, is_self_adjoint, is_positive_definite,
                             True, name)

    col = property(lambda self: self._col)
    row = property(lambda self: self._row)

    def _check(self):
        for name, tensor in (("row", self._row), ("col", self._col)):
            if tensor.shape.ndims is not None and tensor.shape.ndims < 1:
                raise ValueError("Argument {} must have at least 1 dimension.  Found: {}".format(name, tensor))
        if self._row.shape[-1] is not None and self._col.shape[-1] is not None and \
                self._row.shape[-1] != self._col.shape[-1]:
            raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")

    def _shape(self):
        shape = aliases.broadcast_static_shape(self.row.shape, self.col.shape)
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self):
        shape = apply_op("BroadcastArgs", s0=array_ops.shape(self.row), s1=array_ops.shape(self.col))
        return array_ops.concat((shape, [shape[-1]]), 0)

    def _assert_self_adjoint(self):
        return check_ops.assert_equal(self.row, self.col,
                                      message="row and col are not the same, and so this operator is not self-adjoint.")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = linalg.adjoint(x) if adjoint_arg else x
        padded = array_ops.concat([x, array_ops.zeros_like(x)], axis=-2)
        made = self._circulant.matmul(padded, adjoint=adjoint, adjoint_arg=False)
        return math_ops.cast(made[..., :self.domain_dimension_tensor(), :], self.dtype)

    def _trace(self):
        return math_ops.cast(self.domain_dimension_tensor(), dtype=self.dtype) * self.col[..., 0]

    def _diag_part(self):
        return self.col[..., 0:1] * array_ops.ones([self.domain_dimension_tensor()], self.dtype)
