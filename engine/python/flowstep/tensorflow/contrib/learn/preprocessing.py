# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.learn.preprocessing: documents as rows of ids."""

import collections
import pickle
import re

import numpy as np

from ...saving.file_system import GFile

# Capitals together, a capitalised word before another, or letters, digits, quotes and hyphens.
_TOKEN = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)
NAMES = "tokenizer ByteProcessor CategoricalVocabulary VocabularyProcessor".split()


def tokenizer(iterator):
    for value in iterator:
        yield _TOKEN.findall(value)


class CategoricalVocabulary:
    """Ids of words; 0 is that of those not known."""

    def __init__(self, unknown_token="<UNK>", support_reverse=True):
        self._unknown, self._reversible, self._frozen = unknown_token, support_reverse, False
        self._counts = collections.defaultdict(int)
        self._begin()

    def _begin(self):
        self._words, self._ids = [self._unknown], {self._unknown: 0}

    def __len__(self):
        return len(self._ids)

    def freeze(self, freeze=True):
        self._frozen = freeze

    def _append(self, category):
        self._ids[category] = len(self._words)
        self._words.append(category)

    def get(self, category):
        if category not in self._ids:
            if self._frozen:
                return 0
            self._append(category)
        return self._ids[category]

    def add(self, category, count=1):
        if self.get(category) > 0:
            self._counts[category] += count

    def trim(self, min_frequency, max_frequency=-1):
        """Keeps what is more frequent than the one and less than the other, the most frequent first."""
        ordered = sorted(self._counts.items(), key=lambda item: (isinstance(item[0], str), item[0]))
        ordered.sort(key=lambda item: item[1], reverse=True)
        self._begin()
        for category, count in ordered:
            if count > min_frequency and not 0 < max_frequency <= count:
                self._append(category)
        # TensorFlow keeps as many counts as words, from the front.
        self._counts = dict(ordered[:len(self._words) - 1])

    def reverse(self, class_id):
        if not self._reversible:
            raise ValueError("This vocabulary wasn't initialized with support_reverse to support reverse() function.")
        return self._words[class_id]


class VocabularyProcessor:
    def __init__(self, max_document_length, min_frequency=0, vocabulary=None, tokenizer_fn=None):
        self.max_document_length, self.min_frequency = max_document_length, min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents, unused_y=None):
        for tokens in self._tokenizer(raw_documents):
            for token in tokens:
                self.vocabulary_.add(token)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents, unused_y=None):
        return self.fit(raw_documents).transform(raw_documents)

    def transform(self, raw_documents):
        for tokens in self._tokenizer(raw_documents):
            ids = np.zeros(self.max_document_length, np.int64)
            for i, token in enumerate(tokens[:self.max_document_length]):
                ids[i] = self.vocabulary_.get(token)
            yield ids

    def reverse(self, documents):
        for ids in documents:
            yield " ".join(self.vocabulary_.reverse(i) for i in ids)

    def save(self, filename):
        with GFile(filename, "wb") as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename):
        with GFile(filename, "rb") as file:
            return pickle.loads(file.read())


class ByteProcessor:
    def __init__(self, max_document_length):
        self.max_document_length = max_document_length

    def fit(self, x):
        pass

    def fit_transform(self, x):
        return self.transform(x)

    def transform(self, x):
        for document in x:
            given = document.encode("utf-8") if isinstance(document, str) else document
            found = np.frombuffer(given[:self.max_document_length], dtype=np.uint8)
            yield np.pad(found, (0, self.max_document_length - len(found)), "constant")

    def reverse(self, x):
        for data in x:
            try:
                yield np.trim_zeros(data.astype(np.int8), trim="b").tobytes().decode("utf-8")
            except UnicodeDecodeError:
                yield ""
