# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Gathering from each item of a batch by itself: tf.batch_gather, and tf.gather_nd with batch dimensions."""

import builtins

import numpy as np

from .. import dtypes
from ..framework.graph import name_scope
from ..framework.ops import apply_op, constant_value, convert_to_tensor
from . import math_ops
from .array_ops import concat, gather, gather_nd, meshgrid, ones, rank, reshape, shape, stack, tile, transpose, unstack, zeros


def batch_gather(params, indices, name=None):
    with name_scope(name, "BatchGather", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if indices.shape.ndims is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        return _batch_gather(params, indices, indices.shape.ndims - 1)


def _batch_gather(params, indices, batch_dims):
    """Along the first axis after the batch dimensions, by indices into them made one."""
    indices_shape, dims = shape(indices), shape(params)
    kind = indices.dtype.base_dtype
    at, n = indices, ones((), dtype=kind)
    sizes = apply_op("Cast", x=dims, DstT=kind)
    for dim in builtins.range(batch_dims, 0, -1):
        length = sizes[dim - 1]
        n *= sizes[dim]
        start, step = zeros((), dtype=kind), ones((), dtype=kind)
        offsets = apply_op("Range", start=start, limit=length, delta=step)
        offsets *= n
        place = stack([1] * (dim - 1) + [length] + [1] * (indices.shape.ndims - dim), axis=0)
        at += reshape(offsets, place)
    flat = reshape(at, [-1])
    rest = dims[batch_dims + 1:]
    inner = apply_op("Prod", input=dims[:batch_dims + 1], reduction_indices=[0], keep_dims=False)
    result = gather(reshape(params, concat([[inner], rest], axis=0)), flat)
    result = reshape(result, concat([indices_shape, rest], axis=0))
    if params.shape.ndims is not None:
        result.set_shape(indices.shape.concatenate(params.shape[batch_dims + 1:]))
    return result


def _check_batch_dims(batch_dims, params, indices):
    known = constant_value(batch_dims)
    if known is None or np.ndim(known):
        raise TypeError("batch_dims must be an int; got %r" % (batch_dims,))
    if known < 0:
        raise ValueError("tf.gather_nd does not allow negative batch_dims.")
    for tensor, what in ((indices, "indices"), (params, "params")):
        if tensor.shape.ndims is not None and known >= tensor.shape.ndims:
            raise ValueError("batch_dims = %d must be less than rank(%s) = %d" % (known, what, tensor.shape.ndims))
    return int(known)


def batch_gather_nd(params, indices, batch_dims, name=None):
    """By the places in the batch before the indices: then it is one gathering of all."""
    with name_scope(name, "BatchGatherND", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        batch_dims = _check_batch_dims(batch_dims, params, indices)
        if batch_dims == 0:
            return gather_nd(params, indices)
        params_shape, indices_shape = shape(params), shape(indices)
        batch_shape = params_shape[:batch_dims]
        n_items = math_ops.reduce_prod(batch_shape, [0])
        n_inner = rank(indices) - batch_dims - 1
        inner_shape = indices_shape[batch_dims:-1]
        at = [apply_op("Cast", x=apply_op("Range", start=0, limit=size, delta=1), DstT=indices.dtype)
              for size in unstack(batch_shape, axis=0)]
        at = transpose(stack([reshape(x, shape=(-1,)) for x in meshgrid(*at, indexing="ij")], axis=0))
        at_shape = shape(at)
        at = reshape(at, concat([at_shape[:1], ones(n_inner, dtype=dtypes.int32), at_shape[1:]], axis=0))
        at = tile(at, multiples=concat([(1,), inner_shape, (1,)], axis=0))
        flat = reshape(indices, shape=concat([[n_items], indices_shape[batch_dims:]], axis=0))
        found = gather_nd(params, concat([at, flat], axis=-1))
        return reshape(found, concat([batch_shape, shape(found)[1:]], axis=0))
