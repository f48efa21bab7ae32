# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Which layers, in which calls, made the tensors of a network."""

import collections
import contextlib

from .. import nest
from ..framework import graph as graph_lib
from ..framework.graph import Tensor
from . import backend

KerasHistory = collections.namedtuple("KerasHistory", ["layer", "node_index", "tensor_index"])


class Node:
    """One call of a layer: from which tensors of which layers it made which."""

    def __init__(self, layer, input_tensors, output_tensors, arguments=None):
        self.outbound_layer, self.arguments = layer, arguments or {}
        self.input_tensors, self.output_tensors = input_tensors, output_tensors
        self.input_shapes = nest.map_structure(backend.int_shape, input_tensors)
        self.output_shapes = nest.map_structure(backend.int_shape, output_tensors)
        self.parents = [t._keras_history for t in nest.flatten(input_tensors)] if not isinstance(layer, Source) else []
        for parent in self.parents:
            parent.layer._outbound_nodes.append(self)
        layer._inbound_nodes.append(self)

    inbound_layers = property(lambda self: [p.layer for p in self.parents])

    def arguments_from_layers(self):
        return [t for t in nest.flatten(self.arguments) if hasattr(t, "_keras_history")]

    def dependencies(self):
        """The nodes that made what this one takes."""
        made = self.parents + [t._keras_history for t in self.arguments_from_layers()]
        return [h.layer._inbound_nodes[h.node_index] for h in made]


class Source:
    """A layer, or network, whose node begins at its own inputs."""


# -- what is being called

_Call = collections.namedtuple("_Call", ["layer", "inputs", "training"])
_calls = []


def current_call():
    return _calls[-1] if _calls else None


@contextlib.contextmanager
def calling(layer, inputs, training):
    _calls.append(_Call(layer, inputs, training))
    try:
        yield
    finally:
        _calls.pop()


# -- tensors that ops, and no layers, made of a layer's

def _comes_from_layers(tensors):
    waiting, seen = list(nest.flatten(tensors)), set()
    while waiting:
        t = waiting.pop()
        if not isinstance(t, Tensor) or t in seen:
            continue
        seen.add(t)
        if hasattr(t, "_keras_history"):
            return True
        waiting.extend(t.op.inputs)
    return False


def needs_history(tensors):
    if _calls:
        return False
    flat = nest.flatten(tensors)
    return not all(hasattr(t, "_keras_history") for t in flat) and _comes_from_layers(flat)


def make_history(tensors):
    """Gives each op between layers a layer of its own."""
    from .input_layers import TensorFlowOpLayer
    for t in nest.flatten(tensors):
        if hasattr(t, "_keras_history"):
            continue
        op = t.op
        made_by_layers = [x for x in op.inputs if _comes_from_layers([x])]
        with graph_lib.init_scope():
            constants = {i: backend.function([], x)([]) for i, x in enumerate(op.inputs)
                         if not _comes_from_layers([x])}
        make_history(made_by_layers)
        TensorFlowOpLayer(op, constants)._add_node(made_by_layers, list(op.outputs), {})


def sources(tensor):
    """The tensors of Input layers that a tensor was made of."""
    history = tensor._keras_history
    node = history.layer._inbound_nodes[history.node_index]
    if not node.parents:
        return nest.flatten(node.output_tensors)
    found = {}
    for given in nest.flatten(node.input_tensors):
        found.update((id(source), source) for source in sources(given))
    return list(found.values())
