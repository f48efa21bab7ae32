#!/usr/bin/env python3
# join_graphs.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Joins graphs under scopes of their own into one large GraphDef, for measuring: real graphs, only more of them.

    python3 tests/bench/join_graphs.py OUT.pb N_NODES FILE.meta|FILE.pb...

Takes the files in turn, copy_0/, copy_1/, ..., until there are N_NODES. Needs nothing but Python: it copies the fields
of each NodeDef and changes its name and inputs.
"""

import pathlib
import sys


def varint(data, pos):
    value = shift = 0
    while True:
        byte = data[pos]
        pos += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, pos


def put(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data):
    """(number, wire type, payload, all of its bytes)"""
    pos = 0
    while pos < len(data):
        begin = pos
        key, pos = varint(data, pos)
        kind = key & 7
        if kind == 2:
            size, pos = varint(data, pos)
        else:
            size = {0: None, 1: 8, 5: 4}[kind]
            if size is None:
                end = varint(data, pos)[1]
                size = end - pos
        yield key >> 3, kind, data[pos:pos + size], data[begin:pos + size]
        pos += size


def nodes(path):
    data = pathlib.Path(path).read_bytes()
    if path.endswith(".meta"):
        data = next(payload for number, _, payload, _ in fields(data) if number == 2)
    return [list(fields(payload)) for number, _, payload, _ in fields(data) if number == 1]


def with_prefix(node, prefix):
    out = bytearray()
    for number, _, payload, whole in node:
        if number == 1:
            payload = prefix + payload
        elif number == 3:
            payload = b"^" + prefix + payload[1:] if payload[:1] == b"^" else prefix + payload
        elif number == 5 and payload[:8] in (b"\x0a\x06_class",):
            continue
        else:
            out += whole
            continue
        out += put(number << 3 | 2) + put(len(payload)) + payload
    return put(1 << 3 | 2) + put(len(out)) + bytes(out)


def main():
    out, wanted, files = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    graphs = [nodes(f) for f in files]
    total = copy = 0
    with open(out, "wb") as f:
        while total < wanted:
            for node in graphs[copy % len(graphs)]:
                f.write(with_prefix(node, b"copy_%d/" % copy))
            total += len(graphs[copy % len(graphs)])
            copy += 1
    print("%s: %d nodes of %d copies" % (out, total, copy))


main()
