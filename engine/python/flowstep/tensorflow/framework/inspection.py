# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.util.tf_inspect: Python's inspect, with the words of functions that later Pythons left out."""

import collections
import functools
import inspect
from inspect import *  # noqa: F401,F403
from inspect import FullArgSpec, getcallargs  # noqa: F401

from . import tf_decorator

ArgSpec = collections.namedtuple("ArgSpec", "args varargs keywords defaults")


def getfullargspec(target):
    """What a decorator says that it takes, else what is inside of all decorators does."""
    decorators, inside = tf_decorator.unwrap(target)
    told = next((d.decorator_argspec for d in decorators if d.decorator_argspec is not None), None)
    return told if told is not None else inspect.getfullargspec(inside)


def getargspec(target):
    """A function's arguments; what a call of an object or class is given, and of a partial what is open."""
    found = getfullargspec(target)
    return found if isinstance(found, ArgSpec) else ArgSpec(found.args, found.varargs, found.varkw, found.defaults)


def _called(function):
    """What runs when it is called: an object's own __call__, a partial's function."""
    if isinstance(function, functools.partial):
        return _called(function.func)
    return function if hasattr(function, "__code__") or not hasattr(function, "__call__") else function.__call__


def fn_args(fn):
    """The names of the arguments that a call by position may still give: without self, and what a partial has given."""
    if isinstance(fn, functools.partial):
        return tuple(name for name in fn_args(fn.func)[len(fn.args):] if name not in (fn.keywords or {}))
    fn = _called(fn)
    names = getfullargspec(fn).args
    return tuple(names[1:] if inspect.ismethod(fn) else names)


def has_kwargs(fn):
    """Whether it takes any keyword."""
    if not callable(fn):
        raise TypeError("fn should be a function-like object, but is of type {}.".format(type(fn)))
    return getfullargspec(_called(fn)).varkw is not None


def get_func_name(func):
    """How messages call a function."""
    _, inside = tf_decorator.unwrap(func)
    if not callable(inside):
        raise ValueError("Argument must be callable")
    if inspect.ismethod(inside):
        return "%s.%s" % (type(inside.__self__).__name__, inside.__name__)
    return inside.__name__ if inspect.isfunction(inside) else str(type(inside))


def get_func_code(func):
    """The code that a call runs."""
    _, inside = tf_decorator.unwrap(func)
    if not callable(inside):
        raise ValueError("Argument must be callable")
    return inside.__code__ if hasattr(inside, "__code__") else type(inside).__call__.__code__
