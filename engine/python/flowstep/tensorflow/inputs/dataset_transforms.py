# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.data.experimental: windows by key, state carried along, several datasets mixed, and small transformations."""

import numpy as np

from .. import dtypes
from ..framework import graph as graph_lib, structure, tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import apply_op, constant, convert_to_tensor
from ..framework.structure import DatasetSpec, SparseTensorSpec, TensorSpec
from ..operators import array_ops, check_ops, math_ops, parsing
from .datasets import Dataset, Wrapped, _common_spec, _source, _unary, carry_state, seeds
from .iterators import flat_attrs

INFINITE_CARDINALITY, UNKNOWN_CARDINALITY = -1, -2


def _is_scalar(spec, dtype):
    return type(spec) is TensorSpec and spec.dtype == dtype and spec.shape.is_compatible_with([])


# -- one element after the other

def scan(dataset, initial_state, scan_func):
    """scan_func (state, element) gives the next state and what becomes of the element."""
    initial_state = structure.normalize(initial_state)

    def state_of(spec):
        if not isinstance(spec, tuple) or len(spec) != 2:
            raise TypeError("The scan function must return a pair comprising the new state and the output value.")
        return spec[0]
    spec, wrapped = carry_state(scan_func, "tf.data.experimental.scan()", structure.spec_of(initial_state),
                                dataset.element_spec, state_of)
    return _unary(dataset, "ScanDataset", wrapped.output_spec[1], wrapped,
                  initial_state=structure.to_list(spec, initial_state), other_arguments=wrapped.captured_inputs,
                  f=wrapped.function, preserve_cardinality=True)


def take_while(dataset, predicate):
    wrapped = Wrapped(predicate, "tf.data.experimental.take_while()", dataset.element_spec)
    if not _is_scalar(wrapped.output_spec, dtypes.bool):
        raise ValueError("`predicate` must return a scalar boolean tensor.")
    return _unary(dataset, "TakeWhileDataset", None, wrapped, other_arguments=wrapped.captured_inputs,
                  predicate=wrapped.function)


def unique(dataset):
    if dataset.output_types not in (dtypes.int32, dtypes.int64, dtypes.string):
        raise TypeError("`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, `tf.int64`, or "
                        "`tf.string` component.")
    return _unary(dataset, "UniqueDataset")


def ignore_errors(dataset):
    return _unary(dataset, "IgnoreErrorsDataset")


def dense_to_sparse_batch(dataset, batch_size, row_shape):
    if not isinstance(dataset.output_types, dtypes.DType):
        raise TypeError("DenseToSparseDataset requires an input whose elements have a single component, whereas the input "
                        "has %r." % (dataset.output_types,))
    spec = SparseTensorSpec(tensor_shape.TensorShape([None]).concatenate(row_shape), dataset.output_types)
    dims = [-1 if d is None else d for d in tensor_shape.TensorShape(row_shape).as_list()]
    return _unary(dataset, "DenseToSparseBatchDataset", spec, batch_size=batch_size,
                  row_shape=constant(np.array(dims, np.int64)))


def parse_example_dataset(dataset, features, num_parallel_calls=1):
    if features is None:
        raise ValueError("Missing: features was %s." % features)
    if not structure.types(dataset.element_spec) == dtypes.string or dataset.output_shapes.ndims not in (None, 1):
        raise TypeError("Input dataset should be a dataset of vectors of strings")
    raw = parsing.checked_features(features)
    spec = {}
    for key, kind, shape in zip(raw.dense_keys, raw.dense_types, raw.static_shapes()):
        spec[key] = TensorSpec(dataset.output_shapes.concatenate(shape), kind)
    for key, kind in zip(raw.sparse_keys, raw.sparse_types):
        spec[key] = SparseTensorSpec(dataset.output_shapes.concatenate([None]), kind)
    result = _unary(dataset, "ParseExampleDataset", spec, num_parallel_calls=num_parallel_calls,
                    dense_defaults=raw.default_tensors(), sparse_keys=raw.sparse_keys, dense_keys=raw.dense_keys,
                    sparse_types=raw.sparse_types, dense_shapes=raw.static_shapes())
    if any(isinstance(f, parsing.SparseFeature) for f in features.values()):
        result = result.map(lambda x: parsing.join_sparse(features, x), num_parallel_calls=num_parallel_calls)
    return result


