# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers: one step of recurrent layers."""

import inspect

from ... import nest
from ...framework import tensor_shape
from ...operators import array_ops
from ...state.initializers import Ones
from .. import backend, configs
from ..base_layer import Layer
from .core import activation as activation_of


def zero_states(state_size, batch_size, dtype):
    if batch_size is None or dtype is None:
        raise ValueError("batch_size and dtype cannot be None while constructing initial state: batch_size={}, dtype={}"
                         .format(batch_size, dtype))

    def zeros(size):
        return array_ops.zeros([batch_size] + tensor_shape.as_shape(size).as_list(), dtype=dtype)
    return nest.map_structure(zeros, state_size)


class AbstractRNNCell(Layer):
    """Base of cells that scripts make."""

    def call(self, inputs, states):
        raise NotImplementedError("Abstract method")

    @property
    def state_size(self):
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        raise NotImplementedError("Abstract method")

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        if inputs is not None:
            batch_size, dtype = array_ops.shape(inputs)[0], inputs.dtype
        return zero_states(self.state_size, batch_size, dtype)


class _Dropping:
    """Masks of dropout that all steps of a call share."""

    def reset_dropout_mask(self):
        self.__dict__["_dropout_mask"] = None

    def reset_recurrent_dropout_mask(self):
        self.__dict__["_recurrent_dropout_mask"] = None

    def _mask(self, kept, like, rate, training, count):
        if rate == 0:
            return None
        if self.__dict__.get(kept) is None:
            ones = array_ops.ones_like(like)
            masks = [backend.in_train_phase(lambda: backend.dropout(ones, rate), ones, training=training)
                     for _ in range(count)]
            self.__dict__[kept] = masks[0] if count == 1 else masks
        return self.__dict__[kept]

    def get_dropout_mask_for_cell(self, inputs, training, count=1):
        return self._mask("_dropout_mask", inputs, self.dropout, training, count)

    def get_recurrent_dropout_mask_for_cell(self, inputs, training, count=1):
        return self._mask("_recurrent_dropout_mask", inputs, self.recurrent_dropout, training, count)


def takes(function, name):
    """Whether a function has an argument of that name."""
    parameters = inspect.signature(function).parameters.values()
    return any(p.name == name or p.kind is p.VAR_KEYWORD for p in parameters)


class Cell(_Dropping, Layer):
    gates = 1

    def __init__(self, units, activation="tanh", use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros", kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
                 bias_constraint=None, dropout=0.0, recurrent_dropout=0.0, **keywords):
        super().__init__(**keywords)
        self.units, self.activation, self.use_bias = units, activation_of(activation), use_bias
        self.kernel_initializer = configs.initializer(kernel_initializer)
        self.recurrent_initializer = configs.initializer(recurrent_initializer)
        self.bias_initializer = configs.initializer(bias_initializer)
        self.kernel_regularizer = configs.regularizer(kernel_regularizer)
        self.recurrent_regularizer = configs.regularizer(recurrent_regularizer)
        self.bias_regularizer = configs.regularizer(bias_regularizer)
        self.kernel_constraint = configs.constraint(kernel_constraint)
        self.recurrent_constraint = configs.constraint(recurrent_constraint)
        self.bias_constraint = configs.constraint(bias_constraint)
        self.dropout, self.recurrent_dropout = min(1.0, max(0.0, dropout)), min(1.0, max(0.0, recurrent_dropout))
        self.state_size = self.output_size = units

    def _bias_shape(self):
        return (self.units * self.gates,)

    def _bias_start(self):
        return self.bias_initializer

    def build(self, input_shape):
        depth = tensor_shape.as_shape(input_shape).as_list()[-1]
        self.kernel = self.add_weight(shape=(depth, self.units * self.gates), name="kernel",
                                      initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
                                      constraint=self.kernel_constraint)
        self.recurrent_kernel = self.add_weight(
            shape=(self.units, self.units * self.gates), name="recurrent_kernel", initializer=self.recurrent_initializer,
            regularizer=self.recurrent_regularizer, constraint=self.recurrent_constraint)
        self.bias = self.add_weight(shape=self._bias_shape(), name="bias", initializer=self._bias_start(),
                                    regularizer=self.bias_regularizer, constraint=self.bias_constraint) \
            if self.use_bias else None
        self.built = True

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        if inputs is not None:
            batch_size, dtype = array_ops.shape(inputs)[0], inputs.dtype
        return zero_states(self.state_size, batch_size, dtype)

    def _parts(self, x, mask):
        """The inputs of each gate: dropped by masks of their own."""
        if mask is None:
            return [x] * self.gates
        return [x * m for m in mask]


