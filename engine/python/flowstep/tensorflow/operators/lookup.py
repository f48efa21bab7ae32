# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Tables: keys to values (tf.lookup, tf.contrib.lookup)."""

import collections
import uuid

from .. import dtypes
from ..control import control_flow
from ..framework import graph as graph_lib, ops
from ..framework.graph import GraphKeys, Tensor, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, math_ops
from .sparse import SparseTensor

HasherSpec = collections.namedtuple("HasherSpec", ["hasher", "key"])
FastHashSpec = HasherSpec("fasthash", None)
LegacyHashSpec = HasherSpec("legacy", None)


def StrongHashSpec(key):
    if len(key) != 2:
        raise ValueError("key must have size 2, got %s." % len(key))
    if not isinstance(key[0], int) or not isinstance(key[1], int):
        raise TypeError("Invalid key %s. Must be unsigned integer values." % key)
    return HasherSpec("stronghash", key)


class TextFileIndex:
    WHOLE_LINE = -2
    LINE_NUMBER = -1


def tables_initializer(name="init_all_tables"):
    found = graph_lib.get_collection(GraphKeys.TABLE_INITIALIZERS)
    return control_flow.group(*found, name=name) if found else control_flow.no_op(name=name)


def _check_types(table, key_dtype, value_dtype):
    if key_dtype.base_dtype != table.key_dtype:
        raise TypeError("Invalid key dtype, expected %s but got %s." % (table.key_dtype, key_dtype))
    if value_dtype.base_dtype != table.value_dtype:
        raise TypeError("Invalid value dtype, expected %s but got %s." % (table.value_dtype, value_dtype))


def _check_keys(table, keys):
    if keys.dtype.base_dtype != table.key_dtype:
        raise TypeError("Signature mismatch. Keys must be dtype %s, got %s." % (table.key_dtype, keys.dtype))


def _like(keys, values):
    """Values in the form of the keys."""
    return SparseTensor(keys.indices, values, keys.dense_shape) if isinstance(keys, SparseTensor) else values


# -- what tables begin with

class TableInitializerBase:
    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)
    _shared_name = ""

    def initialize(self, table):
        raise NotImplementedError


class KeyValueTensorInitializer(TableInitializerBase):
    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        self._keys = convert_to_tensor(keys, dtype=key_dtype, name="keys")
        self._values = convert_to_tensor(values, dtype=value_dtype, name="values")
        self._name = "key_value_init" if name is None else name
        super().__init__(self._keys.dtype, self._values.dtype)

    def initialize(self, table):
        _check_types(table, self._keys.dtype, self._values.dtype)
        with name_scope(self._name, values=(table.resource_handle, self._keys, self._values)):
            init = ops.make_op("LookupTableImportV2", table_handle=table.resource_handle, keys=self._keys,
                               values=self._values)
        graph_lib.add_to_collection(GraphKeys.TABLE_INITIALIZERS, init)
        return init


class TextFileInitializer(TableInitializerBase):
    def __init__(self, filename, key_dtype, key_index, value_dtype, value_index, vocab_size=None, delimiter="\t",
                 name=None):
        if not isinstance(filename, Tensor) and not filename:
            raise ValueError("Filename required for %s." % name)
        key_dtype, value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)
        self._check("key", "Keys", key_index, key_dtype)
        self._check("value", "Values", value_index, value_dtype)
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError("Invalid vocab_size %s." % vocab_size)
        self._filename_arg, self._key_index, self._value_index = filename, key_index, value_index
        self._vocab_size, self._delimiter, self._name = vocab_size, delimiter, name
        with graph_lib.init_scope(), graph_lib.device("CPU"):
            self._filename = convert_to_tensor(filename, dtype=dtypes.string, name="asset_path")
        super().__init__(key_dtype, value_dtype)

    @staticmethod
    def _check(what, name, index, dtype):
        if index < -2:
            raise ValueError("Invalid %s index %s." % (what, index))
        if index == TextFileIndex.LINE_NUMBER and dtype != dtypes.int64:
            raise ValueError("Signature mismatch. %s must be dtype %s, got %s." % (name, dtypes.int64, dtype))
        if index == TextFileIndex.WHOLE_LINE and dtype != dtypes.string:
            if what == "value":
                raise ValueError("Signature mismatch. Values must be dtype %s, got %s." % (dtypes.string, dtype))
            if not dtype.is_integer:
                raise ValueError("Signature mismatch. Keys must be integer or string, got %s." % dtype)

    def initialize(self, table):
        _check_types(table, self.key_dtype, self.value_dtype)
        with name_scope(self._name, "text_file_init", (table.resource_handle,)):
            init = ops.make_op("InitializeTableFromTextFileV2", table_handle=table.resource_handle,
                               filename=self._filename, key_index=self._key_index, value_index=self._value_index,
                               vocab_size=-1 if self._vocab_size is None else self._vocab_size,
                               delimiter=self._delimiter)
        graph_lib.add_to_collection(GraphKeys.TABLE_INITIALIZERS, init)
        if self._filename.op.type == "Const":
            graph_lib.add_to_collection(GraphKeys.ASSET_FILEPATHS, self._filename)
        return init

    @property
    def _shared_name(self):
        if self._vocab_size:
            return "hash_table_%s_%d_%s_%s" % (self._filename_arg, self._vocab_size, self._key_index, self._value_index)
        return "hash_table_%s_%s_%s" % (self._filename_arg, self._key_index, self._value_index)


