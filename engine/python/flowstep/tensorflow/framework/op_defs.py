# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The registry's op types as OpDef messages (Operation.op_def)."""

import functools

from .. import dtypes
from . import attrs as attrs_lib, proto, proto_text, removed_ops
from ._engine import Flow
from .op_inputs import op_info

_KINDS = {attrs_lib.STRING: "string", attrs_lib.INT: "int", attrs_lib.FLOAT: "float", attrs_lib.BOOL: "bool",
          attrs_lib.TYPE: "type", attrs_lib.SHAPE: "shape", attrs_lib.TENSOR: "tensor", attrs_lib.FUNC: "func"}
_FIELDS = {"string": "s", "int": "i", "float": "f", "bool": "b", "type": "type", "shape": "shape"}
_FLAGS = (("is_stateful", Flow.OpFlags.STATEFUL), ("is_commutative", Flow.OpFlags.COMMUTATIVE),
          ("is_aggregate", Flow.OpFlags.AGGREGATE), ("allows_uninitialized_input", Flow.OpFlags.ALLOWS_UNINITIALIZED))


def _add_arg(message, arg):
    message.name = arg.name
    if arg.dtype:
        message.type = arg.dtype
    for field, value in (("type_attr", arg.type_attr), ("number_attr", arg.number_attr),
                         ("type_list_attr", arg.type_list_attr)):
        if value:
            setattr(message, field, value)
    if arg.is_ref:
        message.is_ref = True


def _value(kind, text):
    """One value as a definition writes it."""
    if kind == "string":
        return text[1:-1].encode()
    if kind == "bool":
        return text == "true"
    if kind == "type":
        return dtypes.as_dtype(text[len("DT_"):].lower()).as_datatype_enum
    return int(text) if kind == "int" else float(text)


def _set_default(message, kind, is_list, text):
    if kind == "shape" and not is_list:
        proto_text.parse(text, message.shape)
        message.shape.SetInParent()
    elif kind == "tensor":
        proto_text.parse(text[1:-1], message.tensor)
    elif kind not in _FIELDS:
        message.SetInParent()
    elif is_list:
        items = [item.strip() for item in text.strip("[] ").split(",")]
        getattr(message.list, _FIELDS[kind]).extend(_value(kind, item) for item in items if item)
        message.list.SetInParent()
    else:
        setattr(message, _FIELDS[kind], _value(kind, text))


def _add_attr(message, definition):
    kind = _KINDS[definition.kind]
    message.name, message.type = definition.name, "list(%s)" % kind if definition.is_list else kind
    if definition.has_default:
        # The registry's text has a shape where choices stand: both are in braces.
        _set_default(message.default_value, kind, definition.is_list,
                     ", ".join(definition.choices) if kind == "shape" else definition.default_text)
    if definition.minimum is not None and (definition.minimum or not definition.is_list):
        message.has_minimum, message.minimum = True, definition.minimum
    elif definition.minimum is not None:
        message.has_minimum = True
    for choice in definition.choices if kind != "shape" else ():
        if kind == "type":
            message.allowed_values.list.type.append(dtypes.as_dtype(choice).as_datatype_enum)
        else:
            message.allowed_values.list.s.append(choice.encode())


@functools.lru_cache(maxsize=None)
def _of(op_type):
    info, message = op_info(op_type), proto.OpDef(name=op_type)
    for arg in info.inputs:
        _add_arg(message.input_arg.add(), arg)
    for arg in info.outputs:
        _add_arg(message.output_arg.add(), arg)
    for definition in info.attrs:
        if not Flow.Builder.is_newer_attr(op_type, definition.name):
            _add_attr(message.attr.add(), definition)
    flags = Flow.op_registry_get_flags(op_type)
    for field, flag in _FLAGS:
        if flags & flag:
            setattr(message, field, True)
    removed = removed_ops.REMOVED.get(op_type)
    if removed is not None:
        message.deprecation.version, message.deprecation.explanation = removed
    return message


def op_def(op_type):
    """What the registry says of an op type; of another one, a function's, the name alone."""
    made = proto.OpDef(name=op_type)
    if Flow.op_registry_has_type(op_type):
        made.CopyFrom(_of(op_type))
    return made
