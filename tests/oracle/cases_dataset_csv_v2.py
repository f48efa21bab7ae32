# cases_dataset_csv_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Comma-separated files as TensorFlow 2 reads them: columns may be left out by name of their number."""

import numpy as np

from cases_dataset import I64, i64, take
from cases_dataset_csv import CSV, s

TENSORFLOW = '2.15'


def csv(name, columns=(), excluded=(), defaults=None):
    if defaults is None:
        defaults = [np.zeros(0, 'int32'), s(['d']), np.array([-1], 'float32')]

    def make(p):
        p.file(name, CSV[name])
        types = ['string' if d.dtype == object else d.dtype.name for d in defaults]
        return p.ds('CSVDatasetV2', [s(name), s(''), i64(100), np.array(False), s(','), np.array(True), s(''), np.array(columns, I64),
                                     list(defaults), np.array(excluded, I64)], types)
    return make


def cases():
    two = [np.zeros(0, 'int32'), np.array([5], 'float32')]
    yield from take(csv('plain.csv'), 1, 2, 3)
    yield from take(csv('quotes.csv'), 1, 2, 3)
    yield from take(csv('plain.csv', [0, 2], defaults=two), 1, 2)
    yield from take(csv('plain.csv', [], [1], defaults=two), 1, 2)
    yield from take(csv('plain.csv', [], [0, 1], defaults=two[1:]), 1, 2)
    yield from take(csv('plain.csv', [0], [1], defaults=two), 1)
    yield from take(csv('plain.csv', [], [-1], defaults=two), 1)
    yield from take(csv('plain.csv', [], [2, 1], defaults=two), 1)
    yield from take(csv('few.csv', [], [1], defaults=two), 1)
