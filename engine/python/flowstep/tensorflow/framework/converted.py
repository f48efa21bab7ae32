# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Errors out of a script's functions that TensorFlow would have converted: they say so, and where they came up."""

import linecache

from .. import errors
from ..autograph.rewriting import MARK
from .graph import _PACKAGE

# The classes that are made again from the longer text; an error of another class becomes a StagingError.
_KEPT = (AssertionError, AttributeError, NameError, NotImplementedError, RuntimeError, StopIteration, TypeError, ValueError,
         errors.OperatorNotAllowedInGraphError)


class StagingError(Exception):
    """An error whose own class cannot tell where it came from."""


class MultilineMessageKeyError(KeyError):
    """A KeyError that shows its text as it is."""

    def __init__(self, message, original_key):
        super().__init__(original_key)
        self._message = message

    def __str__(self):
        return self._message


def _frames(traceback):
    """The lines of the script that the error went through, outermost first."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not code.co_filename.startswith(_PACKAGE):
            # Of what was made of a function the last part is that function's name.
            name = None if code.co_name == "<lambda>" else code.co_name.split(MARK)[-1]
            yield "    %s:%d %s  *" % (code.co_filename, traceback.tb_lineno, name)
            yield "        %s" % linecache.getline(code.co_filename, traceback.tb_lineno).strip()
        traceback = traceback.tb_next


def _told(error, cause):
    """The error as it is seen from outside the converted code."""
    text = "\n".join(["in converted code:", ""] + list(_frames(error.__traceback__)) + [""]
                     + ["    " + line for line in cause.split("\n")] + [""])
    kind = type(error)
    if kind in _KEPT or kind.__init__ is Exception.__init__:
        told = kind(text)
    elif isinstance(error, errors.OpError):
        told = kind(error.node_def, error.op, text)
    elif kind is KeyError:
        told = MultilineMessageKeyError(text, cause)
    else:
        told = StagingError(text)
    told._cause_in_converted_code = cause
    return told


def _code(function):
    while hasattr(function, "func"):
        function = function.func
    for called in (function, getattr(type(function), "__call__", None)):
        code = getattr(getattr(called, "__func__", called), "__code__", None)
        if code is not None:
            return code
    return None


def is_own(function):
    """Whether a function stands in this package or in no Python at all; those are not converted."""
    code = _code(function)
    return code is None or code.co_filename.startswith(_PACKAGE)


def call(function, *arguments, **keywords):
    """What the function gives; what it raises is told as from converted code, once however deep it lies."""
    from ..autograph import calls
    try:
        return calls.callee(function)(*arguments, **keywords)
    except Exception as error:
        known = getattr(error, "_cause_in_converted_code", None)
        raise _told(error, known or "%s: %s" % (type(error).__name__, error)) from None


def call_of_layer(function, *arguments, **keywords):
    """As call, of a layer's own method: there control flow of Python on a tensor is explained."""
    try:
        return call(function, *arguments, **keywords)
    except errors.OperatorNotAllowedInGraphError as error:
        raise TypeError("You are attempting to use Python control flow in a layer that was not declared to be dynamic. Pass "
                        '`dynamic=True` to the class constructor.\nEncountered error:\n"""\n%s\n"""' % error) from None
