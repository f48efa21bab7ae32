# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Reviews of films, good or bad."""

import numpy as np

from . import word_lists
from .places import kept


def load_data(path="imdb.npz", num_words=None, skip_top=0, maxlen=None, seed=113, start_char=1, oov_char=2, index_from=3,
              **kwargs):
    num_words = word_lists.options(kwargs, num_words)
    path = kept(path, "imdb.npz", "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f")
    with np.load(path, allow_pickle=True) as data:
        train, test = (data["x_train"], data["y_train"]), (data["x_test"], data["y_test"])
    np.random.seed(seed)
    train, test = word_lists.shuffled(*train), word_lists.shuffled(*test)
    texts, labels = (np.concatenate(pair) for pair in zip(train, test))
    texts = word_lists.marked(texts, start_char, index_from)
    texts, labels = word_lists.shortened(texts, labels, maxlen)
    if maxlen and not texts:
        raise ValueError("After filtering for sequences shorter than maxlen=" + str(maxlen) +
                         ", no sequence was kept. Increase maxlen.")
    texts = word_lists.kept_words(texts, num_words, skip_top, oov_char)
    return word_lists.split(texts, labels, len(train[0]))


def get_word_index(path="imdb_word_index.json"):
    return word_lists.word_index(path, "imdb_word_index.json", "bfafd718b763782e994055a2d397834f")
