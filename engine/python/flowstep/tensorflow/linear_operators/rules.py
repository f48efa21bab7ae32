# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What operators make of each other, and tf.linalg's functions on them."""

from ..framework import dispatch
from ..operators import linalg, math_ops
from .base import LinearOperator, rule
from .joined import LinearOperatorAdjoint, LinearOperatorBlockDiag, LinearOperatorComposition, LinearOperatorInversion
from .joined import LinearOperatorKronecker
from .plain import LinearOperatorDiag, LinearOperatorIdentity, LinearOperatorLowerTriangular
from .plain import LinearOperatorScaledIdentity
from .special import LinearOperatorHouseholder, LinearOperatorZeros
from .spectral import LinearOperatorCirculant


def _hints(operator):
    return dict(is_non_singular=operator.is_non_singular, is_self_adjoint=operator.is_self_adjoint,
                is_positive_definite=operator.is_positive_definite)


_CHOLESKY = dict(is_non_singular=True, is_self_adjoint=True, is_positive_definite=True, is_square=True)
_FACTOR = dict(is_non_singular=True, is_self_adjoint=False, is_square=True)


# -- adjoints, inverses, Cholesky factors

@rule("adjoint", LinearOperator)
def _adjoint(o):
    return LinearOperatorAdjoint(o, is_square=o.is_square, **_hints(o))


@rule("adjoint", LinearOperatorAdjoint)
@rule("inverse", LinearOperatorInversion)
def _operator(o):
    return o.operator


@rule("adjoint", LinearOperatorIdentity)
@rule("inverse", LinearOperatorIdentity)
@rule("adjoint", LinearOperatorHouseholder)
@rule("inverse", LinearOperatorHouseholder)
def _same(o):
    return o


@rule("adjoint", LinearOperatorScaledIdentity)
def _adjoint_scaled(o):
    factor = math_ops.conj(o.multiplier) if o.multiplier.dtype.is_complex else o.multiplier
    return LinearOperatorScaledIdentity(num_rows=o._num_rows, multiplier=factor, is_square=True, **_hints(o))


@rule("adjoint", LinearOperatorDiag)
def _adjoint_diag(o):
    diag = math_ops.conj(o.diag) if o.diag.dtype.is_complex else o.diag
    return LinearOperatorDiag(diag=diag, is_square=True, **_hints(o))


def _each(operation):
    def function(o):
        hints = _FACTOR if operation == "cholesky" else dict(_hints(o), is_square=True)
        return type(o)(operators=[getattr(part, operation)() for part in o.operators], **hints)
    return function


for _kind in (LinearOperatorBlockDiag, LinearOperatorKronecker):
    for _name in ("adjoint", "inverse", "cholesky"):
        rule(_name, _kind)(_each(_name))


@rule("inverse", LinearOperator)
def _inverse(o):
    return LinearOperatorInversion(o, is_square=o.is_square, **_hints(o))


@rule("inverse", LinearOperatorDiag)
def _inverse_diag(o):
    return LinearOperatorDiag(1. / o.diag, is_square=True, **_hints(o))


@rule("inverse", LinearOperatorScaledIdentity)
def _inverse_scaled(o):
    return LinearOperatorScaledIdentity(num_rows=o._num_rows, multiplier=1. / o.multiplier, is_square=True,
                                        **dict(_hints(o), is_self_adjoint=True))


@rule("cholesky", LinearOperator)
def _cholesky(o):
    return LinearOperatorLowerTriangular(linalg.cholesky(o.to_dense()), **_FACTOR)


@rule("cholesky", LinearOperatorDiag)
def _cholesky_diag(o):
    return LinearOperatorDiag(math_ops.sqrt(o.diag), **_CHOLESKY)


@rule("cholesky", LinearOperatorIdentity)
def _cholesky_identity(o):
    return LinearOperatorIdentity(num_rows=o._num_rows, batch_shape=o.batch_shape, dtype=o.dtype, **_CHOLESKY)


@rule("cholesky", LinearOperatorScaledIdentity)
def _cholesky_scaled(o):
    return LinearOperatorScaledIdentity(num_rows=o._num_rows, multiplier=math_ops.sqrt(o.multiplier), **_CHOLESKY)


@rule("adjoint", LinearOperatorCirculant)
def _adjoint_circulant(o):
    spectrum = math_ops.conj(o.spectrum) if o.spectrum.dtype.is_complex else o.spectrum
    return LinearOperatorCirculant(spectrum=spectrum, is_square=True, **_hints(o))


@rule("inverse", LinearOperatorCirculant)
def _inverse_circulant(o):
    return LinearOperatorCirculant(spectrum=1. / o.spectrum, is_square=True, **_hints(o))


# -- products and solutions

def _non_singular(a, b):
    if a.is_non_singular is False or b.is_non_singular is False:
        return False
    return a.is_non_singular and b.is_non_singular


def _commuting(a, b):
    """The hints of a product of operators that commute."""
    adjoint = None
    if a.is_self_adjoint is not None and b.is_self_adjoint is not None:
        adjoint = True if a.is_self_adjoint and b.is_self_adjoint else \
            False if a.is_self_adjoint or b.is_self_adjoint else None
    definite = all(o.is_positive_definite is True and o.is_self_adjoint is True for o in (a, b)) or None
    return dict(is_non_singular=_non_singular(a, b), is_self_adjoint=adjoint, is_positive_definite=definite, is_square=True)


def _is_square(a, b):
    if a.is_square and b.is_square:
        return True
    if a.is_square is False and b.is_square is False:
        if a.shape.ndims is not None and b.shape.ndims is not None:
            return a.shape[-2] == b.shape[-1]
        return None
    return False if a.is_square != b.is_square and None not in (a.is_square, b.is_square) else None


