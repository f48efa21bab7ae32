# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Datasets (tf.data): sources, and what turns one dataset into another."""

import abc

import numpy as np

from .. import dtypes
from ..control import control_flow, functions
from ..framework import converted, graph as graph_lib, ops
from ..framework import structure, tensor_shape
from ..framework.graph import Tensor, get_default_graph, name_scope
from ..framework.ops import apply_op, constant, convert_to_tensor
from ..framework.structure import DatasetSpec, TensorSpec
from ..operators import array_ops, math_ops, random_ops
from . import iterators
from .dataset_options import Options
from .iterators import flat_attrs

AUTOTUNE = -1


# Options of threads: which dataset they make, and what it calls them.
_THREADING = (("max_intra_op_parallelism", "MaxIntraOpParallelismDataset", "max_intra_op_parallelism"),
              ("private_threadpool_size", "PrivateThreadPoolDataset", "num_threads"))


class Dataset(metaclass=abc.ABCMeta):
    """Elements one after the other, made while they are asked for; a class of TF's kind, whose name functions may bear."""

    # TF: those of version 2 are what functions of windows and the like are given, and what these make of them.
    _is_inner = False
    _told_as = "DatasetV1Adapter"

    def __init__(self, variant_tensor, spec, inputs=()):
        self._variant_tensor, self._spec, self._inputs = variant_tensor, spec, list(inputs)
        self._graph, self._options, self._wrapped = get_default_graph(), None, []

    element_spec = property(lambda self: self._spec)
    output_types = property(lambda self: structure.types(self._spec))
    output_shapes = property(lambda self: structure.shapes(self._spec))
    output_classes = property(lambda self: structure.classes(self._spec))

    def __repr__(self):
        shapes = str(structure.map_structure(str, self.output_shapes)).replace("'", "")
        kinds = str(structure.map_structure(repr, self.output_types)).replace("'", "")
        return "<%s shapes: %s, types: %s>" % (self._told_as, shapes, kinds)

    def __iter__(self):
        raise RuntimeError("__iter__() is only supported inside of tf.function or when eager execution is enabled.")

    # -- iterators

    def options(self):
        result = Options()
        for source in self._inputs:
            result = result.merge(source.options())
        return result if self._options is None else result.merge(self._options)

    def _captures_reference(self):
        def is_reference(tensor):
            return tensor.dtype._is_ref_dtype or any(is_reference(t) for t in tensor.op.inputs)
        return any(is_reference(t) for f in self._wrapped for t in f.captured_inputs) or \
            any(source._captures_reference() for source in self._inputs)

    def _apply_options(self):
        dataset, options = self, self.options()
        for name, op_type, argument in _THREADING:
            value = getattr(options.experimental_threading, name)
            if value is not None:
                dataset = _unary(dataset, op_type, **{argument: convert_to_tensor(value, dtype=dtypes.int64, name=argument)})
        chosen = options.static_optimizations()
        if chosen and not self._captures_reference():
            names = convert_to_tensor(chosen, dtype=dtypes.string, name="optimizations")
            dataset = _unary(dataset, "OptimizeDataset", optimizations=names, optimization_configs=options.static_settings())
        tuning = options.experimental_optimization
        if tuning.autotune is not False:
            dataset = _unary(dataset, "ModelDataset", cpu_budget=tuning.autotune_cpu_budget or 0,
                             algorithm=tuning.autotune_algorithm or 0)
        measured = options.experimental_stats
        if measured.aggregator:
            dataset = _unary(dataset, "SetStatsAggregatorDataset", stats_aggregator=measured.aggregator._resource,
                             tag=measured.prefix, counter_prefix=measured.counter_prefix)
        return dataset

    def _check_graph(self):
        """A dataset of another graph cannot be read here: what makes its iterator says so."""

    def make_one_shot_iterator(self):
        return iterators.make_one_shot(self)

    def make_initializable_iterator(self, shared_name=None):
        return iterators.make_initializable(self, shared_name)

    # -- sources

    @staticmethod
    def from_tensors(tensors):
        element = structure.normalize(tensors)
        spec = structure.spec_of(element)
        variant = apply_op("TensorDataset", components=structure.to_list(spec, element),
                           output_shapes=[s for _, s in structure.flat(spec)])
        return Dataset(variant, spec)

    @staticmethod
    def from_tensor_slices(tensors):
        element = structure.normalize(tensors)
        batched = structure.spec_of(element)
        for value in structure.flatten(element):
            if isinstance(value, Tensor) and value.shape.ndims == 0:
                raise ValueError("Value %s has insufficient rank for batching." % value)
        components = structure.to_batched_list(batched, element)
        spec = structure.map_structure(lambda s: s.unbatched(), batched)
        first = tensor_shape.Dimension(components[0].shape[0])
        for t in components[1:]:
            first.assert_is_compatible_with(tensor_shape.Dimension(t.shape[0]))
        variant = apply_op("TensorSliceDataset", components=components,
                           output_shapes=[s for _, s in structure.flat(spec)])
        return Dataset(variant, spec)

    @staticmethod
    def from_sparse_tensor_slices(sparse_tensor):
        rank = (sparse_tensor.indices.shape.dims[1] - 1).merge_with(sparse_tensor.dense_shape.shape.dims[0] - 1)
        spec = (TensorSpec([None, rank], dtypes.int64), TensorSpec([None], sparse_tensor.dtype),
                TensorSpec([rank], dtypes.int64))
        variant = apply_op("SparseTensorSliceDataset", indices=sparse_tensor.indices, values=sparse_tensor.values,
                           dense_shape=sparse_tensor.dense_shape)
        return Dataset(variant, spec)

    @staticmethod
    def from_generator(generator, output_types, output_shapes=None, args=None):
        from . import generators
        return generators.from_generator(generator, output_types, output_shapes, args)

    @staticmethod
    def range(*args):
        if not 1 <= len(args) <= 3:
            raise ValueError("Invalid arguments to RangeDataset: %s" % str(args))
        start, stop = (0, args[0]) if len(args) == 1 else args[:2]
        values = {}
        for name, value in (("start", start), ("stop", stop), ("step", args[2] if len(args) == 3 else 1)):
            values[name] = convert_to_tensor(value, dtype=dtypes.int64, name=name)
        return _source("RangeDataset", TensorSpec([], dtypes.int64), **values)

    @staticmethod
    def zip(datasets):
        parts = structure.flatten(datasets)
        for dataset in parts:
            if not isinstance(dataset, Dataset):
                text = "The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects."
                if isinstance(dataset, list):
                    text += " Nested structures do not support Python lists; please use a tuple instead."
                raise TypeError(text)
        spec = structure.pack(datasets, [d.element_spec for d in parts])
        variant = apply_op("ZipDataset", input_datasets=[d._variant_tensor for d in parts], **flat_attrs(spec))
        return Dataset(variant, spec, parts)

    @staticmethod
    def list_files(file_pattern, shuffle=None, seed=None):
        with name_scope("list_files"):
            file_pattern = convert_to_tensor(file_pattern, dtype=dtypes.string, name="file_pattern")
            files = apply_op("MatchingFiles", pattern=file_pattern)
            condition = math_ops.greater(array_ops.shape(files)[0], 0, name="match_not_empty")
            with name_scope(None, "ReduceJoin", [file_pattern]):
                axes = constant(np.arange(file_pattern.shape.ndims - 1, -1, -1), dtype=dtypes.int32)
                joined = apply_op("ReduceJoin", inputs=file_pattern, separator=", ", reduction_indices=axes)
            message = math_ops.add("No files matched pattern: ", joined, name="message")
            check = control_flow.Assert(condition, [message], summarize=1, name="assert_not_empty")
            with graph_lib.control_dependencies([check]):
                files = array_ops.identity(files)
            dataset = Dataset.from_tensor_slices(files)
            if shuffle is None or shuffle:
                size = math_ops.maximum(array_ops.shape(files, out_type=dtypes.int64)[0], 1)
                dataset = dataset.shuffle(size, seed=seed)
            return dataset

    # -- the same elements, fewer or more of them

    def concatenate(self, dataset):
        if self.output_types != dataset.output_types:
            raise TypeError("Two datasets to concatenate have different types %s and %s" %
                            (self.output_types, dataset.output_types))
        if self.output_classes != dataset.output_classes:
            raise TypeError("Two datasets to concatenate have different classes %s and %s" %
                            (self.output_classes, dataset.output_classes))
        spec = structure.map_structure(_common_spec, self.element_spec, dataset.element_spec)
        variant = apply_op("ConcatenateDataset", input_dataset=self._variant_tensor,
                           another_dataset=dataset._variant_tensor, **flat_attrs(spec))
        return Dataset(variant, spec, [self, dataset])

    def prefetch(self, buffer_size):
        size = convert_to_tensor(-1 if buffer_size is None else buffer_size, dtype=dtypes.int64, name="buffer_size")
        return _unary(self, "PrefetchDataset", buffer_size=size)

    def repeat(self, count=None):
        if count is None:
            count = constant(-1, dtype=dtypes.int64, name="count")
        else:
            count = convert_to_tensor(count, dtype=dtypes.int64, name="count")
        return _unary(self, "RepeatDataset", count=count)

    def enumerate(self, start=0):
        return Dataset.zip((Dataset.range(start, np.iinfo(np.int64).max), self))

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=None):
        size = convert_to_tensor(buffer_size, dtype=dtypes.int64, name="buffer_size")
        first, second = seeds(seed)
        return _unary(self, "ShuffleDataset", buffer_size=size, seed=first, seed2=second,
                      reshuffle_each_iteration=True if reshuffle_each_iteration is None else reshuffle_each_iteration)

    def cache(self, filename=""):
        return _unary(self, "CacheDataset", filename=convert_to_tensor(filename, dtype=dtypes.string, name="filename"))

    def take(self, count):
        return _unary(self, "TakeDataset", count=convert_to_tensor(count, dtype=dtypes.int64, name="count"))

    def skip(self, count):
        return _unary(self, "SkipDataset", count=convert_to_tensor(count, dtype=dtypes.int64, name="count"))

    def shard(self, num_shards, index):
        num_shards = convert_to_tensor(num_shards, dtype=dtypes.int64, name="num_shards")
        return _unary(self, "ShardDataset", num_shards=num_shards,
                      index=convert_to_tensor(index, dtype=dtypes.int64, name="index"))

    # -- several elements to one

    def batch(self, batch_size, drop_remainder=False):
        batch_size = convert_to_tensor(batch_size, dtype=dtypes.int64, name="batch_size")
        drop_remainder = convert_to_tensor(drop_remainder, dtype=dtypes.bool, name="drop_remainder")
        size = ops.constant_value(batch_size) if ops.constant_value(drop_remainder) else None
        spec = structure.map_structure(lambda s: s.batched(None if size is None else int(size)), self.element_spec)
        return _unary(self, "BatchDatasetV2", spec, batch_size=batch_size, drop_remainder=drop_remainder)

    def padded_batch(self, batch_size, padded_shapes, padding_values=None, drop_remainder=False):
        from . import padded_batches
        return padded_batches.padded_batch(self, batch_size, padded_shapes, padding_values, drop_remainder)

    def window(self, size, shift=None, stride=1, drop_remainder=False):
        values = {}
        for name, value in (("size", size), ("shift", size if shift is None else shift), ("stride", stride)):
            values[name] = convert_to_tensor(value, dtype=dtypes.int64, name=name)
        values["drop_remainder"] = convert_to_tensor(drop_remainder, dtype=dtypes.bool, name="drop_remainder")
        spec = structure.map_structure(DatasetSpec, self.element_spec)
        return _unary(self, "WindowDataset", spec, **values)

    def unbatch(self):
        def normalize(*arguments):
            element = arguments if type(self.element_spec) is tuple else arguments[0]
            return tuple(structure.to_batched_list(self.element_spec, element))
        flat = self.map(normalize)
        spec = structure.map_structure(lambda s: s.unbatched(), self.element_spec)
        return _unary(flat, "UnbatchDataset", spec)

    # -- functions of elements

    def map(self, map_func, num_parallel_calls=None):
        if num_parallel_calls is None:
            return self._mapped(map_func, True, self._is_inner)
        wrapped = Wrapped(map_func, "Dataset.map()", self.element_spec)
        values = {"other_arguments": wrapped.captured_inputs, "f": wrapped.function, "use_inter_op_parallelism": True,
                  "preserve_cardinality": self._is_inner}
        calls = convert_to_tensor(num_parallel_calls, dtype=dtypes.int32, name="num_parallel_calls")
        return _unary(self, "ParallelMapDataset", wrapped.output_spec, wrapped, num_parallel_calls=calls, **values)

    map_with_legacy_function = map

    def _mapped(self, map_func, use_inter_op_parallelism=False, preserve_cardinality=False):
        wrapped = Wrapped(map_func, "Dataset.map()", self.element_spec)
        return _unary(self, "MapDataset", wrapped.output_spec, wrapped, other_arguments=wrapped.captured_inputs,
                      f=wrapped.function, use_inter_op_parallelism=use_inter_op_parallelism,
                      preserve_cardinality=preserve_cardinality)

    def _flat_function(self, map_func, name):
        wrapped = Wrapped(map_func, name, self.element_spec)
        if not isinstance(wrapped.output_spec, DatasetSpec):
            raise TypeError("`map_func` must return a `Dataset` object. Got {}".format(type(wrapped.output_spec)))
        return wrapped

    def flat_map(self, map_func):
        wrapped = self._flat_function(map_func, "Dataset.flat_map()")
        return _unary(self, "FlatMapDataset", wrapped.output_spec.element_spec, wrapped,
                      other_arguments=wrapped.captured_inputs, f=wrapped.function)

    def interleave(self, map_func, cycle_length=AUTOTUNE, block_length=1, num_parallel_calls=None):
        wrapped = self._flat_function(map_func, "Dataset.interleave()")
        values = {"other_arguments": wrapped.captured_inputs, "f": wrapped.function}
        for name, value in (("cycle_length", cycle_length), ("block_length", block_length)):
            values[name] = convert_to_tensor(value, dtype=dtypes.int64, name=name)
        if num_parallel_calls is None:
            return _unary(self, "InterleaveDataset", wrapped.output_spec.element_spec, wrapped, **values)
        values["num_parallel_calls"] = convert_to_tensor(num_parallel_calls, dtype=dtypes.int64,
                                                         name="num_parallel_calls")
        return _unary(self, "ParallelInterleaveDatasetV2", wrapped.output_spec.element_spec, wrapped, **values)

    def filter(self, predicate):
        wrapped = Wrapped(predicate, "Dataset.filter()", self.element_spec)
        result = wrapped.output_spec
        if isinstance(result, (tuple, dict)):   # TF asks the structure as if it were of one tensor
            raise AttributeError("'%s' object has no attribute 'is_compatible_with'" % type(result).__name__)
        if type(result) is not TensorSpec or result.dtype != dtypes.bool or not result.shape.is_compatible_with([]):
            raise ValueError("`predicate` return type must be convertible to a scalar boolean tensor. Was {}.".format(
                result))
        return _unary(self, "FilterDataset", None, wrapped, other_arguments=wrapped.captured_inputs,
                      predicate=wrapped.function)

    filter_with_legacy_function = filter

    def apply(self, transformation_func):
        dataset = transformation_func(self)
        if not isinstance(dataset, Dataset):
            raise TypeError("`transformation_func` must return a Dataset. Got {}.".format(dataset))
        return dataset

    def reduce(self, initial_state, reduce_func):
        with name_scope("initial_state"):
            initial_state = structure.normalize(initial_state)
        spec, wrapped = carry_state(reduce_func, "reduce()", structure.spec_of(initial_state), self.element_spec)
        made = apply_op("ReduceDataset", input_dataset=self._variant_tensor,
                        initial_state=structure.to_list(spec, initial_state), other_arguments=wrapped.captured_inputs,
                        f=wrapped.function, **flat_attrs(spec))
        return structure.from_list(spec, made)

    def with_options(self, options):
        if not isinstance(options, Options):
            raise TypeError("Incompatible options type: %r vs %r" % (type(options), Options))
        result = Dataset(self._variant_tensor, self._spec, [self])
        result._options = options
        return result


