# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Operators by what their matrix looks like: diagonal, full, lower triangular, identity."""

import numpy as np

from .. import dtypes
from ..control import control_flow
from ..framework import tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..names import aliases
from ..operators import array_ops, check_ops, linalg, math_ops
from . import batches
from .base import LinearOperator, kept


class LinearOperatorDiag(LinearOperator):
    def __init__(self, diag, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name="LinearOperatorDiag"):
        with name_scope(name, values=[diag]):
            self._diag = kept(diag, "diag")
            if self._diag.shape.ndims is not None and self._diag.shape.ndims < 1:
                raise ValueError("Argument diag must have at least 1 dimension.  Found: %s" % self._diag)
            if not self._diag.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("Only square diagonal operators currently supported.")
            super().__init__(self._diag.dtype, [self._diag], is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    diag = property(lambda self: self._diag)

    def _shape(self):
        return self._diag.shape.concatenate(self._diag.shape[-1:])

    def _shape_tensor(self):
        shape = array_ops.shape(self._diag)
        return array_ops.concat((shape, [shape[-1]]), 0)

    def _assert_non_singular(self):
        return batches.assert_no_entries_with_modulus_zero(
            self._diag, message="Singular operator:  Diagonal contained zero values.")

    def _assert_positive_definite(self):
        words = "Diagonal operator had diagonal entries with non-positive real part, thus was not positive definite." \
            if self.dtype.is_complex else \
            "Real diagonal operator had non-positive diagonal entries, thus was not positive definite."
        return check_ops.assert_positive(math_ops.real(self._diag), message=words)

    def _assert_self_adjoint(self):
        return batches.assert_zero_imag_part(self._diag, message="This diagonal operator contained non-zero imaginary values. "
                                             "  Thus it was not self-adjoint.")

    def _term(self, adjoint):
        return math_ops.conj(self._diag) if adjoint else self._diag

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        diag = self._term(adjoint)
        x = linalg.adjoint(x) if adjoint_arg else x
        return array_ops.expand_dims(diag, -1) * x

    def _matvec(self, x, adjoint=False):
        return self._term(adjoint) * x

    def _determinant(self):
        return math_ops.reduce_prod(self._diag, axis=[-1])

    def _log_abs_determinant(self):
        found = math_ops.reduce_sum(math_ops.log(math_ops.abs(self._diag)), axis=[-1])
        return math_ops.cast(found, dtype=self.dtype) if self.dtype.is_complex else found

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        diag = self._term(adjoint)
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        return rhs * array_ops.expand_dims(1. / diag, -1)

    def _to_dense(self):
        return array_ops.matrix_diag(self._diag)

    def _diag_part(self):
        return self.diag

    def _add_to_tensor(self, x):
        diagonal = array_ops.matrix_diag_part(x)
        return array_ops.matrix_set_diag(x, self._diag + diagonal)


class LinearOperatorFullMatrix(LinearOperator):
    def __init__(self, matrix, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name="LinearOperatorFullMatrix"):
        with name_scope(name, values=[matrix]):
            self._matrix = kept(matrix, "matrix")
            allowed = [dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128]
            if self._matrix.dtype.base_dtype not in allowed:
                raise TypeError("Argument matrix must have dtype in %s.  Found: %s" % (allowed, self._matrix.dtype))
            convert_to_tensor(self._matrix, name="matrix")
            if self._matrix.shape.ndims is not None and self._matrix.shape.ndims < 2:
                raise ValueError("Argument matrix must have at least 2 dimensions.  Found: %s" % self._matrix)
            super().__init__(self._matrix.dtype, [self._matrix], is_non_singular, is_self_adjoint, is_positive_definite,
                             is_square, name)

    def _shape(self):
        return self._matrix.shape

    def _shape_tensor(self):
        return array_ops.shape(self._matrix)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return math_ops.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self):
        return self._matrix


