# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Python written in Python: statements and expressions of a text in which names stand for what is put in."""

import ast
import copy


class _PutIn(ast.NodeTransformer):
    def __init__(self, parts):
        self._parts = parts

    def visit_Name(self, node):
        part = self._parts.get(node.id)
        if part is None:
            return node
        if isinstance(part, str):
            return ast.Name(part, node.ctx)
        return copy.deepcopy(part)

    def visit_Expr(self, node):
        part = self._parts.get(node.value.id) if isinstance(node.value, ast.Name) else None
        return part if isinstance(part, list) else self.generic_visit(node)

    def visit_FunctionDef(self, node):
        node.name = self._parts.get(node.name, node.name)
        return self.generic_visit(node)


def statements(text, **parts):
    """The text's statements. A part is a name, an expression, or statements where the name stands alone."""
    module = ast.parse(text)
    for node in ast.walk(module):
        if hasattr(node, "lineno"):
            del node.lineno
    return _PutIn(parts).visit(module).body


def expression(text, **parts):
    return statements(text, **parts)[0].value


def constant(value):
    return expression(repr(value))


def _first_line(node):
    return min((n.lineno for n in ast.walk(node) if hasattr(n, "lineno")), default=None)


def place(nodes, line):
    """Puts statements in which nothing of the script is where the script has what they were made of."""
    for node in nodes:
        if _first_line(node) is None:
            node.lineno = node.end_lineno = line
            node.col_offset = node.end_col_offset = 0


def locate(node, line=1):
    """Gives what was made the line of what of the script is in it, or stands before it; the line it ends with."""
    if "lineno" in node._attributes:
        if not hasattr(node, "lineno"):
            node.lineno = node.end_lineno = _first_line(node) or line
            node.col_offset = node.end_col_offset = 0
        line = node.lineno
    for child in ast.iter_child_nodes(node):
        line = locate(child, line)
    return line
