# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Variables: what makes them, what they begin with, and the scopes that they are found in again."""
