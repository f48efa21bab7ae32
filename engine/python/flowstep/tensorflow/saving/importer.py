# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""import_graph_def and import_meta_graph: graphs of files into graphs in the making."""

import heapq
import os
import re

from .. import errors
from ..control import contexts, functional
from ..framework import attrs as attrs_lib, op_summary, ops, proto, removed_ops
from ..framework import tf_logging
from ..framework._engine import NODE_NONE, Flow, GLib, shape as engine_shape
from ..framework.graph import GraphKeys, PRODUCER, Tensor, get_default_graph, name_scope
from ..sessions import runners
from ..state import variables
from . import file_system
from . import saver as saver_lib


def _split(text):
    """(node, slot) of an input; slot -1 for a control input."""
    if text.startswith("^"):
        return text[1:], -1
    name, colon, slot = text.rpartition(":")
    return (name, int(slot)) if colon and slot.isdigit() else (text, 0)


def _mapped(text, input_map):
    """The key of input_map that an input goes by, or None."""
    source, slot = _split(text)
    keys = ["^" + source] if slot < 0 else [text, "%s:%d" % (source, slot)] + ([source] if slot == 0 else [])
    return next((k for k in keys if k in input_map), None)


def _check(nodes, input_map):
    """What TensorFlow refuses before it makes anything."""
    names = set()
    for node in nodes:
        if node.name in names:
            raise ValueError("Node '%s' is not unique" % node.name)
        names.add(node.name)
    for node in nodes:
        if not re.match(r"^[A-Za-z0-9.][A-Za-z0-9_.\-/]*$", node.name):
            raise ValueError("Node '%s': Node name contains invalid characters" % node.name)
        control = False
        for text in node.input:
            name, slot = _split(text)
            if slot >= 0 and control:
                raise ValueError("Node '%s': Control dependencies must come after regular dependencies" % node.name)
            control = control or slot < 0
            if name not in names and _mapped(text, input_map) is None:
                raise ValueError("Node '%s': Unknown input node '%s'" % (node.name, text))


def _check_map(nodes, input_map):
    used = {_mapped(text, input_map) for node in nodes for text in node.input}
    unused = [k for k in input_map if k not in used]
    if unused:
        raise ValueError("Attempted to map inputs that were not found in graph_def: [%s]" % ", ".join(
            sorted(k if ":" in k or k.startswith("^") else k + ":0" for k in unused)))


def _checked_map(input_map):
    if input_map is None:
        return {}
    if not isinstance(input_map, dict) or not all(isinstance(key, (str, bytes)) for key in input_map):
        raise TypeError("input_map must be a dictionary mapping strings to Tensor objects.")
    return {_text(key): value for key, value in input_map.items()}


def _checked_returns(elements):
    if elements is None:
        return None
    if not all(isinstance(element, (str, bytes)) for element in elements):
        raise TypeError("return_elements must be a list of strings.")
    return [_text(element) for element in elements]


def _text(value):
    return value.decode() if isinstance(value, bytes) else value


def _as_tensors(input_map, name):
    if all(isinstance(value, Tensor) for value in input_map.values()):
        return input_map
    if name == "":
        raise ValueError("tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor values. Try "
                         "calling tf.convert_to_tensor() on `input_map` values before calling tf.import_graph_def().")
    with name_scope("_inputs"):
        return {key: ops.convert_to_tensor(value) for key, value in input_map.items()}


def _in_graph(graph, key, value):
    """TF: what an input is mapped to is found by its name."""
    index = graph._builder.find_node(value.op.name)
    if index == NODE_NONE:
        raise ValueError("node '%s' in input_map does not exist in graph (input_map entry: %s->%s)" % (
            value.op.name, key if ":" in key else key + ":0", value.name))
    return value if value.graph is graph else graph._op(index).outputs[value.value_index]


def _check_versions(versions):
    if versions.min_consumer > PRODUCER:
        raise ValueError("GraphDef min consumer version %d above current version %d for TensorFlow 1.15.5.  Please upgrade "
                         "TensorFlow." % (versions.min_consumer, PRODUCER))
    if PRODUCER in versions.bad_consumers:
        raise ValueError("GraphDef disallows consumer version %d.  Please upgrade TensorFlow: this version is likely buggy." %
                         PRODUCER)


