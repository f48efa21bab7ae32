# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Numbers of names and of layers, counted in each graph."""

from ...framework.graph import get_default_graph


def _counts():
    return get_default_graph()._memo.setdefault("layer names", {})


def get_uid(prefix=""):
    counts = _counts()
    key = ("uid", prefix)
    counts[key] = counts.get(key, 0) + 1
    return counts[key]


def unique_name(base, avoid=()):
    """base, base_1, base_2: a layer's name."""
    counts = _counts()
    while True:
        number = counts.get(base, 0)
        counts[base] = number + 1
        name = "%s_%d" % (base, number) if number else base
        if name not in avoid:
            return name


def reset_uids():
    get_default_graph()._memo.pop("layer names", None)
