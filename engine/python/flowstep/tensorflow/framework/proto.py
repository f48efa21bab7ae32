# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""TensorFlow's messages (tf.GraphDef and the others), from the engine's own table of them."""

import functools
import struct

import numpy as np

from . import proto_forests as _forests, proto_options as _options, proto_profiles as _profiles
from ._engine import Flow

# Messages that the engine does not read: what TensorBoard gets.
_OWN = {
    "Summary": "value\t1\tmessage\t1\t0\tSummary.Value",
    "Summary.Value": "tag\t1\tstring\t0\t0\t\nsimple_value\t2\tfloat\t0\t1\t\nobsolete_old_style_histogram\t3\tbytes\t0\t1\t\n"
                     "image\t4\tmessage\t0\t1\tSummary.Image\nhisto\t5\tmessage\t0\t1\tHistogramProto\n"
                     "audio\t6\tmessage\t0\t1\tSummary.Audio\nnode_name\t7\tstring\t0\t0\t\n"
                     "tensor\t8\tmessage\t0\t1\tTensorProto\nmetadata\t9\tmessage\t0\t0\tSummaryMetadata",
    "Summary.Image": "height\t1\tvarint\t0\t0\t\nwidth\t2\tvarint\t0\t0\t\ncolorspace\t3\tvarint\t0\t0\t\n"
                     "encoded_image_string\t4\tbytes\t0\t0\t",
    "Summary.Audio": "sample_rate\t1\tfloat\t0\t0\t\nnum_channels\t2\tvarint\t0\t0\t\nlength_frames\t3\tvarint\t0\t0\t\n"
                     "encoded_audio_string\t4\tbytes\t0\t0\t\ncontent_type\t5\tstring\t0\t0\t",
    "HistogramProto": "min\t1\tdouble\t0\t0\t\nmax\t2\tdouble\t0\t0\t\nnum\t3\tdouble\t0\t0\t\nsum\t4\tdouble\t0\t0\t\n"
                      "sum_squares\t5\tdouble\t0\t0\t\nbucket_limit\t6\tdouble\t1\t0\t\nbucket\t7\tdouble\t1\t0\t",
    "SummaryMetadata": "plugin_data\t1\tmessage\t0\t0\tSummaryMetadata.PluginData\ndisplay_name\t2\tstring\t0\t0\t\n"
                       "summary_description\t3\tstring\t0\t0\t",
    "SummaryMetadata.PluginData": "plugin_name\t1\tstring\t0\t0\t\ncontent\t2\tbytes\t0\t0\t",
    "Event": "wall_time\t1\tdouble\t0\t0\t\nstep\t2\tvarint\t0\t0\t\nfile_version\t3\tstring\t0\t1\t\n"
             "graph_def\t4\tbytes\t0\t1\t\nsummary\t5\tmessage\t0\t1\tSummary\nlog_message\t6\tbytes\t0\t1\t\n"
             "session_log\t7\tmessage\t0\t1\tSessionLog\ntagged_run_metadata\t8\tmessage\t0\t1\tTaggedRunMetadata\n"
             "meta_graph_def\t9\tbytes\t0\t1\t",
    "TaggedRunMetadata": "tag\t1\tstring\t0\t0\t\nrun_metadata\t2\tbytes\t0\t0\t",
    "RunMetadata": "step_stats\t1\tmessage\t0\t0\tStepStats\ncost_graph\t2\tbytes\t0\t0\t\n"
                   "partition_graphs\t3\tmessage\t1\t0\tGraphDef",
    "StepStats": "dev_stats\t1\tmessage\t1\t0\tDeviceStepStats",
    "DeviceStepStats": "device\t1\tstring\t0\t0\t\nnode_stats\t2\tmessage\t1\t0\tNodeExecStats",
    "NodeExecStats": "node_name\t1\tstring\t0\t0\t\nall_start_micros\t2\tvarint\t0\t0\t\n"
                     "op_start_rel_micros\t3\tvarint\t0\t0\t\nop_end_rel_micros\t4\tvarint\t0\t0\t\n"
                     "all_end_rel_micros\t5\tvarint\t0\t0\t\ntimeline_label\t8\tstring\t0\t0\t\n"
                     "scheduled_micros\t9\tvarint\t0\t0\t\nthread_id\t10\tvarint\t0\t0\t",
    "Example": "features\t1\tmessage\t0\t0\tFeatures",
    "SequenceExample": "context\t1\tmessage\t0\t0\tFeatures\nfeature_lists\t2\tmessage\t0\t0\tFeatureLists",
    "Features": "feature\t1\tmessage\t3\t0\tFeatures.FeatureEntry",
    "Features.FeatureEntry": "key\t1\tstring\t0\t0\t\nvalue\t2\tmessage\t0\t0\tFeature",
    "FeatureLists": "feature_list\t1\tmessage\t3\t0\tFeatureLists.FeatureListEntry",
    "FeatureLists.FeatureListEntry": "key\t1\tstring\t0\t0\t\nvalue\t2\tmessage\t0\t0\tFeatureList",
    "FeatureList": "feature\t1\tmessage\t1\t0\tFeature",
    "Feature": "bytes_list\t1\tmessage\t0\t1\tBytesList\nfloat_list\t2\tmessage\t0\t1\tFloatList\n"
               "int64_list\t3\tmessage\t0\t1\tInt64List",
    "BytesList": "value\t1\tbytes\t1\t0\t",
    "FloatList": "value\t1\tfloat\t1\t0\t",
    "Int64List": "value\t1\tvarint\t1\t0\t",
    "SessionLog": "status\t1\tenum\t0\t0\tSessionLog.SessionStatus\ncheckpoint_path\t2\tstring\t0\t0\t\nmsg\t3\tstring\t0\t0\t",
}
_OWN.update(_options.MESSAGES)
_OWN.update(_profiles.MESSAGES)
_OWN.update(_forests.MESSAGES)
_ENUMS = dict(_options.ENUMS, **_forests.ENUMS)


