# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Copies of a part of a graph."""

import functools

from ..framework import graph as graph_lib, proto
from ..framework._engine import Flow
from ..framework.graph import Graph, GraphKeys, Operation, Tensor
from ..state import variables
from . import reroute, select, subgraph, util


def replace_t_with_placeholder_handler(info, t):
    with info.graph_.as_default():
        return util.make_placeholder_from_tensor(t, scope=info.scope_)


def keep_t_if_possible_handler(info, t):
    return t if info.graph is info.graph_ else replace_t_with_placeholder_handler(info, t)


def assign_renamed_collections_handler(info, elem, elem_):
    known = util.get_predefined_collection_names()
    for name, collection in info.collections.items():
        if elem in collection:
            info.graph_.add_to_collection(name if name in known else info.new_name(name), elem_)


def transform_op_if_inside_handler(info, op, keep_if_possible=True):
    if op in info.ops:
        return info.transformed_ops[op]
    return op if keep_if_possible and info.graph is info.graph_ else None


def copy_op_handler(info, op, new_inputs, copy_shape=False, nodedef_fn=None):
    """The same node under another name: its attrs and device, none of what surrounds it now."""
    if isinstance(new_inputs, bool):
        raise TypeError("the `new_inputs` argument must be an iterable.")
    name = info.graph_.unique_name(info.new_name(op.name))
    definition = None
    if nodedef_fn is not None:
        definition = op.node_def
        definition.name = name
        definition = nodedef_fn(definition)
        name = definition.name
    builder = info.graph_._builder
    with info.graph_._within(builder.clear_control_dependencies), info.graph_._within(builder.enter_device, None):
        with info.graph_._within(builder.enter_colocation, graph_lib.NODE_NONE, True):
            made = info.graph_._add(op.type, list(new_inputs), _attrs(op, definition), name + "/")
    if op.device:
        made._set_device(op.device)
    if copy_shape:
        for t, t_ in zip(op.outputs, made.outputs):
            t_.set_shape(t.shape)
    return made, made.outputs


def _attrs(op, definition):
    result = Flow.AttrList.new()
    if definition is not None:
        from ..framework import attrs
        for key, value in definition.attr.items():
            result.set(key, attrs.from_message(value))
        return result
    source = op.graph._builder.get_node_attrs(op._index)
    for i in range(source.get_length()):
        result.set(source.get_name(i), source.get_value(i))
    return result


class TransformerInfo:
    """What became of what."""

    def __init__(self, info):
        self._graph, self._scope, self._graph_, self._scope_ = info.graph, info.scope, info.graph_, info.scope_
        self._transformed_ops, self._transformed_ts = info.transformed_ops, info.transformed_ts

    def _map(self, top):
        if isinstance(top, Operation):
            return self._transformed_ops
        if isinstance(top, Tensor):
            return self._transformed_ts
        raise TypeError("Expected a tf.Tensor or a tf.Operation, got a {}".format(type(top)))

    def _transformed_elem(self, top, missing_fn=None):
        found = self._map(top).get(top)
        return found if found is not None else None if missing_fn is None else missing_fn(top)

    def _original_elem(self, top, missing_fn=None):
        for original, transformed in self._map(top).items():
            if transformed is top:
                return original
        return None if missing_fn is None else missing_fn(top)

    def transformed(self, original, missing_fn=None):
        return util.transform_tree(original, functools.partial(self._transformed_elem, missing_fn=missing_fn))

    def original(self, transformed, missing_fn=None):
        return util.transform_tree(transformed, functools.partial(self._original_elem, missing_fn=missing_fn))

    def __str__(self):
        lines = ["Transform result info:"]
        if self._graph is self._graph_:
            lines.append("  Within graph[{}]{}".format(id(self._graph), "" if self._scope_ else " IN-PLACE"))
        else:
            lines.append("  graph[{}] => graph[{}]".format(id(self._graph), id(self._graph_)))
        if self._scope:
            lines.append("  Relative to source scope: {}".format(self._scope))
        if self._scope_:
            lines.append("  Scope destination: {}".format(self._scope_))
        lines.append("Operations mapping:")
        lines.extend("  {} => {}".format(op.name, op_.name) for op, op_ in self._transformed_ops.items())
        return "\n".join(lines) + "\n"