# -- windows by key

def group_by_window(dataset, key_func, reduce_func, window_size=None, window_size_func=None):
    """Elements of the same key, so many at a time, become what reduce_func (key, dataset of them) makes."""
    if (window_size is None) == (not window_size_func):
        raise ValueError("Must pass either window_size or window_size_func.")
    name = "tf.data.experimental.group_by_window()"
    if window_size is not None:
        def constant_window_func(unused_key):
            return convert_to_tensor(window_size, dtype=dtypes.int64)
        window_size_func = constant_window_func

    def key_func_wrapper(*arguments):
        return convert_to_tensor(key_func(*arguments), dtype=dtypes.int64)

    def window_size_func_wrapper(key):
        return convert_to_tensor(window_size_func(key), dtype=dtypes.int64)
    key = Wrapped(key_func_wrapper, name, dataset.element_spec)
    if not _is_scalar(key.output_spec, dtypes.int64):
        raise ValueError("`key_func` must return a single tf.int64 scalar tensor.")
    reduced = Wrapped(reduce_func, name, (TensorSpec([], dtypes.int64), DatasetSpec(dataset.element_spec)))
    if not isinstance(reduced.output_spec, DatasetSpec):
        raise TypeError("`reduce_func` must return a `Dataset` object.")
    size = Wrapped(window_size_func_wrapper, name, TensorSpec([], dtypes.int64))
    if not _is_scalar(size.output_spec, dtypes.int64):
        raise ValueError("`window_size_func` must return a single tf.int64 scalar tensor.")
    result = _unary(dataset, "GroupByWindowDataset", reduced.output_spec.element_spec, key,
                    key_func_other_arguments=key.captured_inputs, reduce_func_other_arguments=reduced.captured_inputs,
                    window_size_func_other_arguments=size.captured_inputs, key_func=key.function,
                    reduce_func=reduced.function, window_size_func=size.function)
    result._wrapped += [reduced.function, size.function]
    return result


def bucket_by_sequence_length(element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes=None,
                              padding_values=None, pad_to_bucket_boundary=False, no_padding=False, drop_remainder=False):
    """Batches of elements of about the same length."""
    with name_scope("bucket_by_seq_length"):
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            raise ValueError("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1")
        batch_sizes = constant(bucket_batch_sizes, dtype=dtypes.int64)

        def element_to_bucket_id(*arguments):
            length = element_length_func(*arguments)
            limits = np.iinfo(np.int32)
            above = math_ops.less_equal([limits.min] + list(bucket_boundaries), length)
            below = math_ops.less(length, list(bucket_boundaries) + [limits.max])
            return math_ops.reduce_min(array_ops.where(math_ops.logical_and(above, below)))

        def window_size_fn(bucket_id):
            return batch_sizes[bucket_id]

        def padded(shapes, filler):
            def one(shape):
                return [filler if d is None else d for d in tensor_shape.TensorShape(shape).as_list()]
            return structure.map_structure(one, shapes)

        def batching_fn(bucket_id, grouped):
            size = window_size_fn(bucket_id)
            if no_padding:
                return grouped.batch(size, drop_remainder=drop_remainder)
            filler = None
            if pad_to_bucket_boundary:
                last = constant(len(bucket_batch_sizes) - 1, dtype=dtypes.int64)
                check = check_ops.assert_less(bucket_id, last, message="When pad_to_bucket_boundary=True, elements must have "
                                                                       "length < max(bucket_boundaries).")
                with graph_lib.control_dependencies([check]):
                    filler = constant(bucket_boundaries, dtype=dtypes.int64)[bucket_id] - 1
            shapes = padded(padded_shapes or grouped.output_shapes, filler)
            return grouped.padded_batch(size, shapes, padding_values, drop_remainder=drop_remainder)

        return lambda dataset: dataset.apply(
            lambda d: group_by_window(d, element_to_bucket_id, batching_fn, window_size_func=window_size_fn))


