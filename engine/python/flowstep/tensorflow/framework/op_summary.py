# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""An op's definition in one line, as TensorFlow's errors quote it, and what a NodeDef may have against it."""

from .. import dtypes
from . import attrs as attrs_lib, ops
from ._engine import Flow

_FLAGS = (("is_commutative", Flow.OpFlags.COMMUTATIVE), ("is_aggregate", Flow.OpFlags.AGGREGATE),
          ("is_stateful", Flow.OpFlags.STATEFUL))
_KINDS = {attrs_lib.STRING: "string", attrs_lib.INT: "int", attrs_lib.FLOAT: "float", attrs_lib.BOOL: "bool",
          attrs_lib.TYPE: "type", attrs_lib.SHAPE: "shape", attrs_lib.TENSOR: "tensor", attrs_lib.FUNC: "func"}


def _enum(dtype):
    return "DT_" + dtype.name.upper().replace("FLOAT16", "HALF").replace("BHALF", "BFLOAT16").replace(
        "FLOAT32", "FLOAT").replace("FLOAT64", "DOUBLE")


def _short(dtype):
    return _enum(dtype)[3:].lower()


def _argument(arg):
    kind = arg.type_attr or arg.type_list_attr or _short(dtypes.as_dtype(arg.dtype).base_dtype)
    if arg.number_attr:
        kind = "%s*%s" % (arg.number_attr, kind)
    return "%s:%s" % (arg.name, "Ref(%s)" % kind if arg.is_ref else kind)


def check_argument(signature, arg, value, graph, name):
    """Whether a call of a function gets an argument of its type."""
    wanted = dtypes.as_dtype(arg.type)
    if value.dtype.base_dtype == wanted:
        return

    def told(args):
        return ", ".join("%s:%s" % (a.name, _short(dtypes.as_dtype(a.type))) for a in args)
    raise ValueError("Input '%s' passed %s expected %s while building NodeDef '%s' using Op<name=%s; signature=%s -> %s%s>" % (
        arg.name, _short(value.dtype.base_dtype), _short(wanted), graph.unique_name(name, mark_as_used=False), signature.name,
        told(signature.input_arg), told(signature.output_arg), "; is_stateful=true" if signature.is_stateful else ""))


def _default(definition):
    """The default as the definition's text has it."""
    text = definition.default_text
    if definition.kind == attrs_lib.SHAPE and definition.choices:
        return "<unknown>"      # {unknown_rank: true} reads like a list of one choice
    if definition.kind == attrs_lib.STRING and not definition.is_list:
        return '"%s"' % text.strip(" '\"")
    if definition.kind == attrs_lib.TYPE and not definition.is_list and not text.startswith("DT_"):
        return _enum(dtypes.as_dtype(text))
    return text


def _allowed(texts):
    """TF: of a long list its ends."""
    return ",allowed=[%s]" % ", ".join(texts if len(texts) < 15 else texts[:5] + ["..."] + texts[-5:])


def _attr(definition):
    kind = _KINDS.get(definition.kind, "any")
    text = "attr=%s:%s" % (definition.name, "list(%s)" % kind if definition.is_list else kind)
    if definition.has_default:
        text += ",default=" + _default(definition)
    if definition.minimum is not None:
        text += ",min=%d" % definition.minimum
    if definition.choices and definition.kind == attrs_lib.TYPE:
        text += _allowed([_enum(dtypes.as_dtype(c)) for c in definition.choices])
    elif definition.choices and definition.kind != attrs_lib.SHAPE:
        text += _allowed(['"%s"' % c for c in definition.choices])
    return text


def summary(op_type):
    """Op<name=Identity; signature=input:T -> output:T; attr=T:type>"""
    info = ops.op_info(op_type)
    parts = ["name=" + op_type, "signature=%s -> %s" % (", ".join(_argument(a) for a in info.inputs),
                                                       ", ".join(_argument(a) for a in info.outputs))]
    parts += [_attr(a) for a in info.attrs]
    flags = Flow.op_registry_get_flags(op_type)
    parts += [name + "=true" for name, flag in _FLAGS if flags & flag]
    return "Op<%s>" % "; ".join(parts)


def _type_name(text):
    return text[3:].lower() if text.startswith("DT_") else text


def _names_in(text):
    """The types of a default such as {float, int32}."""
    return [_type_name(part.strip()) for part in text.strip("{}[]").split(",") if part.strip()]


