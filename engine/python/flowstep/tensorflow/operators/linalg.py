# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.linalg, and what else of linear algebra stands at the top: norms, decompositions, solvers, einsum."""

import builtins
import re

import numpy as np

from .. import dtypes
from ..framework import dispatch, ops
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, constant, convert_to_tensor
from . import array_ops, math_ops
from .array_ops import _op

inv = matrix_inverse = _op("MatrixInverse", "input", "adjoint")
det = matrix_determinant = _op("MatrixDeterminant", "input")
cholesky = _op("Cholesky", "input")
solve = matrix_solve = _op("MatrixSolve", "matrix", "rhs", "adjoint")
triangular_solve = matrix_triangular_solve = _op("MatrixTriangularSolve", "matrix", "rhs", "lower", "adjoint")
band_part = matrix_band_part = _op("MatrixBandPart", "input", "num_lower", "num_upper")
slogdet = _op("LogMatrixDeterminant", "input")
logm = _op("MatrixLogarithm", "input")
sqrtm = _op("MatrixSquareRoot", "input")
qr = _op("Qr", "input", "full_matrices")
cross = _op("Cross", "a", "b")


def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    s, u, v = apply_op("Svd", input=tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return (_real(s), u, v) if compute_uv else _real(s)


def _real(x):
    return apply_op("Real", input=x, Tout=x.dtype.real_dtype) if x.dtype.is_complex else x


def self_adjoint_eig(tensor, name=None):
    e, v = apply_op("SelfAdjointEigV2", input=tensor, compute_v=True, name=name)
    return e, v


def self_adjoint_eigvals(tensor, name=None):
    return apply_op("SelfAdjointEigV2", input=tensor, compute_v=False, name=name)[0]


eigh, eigvalsh = self_adjoint_eig, self_adjoint_eigvals


def matrix_transpose(a, name="matrix_transpose", conjugate=False):
    with name_scope(name, values=[a]):
        a = convert_to_tensor(a, name="a")
        ndims = a.shape.ndims
        if ndims is not None:
            if ndims < 2:
                raise ValueError("Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: %s" % a.shape)
            order = list(builtins.range(ndims - 2)) + [ndims - 1, ndims - 2]
        else:
            rank = array_ops.rank(a)
            order = array_ops.concat((apply_op("Range", start=0, limit=rank - 2, delta=1), [rank - 1, rank - 2]), 0)
        return array_ops.transpose(a, perm=order, conjugate=conjugate)


@dispatch.composite
def adjoint(matrix, name=None):
    with name_scope(name, "adjoint", [matrix]):
        return matrix_transpose(convert_to_tensor(matrix, name="matrix"), conjugate=True)


@dispatch.composite
def trace(x, name=None):
    with name_scope(name, "Trace", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return math_ops.reduce_sum(array_ops.matrix_diag_part(x), [-1], name=name)


@dispatch.composite
def logdet(matrix, name=None):
    with name_scope(name, "logdet", [matrix]):
        diagonal = array_ops.matrix_diag_part(cholesky(matrix))
        return 2.0 * math_ops.reduce_sum(math_ops.log(_real(diagonal)), [-1])


def cholesky_solve(chol, rhs, name=None):
    with name_scope(name, "cholesky_solve", [chol, rhs]):
        y = apply_op("MatrixTriangularSolve", matrix=chol, rhs=rhs, adjoint=False, lower=True)
        return apply_op("MatrixTriangularSolve", matrix=chol, rhs=y, adjoint=True, lower=True)


def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None):
    with name_scope(name, default_name="eye", values=[num_rows, num_columns, batch_shape]):
        square = num_columns is None
        batch = [] if batch_shape is None else batch_shape
        num_columns = num_rows if num_columns is None else num_columns
        if isinstance(num_rows, Tensor) or isinstance(num_columns, Tensor):
            size = math_ops.minimum(num_rows, num_columns)
        else:
            if not isinstance(num_rows, (int, np.integer)) or not isinstance(num_columns, (int, np.integer)):
                raise TypeError("num_rows and num_columns must be positive integer values.")
            square, size = num_rows == num_columns, int(np.minimum(num_rows, num_columns))
        if isinstance(batch, Tensor) or isinstance(size, Tensor):
            batch = convert_to_tensor(batch, name="shape", dtype=dtypes.int32)
            diagonal = array_ops.concat((batch, [size]), axis=0)
            shape = None if square else array_ops.concat((batch, [num_rows, num_columns]), axis=0)
        else:
            diagonal = list(batch) + [size]
            shape = None if square else list(batch) + [num_rows, num_columns]
        ones = array_ops.ones(diagonal, dtype=dtype)
        if square:
            return array_ops.matrix_diag(ones)
        return array_ops.matrix_set_diag(array_ops.zeros(shape, dtype=dtype), ones)


def _gramian_cholesky(matrix, l2_regularizer, first_kind):
    gramian = math_ops.matmul(matrix, matrix, adjoint_a=first_kind, adjoint_b=not first_kind)
    if isinstance(l2_regularizer, Tensor) or l2_regularizer != 0:
        shape = array_ops.shape(matrix)
        batch = shape[:-2]
        small = shape[-1] if first_kind else shape[-2]
        identity = eye(small, batch_shape=batch, dtype=matrix.dtype)
        known = matrix.shape[-1 if first_kind else -2]
        identity.set_shape(matrix.shape[:-2].concatenate([known, known]))
        gramian += l2_regularizer * identity
    return cholesky(gramian)


def _least_squares(matrix, rhs, l2_regularizer, over):
    chol = _gramian_cholesky(matrix, l2_regularizer, over)
    if over:
        return cholesky_solve(chol, math_ops.matmul(matrix, rhs, adjoint_a=True))
    return math_ops.matmul(matrix, cholesky_solve(chol, rhs), adjoint_a=True)


def matrix_solve_ls(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    matrix = convert_to_tensor(matrix, name="matrix")
    dims = matrix.shape
    composite = fast is not False
    if composite and dims.is_fully_defined():
        sizes = dims.as_list()
        composite = not (int(np.prod(sizes)) * matrix.dtype.size > 256000 and int(np.prod(sizes[:-2])) > min(sizes[-2:]))
    if not composite:
        return apply_op("MatrixSolveLs", matrix=matrix, rhs=rhs, l2_regularizer=l2_regularizer, fast=fast, name=name)
    with name_scope(name, "matrix_solve_ls", [matrix, rhs, l2_regularizer]):
        last = dims[-2:]
        if last.is_fully_defined():
            return _least_squares(matrix, rhs, l2_regularizer, last[-2].value >= last[-1].value)
        from ..control import control_flow
        shape = array_ops.shape(matrix)[-2:]
        return control_flow.cond(shape[-2] >= shape[-1], lambda: _least_squares(matrix, rhs, l2_regularizer, True),
                                 lambda: _least_squares(matrix, rhs, l2_regularizer, False))


lstsq = matrix_solve_ls


def _largest_singular(tensor, axis):
    """The matrix norm of order 2, along two axes."""
    from ..control.control_flow import cond
    from ..control.loops import map_fn
    rank = array_ops.rank(tensor)
    last = map_fn(lambda i: cond(i >= 0, lambda: i, lambda: i + rank), convert_to_tensor(axis))
    axes = math_ops.range(rank)
    order = array_ops.concat([array_ops.setdiff1d(axes, last)[0], last], axis=0)

    def place(i):
        return math_ops.cast(array_ops.squeeze(array_ops.where_v2(math_ops.equal(order, i))), dtypes.int32)
    back = map_fn(place, axes)
    turned = array_ops.transpose(tensor, perm=order)
    values = math_ops.abs(svd(turned, compute_uv=False))
    largest = array_ops.expand_dims(math_ops.reduce_max(values, axis=-1, keepdims=True), axis=-1)
    return array_ops.transpose(largest, perm=back)


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None):
    keep = bool(ops.either("keepdims", keepdims, "keep_dims", keep_dims))
    of_matrix = isinstance(axis, (tuple, list)) and len(axis) == 2
    if of_matrix:
        axis = tuple(axis)
        if not isinstance(axis[0], int) or not isinstance(axis[1], int) or axis[0] == axis[1]:
            raise ValueError("'axis' must be None, an integer, or a tuple of 2 unique integers")
        if ord not in ["euclidean", "fro", 1, 2, np.inf]:
            raise ValueError("'ord' must be a supported matrix norm in %s, got %s" % (
                ["euclidean", "fro", 1, 2, np.inf], ord))
    else:
        if not (isinstance(axis, int) or axis is None):
            raise ValueError("'axis' must be None, an integer, or a tuple of 2 unique integers")
        if isinstance(ord, str) and ord != "euclidean" or not isinstance(ord, str) and (not np.isreal(ord) or ord <= 0):
            raise ValueError("'ord' must be a supported vector norm, got %s" % ord)
        axis = None if axis is None else (axis,)
    with name_scope(name, "norm", [tensor]):
        tensor = convert_to_tensor(tensor)
        if of_matrix and ord in (2, 2.0):
            result = _largest_singular(tensor, axis)
        elif ord in ("fro", "euclidean", 2, 2.0):
            result = math_ops.sqrt(math_ops.reduce_sum(tensor * math_ops.conj(tensor), axis, keepdims=True))
        else:
            result = math_ops.abs(tensor)
            first = None if axis is None else axis[0]
            if ord == 1:
                result = math_ops.reduce_sum(result, first, keepdims=True)
                if of_matrix:
                    result = math_ops.reduce_max(result, axis[-1], keepdims=True)
            elif ord == np.inf:
                if of_matrix:
                    result = math_ops.reduce_sum(result, axis[1], keepdims=True)
                result = math_ops.reduce_max(result, first, keepdims=True)
            else:
                total = math_ops.reduce_sum(math_ops.pow(result, ord), axis, keepdims=True)
                result = math_ops.pow(total, 1.0 / ord)
        return result if keep else array_ops.squeeze(result, axis)


def lbeta(x, name=None):
    with name_scope(name, "lbeta", [x]):
        x = convert_to_tensor(x, name="x")
        log_product = math_ops.reduce_sum(math_ops.lgamma(x), [-1])
        total = math_ops.reduce_sum(x, [-1])
        return log_product - math_ops.lgamma(total)


# -- einsum

def _parse(equation, ndims):
    """Labels of the inputs and of the output; an ellipsis becomes labels that nothing else has."""
    text = equation.replace(" ", "")
    if not re.match(r"^([a-zA-Z,.]+)(->[a-zA-Z.]*)?$", text):
        raise ValueError("Indices have incorrect format: %s" % text)
    left, arrow, right = text.partition("->")
    labels = left.split(",")
    if len(labels) != len(ndims):
        raise ValueError("Got %d arguments for equation \"%s\", expecting %d" % (len(ndims), text, len(labels)))
    free = [c for c in "zyxwvutsrqponmlkjihgfedcba" if c not in text]
    longest = 0
    for i, part in enumerate(labels):
        if "..." in part:
            n = ndims[i] - (len(part) - 3)
            longest = max(longest, n)
            labels[i] = part.replace("...", "".join(free[:n][::-1]))
    extra = "".join(free[:longest][::-1])
    if arrow:
        output = right.replace("...", extra)
    else:
        every = "".join(labels)
        output = "".join(c for c in sorted(set(every)) if every.count(c) == 1)
    return labels, output


def _transposed(x, order):
    return x if list(order) == list(builtins.range(len(order))) else array_ops.transpose(x, perm=order)


def _known_shape(x):
    dims = x.shape.as_list()
    if None in dims:
        shape = array_ops.shape(x)
        for i, d in enumerate(dims):
            if d is None:
                dims[i] = shape[i]
    return dims


def _total(dims):
    total = 1
    for d in dims:
        total *= d
    return total


def _reshaped(x, dims):
    dims = tuple(-1 if d is None else d for d in dims)
    now = x.shape.as_list()
    if len(dims) == len(now) and all(not isinstance(d, Tensor) and (n == d or d == -1) for n, d in zip(now, dims)):
        return x
    return array_ops.reshape(x, dims)


def _reduce_pair(a, a_labels, b, b_labels, summed):
    for x, labels, what in ((a, a_labels, "t0"), (b, b_labels, "t1")):
        if len(labels) != x.shape.ndims:
            raise ValueError("Tensor %s of rank %d does not match einsum reduction of length %d" %
                             (what, x.shape.ndims, len(labels)))
    kept = (set(a_labels) & set(b_labels)) - summed
    alone = [set(labels) - kept - summed for labels in (a_labels, b_labels)]

    def place(side, c):
        if c in kept:
            return -1, c
        inner = c in alone[0] if side == 0 else c in summed
        return (0 if inner else 1), c
    order = [sorted(labels, key=lambda c: place(side, c)) for side, labels in enumerate((a_labels, b_labels))]
    a = _transposed(a, [a_labels.find(c) for c in order[0]])
    b = _transposed(b, [b_labels.find(c) for c in order[1]])
    n_kept = len(kept)
    if not summed:
        for _ in alone[1]:
            a = array_ops.expand_dims(a, -1)
        for _ in alone[0]:
            b = array_ops.expand_dims(b, n_kept)
        return math_ops.multiply(a, b), "".join(order[0] + order[1][n_kept:])
    a_dims = _known_shape(a)
    rows, inner = _total(a_dims[n_kept:-len(summed)]), _total(a_dims[-len(summed):])
    a = _reshaped(a, a_dims[:n_kept] + [rows, inner])
    b_dims = _known_shape(b)
    columns = _total(b_dims[n_kept + len(summed):])
    b = _reshaped(b, b_dims[:n_kept] + [inner, columns])
    product = math_ops.matmul(a, b)
    product = _reshaped(product, a_dims[:n_kept + len(alone[0])] + b_dims[len(b_dims) - len(alone[1]):])
    return product, "".join(order[0][:n_kept + len(alone[0])] + order[1][len(order[1]) - len(alone[1]):])


def einsum(equation, *inputs, **keywords):
    name = keywords.pop("name", None)
    if keywords:
        raise TypeError("invalid keyword arguments for this function: " + ", ".join(sorted(keywords)))
    with name_scope(name, "einsum", [equation] + list(inputs)):
        inputs = list(inputs)
        labels, output = _parse(equation, [x.shape.ndims for x in inputs])
        for part in labels:
            if len(labels) == 1 and part == part[::-1] and "->" not in equation and any(part.count(c) == 2 for c in part):
                return trace(inputs[0])
            if any(part.count(c) > 1 for c in part):
                raise ValueError("Subscript not supported: an axis appears more than once: %s" % part)
        made, made_labels = inputs[0], labels[0]
        for x, part in zip(inputs[1:], labels[1:]):
            summed = set(made_labels) & set(part) - set(output)
            made, made_labels = _reduce_pair(made, made_labels, x, part, summed)
        if set(made_labels) - set(output):
            axes = [i for i, c in enumerate(made_labels) if c not in output]
            made = math_ops.reduce_sum(made, axis=axes)
            made_labels = "".join(c for c in made_labels if c in output)
        if sorted(made_labels) != sorted(output):
            raise ValueError("Invalid equation: %s" % equation)
        return _transposed(made, [made_labels.index(c) for c in output])


# -- sorting

def _sorted(values, axis, direction, indices):
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError("%s should be one of %s" % (direction, "ASCENDING, DESCENDING"))
    axis = convert_to_tensor(axis, name="axis")
    at = ops.constant_value(axis)
    if axis.shape.ndims != 0 or at is None:
        raise ValueError("axis must be a constant scalar")
    at = int(at)
    values = convert_to_tensor(values, name="values")
    if direction == "DESCENDING":
        return _descending(values, at, indices)
    result = _descending(-values, at, indices)
    return result if indices else -result


def _descending(values, axis, indices):
    k = array_ops.shape(values)[axis]
    rank = array_ops.rank(values)
    known = values.shape.ndims
    order = None
    if axis != -1 and axis + 1 != known:
        if axis < 0:
            axis += known or rank
        if known is not None:
            order = constant(np.r_[np.arange(axis), [known - 1], np.arange(axis + 1, known - 1), [axis]],
                             name="transposition")
        else:
            order = array_ops.concat([math_ops.range(axis), [rank - 1], math_ops.range(axis + 1, rank - 1), [axis]], axis=0)
        values = array_ops.transpose(values, order)
    found = apply_op("TopKV2", input=values, k=k, sorted=True)
    result = found[1] if indices else found[0]
    return result if order is None else array_ops.transpose(result, order)


def sort(values, axis=-1, direction="ASCENDING", name=None):
    with name_scope(name, "sort"):
        return _sorted(values, axis, direction, False)


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    with name_scope(name, "argsort"):
        return _sorted(values, axis, direction, True)
