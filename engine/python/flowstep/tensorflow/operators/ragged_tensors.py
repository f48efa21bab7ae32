# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.RaggedTensor: rows of different lengths, as their values one after the other and where each row begins."""

import numpy as np

from .. import dtypes, nest
from ..control import control_flow
from ..framework import dispatch, ops, tensor_shape
from ..framework.graph import Tensor, control_dependencies, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, check_ops, math_ops, more_ops, sparse

_INTEGERS = (dtypes.int32, dtypes.int64)


def _zero_of(tensor, message):
    return check_ops.assert_equal(tensor, ops.constant(0, dtype=tensor.dtype), message=message)


def _in_order(tensor, message):
    return check_ops.assert_non_negative(tensor[1:] - tensor[:-1], message=message)


def _count(values, out_type=dtypes.int32):
    return values.nrows(out_type=out_type) if isinstance(values, RaggedTensor) else \
        array_ops.shape(values, out_type=out_type)[0]


def positive_axis(axis, ndims):
    return more_ops._axis_of(axis, ndims)


def to_int_tensor(value, name, dtype):
    value = ops.internal_convert_to_tensor(value, name=name, preferred_dtype=dtype)
    if not value.dtype.is_integer:
        raise TypeError("%s must be an integer tensor; dtype=%s" % (name, value.dtype))
    return apply_op("Cast", x=value, DstT=dtype)


def _graph_values(*values):
    """What says the graph of a scope: the tensors that ragged ones are made of."""
    return [v.flat_values if isinstance(v, RaggedTensor) else v for v in values]


class RaggedTensorValue:
    """A ragged tensor as numpy has it."""

    def __init__(self, values, row_splits):
        if not (isinstance(row_splits, (np.ndarray, np.generic)) and row_splits.dtype in (np.int64, np.int32) and
                row_splits.ndim == 1):
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, (np.ndarray, np.generic, RaggedTensorValue)):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        if isinstance(values, RaggedTensorValue) and row_splits.dtype != values.row_splits.dtype:
            raise ValueError("row_splits and values.row_splits must have the same dtype")
        self._values, self._row_splits = values, row_splits

    row_splits = property(lambda self: self._row_splits)
    values = property(lambda self: self._values)
    dtype = property(lambda self: self._values.dtype)

    @property
    def flat_values(self):
        return self._values.flat_values if isinstance(self._values, RaggedTensorValue) else self._values

    @property
    def nested_row_splits(self):
        inner = self._values.nested_row_splits if isinstance(self._values, RaggedTensorValue) else ()
        return (self._row_splits,) + inner

    @property
    def ragged_rank(self):
        return len(self.nested_row_splits)

    @property
    def shape(self):
        return (self._row_splits.shape[0] - 1,) + (None,) + self._values.shape[1:]

    def __str__(self):
        return "<tf.RaggedTensorValue %s>" % self.to_list()

    def __repr__(self):
        return "tf.RaggedTensorValue(values=%r, row_splits=%r)" % (self._values, self._row_splits)

    def to_list(self):
        values = self._values.to_list() if isinstance(self._values, RaggedTensorValue) else self._values.tolist()
        return [values[start:end] for start, end in zip(self._row_splits[:-1], self._row_splits[1:])]


