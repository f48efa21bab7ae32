# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""MNIST from its four files; they have to lie in the folder, nothing is fetched."""

import collections
import gzip
import os

import numpy as np

from .... import dtypes, errors  # noqa: F401
from ....operators import random_ops  # noqa: F401

Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])


def _read32(stream):
    return int(np.frombuffer(stream.read(4), np.dtype(">u4"))[0])


def extract_images(f):
    """Bytes of images [number, rows, columns, 1] of a gzip file."""
    with gzip.GzipFile(fileobj=f) as stream:
        magic = _read32(stream)
        if magic != 2051:
            raise ValueError("Invalid magic number %d in MNIST image file: %s" % (magic, f.name))
        count, rows, columns = _read32(stream), _read32(stream), _read32(stream)
        data = np.frombuffer(stream.read(rows * columns * count), np.uint8)
        return data.reshape(count, rows, columns, 1)


def dense_to_one_hot(labels_dense, num_classes):
    result = np.zeros((labels_dense.shape[0], num_classes))
    result[np.arange(labels_dense.shape[0]), labels_dense.ravel()] = 1
    return result


def extract_labels(f, one_hot=False, num_classes=10):
    with gzip.GzipFile(fileobj=f) as stream:
        magic = _read32(stream)
        if magic != 2049:
            raise ValueError("Invalid magic number %d in MNIST label file: %s" % (magic, f.name))
        labels = np.frombuffer(stream.read(_read32(stream)), np.uint8)
        return dense_to_one_hot(labels, num_classes) if one_hot else labels


class DataSet:
    """Images and labels, given out in batches, in a new order each epoch."""

    def __init__(self, images, labels, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True, seed=None):
        np.random.seed(random_ops.get_seed(seed)[0] if seed is None else seed)
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError("Invalid image dtype %r, expected uint8 or float32" % dtype)
        self._fake, self.one_hot = fake_data, one_hot
        if fake_data:
            self._num_examples = 10000
        else:
            assert images.shape[0] == labels.shape[0], "images.shape: %s labels.shape: %s" % (images.shape, labels.shape)
            self._num_examples = images.shape[0]
            if reshape:
                images = images.reshape(images.shape[0], images.shape[1] * images.shape[2])
            if dtype == dtypes.float32:
                images = np.multiply(images.astype(np.float32), 1.0 / 255.0)
        self._images, self._labels = images, labels
        self._epochs_completed = self._at = 0

    images = property(lambda self: self._images)
    labels = property(lambda self: self._labels)
    num_examples = property(lambda self: self._num_examples)
    epochs_completed = property(lambda self: self._epochs_completed)

    def _shuffle(self):
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        if fake_data or self._fake:
            label = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]
        start = self._at
        if self._epochs_completed == 0 and start == 0 and shuffle:
            self._shuffle()
        if start + batch_size <= self._num_examples:
            self._at += batch_size
            return self._images[start:self._at], self._labels[start:self._at]
        self._epochs_completed += 1
        rest = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        self._at = batch_size - len(rest[0])
        return (np.concatenate((rest[0], self._images[:self._at]), axis=0),
                np.concatenate((rest[1], self._labels[:self._at]), axis=0))


_FILES = ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz",
          "t10k-labels-idx1-ubyte.gz")


def read_data_sets(train_dir, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True, validation_size=5000,
                   seed=None, source_url=None):
    """The training, validation and test sets of a folder."""
    if fake_data:
        return Datasets(*[DataSet([], [], True, one_hot, dtype, seed=seed) for _ in range(3)])
    parts = []
    for name in _FILES:
        path = os.path.join(train_dir, name)
        if not os.path.exists(path):
            raise errors.NotFoundError(None, None, "%s; No such file or directory (the four files of MNIST have to be there: "
                                                   "nothing is fetched)" % path)
        with open(path, "rb") as file:
            print("Extracting", path)
            parts.append(extract_images(file) if "images" in name else extract_labels(file, one_hot))
    images, labels, test_images, test_labels = parts
    if not 0 <= validation_size <= len(images):
        raise ValueError("Validation size should be between 0 and {}. Received: {}.".format(len(images), validation_size))
    keywords = dict(dtype=dtype, reshape=reshape, seed=seed)
    return Datasets(DataSet(images[validation_size:], labels[validation_size:], **keywords),
                    DataSet(images[:validation_size], labels[:validation_size], **keywords),
                    DataSet(test_images, test_labels, **keywords))


def load_mnist(train_dir="MNIST-data"):
    return read_data_sets(train_dir)
