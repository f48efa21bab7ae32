# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.strings: strings in characters, code points, words and n-grams, of which each string has its own number."""

from .. import dtypes
from ..framework import ops
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, sparse
from .ragged_tensors import RaggedTensor, from_value


def _ragged_of_sparse(indices, values, shape):
    return RaggedTensor.from_value_rowids(values=values, value_rowids=indices[:, 0], nrows=shape[0], validate=False)


# -- bytes and words

def bytes_split(input, name=None):
    with name_scope(name, "StringsByteSplit", [input]):
        input = from_value(input, name="input")
        if isinstance(input, RaggedTensor):
            return input.with_flat_values(bytes_split(input.flat_values))
        rank = input.shape.ndims
        if rank is None:
            raise ValueError("input must have a statically-known rank.")
        if rank == 0:
            return bytes_split(array_ops.stack([input]))[0]
        if rank == 1:
            return _ragged_of_sparse(*apply_op("StringSplit", input=input, delimiter="", skip_empty=False))
        return bytes_split(RaggedTensor.from_tensor(input))


def _sparse_words(source, sep, maxsplit):
    sep = convert_to_tensor("" if sep is None else sep, dtype=dtypes.string)
    source = convert_to_tensor(source, dtype=dtypes.string)
    indices, values, shape = apply_op("StringSplitV2", input=source, sep=sep, maxsplit=maxsplit)
    indices.set_shape([None, 2])
    values.set_shape([None])
    shape.set_shape([2])
    return sparse.SparseTensor(indices, values, shape)


def _words(input, sep, maxsplit):
    with name_scope(None, "StringSplit", [input]):
        input = from_value(input, dtype=dtypes.string, name="input")
        if isinstance(input, RaggedTensor):
            return input.with_flat_values(_words(input.flat_values, sep, maxsplit))
        rank = input.shape.ndims
        if rank == 0:
            return _words(array_ops.stack([input]), sep, maxsplit)[0]
        if rank in (1, None):
            found = _sparse_words(input, sep, maxsplit)
            return _ragged_of_sparse(found.indices, found.values, found.dense_shape)
        return _words(RaggedTensor.from_tensor(input), sep, maxsplit)


def split(input=None, sep=None, maxsplit=-1, result_type="SparseTensor", source=None, name=None):
    input = ops.either("input", input, "source", source)
    with name_scope(name, "StringSplit", [input]):
        input = from_value(input, dtype=dtypes.string, name="input")
        if result_type == "SparseTensor" and input.shape.ndims == 1:
            return _sparse_words(input, sep, maxsplit)
        found = _words(input, sep, maxsplit)
        if result_type == "SparseTensor":
            return found.to_sparse()
        if result_type != "RaggedTensor":
            raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")
        return found


# -- code points

def unicode_transcode(input, input_encoding, output_encoding, errors="replace", replacement_char=65533,
                      replace_control_characters=False, name=None):
    return apply_op("UnicodeTranscode", input=input, input_encoding=input_encoding, output_encoding=output_encoding,
                    errors=errors, replacement_char=replacement_char,
                    replace_control_characters=replace_control_characters, name=name)


def unicode_encode(input, output_encoding, errors="replace", replacement_char=65533, name=None):
    def encoded(value):
        return unicode_encode(value, output_encoding, errors, replacement_char)
    with name_scope(name, "UnicodeEncode", [input]):
        points = from_value(input)
        rank = points.shape.ndims
        if rank is None:
            raise ValueError("Rank of input_tensor must be statically known.")
        if isinstance(points, RaggedTensor):
            if points.flat_values.shape.ndims > 1:
                return points.with_flat_values(encoded(points.flat_values))
            if points.ragged_rank > 1:
                return points.with_values(encoded(points.values))
            return apply_op("UnicodeEncode", input_values=points.values, input_splits=points.row_splits,
                            output_encoding=output_encoding, errors=errors, replacement_char=replacement_char)
        if rank == 0:
            raise ValueError("input_tensor's rank must be at least 1.")
        if rank == 1:
            splits = array_ops.stack([0, array_ops.shape(points, out_type=dtypes.int32)[0]])
            return array_ops.reshape(encoded(RaggedTensor.from_row_splits(points, splits, validate=False)), [])
        if rank == 2:
            return encoded(RaggedTensor.from_tensor(points))
        flat = array_ops.reshape(points, array_ops.stack([-1, array_ops.shape(points)[-1]]))
        return array_ops.reshape(encoded(flat), points.shape[:-1])


