# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.profiler.write_op_log: what a profiler is told of the ops of a graph, beside the graph."""

import os
import sys

from ..framework.graph import GraphKeys, get_default_graph
from ..framework.proto import message_class
from ..saving import file_system
from . import op_statistics

_TRAINABLE = "_trainable_variables"


def _flops(graph, op):
    """How much an op computes, 0 where nobody knows; None where its shapes are not known."""
    try:
        stats = op_statistics.get_stats_for_node_def(graph, op.node_def, "flops")
    except ValueError:
        return None
    return int(stats.value or 0) if stats else 0


def _trace(entry, op, number):
    for frame in op.traceback_with_start_lines:
        file, line, function, text, start = frame[:5]
        entry.code_def.traces.add(file_id=number(file), lineno=line or -1, function_id=number(function),
                                  line_id=number(text), func_start_line=start or -1)


def _entries(graph, add_trace):
    """(entries by name, texts by number) of the ops of a graph."""
    entry_class, found, texts, missing = message_class("OpLogEntry"), {}, {"none": 0}, 0

    def number(text):
        return texts.setdefault(text, len(texts)) if text else 0
    for op in graph.get_operations():
        entry, flops = entry_class(name=op.name), _flops(graph, op)
        missing += flops is None
        if flops:
            entry.float_ops = flops
        if add_trace:
            _trace(entry, op, number)
        if flops or add_trace:
            found[op.name] = entry
    for variable in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES):
        found.setdefault(variable.op.name, entry_class(name=variable.op.name)).types.append(_TRAINABLE)
    return found, texts, missing


def _merged(given, own):
    """What the script says of an op, and what is known of it."""
    given.types.extend(own.types)
    if own.float_ops > 0 and given.float_ops == 0:
        given.float_ops = own.float_ops
    if own.code_def.traces and not given.code_def.traces:
        given.code_def.MergeFrom(own.code_def)
    return given


def write_op_log(graph, log_dir, op_log=None, run_meta=None, add_trace=True):
    found, texts, missing = _entries(graph or get_default_graph(), add_trace)
    if missing and not run_meta:
        sys.stderr.write("%d ops no flops stats due to incomplete shapes.\n" % missing)
    entries = {entry.name: entry for entry in (op_log.log_entries if op_log else [])}
    for name, entry in found.items():
        entries[name] = _merged(entries[name], entry) if name in entries else entry
    result = message_class("OpLogProto")()
    result.log_entries.extend(entries.values())
    for text, at in texts.items():
        result.id_to_string[at] = text
    with file_system.GFile(os.path.join(log_dir, "tfprof_log"), "wb") as file:
        file.write(result.SerializeToString())
