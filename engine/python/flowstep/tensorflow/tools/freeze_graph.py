# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.tools.freeze_graph: a graph and a checkpoint to one graph of constants."""

import os
import re

from ..framework import graph as graph_lib, proto, proto_text
from ..saving import checkpoint_state, graph_defs, importer, saved_models, saver as saver_lib
from ..sessions.session import Session


def _read(path, binary, message, what):
    if not os.path.exists(path):
        raise IOError("Input %s file '%s' does not exist!" % (what, path))
    with open(path, "rb") as file:
        data = file.read()
    return type(message).FromString(data) if binary else proto_text.merge(data, message)


def _names(text):
    return text.replace(" ", "").split(",") if text else None


def _restore_by_name(sess, prefix):
    """Every tensor of the checkpoint that the graph has a variable for."""
    found = {}
    for name in checkpoint_state.new_checkpoint_reader(prefix).get_variable_to_shape_map():
        try:
            found[name] = sess.graph.get_tensor_by_name(name + ":0")
        except KeyError:
            continue
    if not found:
        raise ValueError("No variables were found in this model. It is likely the model was frozen previously. You cannot "
                         "freeze a graph twice.")
    try:
        saver = saver_lib.Saver(var_list=found)
    except TypeError:
        # What a partitioned variable is read as may stand in the graph under its name, and is no variable.
        parts = [op.name for op in sess.graph.get_operations() if re.search(r"/part_\d+/", op.name)]
        if any(name in part for name in found for part in parts):
            raise ValueError("Models containing partition variables cannot be converted from checkpoint files. Please pass in "
                             "a SavedModel using the flag --input_saved_model_dir.") from None
        raise
    saver.restore(sess, prefix)


def freeze_graph_with_def_protos(input_graph_def, input_saver_def, input_checkpoint, output_node_names, restore_op_name,
                                 filename_tensor_name, output_graph, clear_devices, initializer_nodes,
                                 variable_names_whitelist="", variable_names_blacklist="", input_meta_graph_def=None,
                                 input_saved_model_dir=None, saved_model_tags=None, checkpoint_version=2):
    """The graph that the outputs need with the checkpoint's values as constants; written where output_graph says."""
    if not input_saved_model_dir and not checkpoint_state.checkpoint_exists(input_checkpoint):
        raise ValueError("Input checkpoint '" + input_checkpoint + "' doesn't exist!")
    if not output_node_names:
        raise ValueError("You need to supply the name of a node to --output_node_names.")
    if clear_devices:
        for node in (input_meta_graph_def.graph_def if input_meta_graph_def else input_graph_def).node:
            node.ClearField("device")
    if input_graph_def is not None:
        importer.import_graph_def(input_graph_def, name="")
    with Session() as sess:
        if input_saver_def is not None:
            saver_lib.Saver(saver_def=input_saver_def).restore(sess, input_checkpoint)
        elif input_meta_graph_def is not None:
            importer.import_meta_graph(input_meta_graph_def, clear_devices=True).restore(sess, input_checkpoint)
        elif input_saved_model_dir:
            saved_models.load(sess, saved_model_tags or [], input_saved_model_dir)
        else:
            _restore_by_name(sess, input_checkpoint)
        if initializer_nodes and not input_saved_model_dir and input_saver_def is None:
            sess.run(_names(initializer_nodes))
        source = input_meta_graph_def.graph_def if input_meta_graph_def is not None else input_graph_def
        result = graph_defs.convert_variables_to_constants(
            sess, source, _names(output_node_names), _names(variable_names_whitelist), _names(variable_names_blacklist))
    if output_graph:
        with open(output_graph, "wb") as file:
            file.write(result.SerializeToString())
    return result


def freeze_graph(input_graph, input_saver, input_binary, input_checkpoint, output_node_names, restore_op_name,
                 filename_tensor_name, output_graph, clear_devices, initializer_nodes, variable_names_whitelist="",
                 variable_names_blacklist="", input_meta_graph=None, input_saved_model_dir=None,
                 saved_model_tags=saved_models.TAGS["SERVING"], checkpoint_version=2):
    """The same from files."""
    tags = _names(saved_model_tags)
    graph_def = meta = saver_def = None
    if input_saved_model_dir:
        graph_def = saved_models.SavedModelLoader(input_saved_model_dir).get_meta_graph_def_from_tags(tags).graph_def
    elif input_graph:
        graph_def = _read(input_graph, input_binary, proto.GraphDef(), "graph")
    if input_meta_graph:
        meta = _read(input_meta_graph, input_binary, proto.MetaGraphDef(), "meta graph")
        print("Loaded meta graph file '" + input_meta_graph)
    if input_saver:
        saver_def = _read(input_saver, input_binary, proto.SaverDef(), "saver")
    with graph_lib.get_default_graph().as_default():
        return freeze_graph_with_def_protos(
            graph_def, saver_def, input_checkpoint, output_node_names, restore_op_name, filename_tensor_name, output_graph,
            clear_devices, initializer_nodes, variable_names_whitelist, variable_names_blacklist, meta,
            input_saved_model_dir, tags, checkpoint_version)
