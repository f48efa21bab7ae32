# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""FuncGraph: the body of a function in the making."""

import contextlib

from .. import errors
from ..framework import ops
from ..framework.graph import Graph, GraphKeys, Operation, Tensor, get_default_graph

_SHARED = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES, ("__variable_store",),
           ("__varscope",))


class FuncGraph(Graph):
    """What it reads of the graphs around it becomes an argument."""

    building_function = True

    def __init__(self, name, collections=None):
        super().__init__()
        self.name, self.inputs, self.outputs, self.control_outputs = name, [], [], []
        self.structured_outputs = None
        self.control_captures = []
        self.outer_graph = get_default_graph()
        self.seed, self._creators = self.outer_graph.seed, self.outer_graph._creators
        self._captures = {}
        # Whether what changes something is put in order: so in functions of data sets, and in bodies within these.
        self.orders_effects = False
        if collections is not None:
            self._collections = collections
            return
        for key, items in self.outer_graph._collections.items():
            self._collections[key] = items if key in _SHARED else list(items)
        for key in _SHARED[:3]:
            self._collections[key] = self.outer_graph._collections.setdefault(key, [])

    captures = property(lambda self: list(self._captures.values()))
    external_captures = captured_inputs = property(lambda self: [outer for outer, _ in self._captures.values()])
    internal_captures = property(lambda self: [inner for _, inner in self._captures.values()])

    def capture(self, tensor, name=None):
        """The tensor itself, or what stands for it in here."""
        if tensor.graph is self:
            return tensor
        graph = tensor.graph
        while isinstance(graph, FuncGraph):
            if graph is self:
                raise errors.InaccessibleTensorError(
                    "The tensor '%s' cannot be accessed here: it is defined in another function or code block. Use return "
                    "values, explicit Python locals or TensorFlow collections to access it. Defined in: %s; accessed from: "
                    "%s.\n" % (tensor, tensor.graph, self))
            graph = graph.outer_graph
        return self._capture_helper(tensor, name or tensor.op.name)

    def stand_in(self, tensor):
        found = self._captures.get(tensor)
        return super().stand_in(tensor) if found is None else found[1]

    def _capture_helper(self, tensor, name):
        found = self._captures.get(tensor)
        if found is None:
            with self.as_default(), self.control_dependencies(None):
                inner = substitute(tensor, name)
            found = self._captures[tensor] = (tensor, inner)
            self.inputs.append(inner)
        return found[1]

    def reset_captures(self, pairs):
        self._captures = {outer: (outer, inner) for outer, inner in pairs}

    def _add(self, op_type, inputs, attr_list, name):
        return super()._add(op_type, [self.capture(t) for t in inputs], attr_list, name)

    @contextlib.contextmanager
    def control_dependencies(self, control_inputs):
        if control_inputs is not None:
            inside = []
            for item in control_inputs:
                item = item.op if not isinstance(item, (Tensor, Operation)) and hasattr(item, "op") else item
                if getattr(item, "graph", self) is self:
                    inside.append(item)
                elif item not in self.control_captures:
                    self.control_captures.append(item)
            control_inputs = inside
        with super().control_dependencies(control_inputs):
            yield

    def __str__(self):
        return "FuncGraph(name=%s, id=%s)" % (self.name, id(self))


def substitute(tensor, name):
    """A placeholder for a tensor of another graph."""
    inner = ops.apply_op("Placeholder", dtype=tensor.dtype.base_dtype, shape=tensor.shape, name=name)
    copy_handle_data(tensor, inner)
    return inner


def copy_handle_data(source, target):
    """Lets target stand for the variable or the list that source stands for."""
    if source.dtype.base_dtype.name in ("resource", "variant"):
        target.graph._builder.copy_handle(target._output, source.graph._builder, source._output)


