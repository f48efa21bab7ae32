#!/usr/bin/env python3
# check_exports.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Whether TensorFlow takes the graphs that scripts make here, and computes the same with them.

    flowstep-cli python tests/oracle/check_exports.py export GRAPHS SCRIPT...   each graph a script leaves or resets
    flowstep-cli python tests/oracle/check_exports.py compute OURS GRAPHS       what we compute with them
    python tests/oracle/check_exports.py compute THEIRS GRAPHS                  what TensorFlow does (1.15.5, 2.15.1)
    python tests/oracle/check_exports.py compare OURS THEIRS

Every tensor is computed, some dozens in a run, after the variables' initializers, but what nobody could compare: what
draws without a seed, waits, reads or writes files, is fed, or comes after something that changes a variable.
"""

import os
import pickle
import runpy
import sys

import numpy as np

NOT_ALONE = ("Queue", "Reader", "Iterator", "Dataset", "PyFunc", "Print", "Barrier", "Stage", "Placeholder", "ReadFile", "Save",
             "Restore", "MatchingFiles", "Summary", "Write", "Shard", "Timestamp", "Table", "Accumulator", "Map",
             "Generator", "Horovod", "Assert", "Filename", "Temporary", "MergeV2", "Lookup")
DRAWS = ("Random", "Multinomial", "Sampler", "Shuffle", "Truncated")
TOGETHER = 64   # tensors of a run; halved where a run fails, alike on both sides
CHANGES = ("Assign", "Apply", "ResourceApply", "Scatter", "ResourceScatter", "SparseApply", "ResourceSparseApply", "CountUpTo")


def export(folder, scripts):
    import tensorflow as tf
    reset, name, count = tf.reset_default_graph, None, 0

    def write():
        nonlocal count
        if tf.get_default_graph().get_operations():
            with open(os.path.join(folder, "%s-%d.meta" % (name, count)), "wb") as file:
                file.write(tf.train.export_meta_graph().SerializeToString())
            count += 1

    def write_and_reset():
        write()
        reset()
    tf.reset_default_graph = write_and_reset
    folder = os.path.abspath(folder)
    for script in scripts:
        name, count = os.path.basename(script)[:-3], 0
        sys.argv = [script]
        try:
            runpy.run_path(script, run_name="__main__")
        except (Exception, SystemExit) as error:   # what it made until then is there
            print("%s: %s" % (name, error), file=sys.stderr)
        write_and_reset()


def below(ops, begin):
    """Names of the ops of which `begin` is true, and of all that those lead to."""
    found, grows = {op.name for op in ops if begin(op)}, True
    while grows:
        more = {op.name for op in ops if op.name not in found and
                any(source.name in found for source in [t.op for t in op.inputs] + list(op.control_inputs))}
        found |= more
        grows = bool(more)
    return found


def is_not_alone(op):
    if any(part in op.type for part in DRAWS):
        try:
            return op.get_attr("seed") == op.get_attr("seed2") == 0
        except ValueError:
            return True
    return any(part in op.type for part in NOT_ALONE)


def compute_together(tf, session, tensors, values):
    """One run for all; where it fails, one for each half, so that each error is found with what it belongs to."""
    try:
        values.update(zip([tensor.name for tensor in tensors], session.run(tensors)))
    except (tf.errors.OpError, ValueError) as error:
        if len(tensors) == 1:
            values[tensors[0].name] = "%s: %s" % (type(error).__name__, str(error).split("\n")[0])
            return
        half = len(tensors) // 2
        compute_together(tf, session, tensors[:half], values)
        compute_together(tf, session, tensors[half:], values)


def compute_graph(tf, meta):
    """Values, or errors in words, by the tensors' names."""
    values = {}
    ops = tf.get_default_graph().get_operations()
    left_out, changed = below(ops, is_not_alone), below(ops, lambda op: op.type.startswith(CHANGES))
    with tf.Session() as session:
        for variable in tf.global_variables() + tf.local_variables():
            if variable.initializer.name not in left_out:
                session.run(variable.initializer)
        not_now = left_out | changed
        tensors = [t for op in ops if op.name not in not_now for t in op.outputs if t.dtype not in (tf.resource, tf.variant)]
        for begin in range(0, len(tensors), TOGETHER):
            compute_together(tf, session, tensors[begin:begin + TOGETHER], values)
    return values


def compute(folder, graphs):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    try:
        import tensorflow.contrib   # registers the ops of its own
    except ImportError:
        pass
    for name in sorted(os.listdir(graphs)):
        meta = tf.MetaGraphDef()
        with open(os.path.join(graphs, name), "rb") as file:
            meta.ParseFromString(file.read())
        with tf.Graph().as_default():
            try:
                tf.train.import_meta_graph(meta, clear_devices=True)
                values = compute_graph(tf, meta)
            except Exception as error:   # of any kind: it is compared
                values = {"": "%s: %s" % (type(error).__name__, error)}
        with open(os.path.join(folder, name + ".pickle"), "wb") as file:
            pickle.dump(values, file, protocol=2)


def are_same(ours, theirs):
    if isinstance(ours, str) or isinstance(theirs, str):
        return str(ours).split(":")[0] == str(theirs).split(":")[0]
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if ours.dtype.kind in "fc":
        return np.allclose(ours, theirs, rtol=1e-5, atol=1e-6, equal_nan=True)
    return ours.tolist() == theirs.tolist()


def compare(ours, theirs):
    count = differ = 0
    names = sorted(os.listdir(ours))
    for name in names:
        values = []
        for folder in (ours, theirs):
            with open(os.path.join(folder, name), "rb") as file:
                values.append(pickle.load(file, encoding="bytes"))
        for key in sorted(set(values[0]) | set(values[1])):
            count += 1
            a, b = (v.get(key, "absent") for v in values)
            if not are_same(a, b):
                differ += 1
                print("%s %s: %s, TensorFlow %s" % (name, key, a, b))
    print("%d graphs, %d tensors, %d differ" % (len(names), count, differ))


if __name__ == "__main__":
    what, first, *rest = sys.argv[1:]
    if what in ("export", "compute"):
        os.makedirs(first, exist_ok=True)
    {"export": lambda: export(first, rest), "compute": lambda: compute(first, *rest), "compare": lambda: compare(first, *rest)}[what]()
