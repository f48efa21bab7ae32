# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells (tf.nn.rnn_cell): one step from inputs and state to output and state."""

import collections

from .. import dtypes, nest, nn
from ..framework import ops, tensor_shape
from ..framework import tf_logging as logging
from ..framework.graph import Tensor, name_scope
from ..operators import array_ops, math_ops
from ..state import initializers, scope as scope_lib
from ..state import partitioned_variables, variables
from .layers_base import InputSpec, Layer

_KERNEL, _BIAS = "kernel", "bias"


def assert_like_rnncell(cell_name, cell):
    missing = []
    for name, text in (("output_size", "'output_size' property is missing"),
                       ("state_size", "'state_size' property is missing")):
        if not hasattr(cell, name):
            missing.append(text)
    if not hasattr(cell, "get_initial_state") and not hasattr(cell, "zero_state"):
        missing.append("either 'zero_state' or 'get_initial_state' method is required")
    if not callable(cell):
        missing.append("is not callable")
    if missing:
        raise TypeError("The argument {!r} ({}) is not an RNNCell: {}.".format(cell_name, cell, ", ".join(missing)))


# -- shapes of states

def _part(value, what):
    """(dims where they are known, tensor): one half of a shape."""
    if isinstance(value, Tensor):
        known = ops.constant_value(value)
        if value.shape.ndims == 0:
            value = array_ops.expand_dims(value, 0)
        elif value.shape.ndims != 1:
            raise ValueError("%s tensor must be either a scalar or vector, but saw tensor: %s" % (what, value))
        return None if known is None else [int(d) for d in known.ravel()], value
    if isinstance(value, (int, tensor_shape.Dimension)) or value is None:
        value = [value]
    dims = tensor_shape.as_shape(value)
    known = dims.as_list() if dims.ndims is not None else None
    return known, ops.constant(known, dtype=dtypes.int32) if dims.is_fully_defined() else None


def concat_shape(prefix, suffix, static=False):
    """prefix + suffix, as a tensor or as far as it is known."""
    known_prefix, p = _part(prefix, "prefix")
    known_suffix, s = _part(suffix, "suffix")
    if static:
        dims = tensor_shape.as_shape(known_prefix).concatenate(tensor_shape.as_shape(known_suffix))
        return dims.as_list() if dims.ndims is not None else None
    if p is None or s is None:
        raise ValueError("Provided a prefix or suffix of None: %s and %s" % (prefix, suffix))
    return array_ops.concat((p, s), 0)


def _zero_states(state_size, batch_size, dtype):
    def zeros(size):
        made = array_ops.zeros(concat_shape(batch_size, size), dtype=dtype)
        made.set_shape(concat_shape(batch_size, size, static=True))
        return made
    return nest.map_structure(zeros, state_size)


def _check_dtype(dtype):
    if dtype is None:
        return
    dtype = dtypes.as_dtype(dtype)
    if not (dtype.is_floating or dtype.is_complex):
        raise ValueError("RNN cell only supports floating point inputs, but saw dtype: %s" % dtype)


def _check_inputs(*inputs):
    for t in nest.flatten(list(inputs)):
        _check_dtype(t.dtype)


def _activation(value):
    if isinstance(value, str):
        return getattr(nn, value, None) or getattr(math_ops, value)
    return value or math_ops.tanh  # noqa: F821


# -- cells

