# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""CTC: labels in a dense tensor and what a network says of each step."""

from ... import dtypes, nn
from ...control import loops
from ...operators import array_ops, math_ops, sparse
from .settings import epsilon
from .shapes import concatenate, reverse


def ctc_label_dense_to_sparse(labels, label_lengths):
    """Of each row as many as its length says."""
    shape = array_ops.shape(labels)
    rows, columns = array_ops.stack([shape[0]]), array_ops.stack([shape[1]])

    def below(before, length):
        return array_ops.expand_dims(math_ops.range(array_ops.shape(before)[1]), 0) < array_ops.fill(columns, length)
    none = math_ops.cast(array_ops.fill([1, shape[1]], 0), dtypes.bool)
    mask = loops.scan(below, label_lengths, initializer=none, parallel_iterations=1)[:, 0, :]
    column = array_ops.reshape(array_ops.tile(math_ops.range(0, shape[1]), rows), shape)
    column = array_ops.boolean_mask(column, mask)
    row = array_ops.transpose(array_ops.reshape(array_ops.tile(math_ops.range(0, shape[0]), columns), reverse(shape, 0)))
    row = array_ops.boolean_mask(row, mask)
    indices = array_ops.transpose(array_ops.reshape(concatenate([row, column], axis=0), [2, -1]))
    values = array_ops.gather_nd(labels, indices)
    return sparse.SparseTensor(math_ops.cast(indices, dtypes.int64), values, math_ops.cast(shape, dtypes.int64))


def _logs(y_pred):
    return math_ops.log(array_ops.transpose(y_pred, perm=[1, 0, 2]) + epsilon())


def ctc_batch_cost(y_true, y_pred, input_length, label_length):
    label_length = math_ops.cast(array_ops.squeeze(label_length, axis=-1), dtypes.int32)
    input_length = math_ops.cast(array_ops.squeeze(input_length, axis=-1), dtypes.int32)
    labels = math_ops.cast(ctc_label_dense_to_sparse(y_true, label_length), dtypes.int32)
    return array_ops.expand_dims(nn.ctc_loss(inputs=_logs(y_pred), labels=labels, sequence_length=input_length), 1)


def ctc_decode(y_pred, input_length, greedy=True, beam_width=100, top_paths=1):
    logs, input_length = _logs(y_pred), math_ops.cast(input_length, dtypes.int32)
    if greedy:
        decoded, log_prob = nn.ctc_greedy_decoder(inputs=logs, sequence_length=input_length)
    else:
        decoded, log_prob = nn.ctc_beam_search_decoder(inputs=logs, sequence_length=input_length, beam_width=beam_width,
                                                       top_paths=top_paths)
    return [sparse.sparse_to_dense(st.indices, st.dense_shape, st.values, default_value=-1) for st in decoded], log_prob
