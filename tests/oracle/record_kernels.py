#!/usr/bin/env python3
# record_kernels.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Writes ../golden/kernels-1.15.5.json: every kernel that TensorFlow 1.15.5 registers for the CPU.

    python tests/oracle/record_kernels.py

{"tensorflow": version, "ops": {op type: [kernel]}}, a kernel being {attr: "dtype dtype ..."} with
TensorFlow's names ("float", "int32"); {} serves all dtypes. Kernels with a label are left out: no
graph reaches them without asking for it. Equal kernels stand once.
"""

import json
import os

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ.setdefault('CUDA_VISIBLE_DEVICES', '')

import tensorflow.compat.v1 as tf
from tensorflow.core.framework import types_pb2
from tensorflow.python.framework import kernels

HERE = os.path.dirname(os.path.abspath(__file__))


def enum_name(t):
    return types_pb2.DataType.Name(t)[3:].lower()


def main():
    ops = {}
    for k in kernels.get_all_registered_kernels().kernel:
        if k.device_type != 'CPU' or k.label:
            continue
        row = {c.name: ' '.join(enum_name(t) for t in c.allowed_values.list.type)
               for c in k.constraint}
        rows = ops.setdefault(k.op, [])
        if row not in rows:
            rows.append(row)
    for rows in ops.values():
        rows.sort(key=lambda r: json.dumps(r, sort_keys=True))
    path = os.path.join(HERE, '..', 'golden', 'kernels-%s.json' % tf.__version__)
    with open(path, 'w') as f:
        f.write('{"tensorflow": "%s", "ops": {\n' % tf.__version__)
        f.write(',\n'.join('%s: %s' % (json.dumps(op), json.dumps(ops[op], sort_keys=True))
                           for op in sorted(ops)))
        f.write('\n}}\n')
    print('%d ops, %d kernels' % (len(ops), sum(len(r) for r in ops.values())))


if __name__ == '__main__':
    main()
