# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Records to tensors: Examples, SequenceExamples, lines of CSV and raw bytes (tf.io)."""

import collections
import re

from .. import dtypes
from ..control import control_flow
from ..framework import ops, tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, constant, convert_to_tensor
from . import array_ops, math_ops, sparse
from .sparse import SparseTensor

VarLenFeature = collections.namedtuple("VarLenFeature", ["dtype"])
_SparseFields = collections.namedtuple("SparseFeature", ["index_key", "value_key", "dtype", "size", "already_sorted"])
_FixedLenFields = collections.namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"])
_SequenceFields = collections.namedtuple("FixedLenSequenceFeature", ["shape", "dtype", "allow_missing", "default_value"])


class SparseFeature(_SparseFields):
    def __new__(cls, index_key, value_key, dtype, size, already_sorted=False):
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


class FixedLenFeature(_FixedLenFields):
    def __new__(cls, shape, dtype, default_value=None):
        return super().__new__(cls, shape, dtype, default_value)


class FixedLenSequenceFeature(_SequenceFields):
    def __new__(cls, shape, dtype, allow_missing=False, default_value=None):
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


class _Raw:
    """Features as the ops take them: keys, types, defaults and shapes, in the order of their names."""

    def __init__(self, features, allowed):
        self.sparse_keys, self.sparse_types, self.dense_keys, self.dense_types = [], [], [], []
        self.defaults, self.shapes = collections.OrderedDict(), []
        for key in sorted(features or {}):
            feature = features[key]
            add = {VarLenFeature: self._var_len, SparseFeature: self._sparse, FixedLenFeature: self._fixed,
                   FixedLenSequenceFeature: self._sequence}.get(type(feature))
            if add is None:
                raise ValueError("Invalid feature %s:%s." % (key, feature))
            if type(feature) not in allowed:
                raise ValueError("Unsupported %s %s." % (type(feature).__name__, feature))
            add(key, feature)

    def _var_len(self, key, feature):
        if not feature.dtype:
            raise ValueError("Missing type for feature %s." % key)
        self.sparse_keys.append(key)
        self.sparse_types.append(dtypes.as_dtype(feature.dtype))

    def _one_sparse(self, key, dtype):
        if key in self.sparse_keys:
            known = self.sparse_types[self.sparse_keys.index(key)]
            if known != dtype:
                raise ValueError("Conflicting type %s vs %s for feature %s." % (
                    known, "int64" if dtype == dtypes.int64 else dtype, key))
            return
        self.sparse_keys.append(key)
        self.sparse_types.append(dtype)

    def _sparse(self, key, feature):
        if not feature.index_key:
            raise ValueError("Missing index_key for SparseFeature %s." % (feature,))
        if not feature.value_key:
            raise ValueError("Missing value_key for SparseFeature %s." % (feature,))
        if not feature.dtype:
            raise ValueError("Missing type for feature %s." % key)
        index_keys = [feature.index_key] if isinstance(feature.index_key, str) else feature.index_key
        for index_key in sorted(index_keys):
            self._one_sparse(index_key, dtypes.int64)
        self._one_sparse(feature.value_key, dtypes.as_dtype(feature.dtype))

    def _dense(self, key, feature):
        if not feature.dtype:
            raise ValueError("Missing type for feature %s." % key)
        if feature.shape is None:
            raise ValueError("Missing shape for feature %s." % key)
        self.dense_keys.append(key)
        self.shapes.append(feature.shape)
        self.dense_types.append(dtypes.as_dtype(feature.dtype))

    def _fixed(self, key, feature):
        dims = tensor_shape.as_shape(feature.shape)
        if feature.dtype and feature.shape is not None:
            if feature.shape and dims.ndims and dims.dims[0].value is None:
                raise ValueError("First dimension of shape for feature %s unknown. Consider using "
                                 "FixedLenSequenceFeature." % key)
            if not dims.is_fully_defined():
                raise ValueError("All dimensions of shape for feature %s need to be known but received %s." %
                                 (key, str(feature.shape)))
        self._dense(key, feature)
        if feature.default_value is not None:
            self.defaults[key] = feature.default_value

    def _sequence(self, key, feature):
        self._dense(key, feature)
        if feature.allow_missing:
            self.defaults[key] = None
        if feature.default_value is not None:
            self.defaults[key] = feature.default_value

    def check(self):
        if not self.dense_keys and not self.sparse_keys:
            raise ValueError("Must provide at least one sparse key or dense key")
        both = set(self.dense_keys).intersection(set(self.sparse_keys))
        if both:
            raise ValueError("Dense and sparse keys must not intersect; intersection: %s" % both)

    def default_tensors(self):
        return [self._default(key, tensor_shape.as_shape(shape), dtype)
                for key, shape, dtype in zip(self.dense_keys, self.shapes, self.dense_types)]

    def default_values(self):
        """As default_tensors, in the shapes they were given in."""
        return [constant([], dtype=dtype) if self.defaults.get(key) is None
                else convert_to_tensor(self.defaults[key], dtype=dtype, name="key_" + _plain(key))
                for key, dtype in zip(self.dense_keys, self.dense_types)]

    def _default(self, key, shape, dtype):
        value = self.defaults.get(key)
        if shape.ndims is not None and shape.ndims > 0 and shape.dims[0].value is None:
            if value is None:
                return convert_to_tensor("" if dtype == dtypes.string else 0, dtype=dtype)
            return array_ops.reshape(convert_to_tensor(value, dtype=dtype, name="padding_" + _plain(key)), [])
        if value is None:
            return constant([], dtype=dtype)
        if isinstance(value, Tensor):
            return value
        return array_ops.reshape(convert_to_tensor(value, dtype=dtype, name="key_" + _plain(key)), shape)

    def static_shapes(self):
        return [tensor_shape.as_shape(s) for s in self.shapes]


