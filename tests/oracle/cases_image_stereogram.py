# cases_image_stereogram.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Pictures of dots. Colours come from the C library's rand(), which is seeded here before each case."""

import ctypes

import numpy as np
import tensorflow.contrib.image.python.ops.single_image_random_dot_stereograms  # noqa: F401  registers the op

from record_ops import Case

LIBC = ctypes.CDLL(None)


def cases():
    def case(z, **attrs):
        # A generator: the case before was run by now.
        LIBC.srand(1)
        attrs.setdefault('output_image_shape', [40, 16, 1])
        attrs.setdefault('output_data_window', [32, 10])
        attrs.setdefault('convergence_dots_size', 3)
        attrs.setdefault('dots_per_inch', 6)
        return Case('SingleImageRandomDotStereograms', [z], **attrs)
    z = np.array([[1, 2, 3, 3], [3, 2, 1, 0], [0, 5, 5, 0]])
    for dtype in ('float32', 'float64', 'int32', 'int64'):
        yield case(z.astype(dtype))
    z = z.astype('float32')
    yield case(z, hidden_surface_removal=False)
    yield case(z, number_colors=2)
    yield case(z, number_colors=300)
    yield case(z, output_image_shape=[40, 16, 3])
    yield case(z, convergence_dots_size=0)
    yield case(z, normalize=False)
    yield case(z, normalize_max=4.0, normalize_min=1.0)
    yield case(z / 5, border_level=0.5, mu=0.6)
    yield case(z, eye_separation=0.5)
    yield case(z[:1, :1])
    yield case(np.full([2, 2], 3, 'float32'))
    yield case(z, output_data_window=[40, 16])
