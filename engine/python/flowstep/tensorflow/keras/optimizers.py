# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.optimizers: settings in variables, slots named after the variables they belong to."""

import functools

from . import backend, serialization
from .. import array_ops, dtypes, gradients as gradients_lib, graph as graph_lib, initializers, math_ops
from .. import optimizers as plain, state_ops, variables
from ..graph import name_scope
from ..ops import IndexedSlices, apply_op, convert_to_tensor, make_op


class Optimizer:
    """Base of tf.keras's optimizers."""

    def __init__(self, name, **keywords):
        for key in keywords:
            if key not in ("lr", "decay", "clipnorm", "clipvalue"):
                raise TypeError("Unexpected keyword argument passed to optimizer: " + str(key))
            if keywords[key] is not None and keywords[key] < 0:
                raise ValueError("Expected {} >= 0, received: {}".format(key, keywords[key]))
        d = self.__dict__
        d.update(_name=name, _hyper={}, _slots={}, _weights=[], _iterations=None, _made=False)
        self._initial_decay = keywords.get("decay", 0.)
        self._clipnorm, self._clipvalue = keywords.get("clipnorm"), keywords.get("clipvalue")

    # -- settings

    def _set_hyper(self, name, value):
        known = self._hyper.get(name)
        if isinstance(known, variables.Variable) and not isinstance(value, variables.Variable) and not callable(value):
            backend.set_value(known, value)
        else:
            self._hyper[name] = value

    def __getattr__(self, name):
        name = "learning_rate" if name == "lr" else name
        if name.startswith("__") or name not in self.__dict__.get("_hyper", {}):
            raise AttributeError("%r object has no attribute %r" % (type(self).__name__, name))
        return self._get_hyper(name)

    def __setattr__(self, name, value):
        name = "learning_rate" if name == "lr" else name
        if name in self.__dict__.get("_hyper", {}):
            self._set_hyper(name, value)
        else:
            object.__setattr__(self, name, value)

    def _new_weight(self, name, shape, dtype=None, initializer="zeros"):
        from . import configs
        dtype = dtypes.as_dtype(dtype or dtypes.float32)
        make = configs.initializer(initializer) if isinstance(initializer, str) or callable(initializer) else None
        value = initializer if make is None else functools.partial(make, shape, dtype=dtype)
        with graph_lib.init_scope():
            v = variables.Variable(value, name=name, dtype=dtype, trainable=False, use_resource=True,
                                   aggregation=variables.VariableAggregation.ONLY_FIRST_REPLICA)
        backend.track_variable(v)
        return v

    def _create_hypers(self):
        if self._made:
            return
        for name, value in sorted(self._hyper.items()):
            if not isinstance(value, (graph_lib.Tensor, variables.Variable)) and not callable(value):
                self._hyper[name] = self._new_weight(name, [], initializer=float(value))
        object.__setattr__(self, "_made", True)

    def _get_hyper(self, name, dtype=None):
        self._create_hypers()
        value = self._hyper[name]
        if isinstance(value, LearningRateSchedule):
            return value
        value = value() if callable(value) and not isinstance(value, variables.Variable) else value
        return math_ops.cast(value, dtype) if dtype else value

    @property
    def iterations(self):
        if self._iterations is None:
            self._iterations = self._new_weight("iter", [], dtypes.int64, "zeros")
            self._weights.append(self._iterations)
        return self._iterations

    @iterations.setter
    def iterations(self, variable):
        object.__setattr__(self, "_iterations", variable)
        self._weights.append(variable)

    def _rate(self, dtype):
        rate = self._get_hyper("learning_rate", dtype)
        if isinstance(rate, LearningRateSchedule):
            rate = math_ops.cast(rate(math_ops.cast(self.iterations, dtype)), dtype)
        if self._initial_decay > 0.:
            step = math_ops.cast(self.iterations, dtype)
            rate = rate / (1. + self._get_hyper("decay", dtype) * step)
        return rate

    # -- slots

    def add_slot(self, var, slot_name, initializer="zeros"):
        from . import configs
        slots = self._slots.setdefault(var._shared_name(), {})
        if slot_name not in slots:
            make = configs.initializer(initializer)
            with graph_lib.colocate_with(var.op):
                slots[slot_name] = variables.Variable(
                    functools.partial(make, var.shape, dtype=var.dtype.base_dtype), dtype=var.dtype.base_dtype,
                    name="%s/%s" % (var._shared_name(), slot_name), trainable=False, use_resource=True)
            backend.track_variable(slots[slot_name])
            self._weights.append(slots[slot_name])
        return slots[slot_name]

    def get_slot(self, var, slot_name):
        return self._slots[var._shared_name()][slot_name]

    def get_slot_names(self):
        return list(dict.fromkeys(name for slots in self._slots.values() for name in slots))

    def _trackable_children(self):
        made = [("iter", self._iterations)] if self._iterations is not None else []
        return made + [(name, v) for name, v in sorted(self._hyper.items()) if isinstance(v, variables.Variable)]

    def _create_slots(self, var_list):
        pass

    # -- applying

    def get_gradients(self, loss, params):
        with name_scope(self._name + "/gradients"):
            grads = gradients_lib.gradients(loss, params)
            for grad, param in zip(grads, params):
                if grad is None:
                    raise ValueError("Variable {} has `None` for gradient. Please make sure that all of your ops have a "
                                     "gradient defined (i.e. are differentiable). Common ops without gradient: K.argmax, "
                                     "K.round, K.eval.".format(param))
            if self._clipnorm is not None:
                grads = [math_ops.clip_by_norm(g, self._clipnorm) for g in grads]
            if self._clipvalue is not None:
                grads = [math_ops.clip_by_value(g, -self._clipvalue, self._clipvalue) for g in grads]
        return grads

    def get_updates(self, loss, params):
        return [self.apply_gradients(list(zip(self.get_gradients(loss, params), params)))]

    def minimize(self, loss, var_list, grad_loss=None, name=None):
        value = loss() if callable(loss) else loss
        var_list = var_list() if callable(var_list) else var_list
        return self.apply_gradients(list(zip(self.get_gradients(value, list(var_list)), var_list)), name=name)

    def apply_gradients(self, grads_and_vars, name=None):
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            raise ValueError("No gradients provided for any variable: %s." % ([v.name for _, v in grads_and_vars],))
        var_list = [v for _, v in pairs]
        with name_scope(self._name):
            with graph_lib.init_scope():
                self.iterations
                self._create_hypers()
                self._create_slots(var_list)
            state = {}
            for var in var_list:
                key = (var.device, var.dtype.base_dtype)
                if key not in state:
                    with graph_lib.device(var.device):
                        state[key] = self._prepare(var.dtype.base_dtype)
            updates = []
            with name_scope(name or self._name):
                for grad, var in pairs:
                    with name_scope("update_" + var.op.name), graph_lib.colocate_with(var.op):
                        updates.append(self._update(grad, var, state[var.device, var.dtype.base_dtype]))
                with graph_lib.control_dependencies(updates):
                    return self._iterations.assign_add(1).op

    def _update(self, grad, var, state):
        if isinstance(grad, IndexedSlices):
            if var.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            values, indices = self._unique(grad)
            return self._apply_sparse(values, var, indices, state)
        update = self._apply_dense(grad, var, state)
        if var.constraint is None:
            return update
        with graph_lib.control_dependencies([update]):
            return var.assign(var.constraint(var), read_value=False)

    def _unique(self, grad):
        """Rows summed so that each index is there once."""
        indices, at = array_ops.unique(grad.indices)
        total = apply_op("UnsortedSegmentSum", data=grad.values, segment_ids=at, num_segments=array_ops.shape(indices)[0])
        return total, indices

    def _prepare(self, dtype):
        return {"lr_t": array_ops.identity(self._rate(dtype))}

    @staticmethod
    def _scatter_add(x, indices, values):
        with graph_lib.control_dependencies([make_op("ResourceScatterAdd", resource=x.handle, indices=indices,
                                                     updates=values)]):
            return x.value()

    # -- what it has

    def variables(self):
        return self._weights

    weights = property(lambda self: self._weights)

    def get_weights(self):
        return backend.batch_get_value(self._weights)

    def set_weights(self, weights):
        backend.batch_set_value(list(zip(self._weights, weights)))

    # What get_config() says beside the settings that are variables, and the default of what is no attribute.
    _plain_settings = ()

    def get_config(self):
        config = {"name": self._name}
        for name in ("clipnorm", "clipvalue"):
            if getattr(self, "_" + name) is not None:
                config[name] = getattr(self, "_" + name)
        config.update((key, self._plain(value)) for key, value in self._hyper.items())
        config.update((name, getattr(self, name)) for name in self._plain_settings)
        return config

    @staticmethod
    def _plain(value):
        return backend.get_value(value) if isinstance(value, (graph_lib.Tensor, variables.Variable)) else value

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return cls(**config)


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
        from .. import control_flow
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
        from .. import control_flow

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


class LearningRateSchedule:
    def __call__(self, step):
        raise NotImplementedError("Learning rate schedule must override __call__")


class ExponentialDecay(LearningRateSchedule):
    def __init__(self, initial_learning_rate, decay_steps, decay_rate, staircase=False, name=None):
        self._given, self._name = (initial_learning_rate, decay_steps, decay_rate, staircase), name

    def __call__(self, step):
        start, steps, rate, staircase = self._given
        with name_scope(self._name or "ExponentialDecay"):
            start = convert_to_tensor(start, name="initial_learning_rate")
            steps, rate = math_ops.cast(steps, start.dtype), math_ops.cast(rate, start.dtype)
            p = math_ops.cast(step, start.dtype) / steps
            return math_ops.multiply(start, math_ops.pow(rate, math_ops.floor(p) if staircase else p))


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


_NAMED = {"sgd": SGD, "adam": Adam, "rmsprop": RMSprop, "adagrad": Adagrad, "adadelta": Adadelta}


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
