# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Cells around cells: dropout, residuals, devices, attention, projections."""

import hashlib

from .. import dtypes, nest, nn
from ..framework import graph as graph_lib, op_defs, ops
from ..framework import compile_scopes, tensor_shape, tf_logging as logging
from ..framework.graph import Tensor, name_scope
from ..operators import array_ops, math_ops
from ..operators import random_ops
from ..state import initializers
from ..state import scope as scope_lib
from .rnn_cells import LSTMStateTuple, RNNCell, assert_like_rnncell


class _Wrapper(RNNCell):
    def __init__(self, cell, **keywords):
        super().__init__(**keywords)
        assert_like_rnncell("cell", cell)
        self.cell = cell

    wrapped_cell = property(lambda self: self.cell)
    state_size = property(lambda self: self.cell.state_size)
    output_size = property(lambda self: self.cell.output_size)

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self.cell.zero_state(batch_size, dtype)

    def __call__(self, inputs, state, scope=None):
        return self._step(inputs, state, scope)

    def get_config(self):
        cell = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return dict(super().get_config(), cell=cell)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        if isinstance(config["cell"], dict):
            raise ValueError("RNNCellWrapper cannot reconstruct the wrapped cell. Please overwrite the cell in the config "
                             "with a RNNCell instance.")
        return cls(**config)


def _keep_all_but_memory(substate):
    return LSTMStateTuple(c=False, h=True) if isinstance(substate, LSTMStateTuple) else True


def _shallow(visit, state):
    """Where the filter says yes or no, down to where it stops asking."""
    answer = visit(state)
    if not isinstance(answer, bool) or not nest.is_sequence(state):
        return answer
    if not answer:
        return False
    return type(state)(*[_shallow(visit, s) for s in state]) if hasattr(state, "_fields") \
        else type(state)(_shallow(visit, s) for s in state)


class DropoutWrapper(_Wrapper):
    def __init__(self, cell, input_keep_prob=1.0, output_keep_prob=1.0, state_keep_prob=1.0, variational_recurrent=False,
                 input_size=None, dtype=None, seed=None, dropout_state_filter_visitor=None, **keywords):
        super().__init__(cell, dtype=dtype, **keywords)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._filter = dropout_state_filter_visitor or _keep_all_but_memory
        with name_scope("DropoutWrapperInit"):
            self._input_keep = self._probability(input_keep_prob, "input_keep_prob")
            self._state_keep = self._probability(state_keep_prob, "state_keep_prob")
            self._output_keep = self._probability(output_keep_prob, "output_keep_prob")
        self._variational, self._seed = variational_recurrent, seed
        self._input_noise = self._state_noise = self._output_noise = None
        if variational_recurrent:
            self._make_noise(cell, input_size, dtype)

    @staticmethod
    def _probability(value, name):
        tensor = ops.convert_to_tensor(value)
        known = ops.constant_value(tensor)
        if known is None:
            return tensor
        if known < 0 or known > 1:
            raise ValueError("Parameter %s must be between 0 and 1: %d" % (name, known))
        return float(known)

    def _make_noise(self, cell, input_size, dtype):
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")

        def noise(salt, sizes):
            def one(i, size):
                dims = tensor_shape.TensorShape([size] if isinstance(size, int) else size).as_list()
                return random_ops.random_uniform(array_ops.concat(([1], dims), 0), seed=self._gen_seed(salt, i),
                                                 dtype=dtype)
            flat = nest.flatten(sizes)
            return nest.pack_sequence_as(sizes, [one(i, s) for i, s in enumerate(flat)])
        if isinstance(self._input_keep, Tensor) or self._input_keep < 1.0:
            if input_size is None:
                raise ValueError("When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size "
                                 "must be provided")
            self._input_noise = noise("input", input_size)
        self._state_noise = noise("state", cell.state_size)
        self._output_noise = noise("output", cell.output_size)

    def _gen_seed(self, salt, index):
        if self._seed is None:
            return None
        text = "%s%s_%d" % (self._seed, salt, index)
        return int(hashlib.md5(text.encode("utf-8")).hexdigest()[:8], 16) & 0x7FFFFFFF

    def _drop(self, values, salt, noise, keep, chosen=None):
        if chosen is None:
            flags = [True] * len(nest.flatten(values))
            parts = nest.flatten(values)
        else:
            flags = nest.flatten(chosen)
            parts = nest.flatten_up_to(chosen, values)
        noises = [None] * len(parts) if noise is None else \
            nest.flatten(noise) if chosen is None else nest.flatten_up_to(chosen, noise)
        made = []
        for i, (do, value, n) in enumerate(zip(flags, parts, noises)):
            if isinstance(do, bool) and not do:
                made.append(value)
            elif self._variational:
                mask = math_ops.floor(keep + n)
                kept = math_ops.div(value, keep) * mask
                kept.set_shape(value.shape)
                made.append(kept)
            else:
                made.append(nn.dropout(value, rate=1.0 - keep, seed=self._gen_seed(salt, i)))
        return nest.pack_sequence_as(values if chosen is None else chosen, made)

    def _step(self, inputs, state, scope):
        def wanted(keep):
            return not isinstance(keep, float) or keep < 1
        if wanted(self._input_keep):
            inputs = self._drop(inputs, "input", self._input_noise, self._input_keep)
        output, new_state = self.cell(inputs, state, scope=scope)
        if wanted(self._state_keep):
            new_state = self._drop(new_state, "state", self._state_noise, self._state_keep,
                                   _shallow(self._filter, new_state))
        if wanted(self._output_keep):
            output = self._drop(output, "output", self._output_noise, self._output_keep)
        return output, new_state


