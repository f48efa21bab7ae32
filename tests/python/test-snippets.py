# test-snippets.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The functions of snippets_*.py: graph, functions and collections as TensorFlow 1.15.5 makes them (golden/python, recorded
by oracle/record_snippets.py)."""

import glob
import gzip
import importlib.util
import json
import os
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.environ["G_TEST_SRCDIR"]


def recorder():
    spec = importlib.util.spec_from_file_location("recorder", os.path.join(TESTS, "oracle", "record_snippets.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def differ_nodes(want, got):
    """What differs first between two lists of nodes."""
    for a, b in zip(want, got):
        if a[:3] != b[:3]:
            return "%s, not %s" % (b[:3], a[:3])
        wrong = sorted(k for k in set(a[3]) | set(b[3]) if a[3].get(k) != b[3].get(k))
        if wrong:
            return "%s: attrs %s" % (a[0], wrong)
    return None if len(want) == len(got) else "%d nodes, not %d" % (len(got), len(want))


def by_name(nodes):
    """TensorFlow numbers the nodes of a function as it comes to them; what reads what is the same."""
    return sorted(nodes, key=lambda n: n[0])


def differ(want, got):
    why = differ_nodes(want["nodes"], got["nodes"])
    if why is not None:
        return why
    if sorted(want["functions"]) != sorted(got["functions"]):
        return "functions %s, not %s" % (sorted(got["functions"]), sorted(want["functions"]))
    for name, function in want["functions"].items():
        other = got["functions"][name]
        for part in ("arguments", "results", "effects"):
            if function[part] != other[part]:
                return "%s: %s %s, not %s" % (name, part, other[part], function[part])
        why = differ_nodes(by_name(function["nodes"]), by_name(other["nodes"]))
        if why is not None:
            return "%s: %s" % (name, why)
    for key in set(want["collections"]) | set(got["collections"]):
        if want["collections"].get(key) != got["collections"].get(key):
            return "collection %s" % key
    return None


def check(function, want, record):
    """In a process of its own: 0 where the graph is the recorded one."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        import tensorflow.compat.v1 as tf
        from flowstep.tensorflow.framework import proto
        status = 0
        record.count_uuids()
        try:
            with tf.Graph().as_default() as graph:
                saver = function()
                meta = tf.train.export_meta_graph(graph=graph, saver_def=saver.as_saver_def() if saver else None)
            contexts = {"cond_context": proto.CondContextDef, "while_context": proto.WhileContextDef}
            got = record.described(meta, contexts, lambda m: m.SerializeToString().hex())
            why = differ(want, json.loads(json.dumps(got)))
        except Exception:
            why = traceback.format_exc()
        if why is not None:
            status = 1
            print("".join("# %s\n" % line[:400] for line in why.splitlines()), end="")
        sys.stdout.flush()
        os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def main():
    import flowstep.script
    flowstep.script.install()
    import tensorflow.compat.v1  # noqa: F401
    record = recorder()
    cases = []
    for path in sorted(glob.glob(os.path.join(HERE, "snippets_*.py"))):
        with gzip.open(os.path.join(TESTS, "golden", "python", os.path.basename(path)[:-3] + ".json.gz")) as file:
            wanted = json.load(file)
        cases += [(f, wanted[f.__name__]) for f in record.load(path)]
    cases = [c for c in cases if not sys.argv[1:] or c[0].__name__ in sys.argv[1:]]
    print("1..%d" % len(cases))
    failed = 0
    for i, (function, want) in enumerate(cases, 1):
        good = check(function, want, record)
        failed += not good
        print("%s %d %s" % ("ok" if good else "not ok", i, function.__name__))
    sys.exit(failed != 0 or not cases)


main()
