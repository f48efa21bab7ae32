# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.rnn: bidirectional networks one above the other."""

from .. import array_ops, rnn, scope as scope_lib


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