class ResidualWrapper(_Wrapper):
    def __init__(self, cell, residual_fn=None, **keywords):
        super().__init__(cell, **keywords)
        self._residual_fn = residual_fn

    @staticmethod
    def _add(inputs, outputs):
        nest.assert_same_structure(inputs, outputs)
        nest.map_structure(lambda i, o: i.shape.assert_is_compatible_with(o.shape), inputs, outputs)
        return nest.map_structure(lambda i, o: i + o, inputs, outputs)

    def _step(self, inputs, state, scope):
        outputs, new_state = self.cell(inputs, state, scope=scope)
        return (self._residual_fn or self._add)(inputs, outputs), new_state


class DeviceWrapper(_Wrapper):
    def __init__(self, cell, device, **keywords):
        super().__init__(cell, **keywords)
        self._device = device

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]), graph_lib.device(self._device):
            return self.cell.zero_state(batch_size, dtype)

    def _step(self, inputs, state, scope):
        with graph_lib.device(self._device):
            return self.cell(inputs, state, scope=scope)


class CompiledWrapper(RNNCell):
    """A cell whose ops are marked for compilation, those with a state only where that is said."""

    def __init__(self, cell, compile_stateful=False):
        self._cell, self._compile_stateful = cell, compile_stateful

    @property
    def state_size(self):
        return self._cell.state_size

    @property
    def output_size(self):
        return self._cell.output_size

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)

    def __call__(self, inputs, state, scope=None):
        def has_no_state(node_def):
            return not op_defs.op_def(node_def.op).is_stateful
        with compile_scopes.jit_scope(compile_ops=True if self._compile_stateful else has_no_state):
            return self._cell(inputs, state, scope=scope)


class _Linear:
    """Several inputs times one matrix, and a bias."""

    def __init__(self, args, output_size, build_bias, bias_initializer=None, kernel_initializer=None):
        if args is None or nest.is_sequence(args) and not args:
            raise ValueError("`args` must be specified")
        self._many = nest.is_sequence(args)
        args = args if self._many else [args]
        shapes = [a.shape for a in args]
        total = 0
        for shape in shapes:
            if shape.ndims != 2:
                raise ValueError("linear is expecting 2D arguments: %s" % shapes)
            if shape.dims[1].value is None:
                raise ValueError("linear expects shape[1] to be provided for shape %s, but saw %s" % (shape, shape[1]))
            total += shape.dims[1].value
        dtype, self._biases = args[0].dtype, None
        with scope_lib.variable_scope(scope_lib.get_variable_scope()) as outer:
            self._weights = scope_lib.get_variable("kernel", [total, output_size], dtype=dtype,
                                                   initializer=kernel_initializer)
            if build_bias:
                with scope_lib.variable_scope(outer) as inner:
                    inner.set_partitioner(None)
                    if bias_initializer is None:
                        bias_initializer = initializers.Constant(0.0, dtype=dtype)
                    self._biases = scope_lib.get_variable("bias", [output_size], dtype=dtype,
                                                          initializer=bias_initializer)

    def __call__(self, args):
        args = args if self._many else [args]
        if len(args) == 1:
            result = math_ops.matmul(args[0], self._weights)
        else:
            result = math_ops.matmul(array_ops.concat(args, ops.constant(1, dtype=dtypes.int32)), self._weights)
        return nn.bias_add(result, self._biases) if self._biases is not None else result


