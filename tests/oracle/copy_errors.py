#!/usr/bin/env python3
# copy_errors.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/golden/errors/texts.json: what TensorFlow says to typical mistakes, and the names that stood in the
graph then. python copy_errors.py FOLDER, where FOLDER has 1.15/index.json and 2.15/index.json with their graphs.
Runs with either release of TensorFlow.
"""

import json
import os
import sys

from tensorflow.core.framework import graph_pb2

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "errors", "texts.json")


def main(folder):
    rows = []
    for release in ("1.15", "2.15"):
        with open(os.path.join(folder, release, "index.json")) as f:
            entries = json.load(f)
        for entry in entries:
            graph = graph_pb2.GraphDef()
            if entry.get("graph"):
                with open(os.path.join(folder, release, entry["graph"]), "rb") as f:
                    graph.ParseFromString(f.read())
            row = {"name": entry["name"] + " " + release, "message": entry["message"],
                   "nodes": " ".join(node.name for node in graph.node)}
            for key in ("op", "code"):
                if entry.get(key) is not None:
                    row[key] = entry[key]
            rows.append(row)
    with open(OUT, "w") as f:
        json.dump(rows, f, indent=0, sort_keys=True)
        f.write("\n")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
