# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Prices of houses by thirteen numbers of their quarter."""

import numpy as np

from .places import kept


def load_data(path="boston_housing.npz", test_split=0.2, seed=113):
    assert 0 <= test_split < 1
    path = kept(path, "boston_housing.npz", "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5")
    with np.load(path) as data:
        x, y = data["x"], data["y"]
    np.random.seed(seed)
    order = np.arange(len(x))
    np.random.shuffle(order)
    x, y = x[order], y[order]
    rows = int(len(x) * (1 - test_split))
    return (np.array(x[:rows]), np.array(y[:rows])), (np.array(x[rows:]), np.array(y[rows:]))
