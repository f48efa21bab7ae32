# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Matrices whose batches need not be equal: broadcast first, then solved; and checks of their entries."""

import numpy as np

from .. import dtypes
from ..control import control_flow
from ..framework import ops
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..names import aliases
from ..operators import array_ops, check_ops, linalg, math_ops


def shape_tensor(shape, name=None):
    is_empty = isinstance(shape, (tuple, list)) and not shape
    return convert_to_tensor(shape, dtype=dtypes.int32 if is_empty else None, name=name)


def broadcast_matrix_batch_dims(batch_matrices, name=None):
    with name_scope(name or "broadcast_matrix_batch_dims", values=batch_matrices):
        check_ops.assert_proper_iterable(batch_matrices)
        matrices = [convert_to_tensor(matrix) for matrix in batch_matrices]
        for matrix in matrices:
            if matrix.shape.ndims is not None and matrix.shape.ndims < 2:
                raise ValueError("Expected [batch] matrix to have at least two dimensions.  Found: %s" % matrix)
        if len(matrices) < 2:
            return matrices
        known = matrices[0].shape[:-2]
        for matrix in matrices[1:]:
            known = aliases.broadcast_static_shape(known, matrix.shape[:-2])
        if known.is_fully_defined():
            return [matrix if matrix.shape[:-2] == known else
                    array_ops.broadcast_to(matrix, array_ops.concat([known.as_list(), array_ops.shape(matrix)[-2:]], axis=0))
                    for matrix in matrices]
        batch = array_ops.shape(matrices[0])[:-2]
        for matrix in matrices[1:]:
            batch = apply_op("BroadcastArgs", s0=batch, s1=array_ops.shape(matrix)[:-2])
        return [array_ops.broadcast_to(matrix, array_ops.concat([batch, array_ops.shape(matrix)[-2:]], axis=0))
                for matrix in matrices]


def cholesky_solve(chol, rhs, name=None):
    with name_scope(name, "CholeskySolveWithBroadcast", [chol, rhs]):
        chol, rhs = broadcast_matrix_batch_dims([chol, rhs])
        return linalg.cholesky_solve(chol, rhs)


def matrix_solve(matrix, rhs, adjoint=False, name=None):
    with name_scope(name, "MatrixSolveWithBroadcast", [matrix, rhs]):
        matrix, rhs, back, to_turn = _squashed(matrix, rhs, adjoint)
        matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
        return back(linalg.matrix_solve(matrix, rhs, adjoint=adjoint and to_turn))


def matrix_triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    with name_scope(name, "MatrixTriangularSolve", [matrix, rhs]):
        matrix, rhs, back, to_turn = _squashed(matrix, rhs, adjoint)
        if not to_turn and adjoint:
            lower = not lower
        matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
        return back(linalg.matrix_triangular_solve(matrix, rhs, lower=lower, adjoint=adjoint and to_turn))


def _squashed(a, b, adjoint):
    """TF: batch dimensions that b has alone become columns of it; what brings the solution back; whether a is to be turned."""
    a = convert_to_tensor(a, name="matrix")
    b = convert_to_tensor(b, name="rhs", dtype=a.dtype)

    def same(x):
        return x
    if a.shape.ndims is None or b.shape.ndims is None or a.shape.ndims >= b.shape.ndims:
        return a, b, same, True
    extra = b.shape.ndims - a.shape.ndims
    # TF: the shapes are asked for already here, and once more below.
    array_ops.shape(b)[:extra], array_ops.shape(b)[extra:]
    size = np.prod(b.shape[:extra].as_list()) if b.shape[:extra].is_fully_defined() else None
    if size is not None and (size < 2 or a.shape[-2 if adjoint else -1] <= b.shape[-1]):
        return a, b, same, True
    if adjoint:
        a = linalg.adjoint(a)
    outer = array_ops.shape(b)[:extra]
    inner = array_ops.shape(b)[extra:]
    order = np.concatenate((np.arange(extra, b.shape.ndims), np.arange(0, extra)), 0)
    turned = array_ops.transpose(b, perm=order)
    flat = array_ops.reshape(turned, array_ops.concat((inner[:-1], [-1]), 0))

    def back(y):
        shape = array_ops.concat((array_ops.shape(y)[:-1], [inner[-1]], outer), 0)
        return array_ops.transpose(array_ops.reshape(y, shape), perm=np.argsort(order))
    return a, flat, back, False


def assert_no_entries_with_modulus_zero(x, message=None, name="assert_no_entries_with_modulus_zero"):
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        size = math_ops.abs(x)
        return check_ops.assert_less(convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype), size, message=message)


def assert_zero_imag_part(x, message=None, name="assert_zero_imag_part"):
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        if x.dtype.base_dtype.is_floating:
            return control_flow.no_op()
        zero = convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype)
        return check_ops.assert_equal(zero, math_ops.imag(x), message=message)


def assert_compatible_matrix_dimensions(operator, x):
    rows = array_ops.shape(x)[-2]
    return check_ops.assert_equal(rows, operator.domain_dimension_tensor(), message="Dimensions are not compatible.  "
                                  "shape[-2] of argument to be the same as this operator")


def refuse_variable(value, name):
    """Refuses variables as a number of rows or a shape."""
    from ..state.variables import Variable
    if isinstance(value, Variable):
        raise TypeError("Argument %s cannot be reference type. Found: %s" % (name, type(value)))


constant_value = ops.constant_value
