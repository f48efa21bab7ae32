# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Small pictures of clothes."""

import gzip
import os

import numpy as np

from ..files import get_file
from .places import HOST

_FOLDER = os.path.join("datasets", "fashion-mnist")
# Bytes before the values: a magic number and one number for each dimension.
_LABELS_HEADER, _IMAGES_HEADER = 8, 16


def _values(path, header):
    with gzip.open(path, "rb") as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


def load_data():
    parts = []
    names = [part + end for part in ("train", "t10k") for end in ("-labels-idx1-ubyte.gz", "-images-idx3-ubyte.gz")]
    paths = [get_file(name, origin=HOST + name, cache_subdir=_FOLDER) for name in names]
    for labels, images in (paths[:2], paths[2:]):
        labels = _values(labels, _LABELS_HEADER)
        parts.append((_values(images, _IMAGES_HEADER).reshape(len(labels), 28, 28), labels))
    return tuple(parts)