@dispatch.kind
class RaggedTensor:
    def __init__(self, values, row_splits, cached_row_lengths=None, cached_value_rowids=None, cached_nrows=None,
                 internal=False):
        if not internal:
            raise ValueError("RaggedTensor constructor is private; please use one of the factory methods instead (e.g., "
                             "RaggedTensor.from_row_lengths())")
        if not isinstance(row_splits, Tensor):
            raise TypeError("Row-partitioning argument must be a Tensor, got %r" % row_splits)
        if not isinstance(values, (RaggedTensor, Tensor)):
            raise TypeError("values must be a Tensor or RaggedTensor, got %r" % values)
        if row_splits.dtype not in _INTEGERS:
            raise ValueError("Row-partitioning argument must be int32 or int64")
        row_splits.shape.assert_has_rank(1)
        values.shape.with_rank_at_least(1)
        row_splits.set_shape([None])
        self._values, self._row_splits = values, row_splits
        self._lengths, self._rowids, self._nrows = cached_row_lengths, cached_value_rowids, cached_nrows

    # -- from values and how they are parted

    @classmethod
    def _parted(cls, values, partition, name):
        if isinstance(values, RaggedTensor):
            if not isinstance(partition, Tensor):
                return values, convert_to_tensor(partition, values.row_splits.dtype, name=name)
            if partition.dtype not in _INTEGERS:
                raise ValueError("%s must have dtype int32 or int64" % name)
            if values.row_splits.dtype != partition.dtype:
                raise ValueError("dtype mismatch: %s (%s) vs values.row_splits (%s)" % (
                    name, partition.dtype, values.row_splits.dtype))
            return values, partition
        values = convert_to_tensor(values, name="values")
        is_small = isinstance(partition, np.ndarray) and partition.dtype == np.int32
        partition = ops.internal_convert_to_tensor(partition, name=name, preferred_dtype=None if is_small else dtypes.int64)
        if partition.dtype not in _INTEGERS:
            raise ValueError("%s must have dtype int32 or int64" % name)
        return values, partition

    @classmethod
    def _from(cls, kind, values, partition, name, validate, checks):
        """Values and their partition, checked as the kind of partition asks for it."""
        values, partition = cls._parted(values, partition, kind)
        partition.shape.assert_has_rank(1)
        if not validate:
            return values, partition
        asserted = checks(values, partition, "Arguments to from_%s do not form a valid RaggedTensor" % kind)
        if not isinstance(values, RaggedTensor):
            asserted.append(check_ops.assert_rank_at_least(values, 1))
        return values, control_flow.with_dependencies(asserted, partition)

    @staticmethod
    def _check_validate(validate):
        if not isinstance(validate, bool):
            raise TypeError("validate must have type bool")

    @classmethod
    def from_value_rowids(cls, values, value_rowids, nrows=None, name=None, validate=True):
        cls._check_validate(validate)
        with name_scope(name, "RaggedFromValueRowIds", _graph_values(values, value_rowids, nrows)):
            values, value_rowids = cls._parted(values, value_rowids, "value_rowids")
            nrows, known = cls._row_count(value_rowids, nrows)
            value_rowids.shape.assert_has_rank(1)
            nrows.shape.assert_has_rank(0)
            values.shape[:1].assert_is_compatible_with(value_rowids.shape)
            if validate:
                words = "Arguments to from_value_rowids do not form a valid RaggedTensor"
                counts = _count(values), _count(value_rowids)
                checks = [check_ops.assert_rank(value_rowids, 1, message=words), check_ops.assert_rank(nrows, 0, message=words),
                          check_ops.assert_equal(*counts, message=words),
                          check_ops.assert_non_negative(value_rowids[:1], message=words), _in_order(value_rowids, words),
                          check_ops.assert_less(value_rowids[-1:], nrows, message=words)]
                if not isinstance(values, RaggedTensor):
                    checks.append(check_ops.assert_rank_at_least(values, 1))
                value_rowids = control_flow.with_dependencies(checks, value_rowids)
            rowids = math_ops.cast(value_rowids, dtypes.int32)
            count = math_ops.cast(nrows, dtypes.int32)
            lengths = math_ops.bincount(rowids, minlength=count, maxlength=count, dtype=value_rowids.dtype)
            splits = array_ops.concat([[0], math_ops.cumsum(lengths)], axis=0)
            if known is not None:
                lengths.set_shape([known])
                splits.set_shape([known + 1])
            return cls(values, splits, lengths, value_rowids, nrows, internal=True)

    @staticmethod
    def _row_count(value_rowids, nrows):
        rowids = None
        if nrows is None:
            rowids = ops.constant_value(value_rowids)
            if rowids is None:
                return array_ops.concat([value_rowids[-1:], [-1]], axis=0)[0] + 1, None
            known = int(rowids[-1]) + 1 if rowids.size > 0 else 0
            return convert_to_tensor(known, value_rowids.dtype, name="nrows"), known
        nrows = convert_to_tensor(nrows, value_rowids.dtype, "nrows")
        known = ops.constant_value(nrows)
        if known is None:
            return nrows, None
        if known < 0:
            raise ValueError("Expected nrows >= 0; got %d" % known)
        rowids = ops.constant_value(value_rowids)
        if rowids is not None and rowids.size > 0 and not known >= rowids[-1] + 1:
            raise ValueError("Expected nrows >= value_rowids[-1] + 1; got nrows=%d, value_rowids[-1]=%d" % (known, rowids[-1]))
        return nrows, int(known)

    @classmethod
    def from_row_splits(cls, values, row_splits, name=None, validate=True):
        cls._check_validate(validate)
        if isinstance(row_splits, (list, tuple)) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")

        def checks(values, splits, words):
            count = _count(values, splits.dtype)
            return [check_ops.assert_rank(splits, 1, message=words), _zero_of(splits[0], words), _in_order(splits, words),
                    check_ops.assert_equal(splits[-1], count, message=words)]
        with name_scope(name, "RaggedFromRowSplits", _graph_values(values, row_splits)):
            values, row_splits = cls._from("row_splits", values, row_splits, name, validate, checks)
            return cls(values, row_splits, internal=True)

    @classmethod
    def from_row_lengths(cls, values, row_lengths, name=None, validate=True):
        cls._check_validate(validate)

        def checks(values, lengths, words):
            total = math_ops.reduce_sum(lengths)
            count = _count(values, lengths.dtype)
            return [check_ops.assert_rank(lengths, 1, message=words), check_ops.assert_non_negative(lengths, message=words),
                    check_ops.assert_equal(total, count, message=words)]
        with name_scope(name, "RaggedFromRowLengths", _graph_values(values, row_lengths)):
            values, row_lengths = cls._from("row_lengths", values, row_lengths, name, validate, checks)
            splits = array_ops.concat([[0], math_ops.cumsum(row_lengths)], axis=0)
            return cls(values, splits, row_lengths, internal=True)

    @classmethod
    def from_row_starts(cls, values, row_starts, name=None, validate=True):
        cls._check_validate(validate)
        with name_scope(name, "RaggedFromRowStarts", _graph_values(values, row_starts)):
            values, row_starts = cls._parted(values, row_starts, "row_starts")
            row_starts.shape.assert_has_rank(1)
            count = _count(values, row_starts.dtype)

            def checks(values, starts, words):
                return [check_ops.assert_rank(starts, 1, message=words), _zero_of(starts[:1], words),
                        _in_order(starts, words), check_ops.assert_less_equal(starts[-1:], count, message=words)]
            values, row_starts = cls._from("row_starts", values, row_starts, name, validate, checks)
            return cls(values, array_ops.concat([row_starts, [count]], axis=0), internal=True)

    @classmethod
    def from_row_limits(cls, values, row_limits, name=None, validate=True):
        cls._check_validate(validate)

        def checks(values, limits, words):
            count = _count(values, limits.dtype)
            return [check_ops.assert_rank(limits, 1, message=words), check_ops.assert_non_negative(limits[:1], message=words),
                    _in_order(limits, words), check_ops.assert_equal(limits[-1:], count, message=words)]
        with name_scope(name, "RaggedFromRowLimits", _graph_values(values, row_limits)):
            values, row_limits = cls._from("row_limits", values, row_limits, name, validate, checks)
            zero = array_ops.zeros([1], row_limits.dtype)
            return cls(values, array_ops.concat([zero, row_limits], axis=0), internal=True)

    @classmethod
    def _nested(cls, scope, flat_values, partitions, what, make, name, validate):
        cls._check_validate(validate)
        if isinstance(partitions, Tensor):
            raise TypeError("%s must be a list of Tensors" % what)
        with name_scope(name, scope, _graph_values(flat_values) + list(partitions)):
            result = flat_values
            for partition in reversed(partitions):
                result = make(result, partition, validate=validate)
            return result

    @classmethod
    def from_nested_row_splits(cls, flat_values, nested_row_splits, name=None, validate=True):
        return cls._nested("RaggedFromNestedRowSplits", flat_values, nested_row_splits, "nested_row_splits",
                           cls.from_row_splits, name, validate)

    @classmethod
    def from_nested_row_lengths(cls, flat_values, nested_row_lengths, name=None, validate=True):
        return cls._nested("RaggedFromNestedRowlengths", flat_values, nested_row_lengths, "nested_row_lengths",
                           cls.from_row_lengths, name, validate)

    @classmethod
    def from_nested_value_rowids(cls, flat_values, nested_value_rowids, nested_nrows=None, name=None, validate=True):
        what = "nested_value_rowids"
        if isinstance(nested_nrows, Tensor):
            raise TypeError("nested_nrows must be a list of Tensors")
        if nested_nrows is None or isinstance(nested_value_rowids, Tensor):
            return cls._nested("RaggedFromNestedValueRowIds", flat_values, nested_value_rowids, what, cls.from_value_rowids,
                               name, validate)
        if len(nested_nrows) != len(nested_value_rowids):
            raise ValueError("nested_nrows must have the same length as nested_value_rowids")
        return cls._nested("RaggedFromNestedValueRowIds", flat_values, list(zip(nested_value_rowids, nested_nrows)), what,
                           lambda values, ids, validate: cls.from_value_rowids(values, *ids, validate=validate), name,
                           validate)

    # -- what it is made of

    dtype = property(lambda self: self._values.dtype)
    values = property(lambda self: self._values)
    row_splits = property(lambda self: self._row_splits)
    ragged_rank = property(lambda self: len(self.nested_row_splits))
    flat_values = property(lambda self: self._values.flat_values if isinstance(self._values, RaggedTensor) else self._values)
    graph = property(lambda self: self._row_splits.graph)

    def consumers(self):
        found = []
        for part in (self._values, self._row_splits):
            found += [op for op in part.consumers() if op not in found]
        return found

    @property
    def nested_row_splits(self):
        inner = self._values.nested_row_splits if isinstance(self._values, RaggedTensor) else ()
        return (self._row_splits,) + inner

    @property
    def shape(self):
        splits = self._row_splits.shape
        rows = tensor_shape.Dimension(None) if splits.ndims is None else splits[0] - 1
        return tensor_shape.TensorShape([rows, None]).concatenate(self._values.shape[1:])

    def get_shape(self):
        return self.shape

    def value_rowids(self, name=None):
        if self._rowids is not None:
            return self._rowids
        with name_scope(name, "RaggedValueRowIds", [self.flat_values]):
            return row_splits_to_segment_ids(self._row_splits)

    def nested_value_rowids(self, name=None):
        with name_scope(name, "RaggedNestedValueRowIds", [self.flat_values]):
            found, rows = [], self
            while isinstance(rows, RaggedTensor):
                found.append(rows.value_rowids())
                rows = rows.values
            return tuple(found)

    def nrows(self, out_type=None, name=None):
        out_type = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        if self._nrows is not None:
            return math_ops.cast(self._nrows, out_type)
        with name_scope(name, "RaggedNRows", [self.flat_values]):
            return array_ops.shape(self._row_splits, out_type=out_type)[0] - 1

    def row_starts(self, name=None):
        with name_scope(name, "RaggedRowStarts", [self.flat_values]):
            return self._row_splits[:-1]

    def row_limits(self, name=None):
        with name_scope(name, "RaggedRowLimits", [self.flat_values]):
            return self._row_splits[1:]

    def row_lengths(self, axis=1, name=None):
        if self._lengths is not None:
            return self._lengths
        with name_scope(name, "RaggedRowLengths", [self.flat_values]):
            axis = positive_axis(axis, self.shape.ndims)
            if axis == 0:
                return self.nrows()
            if axis == 1:
                return self._row_splits[1:] - self._row_splits[:-1]
            if isinstance(self._values, RaggedTensor):
                return self.with_values(self._values.row_lengths(axis - 1))
            shape = array_ops.shape(self._values, out_type=self._row_splits.dtype)
            return self.with_values(array_ops.ones(shape[:axis - 1], self._row_splits.dtype) * shape[axis - 1])

    def nested_row_lengths(self, name=None):
        with name_scope(name, "RaggedNestedRowLengths", [self.flat_values]):
            found, rows = [], self
            while isinstance(rows, RaggedTensor):
                found.append(rows.row_lengths())
                rows = rows.values
            return tuple(found)

    def bounding_shape(self, axis=None, name=None, out_type=None):
        out_type = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        with name_scope(name, "RaggedBoundingBox", [self.flat_values]):
            if axis == 0:
                return array_ops.shape(self._row_splits, out_type=out_type)[0] - 1
            if axis == 1:
                return math_ops.maximum(math_ops.reduce_max(self.row_lengths()), 0)
            splits_shape = array_ops.shape(self._row_splits, out_type=out_type)
            values_shape = array_ops.shape(self.flat_values, out_type=out_type)
            sizes = [splits_shape[0] - 1] + [math_ops.maximum(math_ops.reduce_max(splits[1:] - splits[:-1]), 0)
                                             for splits in self.nested_row_splits]
            sizes = array_ops.stack(sizes)
            box = array_ops.concat([sizes, values_shape[1:]], axis=0)
            return box if axis is None else array_ops.gather(box, axis)

    # -- the same rows with others in them

    def with_values(self, new_values):
        new_values.shape.with_rank_at_least(1)
        self._values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        if isinstance(new_values, RaggedTensor) and self._row_splits.dtype != new_values.row_splits.dtype:
            raise ValueError("self and new_values have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() "
                             "to convert them to compatible dtypes.")
        return RaggedTensor(new_values, self._row_splits, self._lengths, self._rowids, self._nrows, internal=True)

    def with_flat_values(self, new_values):
        if isinstance(self._values, Tensor):
            return self.with_values(new_values)
        return self.with_values(self._values.with_flat_values(new_values))

    def with_row_splits_dtype(self, dtype):
        dtype = dtypes.as_dtype(dtype)
        if dtype not in _INTEGERS:
            raise ValueError("dtype must be int32 or int64")
        if self._row_splits.dtype == dtype:
            return self
        splits, values = math_ops.cast(self._row_splits, dtype), self._values
        if isinstance(values, RaggedTensor):
            values = values.with_row_splits_dtype(dtype)
        lengths = None if self._lengths is None else math_ops.cast(self._lengths, dtype)
        rowids = None if self._rowids is None else math_ops.cast(self._rowids, dtype)
        return RaggedTensor(values, splits, lengths, rowids, self._nrows, internal=True)

    # -- dense and sparse

    @classmethod
    def from_tensor(cls, tensor, lengths=None, padding=None, ragged_rank=1, name=None, row_splits_dtype=dtypes.int64):
        kind = dtypes.as_dtype(row_splits_dtype)
        if lengths is not None and padding is not None:
            raise ValueError("Specify lengths or padding, but not both")
        if not isinstance(ragged_rank, int):
            raise TypeError("ragged_rank expected int, got %r" % ragged_rank)
        if ragged_rank <= 0:
            raise ValueError("ragged_rank must be greater than 0; got %s" % ragged_rank)
        with name_scope(name, "RaggedFromTensor", [tensor, padding]):
            tensor = convert_to_tensor(tensor, name="tensor")
            tensor.shape.with_rank_at_least(ragged_rank + 1)
            shape = array_ops.shape(tensor, out_type=kind)
            columns = shape[1]
            if ragged_rank > 1:
                flat = array_ops.reshape(tensor, array_ops.concat([ops.constant([-1], kind), shape[ragged_rank:]], axis=0))
                values = cls.from_tensor(flat, lengths, padding, row_splits_dtype=kind)
                sizes = math_ops.cumprod(shape)
                splits = [math_ops.range(0, sizes[dim - 1] + 1) * shape[dim] for dim in range(1, ragged_rank)]
                return cls.from_nested_row_splits(values, splits, validate=False)
            if padding is not None:
                lengths = cls._lengths_without(tensor, padding, columns, kind)
            if lengths is not None:
                return cls._from_lengths(tensor, lengths, columns, kind)
            rows = shape[0]
            count = rows * columns
            splits = math_ops.range(rows + 1) * columns
            values = array_ops.reshape(tensor, array_ops.concat([[count], shape[2:]], axis=0))
            return cls.from_row_splits(values, splits, validate=False)

    @staticmethod
    def _lengths_without(tensor, padding, columns, kind):
        """How long the rows are without the padding at their ends."""
        padding = convert_to_tensor(padding, name="padding", dtype=tensor.dtype)
        padding.shape.assert_is_compatible_with(tensor.shape[2:])
        equal = math_ops.equal(padding, tensor)
        rank = array_ops.rank(tensor)
        axes = math_ops.range(2, rank)
        is_padding = control_flow.cond(rank > 2, lambda: math_ops.reduce_all(equal, axis=axes), lambda: equal)
        is_padding.set_shape([None, None])
        is_padding.set_shape(tensor.shape[:2])
        is_value = math_ops.cast(math_ops.logical_not(is_padding), kind)
        ends = is_value * array_ops.expand_dims(math_ops.range(1, columns + 1), 0)
        return math_ops.reduce_max(ends, axis=1)

    @classmethod
    def _from_lengths(cls, tensor, lengths, columns, kind):
        if isinstance(lengths, (list, tuple)) and len(lengths) and not isinstance(lengths[0], (int, float)):
            tensor.shape.with_rank_at_least(len(lengths) + 1)
            ones = array_ops.ones([math_ops.reduce_sum(lengths[-1])], dtype=dtypes.bool)
            mask = cls.from_nested_row_lengths(ones, lengths, validate=False).to_tensor(default_value=False)
            return cls.from_nested_row_lengths(array_ops.boolean_mask(tensor, mask), lengths, validate=False)
        lengths = to_int_tensor(lengths, "lengths", kind)
        lengths.shape.assert_has_rank(1)
        lengths = math_ops.maximum(math_ops.minimum(lengths, columns), 0)
        limits = math_ops.cumsum(lengths)
        splits = array_ops.concat([array_ops.zeros([1], kind), limits], axis=0)
        mask = array_ops.sequence_mask(lengths, maxlen=columns)
        return cls.from_row_splits(array_ops.boolean_mask(tensor, mask), splits, validate=False)

    def to_tensor(self, default_value=None, name=None):
        with name_scope(name, "RaggedToTensor", [self.flat_values, default_value]):
            if default_value is not None:
                default_value = convert_to_tensor(default_value, name="default_value", dtype=self.dtype)
            values = self._values
            if isinstance(values, RaggedTensor):
                values = values.to_tensor(default_value)
            ndims = values.shape.ndims
            if default_value is not None:
                if ndims is not None:
                    default_value.shape.with_rank_at_most(ndims - 1)
                if ndims is None or default_value.shape.ndims is None or ndims != default_value.shape.ndims + 1:
                    default_value = array_ops.broadcast_to(default_value, array_ops.shape(values)[1:])
                default_value.shape.assert_is_compatible_with(values.shape[1:])
            lengths = [self._row_splits[1:] - self._row_splits[:-1]]
            rows = array_ops.shape(self._row_splits, out_type=self._row_splits.dtype)[0] - 1
            columns = math_ops.maximum(math_ops.reduce_max(lengths), 0)
            shape = array_ops.shape(values, out_type=self._row_splits.dtype)
            inner, count = shape[1:], shape[0]
            if default_value is None:
                default_value = array_ops.zeros(inner, dtype=values.dtype)
            default_value.shape.assert_is_compatible_with(values.shape[1:])
            default_value.set_shape(values.shape[1:])
            starts = array_ops.expand_dims(self._row_splits[:-1], 1)
            limits = array_ops.expand_dims(self._row_splits[1:], 1)
            places = array_ops.expand_dims(math_ops.range(0, columns), 0)
            both = array_ops.concat([values, array_ops.stack([default_value])], axis=0)
            index = starts + places
            has_value = index < limits
            nowhere = array_ops.fill(array_ops.stack([rows, columns]), count)
            return array_ops.gather(both, array_ops.where(has_value, index, nowhere))

    @classmethod
    def from_sparse(cls, st_input, name=None, row_splits_dtype=dtypes.int64):
        kind = dtypes.as_dtype(row_splits_dtype)
        if not isinstance(st_input, (sparse.SparseTensor, sparse.SparseTensorValue)):
            raise TypeError("Expected SparseTensor, got %s" % type(st_input).__name__)
        with name_scope(name, "RaggedFromSparse"):
            st_input = sparse.convert_to_tensor_or_sparse_tensor(st_input, name="st_input")
            ranks = [st_input.dense_shape.shape.dims and st_input.dense_shape.shape.dims[0].value,
                     st_input.indices.shape.dims and st_input.indices.shape.dims[1].value]
            if 2 not in ranks:
                raise ValueError("rank(st_input) must be 2")
            with control_dependencies(_right_ragged(st_input.indices)):
                rowids = math_ops.cast(st_input.indices[:, 0], kind)
                rows = math_ops.cast(st_input.dense_shape[0], kind)
                return cls.from_value_rowids(st_input.values, rowids, rows, validate=False)

    def to_sparse(self, name=None):
        with name_scope(name, "RaggedToSparse", [self.flat_values]):
            made = apply_op("RaggedTensorToSparse", rt_nested_splits=list(self.nested_row_splits),
                            rt_dense_values=self.flat_values, name=name)
            return sparse.SparseTensor(*made)

    def to_list(self):
        raise ValueError("RaggedTensor.to_list() is only supported in eager mode; in graph mode, evaluate the RaggedTensor "
                         "first and then use RaggedTensorValue.to_list().")

    def __repr__(self):
        return "tf.RaggedTensor(values=%s, row_splits=%s)" % (self._values, self._row_splits)

    def __getitem__(self, key):
        from . import ragged_ops
        return ragged_ops.getitem(self, key)

    def eval(self, feed_dict=None, session=None):
        from ..sessions import session as session_lib
        return session_lib.eval_using_default_session(self, feed_dict, self.graph, session)


