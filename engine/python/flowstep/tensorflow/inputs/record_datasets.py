# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Datasets of files: lines, records, rows of CSV and of databases."""

from .. import dtypes, nest
from ..framework.ops import apply_op, convert_to_tensor
from ..framework.structure import TensorSpec
from ..operators import array_ops
from . import datasets
from .datasets import Dataset
from .iterators import flat_attrs

_BUFFER_BYTES = 256 * 1024


def optional(name, value, default=0, dtype=dtypes.int64):
    return convert_to_tensor(default if value is None else value, dtype=dtype, name=name)


def _scalar_strings(variant):
    return Dataset(variant, TensorSpec([], dtypes.string))


def _files(filenames):
    if isinstance(filenames, Dataset):
        if filenames.output_types != dtypes.string:
            raise TypeError("`filenames` must be a `tf.data.Dataset` of `tf.string` elements.")
        if not filenames.output_shapes.is_compatible_with([]):
            raise TypeError("`filenames` must be a `tf.data.Dataset` of scalar `tf.string` elements.")
        return filenames
    filenames = convert_to_tensor(filenames, dtype=dtypes.string)
    return Dataset.from_tensor_slices(array_ops.reshape(filenames, [-1], name="flat_filenames"))


def _read(make, filenames, num_parallel_reads):
    def read_one_file(filename):
        return make(convert_to_tensor(filename, dtypes.string, name="filename"))
    filenames = _files(filenames)
    if num_parallel_reads is None:
        return filenames.flat_map(read_one_file)
    if num_parallel_reads == datasets.AUTOTUNE:
        return filenames.interleave(read_one_file, num_parallel_calls=num_parallel_reads)
    return parallel_interleave(filenames, read_one_file, num_parallel_reads)


def parallel_interleave(source, map_func, cycle_length, block_length=1, sloppy=False, buffer_output_elements=None,
                        prefetch_input_elements=None):
    wrapped = datasets.Wrapped(map_func, "tf.data.experimental.parallel_interleave()", source.element_spec)
    spec = wrapped.output_spec.element_spec
    values = {"cycle_length": convert_to_tensor(cycle_length, dtype=dtypes.int64, name="cycle_length"),
              "block_length": convert_to_tensor(block_length, dtype=dtypes.int64, name="block_length"),
              "sloppy": convert_to_tensor(sloppy, dtype=dtypes.bool, name="sloppy"),
              "buffer_output_elements": optional("buffer_output_elements", buffer_output_elements, 2 * block_length),
              "prefetch_input_elements": optional("prefetch_input_elements", prefetch_input_elements, 2 * cycle_length)}
    return datasets._unary(source, "ParallelInterleaveDataset", spec, wrapped, other_arguments=wrapped.captured_inputs,
                           f=wrapped.function, **values)


def _compression(kind):
    return optional("compression_type", kind, "", dtypes.string)


def _strings(values):
    return {name: convert_to_tensor(value, dtype=dtypes.string, name=name) for name, value in values.items()}


class TextLineDataset(Dataset):
    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        made = _read(lambda name: _scalar_strings(apply_op(
            "TextLineDataset", filenames=name, compression_type=_compression(compression_type),
            buffer_size=optional("buffer_size", buffer_size, _BUFFER_BYTES))), filenames, num_parallel_reads)
        super().__init__(made._variant_tensor, TensorSpec([], dtypes.string), [])


class TFRecordDataset(Dataset):
    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        made = _read(lambda name: _scalar_strings(apply_op(
            "TFRecordDataset", filenames=name, compression_type=_compression(compression_type),
            buffer_size=optional("buffer_size", buffer_size, _BUFFER_BYTES))), filenames, num_parallel_reads)
        super().__init__(made._variant_tensor, TensorSpec([], dtypes.string), made._inputs)


class FixedLengthRecordDataset(Dataset):
    def __init__(self, filenames, record_bytes, header_bytes=None, footer_bytes=None, buffer_size=None,
                 compression_type=None, num_parallel_reads=None):
        def make(name):
            values = {"record_bytes": convert_to_tensor(record_bytes, dtype=dtypes.int64, name="record_bytes"),
                      "header_bytes": optional("header_bytes", header_bytes),
                      "footer_bytes": optional("footer_bytes", footer_bytes),
                      "buffer_size": optional("buffer_size", buffer_size, _BUFFER_BYTES)}
            return _scalar_strings(apply_op("FixedLengthRecordDatasetV2", filenames=name,
                                            compression_type=_compression(compression_type), **values))
        made = _read(make, filenames, num_parallel_reads)
        super().__init__(made._variant_tensor, TensorSpec([], dtypes.string), [])


class CsvDataset(Dataset):
    """tf.data.experimental.CsvDataset."""

    def __init__(self, filenames, record_defaults, compression_type=None, buffer_size=None, header=False,
                 field_delim=",", use_quote_delim=True, na_value="", select_cols=None):
        filenames = convert_to_tensor(filenames, dtype=dtypes.string, name="filenames")
        compression = _compression(compression_type)
        defaults = [convert_to_tensor([], dtype=value) if isinstance(value, (dtypes.DType, type)) else value
                    for value in record_defaults]
        defaults = [convert_to_tensor(value, name="record_defaults_%d" % i) for i, value in enumerate(defaults)]
        values = {"buffer_size": optional("buffer_size", buffer_size, 4 * 1024 * 1024),
                  "header": convert_to_tensor(header, dtype=dtypes.bool, name="header"),
                  "field_delim": convert_to_tensor(field_delim, dtype=dtypes.string, name="field_delim"),
                  "use_quote_delim": optional("use_quote_delim", use_quote_delim, True, dtypes.bool),
                  "na_value": optional("na_value", na_value, "", dtypes.string),
                  "select_cols": optional("select_cols", select_cols, [], dtypes.int64)}
        spec = tuple(TensorSpec([], d.dtype) for d in defaults)
        variant = apply_op("CSVDataset", filenames=filenames, compression_type=compression, record_defaults=defaults,
                           output_shapes=flat_attrs(spec)["output_shapes"], **values)
        super().__init__(variant, spec)


class SqlDataset(Dataset):
    """tf.data.experimental.SqlDataset: what a query finds."""

    def __init__(self, driver_name, data_source_name, query, output_types):
        values = {"driver_name": driver_name, "data_source_name": data_source_name, "query": query}
        spec = nest.map_structure(lambda dtype: TensorSpec([], dtype), output_types)
        super().__init__(apply_op("SqlDataset", **_strings(values), **flat_attrs(spec)), spec)


class LMDBDataset(Dataset):
    """tf.contrib.data.LMDBDataset: (key, value) of each entry."""

    def __init__(self, filenames):
        spec = (TensorSpec([], dtypes.string),) * 2
        super().__init__(apply_op("LMDBDataset", **_strings({"filenames": filenames}), **flat_attrs(spec)), spec)
