# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Where tf shows what stands in the other rooms, and what TensorFlow's own paths lead to."""
