# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Where the sets of data lie, and arrays of their files."""

import pickle

import numpy as np

from ..backend import image_data_format
from ..files import get_file

HOST = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
_CIFAR = "https://www.cs.toronto.edu/~kriz/"


def kept(path, name, file_hash):
    """The file of the host by its name, kept under path."""
    return get_file(path, origin=HOST + name, file_hash=file_hash)


def cifar_folder(folder, archive, file_hash):
    return get_file(folder, origin=_CIFAR + archive, untar=True, file_hash=file_hash)


def cifar_batch(path, label_key="labels"):
    """Images [number, 3, 32, 32] and their labels."""
    with open(path, "rb") as file:
        batch = {key.decode("utf8"): value for key, value in pickle.load(file, encoding="bytes").items()}
    data = batch["data"]
    return data.reshape(data.shape[0], 3, 32, 32), batch[label_key]


def cifar_pair(images, labels):
    """The images in the order of dimensions that is set, the labels as a column."""
    if image_data_format() == "channels_last":
        images = images.transpose(0, 2, 3, 1)
    return images, np.reshape(labels, (len(labels), 1))
