# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.optimizers: the rules, and optimizers by name."""

from .. import dtypes
from ..differentiation import gradients as gradients_lib
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..framework.ops import IndexedSlices, convert_to_tensor, make_op
from ..learning import optimizers as plain
from ..operators import array_ops, math_ops
from ..operators import state_ops
from ..state import initializers
from ..state import variables
from . import backend, serialization
from .optimizer_base import Optimizer
from .schedules import LearningRateSchedule


class SGD(Optimizer):
    _plain_settings = ("nesterov",)

    def __init__(self, learning_rate=0.01, momentum=0.0, nesterov=False, name="SGD", **keywords):
        super().__init__(name, **keywords)
        self._set_hyper("learning_rate", keywords.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be between [0, 1].")
        self._momentum = not isinstance(momentum, (int, float)) or momentum > 0
        self._set_hyper("momentum", momentum)
        self.nesterov = nesterov

    def _create_slots(self, var_list):
        if self._momentum:
            for var in var_list:
                self.add_slot(var, "momentum")

    def _prepare(self, dtype):
        return dict(super()._prepare(dtype), momentum=array_ops.identity(self._get_hyper("momentum", dtype)))

    def _apply_dense(self, grad, var, state):
        if not self._momentum:
            return make_op("ResourceApplyGradientDescent", var=var.handle, alpha=state["lr_t"], delta=grad, use_locking=True)
        return make_op("ResourceApplyKerasMomentum", var=var.handle, accum=self.get_slot(var, "momentum").handle,
                       lr=state["lr_t"], grad=grad, momentum=state["momentum"], use_locking=True,
                       use_nesterov=self.nesterov)

    def _update(self, grad, var, state):
        if isinstance(grad, IndexedSlices) and not self._momentum:
            return make_op("ResourceScatterAdd", resource=var.handle, indices=grad.indices,
                           updates=-grad.values * state["lr_t"])
        return super()._update(grad, var, state)

    def _apply_sparse(self, grad, var, indices, state):
        return make_op("ResourceSparseApplyKerasMomentum", var=var.handle, accum=self.get_slot(var, "momentum").handle,
                       lr=state["lr_t"], grad=grad, indices=indices, momentum=state["momentum"], use_locking=True,
                       use_nesterov=self.nesterov)


class Adam(Optimizer):
    _plain_settings = ("epsilon", "amsgrad")

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, amsgrad=False, name="Adam",
                 **keywords):
        super().__init__(name, **keywords)
        self._set_hyper("learning_rate", keywords.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon, self.amsgrad = epsilon or backend.epsilon(), amsgrad

    def _create_slots(self, var_list):
        for slot in ("m", "v", "vhat") if self.amsgrad else ("m", "v"):
            for var in var_list:
                self.add_slot(var, slot)

    def _prepare(self, dtype):
        state = super()._prepare(dtype)
        step = math_ops.cast(self.iterations + 1, dtype)
        beta_1 = array_ops.identity(self._get_hyper("beta_1", dtype))
        beta_2 = array_ops.identity(self._get_hyper("beta_2", dtype))
        power_1, power_2 = math_ops.pow(beta_1, step), math_ops.pow(beta_2, step)
        rate = state["lr_t"] * (math_ops.sqrt(1 - power_2) / (1 - power_1))
        return dict(state, lr=rate, epsilon=convert_to_tensor(self.epsilon, dtype), beta_1=beta_1, beta_1_power=power_1,
                    rest_1=1 - beta_1, beta_2=beta_2, beta_2_power=power_2, rest_2=1 - beta_2)

    def _apply_dense(self, grad, var, state):
        more = {"vhat": self.get_slot(var, "vhat").handle} if self.amsgrad else {}
        return make_op("ResourceApplyAdamWithAmsgrad" if self.amsgrad else "ResourceApplyAdam", var=var.handle,
                       m=self.get_slot(var, "m").handle, v=self.get_slot(var, "v").handle,
                       beta1_power=state["beta_1_power"], beta2_power=state["beta_2_power"], lr=state["lr_t"],
                       beta1=state["beta_1"], beta2=state["beta_2"], epsilon=state["epsilon"], grad=grad, use_locking=True,
                       **more)

    def _moved(self, slot, by, rest, indices, values):
        values = values * rest
        moved = state_ops.assign(slot, slot * by, use_locking=True)
        with graph_lib.control_dependencies([moved]):
            return self._scatter_add(slot, indices, values)

    def _apply_sparse(self, grad, var, indices, state):
        from ..control import control_flow
        m = self._moved(self.get_slot(var, "m"), state["beta_1"], state["rest_1"], indices, grad)
        v = self._moved(self.get_slot(var, "v"), state["beta_2"], state["rest_2"], indices, grad * grad)
        done = [m, v]
        if self.amsgrad:
            hat = self.get_slot(var, "vhat")
            v = state_ops.assign(hat, math_ops.maximum(hat, v), use_locking=True)
            done.append(v)
        root = math_ops.sqrt(v)
        update = state_ops.assign_sub(var, state["lr"] * m / (root + state["epsilon"]), use_locking=True)
        return control_flow.group(update, *done)


class RMSprop(Optimizer):
    _plain_settings = ("epsilon", "centered")

    def __init__(self, learning_rate=0.001, rho=0.9, momentum=0.0, epsilon=1e-7, centered=False, name="RMSprop",
                 **keywords):
        super().__init__(name, **keywords)
        self._set_hyper("learning_rate", keywords.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("rho", rho)
        if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be between [0, 1].")
        self._momentum = not isinstance(momentum, (int, float)) or momentum > 0
        self._set_hyper("momentum", momentum)
        self.epsilon, self.centered = epsilon or backend.epsilon(), centered

    def _create_slots(self, var_list):
        for slot, wanted in (("rms", True), ("momentum", self._momentum), ("mg", self.centered)):
            for var in var_list if wanted else ():
                self.add_slot(var, slot)

    def _prepare(self, dtype):
        state = super()._prepare(dtype)
        rho = array_ops.identity(self._get_hyper("rho", dtype))
        return dict(state, neg_lr_t=-state["lr_t"], epsilon=convert_to_tensor(self.epsilon, dtype), rho=rho,
                    momentum=array_ops.identity(self._get_hyper("momentum", dtype)), rest=1. - rho)

    def _with_momentum(self, kind, var, state, grad, **more):
        given = {"mg": self.get_slot(var, "mg").handle} if self.centered else {}
        return make_op("Resource%sApply%sRMSProp" % (kind, "Centered" if self.centered else ""), var=var.handle,
                       ms=self.get_slot(var, "rms").handle, mom=self.get_slot(var, "momentum").handle, lr=state["lr_t"],
                       rho=state["rho"], momentum=state["momentum"], epsilon=state["epsilon"], grad=grad, use_locking=True,
                       **dict(given, **more))

    def _apply_dense(self, grad, var, state):
        if self._momentum:
            return self._with_momentum("", var, state, grad)
        rms = self.get_slot(var, "rms")
        denominator = rms_t = state_ops.assign(rms, state["rho"] * rms + state["rest"] * math_ops.square(grad),
                                               use_locking=True)
        if self.centered:
            mg = self.get_slot(var, "mg")
            mg_t = state_ops.assign(mg, state["rho"] * mg + state["rest"] * grad, use_locking=True)
            denominator = rms_t - math_ops.square(mg_t)
        value = var - state["lr_t"] * grad / (math_ops.sqrt(denominator) + state["epsilon"])
        return state_ops.assign(var, value, use_locking=True).op

    def _apply_sparse(self, grad, var, indices, state):
        if self._momentum:
            return self._with_momentum("Sparse", var, state, grad, indices=indices)
        from ..control import control_flow

        def moved(slot, values):
            kept = state_ops.assign(slot, slot * state["rho"], use_locking=True)
            with graph_lib.control_dependencies([kept]):
                return self._scatter_add(slot, indices, values * state["rest"])
        rms_t = moved(self.get_slot(var, "rms"), grad * grad)
        rows, done = array_ops.gather(rms_t, indices), [rms_t]
        if self.centered:
            mg_t = moved(self.get_slot(var, "mg"), grad)
            done.append(mg_t)
            rows = rows - math_ops.square(array_ops.gather(mg_t, indices))
        update = self._scatter_add(var, indices, state["neg_lr_t"] * grad / (math_ops.sqrt(rows) + state["epsilon"]))
        return control_flow.group(update, *done)


class Adagrad(Optimizer):
    _plain_settings = ("initial_accumulator_value", "epsilon")

    def __init__(self, learning_rate=0.001, initial_accumulator_value=0.1, epsilon=1e-7, name="Adagrad", **keywords):
        if initial_accumulator_value < 0.0:
            raise ValueError("initial_accumulator_value must be non-negative: %s" % initial_accumulator_value)
        super().__init__(name, **keywords)
        self._set_hyper("learning_rate", keywords.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon or backend.epsilon()

    def _create_slots(self, var_list):
        for var in var_list:
            self.add_slot(var, "accumulator", initializers.Constant(self.initial_accumulator_value, dtype=var.dtype.base_dtype))

    def _prepare(self, dtype):
        state = super()._prepare(dtype)
        return dict(state, epsilon=convert_to_tensor(self.epsilon, dtype), neg_lr_t=-state["lr_t"],
                    zero=array_ops.zeros((), dtype=dtypes.int64))

    def _options(self, grad, var, state):
        return dict(var=var.handle, accum=self.get_slot(var, "accumulator").handle, lr=state["lr_t"],
                    epsilon=state["epsilon"], grad=grad, use_locking=True)

    def _apply_dense(self, grad, var, state):
        return make_op("ResourceApplyAdagradV2", **self._options(grad, var, state))

    def _apply_sparse(self, grad, var, indices, state):
        return make_op("ResourceSparseApplyAdagradV2", indices=indices, **self._options(grad, var, state))


class Adadelta(Optimizer):
    _plain_settings = ("epsilon",)

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-7, name="Adadelta", **keywords):
        super().__init__(name, **keywords)
        self._set_hyper("learning_rate", keywords.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("rho", rho)
        self.epsilon = epsilon or backend.epsilon()

    def _create_slots(self, var_list):
        for slot in ("accum_grad", "accum_var"):
            for var in var_list:
                self.add_slot(var, slot)

    def _prepare(self, dtype):
        return dict(super()._prepare(dtype), epsilon=convert_to_tensor(self.epsilon, dtype),
                    rho=array_ops.identity(self._get_hyper("rho", dtype)))

    def _options(self, grad, var, state):
        return dict(var=var.handle, accum=self.get_slot(var, "accum_grad").handle,
                    accum_update=self.get_slot(var, "accum_var").handle, lr=state["lr_t"], rho=state["rho"],
                    epsilon=state["epsilon"], grad=grad, use_locking=True)

    def _apply_dense(self, grad, var, state):
        return make_op("ResourceApplyAdadelta", **self._options(grad, var, state))

    def _apply_sparse(self, grad, var, indices, state):
        return make_op("ResourceSparseApplyAdadelta", indices=indices, **self._options(grad, var, state))


class Adamax(Optimizer):
    _plain_settings = ("epsilon",)

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, name="Adamax", **keywords):
        super().__init__(name, **keywords)
        self._set_hyper("learning_rate", keywords.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon = epsilon or backend.epsilon()

    def _create_slots(self, var_list):
        for slot in ("m", "v"):
            for var in var_list:
                self.add_slot(var, slot)

    def _prepare(self, dtype):
        state = super()._prepare(dtype)
        step = math_ops.cast(self.iterations + 1, dtype)
        beta_1 = array_ops.identity(self._get_hyper("beta_1", dtype))
        beta_2 = array_ops.identity(self._get_hyper("beta_2", dtype))
        power = math_ops.pow(beta_1, step)
        return dict(state, scaled=-state["lr_t"] / (1 - power), epsilon=convert_to_tensor(self.epsilon, dtype),
                    beta_1=beta_1, beta_1_power=power, rest_1=1 - beta_1, beta_2=beta_2,
                    zero=array_ops.zeros((), dtype=dtypes.int64))

    def _apply_dense(self, grad, var, state):
        return make_op("ResourceApplyAdaMax", var=var.handle, m=self.get_slot(var, "m").handle,
                       v=self.get_slot(var, "v").handle, beta1_power=state["beta_1_power"], lr=state["lr_t"],
                       beta1=state["beta_1"], beta2=state["beta_2"], epsilon=state["epsilon"], grad=grad, use_locking=True)

    def _replaced(self, slot, indices, values):
        with graph_lib.control_dependencies([values]), graph_lib.control_dependencies([
                make_op("ResourceScatterUpdate", resource=slot.handle, indices=indices, updates=values)]):
            return slot.value()

    def _apply_sparse(self, grad, var, indices, state):
        from ..control import control_flow
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        rows_m = array_ops.gather(m, indices, axis=state["zero"]) * state["beta_1"] + grad * state["rest_1"]
        m_t = self._replaced(m, indices, rows_m)
        rows_v = math_ops.maximum(array_ops.gather(v, indices, axis=state["zero"]) * state["beta_2"], math_ops.abs(grad))
        v_t = self._replaced(v, indices, rows_v)
        change = state["scaled"] * (rows_m / (rows_v + state["epsilon"]))
        with graph_lib.control_dependencies([change]):
            update = self._scatter_add(var, indices, change)
        return control_flow.group(update, m_t, v_t)


class Nadam(Optimizer):
    _plain_settings = ("epsilon",)

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, name="Nadam", **keywords):
        keywords["decay"] = keywords.pop("schedule_decay", 0.004)   # of the momentum, where others' is of the rate
        learning_rate = keywords.get("lr", learning_rate)
        if isinstance(learning_rate, LearningRateSchedule):
            raise ValueError("The Nadam optimizer does not support tf.keras.optimizers.LearningRateSchedules as the "
                             "learning rate.")
        super().__init__(name, **keywords)
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon, self._product = epsilon or backend.epsilon(), None

    def _create_slots(self, var_list):
        if self._product is None:
            self._product = self._new_weight("momentum_cache", [], var_list[0].dtype.base_dtype, "ones",
                                             variables.VariableAggregation.NONE)
            self._weights.append(self._product)
        for slot in ("m", "v"):
            for var in var_list:
                self.add_slot(var, slot)

    def _begin_applying(self):
        self._product_before = array_ops.identity(self._product)

    def _prepare(self, dtype):
        rate = array_ops.identity(self._get_hyper("learning_rate", dtype))
        beta_1 = array_ops.identity(self._get_hyper("beta_1", dtype))
        beta_2 = array_ops.identity(self._get_hyper("beta_2", dtype))
        step = math_ops.cast(self.iterations + 1, dtype)
        following = math_ops.cast(self.iterations + 2, dtype)
        base = math_ops.cast(0.96, dtype)

        def momentum(at):
            return beta_1 * (1. - 0.5 * math_ops.pow(base, self._initial_decay * at))
        now, then = momentum(step), momentum(following)
        product = math_ops.cast(self._product_before, dtype) * now
        if dtype == self._product.dtype.base_dtype:
            product = array_ops.identity(state_ops.assign(self._product, product, use_locking=True))
        product_then = product * then
        return dict(lr_t=rate, neg_lr_t=-rate, epsilon=convert_to_tensor(self.epsilon, dtype), beta_1=beta_1, beta_2=beta_2,
                    now=now, then=then, rest_1=1 - beta_1, rest_2=1 - beta_2, rest_now=1. - now,
                    rest_product=1. - product, rest_product_then=1. - product_then,
                    rest_power=1. - math_ops.pow(beta_2, step))

    def _apply_dense(self, grad, var, state):
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        unbiased = grad / state["rest_product"]
        m_t = state_ops.assign(m, state["beta_1"] * m + state["rest_1"] * grad, use_locking=True)
        m_unbiased = m_t / state["rest_product_then"]
        v_t = state_ops.assign(v, state["beta_2"] * v + state["rest_2"] * math_ops.square(grad), use_locking=True)
        v_unbiased = v_t / state["rest_power"]
        ahead = state["rest_now"] * unbiased + state["then"] * m_unbiased
        value = var - state["lr_t"] * ahead / (math_ops.sqrt(v_unbiased) + state["epsilon"])
        return state_ops.assign(var, value, use_locking=True).op

    def _moved_rows(self, slot, by, values, indices):
        moved = state_ops.assign(slot, slot * by, use_locking=True)
        with graph_lib.control_dependencies([moved]):
            whole = self._scatter_add(slot, indices, values)
            return whole, array_ops.gather(whole, indices)

    def _apply_sparse(self, grad, var, indices, state):
        from ..control import control_flow
        unbiased = grad / state["rest_product"]
        _, rows_m = self._moved_rows(self.get_slot(var, "m"), state["beta_1"], grad * state["rest_1"], indices)
        m_unbiased = rows_m / state["rest_product_then"]
        ahead = state["rest_now"] * unbiased + state["then"] * m_unbiased
        v_t, rows_v = self._moved_rows(self.get_slot(var, "v"), state["beta_2"], grad * grad * state["rest_2"], indices)
        root = math_ops.sqrt(rows_v / state["rest_power"]) + state["epsilon"]
        update = self._scatter_add(var, indices, state["neg_lr_t"] * ahead / root)
        return control_flow.group(update, ahead, v_t)


class Ftrl(Optimizer):
    def __init__(self, learning_rate=0.001, learning_rate_power=-0.5, initial_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, name="Ftrl",
                 l2_shrinkage_regularization_strength=0.0, **keywords):
        super().__init__(name, **keywords)
        for key, value, wrong, side in (
                ("initial_accumulator_value", initial_accumulator_value, initial_accumulator_value < 0.0, "positive"),
                ("learning_rate_power", learning_rate_power, learning_rate_power > 0.0, "negative"),
                ("l1_regularization_strength", l1_regularization_strength, l1_regularization_strength < 0.0, "positive"),
                ("l2_regularization_strength", l2_regularization_strength, l2_regularization_strength < 0.0, "positive"),
                ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength,
                 l2_shrinkage_regularization_strength < 0.0, "positive")):
            if wrong:
                raise ValueError("%s %f needs to be %s or zero" % (key, value, side))
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("learning_rate_power", learning_rate_power)
        self._set_hyper("l1_regularization_strength", l1_regularization_strength)
        self._set_hyper("l2_regularization_strength", l2_regularization_strength)
        self._initial_accumulator_value = initial_accumulator_value
        self._l2_shrinkage = l2_shrinkage_regularization_strength

    def _create_slots(self, var_list):
        for var in var_list:
            self.add_slot(var, "accumulator", initializers.Constant(self._initial_accumulator_value,
                                                                    dtype=var.dtype.base_dtype))
            self.add_slot(var, "linear")

    def _prepare(self, dtype):
        state = super()._prepare(dtype)
        power, l1, l2 = (array_ops.identity(self._get_hyper(name, dtype)) for name in (
            "learning_rate_power", "l1_regularization_strength", "l2_regularization_strength"))
        return dict(state, power=power, l1=l1, l2=l2, l2_shrinkage=math_ops.cast(self._l2_shrinkage, dtype))

    def _apply(self, kind, grad, var, state, **more):
        shrinks = self._l2_shrinkage > 0.0
        if shrinks:
            more["l2_shrinkage"] = state["l2_shrinkage"]
        return make_op("Resource%sApplyFtrl%s" % (kind, "V2" if shrinks else ""), var=var.handle,
                       accum=self.get_slot(var, "accumulator").handle, linear=self.get_slot(var, "linear").handle, grad=grad,
                       lr=state["lr_t"], l1=state["l1"], l2=state["l2"], lr_power=state["power"], use_locking=True, **more)

    def _apply_dense(self, grad, var, state):
        return self._apply("", grad, var, state)

    def _apply_sparse(self, grad, var, indices, state):
        return self._apply("Sparse", grad, var, state, indices=indices)

    def get_config(self):
        return dict(super().get_config(), initial_accumulator_value=self._initial_accumulator_value,
                    l2_shrinkage_regularization_strength=self._l2_shrinkage)


class TFOptimizer:
    """One of tf.train's optimizers under tf.keras's interface."""

    def __init__(self, optimizer):
        self.optimizer = optimizer
        with name_scope("TFOptimizer"):
            self.iterations = backend.variable(0, dtype="int64", name="iterations")
        backend.track_optimizer(optimizer)

    def get_gradients(self, loss, params):
        return gradients_lib.gradients(loss, params)

    def get_updates(self, loss, params):
        pairs = self.optimizer.compute_gradients(loss, params)
        return [self.optimizer.apply_gradients(pairs, global_step=self.iterations)]

    weights = property(lambda self: self.optimizer.variables())


_NAMED = {"sgd": SGD, "adam": Adam, "rmsprop": RMSprop, "adagrad": Adagrad, "adadelta": Adadelta,
          "adamax": Adamax, "nadam": Nadam, "ftrl": Ftrl}


def get(identifier):
    if isinstance(identifier, (Optimizer, TFOptimizer)):
        return identifier
    if isinstance(identifier, plain.Optimizer):
        return TFOptimizer(identifier)
    if isinstance(identifier, str):
        if identifier.lower() not in _NAMED:
            raise ValueError("Unknown optimizer: " + identifier)
        return _NAMED[identifier.lower()]()
    if isinstance(identifier, dict):
        return _NAMED[identifier["class_name"].lower()](**identifier["config"])
    raise ValueError("Could not interpret optimizer identifier:", identifier)


def serialize(optimizer):
    return {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}


def deserialize(config, custom_objects=None):
    known = {name: value for name, value in globals().items() if isinstance(value, type)}
    known.update((name.lower(), value) for name, value in list(known.items()))
    if config["class_name"].lower() in known:
        config["class_name"] = config["class_name"].lower()   # TF: in the caller's dictionary
    return serialization.deserialize_keras_object(config, known, custom_objects, "optimizer")
