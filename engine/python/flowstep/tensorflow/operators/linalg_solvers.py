# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.linalg: pseudo-inverses, ranks, tridiagonal systems, norms divided out."""

import numpy as np

from .. import dtypes
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, check_ops, linalg, math_ops


def _as_matrix(a, validate_args):
    """a, which has to be of matrices, or waits for what looks whether it is."""
    if not a.dtype.is_floating:
        raise TypeError("Input `a` must have `float`-like `dtype` (saw %s)." % a.dtype.name)
    if a.shape.ndims is not None:
        if a.shape.ndims < 2:
            raise ValueError("Input `a` must have at least 2 dimensions (saw: %d)." % a.shape.ndims)
        return a
    if not validate_args:
        return a
    check = check_ops.assert_rank_at_least(a, rank=2, message="Input `a` must have at least 2 dimensions.")
    with control_dependencies([check]):
        return array_ops.identity(a)


def matrix_rank(a, tol=None, validate_args=False, name=None):
    """How many singular values are larger than a tolerance."""
    with name_scope(name or "matrix_rank"):
        a = _as_matrix(convert_to_tensor(a, preferred_dtype=dtypes.float32, name="a"), validate_args)
        values = linalg.svd(a, compute_uv=False)
        if tol is None:
            if a.shape[-2:].is_fully_defined():
                size = np.max(a.shape[-2:].as_list())
            else:
                size = math_ops.reduce_max(array_ops.shape(a)[-2:])
            tol = np.finfo(a.dtype.as_numpy_dtype).eps * math_ops.cast(size, a.dtype) * \
                math_ops.reduce_max(values, axis=-1, keepdims=True)
        return math_ops.reduce_sum(math_ops.cast(values > tol, dtypes.int32), axis=-1)


def pinv(a, rcond=None, validate_args=False, name=None):
    """The pseudo-inverse, by the singular values that are not small."""
    with name_scope(name or "pinv"):
        a = _as_matrix(convert_to_tensor(a, name="a"), validate_args)
        dtype = a.dtype.as_numpy_dtype
        if rcond is None:
            rows, columns = [array_ops.shape(a)[i] if a.shape.ndims is None or a.shape[i].value is None else a.shape[i].value
                             for i in (-2, -1)]
            if isinstance(rows, int) and isinstance(columns, int):
                size = float(max(rows, columns))
            else:
                size = math_ops.cast(math_ops.maximum(rows, columns), dtype)
            rcond = 10. * size * np.finfo(dtype).eps
        rcond = convert_to_tensor(rcond, dtype=dtype, name="rcond")
        values, left, right = linalg.svd(a, full_matrices=False, compute_uv=True)
        cutoff = rcond * math_ops.reduce_max(values, axis=-1)
        values = array_ops.where_v2(values > array_ops.expand_dims(cutoff, -1), values, np.array(np.inf, dtype))
        result = math_ops.matmul(right / array_ops.expand_dims(values, -2), left, adjoint_b=True)
        if a.shape.ndims is not None:
            result.set_shape(a.shape[:-2].concatenate([a.shape[-1], a.shape[-2]]))
        return result


def normalize(tensor, ord="euclidean", axis=None, name=None):
    """(the tensor divided by its norm, the norm)"""
    with name_scope(name, "normalize", [tensor]):
        tensor = convert_to_tensor(tensor)
        norm = math_ops.cast(linalg.norm(tensor, ord, axis, keepdims=True), tensor.dtype)
        return tensor / norm, norm


# -- systems of three diagonals

def _padded(diagonal, size, what, padding):
    n = diagonal.shape[-1].value
    if not n or n == size:
        return diagonal
    if n == size - 1:
        return array_ops.pad(diagonal, [[0, 0] for _ in range(len(diagonal.shape) - 1)] + [padding])
    raise ValueError("Expected {} to be have length {} or {}, got {}.".format(what, size, size - 1, n))


def _of_sequence(diagonals):
    if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
        raise ValueError("Expected diagonals to be a sequence of length 3.")
    above, main, below = diagonals
    if not below.shape[:-1].is_compatible_with(main.shape[:-1]) or not above.shape[:-1].is_compatible_with(main.shape[:-1]):
        raise ValueError("Tensors representing the three diagonals must have the same shape,except for the last dimension, "
                         "got {}, {}, {}".format(below.shape, main.shape, above.shape))
    size = main.shape[-1].value
    below = _padded(below, size, "subdiagonal", [1, 0])
    above = _padded(above, size, "superdiagonal", [0, 1])
    return array_ops.stack((above, main, below), axis=-2)


def _of_matrix(matrix):
    columns, rows = matrix.shape[-1].value, matrix.shape[-2].value
    if columns and rows and columns != rows:
        raise ValueError("Expected last two dimensions of diagonals to be same, got {} and {}".format(columns, rows))
    n = columns or rows
    if not n:
        raise ValueError('The size of the matrix needs to be known for diagonals_format="matrix"')
    unused = [0, 0]
    at = [[[1, 0], [0, 0], unused]]
    at += [[[i + 1, i], [i, i], [i - 1, i]] for i in range(1, n - 1)]
    at += [[unused, [n - 1, n - 1], [n - 2, n - 1]]]
    return array_ops.transpose(array_ops.gather_nd(array_ops.transpose(matrix), at))


def _check_sides(diagonals, rhs):
    rows, others = diagonals.shape[-1], rhs.shape[-2]
    if rows.value and others.value and rows != others:
        raise ValueError("Expected number of left-hand sided and right-hand sides to be equal, got {} and {}".format(
            rows, others))


def tridiagonal_solve(diagonals, rhs, diagonals_format="compact", transpose_rhs=False, conjugate_rhs=False, name=None,
                      partial_pivoting=True):
    """Solves systems whose matrices have three diagonals."""
    if diagonals_format not in ("compact", "sequence", "matrix"):
        raise ValueError("Unrecognized diagonals_format: {}".format(diagonals_format))
    if diagonals_format != "compact":
        diagonals = (_of_sequence if diagonals_format == "sequence" else _of_matrix)(diagonals)
    rank, rhs_rank = len(diagonals.shape), len(rhs.shape)
    if rank < 2:
        raise ValueError("Expected diagonals to have rank at least 2, got {}".format(rank))
    if rhs_rank not in (rank, rank - 1):
        raise ValueError("Expected the rank of rhs to be {} or {}, got {}".format(rank - 1, rank, rhs_rank))
    if diagonals.shape[-2].value and diagonals.shape[-2].value != 3:
        raise ValueError("Expected 3 diagonals got {}".format(diagonals.shape[-2]))
    if not diagonals.shape[:-2].is_compatible_with(rhs.shape[:rank - 2]):
        raise ValueError("Batch shapes {} and {} are incompatible".format(diagonals.shape[:-2], rhs.shape[:rank - 2]))

    def solve():
        _check_sides(diagonals, rhs)
        return apply_op("TridiagonalSolve", diagonals=diagonals, rhs=rhs, partial_pivoting=partial_pivoting, name=name)
    if rhs_rank == rank - 1:
        rhs = array_ops.expand_dims(math_ops.conj(rhs) if conjugate_rhs else rhs, -1)
        return array_ops.squeeze(solve(), -1)
    if transpose_rhs:
        rhs = linalg.matrix_transpose(rhs, conjugate=conjugate_rhs)
        return linalg.matrix_transpose(solve())
    if conjugate_rhs:
        rhs = math_ops.conj(rhs)
    return solve()
