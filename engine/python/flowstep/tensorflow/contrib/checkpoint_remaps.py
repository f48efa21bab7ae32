# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.framework: initializers that read a checkpoint's matrix, its rows and columns put where new vocabularies want them."""

import math

from .. import dtypes
from ..framework.ops import apply_op, convert_to_tensor
from ..operators import array_ops, math_ops
from ..state import initializers


def _check_pair(kind, old, new):
    if bool(old) != bool(new):
        raise ValueError("old_{0}_vocab_file and new_{0}_vocab_file must both be specified or left unspecified. "
                         "old_{0}_vocab_file='{1}', new_{0}_vocab_file='{2}'".format(kind, old, new))


class _Remap:
    """What is read of which checkpoint, and the vocabularies of its rows and columns: pairs of files, the old one first."""

    def __init__(self, ckpt_path, tensor_name, size, rows, columns, old_row_vocab_size, oov_buckets, initializer,
                 max_rows_in_memory):
        self._ckpt_path, self._tensor_name = ckpt_path, tensor_name
        self._size, self._oov_buckets, self._rows, self._columns = size, oov_buckets, rows, columns
        self._old_row_vocab_size = old_row_vocab_size
        self._initializer, self._max_rows_in_memory = initializer, max_rows_in_memory

    def _check_shape(self, shape, dtype):
        if dtype != dtypes.float32:
            raise TypeError("Currently, only float32 is supported. Received dtype: {}".format(dtype))
        if len(shape) != 2:
            raise ValueError("Expected 2-dim shape, but received: {}".format(shape))
        if shape[0] <= 0:
            raise ValueError("Expected 1st dim of shape to be > 0, but received shape: {}".format(shape))
        columns, buckets = self._size[1], self._oov_buckets[1]
        if shape[1] != columns + buckets:
            raise ValueError("Expected 2nd dim of shape to be new_col_vocab_size ({}) + num_col_oov_buckets ({}) = {}, but "
                             "received shape: {}".format(columns, buckets, columns + buckets, shape))

    def __call__(self, shape, dtype=dtypes.float32, partition_info=None):
        self._check_shape(shape, dtype)
        first = 0 if partition_info is None else partition_info.single_offset(shape)
        rows, buckets = self._size[0], self._oov_buckets[0]
        if first + shape[0] > rows + buckets:
            raise ValueError("Trying to initialize {} additional rows after {} rows have already been initialized, which would "
                             "exceed expected total row count of new_row_vocab_size ({}) + num_row_oov_buckets ({}) = {}.".format(
                                 shape[0], first, rows, buckets, rows + buckets))
        unknown = min(shape[0], max(0, first + shape[0] - rows))
        if first > rows:
            if shape[0] != unknown:
                raise ValueError("Partitioned variable offset is greater than new vocab size and not operating on OOV-only "
                                 "partition.")
            return self._initializer(shape)
        return self._load(first, shape[0] - unknown, unknown)

    def _remapping(self, files, first, count, old_size=-1):
        return apply_op("GenerateVocabRemapping", new_vocab_file=files[1], old_vocab_file=files[0], new_vocab_offset=first,
                        num_new_vocab=count, old_vocab_size=old_size)

    def _load(self, first, rows, unknown_rows):
        columns, unknown_columns = self._size[1], self._oov_buckets[1]
        for kind, count in (("row", unknown_rows), ("col", unknown_columns)):
            if count < 0:
                raise ValueError("num_%s_oov_buckets must be >= 0, but received %d" % (kind, count))
        _check_pair("row", *self._rows)
        _check_pair("col", *self._columns)
        if not (self._rows[0] or self._columns[0]):
            raise ValueError("Must provide either row or column vocab files. If no remapping is necessary, consider using "
                             "`tf.contrib.framework.init_from_checkpoint` instead.")
        known_rows, known_columns, of_columns = rows, columns, []
        if self._rows[0]:
            of_rows, known_rows = self._remapping(self._rows, first, rows, self._old_row_vocab_size)
        else:
            of_rows = math_ops.range(first, first + rows, dtype=dtypes.int64)
        if self._columns[0]:
            of_columns, known_columns = self._remapping(self._columns, 0, columns)
        missing = self._initializer([rows * columns - known_rows * known_columns, 1])
        found = apply_op("LoadAndRemapMatrix", ckpt_path=self._ckpt_path, old_tensor_name=self._tensor_name,
                         row_remapping=of_rows, col_remapping=of_columns, initializing_values=missing, num_rows=rows,
                         num_cols=columns, max_rows_in_memory=self._max_rows_in_memory)
        if unknown_rows > 0:
            found = array_ops.concat([found, convert_to_tensor(self._initializer([unknown_rows, columns]))], 0)
        if unknown_columns > 0:
            more = convert_to_tensor(self._initializer([rows + unknown_rows, unknown_columns]))
            found = array_ops.concat([found, more], 1)
        return found


