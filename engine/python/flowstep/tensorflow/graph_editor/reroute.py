# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Giving operations other inputs."""

from ..framework.graph import Operation
from . import subgraph, util

_SWAP, _A_TO_B, _B_TO_A = (True, True), (True, False), (False, True)


def _check_compatible(ts0, ts1):
    if len(ts0) != len(ts1):
        raise ValueError("ts0 and ts1 have different sizes: {} != {}".format(len(ts0), len(ts1)))
    for t0, t1 in zip(ts0, ts1):
        if not t0.dtype.is_compatible_with(t1.dtype):
            raise ValueError("Dtypes {} and {} are not compatible.".format(t0.dtype, t1.dtype))
        if not t0.shape.is_compatible_with(t1.shape):
            raise ValueError("Shapes {} and {} are not compatible.".format(t0.shape, t1.shape))


def _reroute_t(t0, t1, consumers, can_modify, cannot_modify):
    """Those that read t1 read t0; how many inputs that were."""
    places = [(op, [i for i, t in enumerate(op.inputs) if t is t1]) for op in consumers
              if (can_modify is None or op in can_modify) and (cannot_modify is None or op not in cannot_modify)]
    for op, indices in places:
        for i in indices:
            op._update_input(i, t0)
    return sum(len(indices) for _, indices in places)


def _reroute_ts(ts0, ts1, mode, can_modify=None, cannot_modify=None):
    a_to_b, b_to_a = mode
    ts0, ts1 = util.make_list_of_t(ts0), util.make_list_of_t(ts1)
    _check_compatible(ts0, ts1)
    cannot_modify = None if cannot_modify is None else set(util.make_list_of_op(cannot_modify))
    can_modify = None if can_modify is None else set(util.make_list_of_op(can_modify))
    consumers = [(set(t0.consumers()), set(t1.consumers())) for t0, t1 in zip(ts0, ts1)]
    count = 0
    for t0, t1, (of_t0, of_t1) in zip(ts0, ts1, consumers):
        if t0 is t1:
            continue
        if a_to_b:
            count += _reroute_t(t0, t1, of_t1, can_modify, cannot_modify)
        if b_to_a:
            count += _reroute_t(t1, t0, of_t0, can_modify, cannot_modify)
    return count


def swap_ts(ts0, ts1, can_modify=None, cannot_modify=None):
    return _reroute_ts(ts0, ts1, _SWAP, can_modify, cannot_modify)


def reroute_ts(ts0, ts1, can_modify=None, cannot_modify=None):
    return _reroute_ts(ts0, ts1, _A_TO_B, can_modify, cannot_modify)


def _pass_on(a, b):
    """Outputs of b that only pass through a are b's inputs now."""
    for i, t in enumerate(b._output_ts):
        if t in a._passthrough_ts:
            b._output_ts[i] = b._input_ts[a._input_ts.index(t)]


def _remap(view0, view1, mode):
    a_to_b, b_to_a = mode
    new0, new1 = view0.copy(), view1.copy()
    if a_to_b:
        new1._input_ts, new1._passthrough_ts = list(view0._input_ts), list(view0._passthrough_ts)
    if b_to_a:
        new0._input_ts, new0._passthrough_ts = list(view1._input_ts), list(view1._passthrough_ts)
    if a_to_b:
        _pass_on(new0, new1)
    if b_to_a:
        _pass_on(new1, new0)
    view0._assign_from(new0)
    view1._assign_from(new1)


def _inputs(sgv0, sgv1, mode):
    sgv0, sgv1 = subgraph.make_view(sgv0), subgraph.make_view(sgv1)
    util.check_graphs(sgv0, sgv1)
    can_modify = sgv0.ops + sgv1.ops + util.get_consuming_ops(sgv0.passthroughs) + \
        util.get_consuming_ops(sgv1.passthroughs)
    _reroute_ts(sgv0.inputs, sgv1.inputs, mode, can_modify=can_modify)
    _remap(sgv0, sgv1, mode)
    return sgv0, sgv1


def _outputs(sgv0, sgv1, mode):
    sgv0, sgv1 = subgraph.make_view(sgv0), subgraph.make_view(sgv1)
    util.check_graphs(sgv0, sgv1)
    _reroute_ts(sgv0.outputs, sgv1.outputs, mode, cannot_modify=sgv0.ops + sgv1.ops)
    return sgv0, sgv1


def swap_inputs(sgv0, sgv1):
    return _inputs(sgv0, sgv1, _SWAP)


def reroute_inputs(sgv0, sgv1):
    return _inputs(sgv0, sgv1, _A_TO_B)


def swap_outputs(sgv0, sgv1):
    return _outputs(sgv0, sgv1, _SWAP)


def reroute_outputs(sgv0, sgv1):
    return _outputs(sgv0, sgv1, _A_TO_B)


def swap_ios(sgv0, sgv1):
    _outputs(sgv0, sgv1, _SWAP)
    return _inputs(sgv0, sgv1, _SWAP)


def reroute_ios(sgv0, sgv1):
    _outputs(sgv0, sgv1, _A_TO_B)
    return _inputs(sgv0, sgv1, _A_TO_B)


def remove_control_inputs(op, cops):
    if not isinstance(op, Operation):
        raise TypeError("Expected a tf.Operation, got: {}", type(op))
    cops = util.make_list_of_op(cops, allow_graph=False)
    for cop in cops:
        if cop not in op.control_inputs:
            raise ValueError("{} is not a control_input of {}".format(op.name, cop.name))
    kept = [cop for cop in op.control_inputs if cop not in cops]
    op._remove_all_control_inputs()
    op._add_control_inputs(kept)


def add_control_inputs(op, cops):
    if not isinstance(op, Operation):
        raise TypeError("Expected a tf.Operation, got: {}", type(op))
    cops = util.make_list_of_op(cops, allow_graph=False)
    for cop in cops:
        if cop in op.control_inputs:
            raise ValueError("{} is already a control_input of {}".format(cop.name, op.name))
    op._add_control_inputs(cops)
