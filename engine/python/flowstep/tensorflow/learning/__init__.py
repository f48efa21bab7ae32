# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Layers, cells, sequences, optimizers and measures."""
