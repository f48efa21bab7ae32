# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.util."""

from ..framework.ops import constant_value, make_ndarray  # noqa: F401
