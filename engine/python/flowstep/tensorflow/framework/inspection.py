# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.util.tf_inspect: Python's inspect, with the words of functions that later Pythons left out."""

import collections
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
