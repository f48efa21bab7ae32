# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.graph_util: GraphDefs cut down to what is needed, and variables frozen to constants."""

from .. import dtypes
from ..framework import attrs as attrs_lib, proto, tf_logging as logging
from ..framework._engine import Flow, to_tensor
from ..framework.graph import Operation

_VARIABLE_OPS = ("Assign", "AssignAdd", "AssignSub", "Queue", "ScatterAdd", "ScatterSub", "ScatterUpdate",
                 "TruncatedNormal", "Variable", "VariableV2")
_PASSING = ("Switch", "Enter", "Exit", "Identity", "Merge", "NextIteration")


def node_name(text):
    return text[1:] if text.startswith("^") else text.split(":")[0]


def must_run_on_cpu(node, pin_variables_on_cpu=False):
    definition = node.node_def if isinstance(node, Operation) else node
    if pin_variables_on_cpu and definition.op in _VARIABLE_OPS:
        return True
    if definition.op == "Const":
        return definition.attr["dtype"].type in (dtypes.string.as_datatype_enum, dtypes.int32.as_datatype_enum)
    key = {"DynamicStitch": "T", "ParallelDynamicStitch": "T", "Cast": "SrcT"}.get(definition.op)
    return key is not None and definition.attr[key].type == dtypes.int32.as_datatype_enum


def tensor_shape_from_node_def_name(graph, input_name):
    return graph.get_tensor_by_name(input_name if ":" in input_name else input_name + ":0").shape


def _copy(node):
    return type(node).FromString(node.SerializeToString())


def _sources(node):
    found = [node_name(text) for text in node.input]
    if "_class" in node.attr:
        found += [g[5:].decode() for g in node.attr["_class"].list.s if g.startswith(b"loc:@")]
    return found


def extract_sub_graph(graph_def, dest_nodes):
    """The nodes that some nodes need, in their order."""
    if not isinstance(graph_def, proto.GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    by_name = {node.name: node for node in graph_def.node}
    for name in dest_nodes:
        assert name in by_name, "%s is not in graph" % name
    kept, queue = set(), list(dest_nodes)
    while queue:
        name = queue.pop()
        if name not in kept:
            kept.add(name)
            queue.extend(_sources(by_name[name]) if name in by_name else [])
    result = proto.GraphDef()
    result.node.extend(_copy(node) for node in graph_def.node if node.name in kept)
    result.library.CopyFrom(graph_def.library)
    result.versions.CopyFrom(graph_def.versions)
    return result


def _constant(name, dtype, data):
    import numpy as np
    node = proto.NodeDef(name=name, op="Const")
    kind = dtypes.as_dtype(dtype)
    attr = Flow.Attr.new_tensor(to_tensor(np.array(data, dtype=kind.as_numpy_dtype), kind))
    node.attr["dtype"].type = kind.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(attrs_lib.to_python(attr))
    return node


class _Freezer:
    """Which nodes of a graph stand for variables, and for passing them on."""

    def __init__(self, graph, wanted):
        self.by_name = {node.name: node for node in graph.node}
        self.fetches, self.passing = {}, {}
        for node in graph.node:
            if node.op in ("Variable", "VariableV2", "VarHandleOp"):
                if wanted(node.name):
                    self.fetches[node.name] = node.name + (
                        "/Read/ReadVariableOp:0" if node.op == "VarHandleOp" else ":0")
            elif node.op in ("ReadVariableOp", "ResourceGather"):
                self._follow(node)

    def _follow(self, node):
        """What stands between a read and its variable carries the value from now on."""
        queue = [node_name(node.input[0])]
        while queue:
            source = self.by_name[queue.pop()]
            if source.op in _PASSING:
                if source.name not in self.passing:
                    self.passing[source.name] = node.attr["dtype"].type
                    inputs = source.input[:2] if source.op == "Merge" else source.input[:1]
                    queue.extend(node_name(text) for text in inputs)
            elif source.op != "VarHandleOp":
                raise ValueError("Cannot find the variable that is an input to the ReadVariableOp.")

    def convert(self, node, values, out):
        if node.name in values:
            out.node.append(_constant(node.name, node.attr["dtype"].type, values[node.name]))
            return
        if node.op == "ResourceGather":
            if node.attr["batch_dims"].i != 0:
                raise ValueError("batch_dims != 0 is not supported by freeze_graph.")
            out.node.append(_constant(node.name + "/axis", node.attr["Tindices"].type, node.attr["batch_dims"].i))
            made = proto.NodeDef(name=node.name, op="GatherV2")
            made.input.extend(list(node.input[:2]) + [node.name + "/axis"])
            made.attr["Tparams"].type = node.attr["dtype"].type
            made.attr["Tindices"].type = made.attr["Taxis"].type = node.attr["Tindices"].type
        elif node.op == "ReadVariableOp":
            made = proto.NodeDef(name=node.name, op="Identity")
            made.input.append(node.input[0])
            made.attr["T"].type = node.attr["dtype"].type
        else:
            made = _copy(node)
            if node.name in self.passing:
                made.attr.pop("_output_shapes", None)
                made.attr["T"].type = self.passing[node.name]
            out.node.append(made)
            return
        if "_class" in node.attr:
            made.attr["_class"].CopyFrom(node.attr["_class"])
        out.node.append(made)


def convert_variables_to_constants(sess, input_graph_def, output_node_names, variable_names_whitelist=None,
                                   variable_names_blacklist=None):
    """The graph that some nodes need, with the session's values in place of variables."""
    graph = extract_sub_graph(input_graph_def, output_node_names)

    def wanted(name):
        return (variable_names_whitelist is None or name in variable_names_whitelist) and \
            (variable_names_blacklist is None or name not in variable_names_blacklist)
    freezer = _Freezer(graph, wanted)
    names = list(freezer.fetches)
    values = dict(zip(names, sess.run([freezer.fetches[n] for n in names]))) if names else {}
    logging.info("Froze %d variables.", len(values))
    result = proto.GraphDef()
    for node in graph.node:
        freezer.convert(node, values, result)
    result.library.CopyFrom(graph.library)
    logging.info("Converted %d variables to const ops.", len(values))
    return result


def _without(nodes, names, replace):
    """The nodes but those of some names; replace says what is read in their place, or nothing."""
    result = []
    for node in nodes:
        if node.name in names:
            continue
        made = _copy(node)
        del made.input[:]
        for text in node.input:
            text = replace(text)
            if text is not None:
                made.input.append(text)
        result.append(made)
    return result


def remove_training_nodes(input_graph, protected_nodes=None):
    """Without checks and identities that do nothing."""
    protected = protected_nodes or []
    checks = {n.name for n in input_graph.node if n.op == "CheckNumerics" and n.name not in protected}
    nodes = _without(input_graph.node, checks, lambda text: None if node_name(text) in checks else text)
    controlling = {text[1:] for n in nodes for text in n.input if text.startswith("^")}
    controlled = {n.name for n in nodes if any(text.startswith("^") for text in n.input)}
    spliced = {n.name: n.input[0] for n in nodes if n.op == "Identity" and n.name not in protected
               and n.name not in controlled and n.name not in controlling}

    def follow(text):
        while text.lstrip("^") in spliced:
            text = spliced[text.lstrip("^")]
        return text
    result = proto.GraphDef()
    result.node.extend(_without(nodes, spliced, follow))
    return result
