# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.lookup: vocabularies, which it calls mappings, made to tables."""

from .. import dtypes
from ..framework.graph import name_scope
from ..framework.ops import convert_to_tensor
from ..operators import lookup
from ..operators.lookup import FastHashSpec


def _given(mapping):
    if mapping is None:
        raise ValueError("mapping must be specified.")
    return mapping


def index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec, dtype=dtypes.string,
                            name=None):
    return lookup.index_table_from_tensor(_given(mapping), num_oov_buckets, default_value, hasher_spec, dtype, name)


def index_to_string_table_from_tensor(mapping, default_value="UNK", name=None):
    return lookup.index_to_string_table_from_tensor(_given(mapping), default_value, name)


def string_to_index(tensor, mapping, default_value=-1, name=None):
    return index_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


def index_to_string(tensor, mapping, default_value="UNK", name=None):
    return index_to_string_table_from_tensor(mapping, default_value, name).lookup(tensor)


def string_to_index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None, default_value=-1,
                                    hasher_spec=FastHashSpec, name=None):
    return lookup.index_table_from_file(vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, name=name)


def string_to_index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec, name=None):
    with name_scope(name, "string_to_index") as scope:
        mapping = convert_to_tensor(mapping)
    if mapping.dtype.base_dtype != dtypes.string:
        raise ValueError("string_to_index_table_from_tensor requires string.")
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, name=scope)
