# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Graphs and values in files: checkpoints, MetaGraphDefs, saved models, events."""
