# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What the registry says of an op type, and how a call's arguments become inputs and attrs of it, in TensorFlow's words."""

import functools
import keyword
import re

from .. import dtypes
from . import attrs as attrs_lib, ops
from ._engine import Flow
from .graph import Tensor, get_default_graph


class _Arg:
    def __init__(self, fields):
        self.name, self.dtype, self.type_attr, self.number_attr, self.type_list_attr = \
            fields[0], int(fields[1]), fields[2], fields[3], fields[4]
        self.is_ref = fields[5] == "1"
        self.is_list = bool(self.number_attr or self.type_list_attr)


class _AttrDef:
    def __init__(self, fields):
        self.name, self.kind, self.is_list, self.has_default = fields[0], int(fields[1]), fields[2] == "1", fields[3] == "1"
        self.allowed, self.default_type = int(fields[4]), int(fields[5])
        self.minimum = int(fields[7]) if fields[6] == "1" else None
        self.choices = [c.strip(" '\"") for c in fields[8].split(",")] if fields[8] else []
        self.default_text = "\t".join(fields[9:]).strip(" ")


class OpInfo:
    """What the registry says of an op type."""

    def __init__(self, op_type, text):
        self.name, self.inputs, self.outputs, self.attrs = op_type, [], [], []
        # A default value may hold ends of lines.
        for line in re.split(r"\n(?=(?:input|output|attr)\t)", text.rstrip("\n")) if text else ():
            what, *fields = line.split("\t")
            if what == "attr":
                self.attrs.append(_AttrDef(fields))
            else:
                (self.inputs if what == "input" else self.outputs).append(_Arg(fields))
        if op_type.startswith("SparseSegment"):
            # 1.15 has no choice there: later releases let the ids be of two types.
            self.attrs = [a for a in self.attrs if a.name != "Tsegmentids"]
            for arg in self.inputs:
                if arg.type_attr == "Tsegmentids":
                    arg.type_attr, arg.dtype = "", dtypes.int32.as_datatype_enum
        self.attr_map = {a.name: a for a in self.attrs}
        inferred = {n for a in self.inputs for n in (a.type_attr, a.number_attr, a.type_list_attr) if n}
        self.explicit = [a for a in self.attrs if a.name not in inferred]


@functools.lru_cache(maxsize=None)
def op_info(op_type):
    text = Flow.op_registry_describe(op_type)
    if text is None:
        raise RuntimeError("Unrecognized Op name " + op_type)
    return OpInfo(op_type, text)


def function_name(name):
    """The function that TensorFlow's Python has for an op type."""
    called = re.sub("(?<=[a-z])([A-Z])|(?<=.)([A-Z])(?=[a-z])", lambda m: "_" + m.group(0), name).lower()
    return "_" + called if keyword.iskeyword(called) else called


def _check_list(info, name, value):
    if not isinstance(value, (list, tuple)):
        raise TypeError("Expected list for '%s' argument to '%s' Op, not %r." % (name, function_name(info.name), value))


def _check_counts(info, values):
    """TF: lists of inputs are counted before anything is converted."""
    first = {}
    for arg, value in zip(info.inputs, values):
        if not arg.number_attr:
            continue
        _check_list(info, arg.name, value)
        other, count = first.setdefault(arg.number_attr, (arg.name, len(value)))
        if count != len(value):
            raise ValueError("List argument '%s' to '%s' Op with length %d must match length %d of argument '%s'." % (
                arg.name, function_name(info.name), len(value), count, other))


def given_attrs(info, values, arguments):
    """The attrs that a call gives by name, but types; TF: made before inputs are looked at."""
    _check_counts(info, values)
    made = {}
    for definition in info.explicit:
        value = arguments.get(definition.name)
        if value is None and (definition.has_default or definition.name not in arguments):
            continue
        if definition.is_list:
            _check_list(info, definition.name, value)
        if definition.kind == attrs_lib.TYPE:
            _check_types(definition, value)
            continue
        if value is None and definition.kind == attrs_lib.SHAPE:
            continue
        if definition.kind == attrs_lib.FUNC:
            _add_functions(value if definition.is_list else [value])
        try:
            made[definition.name] = attrs_lib.from_python(definition.kind, definition.is_list, value)
        except ValueError as error:
            if definition.kind != attrs_lib.SHAPE:
                raise
            raise ValueError("Error converting %s to a TensorShape: %s." % (definition.name, error)) from error
        except TypeError as error:
            if definition.kind == attrs_lib.SHAPE:
                raise TypeError("Error converting %s to a TensorShape: %s." % (definition.name, error)) from error
            raise TypeError("Expected %s for argument '%s' not %s." % (
                _KIND_NAMES[definition.kind], definition.name, _culprit(definition, value))) from error
    return made


