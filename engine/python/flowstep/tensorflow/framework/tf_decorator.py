# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.util.tf_decorator: functions around functions that say what they are around."""

import functools
import inspect


class TFDecorator:
    """What a wrapper knows of its target; called, it is the target."""

    def __init__(self, decorator_name, target, decorator_doc="", decorator_argspec=None):
        self._target, self._name, self._doc, self._argspec = target, decorator_name, decorator_doc, decorator_argspec
        functools.update_wrapper(self, target)
        self.__wrapped__ = target
        self.__name__ = getattr(target, "__name__", decorator_name)
        self.__doc__ = decorator_doc or target.__doc__ or ""

    decorated_target = property(lambda self: self._target,
                                lambda self, target: setattr(self, "_target", target))
    decorator_name = property(lambda self: self._name)
    decorator_doc = property(lambda self: self._doc)
    decorator_argspec = property(lambda self: self._argspec)

    def __get__(self, instance, owner):
        return self._target.__get__(instance, owner)

    def __call__(self, *args, **kwargs):
        return self._target(*args, **kwargs)


def make_decorator(target, decorator_func, decorator_name=None, decorator_doc="", decorator_argspec=None):
    """Marks a wrapper as one of a target: it is named by who calls this unless a name is given."""
    name = decorator_name if decorator_name is not None else inspect.currentframe().f_back.f_code.co_name
    decorator = TFDecorator(name, target, decorator_doc, decorator_argspec)
    decorator_func._tf_decorator = decorator
    for attribute in ("__name__", "__module__", "__qualname__"):
        if hasattr(target, attribute):
            setattr(decorator_func, attribute, getattr(target, attribute))
    decorator_func.__doc__ = decorator.__doc__
    decorator_func.__wrapped__ = target
    return decorator_func


def unwrap(maybe_tf_decorator):
    """The decorators, outermost first, and what is inside them all."""
    decorators, inside = [], maybe_tf_decorator
    while True:
        decorator = inside if isinstance(inside, TFDecorator) else getattr(inside, "_tf_decorator", None)
        if not isinstance(decorator, TFDecorator):
            return decorators, inside
        decorators.append(decorator)
        inside = decorator.decorated_target


def rewrap(decorator_func, previous_target, new_target):
    """Another target within the same decorators."""
    outer = decorator_func
    while True:
        decorator = outer if isinstance(outer, TFDecorator) else getattr(outer, "_tf_decorator", None)
        if not isinstance(decorator, TFDecorator):
            return
        if decorator.decorated_target is previous_target:
            decorator.decorated_target = new_target
            outer.__wrapped__ = new_target
            return
        outer = decorator.decorated_target
