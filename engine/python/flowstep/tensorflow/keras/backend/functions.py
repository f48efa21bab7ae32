# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Gradients, loops, and functions that run in the models' session."""

from ...control import control_flow, loops
from ...framework import graph as graph_lib
from ...framework.graph import Tensor
from ...operators import array_ops, state_ops
from ...state import variables
from .sessions import get_session


def gradients(loss, variables):
    from ...differentiation.gradients import gradients as of
    return of(loss, variables, colocate_gradients_with_ops=True)


def stop_gradient(variables):
    if isinstance(variables, (list, tuple)):
        return [array_ops.stop_gradient(v) for v in variables]
    return array_ops.stop_gradient(variables)


def map_fn(fn, elems, name=None, dtype=None):
    return loops.map_fn(fn, elems, name=name, dtype=dtype)


def foldl(fn, elems, initializer=None, name=None):
    return loops.foldl(fn, elems, initializer=initializer, name=name)


def foldr(fn, elems, initializer=None, name=None):
    return loops.foldr(fn, elems, initializer=initializer, name=name)


class Function:
    """Runs outputs and updates for values of inputs."""

    def __init__(self, inputs, outputs, updates=None, name=None, **session_keywords):
        from ... import nest
        self.inputs, self._structure = list(inputs or []), outputs
        self.outputs = nest.flatten(outputs) if not isinstance(outputs, (Tensor, variables.Variable)) else [outputs]
        with graph_lib.control_dependencies([self.outputs[0]] if self.outputs else []):
            made = []
            for update in updates or []:
                made.append(state_ops.assign(*update) if isinstance(update, tuple) else update)
            self.updates_op = control_flow.group(*made)
        self.feed_dict = session_keywords.pop("feed_dict", None) or {}
        self.fetches = session_keywords.pop("fetches", [])

    def __call__(self, inputs):
        from ... import nest
        session = get_session(inputs)
        feeds = dict(self.feed_dict)
        for given, value in zip(self.inputs, inputs or []):
            if value is not None:
                feeds[given] = value
        found = session.run(self.outputs + [self.updates_op] + list(self.fetches), feed_dict=feeds)[:len(self.outputs)]
        if isinstance(self._structure, (list, tuple, dict)):
            return nest.pack_sequence_as(self._structure, found)
        return found[0]


def function(inputs, outputs, updates=None, name=None, **keywords):
    return Function(inputs, outputs, updates=updates, name=name, **keywords)


def rnn(*arguments, **keywords):
    from .. import recurrence
    return recurrence.rnn(*arguments, **keywords)