def _check_types(definition, value):
    for item in value if definition.is_list else [value]:
        try:
            dtypes.as_dtype(item)
        except TypeError as error:
            raise TypeError("Expected DataType for argument '%s' not %r." % (definition.name, item)) from error


def _add_functions(values):
    """A function that an op is given is in the graph's library from then on."""
    for value in values:
        if hasattr(value, "add_to_graph"):
            value.add_to_graph(get_default_graph())


def _culprit(definition, value):
    """The item of a list that is of another kind."""
    for item in value if definition.is_list else ():
        try:
            attrs_lib.from_python(definition.kind, False, item)
        except TypeError:
            return repr(item)
    return repr(value)


def check_attr(info, definition, value):
    """The limits of an attr's definition."""
    if definition.kind == attrs_lib.STRING and not definition.is_list and definition.choices:
        text = value.decode() if isinstance(value, bytes) else value
        if isinstance(text, str) and text not in definition.choices:
            raise ValueError("Attr '%s' of '%s' Op passed string '%s' not in: \"%s\"." % (
                definition.name, info.name, text, '", "'.join(definition.choices)))
    if definition.kind == attrs_lib.TYPE:
        for item in value if definition.is_list and isinstance(value, (list, tuple)) else [value]:
            _check_allowed(definition, dtypes.as_dtype(item).base_dtype, definition.name)
    if definition.minimum is None:
        return
    if definition.kind == attrs_lib.INT and not definition.is_list:
        value = int(value)
    if definition.is_list and isinstance(value, (list, tuple)) and len(value) < definition.minimum:
        raise ValueError("Attr '%s' of '%s' Op passed list of length %d less than minimum %d." % (
            definition.name, info.name, len(value), definition.minimum))
    if not definition.is_list and isinstance(value, int) and value < definition.minimum:
        raise ValueError("Attr '%s' of '%s' Op passed %d less than minimum %d." % (
            definition.name, info.name, value, definition.minimum))


_KIND_NAMES = {1: "string", 2: "int", 3: "float", 4: "bool", 5: "DataType", 6: "TensorShape", 7: "TensorProto", 8: "func"}


class Types:
    """Type, number and type-list attrs as the inputs settle them."""

    def __init__(self, info):
        self.info, self.known, self.numbers, self.lists, self.inferred_from = info, {}, {}, {}, {}

    def explicit(self, definition, value):
        if definition.is_list:
            value = value if isinstance(value, (list, tuple)) else [value]
            self.lists[definition.name] = [dtypes.as_dtype(v).base_dtype for v in value]
        else:
            self.known[definition.name] = dtypes.as_dtype(value).base_dtype

    def write(self, attr_list):
        for key, value in self.known.items():
            attr_list.set(key, Flow.Attr.new_type(value.as_datatype_enum))
        for key, value in self.numbers.items():
            attr_list.set(key, Flow.Attr.new_int(value))
        for key, value in self.lists.items():
            attr_list.set(key, Flow.Attr.new_type_list([v.as_datatype_enum for v in value]))

    def default(self, arg):
        definition = self.info.attr_map.get(arg.type_attr)
        if definition is not None and definition.default_type:
            return dtypes.as_dtype(definition.default_type)
        return None


def convert(info, arg, value, types):
    if arg.is_list:
        return _convert_list(info, arg, value, types)
    wanted = dtypes.as_dtype(arg.dtype) if arg.dtype else types.known.get(arg.type_attr)
    tensor = _convert_one(info, arg, value, wanted, types)
    if arg.type_attr and arg.type_attr not in types.known:
        _settle(info, arg, tensor.dtype.base_dtype, types)
    elif wanted is not None and tensor.dtype.base_dtype != wanted.base_dtype:
        raise _mismatch(info, arg, tensor.dtype.base_dtype, wanted, types)
    if arg.is_ref and not tensor.dtype._is_ref_dtype:
        raise TypeError("'%s' Op requires that input '%s' be a mutable tensor (e.g.: a tf.Variable)" %
                        (info.name, arg.name))
    return [tensor]


def _check_allowed(definition, dtype, parameter):
    if definition.allowed and not definition.allowed >> dtype.as_datatype_enum & 1:
        allowed = ", ".join(dtypes.as_dtype(choice).name for choice in definition.choices)
        raise TypeError("Value passed to parameter '%s' has DataType %s not in list of allowed values: %s" %
                        (parameter, dtype.name, allowed))


