# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""MetaGraphDefs out of graphs: collections by kind, and the graph."""

import os

from ..framework import op_defs, proto, tf_logging
from ..framework.graph import Graph, GraphKeys, get_default_graph
from ..state import variables
from . import default_attrs, meta_graph_scopes

_VARIABLE_KEYS = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES, GraphKeys.LOCAL_VARIABLES,
                  GraphKeys.MODEL_VARIABLES, GraphKeys.METRIC_VARIABLES, GraphKeys.MOVING_AVERAGE_VARIABLES,
                  GraphKeys.GLOBAL_STEP)
_MESSAGES = {key: "VariableDef" for key in _VARIABLE_KEYS}
_MESSAGES.update({GraphKeys.SAVERS: "SaverDef", GraphKeys.QUEUE_RUNNERS: "QueueRunnerDef",
                  GraphKeys.COND_CONTEXT: "CondContextDef", GraphKeys.WHILE_CONTEXT: "WhileContextDef"})


def _collection(key, items, export_scope=None):
    """A CollectionDef of items that belong into it."""
    result = proto.CollectionDef()
    if key in _MESSAGES:
        for item in items:
            to_proto = item._collected_proto if key == GraphKeys.QUEUE_RUNNERS else item.to_proto
            message = to_proto(export_scope=export_scope)
            if message is not None:
                result.bytes_list.value.append(message.SerializeToString())
        return result
    first = items[0]
    if isinstance(first, (str, bytes)):
        result.bytes_list.value.extend(i.encode() if isinstance(i, str) else i for i in items)
    elif isinstance(first, int) and not isinstance(first, bool):
        result.int64_list.value.extend(items)
    elif isinstance(first, float):
        result.float_list.value.extend(items)
    else:
        for item in items:
            if export_scope is None or item.name.startswith(export_scope):
                result.node_list.value.append(variables.strip_name_scope(item.name, export_scope))
    return result


def add_collections(meta, graph, keys=None, export_scope=None, excluded=(), only_saver=None, warns=False):
    """Writes the collections of a graph into a MetaGraphDef. Items that no message can hold leave theirs out."""
    for key in keys if keys is not None else graph.get_all_collection_keys():
        items = graph._collections.get(key)
        if only_saver is not None and key == GraphKeys.SAVERS:
            from . import saver
            items = [saver.Saver.from_proto(only_saver)]
        items = [item for item in items or () if meta_graph_scopes.is_included(item, export_scope, excluded)]
        if not items:
            continue
        try:
            written = _collection(key, items, export_scope)
        except Exception as error:
            if warns:
                tf_logging.warning("Issue encountered when serializing %s.\nType is unsupported, or the types of the items "
                                   "don't match field type in CollectionDef. Note this is a warning and probably safe to "
                                   "ignore.\n%s" % (key, error))
            continue
        if written.ListFields():
            meta.collection_def[key] = written


def _check_type(name, value, kind):
    if value and not isinstance(value, kind):
        raise TypeError(name + " must be of type " + kind.__name__ + ", not %s", type(value))   # TF: text and type stay apart


def _op_types(types, library):
    """The op types of nodes and of the functions that are ops themselves; TF: one that an attribute names is not looked at."""
    functions = {function.signature.name: function for function in library}
    found, waiting = set(), list(types)
    while waiting:
        op_type = waiting.pop()
        if op_type not in found:
            found.add(op_type)
            waiting += [node.op for node in functions[op_type].node_def] if op_type in functions else []
    return sorted(found - set(functions))


