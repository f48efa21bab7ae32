# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Texts as lists of the ranks of their words: marked, shortened and cut into a set to train and one to test."""

import json

import numpy as np

from ...framework import tf_logging
from .places import kept


def options(keywords, num_words):
    """num_words, which has an older name."""
    if "nb_words" in keywords:
        tf_logging.warning("The `nb_words` argument in `load_data` has been renamed `num_words`.")
        num_words = keywords.pop("nb_words")
    if keywords:
        raise TypeError("Unrecognized keyword arguments: " + str(keywords))
    return num_words


def shuffled(*arrays):
    order = np.arange(len(arrays[0]))
    np.random.shuffle(order)
    return [array[order] for array in arrays]


def _array(lists):
    """Of lists of one length a matrix, of others an array of lists."""
    return np.array(lists) if len({len(each) for each in lists}) <= 1 else np.array(lists, dtype=object)


def marked(texts, start_char, index_from):
    if start_char is not None:
        return [[start_char] + [w + index_from for w in x] for x in texts]
    return [[w + index_from for w in x] for x in texts] if index_from else texts


def shortened(texts, labels, maxlen):
    """The texts with fewer than maxlen words."""
    fitting = [(text, label) for text, label in zip(texts, labels) if not maxlen or len(text) < maxlen]
    return [text for text, _ in fitting], [label for _, label in fitting]


def kept_words(texts, num_words, skip_top, oov_char):
    if not num_words:
        num_words = max(max(x) for x in texts)
    if oov_char is None:
        return [[w for w in x if skip_top <= w < num_words] for x in texts]
    return [[w if skip_top <= w < num_words else oov_char for w in x] for x in texts]


def split(texts, labels, rows):
    return (_array(texts[:rows]), np.array(labels[:rows])), (_array(texts[rows:]), np.array(labels[rows:]))


def word_index(path, name, file_hash):
    with open(kept(path, name, file_hash)) as file:
        return json.load(file)
