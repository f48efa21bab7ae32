# record_snippets.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Writes golden/python/NAME.json.gz for python/NAME.py: the MetaGraphDef that TensorFlow 1.15 makes of each of its functions.

usage: python record_snippets.py [NAME...]        every snippets_*.py where none is named"""

import glob
import gzip
import importlib.util
import json
import os
import sys
import uuid
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = os.path.join(HERE, "..", "python")
GOLDEN = os.path.join(HERE, "..", "golden", "python")


# Shapes are inferred; a call's settings hold a map of devices, which TensorFlow writes in any order.
LEFT_OUT = ("_output_shapes", "config_proto")


def as_lines(nodes, described):
    return [[n.name, n.op, list(n.input), {k: described(v) for k, v in sorted(n.attr.items()) if k not in LEFT_OUT}]
            for n in nodes]


def settled(collection, kind):
    """The messages of a collection of contexts; what is known inside one has no order."""
    found = []
    for data in collection.bytes_list.value:
        context = kind.FromString(data)
        context.values_def.values[:] = sorted(context.values_def.values)
        found.append(str(context))
    return found


def described(meta, contexts, message=lambda m: m.SerializeToString(deterministic=True).hex()):
    """A MetaGraphDef as JSON: nodes, functions and collections."""
    functions = {}
    for function in meta.graph_def.library.function:
        signature = function.signature
        functions[signature.name] = {
            "arguments": [[a.name, a.type] for a in signature.input_arg],
            "results": [[a.name, a.type, function.ret[a.name]] for a in signature.output_arg],
            "effects": sorted(signature.control_output),
            "nodes": as_lines(function.node_def, message)}
    return {"nodes": as_lines(meta.graph_def.node, message), "functions": functions,
            "collections": {k: settled(v, contexts[k]) if k in contexts else message(v)
                            for k, v in sorted(meta.collection_def.items())}}


def load(path):
    spec = importlib.util.spec_from_file_location("snippets", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [f for f in vars(module).values() if callable(f) and getattr(f, "__module__", None) == "snippets"
            and not f.__name__.startswith("_")]


def count_uuids():
    """uuid4 gives 1, 2, 3...: names of tables and of the parts of a checkpoint hold one."""
    numbers = iter(range(1, 1000))
    uuid.uuid4 = lambda: uuid.UUID(int=next(numbers))


def record(function):
    """In a process of its own: the counters of the process are those of one graph."""
    import tensorflow.compat.v1 as tf
    from tensorflow.core.protobuf import control_flow_pb2 as contexts
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        count_uuids()
        with os.fdopen(sink, "w") as out, tf.Graph().as_default() as graph:
            saver = function()
            meta = tf.train.export_meta_graph(graph=graph, saver_def=saver.as_saver_def() if saver else None)
            out.write(json.dumps(described(meta, {"cond_context": contexts.CondContextDef,
                                                "while_context": contexts.WhileContextDef})))
        os._exit(0)
    os.close(sink)
    with os.fdopen(source) as text:
        result = text.read()
    os.waitpid(child, 0)
    if not result:
        sys.exit("%s was not made" % function.__name__)
    return json.loads(result)


def main():
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    warnings.filterwarnings("ignore")
    paths = [os.path.join(PYTHON, n + ".py") for n in sys.argv[1:]] or sorted(glob.glob(os.path.join(PYTHON, "snippets_*.py")))
    for path in paths:
        records = {f.__name__: record(f) for f in load(path)}
        out = os.path.join(GOLDEN, os.path.basename(path)[:-3] + ".json.gz")
        with open(out, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
            packed.write(json.dumps(records, sort_keys=True).encode())
        print("%s: %d" % (out, len(records)))


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable] + sys.argv)
    main()
