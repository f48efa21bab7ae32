# cases_sequence_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow 1.15 reads out of bounds and later ones refuse, as we do."""

import numpy as np

from record_ops import Case, to_array

TENSORFLOW = '2.15'


def cases():
    for dtype in ('int32', 'float32'):
        yield Case('Bincount', [np.array([1, 2, 3], np.int32), 4, to_array([1, 2], dtype)])