def linear(args, output_size, bias, bias_initializer=None, kernel_initializer=None):
    """Several inputs times one matrix, and a bias: variables of the scope that is open."""
    with scope_lib.variable_scope(scope_lib.get_variable_scope()):
        return _Linear(args, output_size, bias, bias_initializer, kernel_initializer)(args)


class _Around(RNNCell):
    """A cell whose step is a step of another and something more."""

    def __init__(self, cell, reuse=None):
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        self._cell, self._linear = cell, None

    state_size = property(lambda self: self._cell.state_size)
    output_size = property(lambda self: self._cell.output_size)

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)


class InputProjectionWrapper(_Around):
    def __init__(self, cell, num_proj, activation=None, input_size=None, reuse=None):
        super().__init__(cell, reuse)
        self._num_proj, self._activation = num_proj, activation

    def call(self, inputs, state):
        if self._linear is None:
            self._linear = _Linear(inputs, self._num_proj, True)
        projected = self._linear(inputs)
        return self._cell(self._activation(projected) if self._activation else projected, state)


class OutputProjectionWrapper(_Around):
    def __init__(self, cell, output_size, activation=None, reuse=None):
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError("Parameter output_size must be > 0: %d." % output_size)
        self._output_size, self._activation = output_size, activation

    output_size = property(lambda self: self._output_size)

    def call(self, inputs, state):
        output, result = self._cell(inputs, state)
        if self._linear is None:
            self._linear = _Linear(output, self._output_size, True)
        projected = self._linear(output)
        return (self._activation(projected) if self._activation else projected), result


class EmbeddingWrapper(_Around):
    def __init__(self, cell, embedding_classes, embedding_size, initializer=None, reuse=None):
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError("Both embedding_classes and embedding_size must be > 0: %d, %d." %
                             (embedding_classes, embedding_size))
        self._classes, self._size, self._initializer = embedding_classes, embedding_size, initializer

    def call(self, inputs, state):
        with graph_lib.device("/cpu:0"):
            initializer = self._initializer or scope_lib.get_variable_scope().initializer or \
                initializers.RandomUniform(-(3 ** 0.5), 3 ** 0.5)
            kind = state[0].dtype if isinstance(state, tuple) else state.dtype
            table = scope_lib.get_variable("embedding", [self._classes, self._size], initializer=initializer, dtype=kind)
            embedded = nn.embedding_lookup(table, array_ops.reshape(inputs, [-1]))
            return self._cell(embedded, state)


