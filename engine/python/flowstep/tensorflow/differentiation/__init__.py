# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Gradients: over the builder's rules, over a script's, and by a tape."""
