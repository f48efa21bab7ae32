# cases_reduce_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow 1.15 lets pass and later ones refuse, as we do."""

from record_ops import Case
from samples import values

TENSORFLOW = '2.15'


def cases():
    for op in ('Sum', 'Mean', 'Prod', 'Max', 'Min', 'EuclideanNorm', 'All', 'Any'):
        x = values('bool' if op in ('All', 'Any') else 'float32', [2, 3])
        for axes in ([0, 0], [0, -2], [1, 0, 1]):
            yield Case(op, [x, axes])
