# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.training.batch_sequences_with_states: sequences padded, cut and queued; sparse ones go as handles."""

import collections
import numbers

from .. import dtypes, errors, summary
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..framework.ops import Tensor, constant, convert_to_tensor
from ..inputs import batching
from ..operators import array_ops, math_ops, random_ops, sparse, string_ops
from ..operators.sparse import SparseTensor, is_sparse
from ..sessions import runners
from . import sequence_checks as checks
from .sequence_states import SequenceQueueingStateSaver

_FROM_CONTEXT = "_context_in_seq_"


# -- lengths

def _common_length(sequences):
    rows = [array_ops.shape(value)[0] for value in sequences if isinstance(value, Tensor)]
    if not rows:
        known = [value.dense_shape[0] for value in sequences if isinstance(value, SparseTensor)]
        return math_ops.reduce_max(math_ops.cast(known, dtypes.int32))

    def is_same(length):
        same = math_ops.equal(length, rows[0])
        return control_flow.Assert(same, [string_ops.string_join([
            "All sequence lengths must match, but received lengths: ", string_ops.as_string(rows)])])
    return control_flow.with_dependencies([is_same(length) for length in rows], rows[0])


def _padded(value, length):
    if not isinstance(value, Tensor):
        shape = array_ops.concat([[math_ops.cast(length, dtypes.int64)], value.dense_shape[1:]], 0)
        return SparseTensor(indices=value.indices, values=value.values, dense_shape=shape)
    more = [length - array_ops.shape(value)[0]]
    shape = array_ops.concat((more, array_ops.shape(value)[1:]), 0)
    nothing = constant("" if value.dtype == dtypes.string else 0, dtype=value.dtype)
    return array_ops.concat([value, array_ops.fill(dims=shape, value=nothing)], 0)


def _pad(sequences, num_unroll):
    """The length, and the sequences made as long as whole parts are."""
    if not isinstance(num_unroll, numbers.Integral):
        raise ValueError("Unsupported num_unroll expected int, got: %s" % str(num_unroll))
    if not isinstance(sequences, dict):
        raise TypeError("Unsupported sequences expected dict, got: %s" % str(sequences))
    for key in sequences:
        if not isinstance(key, str):
            raise TypeError("Unsupported sequences key expected string, got: %s" % str(key))
    if not sequences:
        return 0, {}
    found = collections.OrderedDict((key, value if is_sparse(value) else convert_to_tensor(value))
                                    for key, value in sorted(sequences.items()))
    length = _common_length(found.values())
    unroll = constant(num_unroll)
    whole = length + ((unroll - (length % unroll)) % unroll)
    return length, {key: _padded(value, whole) for key, value in found.items()}


def _checked(key, value, num_unroll):
    if is_sparse(value):
        parts = checks.check_first_dimension("SparseTensor", key, value.dense_shape[0], num_unroll, value.indices, value.values,
                                             value.dense_shape)
        return SparseTensor(*parts)
    try:
        value = convert_to_tensor(value)
    except TypeError:
        raise TypeError("Unsupported input_sequences expected Tensor or SparseTensor values, got: %s for key %s" % (
            str(type(value)), key)) from None
    return checks.check_first_dimension("Tensor", key, array_ops.shape(value)[0], num_unroll, value)[0]


# -- a sparse context becomes a sequence that has it at the first step of each part

