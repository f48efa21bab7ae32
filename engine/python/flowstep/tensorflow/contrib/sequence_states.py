# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.training: long sequences cut into parts of one length; a part comes when the state of the one before is there."""

import collections

from .. import dtypes
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..framework.ops import Tensor, convert_to_tensor
from ..inputs import barriers, data_flow
from ..operators import array_ops, check_ops, math_ops, string_ops
from . import sequence_checks as checks

# What each element of the barrier has besides its sequences, its context and its states.
_FIXED = (("__length", dtypes.int32), ("__total_length", dtypes.int32), ("__next_key", dtypes.string),
          ("__sequence", dtypes.int32), ("__sequence_count", dtypes.int32))
# TF: the queue counts the sequences that are open; what it holds is never looked at.
_TOKEN = 21051976


def _sorted(tensors):
    return collections.OrderedDict(sorted(tensors.items()))


class _Inputs:
    """One sequence with its context, checked and ordered by name."""

    def __init__(self, length, key, sequences, context, states):
        length = convert_to_tensor(length, name="length")
        key = convert_to_tensor(key, name="key")
        for what, values in (("sequences", sequences), ("context", context)):
            if not isinstance(values, dict):
                raise TypeError("%s must be a dict" % what)
        if not sequences:
            raise ValueError("must have at least one sequence tensor")
        checks.check_keys("sequence key", sequences)
        checks.check_keys("context key", context)
        sequences = {k: convert_to_tensor(v, name="sequence_%s" % k) for k, v in sequences.items()}
        context = {k: convert_to_tensor(v, name="context_%s" % k) for k, v in context.items()}
        states = {k: convert_to_tensor(v, name="state_%s" % k) for k, v in states.items()}
        checks.assert_fully_defined("state", states)
        checks.assert_fully_defined("context", context)
        checks.assert_fully_defined("sequence", sequences, ignore_first_dimension=True)
        self.sequences, self.context, self.states = _sorted(sequences), _sorted(context), _sorted(states)
        self.length, self.key = checks.check_rank(length, 0), checks.check_rank(key, 0)
        for what, tensor, dtype in (("length", self.length, dtypes.int32), ("key", self.key, dtypes.string)):
            if tensor.dtype != dtype:
                raise TypeError("%s dtype must be %s, but received: %s" % (what, dtype.name, tensor.dtype))


class NextQueuedSequenceBatch:
    """The parts that are ready, and where the states behind them go."""

    def __init__(self, state_saver):
        self._state_saver = state_saver

    total_length = property(lambda self: self._state_saver._received["__total_length"])
    length = property(lambda self: self._state_saver._received["__length"])
    batch_size = property(lambda self: self._state_saver._received_batch_size)
    insertion_index = property(lambda self: self._state_saver._received_indices)
    key = property(lambda self: self._state_saver._received_keys)
    next_key = property(lambda self: self._state_saver._received["__next_key"])
    sequence = property(lambda self: self._state_saver._received["__sequence"])
    sequence_count = property(lambda self: self._state_saver._received["__sequence_count"])
    context = property(lambda self: self._state_saver._received_context)
    sequences = property(lambda self: self._state_saver._received_sequences)

    def state(self, state_name):
        return self._state_saver._received_states[state_name]

    def save_state(self, state_name, value, name=None):
        saver = self._state_saver
        if state_name not in saver._received_states:
            raise KeyError("state was not declared: %s" % state_name)
        with name_scope(name, "InputQueueingStateSaver_SaveState", values=[value]):
            with graph_lib.colocate_with(saver._capacity_queue.queue_ref):
                open_ones = array_ops.reshape(array_ops.where_v2(math_ops.logical_not(saver._sequence_is_done)), [-1])
                keys = array_ops.gather(self.next_key, open_ones)
                value = array_ops.identity(value, name="convert_%s" % state_name)
                value = checks.check_shape(value, array_ops.shape(saver._received_states[state_name]))
                return saver._barrier.insert_many(saver._index["__state__" + state_name], keys,
                                                  array_ops.gather(value, open_ones), name="BarrierInsertState_%s" % state_name)