class Field:
    """One field of a message."""

    def __init__(self, line):
        self.name, number, self.type, flags, oneof, self.ref = line.split("\t")
        self.number, self.oneof = int(number), int(oneof)
        self.repeated, self.is_map = bool(int(flags) & 1), bool(int(flags) & 2)


@functools.lru_cache(maxsize=None)
def _fields(message):
    text = _OWN.get(message) or Flow.proto_describe(message)
    if text is None:
        raise TypeError("no message %s" % message)
    fields = [Field(line) for line in text.strip("\n").split("\n") if line]
    return {f.name: f for f in fields}, {f.number: f for f in fields}


def _varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _read_varint(data, at):
    shift = value = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


_PACK = {"double": ("<d", 1), "fixed64": ("<Q", 1), "float": ("<f", 5), "fixed32": ("<I", 5)}
_DEFAULT = {"string": "", "bytes": b"", "bool": False, "float": 0.0, "double": 0.0}


# What the setters of protobuf take, by the type of a field, and what they say that they expected.
_TAKEN = {"varint": ((int, np.integer), "int"), "enum": ((int, np.integer), "int"), "bool": ((bool, int, np.bool_), "int, bool"),
          "float": ((int, float, np.number), "int, float"), "double": ((int, float, np.number), "int, float"),
          "string": ((bytes, str), "bytes, unicode"), "bytes": ((bytes,), "bytes")}


def _check_type(field, value):
    if field.type == "message":
        if not isinstance(value, Message) or value._name != field.ref:
            raise TypeError("Parameter to MergeFrom() must be instance of same class: expected tensorflow.%s got %s." %
                            (field.ref, type(value).__name__))
        return
    kinds, expected = _TAKEN.get(field.type, ((object,), ""))
    if not isinstance(value, kinds):
        raise TypeError("%.100r has type %s, but expected one of: %s" % (value, type(value).__name__, expected))


def _number(field, value):
    """A number as the field holds it."""
    if field.type in ("varint", "enum"):
        if not -2 ** 63 <= value < 2 ** 64:
            raise ValueError("Value out of range: %d" % value)
        return int(value)
    if field.type == "float":
        try:
            return struct.unpack("<f", struct.pack("<f", value))[0]
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    return float(value) if field.type == "double" else value


def split(data):
    """The fields of a message that are messages or texts, as (number, bytes)."""
    data, at = memoryview(data), 0
    while at < len(data):
        key, at = _read_varint(data, at)
        size = 8 if key & 7 == 1 else 4
        if key & 7 == 0:
            size = _read_varint(data, at)[1] - at
        elif key & 7 == 2:
            size, at = _read_varint(data, at)
            yield key >> 3, bytes(data[at:at + size])
        at += size