class _Info:
    """The state of one transformation."""

    def __init__(self, sgv, dst_graph, dst_scope, src_scope):
        self.sgv, self.sgv_inputs_set, self.ops = sgv, set(sgv.inputs), set(sgv.ops)
        self.graph, self.scope, self.graph_, self.scope_ = sgv.graph, src_scope, dst_graph, dst_scope
        self.transformed_ops, self.transformed_ts, self.tmp_cyclic_ts = {}, {}, []
        self.collections = {key: self.graph.get_collection(key) for key in self.graph.get_all_collection_keys()}

    def new_name(self, name):
        if not name.startswith(self.scope):
            raise ValueError("{} does not belong to source scope: {}.".format(name, self.scope))
        return self.scope_ + name[len(self.scope):]


class Transformer:
    """Makes a view anew, each step by a handler that may be replaced."""

    def __init__(self):
        self.transform_op_handler = copy_op_handler
        self.transform_control_input_handler = transform_op_if_inside_handler
        self.assign_collections_handler = assign_renamed_collections_handler
        self.transform_external_input_handler = replace_t_with_placeholder_handler
        self.transform_external_hidden_input_handler = keep_t_if_possible_handler
        self.transform_original_op_handler = transform_op_if_inside_handler

    def __call__(self, sgv, dst_graph, dst_scope, src_scope="", reuse_dst_scope=False):
        sgv = subgraph.make_view(sgv)
        if not isinstance(dst_graph, Graph):
            raise TypeError("Expected a tf.Graph, got: {}".format(type(dst_graph)))
        src_scope, dst_scope = util.scope_finalize(src_scope), util.scope_finalize(dst_scope)
        if dst_scope and not reuse_dst_scope:
            dst_scope = util.scope_finalize(dst_graph.unique_name(dst_scope[:-1]))
        info = _Info(sgv, dst_graph, dst_scope, src_scope)
        self._copy_ops(info)
        self._close_cycles(info)
        self._connect_control_inputs(info)
        return self._transform_view(info, sgv), TransformerInfo(info)

    def _copy_ops(self, info):
        for op in sorted(info.sgv.ops, key=lambda o: o._id):
            inputs = [self._input(info, t, op) for t in op.inputs]
            made, outputs = self.transform_op_handler(info, op, inputs)
            if op is made:
                raise ValueError("In-place transformation not allowed.")
            info.transformed_ops[op] = made
            self.assign_collections_handler(info, op, made)
            for t, t_ in zip(op.outputs, outputs):
                info.transformed_ts[t] = t_
                self.assign_collections_handler(info, t, t_)

    def _close_cycles(self, info):
        for t, stand_in, consumer in info.tmp_cyclic_ts:
            if t not in info.transformed_ts:
                raise ValueError("The tensor {} should be transformed by now.".format(t.name))
            made = info.transformed_ops[consumer]
            # TF: the first that is the stand-in; a Merge, which has it twice, gets what comes round before what enters.
            made._update_input(list(made.inputs).index(stand_in), info.transformed_ts[t])

    def _connect_control_inputs(self, info):
        for op in info.sgv.ops:
            controls = [self.transform_control_input_handler(info, c) for c in op.control_inputs]
            reroute.add_control_inputs(info.transformed_ops[op], [c for c in controls if c is not None])

    def _transform_view(self, info, sgv):
        made = subgraph.SubGraphView(list(info.transformed_ops.values()))
        inputs, outputs = list(made.inputs), list(made.outputs)

        def places(ts, among):
            found = [info.transformed_ts.get(t) for t in ts]
            return [among.index(t) for t in found if t is not None and t in among]
        return made.remap(places(sgv.inputs, inputs), places(sgv.outputs, outputs))

    def _input(self, info, t, consumer):
        if t in info.transformed_ts:
            return info.transformed_ts[t]
        if t in info.sgv_inputs_set:
            return self.transform_external_input_handler(info, t)
        if t.op not in info.ops:
            return self.transform_external_hidden_input_handler(info, t)
        # Of a loop: something of the same type for now, the tensor itself when it is there.
        if consumer.type == "Merge":
            stand_in = self._input(info, consumer.inputs[0], consumer)
        elif t.op.type == "Enter":
            stand_in = self._input(info, t.op.inputs[0], consumer)
        else:
            with info.graph_.as_default():
                stand_in = util.make_placeholder_from_tensor(t, scope=info.scope_, prefix="geph_tmp")
        info.tmp_cyclic_ts.append((t, stand_in, consumer))
        return stand_in


