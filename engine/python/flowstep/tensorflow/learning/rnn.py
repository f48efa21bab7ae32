# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Recurrent networks: cells over time (tf.nn.dynamic_rnn and its like)."""

from .. import dtypes, nest
from ..control import control_flow, loops
from ..control.tensor_array import TensorArray
from ..framework import graph as graph_lib, ops, tensor_shape
from ..framework.graph import Tensor, get_default_graph, name_scope
from ..operators import array_ops, math_ops
from ..state import scope as scope_lib
from .rnn_cells import assert_like_rnncell, concat_shape


def transpose_batch_time(x):
    known = x.shape
    if known.ndims is not None and known.ndims < 2:
        return x
    rank = array_ops.rank(x)
    result = array_ops.transpose(x, array_ops.concat(([1, 0], math_ops.range(2, rank)), axis=0))
    result.set_shape(tensor_shape.TensorShape([known.dims[1].value, known.dims[0].value]).concatenate(known[2:]))
    return result


def best_effort_batch_size(flat_input):
    for value in flat_input:
        shape = value.shape
        if shape.ndims is None:
            continue
        if shape.ndims < 2:
            raise ValueError("Expected input tensor %s to have rank at least 2" % value)
        if shape.dims[1].value is not None:
            return shape.dims[1].value
    return array_ops.shape(flat_input[0])[1]


def _state_dtype(explicit, state):
    if explicit is not None:
        return explicit
    if not nest.is_sequence(state):
        return state.dtype
    kinds = [element.dtype for element in nest.flatten(state)]
    if not kinds:
        raise ValueError("Unable to infer dtype from empty state.")
    if any(k != kinds[0] for k in kinds):
        raise ValueError("State has tensors of different inferred_dtypes. Unable to infer a single representative dtype.")
    return kinds[0]


def _known_shape(size):
    if isinstance(size, Tensor):
        return tensor_shape.as_shape(ops.constant_value(size))
    return tensor_shape.TensorShape([size]) if isinstance(size, int) else tensor_shape.as_shape(size)


def _cache_here(varscope):
    """Variables are read once, beside themselves, unless this is inside a loop."""
    context = get_default_graph()._get_control_flow_context()
    while context is not None:
        if context.IsWhileContext():
            return
        context = context.outer_context
    if varscope.caching_device is None:
        varscope.set_caching_device(lambda op: op.device)


def _initial_state(cell, initial_state, batch_size, dtype, text):
    if initial_state is not None:
        return initial_state
    if not dtype:
        raise ValueError(text)
    if getattr(cell, "get_initial_state", None) is not None:
        return cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
    return cell.zero_state(batch_size, dtype)


def _is_of_keras(cell):
    """TF: layers of Keras take a state that is one tensor as a list, and give it so."""
    return getattr(cell, "zero_state", None) is None and hasattr(cell, "trainable_weights")


def _listed(cell, state):
    return [state] if _is_of_keras(cell) and not nest.is_sequence(state) else state


def _unlisted(cell, state):
    return state[0] if _is_of_keras(cell) and len(state) == 1 else state