def TextFileStringTableInitializer(filename, key_column_index=TextFileIndex.LINE_NUMBER,
                                   value_column_index=TextFileIndex.WHOLE_LINE, vocab_size=None, delimiter="\t",
                                   name="text_file_string_table_init"):
    return TextFileInitializer(filename, dtypes.int64, key_column_index, dtypes.string, value_column_index, vocab_size,
                               delimiter, name)


def TextFileIdTableInitializer(filename, key_column_index=TextFileIndex.WHOLE_LINE,
                               value_column_index=TextFileIndex.LINE_NUMBER, vocab_size=None, delimiter="\t",
                               name="text_file_id_table_init", key_dtype=dtypes.string):
    return TextFileInitializer(filename, key_dtype, key_column_index, dtypes.int64, value_column_index, vocab_size,
                               delimiter, name)


# -- tables

class LookupInterface:
    """What all tables have."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)
    name = property(lambda self: self._table_name)


class InitializableLookupTableBase(LookupInterface):
    """Filled once, by its initializer; a subclass makes the table."""

    def __init__(self, default_value, initializer):
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        self._default_value = convert_to_tensor(default_value, dtype=self._value_dtype)
        self._default_value.shape.merge_with([])
        with graph_lib.init_scope():
            self._resource_handle = self._create_resource()
        self._init_op = initializer.initialize(self)

    def _create_resource(self):
        raise NotImplementedError

    resource_handle = property(lambda self: self._resource_handle)
    default_value = property(lambda self: self._default_value)
    initializer = property(lambda self: self._init_op)
    init = initializer

    def size(self, name=None):
        with name_scope(name, "%s_Size" % self.name, [self._resource_handle]):
            return apply_op("LookupTableSizeV2", table_handle=self._resource_handle)

    def lookup(self, keys, name=None):
        _check_keys(self, keys)
        key_tensor = keys.values if isinstance(keys, SparseTensor) else keys
        with name_scope(name, "%s_Lookup" % self.name, (self._resource_handle, key_tensor, self._default_value)):
            values = apply_op("LookupTableFindV2", table_handle=self._resource_handle, keys=key_tensor,
                              default_value=self._default_value)
        values.set_shape(key_tensor.shape)
        return _like(keys, values)

    def export(self, name=None):
        with name_scope(name, "%s_Export" % self.name, [self._resource_handle]):
            keys, values = apply_op("LookupTableExportV2", table_handle=self._resource_handle, Tkeys=self._key_dtype,
                                    Tvalues=self._value_dtype)
        values.set_shape(keys.shape.concatenate(self._default_value.shape))
        return keys, values


class StaticHashTable(InitializableLookupTableBase):
    """tf.lookup.StaticHashTable: of a name of its own."""

    def __init__(self, initializer, default_value, name=None):
        self._shared_name, self._op_name = initializer._shared_name or "hash_table_%s" % uuid.uuid4(), name or "hash_table"
        super().__init__(default_value, initializer)

    def _create_resource(self):
        table = apply_op("HashTableV2", shared_name=self._shared_name, key_dtype=self._key_dtype,
                         value_dtype=self._value_dtype, name=self._op_name)
        self._table_name = table.op.name.split("/")[-1]
        return table


class HashTable(StaticHashTable):
    """tf.contrib.lookup.HashTable: shared only where a name says so."""

    def __init__(self, initializer, default_value, shared_name=None, name=None):
        self._shared_name, self._op_name = shared_name, name or "hash_table"
        InitializableLookupTableBase.__init__(self, default_value, initializer)


class IdTableWithHashBuckets(LookupInterface):
    """Strings and numbers to ids; what a table does not know goes to one of several buckets."""

    def __init__(self, table, num_oov_buckets, hasher_spec=FastHashSpec, name=None, key_dtype=None):
        name = name.rstrip("/") if name else name
        if table:
            key_dtype = table.key_dtype if key_dtype is None else key_dtype
            self._check_table(table, key_dtype)
            name = name or table.name
        else:
            if num_oov_buckets <= 0:
                raise ValueError("oov_buckets must be > 0 if no table is supplied.")
            key_dtype = dtypes.string if key_dtype is None else key_dtype
            name = name or "hash_bucket"
        if not key_dtype.is_integer and dtypes.string != key_dtype:
            raise TypeError("Invalid key_dtype, expected integer or string, got %s." % key_dtype)
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError("hasher_spec must be of type HasherSpec, got %s" % (hasher_spec,))
        self._table, self._num_oov_buckets, self._hasher_spec = table, num_oov_buckets, hasher_spec
        self._table_name = name.split("/")[-1]
        super().__init__(key_dtype, dtypes.int64)

    @staticmethod
    def _check_table(table, key_dtype):
        known = (dtypes.int64, dtypes.string)
        if table.key_dtype not in known:
            raise TypeError("Invalid key dtype, expected one of %s, but got %s." % (known, key_dtype))
        if table.key_dtype.is_integer != key_dtype.is_integer:
            raise TypeError("Invalid key dtype, expected %s but got %s." %
                            ("integer" if key_dtype.is_integer else "non-integer", table.key_dtype))
        if table.value_dtype != dtypes.int64:
            raise TypeError("Invalid value dtype, expected %s but got %s." % (dtypes.int64, table.value_dtype))

    @property
    def initializer(self):
        if self._table is not None:
            return self._table.initializer
        with name_scope(None, "init"):
            return control_flow.no_op()

    init = initializer
    resource_handle = property(lambda self: None if self._table is None else self._table.resource_handle)

    def size(self, name=None):
        with name_scope(name, "%s_Size" % self.name):
            size = self._table.size() if self._table else convert_to_tensor(0, dtype=dtypes.int64)
            return size + self._num_oov_buckets

    def _buckets(self, values):
        if values.dtype.base_dtype != dtypes.string:
            values = apply_op("AsString", input=values)
        kind = {"fasthash": "StringToHashBucketFast", "legacy": "StringToHashBucket",
                "stronghash": "StringToHashBucketStrong"}.get(self._hasher_spec.hasher)
        if kind is None:
            raise ValueError("Unknown hasher %s" % self._hasher_spec.hasher)
        more = {"key": list(self._hasher_spec.key)} if kind.endswith("Strong") else {}
        source = "string_tensor" if kind == "StringToHashBucket" else "input"
        return apply_op(kind, num_buckets=self._num_oov_buckets, name="hash_bucket", **{source: values}, **more)

    def lookup(self, keys, name=None):
        _check_keys(self, keys)
        values = keys.values if isinstance(keys, SparseTensor) else keys
        if self._table and self._table.key_dtype.base_dtype == dtypes.int64:
            values = math_ops.cast(values, dtypes.int64)
        if self._num_oov_buckets == 0:
            return _like(keys, self._table.lookup(values, name=name))
        with name_scope(name, "%s_Lookup" % self.name):
            ids = self._buckets(values)
            if self._table:
                known, buckets = self._table.lookup(values), ids
                buckets = math_ops.add(buckets, self._table.size())
                is_known = math_ops.not_equal(known, self._table.default_value)
                ids = apply_op("SelectV2", condition=is_known, t=known, e=buckets)
        return _like(keys, ids)


class StaticVocabularyTable(IdTableWithHashBuckets):
    def __init__(self, initializer, num_oov_buckets, lookup_key_dtype=None, name=None):
        if num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0.")
        table = None
        if initializer:
            table = StaticHashTable(initializer, default_value=-1)
        super().__init__(table, num_oov_buckets, name=name, key_dtype=lookup_key_dtype)


class _Mutable(LookupInterface):
    """A table that ops fill; what is in it is saved with the variables."""

    def _made(self, handle, name, checkpoint):
        self._resource_handle, self._table_name = handle, handle.op.name.split("/")[-1]
        if checkpoint:
            graph_lib.add_to_collection(GraphKeys.SAVEABLE_OBJECTS, TableSaveable(self, name))

    resource_handle = property(lambda self: self._resource_handle)

    def _scope(self, name, what, values):
        return name_scope(name, "%s_%s" % (self.name, what), [self._resource_handle] + list(values))

    def size(self, name=None):
        with self._scope(name, "Size", ()), graph_lib.colocate_with(self._resource_handle):
            return apply_op("LookupTableSizeV2", table_handle=self._resource_handle)

    def lookup(self, keys, name=None):
        with self._scope(name, "lookup_table_find", (keys,)):
            keys = convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
            with graph_lib.colocate_with(self._resource_handle):
                return apply_op("LookupTableFindV2", table_handle=self._resource_handle, keys=keys,
                                default_value=self._default_value)

    def insert(self, keys, values, name=None):
        with self._scope(name, "lookup_table_insert", (keys, values)):
            keys = convert_to_tensor(keys, self._key_dtype, name="keys")
            values = convert_to_tensor(values, self._value_dtype, name="values")
            with graph_lib.colocate_with(self._resource_handle):
                return ops.make_op("LookupTableInsertV2", table_handle=self._resource_handle, keys=keys, values=values)

    insert_or_assign = insert

    def remove(self, keys, name=None):
        if keys.dtype != self._key_dtype:
            raise TypeError("Signature mismatch. Keys must be dtype %s, got %s." % (self._key_dtype, keys.dtype))
        with self._scope(name, "lookup_table_remove", (keys,)):
            return ops.make_op("LookupTableRemoveV2", table_handle=self._resource_handle, keys=keys)

    erase = remove

    def _gather_saveables_for_checkpoint(self):
        return {"table": lambda name=self.name: TableSaveable(self, name)}

    def export(self, name=None):
        with self._scope(name, "lookup_table_export_values", ()), graph_lib.colocate_with(self._resource_handle):
            return tuple(apply_op("LookupTableExportV2", table_handle=self._resource_handle, Tkeys=self._key_dtype,
                                  Tvalues=self._value_dtype))


class TableSaveable:
    """Keys and values of a table, as a Saver takes them."""

    def __init__(self, table, name):
        self.op, self.name, self.device = table, name, table.resource_handle.device
        keys, values = table.export()
        self.tensors = [(name + "-keys", keys), (name + "-values", values)]

    def restore(self, tensors):
        with name_scope(None, "%s_table_restore" % self.name), graph_lib.colocate_with(self.op.resource_handle):
            return ops.make_op("LookupTableImportV2", table_handle=self.op.resource_handle, keys=tensors[0],
                               values=tensors[1])


class MutableHashTable(_Mutable):
    def __init__(self, key_dtype, value_dtype, default_value, name="MutableHashTable", checkpoint=True):
        super().__init__(key_dtype, value_dtype)
        self._default_value = convert_to_tensor(default_value, dtype=value_dtype)
        shape = self._default_value.shape
        values = {"use_node_name_sharing": checkpoint, "key_dtype": key_dtype, "value_dtype": value_dtype, "name": name}
        if shape.ndims == 0:
            handle = apply_op("MutableHashTableV2", **values)
        else:
            handle = apply_op("MutableHashTableOfTensorsV2", value_shape=shape, **values)
        self._made(handle, name, checkpoint)


class DenseHashTable(_Mutable):
    def __init__(self, key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets=None,
                 name="MutableDenseHashTable", checkpoint=True):
        super().__init__(key_dtype, value_dtype)
        self._default_value = convert_to_tensor(default_value, dtype=value_dtype, name="default_value")
        empty_key = convert_to_tensor(empty_key, dtype=key_dtype, name="empty_key")
        deleted_key = convert_to_tensor(deleted_key, dtype=key_dtype, name="deleted_key")
        handle = apply_op("MutableDenseHashTableV2", empty_key=empty_key, deleted_key=deleted_key,
                          use_node_name_sharing=checkpoint, value_dtype=value_dtype,
                          value_shape=self._default_value.shape, initial_num_buckets=initial_num_buckets, name=name)
        self._made(handle, name, checkpoint)


# -- vocabularies

def _check_vocabulary(num_oov_buckets, dtype):
    if num_oov_buckets < 0:
        raise ValueError("num_oov_buckets must be greater or equal than 0, got %d." % num_oov_buckets)
    if not dtype.is_integer and dtypes.string != dtype.base_dtype:
        raise TypeError("Only integer and string keys are supported.")


def _with_buckets(table, num_oov_buckets, hasher_spec, key_dtype):
    if not num_oov_buckets:
        return table
    return IdTableWithHashBuckets(table, num_oov_buckets=num_oov_buckets, hasher_spec=hasher_spec, key_dtype=key_dtype)


def index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None, default_value=-1,
                          hasher_spec=FastHashSpec, key_dtype=dtypes.string, name=None,
                          key_column_index=TextFileIndex.WHOLE_LINE, value_column_index=TextFileIndex.LINE_NUMBER,
                          delimiter="\t"):
    if vocabulary_file is None or isinstance(vocabulary_file, str) and not vocabulary_file:
        raise ValueError("vocabulary_file must be specified and must not be empty.")
    if num_oov_buckets >= 0 and vocab_size is not None and vocab_size < 1:
        shown = ops.constant_value(vocabulary_file) or "?" if isinstance(vocabulary_file, Tensor) else vocabulary_file
        raise ValueError("vocab_size must be greater than 0, got %d. vocabulary_file: %s" % (vocab_size, shown))
    _check_vocabulary(num_oov_buckets, key_dtype)
    with name_scope(name, "string_to_index"):
        with name_scope(None, "hash_table"):
            init = TextFileIdTableInitializer(vocabulary_file, vocab_size=vocab_size,
                                              key_dtype=dtypes.int64 if key_dtype.is_integer else key_dtype,
                                              name="table_init", key_column_index=key_column_index,
                                              value_column_index=value_column_index, delimiter=delimiter)
            table = StaticHashTable(init, default_value)
        return _with_buckets(table, num_oov_buckets, hasher_spec, key_dtype)


def index_table_from_tensor(vocabulary_list, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec,
                            dtype=dtypes.string, name=None):
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    _check_vocabulary(num_oov_buckets, dtype)
    with name_scope(name, "string_to_index"):
        keys = convert_to_tensor(vocabulary_list)
        if keys.dtype.is_integer != dtype.is_integer:
            raise ValueError("Expected %s, got %s." % ("integer" if dtype.is_integer else "non-integer", keys.dtype))
        if not dtype.is_integer and keys.dtype.base_dtype != dtype:
            raise ValueError("Expected %s, got %s." % (dtype, keys.dtype))
        values = math_ops.cast(math_ops.range(array_ops.size(keys)), dtypes.int64)
        with name_scope(None, "hash_table"):
            keys = math_ops.cast(keys, dtypes.int64) if keys.dtype.is_integer else keys
            init = KeyValueTensorInitializer(keys, values, keys.dtype.base_dtype, dtypes.int64, name="table_init")
            table = StaticHashTable(init, default_value)
        return _with_buckets(table, num_oov_buckets, hasher_spec, dtype)


def index_to_string_table_from_file(vocabulary_file, vocab_size=None, default_value="UNK", name=None,
                                    key_column_index=TextFileIndex.LINE_NUMBER,
                                    value_column_index=TextFileIndex.WHOLE_LINE, delimiter="\t"):
    if vocabulary_file is None or isinstance(vocabulary_file, str) and not vocabulary_file:
        raise ValueError("vocabulary_file must be specified and must not be empty.")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError("vocab_size must be greater than 0, got %d." % vocab_size)
    with name_scope(name, "index_to_string"):
        init = TextFileStringTableInitializer(vocabulary_file, vocab_size=vocab_size, name="table_init",
                                              key_column_index=key_column_index,
                                              value_column_index=value_column_index, delimiter=delimiter)
        return StaticHashTable(init, default_value)


def index_to_string_table_from_tensor(vocabulary_list, default_value="UNK", name=None):
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    with name_scope(name, "index_to_string"):
        vocabulary_list = convert_to_tensor(vocabulary_list, dtypes.string)
        keys = math_ops.cast(math_ops.range(array_ops.size(vocabulary_list)), dtypes.int64)
        init = KeyValueTensorInitializer(keys, vocabulary_list, dtypes.int64, dtypes.string, name="table_init")
        return StaticHashTable(init, default_value)