def _transform(sgv, dst_graph, dst_scope, src_scope, reuse_dst_scope, external=None):
    sgv = subgraph.make_view(sgv)
    dst_graph = sgv.graph if dst_graph is None else dst_graph
    if not isinstance(dst_graph, Graph):
        raise TypeError("Expected a tf.Graph, got: {}".format(type(dst_graph)))
    copier = Transformer()
    if external is not None:
        copier.transform_external_input_handler = external
    return copier(sgv, dst_graph, dst_scope, src_scope, reuse_dst_scope=reuse_dst_scope)


def copy(sgv, dst_graph=None, dst_scope="", src_scope="", reuse_dst_scope=False):
    return _transform(sgv, dst_graph, dst_scope, src_scope, reuse_dst_scope)


def copy_with_input_replacements(sgv, replacement_ts, dst_graph=None, dst_scope="", src_scope="", reuse_dst_scope=False):
    def external(info, t):
        return replacement_ts[t] if t in replacement_ts else keep_t_if_possible_handler(info, t)
    return _transform(sgv, dst_graph, dst_scope, src_scope, reuse_dst_scope, external)


def _add_loops(ops, control_ios):
    """Loops that some of the operations are in, whole."""
    for context in dict.fromkeys(op._control_flow_context for op in ops):
        if context is not None and context.IsWhileContext():
            util.concatenate_unique(ops, select.get_walks_intersection_ops(
                [t.op for t in context.loop_enters], [t.op for t in context.loop_exits], control_ios=control_ios))


def graph_replace(target_ts, replacement_ts, dst_scope="", src_scope="", reuse_dst_scope=False):
    """The targets as they would be of other inputs."""
    targets = util.flatten_tree(target_ts)
    control_ios = util.ControlOutputs(util.get_unique_graph(targets, check_types=Tensor))
    ops = select.get_walks_intersection_ops(list(replacement_ts), targets, control_ios=control_ios)
    if not ops:
        raise ValueError("Targets and replacements are not connected!")
    _add_loops(ops, control_ios)
    _, info = copy_with_input_replacements(ops, replacement_ts, None, dst_scope, src_scope, reuse_dst_scope)
    return info.transformed(target_ts, lambda original: original)


# -- what contrib never had: a copy whose variables are variables

_NAMES = ("variable_name", "initializer_name", "snapshot_name", "initial_value_name")
_KEYS = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.MODEL_VARIABLES,
         GraphKeys.METRIC_VARIABLES, GraphKeys.MOVING_AVERAGE_VARIABLES)


def _element(graph, name):
    return graph.as_graph_element(name)


def _clone_variable(info, variable, dst_graph):
    """The variable over the copied operations; what was not copied it has in common with the original."""
    definition = variable.to_proto()
    for field in _NAMES:
        name = getattr(definition, field)
        if not name:
            continue
        found = info.transformed(_element(variable.graph, name))
        if found is not None:
            setattr(definition, field, found.name)
        elif dst_graph is not variable.graph:
            if field != "initial_value_name":
                return None
            definition.ClearField(field)
    with dst_graph.as_default():
        return variables.Variable.from_proto(proto.VariableDef.FromString(definition.SerializeToString()))


def clone(sgv, dst_scope, replacement_ts=None, dst_graph=None, src_scope=""):
    """Copies a part of a graph with its variables: initializers and values come along, and the copies stand in the
    collections that the originals stand in. Gives the view, what became of what, and the variables by original."""
    sgv = subgraph.make_view(sgv)
    ops, inside = list(sgv.ops), set(sgv.ops)
    found = {}
    for key in _KEYS:
        for variable in sgv.graph.get_collection(key):
            if getattr(variable, "op", None) in inside:
                found.setdefault(variable, []).append(key)
    for variable in found:
        definition = variable.to_proto()
        needed = [_element(sgv.graph, getattr(definition, f)) for f in _NAMES if getattr(definition, f)]
        seeds = [t.op if isinstance(t, Tensor) else t for t in needed]
        util.concatenate_unique(ops, select.get_backward_walk_ops(seeds, control_inputs=True))
    view, info = copy_with_input_replacements(subgraph.SubGraphView(ops), replacement_ts or {}, dst_graph, dst_scope,
                                              src_scope)
    dst_graph = dst_graph or sgv.graph
    clones = {}
    for variable, keys in found.items():
        made = _clone_variable(info, variable, dst_graph)
        if made is not None:
            clones[variable] = made
            for key in keys:
                dst_graph.add_to_collection(key, made)
    return view, info, clones
