# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""arg_scope: default arguments for all calls of some functions inside a with."""

import contextlib
import functools

_stack = [{}]
_decorated = {}


def arg_scope_func_key(op):
    return getattr(op, "_key_op", str(op))


def current_arg_scope():
    return _stack[-1]


def _default_names(function):
    count = len(function.__defaults__ or ())
    return function.__code__.co_varnames[-count:function.__code__.co_argcount]


def has_arg_scope(func):
    return arg_scope_func_key(func) in _decorated


def arg_scoped_arguments(func):
    assert has_arg_scope(func)
    return _decorated[arg_scope_func_key(func)]


def add_arg_scope(function):
    """The function, taking what arg_scope says of it."""
    key = arg_scope_func_key(function)

    @functools.wraps(function)
    def scoped(*arguments, **keywords):
        given = current_arg_scope().get(key)
        return function(*arguments, **(keywords if given is None else dict(given, **keywords)))
    _decorated[key] = _default_names(function)
    scoped._key_op = key
    return scoped


def _extended(functions, keywords):
    if not isinstance(functions, (list, tuple)):
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    scope = dict(current_arg_scope())
    for function in functions:
        if not has_arg_scope(function):
            raise ValueError("%s is not decorated with @add_arg_scope", (function.__module__, function.__name__))
        key = arg_scope_func_key(function)
        scope[key] = dict(scope.get(key, {}), **keywords)
    return scope


@contextlib.contextmanager
def arg_scope(list_ops_or_scope, **kwargs):
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError("When attempting to re-use a scope by suppling adictionary, kwargs must be empty.")
        scope = list_ops_or_scope.copy()
    else:
        scope = _extended(list_ops_or_scope, kwargs)
    _stack.append(scope)
    try:
        yield scope
    finally:
        _stack.pop()
