# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""A function's if, while and for become calls that decide, when it runs, whether they are of Python or of the graph."""

import ast

from . import jumps, names
from .quoting import constant, expression, locate, place, statements

# What is made in here is named so; what comes after the last mark is the function that it was made of.
MARK = "ag__"
_UNSUPPORTED = tuple(getattr(ast, name) for name in ("Yield", "YieldFrom", "Await", "NamedExpr", "Match", "TryStar")
                     if hasattr(ast, name))


class NotConvertible(Exception):
    """A function that stays as it was written."""


class _Expressions(ast.NodeTransformer):
    """Calls, logic and conditions within expressions."""

    def __init__(self, first_parameter):
        self._first = first_parameter

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and self._first:
            return expression("super(__class__, first)", first=self._first)
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == MARK:
            # What a pass before this one has put in.
            return self.generic_visit(node)
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id in ("print", "super", "locals", "globals", "vars")):
            node.func = ast.copy_location(expression("ag__.callee(function)", function=node.func), node)
        return node

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        function = "and_" if isinstance(node.op, ast.And) else "or_"
        result = node.values[-1]
        for value in reversed(node.values[:-1]):
            result = expression("ag__.%s(lambda: left, lambda: right)" % function, left=value, right=result)
        return result

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return expression("ag__.not_(value)", value=node.operand) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        return expression("ag__.if_expression(test, lambda: first, lambda: second)", test=node.test, first=node.body,
                          second=node.orelse)

    def visit_FunctionDef(self, node):
        return Function(node).rewritten([self.visit(d) for d in node.decorator_list])

    def visit_ClassDef(self, node):
        return node