class RNNCell(Layer):
    """Base of all cells; its variables are those that the step asks get_variable for."""

    def __init__(self, trainable=True, name=None, dtype=None, **keywords):
        super().__init__(trainable=trainable, name=name, dtype=dtype, **keywords)
        self._is_tf_rnn_cell = True

    def __call__(self, inputs, state, scope=None):
        if scope is not None:
            with scope_lib.variable_scope(scope, custom_getter=self._rnn_get_variable) as opened:
                return super().__call__(inputs, state, scope=opened)
        own = getattr(self, "rnncell_scope", None)
        if own is None:
            own = self.rnncell_scope = scope_lib.variable_scope(scope_lib.get_variable_scope(),
                                                                custom_getter=self._rnn_get_variable)
        with own:
            return super().__call__(inputs, state)

    def _rnn_get_variable(self, getter, *arguments, **keywords):
        variable = getter(*arguments, **keywords)
        shown = variables.trainable_variables()
        part = list(variable)[0] if isinstance(variable, partitioned_variables.PartitionedVariable) else variable
        weights = self._trainable_weights if any(part is v for v in shown) else self._non_trainable_weights
        if all(variable is not v for v in weights):
            weights.append(variable)
        return variable

    @property
    def state_size(self):
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        raise NotImplementedError("Abstract method")

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        if inputs is not None:
            inputs = ops.convert_to_tensor(inputs, name="inputs")
            known = inputs.shape.dims[0].value
            if batch_size is not None:
                given = ops.constant_value(batch_size) if isinstance(batch_size, Tensor) else batch_size
                if known != given:
                    raise ValueError("batch size from input tensor is different from the input param. Input tensor "
                                     "batch: {}, batch_size: {}".format(known, batch_size))
            if dtype is not None and inputs.dtype != dtype:
                raise ValueError("dtype from input tensor is different from the input param. Input tensor dtype: {}, "
                                 "dtype: {}".format(inputs.dtype, dtype))
            batch_size = known or array_ops.shape(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError("batch_size and dtype cannot be None while constructing initial state: batch_size={}, "
                             "dtype={}".format(batch_size, dtype))
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return _zero_states(self.state_size, batch_size, dtype)


class LayerRNNCell(RNNCell):
    """Cells whose variables are a layer's weights."""

    def __call__(self, inputs, state, scope=None, *arguments, **keywords):
        return Layer.__call__(self, inputs, state, *arguments, scope=scope, **keywords)

    @staticmethod
    def _depth(inputs_shape):
        if inputs_shape[-1].value is None:
            raise ValueError("Expected inputs.shape[-1] to be known, saw shape: %s" % str(tuple(inputs_shape.as_list())))
        return inputs_shape[-1].value


class BasicRNNCell(LayerRNNCell):
    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None, **keywords):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **keywords)
        _check_dtype(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, _activation(activation)

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape):
        depth = self._depth(inputs_shape)
        _check_dtype(self.dtype)
        self._kernel = self.add_variable(_KERNEL, shape=[depth + self._num_units, self._num_units])
        self._bias = self.add_variable(_BIAS, shape=[self._num_units],
                                       initializer=initializers.Zeros(dtype=self.dtype))

    def call(self, inputs, state):
        _check_inputs(inputs, state)
        gates = math_ops.matmul(array_ops.concat([inputs, state], 1), self._kernel)
        output = self._activation(nn.bias_add(gates, self._bias))
        return output, output


class GRUCell(LayerRNNCell):
    def __init__(self, num_units, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None, name=None,
                 dtype=None, **keywords):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **keywords)
        _check_dtype(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, _activation(activation)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape):
        depth, units = self._depth(inputs_shape) + self._num_units, self._num_units
        _check_dtype(self.dtype)
        self._gate_kernel = self.add_variable("gates/" + _KERNEL, shape=[depth, 2 * units],
                                              initializer=self._kernel_initializer)
        bias = self._bias_initializer
        self._gate_bias = self.add_variable("gates/" + _BIAS, shape=[2 * units], initializer=bias if bias is not None
                                            else initializers.Constant(1.0, dtype=self.dtype))
        self._candidate_kernel = self.add_variable("candidate/" + _KERNEL, shape=[depth, units],
                                                   initializer=self._kernel_initializer)
        self._candidate_bias = self.add_variable("candidate/" + _BIAS, shape=[units], initializer=bias
                                                 if bias is not None else initializers.Zeros(dtype=self.dtype))

    def call(self, inputs, state):
        _check_inputs(inputs, state)
        gates = math_ops.matmul(array_ops.concat([inputs, state], 1), self._gate_kernel)
        value = math_ops.sigmoid(nn.bias_add(gates, self._gate_bias))
        r, u = array_ops.split(value=value, num_or_size_splits=2, axis=1)
        r_state = r * state
        candidate = math_ops.matmul(array_ops.concat([inputs, r_state], 1), self._candidate_kernel)
        c = self._activation(nn.bias_add(candidate, self._candidate_bias))
        new_h = u * state + (1 - u) * c
        return new_h, new_h


_StateFields = collections.namedtuple("LSTMStateTuple", ("c", "h"))


class LSTMStateTuple(_StateFields):
    __slots__ = ()

    @property
    def dtype(self):
        c, h = self
        if c.dtype != h.dtype:
            raise TypeError("Inconsistent internal state: %s vs %s" % (str(c.dtype), str(h.dtype)))
        return c.dtype