class AttentionCellWrapper(RNNCell):
    """tf.contrib.rnn.AttentionCellWrapper: attends to its own last outputs."""

    def __init__(self, cell, attn_length, attn_size=None, attn_vec_size=None, input_size=None, state_is_tuple=True,
                 reuse=None):
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if nest.is_sequence(cell.state_size) and not state_is_tuple:
            raise ValueError("Cell returns tuple of states, but the flag state_is_tuple is not set. State size is: %s" %
                             str(cell.state_size))
        if attn_length <= 0:
            raise ValueError("attn_length should be greater than zero, got %s" % str(attn_length))
        if not state_is_tuple:
            logging.warn("%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.",
                         self)
        self._cell, self._length, self._state_is_tuple, self._input_size = cell, attn_length, state_is_tuple, input_size
        self._size = cell.output_size if attn_size is None else attn_size
        self._vec_size = self._size if attn_vec_size is None else attn_vec_size
        self._linear1 = self._linear2 = self._linear3 = None

    @property
    def state_size(self):
        size = (self._cell.state_size, self._size, self._size * self._length)
        return size if self._state_is_tuple else sum(size)

    output_size = property(lambda self: self._size)

    def call(self, inputs, state):
        if self._state_is_tuple:
            state, attns, attn_states = state
        else:
            states, n = state, self._cell.state_size
            state = array_ops.slice(states, [0, 0], [-1, n])
            attns = array_ops.slice(states, [0, n], [-1, self._size])
            attn_states = array_ops.slice(states, [0, n + self._size], [-1, self._size * self._length])
        attn_states = array_ops.reshape(attn_states, [-1, self._length, self._size])
        input_size = inputs.shape.as_list()[1] if self._input_size is None else self._input_size
        if self._linear1 is None:
            self._linear1 = _Linear([inputs, attns], input_size, True)
        inputs = self._linear1([inputs, attns])
        cell_output, new_state = self._cell(inputs, state)
        joined = array_ops.concat(nest.flatten(new_state), 1) if self._state_is_tuple else new_state
        new_attns, new_attn_states = self._attention(joined, attn_states)
        with scope_lib.variable_scope("attn_output_projection"):
            if self._linear2 is None:
                self._linear2 = _Linear([cell_output, new_attns], self._size, True)
            output = self._linear2([cell_output, new_attns])
        new_attn_states = array_ops.concat([new_attn_states, array_ops.expand_dims(output, 1)], 1)
        new_attn_states = array_ops.reshape(new_attn_states, [-1, self._length * self._size])
        new_state = (new_state, new_attns, new_attn_states)
        return output, new_state if self._state_is_tuple else array_ops.concat(list(new_state), 1)

    def _attention(self, query, attn_states):
        with scope_lib.variable_scope("attention"):
            k = scope_lib.get_variable("attn_w", [1, 1, self._size, self._vec_size])
            v = scope_lib.get_variable("attn_v", [self._vec_size])
            hidden = array_ops.reshape(attn_states, [-1, self._length, 1, self._size])
            features = nn.conv2d(hidden, k, [1, 1, 1, 1], "SAME")
            if self._linear3 is None:
                self._linear3 = _Linear(query, self._vec_size, True)
            y = self._linear3(query)
            y = array_ops.reshape(y, [-1, 1, 1, self._vec_size])
            s = math_ops.reduce_sum(v * math_ops.tanh(features + y), [2, 3])
            a = nn.softmax(s)
            d = math_ops.reduce_sum(array_ops.reshape(a, [-1, self._length, 1, 1]) * hidden, [1, 2])
            new_attns = array_ops.reshape(d, [-1, self._size])
            return new_attns, array_ops.slice(attn_states, [0, 1, 0], [-1, -1, -1])


class LayerNormBasicLSTMCell(RNNCell):
    """tf.contrib.rnn.LayerNormBasicLSTMCell."""

    def __init__(self, num_units, forget_bias=1.0, input_size=None, activation=math_ops.tanh, layer_norm=True,
                 norm_gain=1.0, norm_shift=0.0, dropout_keep_prob=1.0, dropout_prob_seed=None, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._activation, self._forget_bias = num_units, activation, forget_bias
        self._keep_prob, self._seed, self._layer_norm = dropout_keep_prob, dropout_prob_seed, layer_norm
        self._gain, self._shift = norm_gain, norm_shift

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def _norm(self, value, scope, dtype):
        from ..contrib import normalization
        shape = value.shape[-1:]
        with scope_lib.variable_scope(scope):
            scope_lib.get_variable("gamma", shape=shape, initializer=initializers.Constant(self._gain), dtype=dtype)
            scope_lib.get_variable("beta", shape=shape, initializer=initializers.Constant(self._shift), dtype=dtype)
        return normalization.layer_norm(value, reuse=True, scope=scope)

    def call(self, inputs, state):
        c, h = state
        args = array_ops.concat([inputs, h], 1)
        size, dtype = 4 * self._num_units, args.dtype
        weights = scope_lib.get_variable("kernel", [args.shape[-1], size], dtype=dtype)
        gates = math_ops.matmul(args, weights)
        if not self._layer_norm:
            gates = nn.bias_add(gates, scope_lib.get_variable("bias", [size], dtype=dtype))
        i, j, f, o = array_ops.split(value=gates, num_or_size_splits=4, axis=1)
        if self._layer_norm:
            i, j = self._norm(i, "input", dtype), self._norm(j, "transform", dtype)
            f, o = self._norm(f, "forget", dtype), self._norm(o, "output", dtype)
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = nn.dropout(g, self._keep_prob, seed=self._seed)
        new_c = c * math_ops.sigmoid(f + self._forget_bias) + math_ops.sigmoid(i) * g
        if self._layer_norm:
            new_c = self._norm(new_c, "state", dtype)
        new_h = self._activation(new_c) * math_ops.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)