def _step(time, sequence_length, min_length, max_length, zero_output, state, call_cell, skip_conditionals=False):
    """One step; sequences that are over keep their state and put out zeros."""
    flat_state, flat_zero = nest.flatten(state), nest.flatten(zero_output)
    over = time >= sequence_length

    def keep(old, new):
        if isinstance(old, TensorArray) or old.shape.ndims == 0:
            return new
        with graph_lib.colocate_with(new):
            return array_ops.where(over, old, new)

    def call():
        new_output, new_state = call_cell()
        nest.assert_same_structure(zero_output, new_output)
        nest.assert_same_structure(state, new_state)
        return nest.flatten(new_output), nest.flatten(new_state)

    def keep_some(new_output, new_state):
        made = [keep(zero, new) for zero, new in zip(flat_zero, new_output)]
        return made + [keep(old, new) for old, new in zip(flat_state, new_state)]

    def maybe_keep_some():
        new_output, new_state = call()
        return control_flow.cond(time < min_length, lambda: new_output + new_state,
                                 lambda: keep_some(new_output, new_state))
    if skip_conditionals:
        new_output, new_state = call()
        result = keep_some(new_output, new_state)
    else:
        result = control_flow.cond(time >= max_length, lambda: flat_zero + flat_state, maybe_keep_some)
    output, new_state = result[:len(flat_zero)], result[len(flat_zero):]
    for made, zero in zip(output, flat_zero):
        made.set_shape(zero.shape)
    for made, old in zip(new_state, flat_state):
        if not isinstance(made, TensorArray):
            made.set_shape(old.shape)
    return nest.pack_sequence_as(zero_output, output), nest.pack_sequence_as(state, new_state)


# -- a loop over time

def dynamic_rnn(cell, inputs, sequence_length=None, initial_state=None, dtype=None, parallel_iterations=None,
                swap_memory=False, time_major=False, scope=None):
    assert_like_rnncell("cell", cell)
    with scope_lib.variable_scope(scope or "rnn") as varscope:
        _cache_here(varscope)
        flat_input = nest.flatten(inputs)
        if not time_major:
            flat_input = [ops.convert_to_tensor(x) for x in flat_input]
            flat_input = [transpose_batch_time(x) for x in flat_input]
        if sequence_length is not None:
            sequence_length = math_ops.cast(sequence_length, dtypes.int32)
            if sequence_length.shape.ndims not in (None, 1):
                raise ValueError("sequence_length must be a vector of length batch_size, but saw shape: %s" %
                                 sequence_length.shape)
            sequence_length = array_ops.identity(sequence_length, name="sequence_length")
        batch_size = best_effort_batch_size(flat_input)
        state = _initial_state(cell, initial_state, batch_size, dtype,
                               "If there is no initial_state, you must give a dtype.")
        if sequence_length is not None:
            with graph_lib.control_dependencies([_check_length(sequence_length, [batch_size])]):
                sequence_length = array_ops.identity(sequence_length, name="CheckSeqLen")
        inputs = nest.pack_sequence_as(inputs, flat_input)
        outputs, final_state = _loop(cell, inputs, state, parallel_iterations or 32, swap_memory, sequence_length, dtype)
        if not time_major:
            outputs = nest.map_structure(transpose_batch_time, outputs)
        return outputs, final_state


def _check_length(x, shape):
    x_shape = array_ops.shape(x)
    packed = array_ops.stack(shape)
    return control_flow.Assert(math_ops.reduce_all(math_ops.equal(x_shape, packed)), [
        "Expected shape for Tensor %s is " % x.name, packed, " but saw shape: ", x_shape])


def _input_shapes(flat_input):
    shapes = [x.shape.with_rank_at_least(3) for x in flat_input]
    time, batch = shapes[0].as_list()[:2]
    for shape in shapes:
        if not shape[2:].is_fully_defined():
            raise ValueError("Input size (depth of inputs) must be accessible via shape inference, but saw value None.")
        if shape.dims[0].value != time:
            raise ValueError("Time steps is not the same for all the elements in the input in a batch.")
        if shape.dims[1].value != batch:
            raise ValueError("Batch_size is not the same for all the elements in the input.")
    return shapes, time, batch


