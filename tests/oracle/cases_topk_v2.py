# cases_topk_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""How 2.x leaves the best of a row where no order is asked for."""

from record_ops import Case
from samples import values

TENSORFLOW = '2.15'


def cases():
    for dtype in ('float32', 'int32'):
        for shape, k in (([1, 32], 6), ([1, 32], 16), ([2, 10], 3), ([20], 19), ([200], 6), ([40], 2)):
            yield Case('TopKV2', [values(dtype, shape, 0, 9), k], sorted=False)
