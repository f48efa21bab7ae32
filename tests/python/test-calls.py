# test-calls.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Wrong calls: what is raised has the class and the words that TensorFlow 1.15.5 raises (golden/python/calls.json.gz, recorded
by oracle/record_calls.py), and signatures of ops' functions are TensorFlow's."""

import gzip
import importlib.util
import inspect
import json
import logging
import os
import sys

TESTS = os.environ["G_TEST_SRCDIR"]


def recorder():
    spec = importlib.util.spec_from_file_location("recorder", os.path.join(TESTS, "oracle", "record_calls.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_SIGNATURES = {
    "Conv2D": "(input, filter, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format='NHWC', "
              "dilations=[1, 1, 1, 1], name=None)",
    "ExpandDims": "(input, axis, name=None)", "Sum": "(input, axis, keep_dims=False, name=None)",
    "DecodeJpeg": "(contents, channels=0, ratio=1, fancy_upscaling=True, try_recover_truncated=False, "
                  "acceptable_fraction=1, dct_method='', name=None)",
}


def raises(function, kind, text):
    try:
        function()
    except kind as error:
        return str(error) == text
    return False


def _old_graph(tf, producer):
    """A file of that version with an op that later versions have no more."""
    from google.protobuf import text_format
    text = """versions { producer: %d } node { name: "a" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
              node { name: "b" op: "BatchCholesky" input: "a" attr { key: "T" value { type: DT_FLOAT } } }"""
    return text_format.Parse(text % producer, tf.GraphDef())


def _failures(tf):
    """Which asserts of tf.test.TestCase do not hold or do not fail as they have to."""
    class Case(tf.test.TestCase):
        def runTest(self):
            pass
    case, x = Case(), [1.0, 2.0, 3.0]
    case.setUp()
    wrong = []
    for name, holds, fails in (
            ("assertAllInRange", (x, 1.0, 3.0), (x, 1.0, 3.0, True)), ("assertAllInSet", (x, {1.0, 2.0, 3.0}), (x, {1.0})),
            ("assertNotAllClose", (x, [1.0, 2.0, 4.0]), (x, x)), ("assertNotAllEqual", (x, [0.0, 2.0, 3.0]), (x, x)),
            ("assertAllGreaterEqual", (x, 1.0), (x, 2.0)), ("assertAllLessEqual", (x, 3.0), (x, 2.0)),
            ("assertBetween", (2, 1, 3), (4, 1, 3)), ("assertEmpty", ([],), (x,)), ("assertNotEmpty", (x,), ([],)),
            ("assertLen", (x, 3), (x, 2)), ("assertSameElements", (x, x[::-1]), (x, [1.0])),
            ("assertItemsEqual", (x, x[::-1]), (x, [1.0])), ("assertContainsSubset", ([1.0], x), ([4.0], x)),
            ("assertNoCommonElements", ([4.0], x), ([1.0], x)), ("assertEndsWith", ("abc", "bc"), ("abc", "ab")),
            ("assertContainsInOrder", (["a", "c"], "abc"), (["c", "a"], "abc")),
            ("assertRegexMatch", ("abc", ["x", "b"]), ("abc", ["x"])),
            ("assertSequenceAlmostEqual", (x, x), (x, [1.0, 2.0, 3.1])),
            ("assertProtoEquals", ("version: 3", tf.GraphDef(version=3)), ("version: 3", tf.GraphDef()))):
        getattr(case, name)(*holds)
        try:
            getattr(case, name)(*fails)
        except AssertionError:
            continue
        wrong.append(name)
    return wrong


def other_checks(tf):
    """What has no recorded call."""
    yield "signatures", all(str(inspect.signature(getattr(tf.raw_ops, k))) == v for k, v in _SIGNATURES.items())
    yield "keywords-only", raises(
        lambda: tf.raw_ops.Add(1, 2), TypeError,
        "Add only takes keyword args (possible keys: ['x', 'y', 'name']). Please pass these args as kwargs instead.")
    yield "removed-op", raises(
        lambda: tf.raw_ops.BatchCholesky(input=[[1.0]]), NotImplementedError,
        "Op BatchCholesky is not available in GraphDef version 134. It has been removed in version 13. Use Cholesky instead..")
    yield "removed-op-in-a-file", raises(
        lambda: tf.import_graph_def(_old_graph(tf, 134)), tf.errors.UnimplementedError,
        "Op BatchCholesky is not available in GraphDef version 134. It has been removed in version 13. Use Cholesky instead..")
    yield "removed-op-in-an-old-file", tf.import_graph_def(_old_graph(tf, 10), return_elements=["b"]) is not None
    yield "asserts", not _failures(tf)
    yield "names-of-old", all(raises(lambda n=n: getattr(tf, n), AttributeError, "module 'tensorflow' has no attribute '%s'" % n)
                              for n in ("mul", "sub", "neg", "top_k", "add_v2", "conv2d"))


def main():
    import flowstep.script
    flowstep.script.install()
    import numpy as np
    import tensorflow as tf
    logging.disable(logging.CRITICAL)
    tf.logging.set_verbosity(tf.logging.FATAL)
    record = recorder()
    with gzip.open(record.GOLDEN) as file:
        wanted = json.load(file)
    others = list(other_checks(tf))
    print("1..%d" % (len(wanted) + len(others)))
    failed = 0
    for i, (call, kind, text) in enumerate(wanted, 1):
        got = record.outcome(call, tf, np) or ["nothing", ""]
        good = got == [kind, text]
        failed += not good
        if not good:
            for name, (k, t) in (("wanted", (kind, text)), ("got", got)):
                print("# %s: %s: %s" % (name, k, t.replace("\n", "\\n")))
        print("%s %d %s" % ("ok" if good else "not ok", i, call.replace("\n", " ").replace("#", "")))
    for i, (name, good) in enumerate(others, len(wanted) + 1):
        failed += not good
        print("%s %d %s" % ("ok" if good else "not ok", i, name))
    sys.exit(failed != 0 or not wanted)


main()