# -- several datasets

def _directed(selector, parts):
    for part in parts[1:]:
        if part.output_types != parts[0].output_types or part.output_classes != parts[0].output_classes:
            raise TypeError("All datasets must have the same type and class.")
    spec = parts[0].element_spec
    for part in parts[1:]:
        spec = structure.map_structure(_common_spec, spec, part.element_spec)
    variant = apply_op("DirectedInterleaveDataset", selector_input_dataset=selector._variant_tensor,
                       data_input_datasets=[p._variant_tensor for p in parts], **flat_attrs(spec))
    return Dataset(variant, spec, [selector] + parts)


def choose_from_datasets(datasets, choice_dataset):
    if not _is_scalar(choice_dataset.element_spec, dtypes.int64):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return _directed(choice_dataset, list(datasets))


def _drawn(logits, seed):
    drawn = apply_op("StatelessMultinomial", logits=logits, num_samples=1, seed=seed)
    return array_ops.squeeze(drawn, axis=[0, 1])


def sample_from_datasets(datasets, weights=None, seed=None):
    """Elements of datasets that are chosen at random."""
    if isinstance(weights, Dataset):
        logits = weights.map(lambda *p: math_ops.log(p, name="logits"))

        def select_dataset_varying_logits(logits, seed):
            return _drawn(logits, seed)
        source = Dataset.zip((logits, RandomDataset(seed).batch(2)))
        selector = source._mapped(select_dataset_varying_logits)
    else:
        if weights is None:
            logits = [[1.0] * len(datasets)]
        else:
            weights = convert_to_tensor(weights, name="weights")
            if weights.dtype not in (dtypes.float32, dtypes.float64):
                raise TypeError("`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` elements.")
            if not weights.shape.is_compatible_with([len(datasets)]):
                raise ValueError("`weights` must be a vector of length `len(datasets)`.")
            logits = array_ops.expand_dims(math_ops.log(weights, name="logits"), 0)
        if len(datasets) == 1:
            return datasets[0]

        def select_dataset_constant_logits(seed):
            return _drawn(logits, seed)
        selector = RandomDataset(seed).batch(2)._mapped(select_dataset_constant_logits)
    return _directed(selector, list(datasets))


# -- sources

def Counter(start=0, step=1, dtype=dtypes.int64):
    with name_scope("counter"):
        start = convert_to_tensor(start, dtype=dtype, name="start")
        step = convert_to_tensor(step, dtype=dtype, name="step")
        return scan(Dataset.from_tensors(0).repeat(None), start, lambda state, _: (state + step, state))


def RandomDataset(seed=None):
    first, second = seeds(seed)
    return _source("RandomDataset", TensorSpec([], dtypes.int64), seed=first, seed2=second)


def cardinality(dataset):
    return apply_op("DatasetCardinality", input_dataset=dataset._variant_tensor)


# -- options

class Optional:
    """A value that may be missing."""

    def __init__(self, variant_tensor, spec):
        self._variant_tensor, self._spec = variant_tensor, spec

    value_structure = property(lambda self: self._spec)

    @staticmethod
    def from_value(value):
        with name_scope("optional") as scope:
            with name_scope("value"):
                spec = structure.spec_of(value)
                encoded = [convert_to_tensor(t) for t in structure.to_list(spec, value)]
        return Optional(apply_op("OptionalFromValue", components=encoded, name=scope), spec)

    @staticmethod
    def none_from_structure(value_structure):
        return Optional(apply_op("OptionalNone"), value_structure)

    def has_value(self, name=None):
        return apply_op("OptionalHasValue", optional=self._variant_tensor, name=name)

    def get_value(self, name=None):
        with name_scope(name, "OptionalGetValue", [self._variant_tensor]) as scope:
            made = apply_op("OptionalGetValue", optional=self._variant_tensor, name=scope, **flat_attrs(self._spec))
            return structure.from_list(self._spec, made)


def get_next_as_optional(iterator):
    made = apply_op("IteratorGetNextAsOptional", iterator=iterator._iterator_resource, **flat_attrs(iterator.element_spec))
    return Optional(made, iterator.element_spec)
