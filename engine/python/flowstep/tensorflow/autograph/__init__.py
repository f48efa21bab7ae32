# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.autograph: Python's control flow on tensors becomes that of the graph."""

import functools
import inspect

from . import calls, experimental, runtime  # noqa: F401
from .rewriting import NotConvertible


class ConversionError(Exception):
    """A function that cannot be converted."""


def to_graph(entity, recursive=True, arg_values=None, arg_types=None, experimental_optional_features=None):
    """The function, converted; of a method the function that takes self first."""
    function = entity.__func__ if inspect.ismethod(entity) else entity
    if not inspect.isfunction(function):
        raise NotImplementedError('cannot convert entity "{}": object conversion is not yet supported.'.format(entity))
    try:
        converted = calls.to_graph(function)
    except (NotConvertible, SyntaxError, KeyError) as error:
        raise ConversionError("converting {}: {}: {}".format(entity, type(error).__name__, error)) from None

    @functools.wraps(function)
    def call(*arguments, **keywords):
        with calls.requested():
            return converted(*arguments, **keywords)

    return call


def set_verbosity(level, alsologtostdout=False):
    """Conversion says nothing of itself."""


def trace(*arguments):
    """Shows what comes by, while a graph is made."""
    print(*arguments)
