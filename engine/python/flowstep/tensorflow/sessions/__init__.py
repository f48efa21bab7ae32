# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Running graphs: sessions, those with hooks, servers, and what is told of a run."""