def _loop(cell, inputs, state, parallel_iterations, swap_memory, sequence_length, dtype):
    flat_input, sizes = nest.flatten(inputs), nest.flatten(cell.output_size)
    time_steps = array_ops.shape(flat_input[0])[0]
    batch_size = best_effort_batch_size(flat_input)
    shapes, const_time, const_batch = _input_shapes(flat_input)

    def zeros(size):
        size = concat_shape(batch_size, size)
        return array_ops.zeros(array_ops.stack(size), _state_dtype(dtype, state))
    zero_output = nest.pack_sequence_as(cell.output_size, [zeros(size) for size in sizes])
    min_length, max_length = None, time_steps
    if sequence_length is not None:
        min_length, max_length = math_ops.reduce_min(sequence_length), math_ops.reduce_max(sequence_length)
    time = ops.constant(0, dtype=dtypes.int32, name="time")
    with name_scope("dynamic_rnn") as scope:
        base_name = scope

    def array(name, shape, kind):
        return TensorArray(dtype=kind, size=time_steps, element_shape=shape, tensor_array_name=base_name + name)
    first = tensor_shape.TensorShape([const_batch])
    output_ta = tuple(array("output_%d" % i, first.concatenate(_known_shape(size)), _state_dtype(dtype, state))
                      for i, size in enumerate(sizes))
    input_ta = [array("input_%d" % i, x.shape[1:], x.dtype) for i, x in enumerate(flat_input)]
    input_ta = [ta.unstack(x) for ta, x in zip(input_ta, flat_input)]

    def body(time, output_ta_t, state):
        parts = [ta.read(time) for ta in input_ta]
        for x, shape in zip(parts, shapes):
            x.set_shape(shape[1:])
        step_input = nest.pack_sequence_as(inputs, parts)
        state = _listed(cell, state)
        if sequence_length is not None:
            output, new_state = _step(time, sequence_length, min_length, max_length, zero_output, state,
                                      lambda: cell(step_input, state), skip_conditionals=True)
        else:
            output, new_state = cell(step_input, state)
        new_state = _unlisted(cell, new_state)
        output_ta_t = tuple(ta.write(time, out) for ta, out in zip(output_ta_t, nest.flatten(output)))
        return time + 1, output_ta_t, new_state
    bound = math_ops.minimum(time_steps, math_ops.maximum(1, max_length))
    _, final_ta, final_state = loops.while_loop(
        cond=lambda time, *_: time < bound, body=body, loop_vars=(time, output_ta, state),
        parallel_iterations=parallel_iterations, maximum_iterations=time_steps, swap_memory=swap_memory)
    outputs = [ta.stack() for ta in final_ta]
    for output, size in zip(outputs, sizes):
        output.set_shape(concat_shape([const_time, const_batch], size, static=True))
    return nest.pack_sequence_as(cell.output_size, outputs), final_state


def _reverse_sequence(x, lengths, time_axis, batch_axis):
    return ops.apply_op("ReverseSequence", input=x, seq_lengths=lengths, seq_dim=time_axis, batch_dim=batch_axis)


def bidirectional_dynamic_rnn(cell_fw, cell_bw, inputs, sequence_length=None, initial_state_fw=None,
                              initial_state_bw=None, dtype=None, parallel_iterations=None, swap_memory=False,
                              time_major=False, scope=None):
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    time_axis, batch_axis = (0, 1) if time_major else (1, 0)

    def reverse(x):
        if sequence_length is not None:
            return _reverse_sequence(x, sequence_length, time_axis, batch_axis)
        return ops.apply_op("ReverseV2", tensor=x, axis=[time_axis])

    def run(cell, x, state, opened):
        return dynamic_rnn(cell=cell, inputs=x, sequence_length=sequence_length, initial_state=state, dtype=dtype,
                           parallel_iterations=parallel_iterations, swap_memory=swap_memory, time_major=time_major,
                           scope=opened)
    with scope_lib.variable_scope(scope or "bidirectional_rnn"):
        with scope_lib.variable_scope("fw") as opened:
            output_fw, state_fw = run(cell_fw, inputs, initial_state_fw, opened)
        with scope_lib.variable_scope("bw") as opened:
            output_bw, state_bw = run(cell_bw, nest.map_structure(reverse, inputs), initial_state_bw, opened)
    return (output_fw, nest.map_structure(reverse, output_bw)), (state_fw, state_bw)


# -- a loop that a function steers