class VariantDataset(Dataset):
    """The dataset that a tensor holds."""

    _is_inner = True
    _told_as = "_VariantDataset"


def _common_spec(first, second):
    """What both are of."""
    if not isinstance(first, (TensorSpec, structure.SparseTensorSpec)):
        return first.most_specific_compatible_type(second)
    a, b = first.shape, second.shape
    if a.ndims is None or a.ndims != b.ndims:
        shape = tensor_shape.unknown_shape()
    else:
        shape = tensor_shape.TensorShape([x if x == y else None for x, y in zip(a.as_list(), b.as_list())])
    return type(first)(shape, first.dtype)


def seeds(seed):
    """The two seeds of a dataset's op, as tensors."""
    first, second = random_ops.get_seed(seed)
    first = constant(0, dtypes.int64, name="seed") if first is None else convert_to_tensor(first, dtypes.int64, "seed")
    if second is None:
        return first, constant(0, dtypes.int64, name="seed2")
    with name_scope("seed2") as scope:
        second = convert_to_tensor(second, dtype=dtypes.int64)
        both_zero = math_ops.logical_and(math_ops.equal(first, 0), math_ops.equal(second, 0))
        return first, array_ops.where(both_zero, constant(2 ** 31 - 1, dtype=dtypes.int64), second, name=scope)


