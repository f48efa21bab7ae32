# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Cells of tf.contrib.rnn: coupled gates, highways, NAS, phases, groups, convolutions, and rows that stay by themselves."""

from .. import dtypes, nest, nn
from ..framework import ops, tensor_shape
from ..framework.graph import GraphKeys, add_to_collection, get_collection, name_scope
from ..learning.layers_base import InputSpec
from ..learning.rnn_cells import LayerRNNCell, LSTMStateTuple, RNNCell, _warn_of_concatenated_state
from ..learning.rnn_wrappers import _Linear
from ..operators import array_ops, math_ops, nn_conv, random_ops
from ..state import initializers, scope as scope_lib

get_variable = scope_lib.get_variable


def width_of(inputs):
    """The static width of a matrix of inputs."""
    width = inputs.shape.with_rank(2).dims[1]
    if width.value is None:
        raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
    return width.value


def sharded_variable(name, shape, dtype, num_shards):
    """A variable in so many parts by rows, and the parts as one tensor."""
    if num_shards > shape[0]:
        raise ValueError("Too many shards: shape=%s, num_shards=%d" % (shape, num_shards))
    rows, more = divmod(shape[0], num_shards)
    shards = [get_variable("%s_%d" % (name, i), [rows + (i < more)] + shape[1:], dtype=dtype) for i in range(num_shards)]
    if len(shards) == 1:
        return shards[0]
    joined = name + "/concat"
    full = scope_lib.get_variable_scope().name + "/" + joined + ":0"
    for value in get_collection(GraphKeys.CONCATENATED_VARIABLES):
        if value.name == full:
            return value
    made = array_ops.concat(shards, 0, name=joined)
    add_to_collection(GraphKeys.CONCATENATED_VARIABLES, made)
    return made


def _clipped(value, limit):
    return value if limit is None else math_ops.clip_by_value(value, -limit, limit)


class CoupledInputForgetGateLSTMCell(RNNCell):
    def __init__(self, num_units, use_peepholes=False, initializer=None, num_proj=None, proj_clip=None, num_unit_shards=1,
                 num_proj_shards=1, forget_bias=1.0, state_is_tuple=True, activation=math_ops.tanh, reuse=None,
                 layer_norm=False, norm_gain=1.0, norm_shift=0.0):
        super().__init__(_reuse=reuse)
        _warn_of_concatenated_state(self, state_is_tuple)
        self._num_units, self._use_peepholes, self._num_proj, self._proj_clip = num_units, use_peepholes, num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple, self._activation = forget_bias, state_is_tuple, activation
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift

    output_size = property(lambda self: self._num_proj or self._num_units)

    @property
    def state_size(self):
        sizes = self._num_units, self.output_size
        return LSTMStateTuple(*sizes) if self._state_is_tuple else sum(sizes)

    def _norm(self, value, scope):
        from . import normalization
        with scope_lib.variable_scope(scope):
            get_variable("gamma", shape=value.shape[-1:], initializer=initializers.Constant(self._norm_gain))
            get_variable("beta", shape=value.shape[-1:], initializer=initializers.Constant(self._norm_shift))
        return normalization.layer_norm(value, reuse=True, scope=scope)

    def call(self, inputs, state):
        sigmoid, units = math_ops.sigmoid, self._num_units
        h_size = units if self._num_proj is None else self._num_proj
        if self._state_is_tuple:
            c_prev, h_prev = state
        else:
            c_prev = array_ops.slice(state, [0, 0], [-1, units])
            h_prev = array_ops.slice(state, [0, units], [-1, h_size])
        dtype = inputs.dtype
        kernel = sharded_variable("W", [width_of(inputs) + h_size, 3 * units], dtype, self._num_unit_shards)
        bias = get_variable("B", shape=[3 * units], initializer=initializers.Zeros(), dtype=dtype)
        gates = math_ops.matmul(array_ops.concat([inputs, h_prev], 1), kernel)
        if not self._layer_norm:
            gates = nn.bias_add(gates, bias)
        j, f, o = array_ops.split(value=gates, num_or_size_splits=3, axis=1)
        if self._layer_norm:
            j, f, o = self._norm(j, "transform"), self._norm(f, "forget"), self._norm(o, "output")
        if self._use_peepholes:
            to_f = get_variable("W_F_diag", shape=[units], dtype=dtype)
            to_o = get_variable("W_O_diag", shape=[units], dtype=dtype)
            kept = sigmoid(f + self._forget_bias + to_f * c_prev)
        else:
            kept = sigmoid(f + self._forget_bias)
        c = kept * c_prev + (1 - kept) * self._activation(j)
        if self._layer_norm:
            c = self._norm(c, "state")
        h = sigmoid(o + to_o * c if self._use_peepholes else o) * self._activation(c)
        if self._num_proj is not None:
            h = math_ops.matmul(h, sharded_variable("W_P", [units, self._num_proj], dtype, self._num_proj_shards))
            h = _clipped(h, self._proj_clip)
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else array_ops.concat([c, h], 1)


