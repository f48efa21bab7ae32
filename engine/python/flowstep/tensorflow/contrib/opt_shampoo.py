# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.opt's Shampoo: gradients scaled, dimension by dimension, by what all before had in common."""

import numpy as np

from .. import dtypes
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework import tf_logging as logging
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..learning import optimizers
from ..operators import array_ops, linalg, math_ops, state_ops
from . import matrix_functions


def _at(value, step):
    return value(step) if callable(value) else value


def _averaged(var, weight, weight_t, rest):
    if weight == 0.0:
        return rest
    if weight == 1.0:
        return state_ops.assign_add(var, rest)
    return var.assign_add((weight_t - 1) * var + rest)


class ShampooOptimizer(optimizers.Optimizer):
    """Each dimension of a variable has a matrix of its own, where it is no larger than max_matrix_size."""

    def __init__(self, global_step=0, max_matrix_size=768, gbar_decay=0.0, gbar_weight=1.0, mat_gbar_decay=1.0,
                 mat_gbar_weight=1.0, learning_rate=1.0, svd_interval=1, precond_update_interval=1, epsilon=1e-4, alpha=0.5,
                 use_iterative_root=False, use_locking=False, name="Shampoo"):
        super().__init__(use_locking, name)
        self._global_step = math_ops.cast(global_step, dtypes.float32)
        self._max_matrix_size = max_matrix_size
        self._gbar_decay, self._gbar_weight = gbar_decay, gbar_weight
        self._mat_gbar_decay, self._mat_gbar_weight = mat_gbar_decay, mat_gbar_weight
        self._learning_rate, self._alpha, self._epsilon = learning_rate, alpha, epsilon
        self._svd_interval, self._precond_update_interval = svd_interval, precond_update_interval
        self._use_iterative_root = use_iterative_root

    def _create_slots(self, var_list):
        for v in var_list:
            with graph_lib.colocate_with(v):
                self._zeros_slot(v, "gbar", self._name)
                for i, size in enumerate(np.array(v.shape)):
                    self._create_matrix(v, i, size)

    def _create_matrix(self, v, i, size):
        size_t = convert_to_tensor(size)
        if size <= self._max_matrix_size:
            start = array_ops.zeros_like(linalg.eye(size_t))
            if self._svd_interval > 1:
                self._get_or_make_slot(v, linalg.eye(size_t), "H_%d" % i, self._name)
        else:
            start = array_ops.zeros([size_t])
        self._get_or_make_slot(v, start, "Gbar_%d" % i, self._name)

    def _apply_dense(self, grad, var):
        return self._apply_gradient(grad, var)

    _resource_apply_dense = _apply_dense

    def _apply_sparse(self, grad, var):
        return self._resource_apply_sparse(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad, var, indices):
        if var.shape[0] <= self._max_matrix_size or self._gbar_decay != 0.0:
            rows = array_ops.expand_dims(indices, axis=1)
            dense = array_ops.scatter_nd(rows, grad, array_ops.shape(var, out_type=indices.dtype))
            return self._apply_gradient(dense, var)
        return self._apply_gradient(grad, var, indices)

    # -- a matrix and its power

    def _power_by_svd(self, matrix, size, alpha):
        if size == 1:
            return math_ops.pow(matrix + self._epsilon, alpha)
        damping = self._epsilon * linalg.eye(math_ops.cast(size, dtypes.int32))
        s, u, v = linalg.svd(matrix + damping, full_matrices=True)
        return math_ops.matmul(v * math_ops.pow(math_ops.maximum(s, self._epsilon), alpha), array_ops.transpose(u))

    def _power_by_iteration(self, matrix, size, alpha):
        root = matrix_functions.matrix_square_root(matrix, size, 100, self._epsilon)
        return matrix_functions.matrix_inverse_pth_root(root, size, 2 * alpha, 100, 1e-6, ridge_epsilon=0.0)

    def _power(self, var, matrix, size, alpha, slot=None):
        with name_scope("matrix_iterative_power"):
            power = (self._power_by_iteration if self._use_iterative_root else self._power_by_svd)(matrix, size, alpha)
            return power if slot is None else state_ops.assign(self.get_slot(var, slot), power)

    # -- a step

    def _apply_gradient(self, grad, var, indices=None):
        step = self._global_step + 1
        gbar_decay, gbar_weight = _at(self._gbar_decay, step), _at(self._gbar_weight, step)
        if indices is None:
            moved = _averaged(self.get_slot(var, "gbar"), self._gbar_decay, gbar_decay, gbar_weight * grad)
        else:
            if self._gbar_decay != 0.0:
                logging.warning("Not applying momentum for variable: %s" % var.name)
            moved = grad
        decay, weight = _at(self._mat_gbar_decay, step), _at(self._mat_gbar_weight, step)
        rank = len(var.shape)
        alpha = - _at(self._alpha, step) / rank
        intervals = _at(self._svd_interval, step), _at(self._precond_update_interval, step)
        for i in range(rank):
            if var.shape[i] <= self._max_matrix_size:
                power = self._matrix(var, grad, i, step, alpha, decay, weight, *intervals)
                moved = math_ops.tensordot(moved, power, axes=([0], [0]), name="precond_%d" % i)
            else:
                power = self._diagonal(var, grad, i, indices, alpha, decay, weight)
                moved = array_ops.transpose(moved, perm=list(range(1, rank)) + [0]) * power
        rate = _at(self._learning_rate, step)
        if indices is not None:
            return state_ops.scatter_add(var, indices, -rate * moved)
        return state_ops.assign_sub(var, rate * moved)

    def _matrix(self, var, grad, i, step, alpha, decay, weight, svd_interval, update_interval):
        kept, size = self.get_slot(var, "Gbar_%d" % i), var.shape[i]
        axes = [axis for axis in range(len(var.shape)) if axis != i]

        def add():
            factor = weight * update_interval
            outer = math_ops.tensordot(grad, grad, axes=(axes, axes), name="grad_outer_%d" % i)
            return _averaged(kept, self._mat_gbar_decay, decay, factor * outer)
        matrix = control_flow.cond(math_ops.mod(step, update_interval) < 1, add, lambda: kept)
        matrix = matrix / float(size.value)
        if self._svd_interval == 1:
            return self._power(var, matrix, size, alpha)
        slot = "H_%d" % i
        return control_flow.cond(math_ops.mod(step, svd_interval) < 1, lambda: self._power(var, matrix, size, alpha, slot),
                                 lambda: self.get_slot(var, slot))

    def _diagonal(self, var, grad, i, indices, alpha, decay, weight):
        kept = self.get_slot(var, "Gbar_%d" % i)
        axes = [axis for axis in range(len(var.shape)) if axis != i]
        outer = grad * grad
        if axes:
            outer = math_ops.reduce_sum(outer, axis=axes) / (1.0 if indices is not None else float(var.shape[i].value))
        if i == 0 and indices is not None:
            assert self._mat_gbar_decay == 1.0
            kept = array_ops.gather(state_ops.scatter_add(kept, indices, weight * outer), indices)
        else:
            kept = _averaged(kept, self._mat_gbar_decay, decay, weight * outer)
        some, power = math_ops.greater(kept, 0), math_ops.pow(kept, alpha)
        return array_ops.where(some, power, array_ops.zeros_like(kept))
