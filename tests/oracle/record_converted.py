#!/usr/bin/env python3
# record_converted.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Records tests/golden/formats/converted.tsv: for every model file the SHA-256 of what TensorFlow's protobuf writes
of it: in deterministic order (that of 1.15: the later one orders map keys by a rule of its own), and as text, by
2.15, which knows all fields ("-" where 1.15 cannot read it, a text file is spelled otherwise than it prints, or
where an Any is spelled out).

.../1.15/bin/python tests/oracle/record_converted.py FIXTURES, then the same with .../2.15/bin/python
"""

import gzip
import hashlib
import lzma
import os
import sys

from google.protobuf import text_format
from google.protobuf.internal import api_implementation
from tensorflow.core.framework import graph_pb2
from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "..", "golden")
# In the order of FlowModelKind.
KINDS = [graph_pb2.GraphDef, meta_graph_pb2.MetaGraphDef, saved_model_pb2.SavedModel]


def find(folder):
    for root, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            base = name[:-3] if name.endswith((".gz", ".xz")) else name
            if base.endswith((".pb", ".pbtxt", ".meta")):
                yield os.path.relpath(os.path.join(root, name), folder)


def read(path):
    with open(path, "rb") as f:
        data = f.read()
    if data[:2] == b"\x1f\x8b":
        return gzip.decompress(data)
    return lzma.decompress(data) if data[:2] == b"\xfd7" else data


def parse(name, data):
    """The message, its kind, and whether it came as text."""
    is_text = data.lstrip()[:1] in b"nvlmso#" and b"{" in data[:400] and b"\0" not in data[:200]
    base = os.path.basename(name)
    kinds = [2, 0, 1] if "saved_model" in base or "half_plus_two" in base else [1, 0, 2] if ".meta" in base else [0, 1, 2]
    for kind in kinds:
        message = KINDS[kind]()
        try:
            if is_text:
                text_format.Merge(data, message)
            else:
                message.ParseFromString(data)
        except Exception:  # pylint: disable=broad-except
            continue
        if message.ByteSize() and (is_text or message.ByteSize() >= len(data) * 0.9):
            return message, kind, is_text
    return None, None, is_text


def main(fixtures):
    rows = []
    table = os.path.join(GOLDEN, "formats", "converted.tsv")
    ordered = {}
    if api_implementation.Type() != "cpp":
        with open(table) as f:
            ordered = {tuple(row[:2]): row[3] for row in (line.rstrip("\n").split("\t") for line in f)}
    for place, folder in (("golden", GOLDEN), ("fixtures", fixtures)):
        for name in find(folder):
            data = read(os.path.join(folder, name))
            message, kind, is_text = parse(name, data)
            # Python's parser makes Latin-1 of \\u in bytes, C++ makes UTF-8.
            if message is None or (is_text and b"\\u" in data):
                print("no model:", name)
                continue
            text = text_format.MessageToString(message).encode()
            sums = [hashlib.sha256(message.SerializeToString(deterministic=True)).hexdigest(),
                    hashlib.sha256(text).hexdigest()]
            # Python spells out what an Any holds; we keep its bytes.
            if (is_text and text != data) or b"[type.googleapis.com" in text:
                sums[1] = "-"
            if ordered:
                sums[0] = ordered.get((place, name), "-")
            rows.append([place, name, str(kind)] + sums)
    with open(table, "w") as f:
        for row in rows:
            f.write("\t".join(row) + "\n")
    print(len(rows), "files", len(ordered))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