def _wanted_types(info, node):
    """The dtypes of a node's inputs by its attrs, or by defaults where a file leaves these out, as text."""
    wanted = []

    def value(name, field, default):
        return field(node.attr[name]) if name in node.attr else default(info.attr_map[name].default_text.strip())
    for arg in info.inputs:
        if arg.type_list_attr:
            wanted += [dtypes.as_dtype(t) for t in value(arg.type_list_attr, lambda a: a.list.type, _names_in)]
            continue
        kind = dtypes.as_dtype(arg.dtype or value(arg.type_attr, lambda a: a.type, _type_name))
        wanted += [kind] * (value(arg.number_attr, lambda a: a.i, int) if arg.number_attr else 1)
    return wanted


# What an attr's value is called, by the field that holds it, and the fields of a list in their order.
_HELD = {"s": "string", "i": "int", "f": "float", "b": "bool", "type": "type", "shape": "shape", "tensor": "tensor",
         "func": "func", "placeholder": "placeholder"}


_LISTED = ("s", "i", "f", "b", "type", "shape", "tensor", "func")


def _held_kind(value):
    held = value.WhichOneof("value")
    if held != "list":
        return _HELD.get(held)
    filled = next((field for field in _LISTED if len(getattr(value.list, field))), None)
    return "list(%s)" % (_HELD[filled] if filled else "any")


def _check_choice(definition, value):
    """A type or a text is one of those that the definition allows."""
    if not definition.choices or definition.kind not in (attrs_lib.TYPE, attrs_lib.STRING):
        return
    of_types = definition.kind == attrs_lib.TYPE
    values = (value.list.type if of_types else value.list.s) if definition.is_list else [value.type if of_types else value.s]
    choices = [_type_name(c) for c in definition.choices] if of_types else ['"%s"' % c for c in definition.choices]
    if of_types:
        choices = [_short(dtypes.as_dtype(c)) for c in choices]
    for item in values:
        text = _short(dtypes.as_dtype(item)) if of_types else '"%s"' % item.decode(errors="replace")
        if text not in choices:
            raise ValueError("Value for attr '%s' of %s is not in the list of allowed values: %s" % (
                definition.name, text, ", ".join(choices)))


def _check_value(definition, value):
    kind, held = _KINDS.get(definition.kind, "any"), _held_kind(value)
    kind = "list(%s)" % kind if definition.is_list else kind
    if held is None:
        raise ValueError("AttrValue missing value with expected type '%s'\n\t for attr '%s'" % (kind, definition.name))
    if held != kind and not (definition.is_list and held == "list(any)"):
        raise ValueError("AttrValue had value with type '%s' when '%s' expected\n\t for attr '%s'" % (
            held, kind, definition.name))
    if definition.minimum is not None:
        count = value.i if not definition.is_list else max(len(getattr(value.list, field)) for field in _LISTED)
        if count < definition.minimum:
            raise ValueError("%s for attr '%s' of %d must be at least minimum %d" % (
                "Length" if definition.is_list else "Value", definition.name, count, definition.minimum))
    _check_choice(definition, value)


def check_node(node, name, inputs):
    """TensorFlow's words where a NodeDef has other attrs or another number of inputs than its op."""
    if not Flow.op_registry_has_type(node.op):
        return
    info = ops.op_info(node.op)
    where = "NodeDef: {{node %s}}" % name
    for definition in info.attrs:
        if definition.name not in node.attr and not definition.has_default:
            raise ValueError("NodeDef missing attr '%s' from %s; %s" % (definition.name, summary(node.op), where))
    for key in node.attr:
        if not key.startswith("_") and key not in info.attr_map:
            raise ValueError("NodeDef mentions attr '%s' not in %s; %s. (Check whether your GraphDef-interpreting binary is "
                             "up to date with your GraphDef-generating binary.)." % (key, summary(node.op), where))
        if not key.startswith("_"):
            try:
                _check_value(info.attr_map[key], node.attr[key])
            except ValueError as error:
                raise ValueError("%s\n\t; %s; %s" % (error, where, summary(node.op))) from None
    wanted = _wanted_types(info, node)
    if len(wanted) != len([i for i in node.input if not i.startswith("^")]):
        raise ValueError("NodeDef expected inputs '%s' do not match %d inputs specified; %s; %s" % (
            ", ".join(_short(t) for t in wanted), len([i for i in node.input if not i.startswith("^")]),
            summary(node.op), where))