class SimpleRNNCell(Cell):
    def call(self, inputs, states, training=None):
        before = states[0]
        drop = self.get_dropout_mask_for_cell(inputs, training)
        drop_before = self.get_recurrent_dropout_mask_for_cell(before, training)
        h = backend.dot(inputs * drop if drop is not None else inputs, self.kernel)
        if self.bias is not None:
            h = backend.bias_add(h, self.bias)
        if drop_before is not None:
            before = before * drop_before
        output = h + backend.dot(before, self.recurrent_kernel)
        if self.activation is not None:
            output = self.activation(output)
        return output, [output]


class _Gated(Cell):
    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True, *arguments,
                 implementation=1, **keywords):
        super().__init__(units, activation, use_bias, *arguments, **keywords)
        self.recurrent_activation, self.implementation = activation_of(recurrent_activation), implementation

    def _of_gate(self, weights, gate):
        start = gate * self.units
        if gate == 0:
            return weights[:, :self.units]
        return weights[:, start:] if gate == self.gates - 1 else weights[:, start:start + self.units]


class GRUCell(_Gated):
    gates = 3

    def __init__(self, *arguments, reset_after=False, **keywords):
        super().__init__(*arguments, **keywords)
        self.reset_after = reset_after

    def _bias_shape(self):
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def call(self, inputs, states, training=None):
        before = states[0]
        drop = self.get_dropout_mask_for_cell(inputs, training, count=3)
        drop_before = self.get_recurrent_dropout_mask_for_cell(before, training, count=3)
        biases = (None, None)
        if self.use_bias:
            biases = array_ops.unstack(self.bias) if self.reset_after else (self.bias, None)
        step = self._gate_by_gate if self.implementation == 1 else self._at_once
        z, hidden = step(inputs, before, drop, drop_before, *biases)
        h = z * before + (1 - z) * hidden
        return h, [h]

    def _gate_by_gate(self, inputs, before, drop, drop_before, bias, bias_before):
        given = self._parts(inputs, drop)
        x = [backend.dot(part, self._of_gate(self.kernel, i)) for i, part in enumerate(given)]
        if bias is not None:
            x = [backend.bias_add(part, self._slice(bias, i)) for i, part in enumerate(x)]
        h = self._parts(before, drop_before)
        from_before = [backend.dot(h[i], self._of_gate(self.recurrent_kernel, i)) for i in (0, 1)]
        if bias_before is not None:
            from_before = [backend.bias_add(part, self._slice(bias_before, i)) for i, part in enumerate(from_before)]
        z = self.recurrent_activation(x[0] + from_before[0])
        r = self.recurrent_activation(x[1] + from_before[1])
        if self.reset_after:
            last = backend.dot(h[2], self._of_gate(self.recurrent_kernel, 2))
            if bias_before is not None:
                last = backend.bias_add(last, self._slice(bias_before, 2))
            last = r * last
        else:
            last = backend.dot(r * h[2], self._of_gate(self.recurrent_kernel, 2))
        return z, self.activation(x[2] + last)

    def _slice(self, bias, gate):
        start = gate * self.units
        if gate == 0:
            return bias[:self.units]
        return bias[start:] if gate == 2 else bias[start:start + self.units]

    def _at_once(self, inputs, before, drop, drop_before, bias, bias_before):
        x = backend.dot(inputs if drop is None else inputs * drop[0], self.kernel)
        if bias is not None:
            x = backend.bias_add(x, bias)
        x = [self._of_gate(x, i) for i in range(3)]
        if drop_before is not None:
            before = before * drop_before[0]
        if self.reset_after:
            inner = backend.dot(before, self.recurrent_kernel)
            if bias_before is not None:
                inner = backend.bias_add(inner, bias_before)
        else:
            inner = backend.dot(before, self.recurrent_kernel[:, :2 * self.units])
        from_before = inner[:, :self.units], inner[:, self.units:2 * self.units]
        z = self.recurrent_activation(x[0] + from_before[0])
        r = self.recurrent_activation(x[1] + from_before[1])
        last = r * inner[:, 2 * self.units:] if self.reset_after else \
            backend.dot(r * before, self.recurrent_kernel[:, 2 * self.units:])
        return z, self.activation(x[2] + last)


