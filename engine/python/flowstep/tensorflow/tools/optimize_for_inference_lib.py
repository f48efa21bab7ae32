# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.tools.optimize_for_inference_lib: a frozen graph cut to what inference needs, batch normalization
folded into the convolutions before it."""

import numpy as np

from .. import dtypes
from ..framework import ops, proto, tf_logging as logging
from ..saving import graph_defs
from ..saving.graph_defs import node_name

# Where the parts of a normalization stand among its inputs, and its epsilon's attr.
_PARTS = {
    "BatchNormWithGlobalNormalization": (["conv", "mean", "var", "beta", "gamma"], "variance_epsilon"),
    "FusedBatchNorm": (["conv", "gamma", "beta", "mean", "var"], "epsilon"),
}


def ensure_graph_is_valid(graph_def):
    """Names are unique, and what is read is there."""
    names = set()
    for node in graph_def.node:
        if node.name in names:
            raise ValueError("Duplicate node names detected for ", node.name)
        names.add(node.name)
    for node in graph_def.node:
        for text in node.input:
            if node_name(text) not in names:
                raise ValueError("Input for ", node.name, " not found: ", text)


def strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum):
    """What the outputs need of the graph, with placeholders where it begins."""
    for name in input_node_names:
        if ":" in name:
            raise ValueError("Name '%s' appears to refer to a Tensor, not a Operation." % name)
    missing = set(input_node_names) - {node.name for node in input_graph_def.node}
    if missing:
        raise KeyError("The following input nodes were not found: %s" % missing)
    graph = proto.GraphDef()
    kinds = placeholder_type_enum if isinstance(placeholder_type_enum, list) else \
        [placeholder_type_enum] * len(input_node_names)
    wanted = dict(zip(input_node_names, kinds))
    for node in input_graph_def.node:
        if node.name not in wanted:
            graph.node.append(type(node).FromString(node.SerializeToString()))
            continue
        made = proto.NodeDef(op="Placeholder", name=node.name)
        made.attr["dtype"].type = wanted[node.name]
        if "_output_shapes" in node.attr:
            made.attr["_output_shapes"].CopyFrom(node.attr["_output_shapes"])
        if "shape" in node.attr:
            made.attr["shape"].CopyFrom(node.attr["shape"])
        graph.node.append(made)
    result = graph_defs.extract_sub_graph(graph, output_node_names)
    result.library.CopyFrom(input_graph_def.library)
    result.versions.CopyFrom(input_graph_def.versions)
    return result


def values_from_const(node):
    """The array of a constant node."""
    if node.op != "Const":
        raise ValueError("Node named '%s' should be a Const op for values_from_const." % node.name)
    return ops.make_ndarray(node.attr["value"].tensor)


def _const(name, array, dtype):
    node = proto.NodeDef(op="Const", name=name)
    node.attr["dtype"].CopyFrom(dtype)
    node.attr["value"].tensor.CopyFrom(ops.make_tensor_proto(array, dtypes.as_dtype(dtype.type), list(array.shape)))
    return node


def _fold(node, by_name):
    """(scaled weights, offset, new nodes) of a normalization that follows a convolution of constants, or None."""
    names, epsilon_attr = _PARTS[node.op]
    parts = {name: by_name[node_name(text)] for name, text in zip(names, node.input)}
    conv = parts.pop("conv")
    if conv.op not in ("Conv2D", "DepthwiseConv2dNative"):
        logging.warning("Didn't find expected Conv2D input to '%s'", node.name)
        return None
    weights_op = by_name[node_name(conv.input[1])]
    for what, part in [("conv Constant", weights_op)] + list(parts.items()):
        if part.op != "Const":
            logging.warning("Didn't find expected %s Constant input to '%s', found %s instead. Maybe because freeze_graph wasn't "
                            "run first?", what.split()[0], node.name, part)
            return None
    weights = values_from_const(weights_op)
    values = {name: values_from_const(part) for name, part in parts.items()}
    channels = weights.shape[3] if conv.op == "Conv2D" else weights.shape[2] * weights.shape[3]
    for name, value in values.items():
        if value.shape != (channels,):
            logging.warning("Incorrect shape for %s, found %s, expected %s, for node %s", name, value.shape, (channels,), node.name)
            return None
    scale = 1.0 / np.vectorize(np.sqrt)(values["var"] + node.attr[epsilon_attr].f)
    if node.op != "BatchNormWithGlobalNormalization" or node.attr["scale_after_normalization"].b:
        scale = scale * values["gamma"]
    offset = -values["mean"] * scale + values["beta"]
    shaped = scale if conv.op == "Conv2D" else scale.reshape(weights.shape[2:])
    kind = weights_op.attr["dtype"]
    made_conv = proto.NodeDef.FromString(conv.SerializeToString())
    made_conv.input[1] = conv.input[1]
    add = proto.NodeDef(op="BiasAdd", name=node.name)
    add.attr["T"].CopyFrom(conv.attr["T"])
    if "data_format" in conv.attr:
        add.attr["data_format"].CopyFrom(conv.attr["data_format"])
    add.input.extend([made_conv.name, made_conv.name + "_bn_offset"])
    made = [_const(weights_op.name, np.array(weights * shaped, np.float32), kind), made_conv,
            _const(made_conv.name + "_bn_offset", np.array(offset, np.float32), kind), add]
    return made, {node.name, conv.name, weights_op.name} | {part.name for part in parts.values()}


def fold_batch_norms(input_graph_def):
    """Convolutions with the scale of the normalization behind them in their weights, and its offset added."""
    by_name = {}
    for node in input_graph_def.node:
        if node.name in by_name:
            raise ValueError("Duplicate node names detected for ", node.name)
        by_name[node.name] = node
    made, gone = [], set()
    for node in input_graph_def.node:
        folded = _fold(node, by_name) if node.op in _PARTS else None
        if folded is not None:
            made += folded[0]
            gone |= folded[1]
    result = proto.GraphDef()
    result.node.extend(type(n).FromString(n.SerializeToString()) for n in input_graph_def.node if n.name not in gone)
    result.node.extend(made)
    result.versions.CopyFrom(input_graph_def.versions)
    return result


def optimize_for_inference(input_graph_def, input_node_names, output_node_names, placeholder_type_enum,
                           toco_compatible=False):
    """Stripped to between inputs and outputs, without training nodes, normalization folded."""
    ensure_graph_is_valid(input_graph_def)
    graph = strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum)
    graph = graph_defs.remove_training_nodes(graph, output_node_names)
    graph = fold_batch_norms(graph)
    ensure_graph_is_valid(graph)
    return graph
