# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Gradients as a tape makes them: op by op back from the targets, without scopes, in the order that TensorFlow's tape goes."""

from . import array_ops, gradients
from ._engine import GLib
from .gradient_rules import offer, raise_own, tensor_of
from .graph import OUTPUT_NONE, get_default_graph
from .ops import apply_op


class Tape:
    """What is made while it is open, of what it watches."""

    def __init__(self, *watched):
        self._made_by, self._ops = {t: None for t in watched}, {}

    def __enter__(self):
        self._first = get_default_graph()._builder.get_n_nodes()
        return self

    def __exit__(self, *_):
        for op in get_default_graph().get_operations()[self._first:]:
            if any(t in self._made_by and gradients.is_trainable(t) for t in op.inputs):
                self._ops[op._index] = op
                self._made_by.update((t, op) for t in op.outputs)

    def _between(self, targets):
        """(op by number, how often each tensor is read, how many tensors each op waits for)."""
        ops, uses, missing, stack = {}, {}, {}, list(targets)
        while stack:
            op = self._made_by.get(stack.pop())
            if op is None or op._index in ops:
                continue
            ops[op._index] = op
            for tensor in op.inputs:
                uses[tensor] = uses.get(tensor, 0) + 1
                if uses[tensor] == 1 and tensor in self._made_by:
                    stack.append(tensor)
        for tensor in uses:
            if self._made_by.get(tensor) is not None:
                index = self._made_by[tensor]._index
                missing[index] = missing.get(index, 0) + 1
        return ops, uses, missing

    def gradient(self, targets, sources, output_gradients, order=None):
        """The targets' ops are begun with in that order, which in TensorFlow is one of a hash table."""
        ops, uses, missing = self._between(targets)
        begin = targets if order is None else [targets[i] for i in order]
        first = list(dict.fromkeys(self._made_by[t]._index for t in begin if self._made_by.get(t) is not None))
        ready = [index for index in reversed(first) if index not in missing]
        grads = {}
        for target, grad in zip(targets, output_gradients):
            grads.setdefault(target, []).append(grad)
        while ready:
            op = ops.pop(ready.pop(), None)
            if op is None:
                continue
            unneeded = {i for i, t in enumerate(op.inputs) if t not in self._made_by}
            for tensor, grad in zip(op.inputs, self._back(op, unneeded, self._gathered(op, sources, grads))):
                if grad is not None:
                    grads.setdefault(tensor, []).append(grad)
                if tensor not in uses:
                    continue
                uses[tensor] -= 1
                before = self._made_by.get(tensor)
                if uses[tensor] > 0 or before is None or before._index not in missing:
                    continue
                missing[before._index] -= 1
                if missing[before._index] == 0:
                    ready.insert(0, before._index)
        return [_sum(grads[s]) if s in grads else None for s in sources]

    def _gathered(self, op, sources, grads):
        found = []
        for tensor in op.outputs:
            given = grads.get(tensor)
            if given is None:
                found.append(None)
                continue
            found.append(_sum(given))
            if tensor in sources:
                grads[tensor] = [found[-1]]
            else:
                del grads[tensor]
        if any(g is not None for g in found):
            found = [array_ops.zeros_like(t) if g is None and gradients.is_trainable(t) else g
                     for t, g in zip(op.outputs, found)]
        return found

    def _back(self, op, unneeded, given):
        if all(g is None for g in given):
            return [None] * len(op.inputs)
        graph = op.graph
        offer(graph)
        try:
            found = graph._builder.add_op_gradient(op._index, [OUTPUT_NONE if g is None else g._output for g in given],
                                                        sum(1 << i for i in unneeded))
        except GLib.Error as error:
            raise_own(graph)
            raise LookupError(error.message) from None
        return [None if found[3 * i] == OUTPUT_NONE else tensor_of(graph, found[3 * i]) for i in range(len(op.inputs))]


def _sum(grads):
    return grads[0] if len(grads) == 1 else apply_op("AddN", inputs=grads)
