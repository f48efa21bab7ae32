# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Variables with a row, or a column, for each word of a vocabulary, begun from a checkpoint of another vocabulary."""

import collections

from ..framework.ops import convert_to_tensor
from ..operators import state_ops
from ..state.partitioned_variables import PartitionInfo

_FIELDS = "new_vocab new_vocab_size num_oov_buckets old_vocab old_vocab_size backup_initializer axis"


class VocabInfo(collections.namedtuple("VocabInfo", _FIELDS)):
    """The words that a variable has now, and those that it had when it was saved."""

    def __new__(cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size=-1, backup_initializer=None, axis=0):
        if axis not in (0, 1):
            raise ValueError("The only supported values for the axis argument are 0 and 1.  Provided axis: {}".format(axis))
        return super().__new__(cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size, backup_initializer,
                               axis)


def _remapping(info, n_rows, n_columns):
    """Which rows, or columns, are found by their words, as the remapping initializer is told."""
    if info.axis == 0:
        return dict(new_row_vocab_size=info.new_vocab_size, new_col_vocab_size=n_columns,
                    old_row_vocab_size=info.old_vocab_size, old_row_vocab_file=info.old_vocab, new_row_vocab_file=info.new_vocab,
                    num_row_oov_buckets=info.num_oov_buckets)
    return dict(new_row_vocab_size=n_rows, new_col_vocab_size=info.new_vocab_size, old_col_vocab_file=info.old_vocab,
                new_col_vocab_file=info.new_vocab, num_col_oov_buckets=info.num_oov_buckets)


def begin_from(parts, info, filename, tensor_name):
    """From now on the initializers of a variable's parts take from the checkpoint the values of words that it had."""
    from ..contrib.checkpoint_remaps import load_and_remap_matrix_initializer
    if not (info.new_vocab and info.new_vocab_size and info.old_vocab):
        raise ValueError("Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, "
                         "prev_vocab_path}.")
    n_rows = sum(part.shape.as_list()[0] for part in parts)
    for part in parts:
        shape, slice_info = part.shape.as_list(), part._get_save_slice_info()
        place = slice_info and PartitionInfo(full_shape=slice_info.full_shape, var_offset=slice_info.var_offset)
        initializer = load_and_remap_matrix_initializer(filename, tensor_name, initializer=info.backup_initializer,
                                                        **_remapping(info, n_rows, shape[1]))
        part._initializer_op = state_ops.assign(part, convert_to_tensor(initializer(shape=shape, partition_info=place)))
