# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Taking parts of a graph apart and putting them together."""

from ..operators import array_ops
from . import reroute, select, subgraph, util


def detach_control_inputs(sgv):
    sgv = subgraph.make_view(sgv)
    for op in sgv.ops:
        reroute.remove_control_inputs(op, [c for c in op.control_inputs if c not in sgv.ops])


def detach_control_outputs(sgv, control_outputs):
    if not isinstance(control_outputs, util.ControlOutputs):
        raise TypeError("Expected a util.ControlOutputs, got: {}", type(control_outputs))
    control_outputs.update()
    sgv = subgraph.make_view(sgv)
    for op in sgv.ops:
        for other in control_outputs.get(op):
            if other not in sgv.ops:
                reroute.remove_control_inputs(other, op)


def detach_inputs(sgv, control_inputs=False):
    """Placeholders in place of what comes in."""
    sgv = subgraph.make_view(sgv)
    with sgv.graph.as_default():
        made = [array_ops.placeholder(dtype=t.dtype, name=util.placeholder_name(t)) for t in sgv.inputs]
    reroute.swap_inputs(sgv, made)
    if control_inputs:
        detach_control_inputs(sgv)
    return sgv, made


def detach_outputs(sgv, control_outputs=None):
    """Placeholders in place of what goes out, for those that read it."""
    sgv = subgraph.make_view(sgv)
    read = sgv.remap_outputs([i for i, t in enumerate(sgv.outputs) if t.consumers()])
    consumers = subgraph.SubGraphView(read.consumers())
    outputs = list(read.outputs)
    consumers = consumers.remap_inputs([i for i, t in enumerate(consumers.inputs) if t in outputs])
    with read.graph.as_default():
        made = [util.make_placeholder_from_tensor(t) for t in consumers.inputs]
    reroute.swap_outputs(read, made)
    if control_outputs is not None:
        detach_control_outputs(read, control_outputs)
    return read, made


def detach(sgv, control_inputs=False, control_outputs=None, control_ios=None):
    control_inputs, control_outputs = select.check_cios(control_inputs, control_outputs, control_ios)
    _, detached_inputs = detach_inputs(sgv, control_inputs)
    _, detached_outputs = detach_outputs(sgv, control_outputs)
    return sgv, detached_inputs, detached_outputs


def connect(sgv0, sgv1, disconnect_first=False):
    """What goes out of the first comes into the second."""
    sgv0, sgv1 = subgraph.make_view(sgv0), subgraph.make_view(sgv1)
    util.check_graphs(sgv0, sgv1)
    if disconnect_first:
        detach_outputs(sgv0)
    reroute.reroute_inputs(subgraph.SubGraphView(passthrough_ts=list(sgv0.outputs)), sgv1)
    return sgv0, sgv1


def bypass(sgv):
    sgv = subgraph.make_view(sgv)
    inputs = list(sgv.inputs)
    sgv, detached_inputs = detach_inputs(sgv)
    reroute.reroute_ts(inputs, list(sgv.outputs))
    return sgv, detached_inputs
