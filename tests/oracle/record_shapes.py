#!/usr/bin/env python3
# record_shapes.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow's own shape functions find in a graph without its _output_shapes.

    python tests/oracle/record_shapes.py OUT.json.gz NAME=FILE...      (FILE: a .meta, also .xz)

With TensorFlow 1.15.5, or 2.15.1 for what 1.15 cannot read: what OUT has already is kept. _output_shapes hold more than shape functions know: whatever a script said by
set_shape (). The file: {NAME: {"node:slot": [dims] or null for an unknown rank}}, only of tensors of
which something is known; -1 is an unknown dimension.
"""

import gzip
import json
import lzma
import os
import sys

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')

import tensorflow.compat.v1 as tf
try:
    import tensorflow.contrib  # noqa: F401 (registers its ops)
except ImportError:
    tf.disable_v2_behavior()
from tensorflow.core.protobuf import meta_graph_pb2


def shapes(path):
    raw = (lzma.open if path.endswith('.xz') else open)(path, 'rb').read()
    meta = meta_graph_pb2.MetaGraphDef.FromString(raw)
    for node in meta.graph_def.node:
        node.attr.pop('_output_shapes', None)
        node.device = ''
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(meta.graph_def, name='', producer_op_list=meta.meta_info_def.stripped_op_list)
    found = {}
    for op in graph.get_operations():
        for t in op.outputs:
            if t.shape.ndims is not None:
                found[t.name] = [-1 if d is None else d for d in t.shape.as_list()]
    return found


def main():
    document = {}
    if os.path.exists(sys.argv[1]):
        document = json.loads(gzip.open(sys.argv[1]).read())
    for argument in sys.argv[2:]:
        name, path = argument.split('=', 1)
        try:
            document[name] = shapes(path)
        except Exception as error:
            print(name, type(error).__name__, str(error)[:120])
            continue
        print(name, len(document[name]))
    text = json.dumps(document, sort_keys=True, separators=(',', ':')).encode()
    with open(sys.argv[1], 'wb') as f:
        with gzip.GzipFile(filename='', mode='wb', fileobj=f, mtime=0) as z:
            z.write(text)


main()
