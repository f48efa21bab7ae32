# test-errors.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Wrong scripts raise what TensorFlow 1.15.5 raises for them, class and text: golden/python/errors.json.gz, and those of
the shared recordings that TensorFlow's Python raises, where they are there."""

import gzip
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import flowstep.script

flowstep.script.install()

import tensorflow.compat.v1 as tf  # noqa: E402,F401
from error_cases import run_in_child  # noqa: E402

GOLDEN = os.path.join(os.environ["G_TEST_SRCDIR"], "golden", "python", "errors.json.gz")
SHARED = os.path.join(os.environ.get("FLOW_TEST_SHARED", ""), "fixtures", "recorded", "errors", "1.15", "index.json")
PRELUDE = """import numpy as np
import tensorflow.compat.v1 as tf


def _p(name, shape=None, dtype=tf.float32):
    return tf.placeholder(dtype, shape, name=name)
"""


def cases():
    with gzip.open(GOLDEN) as file:
        document = json.load(file)
    for case in document["cases"]:
        yield document["prelude"], case
    if os.path.exists(SHARED):
        with open(SHARED) as file:
            for case in json.load(file):
                if case["raised_by"] == "python":
                    yield PRELUDE, case


def main():
    found = list(cases())
    print("1..%d" % len(found))
    failed = 0
    os.chdir(tempfile.mkdtemp())
    os.mkdir("ckpt")
    for i, (prelude, case) in enumerate(found, 1):
        want = case["class"], case["message"]
        got = run_in_child(prelude, case["source"], case["name"])
        failed += got != want
        print("%s %d %s" % ("ok" if got == want else "not ok", i, case["name"]))
        if got != want:
            for text in ("want %s: %s" % want, "got %s: %s" % got):
                print("".join("# %s\n" % line for line in text.splitlines()), end="")
    sys.exit(failed != 0)


main()
