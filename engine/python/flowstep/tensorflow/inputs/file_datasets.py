# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Datasets of whole sets of files: make_csv_dataset, make_batched_features_dataset."""

import collections
import csv
import gzip

import numpy as np

from .. import dtypes
from ..framework.graph import Tensor
from ..framework.ops import constant, constant_value
from ..saving import file_system
from . import dataset_transforms, datasets
from .datasets import Dataset
from .record_datasets import CsvDataset, TFRecordDataset, parallel_interleave

# From the narrowest to what takes all.
_COLUMN_TYPES = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string)


def _files(file_pattern):
    if isinstance(file_pattern, list):
        if not file_pattern:
            raise ValueError("File pattern is empty.")
        found = [name for entry in file_pattern for name in file_system.glob_files(entry)]
    else:
        found = list(file_system.glob_files(file_pattern))
    if not found:
        raise ValueError("No files match %s." % file_pattern)
    return sorted(found)


def _opener(compression_type):
    """How columns are looked at in a file."""
    kind = "" if compression_type is None else compression_type
    if isinstance(kind, Tensor):
        kind = constant_value(kind)
        if kind is None:
            raise ValueError("Received unkown compression_type")
    if kind == "GZIP":
        return lambda name: gzip.open(name, "rt")
    if kind == "ZLIB":
        raise ValueError("compression_type (%s) is not supported for probing columns" % kind)
    if kind != "":
        raise ValueError("compression_type (%s) is not supported" % kind)
    return lambda name: open(name, newline="")


class _Look:
    """What a few lines of the files say of the columns."""

    def __init__(self, filenames, open_file, field_delim, use_quote_delim):
        self._filenames, self._open = filenames, open_file
        self._format = {"delimiter": field_delim, "quoting": csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE}

    def _header(self, name):
        with self._open(name) as file:
            try:
                return next(csv.reader(file, **self._format))
            except StopIteration:
                raise ValueError("Received StopIteration when reading the header line of %s.  Empty file?" % name) from None

    def names(self):
        found = self._header(self._filenames[0])
        if any(self._header(name) != found for name in self._filenames[1:]):
            raise ValueError("Files have different column names in the header row.")
        return found

    def _rows(self, width, header):
        for name in self._filenames:
            with self._open(name) as file:
                rows = csv.reader(file, **self._format)
                if header:
                    next(rows)
                for row in rows:
                    if len(row) != width:
                        raise ValueError("Problem inferring types: CSV row has different number of fields than expected.")
                    yield row

    def defaults(self, width, header, na_value, limit, selected):
        selected = range(width) if selected is None else selected
        kinds = [None] * len(selected)
        for i, row in enumerate(self._rows(width, header)):
            if limit is not None and i >= limit:
                break
            kinds = [_wider(row[at], na_value, kind) for at, kind in zip(selected, kinds)]
        kinds = [kind or dtypes.string for kind in kinds]
        return [constant(["" if kind is dtypes.string else 0], dtype=kind) for kind in kinds]


def _fits(text, kind):
    try:
        if kind == dtypes.int32:
            return np.int32(text) == np.int64(text)
        if kind == dtypes.int64:
            np.int64(text)
        elif kind != dtypes.string:
            return kind.as_numpy_dtype(text) < np.inf
    except (ValueError, OverflowError):
        return False
    return True


def _wider(text, na_value, before):
    """The narrowest type of a column whose values were of that type and which has one more."""
    if text in ("", na_value):
        return before
    for i, kind in enumerate(_COLUMN_TYPES):
        if (before is None or before in _COLUMN_TYPES[:i + 1]) and _fits(text, kind):
            return kind
    return before


def _selected(columns, names):
    at = {name: i for i, name in enumerate(names)}
    for i, column in enumerate(columns):
        if isinstance(column, int):
            if not 0 <= column < len(names):
                raise ValueError("Column index %d specified in select_columns out of valid range." % column)
        elif column not in at:
            raise ValueError("Value '%s' specified in select_columns not a valid column index or name." % column)
        else:
            columns[i] = at[column]
    found = sorted(set(columns))
    if len(found) != len(columns):
        raise ValueError("select_columns contains duplicate columns")
    return found


def _shuffled(dataset, num_epochs, shuffle, buffer_size, seed):
    if shuffle and num_epochs != 1:
        return datasets.shuffle_and_repeat(dataset, buffer_size, num_epochs, seed)
    if shuffle:
        return dataset.shuffle(buffer_size, seed)
    return dataset if num_epochs == 1 else dataset.repeat(num_epochs)


