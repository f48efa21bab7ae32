# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Moving averages of variables and tensors (tf.train.ExponentialMovingAverage)."""

from .. import dtypes
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys, get_default_graph, name_scope
from ..framework.ops import convert_to_tensor
from ..operators import math_ops, state_ops
from ..state import initializers, scope as scope_lib, variables
from . import slots

_FLOATS = (dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64)


def assign_moving_average(variable, value, decay, zero_debias=True, name=None):
    """variable -= (1 - decay) * (variable - value); with zero_debias the start from zero is corrected."""
    with name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        decay = convert_to_tensor(1.0 - decay, name="decay")
        if decay.dtype != variable.dtype.base_dtype:
            decay = math_ops.cast(decay, variable.dtype.base_dtype)
        if zero_debias:
            return _zero_debias(variable, value, decay)
        return state_ops.assign_sub(variable, (variable - value) * decay, name=scope)


def _free_name(name):
    current = scope_lib.get_variable_scope()
    if current.reuse:
        return name
    taken = {v.op.name for v in current.global_variables()}
    full = current.name + "/" + name
    if full not in taken:
        return name
    i = 1
    while "%s_%d" % (full, i) in taken:
        i += 1
    return "%s_%d" % (name, i)


def _zero_debias(unbiased, value, decay):
    with scope_lib.variable_scope(unbiased.name[:-len(":0")], values=[unbiased, value, decay]):
        with graph_lib.colocate_with(unbiased):
            biased = scope_lib.get_variable(_free_name("biased"), initializer=initializers.Zeros(),
                                            shape=unbiased.shape, dtype=unbiased.dtype, trainable=False)
            local_step = scope_lib.get_variable(_free_name("local_step"), shape=[], dtype=unbiased.dtype,
                                                initializer=initializers.Zeros(), trainable=False)
    update_biased = state_ops.assign_sub(biased, (biased - value) * decay)
    update_step = local_step.assign_add(1)
    factor = 1 - math_ops.pow(1.0 - decay, update_step)
    return state_ops.assign(unbiased, update_biased / factor, name=get_default_graph().get_name_scope() + "/")


def weighted_moving_average(value, decay, weight, truediv=True, collections=None, name=None):
    if collections is None:
        collections = [GraphKeys.GLOBAL_VARIABLES]
    with scope_lib.variable_scope(name, "WeightedMovingAvg", [value, weight, decay]) as scope:
        options = dict(initializer=initializers.Zeros(), trainable=False, collections=collections)
        total = scope_lib.get_variable("value_x_weight", shape=value.shape, dtype=value.dtype, **options)
        weights = scope_lib.get_variable("weight", shape=weight.shape, dtype=weight.dtype, **options)
        numerator = assign_moving_average(total, value * weight, decay, zero_debias=False)
        denominator = assign_moving_average(weights, weight, decay, zero_debias=False)
        return (math_ops.truediv if truediv else math_ops.div)(numerator, denominator, name=scope.name)


class ExponentialMovingAverage:
    """Keeps, beside variables and tensors, averages that follow them slowly."""

    def __init__(self, decay, num_updates=None, zero_debias=False, name="ExponentialMovingAverage"):
        self._decay, self._num_updates, self._zero_debias, self._name = decay, num_updates, zero_debias, name
        self._averages = {}

    name = property(lambda self: self._name)

    def _make_average(self, var):
        with graph_lib.init_scope():
            if isinstance(var, variables.Variable):
                average = slots.create_slot(var, var.initialized_value(), self._name, colocate_with_primary=True)
                graph_lib.add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
                return average, False
            average = slots.create_zeros_slot(
                var, self._name, colocate_with_primary=var.op.type in ("Variable", "VariableV2", "VarHandleOp"))
            return average, self._zero_debias

    def apply(self, var_list=None):
        """Makes the averages that are missing; gives the op that moves all of them."""
        if var_list is None:
            var_list = variables.trainable_variables()
        debiased = set()
        for var in var_list:
            if var.dtype.base_dtype not in _FLOATS:
                raise TypeError("The variables must be half, float, or double: %s" % var.name)
            if var.experimental_ref() not in self._averages:
                average, debias = self._make_average(var)
                if debias:
                    debiased.add(average)
                self._averages[var.experimental_ref()] = average
        with name_scope(self._name) as scope:
            decay = convert_to_tensor(self._decay, name="decay")
            if self._num_updates is not None:
                num_updates = math_ops.cast(self._num_updates, dtypes.float32, name="num_updates")
                decay = math_ops.minimum(decay, (1.0 + num_updates) / (10.0 + num_updates))
            averages = [self.average(var) for var in var_list]
            updates = [assign_moving_average(average, var, decay, average in debiased)
                       for average, var in zip(averages, var_list)]
            return control_flow.group(*updates, name=scope)

    def average(self, var):
        return self._averages.get(var.experimental_ref())

    def average_name(self, var):
        if var.experimental_ref() in self._averages:
            return self.average(var).op.name
        return get_default_graph().unique_name(var.op.name + "/" + self._name, mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables=None):
        """What a Saver takes to restore the averages into the variables themselves."""
        if moving_avg_variables is None:
            moving_avg_variables = variables.trainable_variables() + variables.moving_average_variables()
        # TF: a set; the order of the result is that of the names in a Saver anyway.
        averaged = list(dict.fromkeys(moving_avg_variables))
        names = {self.average_name(v): v for v in averaged}
        averaged_names = {v.name for v in averaged}
        for v in dict.fromkeys(variables.global_variables()):
            if v.name not in averaged_names and v.op.name not in names:
                names[v.op.name] = v
        return names