class SequenceQueueingStateSaver:
    def __init__(self, batch_size, num_unroll, input_length, input_key, input_sequences, input_context, initial_states,
                 capacity=None, allow_small_batch=False, name=None):
        if capacity is not None and isinstance(batch_size, Tensor):
            with graph_lib.control_dependencies([check_ops.assert_greater_equal(
                    math_ops.cast(capacity, dtype=dtypes.int64), math_ops.cast(batch_size, dtype=dtypes.int64),
                    message="capacity needs to be >= batch_size.")]):
                input_key = array_ops.identity(input_key)
        elif capacity is not None and capacity < batch_size:
            raise ValueError("capacity %d needs to be >= batch_size %d" % (capacity, batch_size))
        self._batch_size, self._num_unroll, self._allow_small_batch = batch_size, num_unroll, allow_small_batch
        self._prefetch_op = self._next_batch = None
        # TF: no capacity is a queue without a bound.
        self._capacity_queue = data_flow.FIFOQueue(capacity=capacity, dtypes=[dtypes.int32], shapes=[[]])
        with graph_lib.colocate_with(self._capacity_queue.queue_ref):
            if not isinstance(initial_states, dict):
                raise TypeError("initial_states must be a dictionary")
            if not initial_states:
                raise ValueError("initial_states may not be empty: at least one state variable is required to properly "
                                 "enqueue split sequences to run in separate iterations")
            checks.check_keys("state name", initial_states)
            values = [input_length, input_key] + list(input_sequences.values()) + list(input_context.values())
            with name_scope(name, "InputQueueingStateSaver", values) as scope:
                self._name = self._scope = scope
                self._take_inputs(_Inputs(input_length, input_key, input_sequences, input_context, initial_states))
                self._create_barrier()

    def _take_inputs(self, inputs):
        self._inputs = inputs
        first = next(iter(inputs.sequences.values()))
        padded = array_ops.identity(array_ops.shape(first)[0], name="padded_length")
        self._padded_length = padded = checks.check_multiple_of(padded, self._num_unroll)
        inputs.sequences = collections.OrderedDict(
            (k, checks.check_dimensions(v, [0], [padded], debug_prefix="sorted_sequences_%s" % k))
            for k, v in inputs.sequences.items())
        fits = control_flow.Assert(math_ops.less_equal(inputs.length, padded), [
            "Input length should be <= than length from sequences:", inputs.length, " vs. ", padded])
        with graph_lib.control_dependencies([fits]):
            self._length = array_ops.identity(inputs.length)

    name = property(lambda self: self._name)
    barrier = property(lambda self: self._barrier)
    batch_size = property(lambda self: self._batch_size)
    num_unroll = property(lambda self: self._num_unroll)

    def _reenter(self):
        return name_scope(self._scope, values=[self._barrier.barrier_ref])

    @property
    def prefetch_op(self):
        if not self._prefetch_op:
            with name_scope(None), self._reenter():
                self._create_prefetch_op()
        return self._prefetch_op

    @property
    def next_batch(self):
        self.prefetch_op
        if not self._next_batch:
            with name_scope(None), self._reenter():
                self._prepare_barrier_reads()
        return self._next_batch

    def close(self, cancel_pending_enqueues=False, name=None):
        with name_scope(name, "SQSSClose", [self._prefetch_op]) as name:
            closed = [self._barrier.close(cancel_pending_enqueues, "BarrierClose"),
                      self._capacity_queue.close(cancel_pending_enqueues, "FIFOClose")]
            return control_flow.group(*closed, name=name)

    # -- what an element holds

    def _parts(self):
        """The named tensors of an element, and their shapes in it."""
        for k, v in self._inputs.sequences.items():
            yield "__sequence__" + k, v.dtype, [self._num_unroll] + v.shape.as_list()[1:]
        for prefix, tensors in (("__context__", self._inputs.context), ("__state__", self._inputs.states)):
            for k, v in tensors.items():
                yield prefix + k, v.dtype, v.shape.as_list()

    def _create_barrier(self):
        parts = [(name, dtype, ()) for name, dtype in _FIXED] + list(self._parts())
        self._index = {name: i for i, (name, _, _) in enumerate(parts)}
        self._barrier = barriers.Barrier(types=[dtype for _, dtype, _ in parts], shapes=[shape for _, _, shape in parts])

    # -- a sequence goes in, part by part

    def _create_prefetch_op(self):
        count = math_ops.div(self._padded_length, self._num_unroll)
        ones = array_ops.ones(array_ops.expand_dims(count, 0), dtype=dtypes.int32)
        numbers = math_ops.range(count)
        lengths = math_ops.maximum(0, self._length - self._num_unroll * numbers)
        lengths = math_ops.minimum(self._num_unroll, lengths)
        totals, counts = self._length * ones, count * ones
        keys, next_keys = self._keys(numbers, count)
        sequences = {k: self._in_parts(k, v, count) for k, v in self._inputs.sequences.items()}
        context = {k: self._repeated(k, v, count) for k, v in self._inputs.context.items()}

        def insert(name, value, op_name):
            return self._barrier.insert_many(self._index[name], keys, value, name="BarrierInsert" + op_name)
        fixed = [insert("__sequence", numbers, "Sequence"), insert("__sequence_count", counts, "SequenceCount"),
                 insert("__next_key", next_keys, "NextKey"), insert("__length", lengths, "Length"),
                 insert("__total_length", totals, "TotalLength")]
        of_context = [insert("__context__" + k, v, "Context_" + k) for k, v in context.items()]
        of_sequences = [insert("__sequence__" + k, v, "Sequences_" + k) for k, v in sequences.items()]
        token = self._capacity_queue.enqueue((_TOKEN,))
        with graph_lib.control_dependencies([fixed[0], token]):
            of_states = [self._barrier.insert_many(self._index["__state__" + k], array_ops.stack([keys[0]]),
                                                   array_ops.stack([v]), name="BarrierInitialInsertState_%s" % k)
                         for k, v in self._inputs.states.items()]
        self._prefetch_op = control_flow.group(*[token] + fixed + of_states + of_context + of_sequences,
                                               name="StateSaverPrefetchGroup")

    def _keys(self, numbers, count):
        """The parts' keys, and of each the next one's."""
        def digits(x):
            return string_ops.as_string(x, width=5, fill="0")
        keys = string_ops.string_join([digits(numbers), "_of_", digits(count), ":", self._inputs.key],
                                      name="StringJoinCurrentKeys")
        later = array_ops.slice(keys, [1], [-1])
        last = array_ops.expand_dims(string_ops.string_join(["STOP:", self._inputs.key], name="StringJoinStop"), 0)
        return keys, array_ops.concat([later, last], 0, name="concat_next_keys")

    def _in_parts(self, k, v, count):
        rest = v.shape.as_list()[1:]
        shape = array_ops.concat([array_ops.expand_dims(count, 0), array_ops.expand_dims(self._num_unroll, 0), rest], 0,
                                 name="concat_sequences_%s" % k)
        parts = array_ops.reshape(v, shape, name="reshape_sequences_%s" % k)
        return checks.check_dimensions(parts, list(range(v.shape.ndims + 1)), [count, self._num_unroll] + rest,
                                       debug_prefix="reshaped_sequences_%s" % k)

    def _repeated(self, k, v, count):
        once = array_ops.expand_dims(v, 0)
        times = array_ops.concat([array_ops.expand_dims(count, 0), [1] * v.shape.ndims], 0, name="concat_context_%s" % k)
        each = array_ops.tile(once, times, name="tile_context_%s" % k)
        return checks.check_dimensions(each, list(range(v.shape.ndims + 1)), [count] + v.shape.as_list(),
                                       debug_prefix="expanded_context_%s" % k)

    # -- parts come out

    def _prepare_barrier_reads(self):
        self._received_indices, self._received_keys, values = self._barrier.take_many(
            self._batch_size, self._allow_small_batch, name="BarrierTakeMany")
        self._received = {name: values[i] for name, i in self._index.items()}

        def named(prefix, tensors):
            return collections.OrderedDict((k, self._received[prefix + k]) for k in tensors)
        self._received_context = named("__context__", self._inputs.context)
        self._received_sequences = named("__sequence__", self._inputs.sequences)
        self._received_batch_size = array_ops.squeeze(array_ops.shape(self._received["__length"]))
        self._sequence_is_done = self._received["__sequence"] + 1 >= self._received["__sequence_count"]
        finished = math_ops.reduce_sum(math_ops.cast(self._sequence_is_done, dtypes.int32))
        with graph_lib.control_dependencies([self._capacity_queue.dequeue_many(finished)]):
            self._received_states = collections.OrderedDict(
                (k, array_ops.identity(v)) for k, v in named("__state__", self._inputs.states).items())
        self._next_batch = NextQueuedSequenceBatch(self)
