# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.datasets: the small sets of data that tutorials begin with."""

from . import boston_housing, cifar10, cifar100, fashion_mnist, imdb, mnist, reuters

SETS = [boston_housing, cifar10, cifar100, fashion_mnist, imdb, mnist, reuters]
