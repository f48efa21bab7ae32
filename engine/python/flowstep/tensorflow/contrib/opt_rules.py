# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Rules of tf.contrib.opt: Nadam, AdaMax, LARS, signs of momentum, Adagrad that may keep its slots."""

import math

from ..control import control_flow
from ..framework import graph as graph_lib, ops
from ..learning import optimizers
from ..operators import array_ops, linalg, math_ops, state_ops
from ..state import variables


def _is_resource(var):
    return isinstance(var, variables.ResourceVariable)


class NadamOptimizer(optimizers.AdamOptimizer):
    def _apply(self, kind, var, more):
        return super()._apply(kind, var, dict(more, use_nesterov=True))

    def _sparse(self, grad, var, indices, scatter_add):
        dtype = var.dtype.base_dtype
        first, second = (math_ops.cast(power, dtype) for power in self._get_beta_accumulators(var.graph))
        s = {k: math_ops.cast(t, dtype) for k, t in self._tensors.items()}
        lr = s["learning_rate"] * math_ops.sqrt(1 - second) / (1 - first)
        m = self.get_slot(var, "m")
        m_scaled = grad * (1 - s["beta1"])
        m_t = state_ops.assign(m, m * s["beta1"], use_locking=self._use_locking)
        with graph_lib.control_dependencies([m_t]):
            m_t = scatter_add(m, indices, m_scaled)
            m_bar = m_scaled + s["beta1"] * array_ops.gather(m_t, indices)
        v = self.get_slot(var, "v")
        v_scaled = grad * grad * (1 - s["beta2"])
        v_t = state_ops.assign(v, v * s["beta2"], use_locking=self._use_locking)
        with graph_lib.control_dependencies([v_t]):
            v_t = scatter_add(v, indices, v_scaled)
        root = math_ops.sqrt(array_ops.gather(v_t, indices))
        update = scatter_add(var, indices, -lr * m_bar / (root + s["epsilon"]))
        return control_flow.group(update, m_bar, v_t)


class AdaMaxOptimizer(optimizers.AdamOptimizer):
    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking=False, name="AdaMax"):
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _power(self, graph=None):
        return self._get_non_slot_variable("beta1_power", graph)

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._numbers["beta1"], "beta1_power", first)
        optimizers._Rule._create_slots(self, var_list)

    def _apply(self, kind, var, more):
        dtype, resource, s = var.dtype.base_dtype, _is_resource(var), self._tensors
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        own = {"var": var, "m": m, "v": v}
        own = {key: value.handle if resource else value._variable for key, value in own.items()}
        return ops.make_op("ResourceApplyAdaMax" if resource else "ApplyAdaMax",
                           beta1_power=math_ops.cast(self._power(), dtype), lr=math_ops.cast(s["learning_rate"], dtype),
                           beta1=math_ops.cast(s["beta1"], dtype), beta2=math_ops.cast(s["beta2"], dtype),
                           epsilon=math_ops.cast(s["epsilon"], dtype), use_locking=self._use_locking, **own, **more)

    def _rows(self, grad, var, indices, scatter_add, scatter_update):
        dtype = var.dtype.base_dtype
        power = math_ops.cast(self._power(), dtype)
        s = {k: math_ops.cast(t, dtype) for k, t in self._tensors.items()}
        m = self.get_slot(var, "m")
        m_rows = array_ops.gather(m, indices) * s["beta1"] + grad * (1 - s["beta1"])
        with graph_lib.control_dependencies([m_rows]):
            m_t = scatter_update(m, indices, m_rows)
        v = self.get_slot(var, "v")
        v_rows = math_ops.maximum(array_ops.gather(v, indices) * s["beta2"], math_ops.abs(grad))
        with graph_lib.control_dependencies([v_rows]):
            v_t = scatter_update(v, indices, v_rows)
        rows = -s["learning_rate"] / (1 - power) * (m_rows / (v_rows + s["epsilon"]))
        with graph_lib.control_dependencies([rows]):
            update = scatter_add(var, indices, rows)
        return control_flow.group(update, m_t, v_t)

    def _apply_sparse(self, grad, var):
        return self._rows(grad.values, var, grad.indices,
                          lambda x, i, v: state_ops.scatter_add(x, i, v, use_locking=self._use_locking),
                          lambda x, i, v: state_ops.scatter_update(x, i, v, use_locking=self._use_locking))

    def _resource_apply_sparse(self, grad, var, indices):
        def scatter(op_type):
            def function(x, i, v):
                with graph_lib.control_dependencies([ops.make_op(op_type, resource=x.handle, indices=i, updates=v)]):
                    return x.value()
            return function
        return self._rows(grad, var, indices, scatter("ResourceScatterAdd"), scatter("ResourceScatterUpdate"))

    def _finish(self, update_ops, name_scope):
        with graph_lib.control_dependencies(update_ops):
            power = self._power()
            with graph_lib.colocate_with(power):
                update = power.assign(power * self._tensors["beta1"], use_locking=self._use_locking)
        return control_flow.group(*update_ops + [update], name=name_scope)


