# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What TensorFlow keeps in tensorflow.python.tools: looking into checkpoints, freezing graphs, cutting them down."""
