# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What graphs are made of: ops and tensors, their types and shapes, devices, messages; the engine under them."""
