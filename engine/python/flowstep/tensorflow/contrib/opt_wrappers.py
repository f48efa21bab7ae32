# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Optimizers around others (tf.contrib.opt): moving averages, clipped variables, several tasks, stale gradients."""

import contextlib

from .. import dtypes
from .. import summary
from ..control import control_flow
from ..framework import graph as graph_lib, ops
from ..framework import tf_logging as logging
from ..framework.graph import Tensor, name_scope
from ..learning import moving_averages, optimizers
from ..learning import training_util
from ..operators import array_ops, math_ops
from ..saving import saver as saver_lib
from ..state import initializers
from ..state import partitioned_variables, scope as scope_lib
from ..state import variables


class MovingAverageOptimizer(optimizers.Optimizer):
    def __init__(self, opt, average_decay=0.9999, num_updates=None, sequential_update=True):
        super().__init__(False, "MovingAverageOptimizer")
        self._optimizer, self._sequential_update = opt, sequential_update
        self._ema = moving_averages.ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped = None

    def compute_gradients(self, *args, **kwargs):
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        train_op = self._optimizer.apply_gradients(grads_and_vars, global_step=global_step, name=name)
        var_list = [v for g, v in grads_and_vars if g is not None]
        with graph_lib.control_dependencies([train_op] if self._sequential_update else []):
            averaged = self._ema.apply(var_list)
        self._swapped = {}
        for v in var_list:
            average = self._ema.average(v)
            self._swapped[v.op.name], self._swapped[average.op.name] = average.op.name, v.op.name
        return control_flow.group(train_op, averaged, name="train_with_avg")

    def swapping_saver(self, var_list=None, name="swapping_saver", **kwargs):
        """A Saver that stores averages as the variables, and the variables as averages."""
        if self._swapped is None:
            raise RuntimeError("Must call apply_gradients or minimize before creating the swapping_saver")
        if var_list is None:
            var_list = variables.global_variables()
        if not isinstance(var_list, dict):
            var_list = {v.op.name: v for v in var_list}
        known = {}
        for key, value in var_list.items():
            if isinstance(value, (list, partitioned_variables.PartitionedVariable)):
                known.update((part.op.name, part) for part in value)
            else:
                known[key] = value

        def swapped(key, value):
            other = self._swapped.get(key)
            if other is None:
                return value
            if other not in known:
                raise ValueError("Variable to swap %s is not part of variables to save. This breaks MovingAverageOptimizer." %
                                 other)
            return known[other]
        return saver_lib.Saver({key: [swapped(part.op.name, part) for part in value] if isinstance(value, list)
                                else swapped(key, value) for key, value in var_list.items()}, name=name, **kwargs)


class _Around(optimizers.Optimizer):
    """An optimizer that leaves its slots to another."""

    def __init__(self, opt, use_locking, name):
        super().__init__(use_locking, name)
        self._opt = opt

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)


class VariableClippingOptimizer(_Around):
    def __init__(self, opt, vars_to_clip_dims, max_norm, use_locking=False, colocate_clip_ops_with_vars=False,
                 name="VariableClipping"):
        super().__init__(opt, use_locking, name)
        self._dims, self._max_norm = {id(var): list(dims) for var, dims in vars_to_clip_dims.items()}, max_norm
        self._colocate = colocate_clip_ops_with_vars

    def compute_gradients(self, *args, **kwargs):
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        with name_scope(name, self._name) as name:
            update, clipped = self._opt.apply_gradients(grads_and_vars, global_step=global_step), []
            with graph_lib.control_dependencies([update]):
                for grad, var in grads_and_vars:
                    if grad is None or id(var) not in self._dims:
                        continue
                    with name_scope("clip_" + var.op.name):
                        clipped.append(self._clip_dense(var) if isinstance(grad, Tensor) else self._clip_sparse(grad, var))
            return control_flow.group(*[update] + clipped, name=name)

    def _beside(self, var):
        return graph_lib.colocate_with(var) if self._colocate else contextlib.nullcontext()

    def _clip_dense(self, var):
        with self._beside(var):
            value = var.read_value()
            delta = value - math_ops.clip_by_norm(value, self._max_norm, self._dims[id(var)])
        with graph_lib.colocate_with(var):
            return var.assign_sub(delta, use_locking=self._use_locking)

    def _clip_sparse(self, grad, var):
        dims = self._dims[id(var)]
        if 0 in dims:
            logging.warning("Clipping norm across dims %s for %s is inefficient when including sparse dimension 0.", dims,
                            var.op.name)
            return self._clip_dense(var)
        with graph_lib.colocate_with(var):
            rows = array_ops.gather(var, grad.indices)
        with self._beside(var):
            clipped = math_ops.clip_by_norm(rows, self._max_norm, dims)
            delta = ops.IndexedSlices(rows - clipped, grad.indices, grad.dense_shape)
        with graph_lib.colocate_with(var):
            return var.scatter_sub(delta, use_locking=self._use_locking)