def from_value(value, dtype=None, name=None, preferred_dtype=None):
    """A ragged tensor as it is, or as one where it is a value; all else as a tensor."""
    if isinstance(value, RaggedTensor):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError("Tensor conversion requested dtype %s for RaggedTensor with dtype %s: %r" %
                             (dtypes.as_dtype(dtype).name, value.dtype.name, value))
        return value
    if isinstance(value, RaggedTensorValue):
        with name_scope(name, "ConvertToTensorOrRaggedTensor", []):
            flat = convert_to_tensor(value.flat_values, dtype=dtype, name="flat_values")
            return RaggedTensor.from_nested_row_splits(flat, value.nested_row_splits, validate=False)
    return convert_to_tensor(value, dtype=dtype, name=name, preferred_dtype=preferred_dtype)


def _right_ragged(indices):
    """Checks that the values of a sparse tensor stand at the beginnings of its rows."""
    prefix, suffix = indices[:, :-1], indices[:, -1]
    is_new = math_ops.reduce_any(math_ops.not_equal(prefix[1:], prefix[:-1]), axis=1)
    at_start = math_ops.equal(suffix[1:], 0)
    ok = array_ops.where(is_new, at_start, math_ops.equal(suffix[1:], suffix[:-1] + 1))
    first = math_ops.reduce_all(math_ops.equal(suffix[:1], 0))
    return [control_flow.Assert(math_ops.logical_and(first, math_ops.reduce_all(ok)), [
        "SparseTensor is not right-ragged", "SparseTensor.indices =", indices])]


