# cases_sparse_cross_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Crossed features with a separator of one's own, as TensorFlow 2 has them."""

import numpy as np

from record_ops import Case

TENSORFLOW = '2.15'


def cases():
    i = lambda v: np.array(v, np.int64)
    s = lambda *v: np.array(list(v), object)
    first = (i([[0, 0], [1, 0]]), s('p', 'q'), i([2, 1]))
    second = (i([[0, 0], [1, 0], [1, 1]]), s('u', 'v', 'w'), i([2, 2]))
    numbers = (i([[0, 0], [1, 0]]), i([7, -8]), i([2, 1]))
    dense = np.array([['a'], ['b']], object)
    cross = lambda columns, denses, sep: Case('SparseCrossV2', [
        [c[0] for c in columns], [c[1] for c in columns], [c[2] for c in columns], denses, sep], N=len(columns))
    for sep in ('_X_', '-', '', ', '):
        yield cross([first, second], [], np.array(sep, object))
        yield cross([first, numbers], [dense], np.array(sep, object))
    yield cross([first], [i([[1, 2], [3, 4]])], np.array('*', object))
    yield cross([(i([[0, 0]]), s('p', 'q'), i([2, 1]))], [], np.array('_', object))
    yield cross([first, (i([[0, 0]]), s('z'), i([3, 1]))], [], np.array('_', object))
