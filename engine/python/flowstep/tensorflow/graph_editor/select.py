# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Choosing operations and tensors: by name, by what they read and feed, by where they lie."""

import re

from ..framework.graph import Graph, Tensor
from . import util


def can_be_regex(obj):
    return isinstance(obj, (str, re.Pattern))


def make_regex(obj):
    if not can_be_regex(obj):
        raise ValueError("Expected a string or a regex, got: {}".format(type(obj)))
    return re.compile(obj) if isinstance(obj, str) else obj


def _input_ts(ops):
    return util.concatenate_unique([], [t for op in ops for t in op.inputs])


def _output_ts(ops):
    return [t for op in ops for t in op.outputs]


def filter_ts(ops, positive_filter):
    ops = util.make_list_of_op(ops)
    ts = util.concatenate_unique(_input_ts(ops), _output_ts(ops))
    return ts if positive_filter is True else [t for t in ts if positive_filter(t)]


def filter_ts_from_regex(ops, regex):
    regex = make_regex(regex)
    return filter_ts(ops, positive_filter=lambda t: regex.search(t.name))


def filter_ops(ops, positive_filter):
    ops = util.make_list_of_op(ops)
    return ops if positive_filter is True else [op for op in ops if positive_filter(op)]


def filter_ops_from_regex(ops, regex):
    regex = make_regex(regex)
    return filter_ops(ops, lambda op: regex.search(op.name))


def get_name_scope_ops(ops, scope):
    return filter_ops_from_regex(ops, "^{}(/.*)?$".format(scope[:-1] if scope.endswith("/") else scope))


def check_cios(control_inputs=False, control_outputs=None, control_ios=None):
    if control_ios is not None:
        if not isinstance(control_ios, util.ControlOutputs):
            raise TypeError("Expected a util.ControlOutputs, got: {}".format(type(control_ios)))
        if control_outputs is not None:
            raise ValueError("control_outputs should be None when using control_ios.")
        control_inputs, control_outputs = True, control_ios
    elif control_outputs is not None and not isinstance(control_outputs, util.ControlOutputs):
        raise TypeError("Expected a util.ControlOutputs, got: {}".format(type(control_outputs)))
    if control_outputs is not None:
        control_outputs.update()
    return control_inputs, control_outputs


def get_ops_ios(ops, control_inputs=False, control_outputs=None, control_ios=None):
    """The neighbours of some operations."""
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    found = []
    for op in util.make_list_of_op(ops):
        found.extend(t.op for t in op.inputs)
        for t in op.outputs:
            found.extend(t.consumers())
        if control_outputs is not None:
            found.extend(control_outputs.get(op))
        if control_inputs:
            found.extend(op.control_inputs)
    return util.concatenate_unique([], found)


def compute_boundary_ts(ops):
    """What comes in, what goes out, what stays inside."""
    ops = util.make_list_of_op(ops)
    inputs, outputs, inside_ops = _input_ts(ops), _output_ts(ops), set(ops)
    produced = set(outputs)
    inside = [t for t in inputs if t in produced]
    only_inside = {t for t in inside if inside_ops.issuperset(t.consumers())}
    inside_set = set(inside)
    return ([t for t in inputs if t not in inside_set], [t for t in outputs if t not in only_inside], inside)


def get_within_boundary_ops(ops, seed_ops, boundary_ops=(), inclusive=True, control_inputs=False, control_outputs=None,
                            control_ios=None):
    """What is connected to the seeds without crossing the boundary."""
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    ops = util.make_list_of_op(ops)
    found = set(util.make_list_of_op(seed_ops, allow_graph=False))
    boundary = set(util.make_list_of_op(boundary_ops))
    if boundary & found:
        raise ValueError("Boundary is intersecting with the seeds.")
    wave = set(found)
    while wave:
        near = {op for op in get_ops_ios(list(wave), control_inputs, control_outputs) if op not in found}
        wave = near - boundary
        found |= near if inclusive else wave
    return [op for op in ops if op in found]


def _walk(seeds, neighbours, inclusive, within_ops, within_ops_fn):
    if within_ops:
        within_ops = set(util.make_list_of_op(within_ops, allow_graph=False))
        seeds = [op for op in seeds if op in within_ops]
    result, known, wave = list(seeds), set(seeds), list(seeds)
    while wave:
        following = []
        for op in wave:
            for other in neighbours(op):
                if other not in known and (not within_ops or other in within_ops) \
                        and (within_ops_fn is None or within_ops_fn(other)):
                    known.add(other)
                    following.append(other)
        result.extend(following)
        wave = following
    if not inclusive:
        first = set(seeds)
        result = [op for op in result if op not in first]
    return result


