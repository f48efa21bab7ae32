# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The gradient of ExtractImagePatches: a sparse matrix says where each place of the image went."""

from . import array_ops, dtypes, gradient_rules, math_ops, sparse
from .ops import apply_op


def _patches_gradient(op, grad):
    size = array_ops.shape(op.inputs[0], out_type=dtypes.int64)
    batch, rows_in, cols_in, channels = size[0], size[1], size[2], size[3]
    # Places are numbered from 1: 0 is the padding's.
    n_in = 1 + rows_in * cols_in
    places = array_ops.reshape(math_ops.range(1, n_in, dtype=dtypes.int64), (1, rows_in, cols_in, 1))
    places = apply_op("ExtractImagePatches", images=places, ksizes=op.get_attr("ksizes"), strides=op.get_attr("strides"),
                      rates=op.get_attr("rates"), padding=op.get_attr("padding"))
    out_size = array_ops.shape(op.outputs[0], out_type=dtypes.int64)
    rows_out, cols_out = out_size[1], out_size[2]
    _, k_rows, k_cols, _ = op.get_attr("ksizes")
    n_out = rows_out * cols_out * k_rows * k_cols
    targets = array_ops.reshape(math_ops.range(n_out, dtype=dtypes.int64), (1, rows_out, cols_out, k_rows * k_cols))
    pairs = array_ops.concat([array_ops.expand_dims(places, axis=-1), array_ops.expand_dims(targets, axis=-1)], axis=-1)
    pairs = array_ops.reshape(pairs, (-1, 2))
    shape = (n_in, n_out)
    whole = sparse.SparseTensor(pairs, array_ops.ones([n_out], dtype=grad.dtype), shape)
    matrix = sparse.sparse_slice(whole, (1, 0), (n_in - 1, n_out))
    grad = array_ops.reshape(grad, (batch, rows_out, cols_out, k_rows, k_cols, channels))
    grad = array_ops.transpose(grad, (1, 2, 3, 4, 0, 5))
    grad = array_ops.reshape(grad, (-1, batch * channels))
    made = sparse.sparse_tensor_dense_matmul(matrix, grad)
    made = array_ops.reshape(made, (rows_in, cols_in, batch, channels))
    return [array_ops.transpose(made, (2, 0, 1, 3))]


gradient_rules.add_own(("ExtractImagePatches",), _patches_gradient)