def _source(op_type, spec, **values):
    return Dataset(apply_op(op_type, **dict(values, **flat_attrs(spec))), spec)


def _unary(source, op_type, spec=None, wrapped=None, **values):
    """A dataset made of one other."""
    spec = source.element_spec if spec is None else spec
    result = Dataset(apply_op(op_type, input_dataset=source._variant_tensor, **dict(values, **flat_attrs(spec))), spec,
                     [source])
    if source._is_inner:
        result._is_inner = True
    if wrapped is not None:
        result._wrapped.append(wrapped.function)
    return result


class Wrapped:
    """A function of elements, made a function of the graph's library."""

    def __init__(self, function, transformation, input_spec, add=True):
        readable = transformation.replace(".", "_")[:-2]
        name = "_".join([readable, functions.function_name(function)])

        def body(*tensors):
            element = structure.from_list(input_spec, tensors)
            arguments = structure.arguments(element)
            result = function(*arguments) if converted.is_own(function) else converted.call(function, *arguments)
            if isinstance(result, list):
                result = tuple(result)
            try:
                self.output_spec = structure.spec_of(result)
            except (ValueError, TypeError):
                raise TypeError("Unsupported return value from function passed to %s: %s." %
                                (transformation, result)) from None
            return [convert_to_tensor(t) for t in structure.to_list(self.output_spec, result)]
        self.function = functions.trace(body, name, structure.flat(input_spec))
        if add:
            self.function.add_to_graph(get_default_graph())

    captured_inputs = property(lambda self: self.function.captured_inputs)