def _decoded(input, input_encoding, errors, replacement_char, replace_control_characters, with_offsets):
    """[code points] of each string, or [code points, where each begins]."""
    input = from_value(input, name="input")
    rank = input.shape.ndims
    if rank is None:
        raise ValueError("Rank of `input` must be statically known.")
    if rank > 1:
        if not isinstance(input, RaggedTensor):
            input = RaggedTensor.from_tensor(input, ragged_rank=rank - 1)
        elif input.ragged_rank < rank - 1:
            input = input.with_flat_values(RaggedTensor.from_tensor(input.flat_values,
                                                                    ragged_rank=rank - input.ragged_rank + 1))
    flat = array_ops.reshape(input.flat_values if isinstance(input, RaggedTensor) else input, [-1])
    splits, *found = apply_op("UnicodeDecodeWithOffsets" if with_offsets else "UnicodeDecode", input=flat,
                              input_encoding=input_encoding, errors=errors, replacement_char=replacement_char,
                              replace_control_characters=replace_control_characters)
    if rank == 0:
        return found

    def rows(values):
        made = RaggedTensor.from_row_splits(values, splits, validate=False)
        return input.with_flat_values(made) if rank > 1 else made
    return [rows(values) for values in found]


def unicode_decode(input, input_encoding, errors="replace", replacement_char=0xFFFD, replace_control_characters=False,
                   name=None):
    with name_scope(name, "UnicodeDecode", [input]):
        return _decoded(input, input_encoding, errors, replacement_char, replace_control_characters, False)[0]


def unicode_decode_with_offsets(input, input_encoding, errors="replace", replacement_char=0xFFFD,
                                replace_control_characters=False, name=None):
    with name_scope(name, "UnicodeDecodeWithOffsets", [input]):
        return tuple(_decoded(input, input_encoding, errors, replacement_char, replace_control_characters, True))


def _each_alone(points, axis=-1):
    """Every code point in a row of its own."""
    with name_scope(None, "RaggedExpandDims", [points]):
        if not isinstance(points, RaggedTensor):
            return array_ops.expand_dims(points, axis)
        values = _each_alone(points.values, points.values.shape.ndims)
        return RaggedTensor.from_row_splits(values, points.row_splits, validate=False)


def unicode_split(input, input_encoding, errors="replace", replacement_char=0xFFFD, name=None):
    with name_scope(name, "UnicodeSplit", [input]):
        points = _decoded(input, input_encoding, errors, replacement_char, False, False)[0]
        return unicode_encode(_each_alone(points), input_encoding, errors, replacement_char)


def unicode_split_with_offsets(input, input_encoding, errors="replace", replacement_char=0xFFFD, name=None):
    with name_scope(name, "UnicodeSplitWithOffsets", [input]):
        points, offsets = _decoded(input, input_encoding, errors, replacement_char, False, True)
        return unicode_encode(_each_alone(points), input_encoding, errors, replacement_char), offsets


# -- n-grams

def _pads(pad_values):
    if pad_values is None:
        return "", ""
    left, right = pad_values[:2] if isinstance(pad_values, (list, tuple)) else (pad_values, pad_values)
    if not isinstance(left, (str, bytes)) or not isinstance(right, (str, bytes)):
        raise TypeError("pad_values must be a string, tuple of strings, or None.")
    return left, right


def ngrams(data, ngram_width, separator=" ", pad_values=None, padding_width=None, preserve_short_sequences=False,
           name=None):
    def of(rows):
        return ngrams(rows, ngram_width, separator, pad_values, padding_width, preserve_short_sequences, name)
    with name_scope(name, "StringNGrams", [data]):
        left, right = _pads(pad_values)
        if padding_width is not None and padding_width < 1:
            raise ValueError("padding_width must be greater than 0.")
        if padding_width is not None and pad_values is None:
            raise ValueError("pad_values must be provided if padding_width is set.")
        data = from_value(data, name="data", dtype=dtypes.string)
        shape = None
        if isinstance(data, Tensor):
            shape = array_ops.concat([array_ops.shape(data)[:-1], [-1]], axis=0)
            rank = data.shape.ndims
            if rank is None:
                raise ValueError("Rank of data must be known.")
            if rank == 0:
                raise ValueError("Data must have rank>0")
            if rank == 1:
                return of(RaggedTensor.from_row_starts(data, [0], validate=False))[0]
            data = RaggedTensor.from_tensor(data, ragged_rank=rank - 1)
        if data.ragged_rank > 1:
            found = data.with_values(of(data.values))
        else:
            found = _ngrams_of_rows(data, ngram_width, separator, left, right,
                                    0 if pad_values is None else padding_width or -1, preserve_short_sequences)
        return found if shape is None else array_ops.reshape(found.flat_values, shape)


def _ngrams_of_rows(data, ngram_width, separator, left, right, padding, preserve_short_sequences):
    widths = ngram_width if isinstance(ngram_width, (list, tuple)) else [ngram_width]
    if any(width < 1 for width in widths):
        raise ValueError("All ngram_widths must be greater than 0. Got %s" % ngram_width)
    values, splits = apply_op("StringNGrams", data=data.flat_values, data_splits=data.row_splits, separator=separator,
                              ngram_widths=list(widths), left_pad=left, right_pad=right, pad_width=padding,
                              preserve_short_sequences=preserve_short_sequences)
    return RaggedTensor.from_row_splits(values, splits, validate=False)


NAMES = ("bytes_split split unicode_transcode unicode_encode unicode_decode unicode_decode_with_offsets unicode_split "
         "unicode_split_with_offsets ngrams").split()
