# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Where values come from: datasets and iterators, queues, barriers and readers."""
