# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The table that model.summary() prints."""

import numpy as np

from .layer_trees import unique


def _is_sequence(model):
    """True where each layer has one input and none is used twice."""
    if type(model).__name__ == "Sequential" or not model._is_graph_network:
        return True
    nodes = []
    for group in model._plan.by_depth.values():
        if len(group) > 1 or len(group[0].inbound_layers) > 1:
            return False
        nodes.extend(group)
    return all(sum(node in nodes for node in layer._inbound_nodes) <= 1 for layer in model.layers)


def _count(weights):
    return int(sum(np.prod(w.shape.as_list()) for w in unique(weights)))


class _Table:
    def __init__(self, columns, print_fn):
        self._columns, self._print = columns, print_fn

    def row(self, fields):
        line = ""
        for i, (field, end) in enumerate(zip(fields, self._columns)):
            line = (line[:-1] + " " if i else line) + str(field)
            line = line[:end]
            line += " " * (end - len(line))
        self._print(line)


def _shape_of(layer):
    try:
        return layer.output_shape
    except AttributeError:
        return "multiple"
    except RuntimeError:
        return "?"


def _connections(model, layer):
    nodes = [node for group in model._plan.by_depth.values() for node in group]
    return ["%s[%d][%d]" % (h.layer.name, h.node_index, h.tensor_index)
            for node in layer._inbound_nodes if node in nodes for h in node.parents]


def print_summary(model, line_length, positions, print_fn):
    plain = _is_sequence(model)
    line_length = line_length or (65 if plain else 98)
    positions = positions or ([.45, .85, 1.] if plain else [.33, .55, .67, 1.])
    if positions[-1] <= 1:
        positions = [int(line_length * p) for p in positions]
    table = _Table(positions, print_fn)
    print_fn('Model: "{}"'.format(model.name))
    print_fn("_" * line_length)
    table.row(["Layer (type)", "Output Shape", "Param #"] + ([] if plain else ["Connected to"]))
    print_fn("=" * line_length)
    layers = model.layers
    for i, layer in enumerate(layers):
        fields = ["%s (%s)" % (layer.name, type(layer).__name__), _shape_of(layer), layer.count_params()]
        if plain:
            table.row(fields)
        else:
            found = _connections(model, layer)
            table.row(fields + found[:1] + [""] * (not found))
            for name in found[1:]:
                table.row(["", "", "", name])
        print_fn(("=" if i == len(layers) - 1 else "_") * line_length)
    trainable = getattr(model, "_collected_trainable_weights", None)
    trainable = _count(model.trainable_weights if trainable is None else trainable)
    fixed = _count(model.non_trainable_weights)
    print_fn("Total params: {:,}".format(trainable + fixed))
    print_fn("Trainable params: {:,}".format(trainable))
    print_fn("Non-trainable params: {:,}".format(fixed))
    print_fn("_" * line_length)