def _plain(key):
    return re.sub("[^A-Za-z0-9_.\\-/]", "_", key)


_ALL = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


def _with_batch_dimension(features):
    result = dict(features)
    for key, feature in features.items():
        if isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be True.")
            result[key] = FixedLenSequenceFeature([None] + list(feature.shape), feature.dtype, feature.allow_missing,
                                                  feature.default_value)
    return result


def checked_features(features):
    """Features of batches of Examples, as the ops take them."""
    raw = _Raw(_with_batch_dimension(features), _ALL)
    raw.check()
    return raw


def join_sparse(features, tensors):
    """What SparseFeatures ask for, made of their parts; parts that nobody asked for go."""
    tensors = dict(tensors)
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            if isinstance(feature.index_key, str):
                ids = tensors[feature.index_key]
            else:
                ids = [tensors[k] for k in feature.index_key]
            tensors[key] = sparse.sparse_merge(ids, tensors[feature.value_key], vocab_size=feature.size,
                                               already_sorted=feature.already_sorted)
    return {k: v for k, v in tensors.items() if k in features}


def _by_key(keys, dense_keys, outputs):
    indices, values, shapes, dense = outputs
    found = [SparseTensor(*parts) for parts in zip(indices, values, shapes)]
    return dict(zip(keys + dense_keys, found + list(dense)))


def parse_example(serialized, features, name=None, example_names=None):
    """A batch of Examples as a dictionary of tensors."""
    if not features:
        raise ValueError("Missing: features was %s." % features)
    features = _with_batch_dimension(features)
    raw = _Raw(features, _ALL)
    return join_sparse(features, _parse_example(raw, serialized, example_names, name))


def _parse_example(raw, serialized, names, name):
    with name_scope(name, "ParseExample", [serialized, names]):
        raw.check()
        defaults = raw.default_tensors()
        outputs = apply_op("ParseExample", serialized=serialized, names=[] if names is None else names,
                           dense_defaults=defaults, sparse_keys=raw.sparse_keys, sparse_types=raw.sparse_types,
                           dense_keys=raw.dense_keys, dense_shapes=raw.static_shapes(), name=name)
        return _by_key(raw.sparse_keys, raw.dense_keys, outputs)


def parse_single_example(serialized, features, name=None, example_names=None):
    """One Example as a dictionary of tensors."""
    if not features:
        raise ValueError("Missing features.")
    features = _with_batch_dimension(features)
    raw = _Raw(features, _ALL)
    if example_names is None:
        return join_sparse(features, _parse_single(raw, serialized, name))
    return join_sparse(features, _parse_single_named(raw, serialized, example_names, name))


def _parse_single(raw, serialized, name):
    with name_scope(name, "ParseSingleExample", [serialized]):
        serialized = convert_to_tensor(serialized, name="serialized")
        raw.check()
        defaults = raw.default_tensors()
        outputs = apply_op("ParseSingleExample", serialized=serialized, dense_defaults=defaults,
                           num_sparse=len(raw.sparse_keys), sparse_keys=raw.sparse_keys, sparse_types=raw.sparse_types,
                           dense_keys=raw.dense_keys, dense_shapes=raw.static_shapes(), name=name)
        return _by_key(raw.sparse_keys, raw.dense_keys, outputs)


def _scalar(value, what, prefix):
    """A scalar as a batch of one."""
    value = convert_to_tensor(value)
    text = "Input %s must be a scalar" % what
    if value.shape.ndims is None:
        check = control_flow.Assert(math_ops.equal(array_ops.rank(value), 0), [text], name=prefix + "IsScalar")
        value = control_flow.with_dependencies([check], value, name=prefix + "Dependencies")
    elif value.shape.ndims != 0:
        raise ValueError(text)
    return array_ops.expand_dims(value, 0)


def _parse_single_named(raw, serialized, names, name):
    with name_scope(name, "ParseSingleExample", [serialized, names]):
        serialized, names = _scalar(serialized, "serialized", "Serialized"), _scalar(names, "names", "Names")
        outputs = _parse_example(raw, serialized, names, name)
        for key in raw.dense_keys:
            outputs[key] = array_ops.squeeze(outputs[key], [0], name="Squeeze_%s" % _plain(key))
        for key in raw.sparse_keys:
            found = outputs[key]
            outputs[key] = SparseTensor(
                array_ops.slice(found.indices, [0, 1], [-1, -1], name="Slice_Indices_%s" % _plain(key)), found.values,
                array_ops.slice(found.dense_shape, [1], [-1], name="Squeeze_Shape_%s" % _plain(key)))
        return outputs