class HighwayWrapper(RNNCell):
    def __init__(self, cell, couple_carry_transform_gates=True, carry_bias_init=1.0):
        super().__init__()
        self._cell, self._coupled, self._carry_bias_init = cell, couple_carry_transform_gates, carry_bias_init

    state_size = property(lambda self: self._cell.state_size)
    output_size = property(lambda self: self._cell.output_size)

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)

    def _highway(self, inp, out):
        size = inp.shape.with_rank(2).dims[1].value

        def gate(name, bias):
            weight = get_variable(name + "_w", [size, size])
            return math_ops.sigmoid(nn.xw_plus_b(inp, weight, get_variable(name + "_b", [size],
                                                                           initializer=initializers.Constant(bias))))
        carry = gate("carry", self._carry_bias_init)
        transform = 1 - carry if self._coupled else gate("transform", -self._carry_bias_init)
        return inp * carry + out * transform

    def __call__(self, inputs, state, scope=None):
        outputs, new_state = self._cell(inputs, state, scope=scope)
        nest.assert_same_structure(inputs, outputs)
        nest.map_structure(lambda i, o: i.shape.assert_is_compatible_with(o.shape), inputs, outputs)
        return nest.map_structure(self._highway, inputs, outputs), new_state


class NASCell(LayerRNNCell):
    _PARTS = 8

    def __init__(self, num_units, num_proj=None, use_bias=False, reuse=None, **kwargs):
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units, self._num_proj, self._use_bias = num_units, num_proj, use_bias

    output_size = property(lambda self: self._num_units if self._num_proj is None else self._num_proj)
    state_size = property(lambda self: LSTMStateTuple(self._num_units, self.output_size))

    def build(self, inputs_shape):
        width = tensor_shape.dimension_value(tensor_shape.TensorShape(inputs_shape).with_rank(2)[1])
        if width is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        size = self._PARTS * self._num_units
        self.recurrent_kernel = self.add_variable("recurrent_kernel", [self.output_size, size])
        self.kernel = self.add_variable("kernel", [width, size])
        if self._use_bias:
            self.bias = self.add_variable("bias", shape=[size], initializer=initializers.Zeros)
        if self._num_proj is not None:
            self.projection_weights = self.add_variable("projection_weights", [self._num_units, self._num_proj])

    def call(self, inputs, state):
        sigmoid, tanh, relu = math_ops.sigmoid, math_ops.tanh, nn.relu
        c_prev, h_prev = state
        h = math_ops.matmul(h_prev, self.recurrent_kernel)
        x = math_ops.matmul(inputs, self.kernel)
        if self._use_bias:
            h = nn.bias_add(h, self.bias)
        h = array_ops.split(axis=1, num_or_size_splits=self._PARTS, value=h)
        x = array_ops.split(axis=1, num_or_size_splits=self._PARTS, value=x)
        first = [function(a * b if i == 3 else a + b) for i, (function, a, b) in enumerate(zip(
            (sigmoid, relu, sigmoid, relu, tanh, sigmoid, tanh, sigmoid), x, h))]
        a = tanh(first[0] * first[1])
        b = tanh(first[2] + first[3])
        c = tanh(first[4] * first[5])
        d = sigmoid(first[6] + first[7])
        new_c = tanh(a + c_prev) * b
        new_h = tanh(new_c * tanh(c + d))
        if self._num_proj is not None:
            new_h = math_ops.matmul(new_h, self.projection_weights)
        return new_h, LSTMStateTuple(new_c, new_h)


