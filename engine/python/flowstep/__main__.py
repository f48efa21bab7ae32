# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""python3 -m flowstep SCRIPT [ARG...]: runs a TensorFlow-1 script on the engine."""

from flowstep.script import main

main()