def raw_rnn(cell, loop_fn, parallel_iterations=None, swap_memory=False, scope=None):
    assert_like_rnncell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with scope_lib.variable_scope(scope or "rnn") as varscope:
        _cache_here(varscope)
        time = ops.constant(0, dtype=dtypes.int32)
        finished, next_input, initial_state, emit, init_loop_state = loop_fn(time, None, None, None)
        flat_input = nest.flatten(next_input)
        loop_state = init_loop_state if init_loop_state is not None else ops.constant(0, dtype=dtypes.int32)
        batch = flat_input[0].shape.dims[0].value
        const_batch = batch
        if batch is None:
            batch = array_ops.shape(flat_input[0])[0]
        nest.assert_same_structure(initial_state, cell.state_size)
        state = nest.pack_sequence_as(initial_state, [ops.convert_to_tensor(s) for s in nest.flatten(initial_state)])
        emit, emit_ta, zero_emit = _emit_arrays(cell, emit, state, batch, const_batch)

        def condition(unused_time, finished, *_):
            return math_ops.logical_not(math_ops.reduce_all(finished))

        def body(time, finished, current_input, emit_ta, state, loop_state):
            next_output, cell_state = cell(current_input, state)
            nest.assert_same_structure(state, cell_state)
            nest.assert_same_structure(cell.output_size, next_output)
            next_time = time + 1
            next_finished, next_input, next_state, emit_output, next_loop_state = loop_fn(
                next_time, next_output, cell_state, loop_state)
            nest.assert_same_structure(state, next_state)
            nest.assert_same_structure(current_input, next_input)
            nest.assert_same_structure(emit_ta, emit_output)
            loop_state = loop_state if next_loop_state is None else next_loop_state

            def keep(old, new):
                if isinstance(old, TensorArray) or old.shape.ndims == 0:
                    return new
                with graph_lib.colocate_with(new):
                    return array_ops.where(finished, old, new)
            emit_output = nest.map_structure(keep, zero_emit, emit_output)
            next_state = nest.map_structure(keep, state, next_state)
            emit_ta = nest.map_structure(lambda ta, value: ta.write(time, value), emit_ta, emit_output)
            return (next_time, math_ops.logical_or(finished, next_finished), next_input, emit_ta, next_state, loop_state)
        returned = loops.while_loop(condition, body, loop_vars=[time, finished, next_input, emit_ta, state, loop_state],
                                    parallel_iterations=parallel_iterations or 32, swap_memory=swap_memory)
        emit_ta, final_state, final_loop_state = returned[-3:]
        return emit_ta, final_state, None if init_loop_state is None else final_loop_state


def _emit_arrays(cell, emit, state, batch, const_batch):
    """What is put out at each step: its form, the arrays it goes to, and zeros of it."""
    if emit is not None:
        flat = nest.flatten(emit)
        sizes = [e.shape if e.shape.is_fully_defined() else array_ops.shape(e) for e in flat]
        kinds = [e.dtype for e in flat]
    else:
        emit = cell.output_size
        sizes = nest.flatten(emit)
        kinds = [nest.flatten(state)[0].dtype] * len(sizes)
    first = tensor_shape.TensorShape([const_batch])
    arrays = [TensorArray(dtype=kind, dynamic_size=True, element_shape=first.concatenate(_known_shape(size)), size=0,
                          name="rnn_output_%d" % i) for i, (kind, size) in enumerate(zip(kinds, sizes))]
    zeros = [array_ops.zeros(concat_shape(batch, size), kind) for size, kind in zip(sizes, kinds)]
    return emit, nest.pack_sequence_as(emit, arrays), nest.pack_sequence_as(emit, zeros)


# -- steps written out

