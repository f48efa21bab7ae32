# record_composites.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Writes golden/python/composites.txt.gz: the nodes that TensorFlow 1.15 makes of every case of cases_composites.py and
cases_families.py.

usage: python record_composites.py [OUT]"""

import gzip
import json
import os
import sys
import warnings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from record_gradients import nodes  # noqa: E402


def run(tf, build):
    with tf.Graph().as_default() as graph:
        build(tf)
        return nodes(graph.as_graph_def())


def main():
    import tensorflow as tf
    import cases_composites
    import cases_families
    tf.logging.set_verbosity(tf.logging.FATAL)
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "..", "golden", "python", "composites.txt.gz")
    lines = []
    for name, build in sorted({**cases_composites.CASES, **cases_families.CASES}.items()):
        lines.append("# " + name)
        lines.extend(json.dumps(line, sort_keys=True, separators=(",", ":")) for line in run(tf, build))
    with open(out, "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
            packed.write("\n".join(lines).encode())


if __name__ == "__main__":
    main()
