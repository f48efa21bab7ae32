# cases_accelerator.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Ops of GPUs and TPUs: TensorFlow's CPU has none."""

import numpy as np

from record_ops import Case
from samples import values


def cases():
    x, h, p = values('float32', [5, 2, 3]), values('float32', [1, 2, 4]), values('float32', [9])
    n = np.int32(1)
    yield Case('CudnnRNN', [x, h, h, p])
    yield Case('CudnnRNNV2', [x, h, h, p], rnn_mode='gru')
    yield Case('CudnnRNNV3', [x, h, h, p, np.int32([5, 5])])
    results = [x, h, h, x, h, h, p]
    yield Case('CudnnRNNBackprop', [x, h, h, p] + results)
    yield Case('CudnnRNNBackpropV2', [x, h, h, p] + results + [np.int8([0])])
    yield Case('CudnnRNNBackpropV3', [x, h, h, p, np.int32([5, 5])] + results + [np.int8([0])])
    yield Case('CudnnRNNParamsSize', [n, n, n], T='float32', S='int32')
    yield Case('CudnnRNNCanonicalToParams', [n, n, n, [h, h], [p, p]])
    yield Case('CudnnRNNParamsToCanonical', [n, n, n, p], num_params=2)
    yield Case('NcclAllReduce', [p], reduction='sum', num_devices=2, shared_name='a')
    yield Case('NcclReduce', [[p, p]], reduction='sum')
    yield Case('NcclBroadcast', [p], shape=[9])
    yield Case('CrossReplicaSum', [p, np.int32([[0]])])
    yield Case('TPUReplicatedInput', [[p, p]])
    yield Case('TPUReplicatedOutput', [p], num_replicas=2)
    yield Case('TPUCompilationResult')
    yield Case('TPUReplicateMetadata', num_replicas=2)
    yield Case('InfeedDequeue', dtype='float32', shape=[2])
    yield Case('InfeedEnqueue', [p])
    yield Case('InfeedEnqueueTuple', [[p, n]], shapes=[[9], []])
    yield Case('InfeedDequeueTuple', dtypes=['float32', 'int32'], shapes=[[9], []])
    yield Case('OutfeedEnqueue', [p])
    yield Case('OutfeedEnqueueTuple', [[p, n]])
    yield Case('OutfeedDequeue', dtype='float32', shape=[2])
    yield Case('OutfeedDequeueTuple', dtypes=['float32', 'int32'], shapes=[[9], []])
