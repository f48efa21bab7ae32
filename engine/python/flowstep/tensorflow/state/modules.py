# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.Module: an object that knows the variables of all it has."""

import functools
import re

from .. import nest
from ..framework import graph as graph_lib
from ..saving.trackable import AutoTrackable
from .variables import Variable

_IDENTIFIER = re.compile(r"^[a-zA-Z_]([a-zA-Z0-9_])*$")
_HUMP = re.compile(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")


class Module(AutoTrackable):
    # What of an object is told twice, or to checkpoints alone.
    _TF_MODULE_IGNORED_PROPERTIES = frozenset(["_children"])

    def __init__(self, name=None):
        if name is None:
            name = _HUMP.sub(r"_\1", type(self).__name__).lower()
        elif not _IDENTIFIER.match(name):
            raise ValueError("%r is not a valid module name. Module names must be valid Python identifiers (e.g. a valid class "
                             "name)." % name)
        self._name = name
        with graph_lib.name_scope(name) as scope_name:
            self._scope_name = scope_name

    name = property(lambda self: self._name)
    name_scope = property(lambda self: graph_lib.name_scope(self._scope_name))
    variables = property(lambda self: tuple(self._flatten(predicate=_is_variable)))
    trainable_variables = property(lambda self: tuple(self._flatten(predicate=lambda v: _is_variable(v) and v.trainable)))
    submodules = property(lambda self: tuple(self._flatten(predicate=_is_module)))

    def _flatten(self, recursive=True, predicate=None, attribute_traversal_key=None, with_path=False):
        return _leaves(self, recursive, predicate or (lambda _: True), attribute_traversal_key, with_path, (), {id(self)})

    @classmethod
    def with_name_scope(cls, method):
        @functools.wraps(method)
        def method_with_name_scope(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)
        return method_with_name_scope


def _is_variable(value):
    return isinstance(value, Variable)


def _is_module(value):
    return isinstance(value, Module)


def _paths(value, path):
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _paths(value[key], path + (key,))
    elif nest.is_sequence(value):
        for i, item in enumerate(value):
            yield from _paths(item, path + (i,))
    else:
        yield path, value


def _leaves(module, recursive, predicate, order, with_path, path, seen):
    below = []
    for key in sorted(vars(module), key=order):
        if key in module._TF_MODULE_IGNORED_PROPERTIES:
            continue
        for leaf_path, leaf in _paths(vars(module)[key], path + (key,)):
            if not with_path:
                if id(leaf) in seen:
                    continue
                seen.add(id(leaf))
            if predicate(leaf):
                yield (leaf_path, leaf) if with_path else leaf
            if recursive and _is_module(leaf):
                below.append((leaf_path, leaf))
    for leaf_path, submodule in below:
        yield from _leaves(submodule, True, predicate, order, with_path, leaf_path, seen)
