# cases_differ.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What differ.py found and has been mended: one case each, as it shrank it."""

from record_ops import Case, Out, Ref, Var
from samples import INF, NAN, tensor


def cases():
    yield from ()
