# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What the optimizers of tf.keras have in common: settings in variables, slots, and gradients applied."""

import functools

from .. import dtypes
from ..differentiation import gradients as gradients_lib
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..framework.ops import IndexedSlices, apply_op, make_op
from ..operators import array_ops, math_ops
from ..state import variables
from . import backend
from .schedules import LearningRateSchedule


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

    def _new_weight(self, name, shape, dtype=None, initializer="zeros",
                    aggregation=variables.VariableAggregation.ONLY_FIRST_REPLICA):
        from . import configs
        dtype = dtypes.as_dtype(dtype or dtypes.float32)
        make = configs.initializer(initializer) if isinstance(initializer, str) or callable(initializer) else None
        value = initializer if make is None else functools.partial(make, shape, dtype=dtype)
        with graph_lib.init_scope():
            v = variables.Variable(value, name=name, dtype=dtype, trainable=False, use_resource=True,
                                   aggregation=aggregation)
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
        slots = self._slots.setdefault(var._shared_name, {})
        if slot_name not in slots:
            make = configs.initializer(initializer)
            with graph_lib.colocate_with(var.op):
                slots[slot_name] = variables.Variable(
                    functools.partial(make, var.shape, dtype=var.dtype.base_dtype), dtype=var.dtype.base_dtype,
                    name="%s/%s" % (var._shared_name, slot_name), trainable=False, use_resource=True)
            backend.track_variable(slots[slot_name])
            self._weights.append(slots[slot_name])
        return slots[slot_name]

    def get_slot(self, var, slot_name):
        return self._slots[var._shared_name][slot_name]

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
            self._begin_applying()
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
            return var.assign(var.constraint(var))

    def _unique(self, grad):
        """Rows summed so that each index is there once."""
        indices, at = array_ops.unique(grad.indices)
        total = apply_op("UnsortedSegmentSum", data=grad.values, segment_ids=at, num_segments=array_ops.shape(indices)[0])
        return total, indices

    def _begin_applying(self):
        """What is read before any variable changes."""

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