class LSTMCell(_Gated):
    gates = 4

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal", bias_initializer="zeros",
                 unit_forget_bias=True, *arguments, **keywords):
        super().__init__(units, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer,
                         bias_initializer, *arguments, **keywords)
        self.unit_forget_bias = unit_forget_bias
        self.state_size = [self.units, self.units]

    def _bias_start(self):
        if not self.unit_forget_bias:
            return self.bias_initializer

        def start(_, *arguments, **keywords):
            return backend.concatenate([
                self.bias_initializer((self.units,), *arguments, **keywords),
                Ones()((self.units,), *arguments, **keywords),
                self.bias_initializer((self.units * 2,), *arguments, **keywords)])
        return start

    def call(self, inputs, states, training=None):
        before, carry = states[0], states[1]
        drop = self.get_dropout_mask_for_cell(inputs, training, count=4)
        drop_before = self.get_recurrent_dropout_mask_for_cell(before, training, count=4)
        step = self._gate_by_gate if self.implementation == 1 else self._at_once
        carry, out = step(inputs, before, carry, drop, drop_before)
        h = out * self.activation(carry)
        return h, [h, carry]

    def _gate_by_gate(self, inputs, before, carry, drop, drop_before):
        given = self._parts(inputs, drop)
        kernels = array_ops.split(self.kernel, num_or_size_splits=4, axis=1)
        x = [backend.dot(part, kernel) for part, kernel in zip(given, kernels)]
        if self.use_bias:
            biases = array_ops.split(self.bias, num_or_size_splits=4, axis=0)
            x = [backend.bias_add(part, bias) for part, bias in zip(x, biases)]
        h = self._parts(before, drop_before)

        def gate(i):
            return x[i] + backend.dot(h[i], self._of_gate(self.recurrent_kernel, i))
        let_in = self.recurrent_activation(gate(0))
        keep = self.recurrent_activation(gate(1))
        carry = keep * carry + let_in * self.activation(gate(2))
        return carry, self.recurrent_activation(gate(3))

    def _at_once(self, inputs, before, carry, drop, drop_before):
        z = backend.dot(inputs if drop is None else inputs * drop[0], self.kernel)
        if drop_before is not None:
            before = before * drop_before[0]
        z += backend.dot(before, self.recurrent_kernel)
        if self.use_bias:
            z = backend.bias_add(z, self.bias)
        let_in, keep, new, out = array_ops.split(z, num_or_size_splits=4, axis=1)
        let_in = self.recurrent_activation(let_in)
        keep = self.recurrent_activation(keep)
        carry = keep * carry + let_in * self.activation(new)
        return carry, self.recurrent_activation(out)


class StackedRNNCells(Layer):
    """Cells one above the other."""

    def __init__(self, cells, **keywords):
        for cell in cells:
            if not hasattr(cell, "call"):
                raise ValueError("All cells must have a `call` method. received cells:", cells)
            if not hasattr(cell, "state_size"):
                raise ValueError("All cells must have a `state_size` attribute. received cells:", cells)
        self.cells = cells
        self.reverse_state_order = keywords.pop("reverse_state_order", False)
        super().__init__(**keywords)

    @property
    def state_size(self):
        return tuple(c.state_size for c in (self.cells[::-1] if self.reverse_state_order else self.cells))

    @property
    def output_size(self):
        last = self.cells[-1]
        return last.output_size if getattr(last, "output_size", None) is not None else nest.flatten(last.state_size)[0]

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        found = []
        for cell in self.cells[::-1] if self.reverse_state_order else self.cells:
            make = getattr(cell, "get_initial_state", None)
            found.append(make(inputs=inputs, batch_size=batch_size, dtype=dtype) if make else
                         zero_states(cell.state_size, batch_size, dtype))
        return tuple(found)

    def call(self, inputs, states, training=None, **keywords):
        sizes = self.state_size[::-1] if self.reverse_state_order else self.state_size
        new = []
        for cell, own in zip(self.cells, nest.pack_sequence_as(sizes, nest.flatten(states))):
            own = list(own) if isinstance(own, (list, tuple)) else [own]
            given = {"training": training} if takes(cell.call, "training") else {}
            inputs, made = cell.call(inputs, own, **given)
            new.append(made)
        if self.reverse_state_order:
            new = new[::-1]
        return inputs, nest.pack_sequence_as(list(self.state_size), nest.flatten(new))

    def build(self, input_shape):
        for cell in self.cells:
            if isinstance(cell, Layer) and not cell.built:
                cell.build(input_shape)
                cell.built = True
            size = getattr(cell, "output_size", None)
            size = nest.flatten(cell.state_size)[0] if size is None else size
            input_shape = tensor_shape.as_shape(input_shape)[:1].concatenate(size)
        self.built = True

    def get_config(self):
        config = super().get_config()
        config["cells"] = [configs.serialize(cell) for cell in self.cells]
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from ..model_configs import deserialize_layer
        return cls(**dict(config, cells=[deserialize_layer(cell, custom_objects) for cell in config["cells"]]))
