# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Views of a part of a graph: its operations, what comes in and what goes out."""

import copy

from ..framework.graph import Graph
from . import select, util


def _indices(wanted, ts):
    return [i if isinstance(i, int) else ts.index(i) for i in wanted]


def _check_range(mapping, n, repetition):
    for i in mapping:
        if not 0 <= i < n:
            raise ValueError("Out of [0, {}[ range: {}".format(n, i))
    if not repetition and len(set(mapping)) != len(mapping):
        raise ValueError("Found repetition in mapping: {}".format(mapping))


class SubGraphView:
    def __init__(self, inside_ops=(), passthrough_ts=()):
        inside_ops = util.make_list_of_op(inside_ops)
        passthrough_ts = util.make_list_of_t(passthrough_ts)
        self._graph, self._ops, self._passthrough_ts, self._input_ts, self._output_ts = None, [], [], [], []
        if inside_ops or passthrough_ts:
            self._graph = util.get_unique_graph(inside_ops + passthrough_ts)
            self._ops = inside_ops
            inputs, outputs, insides = select.compute_boundary_ts(inside_ops)
            known = set(inputs + outputs + insides)
            self._passthrough_ts = [t for t in passthrough_ts if t not in known]
            self._input_ts, self._output_ts = inputs + self._passthrough_ts, outputs + self._passthrough_ts

    graph = property(lambda self: self._graph)
    ops = property(lambda self: self._ops)
    inputs = property(lambda self: util.ListView(self._input_ts))
    outputs = property(lambda self: util.ListView(self._output_ts))
    passthroughs = property(lambda self: util.ListView(self._passthrough_ts))
    connected_inputs = property(lambda self: [t for t in self._input_ts if t not in self._passthrough_ts])
    connected_outputs = property(lambda self: [t for t in self._output_ts if t not in self._passthrough_ts])

    def __copy__(self):
        result = type(self)()
        result._assign_from(self)
        return result

    def _assign_from(self, other):
        if not isinstance(other, SubGraphView):
            raise TypeError("Expected SubGraphView, got: {}".format(type(other)))
        self._graph = other._graph
        for name in ("_ops", "_passthrough_ts", "_input_ts", "_output_ts"):
            setattr(self, name, list(getattr(other, name)))

    def copy(self):
        return copy.copy(self)

    def __bool__(self):
        return self._graph is not None

    def __enter__(self):
        return self

    def __exit__(self, *info):
        pass

    # -- other orders of what comes in and goes out

    def remap_default(self, remove_input_map=True, remove_output_map=True):
        result = self.copy()
        inputs, outputs, _ = select.compute_boundary_ts(self._ops)
        if remove_input_map:
            result._input_ts = inputs + self._passthrough_ts
        if remove_output_map:
            result._output_ts = outputs + self._passthrough_ts
        return result

    def remap(self, new_input_indices=None, new_output_indices=None):
        result = self.copy()
        if new_input_indices is not None:
            chosen = _indices(new_input_indices, result._input_ts)
            _check_range(chosen, len(result._input_ts), repetition=False)
            result._input_ts = [result._input_ts[i] for i in chosen]
        if new_output_indices is not None:
            chosen = _indices(new_output_indices, result._output_ts)
            _check_range(chosen, len(result._output_ts), repetition=True)
            result._output_ts = [result._output_ts[i] for i in chosen]
        return result

    def remap_inputs(self, new_input_indices):
        return self.remap(new_input_indices=new_input_indices)

    def remap_outputs(self, new_output_indices):
        return self.remap(new_output_indices=new_output_indices)

    def remap_outputs_make_unique(self):
        result = self.copy()
        result._output_ts = util.concatenate_unique([], self._output_ts)
        return result

    def remap_outputs_to_consumers(self):
        result = self.remap_outputs_make_unique()
        result._output_ts = [t for t in result._output_ts for _ in t.consumers()]
        return result

    def remove_unused_ops(self, control_inputs=True):
        result = self.copy()
        used = set(select.get_walks_union_ops(self.connected_inputs, self.connected_outputs, within_ops=self._ops,
                                              control_inputs=control_inputs))
        result._ops = [op for op in self._ops if op in used]
        return result

    # -- looking up

    def find_op_by_name(self, op_name):
        for op in self._ops:
            if op.name == op_name:
                return op
        raise ValueError("{} not in subgraph.".format(op_name))

    def op(self, op_id):
        return self._ops[op_id]

    def is_passthrough(self, t):
        return t in self._passthrough_ts

    def input_index(self, t):
        if t not in self._input_ts:
            raise ValueError("Can't find {} in inputs of subgraph {}.".format(t.name, self.name))
        return self._input_ts.index(t)

    def output_index(self, t):
        if t not in self._output_ts:
            raise ValueError("Can't find {} in outputs of subgraph {}.".format(t.name, self.name))
        return self._output_ts.index(t)

    def consumers(self):
        inside, result = set(self._ops), []
        for t in self._output_ts:
            util.concatenate_unique(result, [op for op in t.consumers() if op not in inside])
        return result

    def __str__(self):
        if not self:
            return "SubGraphView: empty"
        lines = ["SubGraphView (graphid={}):".format(id(self.graph))]
        for name, items in (("ops", self._ops), ("inputs", self._input_ts), ("outputs", self._output_ts)):
            lines.append("** {}[{}]:".format(name, len(items)) if items else "** {}: empty".format(name))
            for item in items:
                mark = " *" if name != "ops" and item in self._passthrough_ts else ""
                lines.append("  {}{}".format(item.name, mark))
        return "\n".join(lines) + "\n"


def make_view(*args, **kwargs):
    """A view of what the arguments choose."""
    graph = kwargs.get("graph")
    if len(args) == 1 and isinstance(args[0], SubGraphView):
        view = args[0]
    else:
        view = SubGraphView(*select.select_ops_and_ts(*args, **kwargs))
    if graph is not None and view.graph:
        if not isinstance(graph, Graph):
            raise TypeError("Expected a tf.Graph, got: {}".format(type(graph)))
        if view.graph is not graph:
            raise ValueError("Graph mismatch.")
    return view


def make_view_from_scope(scope, graph):
    return SubGraphView(select.get_name_scope_ops(graph, scope))
