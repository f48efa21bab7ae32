# differ_accepted.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Differences from TensorFlow 1.15.5 that are meant, each with its reason."""

import re

# (op, problem) as regular expressions, the reason.
ACCEPTED = [
    ('Sqrt|Rsqrt', r'is (inf|0), TensorFlow has -?nan',
     "Eigen's vector square root of infinity is NaN, its scalar one not: which cells are NaN hangs on where they lie"),
    ('Reciprocal|Inv|Div|RealDiv', r'(inf|nan), TensorFlow has -?(nan|inf)',
     'complex: numbers divided by zero are NaN in whole vectors and infinite in the rest, or the other way round'),
]

COMPILED = [(re.compile(op + r'\Z'), re.compile(problem)) for op, problem, _ in ACCEPTED]


def accepted(case, problem, record):
    return any(op.match(case.op) and text.search(problem) for op, text in COMPILED)
