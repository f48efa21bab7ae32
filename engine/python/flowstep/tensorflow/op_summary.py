# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""An op's definition in one line, as TensorFlow's errors quote it, and what a NodeDef may have against it."""

from . import attrs as attrs_lib, dtypes, ops

_STATEFUL = 1
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


def _attr(definition):
    kind = _KINDS.get(definition.kind, "any")
    text = "attr=%s:%s" % (definition.name, "list(%s)" % kind if definition.is_list else kind)
    if definition.has_default:
        text += ",default=" + _default(definition)
    if definition.minimum is not None:
        text += ",min=%d" % definition.minimum
    if definition.choices and definition.kind == attrs_lib.TYPE:
        text += ",allowed=[%s]" % ", ".join(_enum(dtypes.as_dtype(c)) for c in definition.choices)
    elif definition.choices and definition.kind != attrs_lib.SHAPE:
        text += ",allowed=[%s]" % ", ".join('"%s"' % c for c in definition.choices)
    return text


def summary(op_type):
    """Op<name=Identity; signature=input:T -> output:T; attr=T:type>"""
    from ._engine import Flow
    info = ops.op_info(op_type)
    parts = ["name=" + op_type, "signature=%s -> %s" % (", ".join(_argument(a) for a in info.inputs),
                                                       ", ".join(_argument(a) for a in info.outputs))]
    parts += [_attr(a) for a in info.attrs]
    if Flow.op_registry_get_flags(op_type) & _STATEFUL:
        parts.append("is_stateful=true")
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


def check_node(node, name, inputs):
    """TensorFlow's words where a NodeDef has other attrs or another number of inputs than its op."""
    from ._engine import Flow
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
    wanted = _wanted_types(info, node)
    if len(wanted) != len([i for i in node.input if not i.startswith("^")]):
        raise ValueError("NodeDef expected inputs '%s' do not match %d inputs specified; %s; %s" % (
            ", ".join(_short(t) for t in wanted), len([i for i in node.input if not i.startswith("^")]),
            summary(node.op), where))
