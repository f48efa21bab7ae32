# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.test: cases, what they assert, and what they are decorated with."""
