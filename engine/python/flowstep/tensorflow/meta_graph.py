# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""MetaGraphDefs out of graphs: collections by kind, and the graph."""

import os

from . import graph as graph_lib, proto, variables
from .graph import GraphKeys, get_default_graph

_VARIABLE_KEYS = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES, GraphKeys.LOCAL_VARIABLES,
                  GraphKeys.MODEL_VARIABLES, GraphKeys.METRIC_VARIABLES, GraphKeys.MOVING_AVERAGE_VARIABLES,
                  GraphKeys.GLOBAL_STEP)
_MESSAGES = {key: "VariableDef" for key in _VARIABLE_KEYS}
_MESSAGES.update({GraphKeys.SAVERS: "SaverDef", GraphKeys.QUEUE_RUNNERS: "QueueRunnerDef",
                  GraphKeys.COND_CONTEXT: "CondContextDef", GraphKeys.WHILE_CONTEXT: "WhileContextDef"})


def _collection(key, items, export_scope=None):
    """A CollectionDef, or None where the items cannot be written."""
    result = proto.CollectionDef()
    if key in _MESSAGES:
        for item in items:
            message = item.to_proto(export_scope=export_scope)
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


def add_collections(meta, graph, keys=None, export_scope=None):
    """Writes the collections of a graph into a MetaGraphDef; items that no proto can hold leave theirs out."""
    for key in keys if keys is not None else graph.get_all_collection_keys():
        items = graph._collections.get(key)
        if not items:
            continue
        try:
            written = _collection(key, items, export_scope)
        except (AttributeError, TypeError, ValueError):
            continue
        if written is not None and written.ListFields():
            meta.collection_def[key] = written


def create_meta_graph_def(graph=None, saver_def=None, collection_list=None, export_scope=None):
    graph = graph or get_default_graph()
    meta = proto.MetaGraphDef()
    meta.meta_info_def.tensorflow_version = "1.15.5"
    for op_type in graph._builder.list_op_types():
        meta.meta_info_def.stripped_op_list.op.add(name=op_type)
    meta.graph_def.CopyFrom(graph.as_graph_def(add_shapes=True))
    add_collections(meta, graph, collection_list, export_scope)
    if saver_def is not None:
        meta.saver_def.CopyFrom(saver_def)
    return meta


def export_meta_graph(filename=None, meta_info_def=None, graph_def=None, saver_def=None, collection_list=None,
                      as_text=False, graph=None, export_scope=None, clear_devices=False,
                      clear_extraneous_savers=False, strip_default_attrs=False, save_debug_info=False, **_):
    meta = create_meta_graph_def(graph, saver_def, collection_list, export_scope)
    if clear_devices:
        for node in meta.graph_def.node:
            node.ClearField("device")
    if filename:
        folder = os.path.dirname(filename)
        if folder:
            os.makedirs(folder, exist_ok=True)
        data = str(meta).encode() if as_text else meta.SerializeToString()
        temporary = filename + ".tmp%d" % os.getpid()
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, filename)
    return meta
