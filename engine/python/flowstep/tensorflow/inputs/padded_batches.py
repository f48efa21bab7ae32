# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Batches of elements of unequal shapes."""

import numpy as np

from .. import dtypes
from ..framework import ops, structure, tensor_shape
from ..framework.ops import apply_op, convert_to_tensor
from ..framework.structure import SparseTensorSpec, TensorSpec
from . import datasets


def _fits(padded, shape):
    if padded.dims is None or shape.dims is None:
        return True
    if len(padded.dims) != len(shape.dims):
        return False
    return all(p is None or s is None or p >= s for p, s in zip(padded.as_list(), shape.as_list()))


def _shape_tensor(padded, shape):
    try:
        known = tensor_shape.as_shape(padded)
        result = convert_to_tensor([-1 if d is None else d for d in known.as_list()], dtype=dtypes.int64)
    except (TypeError, ValueError):
        result = convert_to_tensor(padded, preferred_dtype=dtypes.int64)
        if result.shape.dims is not None and len(result.shape.dims) != 1:
            raise ValueError("Padded shape %s must be a 1-D tensor of tf.int64 values, but its shape was %s." %
                             (padded, result.shape)) from None
        if result.dtype != dtypes.int64:
            raise TypeError("Padded shape %s must be a 1-D tensor of tf.int64 values, but its element type was %s." %
                            (padded, result.dtype.name)) from None
        known = ops.constant_value_as_shape(result)
    if not _fits(known, shape):
        raise ValueError("The padded shape %s is not compatible with the corresponding input component shape %s." %
                         (known, shape))
    return result


def _default(dtype):
    return "" if dtype == dtypes.string else np.zeros_like(dtype.as_numpy_dtype())


def _value_tensor(value, dtype):
    value = convert_to_tensor(value, name="padding_value")
    if not value.shape.is_compatible_with([]):
        raise ValueError("Padding value should be a scalar, but is not: %s" % value)
    if value.dtype != dtype:
        raise TypeError("Padding value tensor (%s) does not match output type: %s" % (value, dtype))
    return value


def padded_batch(source, batch_size, padded_shapes, padding_values, drop_remainder):
    if any(isinstance(s, SparseTensorSpec) for s in structure.flatten(source.element_spec)):
        raise TypeError("Batching of padded sparse tensors is not currently supported")
    batch_size = convert_to_tensor(batch_size, dtype=dtypes.int64, name="batch_size")
    kinds, shapes = structure.flatten(source.output_types), structure.flatten(source.output_shapes)
    if padding_values is None:
        values = [_default(d) for d in kinds]
    else:
        values = structure.flatten_up_to(source.output_types, padding_values)
    tensors = [_shape_tensor(p, s) for p, s in zip(structure.flatten_up_to(source.output_types, padded_shapes), shapes)]
    values = [_value_tensor(v, d) for v, d in zip(values, kinds)]
    drop_remainder = convert_to_tensor(drop_remainder, dtype=dtypes.bool, name="drop_remainder")
    size = ops.constant_value(batch_size) if ops.constant_value(drop_remainder) else None
    first = tensor_shape.TensorShape([None if size is None else int(size)])
    spec = structure.pack(source.element_spec, [TensorSpec(first.concatenate(ops.constant_value_as_shape(t)), d)
                                                for t, d in zip(tensors, kinds)])
    out = {"output_shapes": [s for _, s in structure.flat(spec)], "padded_shapes": tensors, "padding_values": values}
    # TF: asks whether the constant is False and not whether it is false, so this is never the older op.
    variant = apply_op("PaddedBatchDatasetV2", input_dataset=source._variant_tensor, batch_size=batch_size,
                       drop_remainder=drop_remainder, **out)
    return datasets.Dataset(variant, spec, [source])
