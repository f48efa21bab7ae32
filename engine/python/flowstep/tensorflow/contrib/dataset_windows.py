# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What tf.contrib.data has that Dataset does itself, or that tf.data.experimental left behind."""

import numpy as np

from .. import dtypes, nest
from ..framework.ops import convert_to_tensor
from ..inputs import datasets, file_datasets, record_datasets
from .shapes import with_shape


def batch_and_drop_remainder(batch_size):
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(batch_size, padded_shapes, padding_values=None):
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes=padded_shapes, padding_values=padding_values,
                                                drop_remainder=True)


def sloppy_interleave(map_func, cycle_length, block_length=1):
    return lambda dataset: record_datasets.parallel_interleave(dataset, map_func, cycle_length, block_length, sloppy=True)


def read_batch_features(file_pattern, batch_size, features, reader=record_datasets.TFRecordDataset, reader_args=None,
                        randomize_input=True, num_epochs=None, capacity=10000):
    made = file_datasets.make_batched_features_dataset(
        file_pattern, batch_size, features, reader=reader, reader_args=reader_args, shuffle=randomize_input,
        num_epochs=num_epochs, shuffle_buffer_size=capacity)
    return datasets.make_one_shot_iterator(made).get_next()


def reduce_dataset(dataset, reducer):
    if not isinstance(dataset, datasets.Dataset):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    return dataset.reduce(reducer.init_func(np.int64(0)), reducer.reduce_func)


def sliding_window_batch(window_size, stride=None, window_shift=None, window_stride=1):
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = 1 if stride is None and window_shift is None else stride if window_shift is None else window_shift

    def apply(dataset):
        def number(value, name):
            return convert_to_tensor(value, dtype=dtypes.int64, name=name)
        # TF: the size goes by the stride's name.
        size, step = number(window_size, "window_stride"), number(window_stride, "window_stride")
        spec = nest.map_structure(lambda each: each.batched(None), dataset.element_spec)
        return datasets._unary(dataset, "SlidingWindowDataset", spec, window_size=size,
                               window_shift=number(shift, "window_shift"), window_stride=step)
    return apply


def assert_element_shape(expected_shapes):
    def _check_shape(*elements):
        tensors, shapes = nest.flatten(elements), nest.flatten(expected_shapes)
        return nest.pack_sequence_as(elements, [with_shape(shape, tensor) if shape else tensor
                                                for shape, tensor in zip(shapes, tensors)])

    def apply(dataset):
        # TF: refuses what cannot be before the map is made.
        known, wanted = nest.flatten(dataset.output_shapes), nest.flatten_up_to(dataset.output_shapes, expected_shapes)
        shapes = [one.merge_with(other) for one, other in zip(known, wanted)]
        specs = [type(spec)(shape, spec.dtype) for spec, shape in zip(nest.flatten(dataset.element_spec), shapes)]
        checked = dataset.map(_check_shape)
        return datasets.Dataset(checked._variant_tensor, nest.pack_sequence_as(dataset.element_spec, specs), [checked])
    return apply