def _filled(owner):
    """To be called before a field's list or map gets something: a sub-message only looked at until then is set by that."""
    if owner is not None:
        owner._attach()


class Repeated(list):
    """A repeated field; its owner is needed as long as that is no part of its parent."""

    def __init__(self, field, owner=None):
        super().__init__()
        self._field, self._owner = field, owner

    def add(self, **values):
        item = message_class(self._field.ref)(**values)
        _filled(self._owner)
        super().append(item)
        return item

    def _coerce(self, item):
        if self._field.type == "message" and isinstance(item, dict):
            return message_class(self._field.ref)(**item)
        _check_type(self._field, item)
        return _number(self._field, item)

    def append(self, item):
        _filled(self._owner)
        super().append(self._coerce(item))

    def extend(self, items):
        _filled(self._owner)
        super().extend(self._coerce(i) for i in items)

    def __setitem__(self, index, value):
        _filled(self._owner)
        super().__setitem__(index, [self._coerce(i) for i in value] if isinstance(index, slice) else self._coerce(value))

    def __iadd__(self, items):
        self.extend(items)
        return self

    def insert(self, index, item):
        _filled(self._owner)
        super().insert(index, self._coerce(item))


class Map(dict):
    """A map field; a missing key of messages makes one."""

    def __init__(self, field, owner=None):
        super().__init__()
        self._value, self._owner = _fields(field.ref)[0]["value"], owner

    def __missing__(self, key):
        if self._value.type != "message":
            raise KeyError(key)
        self[key] = message_class(self._value.ref)()
        return self[key]

    def __setitem__(self, key, value):
        _filled(self._owner)
        super().__setitem__(key, value)

    def update(self, *values, **named):
        _filled(self._owner)
        super().update(*values, **named)


class Descriptor:
    """What a message says of its fields."""

    def __init__(self, name):
        self.full_name, self.name = "tensorflow." + name, name.rpartition(".")[2]
        self.fields_by_name, self.fields_by_number = _fields(name)
        self.fields = list(self.fields_by_name.values())


class _Described:
    def __get__(self, _, kind):
        return Descriptor(kind._name)


class DecodeError(Exception):
    """Bytes that are no message."""