class _OneStateCell(RNNCell):
    def __init__(self, num_units, initializer, forget_bias, reuse):
        super().__init__(_reuse=reuse)
        self._num_units, self._initializer, self._forget_bias = num_units, initializer, forget_bias
        self._linear = self._projection = None

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def _with_initializer(self, inputs):
        width = width_of(inputs)
        return width, scope_lib.variable_scope(scope_lib.get_variable_scope(), initializer=self._initializer)

    def _multiplied(self, value, size):
        if self._linear is None:
            self._linear = _Linear(value, size, True)
        return self._linear(value)


class UGRNNCell(_OneStateCell):
    def __init__(self, num_units, initializer=None, forget_bias=1.0, activation=math_ops.tanh, reuse=None):
        super().__init__(num_units, initializer, forget_bias, reuse)
        self._activation = activation

    def call(self, inputs, state):
        with self._with_initializer(inputs)[1]:
            made = self._multiplied(array_ops.concat([inputs, state], 1), 2 * self._num_units)
            g, c = array_ops.split(axis=1, num_or_size_splits=2, value=made)
            c = self._activation(c)
            g = math_ops.sigmoid(g + self._forget_bias)
            new = g * state + (1.0 - g) * c
        return new, new


class IntersectionRNNCell(_OneStateCell):
    def __init__(self, num_units, num_in_proj=None, initializer=None, forget_bias=1.0, y_activation=nn.relu, reuse=None):
        super().__init__(num_units, initializer, forget_bias, reuse)
        self._num_input_proj, self._y_activation = num_in_proj, y_activation

    def _projected(self, inputs):
        if not self._num_input_proj:
            raise ValueError("Must have input size == output size for Intersection RNN. To fix, num_in_proj should be set to "
                             "num_units at cell init.")
        with scope_lib.variable_scope("in_projection"):
            if self._projection is None:
                self._projection = _Linear(inputs, self._num_units, True)
            return self._projection(inputs)

    def call(self, inputs, state):
        n = self._num_units
        width, scope = self._with_initializer(inputs)
        with scope:
            if width != n:
                inputs = self._projected(inputs)
            made = self._multiplied(array_ops.concat([inputs, state], 1), 4 * n)
            gh, h, gy, y = (made[:, :n], made[:, n:2 * n], made[:, 2 * n:3 * n], made[:, 3 * n:4 * n])
            h, y = math_ops.tanh(h), self._y_activation(y)
            gh = math_ops.sigmoid(gh + self._forget_bias)
            gy = math_ops.sigmoid(gy + self._forget_bias)
            new_state = gh * state + (1.0 - gh) * h
            new_y = gy * inputs + (1.0 - gy) * y
        return new_y, new_state


