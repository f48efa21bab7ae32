# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.util.tf_inspect: Python's inspect, with the words of functions that later Pythons left out."""

import collections
import inspect
from inspect import *  # noqa: F401,F403
from inspect import FullArgSpec, getcallargs, getfullargspec  # noqa: F401

ArgSpec = collections.namedtuple("ArgSpec", "args varargs keywords defaults")


def getargspec(target):
    """A function's arguments; what a call of an object or class is given, and of a partial what is open."""
    found = inspect.getfullargspec(target)
    return ArgSpec(found.args, found.varargs, found.varkw, found.defaults)