def create_meta_graph_def(graph=None, saver_def=None, collection_list=None, export_scope=None, meta_info_def=None,
                          graph_def=None, excluded=(), clear_extraneous_savers=False):
    _check_type("graph", graph, Graph)
    _check_type("graph_def", graph_def, proto.GraphDef)
    graph = graph or get_default_graph()
    meta = proto.MetaGraphDef()
    if meta_info_def is not None:
        meta.meta_info_def.CopyFrom(meta_info_def)
    meta.meta_info_def.tensorflow_version = "1.15.5"
    if graph_def is None:
        types = graph._builder.list_op_types()
        graph_def = graph.as_graph_def(add_shapes=True)
    else:
        types = {node.op for node in graph_def.node}
    for op_type in _op_types(types, graph_def.library.function):
        meta.meta_info_def.stripped_op_list.op.add().CopyFrom(op_defs.op_def(op_type))
    meta.graph_def.CopyFrom(graph_def)
    add_collections(meta, graph, collection_list, export_scope, excluded,
                    saver_def if clear_extraneous_savers else None, warns=True)
    if saver_def is not None:
        meta.saver_def.CopyFrom(saver_def)
    return meta


def _write(filename, meta, as_text):
    folder = os.path.dirname(filename)
    if folder:
        os.makedirs(folder, exist_ok=True)
    data = str(meta).encode() if as_text else meta.SerializeToString()
    temporary = filename + ".tmp%d" % os.getpid()
    with open(temporary, "wb") as file:
        file.write(data)
    os.replace(temporary, filename)


def export_scoped_meta_graph(filename=None, graph_def=None, graph=None, export_scope=None, as_text=False,
                             unbound_inputs_col_name="unbound_inputs", clear_devices=False, saver_def=None,
                             clear_extraneous_savers=False, strip_default_attrs=False, save_debug_info=False,
                             meta_info_def=None, collection_list=None):
    """(MetaGraphDef of a name scope, its variables by their names within)."""
    graph = graph or get_default_graph()
    excluded = set()
    if export_scope or clear_extraneous_savers or clear_devices:
        whole = graph_def or graph.as_graph_def(add_shapes=True)
        if clear_extraneous_savers:
            excluded = meta_graph_scopes.extraneous_saver_nodes(whole, saver_def)
        graph_def, unbound = meta_graph_scopes.scoped_graph_def(whole, export_scope, excluded, clear_devices)
        if unbound_inputs_col_name:
            graph.clear_collection(unbound_inputs_col_name)
            for name in unbound:
                graph.add_to_collection(unbound_inputs_col_name, name)
    found = {variables.strip_name_scope(v.name, export_scope): v
             for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=export_scope)
             if meta_graph_scopes.is_included(v, export_scope, excluded)}
    meta = create_meta_graph_def(graph, saver_def, collection_list, export_scope, meta_info_def, graph_def, excluded,
                                 clear_extraneous_savers)
    if strip_default_attrs:
        default_attrs.strip(meta)
    if filename:
        _write(filename, meta, as_text)
    return meta, found


def export_meta_graph(filename=None, meta_info_def=None, graph_def=None, saver_def=None, collection_list=None,
                      as_text=False, graph=None, export_scope=None, clear_devices=False,
                      clear_extraneous_savers=False, strip_default_attrs=False, save_debug_info=False, **kwargs):
    return export_scoped_meta_graph(
        filename=filename, meta_info_def=meta_info_def, graph_def=graph_def, saver_def=saver_def,
        collection_list=collection_list, as_text=as_text, graph=graph, export_scope=export_scope, clear_devices=clear_devices,
        clear_extraneous_savers=clear_extraneous_savers, strip_default_attrs=strip_default_attrs,
        save_debug_info=save_debug_info, **kwargs)[0]


def copy_scoped_meta_graph(from_scope, to_scope, from_graph=None, to_graph=None):
    """Copies what stands in one name scope into another; the variables of the copy by name."""
    from . import importer
    from_graph, to_graph = from_graph or get_default_graph(), to_graph or get_default_graph()
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError("'from_scope' and 'to_scope' need to be different when performing copy in the same graph.")
    meta, _ = export_scoped_meta_graph(export_scope=from_scope, graph=from_graph)
    return importer.import_scoped_meta_graph(meta, graph=to_graph, import_scope=to_scope)
