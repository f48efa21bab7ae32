# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What Session.run() takes apart: structures and composites that are fetched or fed, and types that a script registers."""

import collections

from .. import nest
from ..framework import ops
from ..operators.ragged_tensors import RaggedTensor, session_value as ragged_value
from ..operators.sparse import SparseTensor, SparseTensorValue

IndexedSlicesValue = collections.namedtuple("IndexedSlicesValue", ["values", "indices", "dense_shape"])

_Conversion = collections.namedtuple("_Conversion", ["kind", "fetch", "feed", "feed_later"])
_registered = []


def register_session_run_conversion_functions(tensor_type, fetch_function, feed_function=None,
                                              feed_function_for_partial_run=None):
    """How objects of a type are fetched and fed; the last type that fits counts."""
    if any(issubclass(known.kind, tensor_type) for known in _registered):
        raise ValueError("%s has already been registered so ignore it." % tensor_type)
    _registered.insert(0, _Conversion(tensor_type, fetch_function, feed_function, feed_function_for_partial_run))


def _conversion_of(value):
    return next((known for known in _registered if isinstance(value, known.kind)), None)


def _joined(parts, put_together):
    """Leaves and builder of what has parts."""
    def build(values):
        out, at = [], 0
        for leaves, make in parts:
            out.append(make(values[at:at + len(leaves)]))
            at += len(leaves)
        return put_together(out)
    return [leaf for leaves, _ in parts for leaf in leaves], build


def _sequence(fetch, values):
    if isinstance(fetch, list):
        return values
    return type(fetch)(*values) if hasattr(fetch, "_fields") else tuple(values)


def _mapping(fetch, values):
    pairs = list(zip(fetch, values))
    return type(fetch)(pairs) if isinstance(fetch, dict) else dict(pairs)


def fetched(fetch):
    """(leaves, builder): the builder makes the result from the leaves' values."""
    if fetch is None:
        raise TypeError("Fetch argument %r has invalid type %r" % (fetch, type(fetch)))
    if isinstance(fetch, (list, tuple)):
        return _joined([fetched(f) for f in fetch], lambda values: _sequence(fetch, values))
    if isinstance(fetch, collections.abc.Mapping):
        return _joined([fetched(fetch[key]) for key in fetch], lambda values: _mapping(fetch, values))
    fields = getattr(type(fetch), "__attrs_attrs__", None)
    if fields is not None:
        return _joined([fetched(getattr(fetch, field.name)) for field in fields], lambda values: type(fetch)(*values))
    conversion = _conversion_of(fetch)
    if conversion is not None:
        return conversion.fetch(fetch)
    if isinstance(fetch, ops.IndexedSlices):
        leaves = [fetch.values, fetch.indices] + ([fetch.dense_shape] if fetch.dense_shape is not None else [])
        return leaves, lambda v: IndexedSlicesValue(v[0], v[1], v[2] if len(v) > 2 else None)
    if isinstance(fetch, SparseTensor):
        return [fetch.indices, fetch.values, fetch.dense_shape], lambda v: SparseTensorValue(*v)
    if isinstance(fetch, RaggedTensor):
        return list(fetch.nested_row_splits) + [fetch.flat_values], ragged_value
    return [fetch], lambda values: values[0]


def fed(feed_dict):
    """Pairs of one tensor and its value each."""
    for key, value in feed_dict.items():
        conversion = _conversion_of(key)
        if isinstance(key, (list, tuple)):
            keys, values = nest.flatten(key), nest.flatten(value)
            if len(keys) != len(values):
                raise ValueError("Could not flatten dictionary. Key had %d elements, but value had %d elements. Key: %s, "
                                 "value: %s." % (len(keys), len(values), keys, values))
            yield from zip(keys, values)
        elif conversion is not None:
            if conversion.feed is None:
                raise TypeError("Feed argument %r has invalid type %r" % (key, type(key)))
            yield from conversion.feed(key, value)
        elif isinstance(key, ops.IndexedSlices):
            yield from zip((key.values, key.indices) + (() if key.dense_shape is None else (key.dense_shape,)), value)
        elif isinstance(key, SparseTensor):
            yield from zip((key.indices, key.values, key.dense_shape), value)
        elif isinstance(key, RaggedTensor):
            yield from zip(key.nested_row_splits + (key.flat_values,), value.nested_row_splits + (value.flat_values,))
        else:
            yield key, value
