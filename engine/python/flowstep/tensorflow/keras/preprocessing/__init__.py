# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.preprocessing: sequences and texts as numbers."""

from . import sequence, text  # noqa: F401
