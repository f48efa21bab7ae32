# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.util.tf_contextlib: TensorFlow's decorator of context managers is Python's here."""

from contextlib import contextmanager  # noqa: F401
