# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What a function does with values that are several tensors: asked where it failed with them, as TensorFlow does."""

import functools
import inspect

_KINDS = []
_HANDLERS = {}


def kind(cls):
    """From now on values of this class are looked for."""
    _KINDS.append(cls)
    return cls


def register(name, handler):
    """handler(**arguments) takes over calls of the function of that name, or gives NotImplemented."""
    _HANDLERS.setdefault(name, []).append(handler)


def _has_kind(value):
    if isinstance(value, (list, tuple)):
        return any(_has_kind(item) for item in value)
    return isinstance(value, tuple(_KINDS))


def instead(name, arguments):
    """What a handler gives for a call that failed; NotImplemented where there is none."""
    if name not in _HANDLERS or not any(_has_kind(value) for value in arguments.values()):
        return NotImplemented
    for handler in _HANDLERS[name]:
        result = handler(**arguments)
        if result is not NotImplemented:
            return result
    return NotImplemented


def composite(function, name=None):
    """The function, handed over where it fails with such values."""
    name = name or function.__name__
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*positional, **keywords):
        try:
            return function(*positional, **keywords)
        except (TypeError, ValueError):
            if name in _HANDLERS and (_has_kind(positional) or _has_kind(list(keywords.values()))):
                result = instead(name, signature.bind(*positional, **keywords).arguments)
                if result is not NotImplemented:
                    return result
            raise
    return call