class LARSOptimizer(optimizers.MomentumOptimizer):
    def __init__(self, learning_rate, momentum=0.9, weight_decay=0.0001, eeta=0.001, epsilon=0.0, name="LARSOptimizer",
                 skip_list=None, use_nesterov=False):
        for value, what in ((momentum, "momentum"), (weight_decay, "weight_decay")):
            if value < 0.0:
                raise ValueError("%s should be positive: %s" % (what, value))
        super().__init__(learning_rate, momentum, False, name, use_nesterov)
        self._learning_rate, self._momentum = learning_rate, momentum
        self._weight_decay, self._eeta, self._epsilon, self._skip_list = weight_decay, eeta, epsilon, skip_list

    def compute_lr(self, grad, var):
        """The variable's own rate, and the gradient with its decay."""
        if self._skip_list is not None and any(word in var.name for word in self._skip_list):
            return self._learning_rate, grad
        weight, slope = linalg.norm(var, ord=2), linalg.norm(grad, ord=2)
        is_some = math_ops.greater(weight, 0)
        is_slope = math_ops.greater(slope, 0)
        ratio = self._eeta * weight / (slope + self._weight_decay * weight + self._epsilon)
        ratio = array_ops.where(is_some, array_ops.where(is_slope, ratio, 1.0), 1.0)
        rate = self._learning_rate * ratio
        return rate, grad + self._weight_decay * var

    def _apply_dense(self, grad, var):
        rate, grad = self.compute_lr(grad, var)
        resource, accum = _is_resource(var), self.get_slot(var, "momentum")
        own = {key: value.handle if resource else value._variable for key, value in (("var", var), ("accum", accum))}
        one = math_ops.cast(1.0, var.dtype.base_dtype)
        return ops.make_op("ResourceApplyMomentum" if resource else "ApplyMomentum", lr=one, grad=grad * rate,
                           momentum=self._momentum, use_locking=False, use_nesterov=self._use_nesterov, **own)

    _resource_apply_dense = _apply_dense


class _SignRule(optimizers._Rule):
    SLOTS = ("m",)

    def __init__(self, name, use_locking, sign_decay_fn, **numbers):
        super().__init__(name, use_locking, **numbers)
        self._sign_decay_fn = sign_decay_fn

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        if self._sign_decay_fn is not None:
            self._sign_decay_t = ops.convert_to_tensor(self._sign_decay_fn(global_step), name="sign_decay")
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _prepare(self):
        super()._prepare()
        if self._sign_decay_fn is None:
            self._sign_decay_t = ops.convert_to_tensor(1.0, name="sign_decay")

    def _apply_sparse(self, grad, var):
        dtype = var.dtype.base_dtype
        s = {k: math_ops.cast(self._tensors[k], dtype) for k in self._SPARSE_ORDER}
        m = self.get_slot(var, "m")
        base = math_ops.cast(math.e, dtype) if "logbase" in s else None
        kept = m * s["beta"]
        m_t = state_ops.assign(m, kept + grad * (1 - s["beta"]), use_locking=self._use_locking)
        signs = math_ops.sign(grad.values)
        same = array_ops.gather(math_ops.sign(m_t), grad.indices) * signs
        decay = math_ops.cast(self._sign_decay_t, dtype)
        if base is None:
            factor = s["alpha"] + decay * same
        else:
            factor = math_ops.pow(base, s["logbase"] * decay * same)
        step = s["learning_rate"] * factor * grad.values
        update = state_ops.scatter_sub(var, grad.indices, step, use_locking=self._use_locking)
        return control_flow.group(update, m_t)

    def _resource_apply_sparse(self, grad, var, indices):
        raise NotImplementedError()

    def _signs(self, var, s, **more):
        return dict(m=self.get_slot(var, "m"), lr=s["learning_rate"], beta=s["beta"],
                    sign_decay=math_ops.cast(self._sign_decay_t, var.dtype.base_dtype), **more)


class AddSignOptimizer(_SignRule):
    DENSE, SCALARS = "ApplyAddSign", ("learning_rate", "beta", "alpha")
    _SPARSE_ORDER = ("learning_rate", "alpha", "beta")

    def __init__(self, learning_rate=0.1, alpha=1.0, beta=0.9, sign_decay_fn=None, use_locking=False, name="AddSignOptimizer"):
        super().__init__(name, use_locking, sign_decay_fn, learning_rate=learning_rate, alpha=alpha, beta=beta)

    def _arguments(self, var, s):
        return self._signs(var, s, alpha=s["alpha"])


class PowerSignOptimizer(_SignRule):
    DENSE, SCALARS = "ApplyPowerSign", ("learning_rate", "beta", "logbase")
    _SPARSE_ORDER = ("learning_rate", "beta", "logbase")

    def __init__(self, learning_rate=0.1, base=math.e, beta=0.9, sign_decay_fn=None, use_locking=False,
                 name="PowerSignOptimizer"):
        super().__init__(name, use_locking, sign_decay_fn, learning_rate=learning_rate, beta=beta, logbase=math.log(base))

    def _arguments(self, var, s):
        return self._signs(var, s, logbase=s["logbase"])


class RegAdagradOptimizer(optimizers.AdagradOptimizer):
    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="RegAdagrad"):
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)
        self._should_update_slots = True

    def avoid_updating_slots(self):
        return _Kept(self)

    def _arguments(self, var, s):
        return dict(super()._arguments(var, s), update_slots=self._should_update_slots)


class _Kept:
    """While it lasts the slots of an optimizer stay as they are."""

    def __init__(self, optimizer):
        self._optimizer = optimizer

    def __enter__(self):
        self._before, self._optimizer._should_update_slots = self._optimizer._should_update_slots, False

    def __exit__(self, *_):
        self._optimizer._should_update_slots = self._before