def _warn_of_concatenated_state(cell, state_is_tuple):
    if not state_is_tuple:
        logging.warn("%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.",
                     cell)


class BasicLSTMCell(LayerRNNCell):
    def __init__(self, num_units, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None, name=None, dtype=None,
                 **keywords):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **keywords)
        _check_dtype(self.dtype)
        _warn_of_concatenated_state(self, state_is_tuple)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._forget_bias, self._state_is_tuple = num_units, forget_bias, state_is_tuple
        self._activation = _activation(activation)

    @property
    def state_size(self):
        return LSTMStateTuple(self._num_units, self._num_units) if self._state_is_tuple else 2 * self._num_units

    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape):
        depth = self._depth(inputs_shape)
        _check_dtype(self.dtype)
        self._kernel = self.add_variable(_KERNEL, shape=[depth + self._num_units, 4 * self._num_units])
        self._bias = self.add_variable(_BIAS, shape=[4 * self._num_units],
                                       initializer=initializers.Zeros(dtype=self.dtype))

    def call(self, inputs, state):
        _check_inputs(inputs, state)
        sigmoid, one = math_ops.sigmoid, ops.constant(1, dtype=dtypes.int32)
        if self._state_is_tuple:
            c, h = state
        else:
            c, h = array_ops.split(value=state, num_or_size_splits=2, axis=one)
        gates = math_ops.matmul(array_ops.concat([inputs, h], 1), self._kernel)
        gates = nn.bias_add(gates, self._bias)
        i, j, f, o = array_ops.split(value=gates, num_or_size_splits=4, axis=one)
        forget_bias = ops.constant(self._forget_bias, dtype=f.dtype)
        kept = math_ops.multiply(c, sigmoid(math_ops.add(f, forget_bias)))
        new_c = math_ops.add(kept, math_ops.multiply(sigmoid(i), self._activation(j)))
        new_h = math_ops.multiply(self._activation(new_c), sigmoid(o))
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else array_ops.concat([new_c, new_h], 1)


