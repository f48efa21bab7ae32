# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Which names statements read and write, and which are still read after them."""

import ast

_SCOPES = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _index(node):
    """A subscript's index where it is a name or a constant."""
    index = node.slice
    if type(index).__name__ == "Index":
        # Python before 3.9.
        index = index.value
    if isinstance(index, ast.Name):
        return index.id
    try:
        return repr(ast.literal_eval(index))
    except ValueError:
        return None


def text_of(node):
    """How a name, an attribute or an element is written, or None of what is neither."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = text_of(node.value)
        return base and "%s.%s" % (base, node.attr)
    if isinstance(node, ast.Subscript):
        base, index = text_of(node.value), _index(node)
        return base and index and "%s[%s]" % (base, index)
    return None


def base_of(node):
    """The names that an attribute or an element is reached by."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


class _Writes(ast.NodeVisitor):
    """Names and composite targets that are written outside inner functions."""

    def __init__(self):
        self.names, self.composites = set(), {}

    def visit(self, node):
        if isinstance(node, _SCOPES):
            if hasattr(node, "name"):
                self.names.add(node.name)
        elif isinstance(node, _COMPREHENSIONS):
            return
        elif isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                self.names.add(node.id)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            text = text_of(node)
            if text:
                self.composites[text] = node
        else:
            if isinstance(node, ast.ExceptHandler) and node.name:
                self.names.add(node.name)
            elif isinstance(node, ast.alias):
                self.names.add((node.asname or node.name).split(".")[0])
            self.generic_visit(node)


def written(*nodes):
    """(names, {text: node} of attributes and elements) that these write."""
    writes = _Writes()
    for node in nodes:
        writes.visit(node)
    return writes.names, writes.composites


def _parameters(arguments):
    found = list(getattr(arguments, "posonlyargs", [])) + arguments.args + arguments.kwonlyargs
    found += [a for a in (arguments.vararg, arguments.kwarg) if a]
    return {a.arg for a in found}


def parameters(function):
    return _parameters(function.args)


def read(*nodes):
    """Names that these read; of inner functions those that are not their own."""
    found = set()
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            body = node.body if isinstance(node.body, list) else [node.body]
            found |= read(*body) - parameters(node) - (written(*body)[0] if isinstance(node, ast.FunctionDef) else set())
            found |= read(*node.args.defaults, *[d for d in node.args.kw_defaults if d])
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        found |= read(*ast.iter_child_nodes(node))
    return found


def live_before(nodes, after):
    """The names that are read, in these statements or after them, before they are written."""
    for node in reversed(nodes):
        after = _live_before(node, after)
    return after


def at_head(node, after):
    """The names that a loop's condition or body reads, in this or a later round, or what comes after the loop."""
    if isinstance(node, ast.While):
        tested, targets = read(node.test), set()
    else:
        tested, targets = read(*extra_tests(node)), written(node.target)[0]
    head = after | tested
    while True:
        grown = head | (live_before(node.body, head) - targets)
        if grown == head:
            return head
        head = grown


def extra_tests(loop):
    """What a for loop is asked before each round, beside whether there is one."""
    test = getattr(loop, "extra_test", None)
    return [] if test is None else [test]


def _live_before(node, after):
    if isinstance(node, ast.If):
        return read(node.test) | live_before(node.body, after) | live_before(node.orelse, after)
    if isinstance(node, ast.While):
        return at_head(node, live_before(node.orelse, after))
    if isinstance(node, ast.For):
        return read(node.iter) | at_head(node, live_before(node.orelse, after))
    if isinstance(node, ast.With):
        inner = live_before(node.body, after) - written(*[i.optional_vars for i in node.items if i.optional_vars])[0]
        return inner | read(*[i.context_expr for i in node.items])
    if isinstance(node, ast.Try):
        ending = live_before(node.finalbody, after)
        handled = set().union(ending, *[live_before(h.body, ending) | (read(h.type) if h.type else set()) for h in node.handlers])
        return live_before(node.body + node.orelse, ending) | handled
    if isinstance(node, ast.Return):
        return read(node.value) if node.value else set()
    return (after - written(node)[0]) | read(node)