def row_splits_to_segment_ids(splits, name=None, out_type=None):
    with name_scope(name, "RaggedSplitsToSegmentIds", [splits]) as name:
        splits = ops.internal_convert_to_tensor(splits, name="splits", preferred_dtype=dtypes.int64)
        if splits.dtype not in _INTEGERS:
            raise ValueError("splits must have dtype int32 or int64")
        splits.shape.assert_has_rank(1)
        if tensor_shape.dimension_value(splits.shape[0]) == 0:
            raise ValueError("Invalid row_splits: []")
        out_type = splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        lengths = splits[1:] - splits[:-1]
        rows = array_ops.shape(splits, out_type=out_type)[-1] - 1
        return more_ops._repeat(math_ops.range(rows), lengths, 0, None)


def segment_ids_to_row_splits(segment_ids, num_segments=None, out_type=None, name=None):
    if out_type is None:
        given = next((v for v in (segment_ids, num_segments) if isinstance(v, Tensor)), None)
        out_type = dtypes.int64 if given is None else given.dtype
    with name_scope(name, "SegmentIdsToRaggedSplits", [segment_ids]):
        segment_ids = to_int_tensor(segment_ids, "segment_ids", dtypes.int32)
        segment_ids.shape.assert_has_rank(1)
        if num_segments is not None:
            num_segments = to_int_tensor(num_segments, "num_segments", dtypes.int32)
            num_segments.shape.assert_has_rank(0)
        lengths = math_ops.bincount(segment_ids, minlength=num_segments, maxlength=num_segments,
                                    dtype=dtypes.as_dtype(out_type))
        splits = array_ops.concat([[0], math_ops.cumsum(lengths)], axis=0)
        known = None if num_segments is None else ops.constant_value(num_segments)
        if known is not None:
            splits.set_shape([int(known) + 1])
        return splits


def _of_parts(value, parts):
    """A ragged tensor of other flat values and row splits, the outermost first."""
    result = parts[0]
    for splits in reversed(parts[1:]):
        result = RaggedTensor(result, splits, internal=True)
    return result


nest.register_composite(RaggedTensor, lambda value: [value.flat_values, *value.nested_row_splits], _of_parts)


def session_value(components):
    """What a fetched ragged tensor is, from its row splits and values."""
    value = components[-1]
    for splits in reversed(components[:-1]):
        value = RaggedTensorValue(value, splits)
    return value
