# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Operators that are known without their matrix: zeros, and reflections of Householder's."""

from .. import dtypes, errors
from ..control import control_flow
from ..framework import tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..names import aliases
from ..operators import array_ops, linalg, math_ops
from . import batches
from .base import LinearOperator, kept
from .plain import Sized


class LinearOperatorZeros(Sized):
    def __init__(self, num_rows, num_columns=None, batch_shape=None, dtype=None, is_non_singular=False, is_self_adjoint=True,
                 is_positive_definite=False, is_square=True, assert_proper_shapes=False, name="LinearOperatorZeros"):
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name):
            dtype = dtypes.as_dtype(dtype or dtypes.float32)
            for wrong, words in ((not is_self_adjoint and is_square, "self adjoint"), (is_non_singular, "singular"),
                                 (is_positive_definite, "not positive-definite")):
                if wrong:
                    raise ValueError("A zero operator is always %s." % words)
            super().__init__(dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)
            for value, word in ((num_rows, "num_rows"), (num_columns, "num_columns"), (batch_shape, "batch_shape")):
                batches.refuse_variable(value, word)
            self._keep_sizes(num_rows, num_rows if num_columns is None else num_columns)
            rows, columns = self._num_rows_static, self._num_columns_static
            if is_square and rows is not None and columns is not None and rows != columns:
                raise ValueError("LinearOperatorZeros initialized as is_square=True, but got num_rows({}) != "
                                 "num_columns({})".format(rows, columns))
            self._keep_batch(batch_shape)

    def _keep_sizes(self, num_rows, num_columns):
        self._num_rows = batches.shape_tensor(num_rows, name="num_rows")
        self._num_rows_static = batches.constant_value(self._num_rows)
        self._num_columns = batches.shape_tensor(num_columns, name="num_columns")
        self._num_columns_static = batches.constant_value(self._num_columns)
        self._num_rows = self._checked_size(self._num_rows, self._num_rows_static, "num_rows", 0)
        self._num_columns = self._checked_size(self._num_columns, self._num_columns_static, "num_columns", 0)

    def _matrix_shape(self):
        return tensor_shape.TensorShape([None if size is None else int(size)
                                         for size in (self._num_rows_static, self._num_columns_static)])

    def _shape_tensor(self):
        return self._with_batch(array_ops.stack((self._num_rows, self._num_columns), axis=0))

    def _assert_non_singular(self):
        raise errors.InvalidArgumentError(None, None, "Zero operators are always non-invertible.")

    def _assert_positive_definite(self):
        raise errors.InvalidArgumentError(None, None, "Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self):
        return control_flow.no_op("assert_self_adjoint")

    def _of_batch(self, x):
        """x for each of the batch."""
        if self._batch_shape_arg is None:
            return x
        special = self.batch_shape.concatenate([1, 1])
        shape = aliases.broadcast_static_shape(x.shape, special)
        if special.is_fully_defined():
            return x if shape == x.shape else x + array_ops.zeros(shape=special, dtype=self.dtype)
        special = array_ops.concat((self.batch_shape_tensor(), [1, 1]), 0)
        return x + array_ops.zeros(shape=special, dtype=self.dtype)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        if self._assert_proper_shapes:
            x = self._with_checked_rows(linalg.adjoint(x) if adjoint_arg else x)
        if self.is_square:
            if adjoint_arg:
                leading = array_ops.shape(x)[:-2]
                shape = array_ops.concat([leading, [array_ops.shape(x)[-1], array_ops.shape(x)[-2]]], axis=0)
            else:
                shape = array_ops.shape(x)
            return self._of_batch(array_ops.zeros(shape=shape, dtype=x.dtype))
        given = array_ops.shape(x)
        rows = self._num_columns if adjoint else self._num_rows
        columns = given[-2] if adjoint_arg else given[-1]
        shape = array_ops.concat([given[:-2], [rows, columns]], axis=0)
        return self._of_batch(array_ops.zeros(shape=shape, dtype=x.dtype))

    def _batch_of_zeros(self):
        known = self.batch_shape.is_fully_defined()
        return array_ops.zeros(shape=self.batch_shape if known else self.batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self):
        return self._batch_of_zeros()

    def _trace(self):
        return self._batch_of_zeros()

    def _diag_part(self):
        return array_ops.zeros(shape=self._diag_shape(), dtype=self.dtype)

    def add_to_tensor(self, mat, name="add_to_tensor"):
        return self._of_batch(mat)


class LinearOperatorHouseholder(LinearOperator):
    """A reflection: what points along the axis points the other way."""

    def __init__(self, reflection_axis, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name="LinearOperatorHouseholder"):
        with name_scope(name, values=[reflection_axis]):
            self._reflection_axis = kept(reflection_axis, "reflection_axis")
            if self._reflection_axis.shape.ndims is not None and self._reflection_axis.shape.ndims < 1:
                raise ValueError("Argument reflection_axis must have at least 1 dimension.  Found: %s" % self._reflection_axis)
            for wrong, words in ((is_self_adjoint is False, "self adjoint"),
                                 (is_positive_definite is True, "non-positive definite"), (is_square is False, "square")):
                if wrong:
                    raise ValueError("A Householder operator is always %s." % words)
            super().__init__(self._reflection_axis.dtype, [self._reflection_axis], is_non_singular, True, False, True, name)

    reflection_axis = property(lambda self: self._reflection_axis)

    def _shape(self):
        shape = self._reflection_axis.shape
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self):
        shape = array_ops.shape(self._reflection_axis)
        return array_ops.concat((shape, [shape[-1]]), 0)

    def _assert_non_singular(self):
        return control_flow.no_op("assert_non_singular")

    def _assert_positive_definite(self):
        raise errors.InvalidArgumentError(None, None, "Householder operators are always non-positive definite.")

    def _assert_self_adjoint(self):
        return control_flow.no_op("assert_self_adjoint")

    def _unit(self, axis):
        return axis / linalg.norm(axis, axis=-1, keepdims=True)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        axis = convert_to_tensor(self.reflection_axis)
        x = linalg.adjoint(x) if adjoint_arg else x
        column = self._unit(axis)[..., None]
        along = math_ops.matmul(column, x, adjoint_a=True)
        return x - 2 * column * along

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _trace(self):
        return math_ops.cast(self.domain_dimension_tensor() - 2, self.dtype) * self._ones()

    def _ones(self):
        return array_ops.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self):
        return -self._ones()

    def _log_abs_determinant(self):
        return array_ops.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _to_dense(self):
        column = self._unit(self.reflection_axis)[..., None]
        matrix = -2 * math_ops.matmul(column, column, adjoint_b=True)
        return array_ops.matrix_set_diag(matrix, 1. + array_ops.matrix_diag_part(matrix))

    def _diag_part(self):
        unit = self._unit(self.reflection_axis)
        return 1. - 2 * unit * math_ops.conj(unit)
