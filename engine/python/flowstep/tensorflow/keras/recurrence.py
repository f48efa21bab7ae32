# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.backend.rnn: a step of a network over the times of its inputs, as a loop or unrolled."""

from .. import dtypes, nest
from ..control import loops
from ..control.tensor_array import TensorArray
from ..framework import ops
from ..operators import array_ops, math_ops


def _swapped(x):
    """Times and examples in each other's place."""
    return array_ops.transpose(x, [1, 0] + list(range(2, x.shape.ndims)))


def _spread(mask, like, fixed=1):
    """A mask of examples, as wide as what it is to choose from."""
    for _ in range(like.shape.ndims - mask.shape.ndims):
        mask = array_ops.expand_dims(mask, -1)
    return array_ops.tile(mask, [1] * fixed + like.shape.as_list()[fixed:])


def _choose(mask, values, others):
    spread = [_spread(mask, value) for value in values]
    return [array_ops.where(m, value, other) for m, value, other in zip(spread, values, others)]


def _unrolled(step, inputs, states, n_times, backwards, mask, constants, zero_masked):
    parts = [array_ops.unstack(x) for x in nest.flatten(inputs)]
    if backwards:
        for part in parts:
            part.reverse()
    masks = None
    if mask is not None:
        masks = array_ops.unstack(mask)
        if backwards:
            masks.reverse()
    states, outputs = tuple(states), []
    for i in range(n_times):
        output, new = step(nest.pack_sequence_as(inputs, [part[i] for part in parts]), states + constants)
        if masks is not None:
            spread = _spread(masks[i], output)
            before = outputs[-1] if outputs else array_ops.zeros_like(output)
            output = array_ops.where(spread, output, before)
            new = [array_ops.where(_spread(masks[i], n), n, s) for s, n in zip(states, new)]
        states = tuple(new)
        outputs.append(output)
    last, whole = outputs[-1], array_ops.stack(outputs)
    if masks is not None and zero_masked:
        last = array_ops.where(_spread(masks[-1], last), last, array_ops.zeros_like(last))
        whole = array_ops.where(_spread(mask, whole, fixed=2), whole, array_ops.zeros_like(whole))
    return last, whole, states


def _mask_array(mask, n_times, backwards):
    mask = array_ops.reverse(mask, [0]) if backwards else mask
    return TensorArray(dtype=dtypes.bool, size=n_times, tensor_array_name="mask_ta").unstack(mask)


def _looped(step, inputs, initial, n_times, backwards, mask, constants, zero_masked, most):
    flat = nest.flatten(inputs)
    arrays = [TensorArray(dtype=x.dtype, size=n_times, tensor_array_name="input_ta_%s" % i) for i, x in enumerate(flat)]
    arrays = [array.unstack(array_ops.reverse(x, [0]) if backwards else x) for array, x in zip(arrays, flat)]
    first, _ = step(nest.pack_sequence_as(inputs, [x[0] for x in flat]), tuple(initial) + constants)
    made = nest.flatten(first)
    written = tuple(TensorArray(dtype=x.dtype, size=n_times, element_shape=x.shape, tensor_array_name="output_ta_%s" % i)
                    for i, x in enumerate(made))
    time = ops.constant(0, dtype=dtypes.int32, name="time")
    given, zeros = (), ()
    if mask is not None:
        masks = _mask_array(mask, n_times, backwards)
        zeros = tuple(array_ops.zeros_like(x) for x in made)
        given = (zeros,)

    def body(time, written, *rest):
        states = rest[len(given):]
        current = nest.pack_sequence_as(inputs, [array.read(time) for array in arrays])
        now = masks.read(time) if given else None
        output, new = step(current, tuple(states) + constants)
        outputs, new = nest.flatten(output), nest.flatten(new)
        chosen = ()
        if given:
            outputs = _choose(now, outputs, zeros if zero_masked else rest[0])
            chosen = (tuple(outputs),)
        for before, after in zip(nest.flatten(states), new):
            after.set_shape(before.shape)
        if given:
            new = _choose(now, new, nest.flatten(states))
        written = tuple(array.write(time, x) for array, x in zip(written, outputs))
        return (time + 1, written) + chosen + tuple(nest.pack_sequence_as(initial, new))

    final = loops.while_loop(lambda time, *_: time < n_times, body, (time, written) + given + tuple(initial),
                             parallel_iterations=32, swap_memory=True, maximum_iterations=most)
    whole = [array.stack() for array in final[1]]
    last = [x[-1] for x in whole]
    return nest.pack_sequence_as(first, last), nest.pack_sequence_as(first, whole), final[2 + len(given):]


def rnn(step_function, inputs, initial_states, go_backwards=False, mask=None, constants=None, unroll=False,
        input_length=None, time_major=False, zero_output_for_mask=False):
    """(the last output, all outputs, the states after the last step)."""
    if not time_major:
        inputs = nest.map_structure(_swapped, inputs)
    flat = nest.flatten(inputs)
    n_times, n_examples = flat[0].shape.as_list()[:2]
    length = array_ops.shape(flat[0])[0]
    for x in flat:
        x.shape.with_rank_at_least(3)
    if mask is not None:
        mask = mask if mask.dtype == dtypes.bool else math_ops.cast(mask, dtypes.bool)
        if mask.shape.ndims == 2:
            mask = array_ops.expand_dims(mask, -1)
        if not time_major:
            mask = _swapped(mask)
    constants = tuple(constants or ())
    if unroll:
        if not n_times:
            raise ValueError("Unrolling requires a fixed number of timesteps.")
        last, whole, states = _unrolled(step_function, inputs, initial_states, n_times, go_backwards, mask, constants,
                                        zero_output_for_mask)
    else:
        last, whole, states = _looped(step_function, inputs, tuple(initial_states), length, go_backwards, mask, constants,
                                      zero_output_for_mask, input_length)

    def known(x):
        x.set_shape([n_times, n_examples] + x.shape.as_list()[2:])
        return x
    whole = nest.map_structure(known, whole)
    return last, whole if time_major else nest.map_structure(_swapped, whole), states