def _seeds(seed_ops, of_tensors):
    if not util.is_iterable(seed_ops):
        seed_ops = [seed_ops]
    seed_ops = list(seed_ops)
    if not seed_ops:
        return []
    if isinstance(seed_ops[0], Tensor):
        return util.concatenate_unique([], of_tensors(util.make_list_of_t(seed_ops, allow_graph=False)))
    return util.concatenate_unique([], util.make_list_of_op(seed_ops, allow_graph=False))


def get_forward_walk_ops(seed_ops, inclusive=True, within_ops=None, within_ops_fn=None, stop_at_ts=(),
                         control_outputs=None):
    """All that depends on the seeds."""
    _, control_outputs = check_cios(False, control_outputs)
    stop = set(util.make_list_of_t(stop_at_ts))

    def after(op):
        for t in op.outputs:
            if t not in stop:
                yield from t.consumers()
        if control_outputs is not None:
            yield from control_outputs.get(op)
    return _walk(_seeds(seed_ops, util.get_consuming_ops), after, inclusive, within_ops, within_ops_fn)


def get_backward_walk_ops(seed_ops, inclusive=True, within_ops=None, within_ops_fn=None, stop_at_ts=(),
                          control_inputs=False):
    """All that the seeds depend on."""
    stop = set(util.make_list_of_t(stop_at_ts))

    def before(op):
        for t in op.inputs:
            if t not in stop:
                yield t.op
        if control_inputs:
            yield from op.control_inputs
    return _walk(_seeds(seed_ops, util.get_generating_ops), before, inclusive, within_ops, within_ops_fn)


def _both_walks(forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops, within_ops_fn,
                control_inputs, control_outputs, control_ios):
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    return (get_forward_walk_ops(forward_seed_ops, forward_inclusive, within_ops, within_ops_fn,
                                 control_outputs=control_outputs),
            get_backward_walk_ops(backward_seed_ops, backward_inclusive, within_ops, within_ops_fn,
                                  control_inputs=control_inputs))


def get_walks_intersection_ops(forward_seed_ops, backward_seed_ops, forward_inclusive=True, backward_inclusive=True,
                               within_ops=None, within_ops_fn=None, control_inputs=False, control_outputs=None,
                               control_ios=None):
    forward, backward = _both_walks(forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive,
                                    within_ops, within_ops_fn, control_inputs, control_outputs, control_ios)
    backward = set(backward)
    return [op for op in forward if op in backward]


def get_walks_union_ops(forward_seed_ops, backward_seed_ops, forward_inclusive=True, backward_inclusive=True,
                        within_ops=None, within_ops_fn=None, control_inputs=False, control_outputs=None,
                        control_ios=None):
    forward, backward = _both_walks(forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive,
                                    within_ops, within_ops_fn, control_inputs, control_outputs, control_ios)
    return util.concatenate_unique(forward, backward)


def _options(keywords, mine):
    """(graph, filter, whether only regexes that say so are meant)."""
    graph = keywords.pop("graph", None)
    if graph is not None and not isinstance(graph, Graph):
        raise TypeError("Expected a tf.Graph, got: {}".format(type(graph)))
    positive_filter = keywords.pop("positive_filter", None)
    restrict = {name: keywords.pop(name, False) for name in ("restrict_ops_regex", "restrict_ts_regex")}[mine]
    for name in keywords:
        raise ValueError("Wrong keywords argument: {}.".format(name))
    return graph, positive_filter, restrict


def _select(args, keywords, restrict_name, own_mark, other_mark, by_regex, listed):
    graph, positive_filter, restrict = _options(dict(keywords), restrict_name)
    result = []
    for arg in args:
        if can_be_regex(arg):
            if graph is None:
                raise ValueError("Use the keyword argument 'graph' to use regex.")
            regex = make_regex(arg)
            if regex.pattern.startswith(other_mark) or restrict and not regex.pattern.startswith(own_mark):
                continue
            found = by_regex(graph, regex)
        else:
            found = listed(arg)
        util.concatenate_unique(result, [x for x in found if positive_filter is None or positive_filter(x)])
    return result


def select_ops(*args, **kwargs):
    return _select(args, kwargs, "restrict_ops_regex", "(?#ops)", "(?#ts)", filter_ops_from_regex,
                   lambda arg: util.make_list_of_op(arg, ignore_ts=True))


def select_ts(*args, **kwargs):
    return _select(args, kwargs, "restrict_ts_regex", "(?#ts)", "(?#ops)", filter_ts_from_regex,
                   lambda arg: util.make_list_of_t(arg, ignore_ops=True))


def select_ops_and_ts(*args, **kwargs):
    return (select_ops(*args, restrict_ops_regex=False, **kwargs), select_ts(*args, restrict_ts_regex=True, **kwargs))
