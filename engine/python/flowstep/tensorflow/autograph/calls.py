# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Which functions are converted, and what stands for them."""

import ast
import contextlib
import functools
import inspect
import sys
import types

from ..framework import ops, tf_logging
from ..framework.graph import _PACKAGE
from ..framework.operation import conversion
from ..operators import math_ops
from . import operators, rewriting, sources
from .checks import is_tensor

# TF: functions of these modules stay as they are, and of what they hold.
_LEFT_ALONE = ("collections", "copy", "cProfile", "inspect", "ipdb", "linecache", "mock", "pathlib", "pdb", "posixpath",
               "pstats", "re", "threading", "numpy", "tensorflow", "tensorflow_probability", "flowstep")
UNCONVERTED = "_is_left_unconverted"

_made, _refused = {}, set()


# -- builtins that know tensors

def _number(kind, to_dtype):
    def convert(value=0, *arguments):
        if not is_tensor(value):
            return kind(value, *arguments)
        if arguments and arguments != (10,):
            raise NotImplementedError("base {} not supported for int".format(*arguments))
        if value.dtype.name == "string":
            return ops.apply_op("StringToNumber", string_tensor=value, out_type=to_dtype)
        return math_ops.cast(value, to_dtype)
    return convert


def _len(values):
    from ..control import control_flow
    if control_flow.is_tensor_array(values):
        return values.size()
    return operators.len_of(values) if is_tensor(values) else len(values)


def _range(*arguments):
    if not any(is_tensor(a) for a in arguments):
        return range(*arguments)
    if len(arguments) == 3:
        return math_ops.range(*arguments)
    if len(arguments) == 2:
        return math_ops.range(arguments[0], math_ops.maximum(*arguments))
    return math_ops.range(math_ops.maximum(arguments[0], 0))


def _is_dataset(value):
    from ..inputs.datasets import Dataset
    return isinstance(value, Dataset)


def _enumerate(values, start=0):
    return values.enumerate(start) if _is_dataset(values) else enumerate(values, start)


def _zip(*several):
    if several and all(map(_is_dataset, several)):
        return type(several[0]).zip(several)
    return zip(*several)


_BUILTINS = {abs: lambda x: math_ops.abs(x) if is_tensor(x) else abs(x), float: _number(float, "float32"),
             int: _number(int, "int32"), len: _len, range: _range, enumerate: _enumerate, zip: _zip}


# -- functions of scripts

def _stays(function):
    """Whether a function is one that is never converted."""
    code = function.__code__
    module = (getattr(function, "__module__", None) or "").split(".")[0]
    return (getattr(function, UNCONVERTED, False) or code.co_filename.startswith((_PACKAGE, "<")) or rewriting.MARK in code.co_freevars
            or module in _LEFT_ALONE or bool(code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE
                                                              | inspect.CO_ASYNC_GENERATOR)))


def _compiled(code):
    """The converted function's code."""
    node = rewriting.function(sources.of_function(code))
    if isinstance(node, ast.Lambda):
        inner = [ast.copy_location(ast.Expr(node), node)]
    else:
        inner = [node]
    factory = ast.parse("def factory(%s): pass" % ", ".join((rewriting.MARK,) + code.co_freevars))
    factory.body[0].body = inner
    ast.fix_missing_locations(factory)
    made = compile(factory, code.co_filename, "exec", flags=_future_flags(code), dont_inherit=True)
    outer, = [c for c in made.co_consts if isinstance(c, types.CodeType)]
    return next(c for c in outer.co_consts if isinstance(c, types.CodeType) and c.co_name == code.co_name)


def _future_flags(code):
    import __future__
    flags = (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
    return sum(flag for flag in set(flags) if code.co_flags & flag)


def _cell(value):
    return (lambda: value).__closure__[0]


def to_graph(function):
    """The function as it decides about control flow when it runs."""
    code = function.__code__
    if code not in _made:
        _made[code] = _compiled(code)
    made = _made[code]
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    cells[rewriting.MARK] = _cell(sys.modules[__name__.rpartition(".")[0] + ".runtime"])
    result = types.FunctionType(made, function.__globals__, function.__name__, function.__defaults__,
                                tuple(cells[name] for name in made.co_freevars))
    result.__kwdefaults__, result.__dict__ = function.__kwdefaults__, dict(function.__dict__)
    result.__qualname__, result.__module__ = function.__qualname__, function.__module__
    return result


def converted(function):
    """As to_graph, but a function that cannot be converted stays as it is, and a warning says so."""
    if function.__code__ in _refused:
        return function
    try:
        return to_graph(function)
    except (rewriting.NotConvertible, SyntaxError, KeyError) as error:
        _refused.add(function.__code__)
        tf_logging.warning("Entity %s could not be transformed and will be executed as-is. Please report this to the AutoGraph "
                           "team. When filing the bug, set the verbosity to 10 (on Linux, `export AUTOGRAPH_VERBOSITY=10`) and "
                           "attach the full output. Cause: %s", function, error)
        return function


@contextlib.contextmanager
def requested():
    """While what a script asked to have converted runs."""
    before, conversion["requested"] = conversion["requested"], True
    try:
        yield
    finally:
        conversion["requested"] = before


def callee(function):
    """What is called in a function's stead."""
    if isinstance(function, functools.partial):
        return functools.partial(callee(function.func), *function.args, **function.keywords)
    if isinstance(function, types.BuiltinFunctionType) or function in (float, int, range, enumerate, zip):
        return _BUILTINS.get(function, function)
    if isinstance(function, types.MethodType):
        inner = function.__func__
        if not isinstance(inner, types.FunctionType) or _stays(inner):
            return function
        return types.MethodType(converted(inner), function.__self__)
    if isinstance(function, types.FunctionType):
        return function if _stays(function) else converted(function)
    if isinstance(function, type) or not callable(function):
        return function
    called = getattr(type(function), "__call__", None)
    if isinstance(called, types.FunctionType) and not _stays(called):
        return types.MethodType(converted(called), function)
    return function