def _check_colocations(nodes):
    names = {node.name for node in nodes}
    for node in nodes:
        for group in node.attr["_class"].list.s if "_class" in node.attr else ():
            name = group.decode().partition("loc:@")[2]
            if name and name not in names:
                raise ValueError("Node '%s' expects to be colocated with unknown node '%s'" % (node.name, name))


def _check_tensor_name(text):
    parts = text.split(":")
    if not text.startswith("^") and (len(parts) > 2 or len(parts) == 2 and not parts[1].lstrip("-").isdigit()):
        raise ValueError("Cannot convert %r to a tensor name." % text)


def _drop_unknown_defaults(graph_def, producer_op_list):
    """Attrs that an older op does not know say nothing where they have the default of who wrote the graph."""
    written = {op.name: {attr.name: attr for attr in op.attr} for op in producer_op_list.op}
    for node in graph_def.node:
        if node.op not in written or not Flow.op_registry_has_type(node.op):
            continue
        for key in [k for k in node.attr if k not in ops.op_info(node.op).attr_map]:
            attr = written[node.op].get(key)
            if attr is not None and attr.HasField("default_value") and node.attr[key] == attr.default_value:
                del node.attr[key]


def _check_returns(nodes, elements):
    names = {node.name for node in nodes}
    for element in elements:
        if _split(element)[0] not in names:
            raise ValueError("Requested return %s '%s' not found in graph def" % (
                "tensor" if ":" in element else "node", element))


def _sorted(nodes, input_map):
    """Every node after what it reads, of those that could be next the first; back edges of loops (NextIteration to Merge)
    come later."""
    at = {n.name: i for i, n in enumerate(nodes)}
    is_back = [n.op in ("NextIteration", "RefNextIteration") for n in nodes]
    is_merge = [n.op in ("Merge", "RefMerge") for n in nodes]
    pending, readers, ready, order = [], [[] for _ in nodes], [], []
    for i, node in enumerate(nodes):
        sources = [(at[_split(text)[0]], text) for text in node.input if _mapped(text, input_map) is None]
        count = len(sources)
        if is_merge[i] and any(is_back[source] for source, text in sources if not text.startswith("^")):
            # Of a loop's two values the first to come is enough.
            count = sum(text.startswith("^") for _, text in sources) + 1
        for source, _ in sources:
            readers[source].append(i)
        pending.append(count)
        if count == 0:
            ready.append(i)
    while ready:
        i = heapq.heappop(ready)
        order.append(nodes[i])
        for reader in readers[i]:
            if is_back[i] and is_merge[reader]:
                continue
            pending[reader] -= 1
            if pending[reader] == 0:
                heapq.heappush(ready, reader)
    if len(order) < len(nodes):
        raise ValueError("%d nodes in a cycle" % (len(nodes) - len(order)))
    return order


def _attr_list(node, prefix, renamed):
    values = Flow.AttrList.new()
    for key, value in node.attr.items():
        if key == "_output_shapes":
            continue
        if key == "_class" and (prefix or renamed):
            groups = [g[5:].decode() if g.startswith(b"loc:@") else None for g in value.list.s]
            groups = [whole if g is None else b"loc:@" + renamed.get(prefix + g, prefix + g).encode()
                      for g, whole in zip(groups, value.list.s)]
            values.set(key, attrs_lib.from_python(attrs_lib.STRING, True, groups))
        else:
            values.set(key, attrs_lib.from_message(value))
    return values


