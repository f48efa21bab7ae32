# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.opt: Adam whose powers of beta come of the global step, not of variables of their own."""

from .. import dtypes
from ..learning import optimizers
from ..operators import array_ops, math_ops
from . import opt


class _OfGlobalStep:
    def __init__(self, global_step=0, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking=False,
                 name="Adam"):
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        self._global_step, self._global_step_on_worker = global_step, None

    def _get_beta_accumulators(self, graph=None):
        return tuple(math_ops.pow(self._tensors[key], self._global_step_on_worker) for key in ("beta1", "beta2"))

    def _create_slots(self, var_list):
        optimizers._Rule._create_slots(self, var_list)

    def _prepare(self):
        super()._prepare()
        self._global_step_on_worker = math_ops.cast(array_ops.identity(self._global_step) + 1, dtypes.float32)

    def _finish(self, update_ops, name_scope):
        return optimizers.Optimizer._finish(self, update_ops, name_scope)


class AdamGSOptimizer(_OfGlobalStep, optimizers.AdamOptimizer):
    """Adam; rows that were not read move as well."""


class LazyAdamGSOptimizer(_OfGlobalStep, opt.LazyAdamOptimizer):
    """Adam that moves only the rows that were read."""
