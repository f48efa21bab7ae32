# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Horovod as far as TensorFlow scripts use it: horovod.tensorflow."""

__version__ = "0.16.4"
