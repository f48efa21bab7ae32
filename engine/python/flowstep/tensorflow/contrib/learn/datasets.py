# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.learn.datasets: CSV files as arrays, and the sets that tutorials begin with. Nothing is fetched."""

import collections
import csv
import os

import numpy as np

from ... import errors
from ...examples.tutorials.mnist import input_data
from ...saving.file_system import GFile

Dataset = collections.namedtuple("Dataset", ["data", "target"])
Datasets = input_data.Datasets
MNIST = {name: getattr(input_data, name) for name in (
    "DataSet", "read_data_sets", "load_mnist", "extract_images", "extract_labels", "dense_to_one_hot")}
BASE = "Dataset Datasets load_csv_with_header load_csv_without_header shrink_csv load_iris load_boston".split()


def load_csv_with_header(filename, target_dtype, features_dtype, target_column=-1):
    """A file whose first line begins with the numbers of samples and of features."""
    with GFile(filename) as file:
        rows = csv.reader(file)
        samples, features = (int(number) for number in next(rows)[:2])
        data, target = np.zeros((samples, features), dtype=features_dtype), np.zeros((samples,), dtype=target_dtype)
        for i, row in enumerate(rows):
            target[i] = np.asarray(row.pop(target_column), dtype=target_dtype)
            data[i] = np.asarray(row, dtype=features_dtype)
    return Dataset(data, target)


def load_csv_without_header(filename, target_dtype, features_dtype, target_column=-1):
    data, target = [], []
    with GFile(filename) as file:
        for row in csv.reader(file):
            target.append(row.pop(target_column))
            data.append(np.asarray(row, dtype=features_dtype))
    return Dataset(np.array(data), np.array(target, dtype=target_dtype))


def shrink_csv(filename, ratio):
    """Every ratio-th line, into a file beside it."""
    with GFile(filename) as source, GFile(filename.replace(".", "_small."), "w") as result:
        writer = csv.writer(result)
        for i, row in enumerate(csv.reader(source)):
            if i % ratio == 0:
                writer.writerow(row)


def _lying_in(data_path, name):
    if data_path is None:
        data_path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", name)
    if not os.path.exists(data_path):
        raise errors.NotFoundError(None, None, "%s; No such file or directory (it has to be there or be given as data_path: "
                                               "nothing is fetched)" % data_path)
    return data_path


def load_iris(data_path=None):
    return load_csv_with_header(_lying_in(data_path, "iris.csv"), target_dtype=int, features_dtype=float)


def load_boston(data_path=None):
    return load_csv_with_header(_lying_in(data_path, "boston_house_prices.csv"), target_dtype=float, features_dtype=float)


DATASETS = {"iris": load_iris, "boston": load_boston, "mnist": input_data.load_mnist}


def load_dataset(name, size="small", test_with_fake_data=False):
    if name not in DATASETS:
        raise ValueError("Name of dataset is not found: %s" % name)
    return DATASETS[name]()