def _sequence_raws(context_features, sequence_features):
    if not (context_features or sequence_features):
        raise ValueError("Missing features.")
    context = _Raw(context_features, (VarLenFeature, FixedLenFeature))
    lists = _Raw(sequence_features, (VarLenFeature, FixedLenSequenceFeature))
    for kind, raw in (("context", context), ("feature_list", lists)):
        both = set(raw.dense_keys).intersection(set(raw.sparse_keys))
        if both:
            raise ValueError("%s_dense and %s_sparse keys must not intersect; intersection: %s" % (kind, kind, both))
    for key, value in lists.defaults.items():
        if value is not None:
            raise ValueError("Value feature_list_dense_defaults[%s] must be None" % key)
    return context, lists


def parse_single_sequence_example(serialized, context_features=None, sequence_features=None, example_name=None, name=None):
    """One SequenceExample: its context and its lists."""
    context, lists = _sequence_raws(context_features, sequence_features)
    with name_scope(name, "ParseSingleSequenceExample", [serialized]):
        defaults = context.default_tensors()
        outputs = apply_op(
            "ParseSingleSequenceExample", serialized=serialized,
            feature_list_dense_missing_assumed_empty=list(lists.defaults), context_sparse_keys=context.sparse_keys,
            context_dense_keys=context.dense_keys, feature_list_sparse_keys=lists.sparse_keys,
            feature_list_dense_keys=lists.dense_keys, context_dense_defaults=defaults,
            debug_name="" if example_name is None else example_name, context_sparse_types=context.sparse_types,
            context_dense_shapes=context.static_shapes(), feature_list_sparse_types=lists.sparse_types,
            feature_list_dense_types=lists.dense_types, feature_list_dense_shapes=lists.static_shapes(), name=name)
        return (_by_key(context.sparse_keys, context.dense_keys, outputs[:4]),
                _by_key(lists.sparse_keys, lists.dense_keys, outputs[4:8]))


def parse_sequence_example(serialized, context_features=None, sequence_features=None, example_names=None, name=None):
    """A batch of SequenceExamples: context, lists and the lists' lengths."""
    context, lists = _sequence_raws(context_features, sequence_features)
    with name_scope(name, "ParseSequenceExample", [serialized]):
        defaults = context.default_values()
        outputs = apply_op(
            "ParseSequenceExample", serialized=serialized,
            debug_name=[] if example_names is None else example_names, context_dense_defaults=defaults,
            feature_list_dense_missing_assumed_empty=list(lists.defaults), context_sparse_keys=context.sparse_keys,
            context_dense_keys=context.dense_keys, feature_list_sparse_keys=lists.sparse_keys,
            feature_list_dense_keys=lists.dense_keys, Ncontext_sparse=len(context.sparse_keys),
            Ncontext_dense=len(context.dense_keys),
            Nfeature_list_sparse=len(lists.sparse_keys), Nfeature_list_dense=len(lists.dense_keys),
            context_sparse_types=context.sparse_types, context_dense_shapes=context.static_shapes(),
            feature_list_dense_types=lists.dense_types, feature_list_sparse_types=lists.sparse_types,
            feature_list_dense_shapes=lists.static_shapes(), name=name)
        return (_by_key(context.sparse_keys, context.dense_keys, outputs[:4]),
                _by_key(lists.sparse_keys, lists.dense_keys, outputs[4:8]), dict(zip(lists.dense_keys, outputs[8])))


def decode_raw(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None):
    contents = ops.either("input_bytes", input_bytes, "bytes", bytes)
    if out_type is None:
        raise ValueError("decode_raw_v1() missing 1 positional argument: 'out_type'")
    return apply_op("DecodeRaw", bytes=contents, out_type=out_type,
                    little_endian=little_endian, name=name)


def decode_csv(records, record_defaults, field_delim=",", use_quote_delim=True, name=None, na_value="", select_cols=None):
    """The columns of lines of CSV."""
    if select_cols is not None and any(a >= b for a, b in zip(select_cols, select_cols[1:])):
        raise ValueError("select_cols is not strictly increasing.")
    if select_cols is not None and select_cols[0] < 0:
        raise ValueError("select_cols contains negative values.")
    if select_cols is not None and len(select_cols) != len(record_defaults):
        raise ValueError("Length of select_cols and record_defaults do not match.")
    return apply_op("DecodeCSV", records=records, record_defaults=record_defaults, field_delim=field_delim,
                    use_quote_delim=use_quote_delim, na_value=na_value, select_cols=select_cols, name=name)


def parse_tensor(serialized, out_type, name=None):
    return apply_op("ParseTensor", serialized=serialized, out_type=out_type, name=name)


def serialize_tensor(tensor, name=None):
    return apply_op("SerializeTensor", tensor=tensor, name=name)


def decode_json_example(json_examples, name=None):
    return apply_op("DecodeJSONExample", json_examples=json_examples, name=name)

