# snippets_words.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Strings in bytes, words, code points and n-grams."""

import tensorflow.compat.v1 as tf


def words_split():
    s = tf.placeholder(tf.string, [None], 's')
    tf.strings.split(s)
    tf.strings.split(s, sep=',', maxsplit=2, result_type='RaggedTensor', name='named')
    tf.strings.split('a b', result_type='RaggedTensor')
    tf.strings.split([['a b', 'c'], ['d', 'e f']], result_type='RaggedTensor')
    tf.strings.bytes_split(s)
    tf.strings.bytes_split('abc')
    tf.strings.bytes_split([['a', 'bc']])


def words_unicode():
    s = tf.placeholder(tf.string, [None], 's')
    points = tf.strings.unicode_decode(s, 'UTF-8')
    tf.strings.unicode_encode(points, 'UTF-16-BE')
    tf.strings.unicode_encode([[104, 105]], 'UTF-8'), tf.strings.unicode_encode([104, 105], 'UTF-8', name='one')
    tf.strings.unicode_encode([[[104], [105]]], 'UTF-8')
    tf.strings.unicode_decode('abc', 'UTF-8'), tf.strings.unicode_decode([['abc', 'd']], 'UTF-8', errors='ignore')
    tf.strings.unicode_decode_with_offsets(s, 'UTF-8')
    tf.strings.unicode_split(s, 'UTF-8'), tf.strings.unicode_split('abc', 'UTF-8')
    tf.strings.unicode_split_with_offsets([['abc', 'd']], 'UTF-8')
    tf.strings.unicode_transcode(s, 'UTF-8', 'UTF-16-BE', replace_control_characters=True)


def words_ngrams():
    words = tf.ragged.constant([['a', 'b', 'c'], ['d']])
    tf.strings.ngrams(words, 2)
    tf.strings.ngrams(words, (1, 3), separator='', pad_values=('<', '>'), padding_width=1)
    tf.strings.ngrams(['a', 'b', 'c'], 2, pad_values='_')
    tf.strings.ngrams([['a', 'b'], ['c', 'd']], 2, preserve_short_sequences=True)
    tf.strings.ngrams(tf.ragged.constant([[['a', 'b']], []]), 2)
