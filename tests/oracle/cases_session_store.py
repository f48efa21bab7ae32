# cases_session_store.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from cases_reader import Chain
from record_ops import Case
from samples import values


def cases():
    c = Chain()
    m = c.add('MutexV2')
    for _ in range(2):
        lock = c.add('MutexLock', [m])
        c.add('ConsumeMutexLock', [lock])
    yield c.case()
    yield Case('ConsumeMutexLock', [Chain().add('OptionalNone')], nodes=[('OptionalNone', [], {})])
    c = Chain()
    q = c.queue('a', 'b')
    old = c.add('FakeQueue', [q])
    c.add('QueueSize', [old])
    yield c.case()
    for handle in ('nothing', ''):
        yield Case('GetSessionTensor', [np.array(handle, object)], dtype='float32')
        yield Case('DeleteSessionTensor', [np.array(handle, object)])
    yield Case('GetSessionHandle', [values('float32', [2])], meaningless=(0,))
    yield Case('GetSessionHandleV2', [values('float32', [2])], meaningless=(0,))