class LSTMCell(LayerRNNCell):
    def __init__(self, num_units, use_peepholes=False, cell_clip=None, initializer=None, num_proj=None, proj_clip=None,
                 num_unit_shards=None, num_proj_shards=None, forget_bias=1.0, state_is_tuple=True, activation=None,
                 reuse=None, name=None, dtype=None, **keywords):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **keywords)
        _check_dtype(self.dtype)
        _warn_of_concatenated_state(self, state_is_tuple)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer, self._num_proj, self._proj_clip = initializer, num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple, self._activation = forget_bias, state_is_tuple, _activation(activation)

    output_size = property(lambda self: self._num_proj or self._num_units)

    @property
    def state_size(self):
        if self._state_is_tuple:
            return LSTMStateTuple(self._num_units, self.output_size)
        return self._num_units + self.output_size

    @staticmethod
    def _partitioner(shards):
        return scope_lib.fixed_size_partitioner(shards) if shards is not None else None

    def build(self, inputs_shape):
        depth, units = self._depth(inputs_shape), self._num_units
        _check_dtype(self.dtype)
        h_depth = units if self._num_proj is None else self._num_proj
        self._kernel = self.add_variable(_KERNEL, shape=[depth + h_depth, 4 * units], initializer=self._initializer,
                                         partitioner=self._partitioner(self._num_unit_shards))
        self._bias = self.add_variable(_BIAS, shape=[4 * units], initializer=initializers.Zeros(dtype=self.dtype))
        if self._use_peepholes:
            for name in ("w_f_diag", "w_i_diag", "w_o_diag"):
                setattr(self, "_" + name, self.add_variable(name, shape=[units], initializer=self._initializer))
        if self._num_proj is not None:
            self._proj_kernel = self.add_variable("projection/" + _KERNEL, shape=[units, self._num_proj],
                                                  initializer=self._initializer,
                                                  partitioner=self._partitioner(self._num_proj_shards))

    def call(self, inputs, state):
        _check_inputs(inputs, state)
        sigmoid = math_ops.sigmoid
        if self._state_is_tuple:
            c_prev, m_prev = state
        else:
            c_prev = array_ops.slice(state, [0, 0], [-1, self._num_units])
            m_prev = array_ops.slice(state, [0, self._num_units], [-1, self._num_proj or self._num_units])
        if inputs.shape.with_rank(2).dims[1].value is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        gates = math_ops.matmul(array_ops.concat([inputs, m_prev], 1), self._kernel)
        gates = nn.bias_add(gates, self._bias)
        i, j, f, o = array_ops.split(value=gates, num_or_size_splits=4, axis=1)
        if self._use_peepholes:
            c = sigmoid(f + self._forget_bias + self._w_f_diag * c_prev) * c_prev + \
                sigmoid(i + self._w_i_diag * c_prev) * self._activation(j)
        else:
            c = sigmoid(f + self._forget_bias) * c_prev + sigmoid(i) * self._activation(j)
        if self._cell_clip is not None:
            c = math_ops.clip_by_value(c, -self._cell_clip, self._cell_clip)
        if self._use_peepholes:
            m = sigmoid(o + self._w_o_diag * c) * self._activation(c)
        else:
            m = sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            m = math_ops.matmul(m, self._proj_kernel)
            if self._proj_clip is not None:
                m = math_ops.clip_by_value(m, -self._proj_clip, self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else array_ops.concat([c, m], 1)


class LSTMBlockCell(LayerRNNCell):
    """tf.contrib.rnn.LSTMBlockCell: the step as one op."""

    def __init__(self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, dtype=None, reuse=None,
                 name="lstm_cell"):
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = cell_clip if cell_clip is not None else -1
        self.input_spec = InputSpec(ndim=2)

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape):
        if not inputs_shape.dims[1].value:
            raise ValueError("Expecting inputs_shape[1] to be set: %s" % str(inputs_shape))
        self._kernel = self.add_variable(_KERNEL, [inputs_shape.dims[1].value + self._num_units, self._num_units * 4])
        self._bias = self.add_variable(_BIAS, [self._num_units * 4], initializer=initializers.Constant(0.0))
        if self._use_peephole:
            self._w_i_diag = self.add_variable("w_i_diag", [self._num_units])
            self._w_f_diag = self.add_variable("w_f_diag", [self._num_units])
            self._w_o_diag = self.add_variable("w_o_diag", [self._num_units])

    def call(self, inputs, state):
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        if self._use_peephole:
            wci, wcf, wco = self._w_i_diag, self._w_f_diag, self._w_o_diag
        else:
            wci = wcf = wco = array_ops.zeros([self._num_units], dtype=self.dtype)
        made = ops.apply_op("LSTMBlockCell", x=inputs, cs_prev=state[0], h_prev=state[1], w=self._kernel, wci=wci, wcf=wcf,
                            wco=wco, b=self._bias, forget_bias=self._forget_bias, cell_clip=self._cell_clip,
                            use_peephole=self._use_peephole)
        return made[6], LSTMStateTuple(made[1], made[6])


class MultiRNNCell(RNNCell):
    def __init__(self, cells, state_is_tuple=True):
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not nest.is_sequence(cells):
            raise TypeError("cells must be a list or tuple, but saw: %s." % cells)
        if len({id(cell) for cell in cells}) < len(cells):
            logging.log_first_n(logging.WARN, "At least two cells provided to MultiRNNCell are the same object and will "
                                "share weights.", 1)
        self._cells, self._state_is_tuple = cells, state_is_tuple
        if not state_is_tuple and any(nest.is_sequence(c.state_size) for c in cells):
            raise ValueError("Some cells return tuples of states, but the flag state_is_tuple is not set.  State sizes "
                             "are: %s" % str([c.state_size for c in cells]))

    @property
    def state_size(self):
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    output_size = property(lambda self: self._cells[-1].output_size)

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return super().zero_state(batch_size, dtype)

    @property
    def trainable_weights(self):
        return [w for cell in self._cells if isinstance(cell, Layer) for w in cell.trainable_weights] \
            if self.trainable else []

    @property
    def non_trainable_weights(self):
        return [w for cell in self._cells if isinstance(cell, Layer) for w in cell.non_trainable_weights]

    def call(self, inputs, state):
        position, value, states = 0, inputs, []
        for i, cell in enumerate(self._cells):
            with scope_lib.variable_scope("cell_%d" % i):
                if self._state_is_tuple:
                    if not nest.is_sequence(state):
                        raise ValueError("Expected state to be a tuple of length %d, but received: %s" %
                                         (len(self.state_size), state))
                    current = state[i]
                else:
                    current = array_ops.slice(state, [0, position], [-1, cell.state_size])
                    position += cell.state_size
                value, new_state = cell(value, current)
                states.append(new_state)
        return value, tuple(states) if self._state_is_tuple else array_ops.concat(states, 1)