def _as_sequence(value, length, num_unroll):
    parts = math_ops.cast(length // num_unroll, dtype=dtypes.int32)
    values = array_ops.tile(value.values, array_ops.expand_dims(parts, 0))
    shape = array_ops.concat([array_ops.expand_dims(length, 0), value.dense_shape], 0)
    repeated = array_ops.tile(array_ops.expand_dims(value.indices, 0), array_ops.stack([parts, 1, 1]))
    rows, columns = array_ops.shape(value.indices)[0], array_ops.shape(value.indices)[1]
    times = math_ops.range(start=0, limit=length, delta=num_unroll)
    times = array_ops.expand_dims(array_ops.expand_dims(times, 1), 2)
    times = array_ops.tile(times, [1, rows, 1])
    indices = array_ops.concat([times, repeated], 2)
    indices = array_ops.reshape(indices, [rows * parts, columns + 1])
    return SparseTensor(indices=indices, values=values, dense_shape=shape)


def _sparse_keys(tensors):
    return [key for key in sorted(tensors) if is_sparse(tensors[key])]


def _move_out_of_context(context, sequences, num_unroll):
    length = constant(1)
    if sequences:
        first = next(iter(sequences.values()))
        if isinstance(first, Tensor):
            with graph_lib.control_dependencies([first]):
                length = array_ops.shape(first)[0]
        else:
            length = first.dense_shape[0]
    length = math_ops.cast(length, dtype=dtypes.int64)
    for key in _sparse_keys(context):
        sequences[_FROM_CONTEXT + key] = _as_sequence(context.pop(key), length, num_unroll)


def _move_into_context(context, sequences):
    for key in [key for key in sorted(sequences) if key.startswith(_FROM_CONTEXT)]:
        value = sequences.pop(key)
        once = SparseTensor(value.indices, value.values, array_ops.concat(
            [[value.dense_shape[0]], [1], value.dense_shape[2:]], 0))
        shape = array_ops.concat([[once.dense_shape[0]], once.dense_shape[2:]], 0)
        context[key[len(_FROM_CONTEXT):]] = sparse.sparse_reshape(once, shape)


# -- sparse sequences go through the barrier as handles

def _stored(sequences):
    """The sequences, handles for sparse ones, and the ops that keep these."""
    handles = {key: batching._add_to_map(sequences[key], True, None) for key in _sparse_keys(sequences)}
    return dict(sequences, **handles) if handles else sequences, {key: handle.op for key, handle in handles.items()}


def _restored(sequences, maps, batch_size, num_unroll):
    taken = {key: batching._take(batching._Stored(True, op, None), array_ops.reshape(sequences[key], [-1]))
             for key, op in maps.items()}
    if not taken:
        return
    unroll = convert_to_tensor(num_unroll, dtype=dtypes.int64, name="num_unroll_int64")
    for key, value in taken.items():
        batch = math_ops.cast(math_ops.floor(value.indices[:, 0] / unroll), dtypes.int64)
        time = math_ops.mod(value.indices[:, 0], unroll)
        indices = array_ops.concat([array_ops.expand_dims(batch, 1), array_ops.expand_dims(time, 1), value.indices[:, 1:]],
                                   axis=1)
        shape = array_ops.concat([[math_ops.cast(batch_size, dtype=dtypes.int64)], [math_ops.cast(unroll, dtype=dtypes.int64)],
                                  value.dense_shape[1:]], axis=0)
        sequences[key] = SparseTensor(indices=indices, values=value.values, dense_shape=shape)


def batch_sequences_with_states(input_key, input_sequences, input_context, input_length, initial_states, num_unroll,
                                batch_size, num_threads=3, capacity=1000, allow_small_batch=True, pad=True,
                                make_keys_unique=False, make_keys_unique_seed=None, name=None):
    values = list(input_sequences.values()) + list(input_context.values()) + list(initial_states.values())
    with name_scope(name, "batch_sequences_with_states", values) as name:
        if pad:
            length, input_sequences = _pad(input_sequences, num_unroll)
            input_length = length if input_length is None else input_length
        elif input_sequences:
            input_sequences = {key: _checked(key, value, num_unroll) for key, value in input_sequences.items()}
        _move_out_of_context(input_context, input_sequences, num_unroll)
        sequences, maps = _stored(input_sequences)
        if make_keys_unique:
            number = random_ops.random_uniform((), minval=0, maxval=100000000, dtype=dtypes.int32, seed=make_keys_unique_seed)
            input_key = string_ops.string_join([input_key, string_ops.as_string(number)])
        saver = SequenceQueueingStateSaver(
            batch_size, num_unroll, input_length=input_length, input_key=input_key, input_sequences=sequences,
            input_context=input_context, initial_states=initial_states, capacity=capacity,
            allow_small_batch=allow_small_batch)
        summary.scalar("queue/%s/ready_segment_batches_" % saver.barrier.name,
                       math_ops.cast(saver.barrier.ready_size(), dtypes.float32))
        runners.add_queue_runner(runners.QueueRunner(
            saver, [saver.prefetch_op] * num_threads,
            queue_closed_exception_types=(errors.OutOfRangeError, errors.CancelledError)))
        batch = saver.next_batch
        _restored(batch.sequences, maps, batch_size, num_unroll)
        _move_into_context(batch.context, batch.sequences)
        return batch
