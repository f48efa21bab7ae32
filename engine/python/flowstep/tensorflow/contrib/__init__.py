# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib: what of it scripts of TensorFlow 1 use."""

from . import framework, layers, losses, metrics, slim, training, util  # noqa: F401
