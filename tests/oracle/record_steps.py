#!/usr/bin/env python3
# record_steps.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Has TensorFlow 1.15 say what it computes at every op of a training step: tests/golden/training/NAME.steps.txt.

    python tests/oracle/record_steps.py FOLDER_OF_SETS NAME...

A set is a folder with model.meta and flowstep.run.json. Its runs happen in one session up to the first one that has
feeds, fetches and targets, whose executed ops are asked of TensorFlow. Every tensor of theirs that Session.run can
fetch is then fetched alone in a session of its own: fetched beside a training op, what reads a variable may be given
its buffer and show it as the op leaves it. A line each: tensor, dtype, shape, then min, max, mean, NaNs, infinities
of its numbers ('-' where it has none).
"""

import json
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
OUT = pathlib.Path(__file__).resolve().parent.parent / "golden" / "training"


def feed(folder, tensor, spec):
    if "npz" in spec:
        value = np.load(folder / spec["npz"], allow_pickle=True)[spec["key"]]
    else:
        value = spec["value"]
    # What restores finds its checkpoint beside the graph.
    if tensor.dtype == tf.string and isinstance(value, str):
        value = str(folder / value)
    return value


def call(session, folder, run, metadata=None):
    graph = session.graph
    feeds = {}
    for name, spec in run.get("feeds", {}).items():
        tensor = graph.get_tensor_by_name(name)
        feeds[tensor] = feed(folder, tensor, spec)
    fetches = [graph.as_graph_element(x) for x in run.get("fetches", []) + run.get("targets", [])]
    options = tf.RunOptions(output_partition_graphs=metadata is not None)
    return session.run(fetches, feeds, options=options, run_metadata=metadata)


def depths(graph):
    """How many loops and branches each op stands in: 0 is where it executes once, whatever happens."""
    depth = {}

    def visit(op):
        stack = [op]
        while stack:
            op = stack[-1]
            inputs = [] if op.type == "NextIteration" else [t.op for t in op.inputs] + op.control_inputs
            missing = [x for x in inputs if x not in depth]
            if missing:
                stack += missing
                continue
            stack.pop()
            d = max([depth[x] for x in inputs], default=0)
            loops = [t.op for t in op.inputs if t.op.type in ("NextIteration", "RefNextIteration")]
            if op.type in ("Enter", "RefEnter"):
                d += 1
            elif op.type in ("Exit", "RefExit"):
                d -= 1
            elif op.type in ("Switch", "RefSwitch") and op.inputs[1].op.type != "LoopCond":
                d += 1
            elif op.type in ("Merge", "RefMerge") and not loops:
                d -= 1
            depth[op] = d

    for op in graph.get_operations():
        if op.type == "NextIteration":
            depth[op] = 0
    for op in graph.get_operations():
        visit(op)
    return depth


def fetchable(graph, metadata, feeds):
    """Outputs of the ops that execute; those in a loop or branch and the references have no one value."""
    depth = depths(graph)
    for partition in metadata.partition_graphs:
        for node in partition.node:
            try:
                op = graph.get_operation_by_name(node.name)
            except KeyError:
                continue
            if depth[op] > 0 or op.type == "NextIteration":
                continue
            for t in op.outputs:
                if not t.dtype._is_ref_dtype and t.dtype not in (tf.resource, tf.variant) and t.name not in feeds:
                    yield t


def line(name, value):
    value = np.asarray(value)
    dtype = "string" if value.dtype.kind in "OSU" else value.dtype.name
    shape = "[%s]" % ",".join(map(str, value.shape))
    if dtype == "string" or value.size == 0:
        return "%s %s %s - - - 0 0" % (name, dtype, shape)
    flat = value.astype(np.float64).ravel()
    good = flat[np.isfinite(flat)]
    numbers = [good.min(), good.max(), good.mean()] if good.size else ["-", "-", "-"]
    return " ".join([name, dtype, shape] + ["%.9g" % x if x != "-" else "-" for x in numbers] +
                    [str(int(np.isnan(flat).sum())), str(int(np.isinf(flat).sum()))])


def is_step(run):
    return all(run.get(k) for k in ("feeds", "fetches", "targets"))


def first_step(folder, doc, step, metadata=None):
    """A session of its own each time, so that no variable and no random generator knows of the other."""
    config = tf.ConfigProto(graph_options=tf.GraphOptions(
        optimizer_options=tf.OptimizerOptions(opt_level=tf.OptimizerOptions.L0),
        rewrite_options=dict(disable_meta_optimizer=True)))
    with tf.Session(config=config) as session:
        for run in doc["runs"]:
            if is_step(run):
                return call(session, folder, step, metadata)
            call(session, folder, run)


def record(folder):
    doc = json.loads((folder / "flowstep.run.json").read_text())
    tf.reset_default_graph()
    tf.train.import_meta_graph(str(folder / doc["graph"]))
    metadata = tf.RunMetadata()
    run = next(r for r in doc["runs"] if is_step(r))
    first_step(folder, doc, run, metadata)
    tensors = sorted(set(fetchable(tf.get_default_graph(), metadata, run["feeds"])), key=lambda t: t.name)
    values = [first_step(folder, doc, dict(feeds=run["feeds"], fetches=[t.name]))[0] for t in tensors]
    out = OUT / (folder.name + ".steps.txt")
    out.write_text("# TensorFlow %s, run %s\n" % (tf.__version__, run["name"]) +
                   "".join(line(t.name, v) + "\n" for t, v in zip(tensors, values)))
    print("%s: %d tensors" % (out.name, len(tensors)))


for name in sys.argv[2:]:
    record(pathlib.Path(sys.argv[1]) / name)