class LinearOperatorLowerTriangular(LinearOperator):
    def __init__(self, tril, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name="LinearOperatorLowerTriangular"):
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        with name_scope(name, values=[tril]):
            self._tril = kept(tril, "tril")
            if self._tril.shape.ndims is not None and self._tril.shape.ndims < 2:
                raise ValueError("Argument tril must have at least 2 dimensions.  Found: %s" % self._tril)
            super().__init__(self._tril.dtype, [self._tril], is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    def _get_tril(self):
        return linalg.matrix_band_part(self._tril, -1, 0)

    def _get_diag(self):
        return array_ops.matrix_diag_part(self._tril)

    def _shape(self):
        return self._tril.shape

    def _shape_tensor(self):
        return array_ops.shape(self._tril)

    def _assert_non_singular(self):
        return batches.assert_no_entries_with_modulus_zero(
            self._get_diag(), message="Singular operator:  Diagonal contained zero values.")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return math_ops.matmul(self._get_tril(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _determinant(self):
        return math_ops.reduce_prod(self._get_diag(), axis=[-1])

    def _log_abs_determinant(self):
        return math_ops.reduce_sum(math_ops.log(math_ops.abs(self._get_diag())), axis=[-1])

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        return batches.matrix_triangular_solve(self._get_tril(), rhs, lower=True, adjoint=adjoint)

    def _to_dense(self):
        return self._get_tril()


class Sized(LinearOperator):
    """What operators that are made of their sizes have in common."""

    def _keep_rows(self, num_rows):
        self._num_rows = batches.shape_tensor(num_rows, name="num_rows")
        self._num_rows_static = batches.constant_value(self._num_rows)
        self._num_rows = self._checked_size(self._num_rows, self._num_rows_static, "num_rows", 0)

    def _checked_size(self, value, known, name, rank):
        words = "Argument %s must be " % name
        if self._assert_proper_shapes:
            value = control_flow.with_dependencies([
                check_ops.assert_rank(value, rank, message=words + "a %d-D Tensor." % rank),
                check_ops.assert_non_negative(value, message=words + "non-negative.")], value)
        if not value.dtype.is_integer:
            raise TypeError(words + "integer type.  Found: %s" % value)
        if known is not None:
            if known.ndim != rank:
                raise ValueError(words + "a %d-D Tensor.  Found: %s" % (rank, known))
            if np.any(known < 0):
                raise ValueError(words + "non-negative.  Found:%s%s" % (" " if rank == 0 else "", known))
        return value

    def _matrix_shape(self):
        rows = None if self._num_rows_static is None else int(self._num_rows_static)
        return tensor_shape.TensorShape([rows, rows])

    def _min_dim(self):
        sizes = [tensor_shape.dimension_value(d) for d in (self.domain_dimension, self.range_dimension)]
        return None if None in sizes else min(sizes)

    def _min_dim_tensor(self):
        return math_ops.reduce_min(self.shape_tensor()[-2:])

    def _diag_shape(self):
        if self.shape.is_fully_defined():
            return self.batch_shape.concatenate([self._min_dim()])
        batch = self.batch_shape_tensor()
        return array_ops.concat([batch, [self._min_dim_tensor()]], axis=0)

    def _ones_diag(self):
        return array_ops.ones(shape=self._diag_shape(), dtype=self.dtype)

    def _keep_batch(self, batch_shape):
        self._batch_shape_arg = None
        if batch_shape is not None:
            given = batches.shape_tensor(batch_shape, name="batch_shape_arg")
            self._batch_shape_static = batches.constant_value(given)
            self._batch_shape_arg = self._checked_size(given, self._batch_shape_static, "batch_shape", 1)

    def _with_batch(self, shape):
        return shape if self._batch_shape_arg is None else array_ops.concat((self._batch_shape_arg, shape), 0)

    def _shape(self):
        if self._batch_shape_arg is None:
            return self._matrix_shape()
        known = self._batch_shape_static
        return tensor_shape.TensorShape(None if known is None else known.tolist()).concatenate(self._matrix_shape())

    def _with_checked_rows(self, x):
        if not self._assert_proper_shapes:
            return x
        return control_flow.with_dependencies([batches.assert_compatible_matrix_dimensions(self, x)], x)

    def _batch_of_ones(self):
        known = self.batch_shape.is_fully_defined()
        return array_ops.ones(shape=self.batch_shape if known else self.batch_shape_tensor(), dtype=self.dtype)


class LinearOperatorIdentity(Sized):
    def __init__(self, num_rows, batch_shape=None, dtype=None, is_non_singular=True, is_self_adjoint=True,
                 is_positive_definite=True, is_square=True, assert_proper_shapes=False, name="LinearOperatorIdentity"):
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name):
            for hint, words in ((is_self_adjoint, "self adjoint"), (is_non_singular, "non-singular"),
                                (is_positive_definite, "positive-definite"), (is_square, "square")):
                if not hint:
                    raise ValueError("An identity operator is always %s." % words)
            super().__init__(dtypes.as_dtype(dtype or dtypes.float32), None, is_non_singular, is_self_adjoint,
                             is_positive_definite, is_square, name)
            batches.refuse_variable(num_rows, "num_rows")
            batches.refuse_variable(batch_shape, "batch_shape")
            self._keep_rows(num_rows)
            self._keep_batch(batch_shape)

    def _shape_tensor(self):
        return self._with_batch(array_ops.stack((self._num_rows, self._num_rows), axis=0))

    def _assert_non_singular(self):
        return control_flow.no_op("assert_non_singular")

    def _assert_positive_definite(self):
        return control_flow.no_op("assert_positive_definite")

    def _assert_self_adjoint(self):
        return control_flow.no_op("assert_self_adjoint")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = self._with_checked_rows(linalg.adjoint(x) if adjoint_arg else x)
        if self._batch_shape_arg is None:
            return x
        special = self.batch_shape.concatenate([1, 1])
        if special.is_fully_defined():
            if aliases.broadcast_static_shape(x.shape, special) == x.shape:
                return x
            return x + array_ops.zeros(shape=special, dtype=self.dtype)
        special = array_ops.concat((self.batch_shape_tensor(), [1, 1]), 0)
        return x + array_ops.zeros(shape=special, dtype=self.dtype)

    def _determinant(self):
        return array_ops.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self):
        return array_ops.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _trace(self):
        ones = self._batch_of_ones()
        if self._min_dim() is not None:
            return self._min_dim() * ones
        return math_ops.cast(self._min_dim_tensor(), self.dtype) * ones

    def _diag_part(self):
        return self._ones_diag()

    def add_to_tensor(self, mat, name="add_to_tensor"):
        with self._name_scope(name):
            mat = convert_to_tensor(mat, name="mat")
            return array_ops.matrix_set_diag(mat, 1 + array_ops.matrix_diag_part(mat))


class LinearOperatorScaledIdentity(Sized):
    def __init__(self, num_rows, multiplier, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=True, assert_proper_shapes=False, name="LinearOperatorScaledIdentity"):
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name, values=[multiplier, num_rows]):
            self._multiplier = kept(multiplier, "multiplier")
            if not self._multiplier.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if not is_square:
                raise ValueError("A ScaledIdentity operator is always square.")
            batches.refuse_variable(num_rows, "num_rows")
            super().__init__(self._multiplier.dtype.base_dtype, None, is_non_singular, is_self_adjoint, is_positive_definite,
                             is_square, name)
            self._keep_rows(num_rows)
            self._num_rows_cast = math_ops.cast(self._num_rows, self.dtype)
            self._num_rows_cast_to_real = math_ops.cast(self._num_rows, self.dtype.real_dtype)

    multiplier = property(lambda self: self._multiplier)

    def _shape(self):
        return self.multiplier.shape.concatenate(self._matrix_shape())

    def _shape_tensor(self):
        shape = array_ops.stack((self._num_rows, self._num_rows), axis=0)
        return array_ops.concat((array_ops.shape(self.multiplier), shape), 0)

    def _assert_non_singular(self):
        return check_ops.assert_positive(math_ops.abs(self.multiplier), message="LinearOperator was singular")

    def _assert_positive_definite(self):
        return check_ops.assert_positive(math_ops.real(self.multiplier), message="LinearOperator was not positive definite.")

    def _assert_self_adjoint(self):
        imaginary = math_ops.imag(self.multiplier)
        return check_ops.assert_equal(array_ops.zeros_like(imaginary), imaginary,
                                      message="LinearOperator was not self-adjoint")

    def _factor(self, conjugate):
        factor = array_ops.expand_dims(array_ops.expand_dims(self.multiplier, -1), -1)
        return math_ops.conj(factor) if conjugate else factor

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._with_checked_rows(linalg.adjoint(x) if adjoint_arg else x) * self._factor(adjoint)

    def _determinant(self):
        return self.multiplier ** self._num_rows_cast

    def _log_abs_determinant(self):
        return self._num_rows_cast_to_real * math_ops.log(math_ops.abs(self.multiplier))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._with_checked_rows(linalg.adjoint(rhs) if adjoint_arg else rhs) / self._factor(adjoint)

    def _trace(self):
        ones = self._batch_of_ones()
        if self._min_dim() is not None:
            return self.multiplier * self._min_dim() * ones
        return self.multiplier * math_ops.cast(self._min_dim_tensor(), self.dtype) * ones

    def _diag_part(self):
        return self._ones_diag() * self.multiplier[..., None]

    def add_to_tensor(self, mat, name="add_to_tensor"):
        with self._name_scope(name):
            factor = array_ops.expand_dims(self.multiplier, -1)
            mat = convert_to_tensor(mat, name="mat")
            return array_ops.matrix_set_diag(mat, factor + array_ops.matrix_diag_part(mat))