def carry_state(function, transformation, spec, element_spec, state_of=lambda spec: spec):
    """(spec, function) of what takes a state and an element and gives the next state: of shapes that stay what they are."""
    while True:
        wrapped = Wrapped(function, transformation, (spec, element_spec), add=False)
        following = state_of(wrapped.output_spec)
        kinds = structure.types(following)
        if structure.flatten(kinds) != structure.flatten(structure.types(spec)):
            raise TypeError("The element types for the new state must match the initial state. Expected %s; got %s." %
                            (structure.types(spec), kinds))
        weaker = structure.map_structure(_common_spec, spec, following)
        if structure.flatten(weaker) == structure.flatten(spec):
            break
        spec = weaker
    wrapped.function.add_to_graph(get_default_graph())
    return spec, wrapped


def make_one_shot_iterator(dataset):
    return dataset.make_one_shot_iterator()


def make_initializable_iterator(dataset, shared_name=None):
    return dataset.make_initializable_iterator(shared_name)


def get_output_types(dataset_or_iterator):
    return dataset_or_iterator.output_types


def get_output_shapes(dataset_or_iterator):
    return dataset_or_iterator.output_shapes


def get_output_classes(dataset_or_iterator):
    return dataset_or_iterator.output_classes


def shuffle_and_repeat(dataset, buffer_size, count=None, seed=None):
    size = convert_to_tensor(buffer_size, dtype=dtypes.int64, name="buffer_size")
    count = constant(-1, dtypes.int64, name="count") if count is None else convert_to_tensor(count, dtypes.int64, "count")
    first, second = seeds(seed)
    return _unary(dataset, "ShuffleAndRepeatDataset", buffer_size=size, count=count, seed=first, seed2=second)


