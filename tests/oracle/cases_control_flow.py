# cases_control_flow.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from record_ops import Case, Ref
from samples import values


def f(*shape):
    return values('float32', list(shape))


def cases():
    yield Case('Switch', [f(2), np.array([True])])
    yield Case('Switch', [f(2), np.array([True, False])])
    yield Case('RefSwitch', [Ref(f(2)), np.array([True])])
    yield Case('LoopCond', [np.array(True)])
    yield Case('ControlTrigger')
    for index in (0, 1, 2, -1):
        yield Case('RefSelect', [np.int32(index), [Ref(f(2)), Ref(f(3))]])
    yield Case('RefSelect', [np.int32([0]), [Ref(f(2)), Ref(f(3))]])
    yield Case('RefIdentity', [Ref(f(2))])
