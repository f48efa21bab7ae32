# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.preprocessing.sequence: sequences of one length, and pairs of words for word2vec."""

import random

import numpy as np


def pad_sequences(sequences, maxlen=None, dtype="int32", padding="pre", truncating="pre", value=0.0):
    """Sequences as rows of one array."""
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    lengths, sample = [], ()
    for one in sequences:
        try:
            lengths.append(len(one))
            if not sample and len(one):
                sample = np.asarray(one).shape[1:]
        except TypeError:
            raise ValueError("`sequences` must be a list of iterables. Found non-iterable: " + str(one)) from None
    if maxlen is None:
        maxlen = np.max(lengths)
    if isinstance(value, str) and not (np.issubdtype(dtype, np.str_) or np.issubdtype(dtype, np.unicode_)) \
            and dtype is not object:
        raise ValueError("`dtype` {} is not compatible with `value`'s type: {}\nYou should set `dtype=object` for variable "
                         "length strings.".format(dtype, type(value)))
    rows = np.full((len(sequences), maxlen) + sample, value, dtype=dtype)
    for row, one in zip(rows, sequences):
        if not len(one):
            continue
        if truncating not in ("pre", "post"):
            raise ValueError('Truncating type "%s" not understood' % truncating)
        kept = np.asarray(one[-maxlen:] if truncating == "pre" else one[:maxlen], dtype=dtype)
        if kept.shape[1:] != sample:
            raise ValueError("Shape of sample %s of sequence at position %s is different from expected shape %s" % (
                kept.shape[1:], next(i for i, x in enumerate(sequences) if x is one), sample))
        if padding == "post":
            row[:len(kept)] = kept
        elif padding == "pre":
            row[-len(kept):] = kept
        else:
            raise ValueError('Padding type "%s" not understood' % padding)
    return rows


def make_sampling_table(size, sampling_factor=1e-5):
    """How likely the words by rank are to be taken: frequent ones less, after Zipf's law."""
    gamma = 0.577
    rank = np.arange(size)
    rank[0] = 1
    inverse = rank * (np.log(rank) + gamma) + 0.5 - 1.0 / (12.0 * rank)
    f = sampling_factor * inverse
    return np.minimum(1.0, f / np.sqrt(f))


def skipgrams(sequence, vocabulary_size, window_size=4, negative_samples=1.0, shuffle=True, categorical=False,
              sampling_table=None, seed=None):
    """(pairs of words, whether each stood together)."""
    pairs, labels = [], []
    yes, no = ([0, 1], [1, 0]) if categorical else (1, 0)
    for i, word in enumerate(sequence):
        if not word or sampling_table is not None and sampling_table[word] < random.random():
            continue
        for j in range(max(0, i - window_size), min(len(sequence), i + window_size + 1)):
            if j != i and sequence[j]:
                pairs.append([word, sequence[j]])
                labels.append(yes)
    if negative_samples > 0:
        count = int(len(labels) * negative_samples)
        words = [pair[0] for pair in pairs]
        random.shuffle(words)
        pairs += [[words[i % len(words)], random.randint(1, vocabulary_size - 1)] for i in range(count)]
        labels += [no] * count
    if shuffle:
        seed = random.randint(0, int(10e6)) if seed is None else seed
        random.seed(seed)
        random.shuffle(pairs)
        random.seed(seed)
        random.shuffle(labels)
    return pairs, labels
