# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.strings: what is more than one op, or named otherwise than its op."""

import numpy as np

from .. import dtypes
from ..framework import ops
from ..framework.graph import name_scope
from ..framework.ops import apply_op, constant, convert_to_tensor
from . import array_ops, math_ops, sparse
from .array_ops import _op

join = string_join = _op("StringJoin", "inputs", "separator")
strip = string_strip = _op("StringStrip", "input")
to_hash_bucket_fast = _op("StringToHashBucketFast", "input", "num_buckets")
to_hash_bucket_strong = _op("StringToHashBucketStrong", "input", "num_buckets", "key")
as_string = ops.wrapper("AsString")
lower, upper = _op("StringLower", "input", "encoding"), _op("StringUpper", "input", "encoding")


def to_hash_bucket(string_tensor=None, num_buckets=None, name=None, input=None):
    return apply_op("StringToHashBucket", string_tensor=ops.either("string_tensor", string_tensor, "input", input),
                    num_buckets=num_buckets, name=name)


def to_number(string_tensor=None, out_type=dtypes.float32, name=None, input=None):
    return apply_op("StringToNumber", string_tensor=ops.either("string_tensor", string_tensor, "input", input),
                    out_type=out_type, name=name)


string_to_number, string_to_hash_bucket = to_number, to_hash_bucket


def length(input, name=None, unit="BYTE"):
    return apply_op("StringLength", input=input, unit=unit, name=name)


def substr(input, pos, len, name=None, unit="BYTE"):
    return apply_op("Substr", input=input, pos=pos, len=len, unit=unit, name=name)


def regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    if isinstance(pattern, (str, bytes)) and isinstance(rewrite, (str, bytes)):
        return apply_op("StaticRegexReplace", input=input, pattern=pattern, rewrite=rewrite, replace_global=replace_global,
                        name=name)
    return apply_op("RegexReplace", input=input, pattern=pattern, rewrite=rewrite, replace_global=replace_global, name=name)


def regex_full_match(input, pattern, name=None):
    if isinstance(pattern, (str, bytes)):
        return apply_op("StaticRegexFullMatch", input=input, pattern=pattern, name=name)
    return apply_op("RegexFullMatch", input=input, pattern=pattern, name=name)


def reduce_join(inputs, axis=None, keep_dims=None, separator="", name=None, reduction_indices=None, keepdims=None):
    axis = ops.either("axis", axis, "reduction_indices", reduction_indices)
    keep = bool(ops.either("keepdims", keepdims, "keep_dims", keep_dims))
    with name_scope(None, "ReduceJoin", [inputs, axis]):
        inputs = convert_to_tensor(inputs)
        if axis is None:
            ndims = inputs.shape.ndims
            axis = constant(np.arange(ndims - 1, -1, -1), dtype=dtypes.int32) if ndims is not None else \
                math_ops.range(array_ops.rank(inputs) - 1, -1, -1)
        return apply_op("ReduceJoin", inputs=inputs, reduction_indices=axis, keep_dims=keep, separator=separator, name=name)


def string_split(source=None, sep=None, skip_empty=True, delimiter=None, result_type="SparseTensor", input=None, name=None):
    delimiter = ops.either("sep", sep, "delimiter", delimiter)
    source = ops.either("source", source, "input", input)
    with name_scope(name, "StringSplit", [source]):
        delimiter = convert_to_tensor(" " if delimiter is None else delimiter, dtype=dtypes.string)
        source = convert_to_tensor(source, dtype=dtypes.string)
        if delimiter.dtype != dtypes.string:
            raise ValueError("delimiter must be a string")
        indices, values, shape = apply_op("StringSplit", input=source, delimiter=delimiter, skip_empty=skip_empty)
        indices.set_shape([None, 2])
        values.set_shape([None])
        shape.set_shape([2])
        return sparse.SparseTensor(indices, values, shape)
