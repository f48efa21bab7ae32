# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.rnn: bidirectional networks one above the other."""

from .. import nest
from ..framework import graph as graph_lib
from ..learning import rnn
from ..operators import array_ops
from ..state import scope as scope_lib


def _check(cells_fw, cells_bw, states_fw, states_bw):
    if not cells_fw:
        raise ValueError("Must specify at least one fw cell for BidirectionalRNN.")
    if not cells_bw:
        raise ValueError("Must specify at least one bw cell for BidirectionalRNN.")
    for cells, way in ((cells_fw, "fw"), (cells_bw, "bw")):
        if not isinstance(cells, list):
            raise ValueError("cells_%s must be a list of RNNCells (one per layer)." % way)
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for states, cells, way in ((states_fw, cells_fw, "fw"), (states_bw, cells_bw, "bw")):
        if states is not None and (not isinstance(states, list) or len(states) != len(cells)):
            raise ValueError("initial_states_%s must be a list of state tensors (one per layer)." % way)


def stack_bidirectional_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None, dtype=None,
                            sequence_length=None, scope=None):
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    forward, backward, outputs = [], [], inputs
    with scope_lib.variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (cell_fw, cell_bw) in enumerate(zip(cells_fw, cells_bw)):
            with scope_lib.variable_scope("cell_%d" % i) as opened:
                outputs, state_fw, state_bw = rnn.static_bidirectional_rnn(
                    cell_fw, cell_bw, outputs, initial_state_fw=initial_states_fw and initial_states_fw[i],
                    initial_state_bw=initial_states_bw and initial_states_bw[i], sequence_length=sequence_length,
                    dtype=dtype, scope=opened)
            forward.append(state_fw)
            backward.append(state_bw)
    return outputs, tuple(forward), tuple(backward)


def stack_bidirectional_dynamic_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None,
                                    dtype=None, sequence_length=None, parallel_iterations=None, time_major=False,
                                    scope=None, swap_memory=False):
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    forward, backward, outputs = [], [], inputs
    with scope_lib.variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (cell_fw, cell_bw) in enumerate(zip(cells_fw, cells_bw)):
            with scope_lib.variable_scope("cell_%d" % i):
                found, (state_fw, state_bw) = rnn.bidirectional_dynamic_rnn(
                    cell_fw, cell_bw, outputs, initial_state_fw=initial_states_fw and initial_states_fw[i],
                    initial_state_bw=initial_states_bw and initial_states_bw[i], sequence_length=sequence_length,
                    parallel_iterations=parallel_iterations, dtype=dtype, swap_memory=swap_memory, time_major=time_major)
                outputs = array_ops.concat(found, 2)
            forward.append(state_fw)
            backward.append(state_bw)
    return outputs, tuple(forward), tuple(backward)


def static_state_saving_rnn(cell, inputs, state_saver, state_name, sequence_length=None, scope=None):
    """An unrolled network whose state is taken from and given back to a saver."""
    size = cell.state_size
    is_tuple = nest.is_sequence(size)
    if is_tuple != nest.is_sequence(state_name):
        raise ValueError("state_name should be the same type as cell.state_size.  state_name: %s, cell.state_size: %s" % (
            state_name, size))
    names = nest.flatten(state_name)
    if len(names) != len(nest.flatten(size)):
        raise ValueError("#elems(state_name) != #elems(state_size): %d vs. %d" % (len(names), len(nest.flatten(size))))
    initial = [state_saver.state(name) for name in names]
    outputs, state = rnn.static_rnn(cell, inputs, initial_state=nest.pack_sequence_as(size, initial) if is_tuple else initial[0],
                                    sequence_length=sequence_length, scope=scope)
    parts = nest.flatten(state)
    saved = [state_saver.save_state(name, part) for name, part in zip(names, parts)]
    with graph_lib.control_dependencies(saved):
        last = outputs[-1]
        outputs[-1] = nest.pack_sequence_as(last, [array_ops.identity(part) for part in nest.flatten(last)])
        parts = [array_ops.identity(part) for part in parts]
    return outputs, nest.pack_sequence_as(state, parts) if is_tuple else parts[0]