def load_and_remap_matrix_initializer(ckpt_path, old_tensor_name, new_row_vocab_size, new_col_vocab_size, old_row_vocab_size=-1,
                                      old_row_vocab_file=None, new_row_vocab_file=None, old_col_vocab_file=None,
                                      new_col_vocab_file=None, num_row_oov_buckets=0, num_col_oov_buckets=0, initializer=None,
                                      max_rows_in_memory=-1):
    initializer = initializers.Zeros() if initializer is None else initializer
    if not callable(initializer):
        raise TypeError("initializer must be callable, instead of being {} of type {}.".format(initializer, type(initializer)))
    return _Remap(ckpt_path, old_tensor_name, (new_row_vocab_size, new_col_vocab_size), (old_row_vocab_file, new_row_vocab_file),
                  (old_col_vocab_file, new_col_vocab_file), old_row_vocab_size, (num_row_oov_buckets, num_col_oov_buckets),
                  initializer, max_rows_in_memory)


def load_embedding_initializer(ckpt_path, embedding_tensor_name, new_vocab_size, embedding_dim, old_vocab_file, new_vocab_file,
                               old_vocab_size=-1, num_oov_buckets=0, initializer=None, max_rows_in_memory=-1):
    if initializer is None:
        initializer = initializers.TruncatedNormal(stddev=1.0 / math.sqrt(embedding_dim))
    return load_and_remap_matrix_initializer(
        ckpt_path, embedding_tensor_name, new_vocab_size, embedding_dim, old_vocab_size, old_vocab_file, new_vocab_file,
        num_row_oov_buckets=num_oov_buckets, initializer=initializer, max_rows_in_memory=max_rows_in_memory)


def load_linear_multiclass_bias_initializer(ckpt_path, bias_tensor_name, new_class_vocab_size, old_class_vocab_file,
                                            new_class_vocab_file, num_class_oov_buckets=0, initializer=None,
                                            max_rows_in_memory=-1):
    return load_and_remap_matrix_initializer(
        ckpt_path, bias_tensor_name, new_class_vocab_size, 1, -1, old_class_vocab_file, new_class_vocab_file,
        num_row_oov_buckets=num_class_oov_buckets, initializer=initializer, max_rows_in_memory=max_rows_in_memory)


def load_variable_slot_initializer(ckpt_path, old_tensor_name, primary_partition_info, new_row_vocab_size, new_col_vocab_size,
                                   old_row_vocab_file=None, new_row_vocab_file=None, old_col_vocab_file=None,
                                   new_col_vocab_file=None, num_row_oov_buckets=0, num_col_oov_buckets=0, initializer=None,
                                   max_rows_in_memory=-1):
    """A slot has no partitions: it is initialized as the part of its variable is."""
    whole = load_and_remap_matrix_initializer(
        ckpt_path, old_tensor_name, new_row_vocab_size, new_col_vocab_size, -1, old_row_vocab_file, new_row_vocab_file,
        old_col_vocab_file, new_col_vocab_file, num_row_oov_buckets, num_col_oov_buckets, initializer, max_rows_in_memory)

    def initialize(shape, dtype=dtypes.float32, partition_info=None):
        return whole(shape, dtype, partition_info=primary_partition_info)
    return initialize