def import_graph_def(graph_def, input_map=None, return_elements=None, name=None, op_dict=None, producer_op_list=None):
    """Adds the nodes of a GraphDef under a prefix."""
    graph = get_default_graph()
    if not hasattr(graph_def, "node"):
        raise TypeError("graph_def must be a GraphDef proto.")
    input_map, return_elements = _checked_map(input_map), _checked_returns(return_elements)
    if producer_op_list is not None:
        _drop_unknown_defaults(graph_def, producer_op_list)
    with name_scope(name, "import", input_map.values()) as prefix:
        input_map = _as_tensors(input_map, name)
    for text in list(input_map) + [element for element in return_elements or () if ":" in element]:
        _check_tensor_name(text)
    input_map = {key: _in_graph(graph, key, value) for key, value in input_map.items()}
    # Refused within the scope, whose name is taken from then on.
    _check_versions(graph_def.versions)
    _check(graph_def.node, input_map)
    if not graph.building_function:
        _check_colocations(graph_def.node)
    for node in graph_def.node:
        removed = removed_ops.message(node.op, graph_def.versions.producer)
        if removed is not None:
            raise errors.UnimplementedError(None, None, removed)
    _check_returns(graph_def.node, return_elements or ())
    graph._builder.take_versions(graph_def.versions.producer, graph_def.versions.min_consumer)
    made = {}
    if graph_def.HasField("library"):
        from ..control import defun
        defun.add_library(graph, graph_def.library)
    with graph.all_or_nothing():
        late, nodes = [], _sorted(graph_def.node, input_map)
        with graph.settled_together(), graph.name_scope(None):
            renamed = _name(graph, nodes, prefix)
            for node in nodes:
                made[node.name] = _import_node(graph, node, prefix, made, input_map, renamed, late)
            for op, index, source, slot in late:
                _close_loop(op, index, made[source].outputs[slot])
        _place(graph, nodes, made)
        results = None if return_elements is None else _find_returns(return_elements, made, input_map)
    _check_map(graph_def.node, input_map)
    return results


def _close_loop(merge, index, tensor):
    """The back edge of a loop. While a loop is made by while_loop nobody looks at its type; here TensorFlow does."""
    wanted = merge.outputs[0].dtype
    if wanted not in (tensor.dtype, tensor.dtype.base_dtype):
        raise ValueError("Input %d of node %s was passed %s from %s incompatible with expected %s." % (
            index, merge.name, Flow.dtype_string(tensor.dtype.as_datatype_enum), tensor.name,
            Flow.dtype_string(wanted.as_datatype_enum)))
    merge._update_input(index, tensor)


def _find_returns(elements, made, input_map):
    results = []
    for element in elements:
        op_name, slot = _split(element)
        key = _mapped(element, input_map) if ":" in element else None
        if key is not None:
            results.append(input_map[key])
            continue
        if ":" in element and slot >= len(made[op_name].outputs):
            raise ValueError("Invalid return output %d of node '%s', which has %d output(s)" % (
                slot, op_name, len(made[op_name].outputs)))
        results.append(made[op_name].outputs[slot] if ":" in element else made[op_name])
    return results


def _set_known_shapes(graph, op, node):
    """What the file says of shapes counts beyond what follows from the ops: a loop's are not found by looking forward."""
    if "_output_shapes" not in node.attr:
        return
    for tensor, known in zip(op.outputs, node.attr["_output_shapes"].list.shape):
        if not known.unknown_rank:
            try:
                graph._builder.set_shape(tensor._output, engine_shape([d.size for d in known.dim]))
            except GLib.Error:
                pass


def _name(graph, nodes, prefix):
    """Takes a name for each node: those that the graph had already get another."""
    renamed, taken = {}, set()
    for node in nodes:
        wanted = prefix + node.name
        is_there = wanted in taken or graph._builder.find_node(wanted) != NODE_NONE
        name = graph.unique_name(wanted)
        if is_there:
            renamed[wanted] = name
        taken.add(name if is_there else wanted)
    return renamed


def _place(graph, nodes, made):
    """A node's own device fills in what the scopes around the import leave open; what is made beside another op stands where
    that one stands, also where that one comes later."""
    beside = []
    for node in nodes:
        op = made[node.name]
        groups = op.get_attr("_class") if "_class" in node.attr else ()
        names = [g[5:].decode() for g in groups if g.startswith(b"loc:@") and g[5:].decode() != op.name]
        if names:
            beside.append((op, names))
        elif node.device:
            with graph.device(node.device):
                graph._place(op)
    for op, names in beside:
        device = ""
        for name in names:
            index = graph._builder.find_node(name)
            if index == NODE_NONE and (functional.control_flow_v2_enabled() or graph.building_function):
                continue
            if index == NODE_NONE:
                raise ValueError("Specified colocation to an op that does not exist during import: %s in %s" % (name, op.name))
            device = device or graph._builder.get_node_device(index)
        op._set_device(device)


