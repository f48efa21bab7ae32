# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.examples: what tutorials import from there."""
