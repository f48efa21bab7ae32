# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.preprocessing.text: texts as lists of numbers."""

import collections
import hashlib
import json

import numpy as np

_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(text, filters=_FILTERS, lower=True, split=" "):
    text = text.lower() if lower else text
    for mark in filters:
        text = text.replace(mark, split)
    return [word for word in text.split(split) if word]


def hashing_trick(text, n, hash_function=None, filters=_FILTERS, lower=True, split=" "):
    if hash_function is None:
        hash_function = hash
    elif hash_function == "md5":
        def hash_function(word):
            return int(hashlib.md5(word.encode()).hexdigest(), 16)
    return [int(hash_function(word) % (n - 1) + 1) for word in text_to_word_sequence(text, filters, lower, split)]


def one_hot(text, n, filters=_FILTERS, lower=True, split=" "):
    return hashing_trick(text, n, hash, filters, lower, split)


class Tokenizer:
    """Numbers words by how often they come."""

    def __init__(self, num_words=None, filters=_FILTERS, lower=True, split=" ", char_level=False, oov_token=None,
                 document_count=0, **keywords):
        keywords.pop("nb_words", None)
        if keywords:
            raise TypeError("Unrecognized keyword arguments: " + str(keywords))
        self.num_words, self.filters, self.lower, self.split = num_words, filters, lower, split
        self.char_level, self.oov_token, self.document_count = char_level, oov_token, document_count
        self.word_counts, self.word_docs = collections.OrderedDict(), collections.defaultdict(int)
        self.index_docs, self.word_index, self.index_word = collections.defaultdict(int), {}, {}

    def _words(self, text):
        if self.char_level or isinstance(text, list):
            if self.lower:
                text = [word.lower() for word in text] if isinstance(text, list) else text.lower()
            return text
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts):
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1
        by_count = sorted(self.word_counts.items(), key=lambda item: item[1], reverse=True)
        known = [] if self.oov_token is None else [self.oov_token]
        known += [word for word, _ in by_count]
        self.word_index = dict(zip(known, range(1, len(known) + 1)))
        self.index_word = {index: word for word, index in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences):
        self.document_count += len(sequences)
        for sequence in sequences:
            for index in set(sequence):
                self.index_docs[index] += 1

    def texts_to_sequences(self, texts):
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts):
        unknown = self.word_index.get(self.oov_token)
        for text in texts:
            found = []
            for word in self._words(text):
                index = self.word_index.get(word)
                if index is None or self.num_words and index >= self.num_words:
                    index = unknown
                if index is not None:
                    found.append(index)
            yield found

    def sequences_to_texts(self, sequences):
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences):
        unknown = self.word_index.get(self.oov_token)
        for sequence in sequences:
            words = []
            for index in sequence:
                word = self.index_word.get(index)
                if word is not None and self.num_words and index >= self.num_words or word is None:
                    word = self.index_word[unknown] if unknown is not None else None
                if word is not None:
                    words.append(word)
            yield " ".join(words)

    def texts_to_matrix(self, texts, mode="binary"):
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode)

    def sequences_to_matrix(self, sequences, mode="binary"):
        if not self.num_words and not self.word_index:
            raise ValueError("Specify a dimension (`num_words` argument), or fit on some text data first.")
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        width = self.num_words or len(self.word_index) + 1
        matrix = np.zeros((len(sequences), width))
        for row, sequence in zip(matrix, sequences):
            counts = collections.Counter(j for j in sequence if j < width)
            for j, count in counts.items():
                if mode == "count":
                    row[j] = count
                elif mode == "freq":
                    row[j] = count / len(sequence)
                elif mode == "binary":
                    row[j] = 1
                elif mode == "tfidf":
                    row[j] = (1 + np.log(count)) * np.log(1 + self.document_count / (1 + self.index_docs.get(j, 0)))
                else:
                    raise ValueError("Unknown vectorization mode:", mode)
        return matrix

    def get_config(self):
        config = {name: getattr(self, name) for name in (
            "num_words", "filters", "lower", "split", "char_level", "oov_token", "document_count")}
        for name in ("word_counts", "word_docs", "index_docs", "index_word", "word_index"):
            config[name] = json.dumps(getattr(self, name))
        return config

    def to_json(self, **keywords):
        return json.dumps({"class_name": type(self).__name__, "config": self.get_config()}, **keywords)
