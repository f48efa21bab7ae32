# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Small photographs of ten kinds of things."""

import os

import numpy as np

from .places import cifar_batch, cifar_folder, cifar_pair

_BATCHES, _BATCH = 5, 10000


def load_data():
    folder = cifar_folder("cifar-10-batches-py", "cifar-10-python.tar.gz",
                          "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce")
    images = np.empty((_BATCHES * _BATCH, 3, 32, 32), dtype="uint8")
    labels = np.empty((_BATCHES * _BATCH,), dtype="uint8")
    for i in range(_BATCHES):
        rows = slice(i * _BATCH, (i + 1) * _BATCH)
        images[rows], labels[rows] = cifar_batch(os.path.join(folder, "data_batch_%d" % (i + 1)))
    test_images, test_labels = cifar_pair(*cifar_batch(os.path.join(folder, "test_batch")))
    return cifar_pair(images, labels), (test_images.astype(images.dtype), test_labels.astype(labels.dtype))