def _is_all_zeros(grad):
    return math_ops.equal(math_ops.count_nonzero(grad), 0)


class MultitaskOptimizerWrapper:
    """An optimizer that does nothing where a gradient is zero throughout."""

    def __init__(self, opt):
        if not isinstance(opt, optimizers.Optimizer):
            raise TypeError("Supplied optimizer must be an instance of tf.train.Optimizer")
        self._opt = opt
        for name in ("_apply_dense", "_resource_apply_dense", "_apply_sparse", "_resource_apply_sparse"):
            setattr(opt, name, self._unless_zero(getattr(opt, name)))

    @staticmethod
    def _unless_zero(function):
        def call(grad, *args, **kwargs):
            def apply():
                with graph_lib.control_dependencies([function(grad, *args, **kwargs)]):
                    return control_flow.no_op()
            return control_flow.cond(_is_all_zeros(grad), control_flow.no_op, apply)
        return call

    def __getattr__(self, name):
        return getattr(self._opt, name)


def clip_gradients_by_global_norm(gradients_variables, clip_norm=20.):
    grads, owners = zip(*gradients_variables)

    def without_zeros(grad):
        if grad is None:
            return None
        return control_flow.cond(_is_all_zeros(grad), lambda: array_ops.zeros([], dtype=dtypes.as_dtype(grad.dtype)),
                                 lambda: grad)
    norm = math_ops.global_norm([without_zeros(grad) for grad in grads])
    grads, _ = math_ops.clip_by_global_norm(grads, clip_norm, use_norm=norm)
    return list(zip(grads, owners)), norm


class DropStaleGradientOptimizer(_Around):
    def __init__(self, opt, staleness, use_locking=False, name="DropStaleGradient"):
        super().__init__(opt, use_locking, name)
        self._staleness = staleness

    def compute_gradients(self, loss, *args, **kwargs):
        with graph_lib.colocate_with(loss):
            self._local_step = training_util.get_global_step() + 0
        with graph_lib.control_dependencies([self._local_step]):
            return self._opt.compute_gradients(ops.apply_op("Identity", input=loss), *args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        with graph_lib.colocate_with(global_step):
            counter = scope_lib.get_variable("stale_counter", [], initializer=initializers.Zeros(), trainable=False)

        def accept():
            with graph_lib.control_dependencies([self._opt.apply_gradients(grads_and_vars, global_step=global_step,
                                                                           name=name)]):
                return ops.apply_op("Identity", input=0.0)
        grads = [grad if isinstance(grad, Tensor) else grad.op for grad, _ in grads_and_vars if grad is not None]
        with graph_lib.control_dependencies(grads), graph_lib.colocate_with(global_step):
            staleness = array_ops.reshape(global_step - self._local_step, shape=())
        is_fresh = ops.apply_op("LessEqual", x=staleness, y=self._staleness)
        updated = counter.assign_add(control_flow.cond(is_fresh, accept, lambda: ops.apply_op("Identity", input=1.0)))
        summary.scalar("Gradient staleness percentage", counter / math_ops.cast(global_step + 1, dtypes.float32))
        return updated
