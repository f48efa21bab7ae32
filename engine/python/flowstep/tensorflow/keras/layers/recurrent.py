# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers: recurrent layers."""

import numpy as np

from ... import nest
from ...framework import tensor_shape
from ...framework.graph import Tensor
from ...operators import array_ops, state_ops
from ...state.variables import Variable
from .. import backend, configs, recurrence
from ..base_layer import InputSpec, Layer
from .recurrent_cells import GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells, takes, zero_states


def _listed(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


class RNN(Layer):
    # Whether the loop is told how many times there are.
    _bounded = False

    def __init__(self, cell, return_sequences=False, return_state=False, go_backwards=False, stateful=False, unroll=False,
                 time_major=False, **keywords):
        if isinstance(cell, (list, tuple)):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call"):
            raise ValueError("`cell` should have a `call` method. The RNN was passed:", cell)
        if not hasattr(cell, "state_size"):
            raise ValueError("The RNN cell should have an attribute `state_size` (tuple of integers, one integer per RNN "
                             "state).")
        self.zero_output_for_mask = keywords.pop("zero_output_for_mask", False)
        if "input_shape" not in keywords and ("input_dim" in keywords or "input_length" in keywords):
            keywords["input_shape"] = (keywords.pop("input_length", None), keywords.pop("input_dim", None))
        super().__init__(**keywords)
        self.cell, self.return_sequences, self.return_state = cell, return_sequences, return_state
        self.go_backwards, self.stateful, self.unroll, self.time_major = go_backwards, stateful, unroll, time_major
        self.supports_masking = True
        self.state_spec, self._states, self.constants_spec = None, None, None
        self._n_constants = 0

    # -- its states

    @property
    def states(self):
        if self._states is None:
            empty = nest.map_structure(lambda _: None, self.cell.state_size)
            return empty if nest.is_sequence(self.cell.state_size) else [empty]
        return self._states

    @states.setter
    def states(self, states):
        self._states = states

    def get_initial_state(self, inputs):
        first = nest.flatten(inputs)[0]
        sizes = array_ops.shape(first)
        batch_size = sizes[1] if self.time_major else sizes[0]
        make = getattr(self.cell, "get_initial_state", None)
        state = make(inputs=None, batch_size=batch_size, dtype=first.dtype) if make else \
            zero_states(self.cell.state_size, batch_size, first.dtype)
        return _listed(state)

    def reset_states(self, states=None):
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        spec = self.input_spec[0] if isinstance(self.input_spec, list) else self.input_spec
        batch_size = None if spec is None else spec.shape[1 if self.time_major else 0]
        if not batch_size:
            raise ValueError("If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input "
                             "tensors: \n- If using a Sequential model, specify the batch size by passing a "
                             "`batch_input_shape` argument to your first layer.\n- If using the functional API, specify "
                             "the batch size by passing a `batch_shape` argument to your Input layer.")
        sizes = nest.flatten(self.cell.state_size)
        dims = [[batch_size] + tensor_shape.as_shape(size).as_list() for size in sizes]
        if nest.flatten(self.states)[0] is None:
            made = [backend.zeros(d) for d in dims]
            self.states = nest.pack_sequence_as(self.cell.state_size, made) if nest.is_sequence(self.cell.state_size) \
                else made
            return
        own = nest.flatten(self.states)
        if states is None:
            for state, d in zip(own, dims):
                backend.set_value(state, np.zeros(d))
            return
        values = nest.flatten(states)
        if len(values) != len(dims):
            raise ValueError("Layer " + self.name + " expects " + str(len(dims)) + " states, but it received " +
                             str(len(values)) + " state values. Input received: " + str(states))
        for i, (value, state) in enumerate(zip(values, own)):
            if value.shape != state.shape:
                raise ValueError("State " + str(i) + " is incompatible with layer " + self.name + ": expected shape=" +
                                 str((batch_size, state)) + ", found shape=" + str(value.shape))
        backend.batch_set_value(list(zip(own, values)))

    # -- what it is like

    def _sizes(self):
        size = self.cell.state_size
        return nest.flatten(size)

    def compute_output_shape(self, input_shape):
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        dims = tensor_shape.as_shape(nest.flatten(input_shape)[0] if not isinstance(
            input_shape, (tuple, tensor_shape.TensorShape)) else input_shape).as_list()
        batch, time = (dims[1], dims[0]) if self.time_major else (dims[0], dims[1])
        depth = tensor_shape.as_shape(self._output_size()).as_list()
        whole = [time, batch] if self.time_major else [batch, time]
        output = tensor_shape.TensorShape((whole if self.return_sequences else [batch]) + depth)
        if not self.return_state:
            return output
        return [output] + [tensor_shape.TensorShape([batch] + tensor_shape.as_shape(s).as_list()) for s in self._sizes()]

    def _output_size(self):
        size = getattr(self.cell, "output_size", None)
        return self._sizes()[0] if size is None else size

    def compute_mask(self, inputs, mask=None):
        mask = nest.flatten(mask)[0]
        output = mask if self.return_sequences else None
        return [output] + [None for _ in nest.flatten(self.states)] if self.return_state else output

    def build(self, input_shape):
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        dims = tensor_shape.as_shape(input_shape).as_list()
        dims[0 if self.time_major else 1] = None
        if not self.stateful:
            dims[1 if self.time_major else 0] = None
        self.input_spec = [InputSpec(shape=tuple(dims))]
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build(tuple((dims[1] if self.time_major else dims[0],) + tuple(dims[2:])))
            self.cell.built = True
        if self.stateful:
            self.reset_states()
        self.built = True

    # -- calling

    def __call__(self, inputs, initial_state=None, constants=None, **keywords):
        if isinstance(inputs, list) and initial_state is None and constants is None and len(inputs) > 1:
            if self._n_constants:
                inputs, constants = inputs[:-self._n_constants], inputs[-self._n_constants:]
            inputs, initial_state = inputs[0], inputs[1:] or None
        if initial_state is None and constants is None:
            return super().__call__(inputs, **keywords)
        more = []
        if initial_state is not None:
            initial_state = _listed(initial_state)
            more += initial_state
            self._check_states(nest.flatten(initial_state))
        if constants is not None:
            constants = _listed(constants)
            self._n_constants = len(constants)
            more += constants
        if all(backend.is_keras_tensor(x) for x in nest.flatten(more)):
            # They are inputs of the network like the others.
            keywords.setdefault("mask", _mask_of(inputs))
            before, self.input_spec = self.input_spec, None
            try:
                return super().__call__([inputs] + more, **keywords)
            finally:
                self.input_spec = self.input_spec or before
        if initial_state is not None:
            keywords["initial_state"] = initial_state
        if constants is not None:
            keywords["constants"] = constants
        return super().__call__(inputs, **keywords)

    def _check_states(self, given):
        sizes = [tensor_shape.as_shape(size).as_list() for size in self._sizes()]
        if [x.shape.as_list()[1:] for x in given] != sizes:
            spec = [InputSpec(shape=tuple(x.shape.as_list())) for x in given]
            raise ValueError("An `initial_state` was passed that is not compatible with `cell.state_size`. Received "
                             "`state_spec`=ListWrapper({}); however `cell.state_size` is {}".format(spec, self.cell.state_size))

    def _begin_with(self, inputs, initial_state, constants):
        if isinstance(inputs, list):
            if self._n_constants:
                inputs, constants = inputs[:-self._n_constants], inputs[-self._n_constants:]
            inputs, initial_state = inputs[0], inputs[1:] or initial_state
        if initial_state is None:
            initial_state = self.states if self.stateful else self.get_initial_state(inputs)
        if len(initial_state) != len(self.states):
            raise ValueError("Layer has " + str(len(self.states)) + " states but was passed " + str(len(initial_state)) +
                             " initial states.")
        return inputs, initial_state, constants

    def _forget_masks(self):
        for cell in getattr(self.cell, "cells", [self.cell]):
            for forget in ("reset_dropout_mask", "reset_recurrent_dropout_mask"):
                if hasattr(cell, forget):
                    getattr(cell, forget)()

    def call(self, inputs, mask=None, training=None, initial_state=None, constants=None):
        inputs, initial_state, constants = self._begin_with(inputs, initial_state, constants)
        self._forget_masks()
        mask = nest.flatten(mask)[0]
        times = nest.flatten(inputs)[0].shape.as_list()[0 if self.time_major else 1]
        if self.unroll and times is None:
            raise ValueError("Cannot unroll a RNN if the time dimension is undefined. \n- If using a Sequential model, "
                             "specify the time dimension by passing an `input_shape` or `batch_input_shape` argument to your "
                             "first layer. If your first layer is an Embedding, you can also use the `input_length` "
                             "argument.\n- If using the functional API, specify the time dimension by passing a `shape` or "
                             "`batch_shape` argument to your Input layer.")
        given = {"training": training} if takes(self.cell.call, "training") else {}
        if constants and not takes(self.cell.call, "constants"):
            raise ValueError("RNN cell does not support constants")

        def step(x, states):
            named = dict(given)
            if constants:
                states, named["constants"] = states[:-self._n_constants], states[-self._n_constants:]
            output, new = self.cell.call(x, states, **named)
            return output, new if nest.is_sequence(new) else [new]
        last, outputs, states = recurrence.rnn(
            step, inputs, initial_state, constants=constants, go_backwards=self.go_backwards, mask=mask, unroll=self.unroll,
            input_length=times if self._bounded else None, time_major=self.time_major, zero_output_for_mask=self.zero_output_for_mask)
        if self.stateful:
            self.add_update([state_ops.assign(own, new) for own, new in zip(nest.flatten(self.states), nest.flatten(states))])
        output = outputs if self.return_sequences else last
        return [output] + list(states) if self.return_state else output

    def get_config(self):
        config = super().get_config()
        config.update(self._flags(), cell=configs.serialize(self.cell))
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from .. import layers
        config = dict(config)
        if isinstance(config.get("cell"), dict):
            config["cell"] = _cell_of(config["cell"], layers)
        return cls(**config)

    def _flags(self):
        flags = {name: getattr(self, name) for name in (
            "return_sequences", "return_state", "go_backwards", "stateful", "unroll", "time_major")}
        if self.zero_output_for_mask:
            flags["zero_output_for_mask"] = True
        return flags


def _cell_of(config, layers):
    inner = dict(config["config"])
    if "cells" in inner:
        inner["cells"] = [_cell_of(cell, layers) for cell in inner["cells"]]
    return getattr(layers, config["class_name"])(**inner)


def _mask_of(inputs):
    return next((getattr(x, "_keras_mask", None) for x in nest.flatten(inputs) if isinstance(x, (Tensor, Variable))), None)


class _OfOneCell(RNN):
    """A layer that makes its cell: told of both at once."""

    cell_type = None
    own = ()

    def __init__(self, units, *arguments, **keywords):
        flags = {name: keywords.pop(name) for name in (
            "return_sequences", "return_state", "go_backwards", "stateful", "unroll", "time_major", "name", "dtype",
            "trainable", "input_shape", "batch_input_shape", "input_dim", "input_length", "batch_size", "weights",
            "activity_regularizer", "dynamic") if name in keywords}
        if keywords.get("implementation") == 0:
            keywords["implementation"] = 1
        about_cell = {name: flags[name] for name in ("dtype", "trainable") if name in flags}
        super().__init__(self.cell_type(units, *arguments, **about_cell, **keywords), **flags)
        self.input_spec = [InputSpec(ndim=3)]

    def __getattr__(self, name):
        cell = self.__dict__.get("cell")
        if name in _OF_CELL and cell is not None:
            return getattr(cell, name)
        raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, name))

    def get_config(self):
        return Layer.get_config(self)


_OF_CELL = frozenset("""units activation use_bias kernel_initializer recurrent_initializer bias_initializer
    kernel_regularizer recurrent_regularizer bias_regularizer kernel_constraint recurrent_constraint bias_constraint dropout
    recurrent_dropout recurrent_activation implementation unit_forget_bias reset_after""".split())


class SimpleRNN(_OfOneCell):
    cell_type = SimpleRNNCell


class GRU(_OfOneCell):
    cell_type = GRUCell


class LSTM(_OfOneCell):
    cell_type = LSTMCell
