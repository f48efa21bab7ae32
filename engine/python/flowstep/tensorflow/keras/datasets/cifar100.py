# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Small photographs of a hundred kinds of things, or of the twenty that these belong to."""

import os

from .places import cifar_batch, cifar_folder, cifar_pair


def load_data(label_mode="fine"):
    if label_mode not in ["fine", "coarse"]:
        raise ValueError('`label_mode` must be one of `"fine"`, `"coarse"`.')
    folder = cifar_folder("cifar-100-python", "cifar-100-python.tar.gz",
                          "85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7")
    return tuple(cifar_pair(*cifar_batch(os.path.join(folder, part), label_mode + "_labels")) for part in ("train", "test"))