class PhasedLSTMCell(RNNCell):
    def __init__(self, num_units, use_peepholes=False, leak=0.001, ratio_on=0.1, trainable_ratio_on=True, period_init_min=1.0,
                 period_init_max=1000.0, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._leak, self._ratio_on = num_units, use_peepholes, leak, ratio_on
        self._trainable_ratio_on = trainable_ratio_on
        self._period_init_min, self._period_init_max = period_init_min, period_init_max
        self._linears = {}

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def _multiplied(self, scope, values, size, activation):
        with scope_lib.variable_scope(scope):
            if scope not in self._linears:
                self._linears[scope] = _Linear(values, size, True)
            made = activation(self._linears[scope](values))
            return array_ops.split(axis=1, num_or_size_splits=2, value=made) if scope == "mask_gates" else made

    def _random_period(self, shape, dtype=dtypes.float32, partition_info=None):
        low = math_ops.log(self._period_init_min)
        return math_ops.exp(random_ops.random_uniform(shape, low, math_ops.log(self._period_init_max), dtype, seed=None))

    def _cycle_ratio(self, time, phase, period):
        phase = math_ops.cast(phase, dtype=time.dtype)
        period = math_ops.cast(period, dtype=time.dtype)
        shifted = time - phase
        # TF: the remainder has the gradient of what is divided.
        rest = array_ops.stop_gradient(math_ops.mod(shifted, period) - shifted) + shifted
        return math_ops.cast(rest / period, dtype=dtypes.float32)

    def call(self, inputs, state):
        c_prev, h_prev = state
        time, x = inputs
        more = [c_prev] if self._use_peepholes else []
        input_gate, forget_gate = self._multiplied("mask_gates", [x, h_prev] + more, 2 * self._num_units, math_ops.sigmoid)
        new_input = self._multiplied("new_input", [x, h_prev], self._num_units, math_ops.tanh)
        new_c = c_prev * forget_gate + input_gate * new_input
        more = [new_c] if self._use_peepholes else []
        output_gate = self._multiplied("output_gate", [x, h_prev] + more, self._num_units, math_ops.sigmoid)
        new_h = math_ops.tanh(new_c) * output_gate
        period = get_variable("period", [self._num_units], initializer=self._random_period)
        phase = get_variable("phase", [self._num_units], initializer=initializers.RandomUniform(0., period.initial_value))
        ratio_on = get_variable("ratio_on", [self._num_units], initializer=initializers.Constant(self._ratio_on),
                                trainable=self._trainable_ratio_on)
        ratio = self._cycle_ratio(time, phase, period)
        up = 2 * ratio / ratio_on
        down = 2 - up
        closed = self._leak * ratio
        k = array_ops.where(ratio < ratio_on, down, closed)
        k = array_ops.where(ratio < 0.5 * ratio_on, up, k)
        new_c = k * new_c + (1 - k) * c_prev
        new_h = k * new_h + (1 - k) * h_prev
        return new_h, LSTMStateTuple(new_c, new_h)


class ConvLSTMCell(RNNCell):
    def __init__(self, conv_ndims, input_shape, output_channels, kernel_shape, use_bias=True, skip_connection=False,
                 forget_bias=1.0, initializers=None, name="conv_lstm_cell"):
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError("Invalid input_shape %s for conv_ndims=%s." % (input_shape, conv_ndims))
        self._conv_ndims, self._output_channels, self._kernel_shape = conv_ndims, output_channels, list(kernel_shape)
        self._use_bias, self._forget_bias, self._skip_connection = use_bias, forget_bias, skip_connection
        place = list(input_shape[:-1])
        state = tensor_shape.TensorShape(place + [output_channels])
        self._state_size = LSTMStateTuple(state, state)
        self._output_size = tensor_shape.TensorShape(place + [output_channels + (input_shape[-1] if skip_connection else 0)])

    output_size = property(lambda self: self._output_size)
    state_size = property(lambda self: self._state_size)

    def call(self, inputs, state, scope=None):
        cell, hidden = state
        gates = _convolved([inputs, hidden], self._kernel_shape, 4 * self._output_channels, self._use_bias)
        i, new, f, o = array_ops.split(value=gates, num_or_size_splits=4, axis=self._conv_ndims + 1)
        new_cell = math_ops.sigmoid(f + self._forget_bias) * cell
        new_cell += math_ops.sigmoid(i) * math_ops.tanh(new)
        output = math_ops.tanh(new_cell) * math_ops.sigmoid(o)
        if self._skip_connection:
            output = array_ops.concat([output, inputs], axis=-1)
        return output, LSTMStateTuple(new_cell, output)


class Conv1DLSTMCell(ConvLSTMCell):
    def __init__(self, name="conv_1d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    def __init__(self, name="conv_2d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    def __init__(self, name="conv_3d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=3, name=name, **kwargs)


def _convolved(args, filter_size, num_features, bias):
    shapes = [a.shape.as_list() for a in args]
    for shape in shapes:
        if len(shape) not in (3, 4, 5):
            raise ValueError("Conv Linear expects 3D, 4D or 5D arguments: %s" % shapes)
        if len(shape) != len(shapes[0]):
            raise ValueError("Conv Linear expects all args to be of same Dimension: %s" % shapes)
    rank, dtype = len(shapes[0]), args[0].dtype
    function = {3: nn_conv.conv1d, 4: nn_conv.conv2d, 5: nn_conv.conv3d}[rank]
    kernel = get_variable("kernel", filter_size + [sum(shape[-1] for shape in shapes), num_features], dtype=dtype)
    joined = args[0] if len(args) == 1 else array_ops.concat(axis=rank - 1, values=args)
    made = function(joined, kernel, 1 if rank == 3 else rank * [1], padding="SAME")
    if not bias:
        return made
    return made + get_variable("biases", [num_features], dtype=dtype, initializer=initializers.Constant(0.0, dtype=dtype))


class GLSTMCell(RNNCell):
    def __init__(self, num_units, initializer=None, num_proj=None, number_of_groups=1, forget_bias=1.0,
                 activation=math_ops.tanh, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._initializer, self._num_proj = num_units, initializer, num_proj
        self._forget_bias, self._activation, self._groups = forget_bias, activation, number_of_groups
        for size, what in ((num_units, "num_units"), (num_proj or 0, "num_proj")):
            if size % number_of_groups != 0:
                raise ValueError("%s must be divisible by number_of_groups" % what)
        self._linears = {}

    output_size = property(lambda self: self._num_proj or self._num_units)
    state_size = property(lambda self: LSTMStateTuple(self._num_units, self.output_size))

    def _part(self, value, group, size, batch):
        return array_ops.slice(input_=value, begin=[0, group * size], size=[batch, size],
                               name="GLSTM_group%d_input_generation" % group)

    def _multiplied(self, key, value, size):
        if key not in self._linears:
            self._linears[key] = _Linear(value, size, False)
        return self._linears[key](value)

    def call(self, inputs, state):
        c_prev, h_prev = state
        batch = tensor_shape.dimension_value(inputs.shape[0]) or array_ops.shape(inputs)[0]
        width = tensor_shape.dimension_value(inputs.shape[1])
        if width is None:
            raise ValueError("input size must be statically known")
        if width % self._groups != 0:
            raise ValueError("input size (%d) must be divisible by number_of_groups (%d)" % (width, self._groups))
        dtype, parts = inputs.dtype, []
        with scope_lib.variable_scope(scope_lib.get_variable_scope(), initializer=self._initializer):
            for group in range(self._groups):
                with scope_lib.variable_scope("group%d" % group):
                    x = array_ops.concat([self._part(inputs, group, width // self._groups, batch),
                                          self._part(h_prev, group, self.output_size // self._groups, batch)], axis=1)
                    made = self._multiplied(group, x, 4 * self._num_units // self._groups)
                    parts.append(array_ops.split(made, 4, 1))
            biases = [get_variable(name="bias_" + key, shape=[self._num_units], dtype=dtype,
                                   initializer=initializers.Constant(0.0, dtype=dtype)) for key in "ijfo"]
            i, j, f, o = (nn.bias_add(array_ops.concat(list(group), axis=1), bias) for group, bias in zip(zip(*parts), biases))
        c = math_ops.sigmoid(f + self._forget_bias) * c_prev + math_ops.sigmoid(i) * math_ops.tanh(j)
        h = math_ops.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            with scope_lib.variable_scope("projection"):
                h = self._multiplied("projection", h, self._num_proj)
        return h, LSTMStateTuple(c, h)


# -- cells whose rows stay by themselves

class _RowCell(LayerRNNCell):
    def __init__(self, num_units, activation, reuse, name, dtype=None, **keywords):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **keywords)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._activation = num_units, activation or math_ops.tanh

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    @staticmethod
    def _width(inputs_shape):
        width = tensor_shape.dimension_value(inputs_shape[1])
        if width is None:
            raise ValueError("Expected inputs.shape[-1] to be known, saw shape: %s" % inputs_shape)
        return width

    def _rows(self, name, size):
        return self.add_variable(name, shape=[1, size], initializer=initializers.RandomUniform(
            minval=-1, maxval=1, dtype=self.dtype))


class SRUCell(_RowCell):
    def __init__(self, num_units, activation=None, reuse=None, name=None, **kwargs):
        super().__init__(num_units, activation, reuse, name, **kwargs)

    def build(self, inputs_shape):
        self._kernel = self.add_variable("kernel", shape=[self._width(inputs_shape), 4 * self._num_units])
        self._bias = self.add_variable("bias", shape=[2 * self._num_units], initializer=initializers.Zeros)

    def call(self, inputs, state):
        made = math_ops.matmul(inputs, self._kernel)
        x, f, r, through = array_ops.split(value=made, num_or_size_splits=4, axis=1)
        gates = math_ops.sigmoid(nn.bias_add(array_ops.concat([f, r], 1), self._bias))
        f, r = array_ops.split(value=gates, num_or_size_splits=2, axis=1)
        c = f * state + (1.0 - f) * x
        return r * self._activation(c) + (1.0 - r) * through, c


class IndRNNCell(_RowCell):
    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None):
        super().__init__(num_units, activation, reuse, name, dtype)

    def build(self, inputs_shape):
        self._kernel_w = self.add_variable("kernel_w", shape=[self._width(inputs_shape), self._num_units])
        self._kernel_u = self._rows("kernel_u", self._num_units)
        self._bias = self.add_variable("bias", shape=[self._num_units], initializer=initializers.Zeros(dtype=self.dtype))

    def call(self, inputs, state):
        made = math_ops.matmul(inputs, self._kernel_w) + state * self._kernel_u
        output = self._activation(nn.bias_add(made, self._bias))
        return output, output


class _IndyCell(_RowCell):
    def __init__(self, num_units, activation, reuse, kernel_initializer, bias_initializer, name, dtype):
        super().__init__(num_units, activation, reuse, name, dtype)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    def _add_kernel(self, name, width, size):
        return self.add_variable(name, shape=[width, size], initializer=self._kernel_initializer)

    def _add_bias(self, name, size, default):
        return self.add_variable(name, shape=[size], initializer=default if self._bias_initializer is None
                                 else self._bias_initializer)


class IndyGRUCell(_IndyCell):
    def __init__(self, num_units, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None, name=None,
                 dtype=None):
        super().__init__(num_units, activation, reuse, kernel_initializer, bias_initializer, name, dtype)

    def build(self, inputs_shape):
        width, units = self._width(inputs_shape), self._num_units
        self._gate_kernel_w = self._add_kernel("gates/kernel_w", width, 2 * units)
        self._gate_kernel_u = self._rows("gates/kernel_u", 2 * units)
        self._gate_bias = self._add_bias("gates/bias", 2 * units, initializers.Constant(1.0, dtype=self.dtype))
        self._candidate_kernel_w = self._add_kernel("candidate/kernel", width, units)
        self._candidate_kernel_u = self._rows("candidate/kernel_u", units)
        self._candidate_bias = self._add_bias("candidate/bias", units, initializers.Zeros(dtype=self.dtype))

    def call(self, inputs, state):
        gates = math_ops.matmul(inputs, self._gate_kernel_w) + array_ops.tile(state, [1, 2]) * self._gate_kernel_u
        value = math_ops.sigmoid(nn.bias_add(gates, self._gate_bias))
        r, u = array_ops.split(value=value, num_or_size_splits=2, axis=1)
        reset = r * state
        candidate = math_ops.matmul(inputs, self._candidate_kernel_w) + reset * self._candidate_kernel_u
        c = self._activation(nn.bias_add(candidate, self._candidate_bias))
        new = u * state + (1 - u) * c
        return new, new


class IndyLSTMCell(_IndyCell):
    def __init__(self, num_units, forget_bias=1.0, activation=None, reuse=None, kernel_initializer=None,
                 bias_initializer=None, name=None, dtype=None):
        super().__init__(num_units, activation, reuse, kernel_initializer, bias_initializer, name, dtype)
        self._forget_bias = forget_bias

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))

    def build(self, inputs_shape):
        width, units = self._width(inputs_shape), self._num_units
        self._kernel_w = self._add_kernel("kernel_w", width, 4 * units)
        self._kernel_u = self._rows("kernel_u", 4 * units)
        self._bias = self._add_bias("bias", 4 * units, initializers.Zeros(dtype=self.dtype))

    def call(self, inputs, state):
        sigmoid, add, multiply = math_ops.sigmoid, math_ops.add, math_ops.multiply
        one = ops.constant(1, dtype=dtypes.int32)
        c, h = state
        gates = math_ops.matmul(inputs, self._kernel_w)
        gates += array_ops.tile(h, [1, 4]) * self._kernel_u
        gates = nn.bias_add(gates, self._bias)
        i, j, f, o = array_ops.split(value=gates, num_or_size_splits=4, axis=one)
        bias = ops.constant(self._forget_bias, dtype=f.dtype)
        kept = multiply(c, sigmoid(add(f, bias)))
        new_c = add(kept, multiply(sigmoid(i), self._activation(j)))
        new_h = multiply(self._activation(new_c), sigmoid(o))
        return new_h, LSTMStateTuple(new_c, new_h)
