# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The order in which TensorFlow's hash tables of strings tell their keys.

A dictionary that comes out of such a table is printed in that order, in error texts too: which bucket a key falls into
hangs on its MurmurHash64A, a new key stands before the others of its bucket, and a new bucket before all.
"""

_SEED, _FACTOR, _MASK = 0xC70F6907, 0xC6A4A7935BD1E995, (1 << 64) - 1

# How many buckets a table gets when it is full.
_BUCKETS = (3, 7, 17, 37, 79, 167, 337, 709, 1493, 3209, 6427, 12983, 26267, 53201, 107897, 218971, 444487, 902483, 1832561,
            3721303)


def _shift_mix(value):
    return value ^ value >> 47


def _hash(data):
    result = _SEED ^ len(data) * _FACTOR & _MASK
    whole = len(data) & ~7
    for at in range(0, whole, 8):
        piece = int.from_bytes(data[at:at + 8], "little")
        result = (result ^ _shift_mix(piece * _FACTOR & _MASK) * _FACTOR & _MASK) * _FACTOR & _MASK
    if whole < len(data):
        result = (result ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _MASK
    return _shift_mix(_shift_mix(result) * _FACTOR & _MASK)


class _Table:
    """Keys as a chain: for each bucket, what stands before its first key."""

    def __init__(self):
        self._following, self._before, self._n_buckets, self._hashes = {None: None}, {}, 1, {}

    def __iter__(self):
        key = self._following[None]
        while key is not None:
            yield key
            key = self._following[key]

    def _place(self, key):
        bucket = self._hashes[key] % self._n_buckets
        if bucket in self._before:
            before = self._before[bucket]
            self._following[key], self._following[before] = self._following[before], key
            return
        first = self._following[None]
        self._following[key], self._following[None] = first, key
        if first is not None:
            self._before[self._hashes[first] % self._n_buckets] = key
        self._before[bucket] = None

    def _grow(self):
        keys = list(self)
        self._n_buckets = next(n for n in _BUCKETS if n >= max(len(keys) + 2, 2 * self._n_buckets))
        self._following, self._before = {None: None}, {}
        for key in keys:
            self._place(key)

    def add(self, key):
        if len(self._hashes) + 1 >= self._n_buckets:
            self._grow()
        self._hashes[key] = _hash(key.encode("utf-8", "surrogateescape"))
        self._place(key)


def sort(keys):
    """The keys that were put into a table in this order as the table tells them."""
    table = _Table()
    for key in keys:
        table.add(key)
    return list(table)
