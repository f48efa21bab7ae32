# cases_crosses_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Crossed features as hashes, and of ragged columns, as TensorFlow 2 has them."""

import numpy as np

from record_ops import Case

TENSORFLOW = '2.15'


def i(v):
    return np.array(v, np.int64)


def s(*v):
    return np.array(list(v), object)


FIRST = (i([[0, 0], [1, 0]]), s('p', 'q'), i([2, 1]))
SECOND = (i([[0, 0], [1, 0], [1, 1]]), s('u', 'v', 'w'), i([2, 2]))
NUMBERS = (i([[0, 0], [1, 0]]), i([7, -8]), i([2, 1]))
WORDS = np.array([['a'], ['b']], object)
PAIRS = i([[1, 2], [3, -4]])


def hashed(columns, denses, buckets=0, strong=False, salt=(1, 2)):
    return Case('SparseCrossHashed', [[c[0] for c in columns], [c[1] for c in columns], [c[2] for c in columns], denses,
                                      i(buckets), np.array(strong), i(list(salt))], N=len(columns))


def ragged(raggeds, sparses, denses, order, out='string', splits='int64', buckets=0, key=956888297470, **more):
    inputs = [[r[0] for r in raggeds], [np.array(r[1], splits) for r in raggeds], [x[0] for x in sparses], [x[1] for x in sparses],
              [x[2] for x in sparses], denses]
    return Case('RaggedCross', inputs, Nsparse=len(sparses), input_order=order, hashed_output=out == 'int64', num_buckets=buckets,
                hash_key=key, out_values_type=out, out_row_splits_type=splits, **more)


def cases():
    for strong in (False, True):
        for buckets in (0, 100):
            yield hashed([FIRST, SECOND], [], buckets, strong)
            yield hashed([FIRST, NUMBERS], [WORDS], buckets, strong)
            yield hashed([NUMBERS], [WORDS], buckets, strong, (7, -3))
            # TensorFlow ends itself on a keyed hash of dense numbers.
            yield hashed([], [WORDS if strong else PAIRS, WORDS], buckets, strong)
    yield hashed([FIRST], [], salt=(1,))
    yield hashed([FIRST, (i([[0, 0]]), s('z'), i([3, 1]))], [])
    one = (s('x', 'y', 'z'), [0, 2, 3])
    two = (i([4, -5, 6]), [0, 0, 3])
    for out in ('string', 'int64'):
        for splits in ('int32', 'int64'):
            yield ragged([one], [], [], 'R', out, splits)
            yield ragged([one, two], [], [], 'RR', out, splits)
            yield ragged([one], [FIRST], [WORDS], 'RSD', out, splits, 10)
            yield ragged([one], [SECOND], [PAIRS], 'DSR', out, splits, key=3)
        yield ragged([], [FIRST, NUMBERS], [], 'SS', out)
        yield ragged([], [], [WORDS, PAIRS], 'DD', out)
    yield ragged([one], [], [], 'RR')
    yield ragged([one], [], [], 'D')
    yield ragged([one], [FIRST], [], 'RX')
    yield ragged([(s('x', 'y'), [0, 2])], [FIRST], [], 'RS')
    yield ragged([(s('x', 'y'), [0, 1])], [], [], 'R')
    yield ragged([(s('x', 'y'), [1, 2])], [], [], 'R')
    yield ragged([(s('x', 'y'), [0, 2, 1, 2])], [], [], 'R')
    yield ragged([], [], [s('a')], 'D')
    yield ragged([], [(i([[0, 0]]), s('a'), i([2, 2, 2]))], [], 'S')
