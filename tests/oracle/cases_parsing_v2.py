# cases_parsing_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""ParseExampleV2, which TensorFlow 1.15 lacks."""

import numpy as np

from cases_parsing import FULL, PART, SHORT, SPARSE, f32, strings
from record_ops import Case

TENSORFLOW = '2.15'


def batch(serialized):
    return [strings(*serialized), strings(), strings(*[k for k, _ in SPARSE]), strings(b'x', b'n'),
            strings(), [f32([]), np.array([], np.int64)]]


def cases():
    more = {'num_sparse': 2, 'sparse_types': [t for _, t in SPARSE], 'dense_shapes': [[2], []],
            'ragged_value_types': [], 'ragged_split_types': []}
    for serialized in ([FULL, PART], [FULL], [], [b''], [SHORT]):
        yield Case('ParseExampleV2', batch(serialized), **more)
