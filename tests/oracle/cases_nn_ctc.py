# cases_nn_ctc.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Connectionist temporal classification: loss, greedy and beam search decoding."""

import numpy as np

from record_ops import Case, to_array


def cases():
    x = np.random.RandomState(1).randn(4, 2, 3).astype(np.float32)
    long = np.random.RandomState(2).randn(30, 3, 8).astype(np.float32) * 2

    def loss(x, indices, values, lengths, **attrs):
        tolerance = 2e-5 if x.dtype == np.float32 else 1e-6
        return Case('CTCLoss', [x, np.array(indices, np.int64), np.array(values, np.int32), np.array(lengths, np.int32)],
                    attrs, tolerance=tolerance)

    two = [[0, 0], [1, 0]]
    yield loss(x, two, [0, 1], [4, 4])
    yield loss(x.astype(np.float64), two, [0, 1], [4, 3])
    many = [[0, i] for i in range(5)] + [[1, i] for i in range(9)] + [[2, 0]]
    labels = [1, 1, 2, 3, 3] + [0, 6, 6, 5, 4, 4, 4, 1, 2] + [3]
    for attrs in ({}, {'preprocess_collapse_repeated': True}, {'ctc_merge_repeated': False}):
        yield loss(long, many, labels, [30, 25, 7], **attrs)
    # A sequence of blanks alone makes TensorFlow 1.15 read before its table: no case.
    yield loss(x, [[0, 0], [1, 0], [1, 1]], [0, 1, 1], [4, 2])
    yield loss(x, [[0, 0], [1, 0], [1, 1], [1, 2]], [0, 1, 0, 1], [4, 2], ignore_longer_outputs_than_inputs=True)
    yield loss(x, [[0, 0], [1, 0], [1, 1], [1, 2]], [0, 1, 0, 1], [4, 2])
    yield loss(x, [[0, 0]], [0], [4, 4])
    yield loss(x, two, [0, 1], [4, 0])
    yield loss(x, two, [0, 1], [4, 5])
    yield loss(x, two, [0, 1], [4, -1])
    yield loss(x, two, [0, -1], [4, 4])
    yield loss(x, [[0, 0], [1, 0], [1, 1]], [0, 2, 1], [4, 4])
    yield loss(x, [[0, 0], [2, 0]], [0, 1], [4, 4])
    yield loss(x, [[1, 0], [0, 0]], [0, 1], [4, 4])
    yield loss(x, two, [0, 1, 1], [4, 4])
    yield loss(x, two, [0, 1], [4, 4, 4])
    yield loss(x, [0, 1], [0, 1], [4, 4])
    yield loss(x[0], two, [0, 1], [4, 4])
    for dtype in (np.float32, np.float64):
        for merge in (False, True):
            yield Case('CTCGreedyDecoder', [long.astype(dtype), np.array([30, 12, 0], np.int32)], merge_repeated=merge,
                       tolerance=1e-5)
            yield Case('CTCBeamSearchDecoder', [long.astype(dtype), np.array([30, 12, 20], np.int32)],
                       merge_repeated=merge, beam_width=10, top_paths=3, tolerance=2e-5)
    yield Case('CTCBeamSearchDecoder', [x, np.array([4, 3], np.int32)], beam_width=100, top_paths=1, tolerance=2e-5)
    yield Case('CTCBeamSearchDecoder', [x, np.array([4, 3], np.int32)], beam_width=2, top_paths=3)
    yield Case('CTCBeamSearchDecoder', [x, np.array([1, 0], np.int32)], beam_width=20, top_paths=3)
    yield Case('CTCGreedyDecoder', [x, np.array([4, 5], np.int32)])
    yield Case('CTCGreedyDecoder', [x, np.array([4], np.int32)])
    yield Case('CTCGreedyDecoder', [x[0], np.array([4], np.int32)])
    yield Case('CTCGreedyDecoder', [x, np.array([0, -1], np.int32)])
