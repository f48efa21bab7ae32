# cases_collective.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Collectives of one device. Of more TensorFlow waits for the others."""

import numpy as np

from record_ops import Case
from samples import values


def cases():
    key = 1
    for dtype in ('float32', 'float64', 'half', 'int32', 'int64'):
        x = values(dtype, [2, 3])
        for merge in ('Add', 'Mul', 'Min', 'Max'):
            for final in ('Id', 'Div'):
                key += 1
                yield Case('CollectiveReduce', [x], group_size=1, group_key=key, instance_key=key, merge_op=merge, final_op=final,
                           subdiv_offsets=[0])
        yield Case('CollectiveGather', [x], group_size=1, group_key=key + 100, instance_key=key + 100, shape=[2, 3])
    yield Case('CollectiveReduce', [values('float32', [])], group_size=1, group_key=200, instance_key=200, merge_op='Add', final_op='Id',
               subdiv_offsets=[0])
    yield Case('CollectiveReduce', [values('float32', [2])], group_size=0, group_key=201, instance_key=201, merge_op='Add', final_op='Id',
               subdiv_offsets=[0])
    for dtype in ('float32', 'float64', 'half', 'int32', 'int64'):
        key += 1
        yield Case('CollectiveBcastSend', [values(dtype, [2, 3])], group_size=1, group_key=key + 300, instance_key=key + 300, shape=[2, 3])
    yield Case('CollectiveBcastRecv', [], T='float32', group_size=1, group_key=400, instance_key=400, shape=[2])
    yield Case('CollectiveBcastSend', [values('float32', [2, 3])], group_size=1, group_key=401, instance_key=401, shape=[3])
    # A gather of scalars ends TensorFlow, one of another shape than declared reads what is not there.
