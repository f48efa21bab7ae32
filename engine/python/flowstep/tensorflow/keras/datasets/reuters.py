# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""News by what they are about."""

import numpy as np

from . import word_lists
from .places import kept


def load_data(path="reuters.npz", num_words=None, skip_top=0, maxlen=None, test_split=0.2, seed=113, start_char=1,
              oov_char=2, index_from=3, **kwargs):
    num_words = word_lists.options(kwargs, num_words)
    path = kept(path, "reuters.npz", "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916")
    with np.load(path, allow_pickle=True) as data:
        texts, labels = data["x"], data["y"]
    np.random.seed(seed)
    texts, labels = word_lists.shuffled(texts, labels)
    texts, labels = word_lists.shortened(word_lists.marked(texts, start_char, index_from), labels, maxlen)
    texts = word_lists.kept_words(texts, num_words, skip_top, oov_char)
    return word_lists.split(texts, labels, int(len(texts) * (1 - test_split)))


def get_word_index(path="reuters_word_index.json"):
    return word_lists.word_index(path, "reuters_word_index.json", "4d44cc38712099c9e383dc6e5f11a921")
