# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.opt: Adam that moves only the rows that were read, and weights that decay by themselves."""

from ..control import control_flow
from ..framework import graph as graph_lib, ops
from ..learning import optimizers
from ..operators import array_ops, math_ops, state_ops


class LazyAdamOptimizer(optimizers.AdamOptimizer):
    def _rates(self, var):
        """The step's length by now, and what else the rule takes, in the variable's type."""
        dtype = var.dtype.base_dtype
        first, second = (math_ops.cast(p, dtype) for p in self._get_beta_accumulators(var.graph))
        lr, beta1, beta2, epsilon = (math_ops.cast(self._tensors[key], dtype)
                                     for key in ("learning_rate", "beta1", "beta2", "epsilon"))
        return lr * math_ops.sqrt(1 - second) / (1 - first), beta1, beta2, epsilon

    def _apply_sparse(self, grad, var):
        indices = grad.indices
        lr, beta1, beta2, epsilon = self._rates(var)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_t = state_ops.scatter_update(m, indices, beta1 * array_ops.gather(m, indices) + (1 - beta1) * grad.values,
                                       use_locking=self._use_locking)
        v_t = state_ops.scatter_update(
            v, indices, beta2 * array_ops.gather(v, indices) + (1 - beta2) * math_ops.square(grad.values),
            use_locking=self._use_locking)
        m_rows, v_rows = array_ops.gather(m_t, indices), array_ops.gather(v_t, indices)
        down = math_ops.sqrt(v_rows) + epsilon
        update = state_ops.scatter_sub(var, indices, lr * m_rows / down, use_locking=self._use_locking)
        return control_flow.group(update, m_t, v_t)

    def _resource_apply_sparse(self, grad, var, indices):
        lr, beta1, beta2, epsilon = self._rates(var)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = beta1 * array_ops.gather(m, indices) + (1 - beta1) * grad
        m_t = ops.make_op("ResourceScatterUpdate", resource=m.handle, indices=indices, updates=m_rows)
        v_rows = beta2 * array_ops.gather(v, indices) + (1 - beta2) * math_ops.square(grad)
        v_t = ops.make_op("ResourceScatterUpdate", resource=v.handle, indices=indices, updates=v_rows)
        update = ops.make_op("ResourceScatterSub", resource=var.handle, indices=indices,
                             updates=lr * m_rows / (math_ops.sqrt(v_rows) + epsilon))
        return control_flow.group(update, m_t, v_t)


class DecoupledWeightDecayExtension:
    """Weights shrink before each step of the optimizer that this stands before."""

    def __init__(self, weight_decay, **keywords):
        self._decay_var_list = None
        self._weight_decay = weight_decay
        self._weight_decay_tensor = None
        super().__init__(**keywords)

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=optimizers.Optimizer.GATE_OP,
                 aggregation_method=None, colocate_gradients_with_ops=False, name=None, grad_loss=None,
                 decay_var_list=None):
        # TF: that list is given up by apply_gradients, which minimize calls without one: all variables shrink.
        return super().minimize(loss, global_step=global_step, var_list=var_list, gate_gradients=gate_gradients,
                                aggregation_method=aggregation_method, name=name, grad_loss=grad_loss,
                                colocate_gradients_with_ops=colocate_gradients_with_ops)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None, decay_var_list=None):
        self._decay_var_list = set(decay_var_list) if decay_var_list else None
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _prepare(self):
        decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        self._weight_decay_tensor = ops.convert_to_tensor(decay, name="weight_decay")
        super()._prepare()

    def _decays(self, var):
        return not self._decay_var_list or var in self._decay_var_list

    def _decayed(self, var):
        if not self._decays(var):
            return control_flow.no_op()
        return var.assign_sub(self._weight_decay * var, self._use_locking)

    def _rows_decayed(self, var, indices, scatter_add):
        if not self._decays(var):
            return control_flow.no_op()
        return scatter_add(var, indices, -self._weight_decay * array_ops.gather(var, indices))

    def _apply_dense(self, grad, var):
        with graph_lib.control_dependencies([self._decayed(var)]):
            return super()._apply_dense(grad, var)

    def _resource_apply_dense(self, grad, var):
        with graph_lib.control_dependencies([self._decayed(var)]):
            return super()._resource_apply_dense(grad, var)

    def _apply_sparse(self, grad, var):
        def add(x, i, v):
            return state_ops.scatter_add(x, i, v, use_locking=self._use_locking)
        with graph_lib.control_dependencies([self._rows_decayed(var, grad.indices, add)]):
            return super()._apply_sparse(grad, var)

    def _resource_apply_sparse(self, grad, var, indices):
        def add(x, i, v):
            with graph_lib.control_dependencies([ops.make_op("ResourceScatterAdd", resource=x.handle, indices=i, updates=v)]):
                return x.value()
        with graph_lib.control_dependencies([self._rows_decayed(var, indices, add)]):
            return super()._resource_apply_sparse(grad, var, indices)


def extend_with_decoupled_weight_decay(base_optimizer):
    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        def __init__(self, weight_decay, *arguments, **keywords):
            self._decay_var_list, self._weight_decay, self._weight_decay_tensor = None, weight_decay, None
            base_optimizer.__init__(self, *arguments, **keywords)
    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, optimizers.MomentumOptimizer):
    def __init__(self, weight_decay, learning_rate, momentum, use_locking=False, name="MomentumW", use_nesterov=False):
        super().__init__(weight_decay, learning_rate=learning_rate, momentum=momentum, use_locking=use_locking, name=name,
                         use_nesterov=use_nesterov)


class AdamWOptimizer(DecoupledWeightDecayExtension, optimizers.AdamOptimizer):
    def __init__(self, weight_decay, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking=False,
                 name="AdamW"):
        super().__init__(weight_decay, learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon,
                         use_locking=use_locking, name=name)
