# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Gradients as a tape makes them: op by op back from the targets, without scopes of their own."""

from ..framework._engine import GLib
from ..framework.graph import OUTPUT_NONE, get_default_graph
from .gradient_rules import offer, raise_own, tensor_of


class Tape:
    """What is made while it is open, of what it watches."""

    def __init__(self, *watched):
        self._watched = watched

    def __enter__(self):
        self._first = get_default_graph()._builder.get_n_nodes()
        return self

    def __exit__(self, *_):
        pass

    def gradient(self, targets, output_gradients):
        """The gradients of what was watched."""
        graph = get_default_graph()
        offer(graph)
        try:
            found = graph._builder.add_tape_gradients(self._first, [t._output for t in targets],
                                                      [g._output for g in output_gradients], [t._output for t in self._watched])
        except GLib.Error as error:
            raise_own(graph)
            raise LookupError(error.message) from None
        return [None if output == OUTPUT_NONE else tensor_of(graph, output) for output in found]
