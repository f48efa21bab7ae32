# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.make_template: a function whose variables are those of its first call."""

import functools

from ..framework import graph as graph_lib
from ..framework.graph import GraphKeys
from . import scope as scope_lib


class Template:
    """Opens the variable scope of its first call again at each call."""

    def __init__(self, name, func, create_scope_now=False, unique_name=None, custom_getter=None):
        if name is None:
            raise ValueError("name cannot be None.")
        self._name, self._func, self._unique_name, self._custom_getter = name, func, unique_name, custom_getter
        self._made_at = graph_lib.script_stack()
        self._scope, self._variables_created, self._first_call = None, False, True
        if create_scope_now:
            own = unique_name or scope_lib.unique_scope_name(name)
            with scope_lib._PureScope(own, None, None, None, None, None, custom_getter, None, None, None, None) as opened:
                self._scope = opened

    name = property(lambda self: self._name)
    func = property(lambda self: self._func)
    variable_scope = var_scope = property(lambda self: self._scope)

    @property
    def variable_scope_name(self):
        if self._scope is None:
            return None
        name = self._scope.name
        return name if not name or name.endswith("/") else name + "/"

    def _made(self, key):
        return graph_lib.get_collection(key, self.variable_scope_name) if self._variables_created else []

    global_variables = property(lambda self: self._made(GraphKeys.GLOBAL_VARIABLES))
    local_variables = property(lambda self: self._made(GraphKeys.LOCAL_VARIABLES))
    trainable_variables = trainable_weights = property(lambda self: self._made(GraphKeys.TRAINABLE_VARIABLES))
    variables = weights = property(lambda self: self.global_variables + self.local_variables)

    @property
    def non_trainable_variables(self):
        trained = self.trainable_variables
        return [v for v in self.global_variables if all(v is not t for t in trained)]

    def _call(self, arguments, keywords):
        if not self._variables_created:
            self._first_call = False
            try:
                result = self._func(*arguments, **keywords)
            except BaseException:
                self._first_call = True
                raise
            self._variables_created = True
            return result
        trained = graph_lib.get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
        before = len(trained)
        result = self._func(*arguments, **keywords)
        if len(trained) != before:
            raise ValueError("Trainable variable created when calling a template after the first time, perhaps you used "
                             "tf.Variable when you meant tf.get_variable: %s" % (trained[before:],))
        return result

    def _explained(self, error):
        """TF: the exception says where the template was defined."""
        where = "".join('  File "%s", line %d, in %s\n' % frame for frame in reversed(self._made_at))
        first = error.args[0] if error.args else ""
        error.args = ("%s\n\noriginally defined at:\n%s" % (first, where),) + error.args[1:]

    def __call__(self, *arguments, **keywords):
        if self._scope is not None:
            opened = scope_lib.variable_scope(self._scope, reuse=not self._first_call)
        else:
            opened = scope_lib.variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter)
        with opened as scope:
            self._scope = self._scope or scope
            try:
                return self._call(arguments, keywords)
            except Exception as error:
                self._explained(error)
                raise


def make_template(name_, func_, create_scope_now_=False, unique_name_=None, custom_getter_=None, **kwargs):
    if kwargs:
        func_ = functools.partial(func_, **kwargs)
    return Template(name_, func_, create_scope_now_, unique_name_, custom_getter_)
