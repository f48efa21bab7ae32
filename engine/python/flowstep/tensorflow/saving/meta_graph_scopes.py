# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What of a graph goes into a MetaGraphDef: all of it, or what stands in one name scope."""

import re

from ..framework import proto
from ..state import variables

UNBOUND = "$unbound_inputs_"
_SAVER_OPS = ("SaveV2", "Save", "SaveSlice", "LegacySave", "LegacySaveSlice", "RestoreV2", "Restore", "RestoreSlice",
              "LegacyRestore", "LegacyRestoreSlice")


def _scope_of(name):
    return name.rpartition("/")[0]


def extraneous_saver_nodes(graph_def, saver_def):
    """Names of the nodes of all Savers but that one."""
    kept = set()
    if saver_def is not None:
        for name in (saver_def.save_tensor_name, saver_def.restore_op_name):
            kept.add(_scope_of(name.lstrip("^").partition(":")[0]) + "/")
    of_savers = {node.name for node in graph_def.node if node.op in _SAVER_OPS}
    scopes = {name + "/" for name in {_scope_of(name) for name in of_savers} - of_savers} - kept
    return {node.name for node in graph_def.node if any(node.name.startswith(scope) for scope in scopes)}


def is_included(item, export_scope, excluded):
    name = item if isinstance(item, str) else getattr(item, "name", None)
    if name is None:
        return True
    if name in excluded:
        return False
    return name.startswith(UNBOUND) or not export_scope or name.startswith(export_scope)


def _strip_node(node, export_scope, unbound, clear_devices):
    for i, name in enumerate(node.input):
        if export_scope and not name.lstrip("^").startswith(export_scope):
            node.input[i] = re.sub(r"([\^]|^)(.*)", r"\1" + re.escape(UNBOUND).replace("\\", "") + r"\2", name, count=1)
            unbound.append(node.input[i])
        else:
            node.input[i] = variables.strip_name_scope(name, export_scope)
    node.name = variables.strip_name_scope(node.name, export_scope)
    if export_scope and "_class" in node.attr:
        kept = [s for s in node.attr["_class"].list.s if s.decode().partition("@")[2].startswith(export_scope)]
        del node.attr["_class"].list.s[:]
        node.attr["_class"].list.SetInParent()
        node.attr["_class"].list.s.extend(variables.strip_name_scope(s.decode(), export_scope).encode() for s in kept)
    if export_scope and node.op in ("Enter", "RefEnter"):
        frame = node.attr["frame_name"].s.decode()
        if frame.startswith(export_scope):
            node.attr["frame_name"].s = variables.strip_name_scope(frame, export_scope).encode()
    if clear_devices:
        node.ClearField("device")


def scoped_graph_def(whole, export_scope, excluded, clear_devices):
    """(the GraphDef of what is in the scope, names of what it reads from elsewhere)."""
    result, unbound = proto.GraphDef(), []
    result.versions.CopyFrom(whole.versions)
    result.library.CopyFrom(whole.library)
    for node in whole.node:
        if is_included(node.name, export_scope, excluded):
            copy = result.node.add()
            copy.CopyFrom(node)
            _strip_node(copy, export_scope, unbound, clear_devices)
    return result, unbound