def _op_of(value):
    return getattr(value, "op", value)


def _import_node(graph, node, prefix, made, input_map, renamed, late):
    inputs, controls, later = [], [], []
    for i, text in enumerate(node.input):
        source, slot = _split(text)
        key = _mapped(text, input_map)
        if slot < 0:
            controls.append(made[source] if key is None else _op_of(input_map[key]))
        elif key is not None:
            inputs.append(input_map[key])
        elif source in made:
            if slot >= len(made[source].outputs):
                raise ValueError("Node '%s': Connecting to invalid output %d of source node %s which has %d outputs." % (
                    node.name, slot, source, len(made[source].outputs)))
            inputs.append(made[source].outputs[slot])
        else:
            later.append((i, source, slot))
            inputs.append(None)
    known = next((t for t in inputs if t is not None), None)
    inputs = [known if t is None else t for t in inputs]
    op_summary.check_node(node, prefix + node.name, [t.dtype for t in inputs if t is not None])
    wanted = renamed.get(prefix + node.name, prefix + node.name)
    op = graph._add(node.op, inputs, _attr_list(node, prefix, renamed), wanted + "/")
    _set_known_shapes(graph, op, node)
    op._add_control_inputs(controls)
    # What was asked for around the import holds for each of its nodes, whatever they read.
    for source in graph._builder.list_control_dependencies():
        graph._builder.add_control_input(op._index, source)
    late.extend((op, i, source, slot) for i, source, slot in later)
    return op


def _contexts(graph, key, definition, scope):
    is_loop = key == GraphKeys.WHILE_CONTEXT
    message, kind = (proto.WhileContextDef, contexts.WhileContext) if is_loop else (proto.CondContextDef, contexts.CondContext)
    for data in definition.bytes_list.value:
        graph.add_to_collection(key, kind.from_proto(message.FromString(data), scope))


_UNBOUND = "unbound_inputs"


def _collections(meta, scope, keeps):
    graph = get_default_graph()
    seen = {}
    keys = sorted(filter(keeps, meta.collection_def))
    if GraphKeys.TRAINABLE_VARIABLES in keys:
        keys.remove(GraphKeys.TRAINABLE_VARIABLES)
        keys.insert(0, GraphKeys.TRAINABLE_VARIABLES)
    from .meta_graph import _VARIABLE_KEYS
    for key in keys:
        definition = meta.collection_def[key]
        kind = definition.WhichOneof("kind")
        if kind == "node_list":
            for value in definition.node_list.value:
                graph.add_to_collection(key, graph.as_graph_element(variables.prepend_name_scope(value, scope)))
        elif kind == "bytes_list" and key in _VARIABLE_KEYS:
            for data in definition.bytes_list.value:
                if data not in seen:
                    seen[data] = variables.Variable.from_proto(proto.VariableDef.FromString(data), scope)
                graph.add_to_collection(key, seen[data])
        elif kind == "bytes_list" and key in (GraphKeys.COND_CONTEXT, GraphKeys.WHILE_CONTEXT):
            _contexts(graph, key, definition, scope)
        elif kind == "bytes_list" and key == GraphKeys.SAVERS:
            for data in definition.bytes_list.value:
                graph.add_to_collection(key, saver_lib.Saver.from_proto(proto.SaverDef.FromString(data), scope))
        elif kind == "bytes_list" and key == GraphKeys.QUEUE_RUNNERS:
            for data in definition.bytes_list.value:
                graph.add_to_collection(key, runners.QueueRunner.from_proto(proto.QueueRunnerDef.FromString(data), scope))
        elif kind in ("bytes_list", "int64_list", "float_list"):
            for value in getattr(definition, kind).value:
                if kind == "bytes_list" and scope:
                    value = variables.prepend_name_scope(value.decode(), scope)
                graph.add_to_collection(key, value)


