# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Handwritten digits."""

import numpy as np

from .places import kept


def load_data(path="mnist.npz"):
    with np.load(kept(path, "mnist.npz", "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1")) as data:
        return (data["x_train"], data["y_train"]), (data["x_test"], data["y_test"])
