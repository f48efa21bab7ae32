# cases_reduce_half_v2.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Sums and means of half in the order of 2.x."""

from cases_reduce_half import cases  # noqa: F401, recorded with another release

TENSORFLOW = '2.15'
