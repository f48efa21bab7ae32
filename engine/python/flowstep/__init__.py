# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Flowstep from Python. The TensorFlow-1 face is flowstep.tensorflow, loaded when it is used."""

__version__ = "0.1.0"
