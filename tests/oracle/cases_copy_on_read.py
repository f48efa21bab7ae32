# cases_copy_on_read.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Of TensorFlow 2's variables."""

from record_ops import Case, Out, Var
from samples import values

TENSORFLOW = '2.15'


def cases():
    v = Var(values('float32', [2, 3]))
    yield Case('DisableCopyOnRead', [v])
    w = Var(values('int32', [2]))
    yield Case('ReadVariableOp', [w], nodes=[('DisableCopyOnRead', [w])], dtype='int32')
