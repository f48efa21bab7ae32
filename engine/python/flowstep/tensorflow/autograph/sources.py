# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Where a function of a script was written, as an AST."""

import ast
import copy
import linecache

from . import names
from .rewriting import NotConvertible

_modules = {}


def _module(filename):
    lines = linecache.getlines(filename)
    if not lines:
        raise NotConvertible("could not get source code")
    text = "".join(lines)
    known = _modules.get(filename)
    if known is None or known[0] != text:
        try:
            known = _modules[filename] = text, ast.parse(text)
        except SyntaxError as error:
            raise NotConvertible(str(error)) from None
    return known[1]


def _first_line(node):
    return min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])


def _is_of(node, code):
    if code.co_name == "<lambda>":
        return isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno and _takes(node, code)
    return isinstance(node, ast.FunctionDef) and node.name == code.co_name and _first_line(node) == code.co_firstlineno


def _takes(node, code):
    n = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return set(code.co_varnames[:n]) == names.parameters(node)


def of_function(code):
    """A copy of the node that a code object was compiled from."""
    found = [node for node in ast.walk(_module(code.co_filename)) if _is_of(node, code)]
    if len(found) != 1:
        raise NotConvertible("Unable to identify source code of function %s" % code.co_name)
    return copy.deepcopy(found[0])
