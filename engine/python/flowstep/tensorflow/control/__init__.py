# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Conditions, loops and functions, of both versions, and arrays of tensors."""