@rule("matmul", LinearOperator, LinearOperator)
def _matmul(a, b):
    square = _is_square(a, b)
    unlike = False if square is False else None
    return LinearOperatorComposition(operators=[a, b], is_non_singular=_non_singular(a, b) if square else unlike,
                                     is_self_adjoint=unlike, is_positive_definite=unlike, is_square=square)


@rule("solve", LinearOperator, LinearOperator)
def _solve(a, b):
    square = _is_square(a, b)
    unlike = False if square is False else None
    return LinearOperatorComposition(operators=[LinearOperatorInversion(a), b],
                                     is_non_singular=_non_singular(a, b) if square else unlike,
                                     is_self_adjoint=unlike, is_positive_definite=unlike, is_square=square)


@rule("matmul", LinearOperatorIdentity, LinearOperator)
@rule("solve", LinearOperatorIdentity, LinearOperator)
def _right(a, b):
    return b


@rule("matmul", LinearOperator, LinearOperatorIdentity)
def _left(a, b):
    return a


def _nothing(zeros, other):
    if not zeros.is_square or not other.is_square:
        raise ValueError("Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not supported at this "
                         "time.")
    return zeros


@rule("matmul", LinearOperator, LinearOperatorZeros)
def _matmul_zeros_right(a, b):
    return _nothing(b, a)


@rule("matmul", LinearOperatorZeros, LinearOperator)
def _matmul_zeros_left(a, b):
    return _nothing(a, b)


@rule("matmul", LinearOperatorCirculant, LinearOperatorCirculant)
def _matmul_circulant(a, b):
    return LinearOperatorCirculant(spectrum=a.spectrum * b.spectrum, **_commuting(a, b))


@rule("solve", LinearOperatorCirculant, LinearOperatorCirculant)
def _solve_circulant(a, b):
    return LinearOperatorCirculant(spectrum=b.spectrum / a.spectrum, **_commuting(a, b))


@rule("matmul", LinearOperatorDiag, LinearOperatorDiag)
def _matmul_diag(a, b):
    return LinearOperatorDiag(diag=a.diag * b.diag, **_commuting(a, b))


@rule("solve", LinearOperatorDiag, LinearOperatorDiag)
def _solve_diag(a, b):
    return LinearOperatorDiag(diag=b.diag / a.diag, **_commuting(b, a))


@rule("matmul", LinearOperatorDiag, LinearOperatorScaledIdentity)
def _matmul_diag_scaled(a, b):
    return LinearOperatorDiag(diag=a.diag * b.multiplier, **_commuting(a, b))


@rule("matmul", LinearOperatorScaledIdentity, LinearOperatorDiag)
def _matmul_scaled_diag(a, b):
    return _matmul_diag_scaled(b, a)


@rule("solve", LinearOperatorDiag, LinearOperatorScaledIdentity)
def _solve_diag_scaled(a, b):
    return LinearOperatorDiag(diag=b.multiplier / a.diag, **_commuting(a, b))


@rule("solve", LinearOperatorScaledIdentity, LinearOperatorDiag)
def _solve_scaled_diag(a, b):
    return LinearOperatorDiag(diag=b.diag / a.multiplier, **_commuting(b, a))


def _triangular(tril, a, b):
    return LinearOperatorLowerTriangular(tril=tril, is_non_singular=_non_singular(a, b), is_self_adjoint=None,
                                         is_positive_definite=None, is_square=True)


@rule("matmul", LinearOperatorDiag, LinearOperatorLowerTriangular)
def _matmul_diag_tril(a, b):
    diag = a.diag[..., None]
    return _triangular(diag * b.to_dense(), a, b)


@rule("matmul", LinearOperatorLowerTriangular, LinearOperatorDiag)
def _matmul_tril_diag(a, b):
    return _triangular(a.to_dense() * b.diag, b, a)


@rule("solve", LinearOperatorDiag, LinearOperatorLowerTriangular)
def _solve_diag_tril(a, b):
    dense = b.to_dense()
    return _triangular(dense / a.diag[..., None], a, b)


# -- tf.linalg's functions

dispatch.kind(LinearOperator)


def _product(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False,
             b_is_sparse=False, name=None):
    if not isinstance(a, LinearOperator) and not isinstance(b, LinearOperator):
        return NotImplemented
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    if not isinstance(a, LinearOperator):
        return linalg.adjoint(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a, name=name))
    return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b, name=name)


dispatch.register("matmul", _product)


def _of(method, *, needs_definite=False):
    """The method that stands for a function of tf.linalg."""
    def handle(**arguments):
        operator = next(iter(arguments.values()))
        if not isinstance(operator, LinearOperator):
            return NotImplemented
        if needs_definite and not (operator.is_positive_definite and operator.is_self_adjoint):
            raise ValueError("Expected matrix to be self-adjoint positive definite.")
        return getattr(operator, method)(name=arguments.get("name", "diag_part" if method == "diag_part" else None))
    return handle


for _name, _method in (("adjoint", "adjoint"), ("cholesky", "cholesky"), ("matrix_diag_part", "diag_part"),
                       ("matrix_determinant", "determinant"), ("matrix_inverse", "inverse"), ("trace", "trace")):
    dispatch.register(_name, _of(_method))
dispatch.register("logdet", _of("log_abs_determinant", needs_definite=True))


def _solution(matrix, rhs, adjoint=False, name=None):
    if not isinstance(matrix, LinearOperator):
        raise ValueError("Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported.")
    return matrix.solve(rhs, adjoint=adjoint, name=name)


dispatch.register("matrix_solve", _solution)
