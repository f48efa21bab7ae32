# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Layers within layers, and what tensors lead to."""

import collections

from .. import nest
from ..framework.graph import Operation, Tensor
from ..learning import layers_base


def is_layer(value):
    return isinstance(value, layers_base.Layer) or hasattr(value, "trainable_weights") and not isinstance(value, type)


def flat_layers(items):
    """The layers in lists, dictionaries and lists of them."""
    for item in items:
        if is_layer(item):
            yield item
        elif isinstance(item, dict):
            yield from flat_layers(item.values())
        elif isinstance(item, (list, tuple)):
            yield from flat_layers(item)


def holds_layers(value):
    return is_layer(value) or isinstance(value, (list, tuple, dict)) and (
        not value or next(flat_layers([value]), None) is not None)


def has(items, wanted):
    return any(item is wanted for item in items)


def unique(items):
    result = []
    for item in items:
        if not has(result, item):
            result.append(item)
    return result


def _control_outputs(graph):
    """Of each op those that wait for it: in one pass, where asking op by op takes one for each."""
    waiting_for = collections.defaultdict(list)
    for op in graph.get_operations():
        for before in op.control_inputs:
            waiting_for[before].append(op)
    return waiting_for


def reachable_from(inputs, targets):
    """Those of the targets that the inputs lead to or that are among them."""
    given = nest.flatten(inputs)
    waiting = [x for x in given if isinstance(x, Tensor)]
    seen, waiting_for = set(), _control_outputs(waiting[0].graph) if waiting else {}
    while waiting:
        for op in waiting.pop().consumers():
            found = [op]
            while found:
                op = found.pop()
                if op not in seen:
                    seen.add(op)
                    waiting.extend(op.outputs)
                    found.extend(waiting_for.get(op, ()))
    return [t for t in targets if (t if isinstance(t, Operation) else t.op) in seen or any(t is x for x in given)]
