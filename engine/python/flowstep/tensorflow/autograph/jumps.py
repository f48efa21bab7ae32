# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""break, continue and return inside a function become flags, which what comes after them asks."""

import ast

from .quoting import constant, expression, statements

_INNER = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.AsyncFunctionDef)
_BLOCKS = ("body", "orelse", "finalbody")


class _Pass(ast.NodeTransformer):
    """Leaves inner functions alone; these are gone through on their own."""

    def __init__(self, fresh):
        self._fresh = fresh

    def visit(self, node):
        return node if isinstance(node, _INNER) else super().visit(node)

    def block(self, nodes):
        result = []
        for node in nodes:
            made = self.visit(node)
            result.extend(made if isinstance(made, list) else [made])
        return result


class _Breaks(_Pass):
    """break sets the loop's flag and goes on."""

    def __init__(self, fresh):
        super().__init__(fresh)
        self._loops = []

    def visit_Break(self, node):
        self._loops[-1]["used"] = True
        return statements("flag = True\ncontinue", flag=self._loops[-1]["flag"])

    def _loop(self, node):
        self._loops.append({"flag": self._fresh("break_"), "used": False})
        node.body = self.block(node.body)
        loop = self._loops.pop()
        node.orelse = self.block(node.orelse)
        if not loop["used"]:
            return None
        if node.orelse:
            node.orelse = statements("if ag__.not_(flag):\n  rest", flag=loop["flag"], rest=node.orelse)
        return loop["flag"]

    def visit_While(self, node):
        flag = self._loop(node)
        if flag is None:
            return node
        node.test = expression("ag__.and_(lambda: test, lambda: ag__.not_(flag))", test=node.test, flag=flag)
        return statements("flag = False", flag=flag) + [node]

    def visit_For(self, node):
        flag = self._loop(node)
        if flag is None:
            return node
        node.extra_test = expression("ag__.not_(flag)", flag=flag)
        return statements("flag = False", flag=flag) + [node]


class _Guarding(_Pass):
    """What comes after a jump in a block is done where the flag is not set."""

    def __init__(self, fresh):
        super().__init__(fresh)
        # Of each block around: whether it holds a jump, and whether the statement after this one is guarded.
        self._blocks = []

    def _guarded(self, nodes, flag, kind=None):
        block = {"kind": kind, "used": False, "next": False}
        self._blocks.append(block)
        result = target = []
        guard = False
        for node in nodes:
            made = self.visit(node)
            made = made if isinstance(made, list) else [made]
            if guard:
                condition, = statements("if ag__.not_(flag):\n  rest", flag=flag(), rest=made)
                target.append(condition)
                target = condition.body
            else:
                target.extend(made)
            guard, block["next"] = block["next"], False
        self._blocks.pop()
        return result, block["used"]

    def _jump(self, kind):
        for block in reversed(self._blocks):
            block["used"] = block["next"] = True
            if block["kind"] == kind:
                break

    def _parts(self, node, flag):
        for field in _BLOCKS:
            if getattr(node, field, None):
                setattr(node, field, self._guarded(getattr(node, field), flag)[0])
        for handler in getattr(node, "handlers", []):
            handler.body = self._guarded(handler.body, flag)[0]
        return node


class _Continues(_Guarding):
    def __init__(self, fresh):
        super().__init__(fresh)
        self._flags = []

    def visit_Continue(self, _):
        self._jump("loop")
        return statements("flag = True", flag=self._flags[-1])

    def _loop(self, node):
        self._flags.append(self._fresh("continue_"))
        body, used = self._guarded(node.body, lambda: self._flags[-1], "loop")
        flag = self._flags.pop()
        node.body = statements("flag = False", flag=flag) + body if used else body
        node.orelse = self._guarded(node.orelse, lambda: self._flags[-1])[0]
        return node

    visit_While = visit_For = _loop

    def _inside(self, node):
        return self._parts(node, lambda: self._flags[-1])

    visit_If = visit_With = visit_Try = _inside


class _Returns(_Guarding):
    def __init__(self, fresh):
        super().__init__(fresh)
        self.flag, self.value = fresh("do_return"), fresh("retval_")

    def _flag(self):
        return self.flag

    def visit_Return(self, node):
        self._jump("function")
        return statements("flag = True\nvalue = given", flag=self.flag, value=self.value,
                          given=node.value or constant(None))

    def _loop(self, node):
        node.body, used = self._guarded(node.body, self._flag)
        if used and isinstance(node, ast.While):
            node.test = expression("ag__.and_(lambda: ag__.not_(flag), lambda: test)", test=node.test, flag=self.flag)
        elif used:
            before = getattr(node, "extra_test", None)
            text = "ag__.not_(flag)" if before is None else "ag__.and_(lambda: ag__.not_(flag), lambda: before)"
            node.extra_test = expression(text, flag=self.flag, before=before)
        node.orelse = self._guarded(node.orelse, self._flag)[0]
        return node

    visit_While = visit_For = _loop

    def _inside(self, node):
        return self._parts(node, self._flag)

    visit_If = visit_With = visit_Try = _inside

    def function(self, nodes):
        body, _ = self._guarded(nodes, self._flag, "function")
        # The flag is read at the end, so that each branch gives it.
        return statements("flag = False\nvalue = ag__.UndefinedReturnValue()\nbody\n(flag,)\nreturn ag__.retval(value)",
                          flag=self.flag, value=self.value, body=body)


def _fold_returns(nodes):
    """(the block, whether it returns in any case): what follows an if of which one side returns becomes its other side."""
    result = target = []
    returns = False
    for node in nodes:
        target.append(node)
        if isinstance(node, _INNER):
            continue
        if isinstance(node, ast.Return):
            returns = True
            continue
        ends = {field: _fold_field(node, field) for field in _BLOCKS}
        for handler in getattr(node, "handlers", []):
            _fold_field(handler, "body")
        if isinstance(node, ast.With):
            returns = returns or ends["body"]
        if isinstance(node, ast.If):
            returns = returns or ends["body"] and ends["orelse"]
            if ends["body"]:
                target = node.orelse
            elif ends["orelse"]:
                target = node.body
    return result, returns


def _fold_field(node, field):
    block = getattr(node, field, None)
    if not isinstance(block, list):
        return False
    folded, returns = _fold_returns(block)
    setattr(node, field, folded)
    return returns


def _has(nodes, kind):
    return any(isinstance(node, kind) or not isinstance(node, _INNER) and _has(ast.iter_child_nodes(node), kind)
               for node in nodes)


def lowered(nodes, fresh):
    """A function's body without break and continue, and with no return but at its end."""
    breaks = _Breaks(fresh)
    nodes = _Continues(fresh)._guarded(breaks.block(nodes), None)[0]
    if not any(_has(ast.iter_child_nodes(node), ast.Return) for node in nodes if not isinstance(node, _INNER)):
        return nodes
    return _Returns(fresh).function(_fold_returns(nodes)[0])
