# cases_tensor_list_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow 2 added to lists of tensors."""

import numpy as np

from cases_tensor_list import ROWS, LENGTH, chain, i32, of, op, reserve, stack
from record_ops import Out

TENSORFLOW = '2.15'


def put(i, resize):
    return op('TensorListSetItem', Out(-1), np.array(i, np.int32), ROWS[1], element_dtype='float32',
              resize_if_index_out_of_bounds=resize)


def cases():
    for resize in (False, True):
        for i in (0, 3, 5):
            yield chain(of(ROWS), put(i, resize), stack(shape=i32(2)))
    yield chain(reserve(0), put(4, True), LENGTH)