class Message:
    """Base of all messages; attributes are fields."""

    _name = None
    DESCRIPTOR = _Described()

    def __init__(self, **values):
        self.__dict__["_values"] = {}
        for key, value in values.items():
            field = _fields(self._name)[0].get(key)
            if field is None:
                raise ValueError('Protocol message %s has no "%s" field.' % (self._name.rpartition(".")[2], key))
            if field.is_map:
                getattr(self, key).update(value)
            elif field.repeated:
                if not hasattr(value, "__iter__"):
                    raise TypeError("Value must be iterable")
                getattr(self, key).extend(value)
            elif isinstance(value, dict):
                self._values[key] = message_class(field.ref)(**value)
            elif value is not None:
                self._set(field, enum_number(field.ref, value) if field.type == "enum" and isinstance(value, str) else value)

    def __getattr__(self, name):
        field = _fields(self._name)[0].get(name)
        if field is None:
            raise AttributeError(name)
        value = self._values.get(name)
        if value is not None:
            return value
        if field.repeated or field.type == "message":
            if not field.repeated:
                value = message_class(field.ref)()
                value.__dict__["_parent"] = (self, name)
                return value
            value = (Map if field.is_map else Repeated)(field, self if "_parent" in self.__dict__ else None)
            self._values[name] = value
            return value
        return _DEFAULT.get(field.type, 0)

    def _attach(self):
        """A sub-message that was only looked at becomes part of its parent when it is filled."""
        parent = self.__dict__.pop("_parent", None)
        if parent is not None:
            parent[0]._clear_oneof(parent[1])
            parent[0]._values[parent[1]] = self
            parent[0]._attach()

    def _clear_oneof(self, name):
        fields = _fields(self._name)[0]
        if fields[name].oneof:
            for other in [n for n in self._values if n != name and fields[n].oneof == fields[name].oneof]:
                del self._values[other]

    def __setattr__(self, name, value):
        field = _fields(self._name)[0].get(name)
        if field is None:
            raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, name))
        if field.repeated:
            raise AttributeError('Assignment not allowed to repeated field "%s" in protocol message object.' % name)
        if field.type == "message":
            raise AttributeError('Assignment not allowed to field "%s" in protocol message object.' % name)
        self._set(field, value)

    def _set(self, field, value):
        _check_type(field, value)
        self._clear_oneof(field.name)
        self._values[field.name] = _number(field, value)
        self._attach()

    # -- protobuf's own methods

    def HasField(self, name):
        field, title = _fields(self._name)[0].get(name), self._name.rpartition(".")[2]
        if field is None:
            raise ValueError("Protocol message %s has no field %s." % (title, name))
        if field.repeated:
            raise ValueError('Protocol message %s has no singular "%s" field.' % (title, name))
        if field.type != "message" and not field.oneof:
            raise ValueError('Can\'t test non-optional, non-submessage field "%s.%s" for presence in proto3.' % (title, name))
        return name in self._values

    def ClearField(self, name):
        if name not in _fields(self._name)[0]:
            raise ValueError("Protocol message %s has no \"%s\" field." % (self._name.rpartition(".")[2], name))
        self._values.pop(name, None)

    def SetInParent(self):
        self._attach()

    def IsInitialized(self):
        return True

    def Clear(self):
        self._values.clear()

    def WhichOneof(self, _):
        for name, field in _fields(self._name)[0].items():
            if field.oneof and name in self._values:
                return name
        return None

    def CopyFrom(self, other):
        copy = type(self).FromString(other.SerializeToString())
        self.__dict__["_values"] = copy._values
        self._attach()

    def MergeFrom(self, other):
        self.ParseInto(other.SerializeToString())

    MergeFromString = property(lambda self: self.ParseInto)

    def ParseFromString(self, data):
        self._values.clear()
        self.ParseInto(data)

    def ListFields(self):
        """Fields that are set; a number or text of its default value counts as not set, but in a oneof."""
        fields = _fields(self._name)[0]
        return [(fields[n], v) for n, v in sorted(self._values.items(), key=lambda kv: fields[kv[0]].number)
                if v or fields[n].oneof or fields[n].type == "message" and not fields[n].repeated]

    def ByteSize(self):
        return len(self.SerializeToString())

    def DiscardUnknownFields(self):
        pass   # what is not known is not kept

    def UnknownFields(self):
        return []

    def FindInitializationErrors(self):
        return []

    def SerializePartialToString(self, deterministic=True):
        return self.SerializeToString(deterministic)

    def SerializeToString(self, deterministic=True):
        out = bytearray()
        fields = _fields(self._name)[0]
        for name, value in sorted(self._values.items(), key=lambda kv: fields[kv[0]].number):
            _write(out, fields[name], value)
        return bytes(out)

    @classmethod
    def FromString(cls, data):
        self = cls()
        try:
            self.ParseInto(bytes(data))
        except (IndexError, ValueError, TypeError, struct.error):
            raise DecodeError("Error parsing message with type 'tensorflow.%s'" % cls._name) from None
        return self

    def ParseInto(self, data):
        numbers = _fields(self._name)[1]
        at, end = 0, len(data)
        while at < end:
            tag, at = _read_varint(data, at)
            wire = tag & 7
            if wire == 0:
                value, at = _read_varint(data, at)
            elif wire == 1:
                value, at = data[at:at + 8], at + 8
            elif wire == 5:
                value, at = data[at:at + 4], at + 4
            elif wire == 2:
                size, at = _read_varint(data, at)
                value, at = data[at:at + size], at + size
            else:
                raise ValueError("Error parsing message")
            if at > end:
                raise ValueError("Error parsing message")
            field = numbers.get(tag >> 3)
            if field is not None:
                self._read(field, wire, value)
        self._attach()

    def _read(self, field, wire, value):
        self._clear_oneof(field.name)
        if field.is_map:
            entry = message_class(field.ref).FromString(value)
            self._values.setdefault(field.name, Map(field))[entry.key] = entry.value
        elif field.repeated:
            items = self._values.setdefault(field.name, Repeated(field))
            if wire == 2 and field.type not in ("string", "bytes", "message"):
                list.extend(items, _unpack(field, value))
            else:
                list.append(items, _read_one(field, wire, value))
        elif field.type == "message" and field.name in self._values:
            self._values[field.name].ParseInto(value)
        else:
            self._values[field.name] = _read_one(field, wire, value)

    def __eq__(self, other):
        return isinstance(other, Message) and self.SerializeToString() == other.SerializeToString()

    def __hash__(self):
        raise TypeError("unhashable type: %r" % type(self).__name__)

    def __str__(self):
        from . import proto_text
        return proto_text.to_print(self)

    __repr__ = __str__