def map_and_batch(dataset, map_func, batch_size, num_parallel_batches=None, drop_remainder=False,
                  num_parallel_calls=None):
    if num_parallel_batches is None and num_parallel_calls is None:
        num_parallel_calls = batch_size
    elif num_parallel_batches is not None and num_parallel_calls is None:
        num_parallel_calls = batch_size * num_parallel_batches
    elif num_parallel_batches is not None:
        raise ValueError("The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive.")
    wrapped = Wrapped(map_func, "tf.data.experimental.map_and_batch()", dataset.element_spec)
    size = convert_to_tensor(batch_size, dtype=dtypes.int64, name="batch_size")
    calls = convert_to_tensor(num_parallel_calls, dtype=dtypes.int64, name="num_parallel_calls")
    drop = convert_to_tensor(drop_remainder, dtype=dtypes.bool, name="drop_remainder")
    known = ops.constant_value(size) if ops.constant_value(drop) else None
    spec = structure.map_structure(lambda s: s.batched(None if known is None else int(known)), wrapped.output_spec)
    return _unary(dataset, "MapAndBatchDataset", spec, wrapped, other_arguments=wrapped.captured_inputs,
                  f=wrapped.function, batch_size=size, num_parallel_calls=calls, drop_remainder=drop,
                  preserve_cardinality=True)


