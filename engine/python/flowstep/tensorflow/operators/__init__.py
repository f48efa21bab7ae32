# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Composites of tf, by what they compute with: numbers, texts, pictures, sparse and ragged tensors, tables, files' records."""
