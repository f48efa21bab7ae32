# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Queues that a pipeline of inputs starts with (tf.train.string_input_producer and its like)."""

from .. import dtypes, summary
from ..control import control_flow
from ..framework import graph as graph_lib, ops
from ..framework.graph import GraphKeys, Tensor, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..operators import array_ops, math_ops, random_ops
from ..sessions import runners
from ..state import variables
from . import data_flow


def match_filenames_once(pattern, name=None):
    with name_scope(name, "matching_filenames", [pattern]) as name:
        return variables.Variable(name=name, initial_value=apply_op("MatchingFiles", pattern=pattern), trainable=False,
                                  validate_shape=False, collections=[GraphKeys.LOCAL_VARIABLES])


def limit_epochs(tensor, num_epochs=None, name=None):
    """The tensor so many times, then OutOfRangeError."""
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError("num_epochs must be > 0 not %d." % num_epochs)
    with name_scope(name, "limit_epochs", [tensor]) as name:
        zero = ops.constant(0, dtype=dtypes.int64)
        epochs = variables.Variable(zero, name="epochs", trainable=False, collections=[GraphKeys.LOCAL_VARIABLES])
        counter = epochs.count_up_to(num_epochs)
        with graph_lib.control_dependencies([counter]):
            return array_ops.identity(tensor, name=name)


def input_producer(input_tensor, element_shape=None, num_epochs=None, shuffle=True, seed=None, capacity=32,
                   shared_name=None, summary_name=None, name=None, cancel_op=None):
    """A queue of the rows of a tensor, filled by a queue runner."""
    with name_scope(name, "input_producer", [input_tensor]):
        input_tensor = convert_to_tensor(input_tensor, name="input_tensor")
        element_shape = input_tensor.shape[1:].merge_with(element_shape)
        if not element_shape.is_fully_defined():
            raise ValueError("Either `input_tensor` must have a fully defined shape or `element_shape` must be specified")
        if shuffle:
            input_tensor = random_ops.random_shuffle(input_tensor, seed=seed)
        input_tensor = limit_epochs(input_tensor, num_epochs)
        queue = data_flow.FIFOQueue(capacity=capacity, dtypes=[input_tensor.dtype.base_dtype], shapes=[element_shape],
                                    shared_name=shared_name, name=name)
        enqueue = queue.enqueue_many([input_tensor])
        runners.add_queue_runner(runners.QueueRunner(queue, [enqueue], cancel_op=cancel_op))
        if summary_name is not None:
            summary.scalar(summary_name, math_ops.cast(queue.size(), dtypes.float32) * (1. / capacity))
        return queue


def string_input_producer(string_tensor, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None,
                          name=None, cancel_op=None):
    not_null = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, Tensor) and not isinstance(string_tensor, variables.Variable) and not string_tensor:
        raise ValueError(not_null)
    with name_scope(name, "input_producer", [string_tensor]) as name:
        string_tensor = convert_to_tensor(string_tensor, dtype=dtypes.string)
        check = control_flow.Assert(math_ops.greater(array_ops.size(string_tensor), 0), [not_null])
        with graph_lib.control_dependencies([check]):
            string_tensor = array_ops.identity(string_tensor)
        return input_producer(string_tensor, [], num_epochs, shuffle, seed, capacity, shared_name,
                              "fraction_of_%d_full" % capacity, name, cancel_op)


def range_input_producer(limit, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None):
    with name_scope(name, "input_producer", [limit]) as name:
        numbers = math_ops.range(limit)
        return input_producer(numbers, [], num_epochs, shuffle, seed, capacity, shared_name,
                              "fraction_of_%d_full" % capacity, name)


def slice_input_producer(tensor_list, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None):
    """One row of each tensor at a time."""
    with name_scope(name, "input_producer", tensor_list):
        tensor_list = [ops.internal_convert_to_tensor_or_indexed_slices(t) for t in tensor_list]
        if not tensor_list:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        range_size = array_ops.shape(tensor_list[0])[0]
        queue = range_input_producer(range_size, num_epochs=num_epochs, shuffle=shuffle, seed=seed, capacity=capacity,
                                     shared_name=shared_name)
        index = queue.dequeue()
        return [array_ops.gather(t, index) for t in tensor_list]
