# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Scripts in the language of Python 2, converted in memory: the files stay as they are, and lines keep their numbers."""

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import warnings

import numpy as np

# Fixers that would change what means the same in both.
_LEFT_OUT = {"fix_idioms", "fix_set_literal", "fix_ws_comma", "fix_buffer", "fix_asserts", "fix_future"}


def _make_tool():
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from lib2to3 import refactor
    except ImportError:
        raise SystemExit("--python2 needs Python's lib2to3 (python3-lib2to3), which this Python does not have.") from None
    names = [n for n in refactor.get_fixers_from_package("lib2to3.fixes") if n.rpartition(".")[2] not in _LEFT_OUT]
    tools = []
    # Where print is a function already, the other grammar reads it.
    for options in ({}, {"print_function": True}):
        tools.append(refactor.RefactoringTool(names, options))
    return tools


_tools = []


def convert(text, name):
    """The text in the language of Python 3; a SyntaxError where it is neither."""
    if not _tools:
        _tools.extend(_make_tool())
    first = None
    for tool in _tools:
        try:
            return str(tool.refactor_string(text if text.endswith("\n") else text + "\n", name))
        except Exception as error:
            first = first or error
    context = getattr(first, "context", None)
    line = context[1][0] if context else 0
    raise SyntaxError("invalid syntax", (name, line, 0, ""))


def divide(a, b):
    """a / b of Python 2: of integers the floor."""
    kinds = (bool, int, np.integer)
    if isinstance(a, kinds) and isinstance(b, kinds):
        return a // b
    for one, other, method in ((a, b, "__div__"), (b, a, "__rdiv__")):
        if hasattr(type(one), method):
            result = getattr(one, method)(other)
            if result is not NotImplemented:
                return result
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        if all(np.asarray(v).dtype.kind in "biu" for v in (a, b)):
            return np.floor_divide(a, b)
    return a / b


class _Division(ast.NodeTransformer):
    """a / b and a /= b become calls of divide()."""

    @staticmethod
    def _call(node, left, right):
        function = ast.Name("__flowstep_divide__", ast.Load())
        return ast.copy_location(ast.Call(function, [left, right], []), node)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return self._call(node, node.left, node.right) if isinstance(node.op, ast.Div) else node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        # What stands in an index is computed once: only names are safe to write twice.
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        value = self._call(node, ast.Name(node.target.id, ast.Load()), node.value)
        return ast.copy_location(ast.Assign([node.target], value), node)


def _divides_truly(tree):
    return any(isinstance(n, ast.ImportFrom) and n.module == "__future__" and any(a.name == "division" for a in n.names)
               for n in tree.body)


def compile_source(text, name):
    """Code of a file in the language of Python 2."""
    tree = ast.parse(convert(text, name), name)
    if not _divides_truly(tree):
        tree = ast.fix_missing_locations(_Division().visit(tree))
    return compile(tree, name, "exec", dont_inherit=True)


def _read(path):
    with open(path, "rb") as file:
        return importlib.util.decode_source(file.read())


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname):
        return compile_source(_read(self.path), self.path)


class _Finder(importlib.abc.MetaPathFinder):
    """Modules beside the script are in its language."""

    def __init__(self, folder):
        self._folder = folder

    def find_spec(self, name, path=None, target=None):
        for folder in [self._folder] if path is None else path:
            if not os.path.abspath(folder).startswith(self._folder):
                continue
            base = os.path.join(folder, name.rpartition(".")[2])
            for file, is_package in ((os.path.join(base, "__init__.py"), True), (base + ".py", False)):
                if os.path.isfile(file):
                    return importlib.util.spec_from_file_location(
                        name, file, loader=_Loader(name, file), submodule_search_locations=[base] if is_package else None)
        return None


def run(path):
    """As runpy.run_path(path, run_name="__main__"); the names that it leaves."""
    import builtins
    import types
    builtins.__flowstep_divide__ = divide
    full = os.path.abspath(path)
    sys.meta_path.insert(0, _Finder(os.path.dirname(full)))
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=builtins, __cached__=None)
    sys.modules["__main__"] = module
    exec(compile_source(_read(full), path), module.__dict__)
    return module.__dict__