def _interleaved(dataset, function, threads, sloppy):
    if threads != datasets.AUTOTUNE:
        return parallel_interleave(dataset, function, cycle_length=threads, sloppy=sloppy)
    options = datasets.Options()
    options.experimental_deterministic = not sloppy
    return dataset.interleave(function, num_parallel_calls=threads).with_options(options)


def make_csv_dataset(file_pattern, batch_size, column_names=None, column_defaults=None, label_name=None, select_columns=None,
                     field_delim=",", use_quote_delim=True, na_value="", header=True, num_epochs=None, shuffle=True,
                     shuffle_buffer_size=10000, shuffle_seed=None, prefetch_buffer_size=None, num_parallel_reads=None,
                     sloppy=False, num_rows_for_inference=100, compression_type=None, ignore_errors=False):
    """Batches of the columns of CSV files by name, and of one of them as the label."""
    filenames = _files(file_pattern)
    dataset = Dataset.from_tensor_slices(filenames)
    if shuffle:
        dataset = dataset.shuffle(len(filenames), shuffle_seed)
    look = None
    if column_names is None or column_defaults is None:
        look = _Look(filenames, _opener(compression_type), field_delim, use_quote_delim)
    if column_names is None:
        if not header:
            raise ValueError("Cannot infer column names without a header line.")
        column_names = look.names()
    if len(column_names) != len(set(column_names)):
        raise ValueError("Cannot have duplicate column names.")
    if select_columns is not None:
        select_columns = _selected(select_columns, column_names)
    if column_defaults is None:
        column_defaults = look.defaults(len(column_names), header, na_value, num_rows_for_inference, select_columns)
    else:
        column_defaults = [constant([], dtype=x) if not isinstance(x, Tensor) and x in _COLUMN_TYPES else x
                           for x in column_defaults]
    if select_columns is not None and len(column_defaults) != len(select_columns):
        raise ValueError("If specified, column_defaults and select_columns must have same length.")
    if select_columns is not None and len(column_names) > len(select_columns):
        column_names = [column_names[i] for i in select_columns]
    if label_name is not None and label_name not in column_names:
        raise ValueError("`label_name` provided must be one of the columns.")

    def filename_to_dataset(filename):
        made = CsvDataset(filename, record_defaults=column_defaults, field_delim=field_delim, use_quote_delim=use_quote_delim,
                          na_value=na_value, select_cols=select_columns, header=header, compression_type=compression_type)
        return dataset_transforms.ignore_errors(made) if ignore_errors else made

    def map_fn(*columns):
        features = collections.OrderedDict(zip(column_names, columns))
        if label_name is None:
            return features
        label = features.pop(label_name)
        return features, label
    dataset = _interleaved(dataset, filename_to_dataset, num_parallel_reads or 1, sloppy)
    dataset = _shuffled(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size=batch_size, drop_remainder=num_epochs is None)
    dataset = dataset._mapped(map_fn)
    return dataset.prefetch(datasets.AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def make_batched_features_dataset(file_pattern, batch_size, features, reader=TFRecordDataset, label_key=None,
                                  reader_args=None, num_epochs=None, shuffle=True, shuffle_buffer_size=10000,
                                  shuffle_seed=None, prefetch_buffer_size=None, reader_num_threads=None,
                                  parser_num_threads=None, sloppy_ordering=False, drop_final_batch=False):
    """Batches of the features of Examples in files."""
    dataset = Dataset.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    if isinstance(reader, type) and not issubclass(reader, Dataset):
        raise TypeError("The `reader` argument must return a `Dataset` object. `tf.ReaderBase` subclasses are not supported. "
                        "For example, pass `tf.data.TFRecordDataset` instead of `tf.TFRecordReader`.")
    arguments = reader_args or []
    dataset = _interleaved(dataset, lambda filename: reader(filename, *arguments), reader_num_threads or 1, sloppy_ordering)
    if dataset.output_types == (dtypes.string, dtypes.string):
        dataset = dataset._mapped(lambda _, v: v)
    dataset = _shuffled(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    dataset = dataset_transforms.parse_example_dataset(dataset, features, num_parallel_calls=parser_num_threads or 2)
    if label_key:
        if label_key not in features:
            raise ValueError("The `label_key` provided (%r) must be one of the `features` keys." % label_key)
        dataset = dataset.map(lambda x: (x, x.pop(label_key)))
    return dataset.prefetch(datasets.AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)