def read_meta_graph_file(filename):
    if not file_system.exists(filename):
        raise IOError("File %s does not exist." % filename)
    with file_system.GFile(filename, "rb") as file:
        data = file.read()
    try:
        return proto.MetaGraphDef.FromString(data)
    except proto.DecodeError:
        pass
    # What is no binary message is taken for a text.
    from ..framework import proto_text
    try:
        return proto_text.Merge(data.decode("utf-8", "surrogateescape"), proto.MetaGraphDef())
    except proto_text.ParseError as error:
        text = str(error).partition("as text proto: ")[2] or str(error)
        raise IOError("Cannot parse file %s: %s." % (filename, re.sub(r"^([0-9]+:[0-9]+): ", r"\1 : ", text))) from None


def _check_bound(meta, input_map, unbound_inputs_col_name):
    """A part of a graph needs what it reads from elsewhere."""
    if unbound_inputs_col_name not in meta.collection_def:
        return
    wanted = [value.decode() for value in meta.collection_def[unbound_inputs_col_name].bytes_list.value]
    if wanted and (not input_map or sorted(wanted) != sorted(input_map)):
        raise ValueError("Graph contains unbound inputs: %s. Must provide these inputs through input_map." % ",".join(
            value for value in wanted if not input_map or value not in input_map))


def import_scoped_meta_graph_with_return_elements(
        meta_graph_or_file, clear_devices=False, graph=None, import_scope=None, input_map=None,
        unbound_inputs_col_name=_UNBOUND, restore_collections_predicate=lambda key: True, return_elements=None):
    """(the variables by their names in the file, the elements asked for)."""
    meta = meta_graph_or_file if hasattr(meta_graph_or_file, "graph_def") else read_meta_graph_file(meta_graph_or_file)
    if unbound_inputs_col_name:
        _check_bound(meta, input_map, unbound_inputs_col_name)
    graph = graph or get_default_graph()
    with graph.as_default():
        if clear_devices:
            for node in meta.graph_def.node:
                node.ClearField("device")
        scope = graph.unique_name(import_scope or "", mark_as_used=False)
        written = meta.meta_info_def.stripped_op_list if meta.meta_info_def.HasField("stripped_op_list") else None
        elements = import_graph_def(meta.graph_def, name=import_scope or scope, input_map=input_map,
                                    return_elements=return_elements, producer_op_list=written)
        _collections(meta, scope, lambda key: key != unbound_inputs_col_name and restore_collections_predicate(key))
        found = {variables.strip_name_scope(v.name, scope): v
                 for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope)}
    return found, elements


def import_scoped_meta_graph(meta_graph_or_file, clear_devices=False, graph=None, import_scope=None, input_map=None,
                             unbound_inputs_col_name=_UNBOUND, restore_collections_predicate=lambda key: True):
    return import_scoped_meta_graph_with_return_elements(
        meta_graph_or_file, clear_devices, graph, import_scope, input_map, unbound_inputs_col_name,
        restore_collections_predicate)[0]


def import_meta_graph(meta_graph_or_file, clear_devices=False, import_scope=None, **kwargs):
    """A Saver for the graph that was added, or None where nothing of it can be saved."""
    meta = meta_graph_or_file if hasattr(meta_graph_or_file, "graph_def") else read_meta_graph_file(meta_graph_or_file)
    found, _ = import_scoped_meta_graph_with_return_elements(meta, clear_devices, import_scope=import_scope, **kwargs)
    if meta.HasField("saver_def"):
        scope = import_scope
        for name, variable in found.items():
            scope = variable.name[:-len(name)]
            break
        return saver_lib.Saver.from_proto(meta.saver_def, scope)
    if get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, import_scope) or \
            get_default_graph().get_collection(GraphKeys.SAVEABLE_OBJECTS, import_scope):
        return saver_lib.Saver()
    tf_logging.info("Saver not created because there are no variables in the graph to restore")
    return None
