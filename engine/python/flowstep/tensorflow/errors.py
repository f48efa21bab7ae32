# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""TensorFlow's status codes as exceptions (tf.errors)."""

import traceback

from .framework._engine import GLib


class OpError(Exception):
    """A run that failed: the op it failed at, TensorFlow's words and code."""

    def __init__(self, node_def, op, message, error_code):
        super().__init__()
        self._node_def, self._op, self._message, self._error_code = node_def, op, message, error_code

    message = property(lambda self: self._message)
    op = property(lambda self: self._op)
    error_code = property(lambda self: self._error_code)
    node_def = property(lambda self: self._node_def)

    def __str__(self):
        if self._op is None:
            return self._message
        return "%s\n\nOriginal stack trace for %r:\n%s" % (self._message, self._op.name,
                                                          "".join(traceback.format_list(self._op.traceback)))


def _make(name, code):
    def __init__(self, node_def, op, message):
        OpError.__init__(self, node_def, op, message, code)

    return type(name, (OpError,), {"__init__": __init__, "__module__": __name__})


_NAMES = ["OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
          "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
          "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"]
_CLASSES = {}
for _code, _name in enumerate(_NAMES):
    globals()[_name] = _code
    if _code:
        _class = "".join(part.capitalize() for part in _name.split("_")) + "Error"
        globals()[_class] = _CLASSES[_code] = _make(_class, _code)


class InaccessibleTensorError(ValueError):
    """A tensor that may not be fetched."""


class OperatorNotAllowedInGraphError(TypeError):
    """What only a value can do was asked of a tensor."""


def of(error, op=None):
    """The exception for a GLib.Error of the engine."""
    kind = _CLASSES.get(error.code, _CLASSES[2])
    return kind(op.node_def if op is not None else None, op, error.message)


def _of_building(error):
    if error.code == FAILED_PRECONDITION:  # noqa: F821
        return RuntimeError(error.message)
    if error.code in (NOT_FOUND, INTERNAL):  # noqa: F821
        return _CLASSES[error.code](None, None, error.message)
    return ValueError(error.message)


def build(function, *arguments):
    """Calls the engine to build something; what it refuses becomes the exception of TensorFlow's Python."""
    try:
        return function(*arguments)
    except GLib.Error as error:
        raise _of_building(error) from None


def exception_type_from_error_code(error_code):
    return _CLASSES[error_code]


def error_code_from_exception_type(cls):
    """The code of a class of errors; UNKNOWN for a class that is none of these."""
    return next((code for code, known in _CLASSES.items() if known is cls), UNKNOWN)  # noqa: F821


class _Status:
    """What a call of a library leaves: a code, and a message."""

    def __init__(self):
        self.code, self.message = 0, ""


class raise_exception_on_not_ok_status:
    """Raises what a call within it left in the status that it is given."""

    def __enter__(self):
        self.status = _Status()
        return self.status

    def __exit__(self, *_):
        if self.status.code != 0:
            raise _CLASSES[self.status.code](None, None, self.status.message)
        return False
