# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""strip_default_attrs: attrs that are what an op's definition gives anyway are left out of what is exported."""

import ast

import numpy as np

from .. import dtypes
from ..framework import attrs as attrs_lib
from ..framework._engine import Flow
from ..framework.op_inputs import op_info


def _scalar(kind, text):
    if kind == attrs_lib.BOOL:
        return text == "true"
    if kind == attrs_lib.INT:
        return int(text)
    if kind == attrs_lib.FLOAT:
        return float(np.float32(float(text)))
    if kind == attrs_lib.STRING:
        return text[1:-1].encode()
    raise ValueError(text)


def _default(definition):
    """What Operation.get_attr() would give; raises ValueError for what is not known."""
    text = definition.default_text
    if definition.is_list:
        items = text.strip("[]").strip()
        if not items:
            return []
        if definition.kind == attrs_lib.STRING:
            return [item.encode() for item in ast.literal_eval(text)]
        return [_scalar(definition.kind, item.strip()) for item in items.split(",")]
    if definition.kind == attrs_lib.TYPE:
        return dtypes.as_dtype(definition.default_type)
    return _scalar(definition.kind, text)


def _is_default(definition, value):
    if definition.kind == attrs_lib.SHAPE and not definition.is_list and "unknown_rank: true" in definition.default_text:
        return value.shape.unknown_rank
    try:
        return attrs_lib.to_python(attrs_lib.from_message(value)) == _default(definition)
    except (ValueError, SyntaxError):
        return False


def _strip_node(node):
    if not Flow.op_registry_has_type(node.op):
        return
    definitions = op_info(node.op).attr_map
    for name in list(node.attr):
        definition = definitions.get(name)
        if definition is not None and definition.has_default and _is_default(definition, node.attr[name]):
            del node.attr[name]


def strip(meta):
    """Strips a MetaGraphDef and says so in it."""
    called = {function.signature.name for function in meta.graph_def.library.function}
    bodies = [node for function in meta.graph_def.library.function for node in function.node_def]
    for node in list(meta.graph_def.node) + bodies:
        if node.op not in called:
            _strip_node(node)
    meta.meta_info_def.stripped_default_attrs = True