def is_own(name):
    """Whether the engine does not know the message."""
    return name in _OWN


def fields_of(name):
    """Fields of a message by name."""
    return _fields(name)[0]


def enum_name(enum, number):
    return next((name for name, value in _ENUMS.get(enum, {}).items() if value == number), str(number))


def enum_number(enum, name):
    found = _ENUMS.get(enum, {}).get(name)
    return int(name) if found is None else found


def _read_one(field, wire, value):
    if field.type == "message":
        return message_class(field.ref).FromString(value)
    if field.type == "string":
        return value.decode("utf-8", "surrogateescape")
    if field.type == "bytes":
        return bytes(value)
    if field.type in _PACK:
        return struct.unpack(_PACK[field.type][0], value)[0]
    if field.type == "bool":
        return bool(value)
    if field.type == "sint":
        return value >> 1 ^ -(value & 1)
    return value - (1 << 64) if value >> 63 else value


def _unpack(field, data):
    if field.type in _PACK:
        size = struct.calcsize(_PACK[field.type][0])
        return [struct.unpack(_PACK[field.type][0], data[i:i + size])[0] for i in range(0, len(data), size)]
    at, out = 0, []
    while at < len(data):
        value, at = _read_varint(data, at)
        out.append(_read_one(field, 0, value))
    return out


def _scalar(field, value):
    if field.type in _PACK:
        return struct.pack(_PACK[field.type][0], value)
    if field.type == "sint":
        return _varint(value << 1 ^ value >> 63)
    return _varint(int(value))


def _write(out, field, value):
    def head(wire):
        return _varint(field.number << 3 | wire)

    def chunk(data):
        out.extend(head(2) + _varint(len(data)) + data)

    if field.is_map:
        entry_fields = _fields(field.ref)[0]
        for key in sorted(value):
            entry = bytearray()
            _write(entry, entry_fields["key"], key)
            _write(entry, entry_fields["value"], value[key])
            chunk(bytes(entry))
    elif field.repeated and field.type in ("string", "bytes", "message"):
        for item in value:
            chunk(_data(field, item))
    elif field.repeated:
        if value:
            chunk(b"".join(_scalar(field, item) for item in value))
    elif field.type in ("string", "bytes", "message"):
        if len(_data(field, value)) or field.type == "message" or field.oneof:
            chunk(_data(field, value))
    elif value or field.oneof:
        out.extend(head(_PACK[field.type][1] if field.type in _PACK else 0) + _scalar(field, value))


def _data(field, value):
    if field.type == "message":
        return value.SerializeToString()
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value


def _enum(enum):
    """An enum's class: Name(number), Value(name) and its names."""
    def value(name):
        if name not in _ENUMS[enum]:
            raise ValueError("Enum %s has no value defined for name %s" % (enum.rpartition(".")[2], name))
        return enum_number(enum, name)
    members = dict(_ENUMS[enum], Name=staticmethod(lambda number: enum_name(enum, number)),
                   Value=staticmethod(value), keys=staticmethod(lambda: list(_ENUMS[enum])),
                   values=staticmethod(lambda: list(_ENUMS[enum].values())),
                   items=staticmethod(lambda: list(_ENUMS[enum].items())))
    return type(enum.rpartition(".")[2], (), members)


@functools.lru_cache(maxsize=None)
def message_class(name):
    _fields(name)
    extra = {}
    if name == "SaverDef":
        extra.update(LEGACY=0, V1=1, V2=2)
    for enum in _options.ENUMS_OF.get(name, ()):
        extra.update(_ENUMS[enum])
        extra[enum.rpartition(".")[2]] = _enum(enum)
    for other in {f.ref for f in _fields(name)[0].values() if f.type == "message"}.union(_OWN):
        outer, _, inner = other.rpartition(".")
        if outer == name:
            extra[inner] = message_class(other)
    return type(name, (Message,), dict(extra, _name=name))


def __getattr__(name):
    if name == "DataType":
        return _enum(name)
    if name in _ENUMS["DataType"]:
        return _ENUMS["DataType"][name]
    try:
        return message_class(name)
    except TypeError:
        raise AttributeError(name) from None