def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
    assert_like_rnncell("cell", cell)
    if not nest.is_sequence(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    outputs = []
    with scope_lib.variable_scope(scope or "rnn") as varscope:
        _cache_here(varscope)
        first_input = inputs
        while nest.is_sequence(first_input):
            first_input = first_input[0]
        fixed = _fixed_batch_size(first_input, inputs)
        batch_size = fixed.value if fixed.value else array_ops.shape(first_input)[0]
        state = _initial_state(cell, initial_state, batch_size, dtype,
                               "If no initial_state is provided, dtype must be specified")
        zero_output = min_length = max_length = None
        if sequence_length is not None:
            sequence_length = ops.convert_to_tensor(sequence_length, name="sequence_length")
            if sequence_length.shape.ndims not in (None, 1):
                raise ValueError("sequence_length must be a vector of length batch_size")

            def zeros(size):
                made = array_ops.zeros(array_ops.stack(concat_shape(batch_size, size)), _state_dtype(dtype, state))
                made.set_shape(concat_shape(fixed.value, size, static=True))
                return made
            zero_output = nest.pack_sequence_as(cell.output_size, [zeros(s) for s in nest.flatten(cell.output_size)])
            sequence_length = math_ops.cast(sequence_length, dtypes.int32)
            min_length, max_length = math_ops.reduce_min(sequence_length), math_ops.reduce_max(sequence_length)
        state = _listed(cell, state)
        for time, value in enumerate(inputs):
            if time > 0:
                varscope.reuse_variables()
            if sequence_length is None:
                output, state = cell(value, state)
            else:
                output, state = _step(time, sequence_length, min_length, max_length, zero_output, state,
                                      lambda v=value, s=state: cell(v, s))
            outputs.append(output)
        return outputs, _unlisted(cell, state)


def _fixed_batch_size(first_input, inputs):
    if first_input.shape.ndims == 1:
        return first_input.shape.with_rank_at_least(1).dims[0]
    fixed = first_input.shape.with_rank_at_least(2).dims[0]
    for value in nest.flatten(inputs):
        shape = value.shape.with_rank_at_least(2)
        fixed.merge_with(shape.dims[0])
        for i, size in enumerate(shape[1:].dims):
            if size.value is None:
                raise ValueError("Input size (dimension %d of inputs) must be accessible via shape inference, but saw "
                                 "value None." % i)
    return fixed


def _reverse_seq(input_seq, lengths):
    if lengths is None:
        return list(reversed(input_seq))
    flat = [nest.flatten(x) for x in input_seq]
    results = [[] for _ in input_seq]
    for sequence in zip(*flat):
        shape = tensor_shape.unknown_shape(sequence[0].shape.ndims)
        for x in sequence:
            shape = shape.merge_with(x.shape)
            x.set_shape(shape)
        reversed_ = _reverse_sequence(array_ops.stack(sequence), lengths, 0, 1)
        for r, result in zip(array_ops.unstack(reversed_), results):
            r.set_shape(shape)
            result.append(r)
    return [nest.pack_sequence_as(x, result) for x, result in zip(input_seq, results)]


def static_bidirectional_rnn(cell_fw, cell_bw, inputs, initial_state_fw=None, initial_state_bw=None, dtype=None,
                             sequence_length=None, scope=None):
    assert_like_rnncell("cell_fw", cell_fw)
    assert_like_rnncell("cell_bw", cell_bw)
    if not nest.is_sequence(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    with scope_lib.variable_scope(scope or "bidirectional_rnn"):
        with scope_lib.variable_scope("fw") as opened:
            output_fw, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, scope=opened)
        with scope_lib.variable_scope("bw") as opened:
            backwards = _reverse_seq(inputs, sequence_length)
            made, state_bw = static_rnn(cell_bw, backwards, initial_state_bw, dtype, sequence_length, scope=opened)
    output_bw = _reverse_seq(made, sequence_length)
    joined = [array_ops.concat([fw, bw], 1) for fw, bw in zip(nest.flatten(output_fw), nest.flatten(output_bw))]
    return nest.pack_sequence_as(output_fw, joined), state_fw, state_bw
