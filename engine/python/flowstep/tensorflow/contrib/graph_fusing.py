# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.framework.fuse_op: part of a GraphDef becomes one op."""

from ..framework import proto
from ..saving.graph_defs import node_name


def _reached(names, inputs_of):
    """The nodes that these come from, and themselves."""
    found, queue = set(), list(names)
    while queue:
        name = queue.pop()
        if name not in found:
            found.add(name)
            queue.extend(inputs_of[name])
    return found


def _check_between(start, inputs_of, before, input_nodes):
    """What is fused reads nothing from outside but the inputs."""
    seen, queue = set(), [start]
    while queue:
        name = queue.pop(0)
        seen.add(name)
        if name in before and name not in input_nodes:
            raise TypeError("Node %s uses input %s not in input_nodes." % (start, name))
        if name not in input_nodes:
            queue += [other for other in inputs_of[name] if other not in seen]


def fuse_op(graph_def, input_nodes, output_nodes, output_dtypes, output_quantized, op_name, op_type):
    if not isinstance(graph_def, proto.GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    for names, what in ((input_nodes, "input_nodes"), (output_nodes, "output_nodes")):
        if isinstance(names, str):
            raise TypeError("%s must be a list." % what)
    nodes = {node.name: node for node in graph_def.node}
    for name in input_nodes + output_nodes:
        assert name in nodes, "%s is not in graph" % name
    inputs_of = {name: [node_name(text) for text in node.input] for name, node in nodes.items()}
    before, until = _reached(input_nodes, inputs_of), _reached(output_nodes, inputs_of)
    behind = []
    for name in nodes:
        if name in until:
            if name not in before and name not in output_nodes:
                _check_between(name, inputs_of, before, set(input_nodes))
        elif name not in before:
            behind.append(name)
    fused = proto.NodeDef(op=op_type, name=op_name)
    fused.input.extend(input_nodes)
    fused.attr["_output_types"].list.type[:] = output_dtypes
    fused.attr["_output_quantized"].b = output_quantized
    made = proto.GraphDef()
    made.node.extend([nodes[name] for name in nodes if name in before] + [fused])
    for i, name in enumerate(output_nodes):
        assert len(nodes[name].input) == 1
        made.node.extend([nodes[name]])
        made.node[-1].input[:] = [op_name + (":%d" % i if i else "")]
    made.node.extend([nodes[name] for name in behind])
    made.library.CopyFrom(graph_def.library)
    made.versions.CopyFrom(graph_def.versions)
    return made
