# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Roots of matrices by iteration, as tf.contrib.opt's optimizers take them."""

from .. import dtypes
from ..control import loops
from ..operators import linalg, math_ops


def matrix_square_root(mat_a, mat_a_size, iter_count=100, ridge_epsilon=1e-4):
    """Newton's iteration by products alone, until it gets no better."""
    def condition(i, y, old_y, z, old_z, error, old_error):
        return math_ops.logical_and(i < iter_count, error < old_error)

    def body(i, y, old_y, z, old_z, error, old_error):
        half = 0.5 * (3.0 * identity - math_ops.matmul(z, y))
        next_y, next_z = math_ops.matmul(y, half), math_ops.matmul(half, z)
        root = next_y * math_ops.sqrt(norm)
        residual = mat_a - math_ops.matmul(root, root)
        next_error = math_ops.sqrt(math_ops.reduce_sum(residual * residual)) / norm
        return i + 1, next_y, y, next_z, z, next_error, error
    identity = linalg.eye(math_ops.cast(mat_a_size, dtypes.int32))
    mat_a = mat_a + ridge_epsilon * identity
    norm = math_ops.sqrt(math_ops.reduce_sum(mat_a * mat_a))
    start = mat_a / norm
    # The last one was worse: what stood before it is the root.
    found = loops.while_loop(condition, body, [0, start, start, identity, identity, norm, norm + 1.0])
    return found[2] * math_ops.sqrt(norm)


def _matrix_power(matrix, p):
    assert p == int(p) and p > 0
    power = None
    while p > 0:
        if p % 2 == 1:
            power = math_ops.matmul(matrix, power) if power is not None else matrix
        p //= 2
        matrix = math_ops.matmul(matrix, matrix)
    return power


def matrix_inverse_pth_root(mat_g, mat_g_size, alpha, iter_count=100, epsilon=1e-6, ridge_epsilon=1e-6):
    """mat_g to the power alpha = -1/p."""
    identity = linalg.eye(math_ops.cast(mat_g_size, dtypes.int32))

    def condition(i, m, _):
        return math_ops.logical_and(i < iter_count, math_ops.reduce_max(math_ops.abs(m - identity)) > epsilon)

    def body(i, m, x):
        m_i = (1 - alpha) * identity + alpha * m
        return i + 1, math_ops.matmul(_matrix_power(m_i, -1.0 / alpha), m), math_ops.matmul(x, m_i)
    if mat_g_size == 1:
        return math_ops.pow(mat_g + ridge_epsilon, alpha)
    damped = mat_g + ridge_epsilon * identity
    z = (1 - 1 / alpha) / (2 * linalg.norm(damped))
    return loops.while_loop(condition, body, [0, damped * z, identity * math_ops.pow(z, -alpha)])[2]