class Function:
    """One function on its way."""

    def __init__(self, node):
        self._node = node
        positional = getattr(node.args, "posonlyargs", []) + node.args.args
        self._expressions = _Expressions(positional[0].arg if positional else None)
        self._used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | names.parameters(node)
        self._outer, self._globals, self._carried, self._made = set(), set(), set(), 0

    def _fresh(self, base):
        name, n = base, 0
        while name in self._used:
            n += 1
            name = "%s_%d" % (base, n)
        self._used.add(name)
        return name

    def _name(self, what):
        self._made += 1
        return "%s%s_%d_%s%s" % (MARK, what, self._made, MARK, self._node.name)

    def _declared(self, nodes):
        for node in nodes:
            if isinstance(node, ast.Global):
                self._globals.update(node.names)
            elif isinstance(node, ast.Nonlocal):
                self._outer.update(node.names)
            elif not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
                self._declared(ast.iter_child_nodes(node))

    def rewritten(self, decorators=()):
        node = self._node
        self._declared(node.body)
        node.decorator_list, node.returns = list(decorators), None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        has_text = ast.get_docstring(node, clean=False) is not None
        body, _ = self._block(jumps.lowered(node.body[has_text:], self._fresh), set())
        own = self._carried - names.parameters(node) - self._outer
        undefined = [s for name in sorted(own) for s in statements("name = ag__.Undefined(symbol)", name=name, symbol=constant(name))]
        # Declarations come before what they are about.
        first = [s for s in body if isinstance(s, (ast.Global, ast.Nonlocal))]
        node.body = node.body[:has_text] + first + undefined + [s for s in body if s not in first] or statements("pass")
        return node

    # -- statements

    def _block(self, nodes, after):
        """(the statements, the names that are live before them)."""
        result = []
        for node in reversed(nodes):
            before = names.live_before([node], after)
            made = self._statement(node, after)
            if hasattr(node, "lineno"):
                place(made, node.lineno)
            result[:0] = made
            after = before
        return result, after

    def _statement(self, node, after):
        for kind, rewrite in _STATEMENTS.items():
            if isinstance(node, kind):
                return rewrite(self, node, after)
        return [self._expressions.visit(node)]

    def _with(self, node, after):
        # TF: what enters a block is not converted.
        node.body = self._block(node.body, after)[0]
        return [node]

    def _try(self, node, after):
        ending = names.live_before(node.finalbody, after)
        handled = set().union(ending, *[names.live_before(h.body, ending) for h in node.handlers])
        node.body = self._block(node.body, names.live_before(node.orelse, ending) | handled)[0]
        for handler in node.handlers:
            handler.body = self._block(handler.body, ending)[0]
        node.orelse = self._block(node.orelse, ending)[0]
        node.finalbody = self._block(node.finalbody, after)[0]
        return [node]

    def _part(self, name, body, writes, argument=None):
        """An inner function of statements that write variables of the function around."""
        text = ("global shared\n" if writes & self._globals else "") + ("nonlocal kept\n" if writes & self._carried else "")
        function, = statements("def name(%s):\n  pass" % (argument or ""), name=name)
        declared = statements(text)
        for statement in declared:
            kept = writes & (self._globals if isinstance(statement, ast.Global) else self._carried)
            statement.names = sorted(kept)
        function.body = declared + body or function.body
        return [function]

    def _state(self, basic, composites):
        """(statements, how get and set of that state are named)."""
        get, put = self._name("get_state"), self._name("set_state")
        if not basic and not composites:
            return [], "ag__.no_state", "ag__.set_no_state"
        values = ast.Tuple([ast.Name(n, ast.Load()) for n in basic] + [composites[t] for t in sorted(composites)], ast.Load())
        made = statements("def get():\n  return values", get=get, values=_as(values, ast.Load()))
        setting = statements("targets = ag__values", targets=_as(values, ast.Store()))
        made += self._part(put, setting, set(basic), "ag__values")
        return made, get, put

    def _carry(self, wanted):
        kept = sorted(wanted - self._globals)
        self._carried.update(kept)
        return kept

    def _if(self, node, after):
        sides = [list(node.body), list(node.orelse)]
        writes = [names.written(*side) for side in sides]
        everything = writes[0][0] | writes[1][0]
        composites = dict(writes[0][1], **writes[1][1])
        given = self._carry(everything & after)
        also = set().union(*[w[0] & names.live_before(side, after) for side, w in zip(sides, writes)]) - set(given)
        self._carry(also)
        made, get, put = self._state(given + sorted(also - self._globals), composites)
        parts = []
        for what, side, (written, _) in zip(("if_true", "if_false"), sides, writes):
            parts.append(self._name(what))
            made += self._part(parts[-1], self._block(side, after)[0], written)
        text = "ag__.if_stmt(test, true, false, %s, %s, symbols, composites, count)" % (get, put)
        return made + statements(text, test=self._expressions.visit(node.test), true=parts[0], false=parts[1],
                                 symbols=constant(tuple(given)), composites=constant(tuple(sorted(composites))),
                                 count=constant(len(also - self._globals)))

    def _loop(self, node, head, writes, after):
        written, composites = writes
        basic = self._carry(written & head)
        composites = {t: n for t, n in composites.items() if names.base_of(n) <= head}
        made, get, put = self._state(basic, composites)
        return made, "%s, %s, symbols, composites" % (get, put), {
            "symbols": constant(tuple(basic)), "composites": constant(tuple(sorted(composites)))}

    def _while(self, node, after):
        ended = names.live_before(node.orelse, after)
        head, writes = names.at_head(node, ended), names.written(*node.body)
        made, state, parts = self._loop(node, head, writes, after)
        test, body = self._name("loop_test"), self._name("loop_body")
        made += statements("def test():\n  return condition", test=test, condition=self._expressions.visit(node.test))
        made += self._part(body, self._block(node.body, head)[0], writes[0])
        made += statements("ag__.while_stmt(test, body, %s)" % state, test=test, body=body, **parts)
        return made + self._block(node.orelse, after)[0]

    def _for(self, node, after):
        ended = names.live_before(node.orelse, after)
        head, writes = names.at_head(node, ended), names.written(node.target, *node.body)
        made, state, parts = self._loop(node, head, writes, after)
        body = self._name("loop_body")
        extra = "None"
        for test in names.extra_tests(node):
            extra = self._name("extra_test")
            made += statements("def extra():\n  return condition", extra=extra, condition=self._expressions.visit(test))
        inside = statements("target = ag__iterate", target=node.target) + self._block(node.body, head)[0]
        made += self._part(body, inside, writes[0], "ag__iterate")
        made += statements("ag__.for_stmt(values, %s, body, %s)" % (extra, state), body=body,
                           values=self._expressions.visit(node.iter), **parts)
        return made + self._block(node.orelse, after)[0]


_STATEMENTS = {ast.If: Function._if, ast.While: Function._while, ast.For: Function._for, ast.With: Function._with,
               ast.Try: Function._try}


class _Context(ast.NodeTransformer):
    def __init__(self, context):
        self._context = context

    def visit_Tuple(self, node):
        return ast.Tuple([self.visit(e) for e in node.elts], self._context)

    def visit_Name(self, node):
        return ast.Name(node.id, self._context)

    def visit_Attribute(self, node):
        return ast.Attribute(node.value, node.attr, self._context)

    def visit_Subscript(self, node):
        return ast.Subscript(node.value, node.slice, self._context)


def _as(node, context):
    """A tuple of targets, to be read or to be written."""
    return _Context(context).visit(node)


def function(node):
    """The AST of a function (def or lambda), rewritten."""
    if any(isinstance(n, _UNSUPPORTED) for n in ast.walk(node)):
        raise NotConvertible("it uses what is not converted")
    if isinstance(node, ast.Lambda):
        positional = getattr(node.args, "posonlyargs", []) + node.args.args
        node.body = _Expressions(positional[0].arg if positional else None).visit(node.body)
        made = node
    else:
        made = Function(node).rewritten()
    locate(made, getattr(node, "lineno", 1))
    return made
