# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.linalg.expm: a quotient of polynomials of the matrix, whose order is chosen by its norm, then squared as often as the
matrix was halved."""

from .. import dtypes
from ..control import loops
from ..framework.graph import name_scope
from ..framework.ops import constant, convert_to_tensor
from . import array_ops, linalg, math_ops

# The coefficients of an order's quotient, constant first; the highest is 1.
_COEFFICIENTS = {
    3: (120.0, 60.0, 12.0),
    5: (30240.0, 15120.0, 3360.0, 420.0, 30.0),
    7: (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0),
    9: (17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0, 2162160.0, 110880.0, 3960.0, 90.0),
    13: (64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
         10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0),
}
# Up to which norm an order is exact enough, and up to which the last is.
_ORDERS = {
    dtypes.float32: (((3, 4.258730016922831e-01), (5, 1.880152677804762e+00)), 7, 3.925724783138660),
    dtypes.float64: (((3, 1.495585217958292e-02), (5, 2.539398330063230e-01), (7, 9.504178996162932e-01),
                      (9, 2.097847961257068e+00)), 13, 5.371920351148152),
}


def _identity_like(matrix):
    size = array_ops.shape(matrix)[-2]
    return linalg.eye(size, batch_shape=array_ops.shape(matrix)[:-2], dtype=matrix.dtype)


def _sum(parts):
    """coefficient * power, added in order; a coefficient None stands for 1."""
    total = None
    for factor, power in parts:
        term = power if factor is None else factor * power
        total = term if total is None else total + term
    return total


def _quotient(matrix, order):
    """The odd part and the even part of the polynomial."""
    b = [constant(value, matrix.dtype) for value in _COEFFICIENTS[order]]
    ident = _identity_like(matrix)
    powers = {2: math_ops.matmul(matrix, matrix)}
    for k in range(4, order if order < 13 else 8, 2):
        powers[k] = math_ops.matmul(powers[k - 2], powers[2])
    if order == 13:
        inner = math_ops.matmul(powers[6], powers[6] + b[11] * powers[4] + b[9] * powers[2])
        inner = inner + b[7] * powers[6] + b[5] * powers[4] + b[3] * powers[2] + b[1] * ident
        odd = math_ops.matmul(matrix, inner)
        outer = b[12] * powers[6] + b[10] * powers[4] + b[8] * powers[2]
        even = math_ops.matmul(powers[6], outer) + b[6] * powers[6] + b[4] * powers[4] + b[2] * powers[2] + b[0] * ident
        return odd, even
    high = order - 1
    odd = _sum([(None, powers[high])] + [(b[k + 1], powers[k]) for k in range(high - 2, 0, -2)] + [(b[1], ident)])
    odd = math_ops.matmul(matrix, odd)
    return odd, _sum([(b[k], powers[k]) for k in range(high, 0, -2)] + [(b[0], ident)])


def _by_norm(norm, limits, cases):
    if not limits:
        return cases[0]
    small = math_ops.less(norm, constant(limits[0], norm.dtype))
    return array_ops.where(small, cases[0], _by_norm(norm, limits[1:], cases[1:]))


def _scaled_quotients(matrix, norm):
    """Both parts by the order that the norm asks for, and how often the matrix was halved for the last."""
    if matrix.dtype.base_dtype not in _ORDERS:
        raise ValueError("tf.linalg.expm does not support matrices of type %s" % matrix.dtype)
    orders, last, limit = _ORDERS[matrix.dtype.base_dtype]
    limit = constant(limit, matrix.dtype)
    halvings = math_ops.floor(math_ops.log(norm / limit) / math_ops.log(constant(2.0, matrix.dtype)))
    halvings = math_ops.maximum(halvings, 0.0)
    pairs = [_quotient(matrix, order) for order, _ in orders]
    scale = math_ops.pow(constant(2.0, matrix.dtype), halvings)
    pairs.append(_quotient(matrix / scale[..., None, None], last))
    limits = [value for _, value in orders]
    odd = _by_norm(norm, limits, [pair[0] for pair in pairs])
    return odd, _by_norm(norm, limits, [pair[1] for pair in pairs]), halvings


def matrix_exponential(input, name=None):
    with name_scope(name, "matrix_exponential", [input]):
        matrix = convert_to_tensor(input, name="input")
        if matrix.shape[-2:] == [0, 0]:
            return matrix
        batch = matrix.shape[:-2]
        if not batch.is_fully_defined():
            batch = array_ops.shape(matrix)[:-2]
        matrix = array_ops.reshape(matrix, array_ops.concat(([-1], array_ops.shape(matrix)[-2:]), axis=0))
        columns = math_ops.reduce_sum(math_ops.abs(matrix), axis=array_ops.size(array_ops.shape(matrix)) - 2)
        norm = math_ops.reduce_max(columns, axis=-1)
        odd, even, halvings = _scaled_quotients(matrix, norm)
        numerator = odd + even
        denominator = -odd + even
        result = linalg.matrix_solve(denominator, numerator)
        most = math_ops.reduce_max(halvings)
        start = constant(0.0, matrix.dtype)

        def square(i, value):
            return i + 1, array_ops.where(math_ops.less(i, halvings), math_ops.matmul(value, value), value)
        _, result = loops.while_loop(lambda i, _: math_ops.less(i, most), square, [start, result])
        if not matrix.shape.is_fully_defined():
            return array_ops.reshape(result, array_ops.concat((batch, array_ops.shape(result)[-2:]), axis=0))
        return array_ops.reshape(result, batch.concatenate(result.shape[-2:]))