def _settle(info, arg, dtype, types):
    _check_allowed(info.attr_map[arg.type_attr], dtype, arg.name)
    types.known[arg.type_attr] = dtype
    types.inferred_from[arg.type_attr] = arg.name


def _mismatch(info, arg, observed, wanted, types):
    prefix = "Input '%s' of '%s' Op has type %s that does not match" % (arg.name, info.name, observed.name)
    if arg.dtype:
        return TypeError("%s expected type of %s." % (prefix, wanted.name))
    if arg.type_attr in types.inferred_from:
        return TypeError("%s type %s of argument '%s'." % (prefix, wanted.name, types.inferred_from[arg.type_attr]))
    return TypeError("%s type %s of argument '%s'." % (prefix, wanted.name, arg.type_attr))


def _convert_one(info, arg, value, wanted, types):
    if isinstance(value, Tensor):
        return value
    try:
        return ops.internal_convert_to_tensor(value, wanted, arg.name, as_ref=arg.is_ref,
                                          preferred_dtype=types.default(arg) if wanted is None else None)
    except TypeError as error:
        if wanted is None:
            raise
        raise TypeError("Expected %s passed to parameter '%s' of op '%s', got %s of type '%s' instead. Error: %s" % (
            wanted.name, arg.name, info.name, repr(value), type(value).__name__, error)) from None
    except ValueError:
        try:
            observed = ops.internal_convert_to_tensor(value, as_ref=arg.is_ref).dtype.base_dtype
        except ValueError as error:
            raise ValueError("Tried to convert '%s' to a tensor and failed. Error: %s" % (arg.name, error)) from None
        if wanted is None:
            raise
        raise _mismatch(info, arg, observed, wanted, types) from None


def _observed(arg, value):
    """What dtype a value would have for itself."""
    try:
        return ops.internal_convert_to_tensor(value, as_ref=arg.is_ref).dtype.base_dtype.name
    except (TypeError, ValueError):
        return "<NOT CONVERTIBLE TO TENSOR>"


def _list_mismatch(info, arg, known, values):
    if arg.type_list_attr:
        why = "are invalid. Tensors: %s" % (values,)
    elif arg.dtype:
        why = "do not match expected type %s." % known.name
    elif known is not None:
        why = "do not match type %s inferred from earlier arguments." % known.name
    else:
        why = "don't all match."
    return TypeError("Tensors in list passed to '%s' of '%s' Op have types [%s] that %s" % (
        arg.name, info.name, ", ".join(_observed(arg, x) for x in values), why))


def _convert_list(info, arg, value, types):
    if not isinstance(value, (list, tuple)):
        raise TypeError("Expected list for '%s' argument to '%s' Op, not %s." % (arg.name, info.name, value))
    wanted = None
    if arg.number_attr:
        wanted = dtypes.as_dtype(arg.dtype) if arg.dtype else types.known.get(arg.type_attr)
        if wanted is None:
            for item in value:
                if ops.is_tensor_like(item):
                    wanted = item.dtype.base_dtype
                    break
        minimum = info.attr_map[arg.number_attr].minimum
        if minimum is not None and len(value) < minimum:
            raise ValueError("List argument '%s' to '%s' Op with length %d shorter than minimum length %d." %
                             (arg.name, info.name, len(value), minimum))
        types.numbers[arg.number_attr] = len(value)
        types.inferred_from[arg.number_attr] = arg.name
    given = types.lists.get(arg.type_list_attr)
    tensors = []
    for i, item in enumerate(value):
        if not isinstance(item, Tensor):
            try:
                item = ops.internal_convert_to_tensor(item, given[i] if given and i < len(given) else wanted,
                                                      "%s_%d" % (arg.name, i), as_ref=arg.is_ref)
            except (TypeError, ValueError):
                known = dtypes.as_dtype(arg.dtype) if arg.dtype else types.known.get(arg.type_attr)
                raise _list_mismatch(info, arg, known, value) from None
        tensors.append(item)
    if arg.type_list_attr:
        kinds = [t.dtype.base_dtype for t in tensors]
        if given is None:
            for kind in kinds:
                _check_allowed(info.attr_map[arg.type_list_attr], kind, arg.name)
        types.lists[arg.type_list_attr] = kinds
        return tensors
    known = dtypes.as_dtype(arg.dtype) if arg.dtype else types.known.get(arg.type_attr)
    for t in tensors:
        if t.dtype.base_dtype != (known or tensors[0].dtype).base_dtype:
            raise _list_mismatch(info, arg, known, tensors)
    if tensors:
        wanted = tensors[0].dtype.base_dtype
    if arg.type_attr and arg.type_attr not in types.known and wanted is not None:
        _settle(info, arg, wanted.base_dtype, types)
    return tensors