def measured(op_type):
    """A transformation whose elements are measured under a tag."""
    def transformation(dataset, tag):
        return _unary(dataset, op_type, tag=convert_to_tensor(tag, dtype=dtypes.string))
    return transformation


def get_structure(dataset_or_iterator):
    try:
        return dataset_or_iterator.element_spec
    except AttributeError:
        raise TypeError("`dataset_or_iterator` must be a Dataset or Iterator object, but got %s." %
                        type(dataset_or_iterator)) from None


def from_variant(variant, structure):
    """The dataset that a tensor holds."""
    return VariantDataset(variant, structure)


def to_variant(dataset):
    return dataset._variant_tensor


def get_single_element(dataset):
    made = apply_op("DatasetToSingleElement", dataset=dataset._variant_tensor, **flat_attrs(dataset.element_spec))
    return structure.from_list(dataset.element_spec, made)


class RecordWriter:
    """tf.data.experimental.TFRecordWriter: an op that writes a dataset of strings."""

    def __init__(self, filename, compression_type=None):
        self._filename = convert_to_tensor(filename, dtypes.string, name="filename")
        self._compression = convert_to_tensor(compression_type or "", dtype=dtypes.string, name="compression_type")

    def write(self, dataset):
        if dataset.output_types != dtypes.string or dataset.output_shapes.ndims != 0:
            raise TypeError("`dataset` must produce scalar `DT_STRING` tensors whereas it produces shape {0} and types "
                            "{1}".format(dataset.output_shapes, dataset.output_types))
        return ops.make_op("DatasetToTFRecord", input_dataset=dataset._variant_tensor, filename=self._filename,
                           compression_type=self._compression)
