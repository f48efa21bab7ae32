# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Branches and loops of a graph in the making, as scripts and collections see the builder's."""

from .. import errors
from ..framework import graph as graph_lib, proto
from ..framework._engine import GLib
from ..framework.graph import get_default_graph


def _read(graph, tensor, reader):
    """The output that an op of that name in the current scope reads. TF: in a function's body a tensor of the graph around
    is an argument, which stands in the scope of what reads it first."""
    if tensor.graph is graph or not hasattr(graph, "capture"):
        return tensor._output
    with graph.name_scope(graph.unique_name(reader, mark_as_used=False) + "/"):
        return graph.capture(tensor)._output


def _read_each(graph, tensors, reader):
    return [_read(graph, tensor, "%s_%d" % (reader, i) if i else reader) for i, tensor in enumerate(tensors)]


class ControlFlowContext:
    """What ops made inside go through; the builder keeps it, under a number."""

    def __init__(self, graph, index):
        self._graph, self._index = graph, index
        graph._contexts[index] = self

    graph = property(lambda self: self._graph)
    name = property(lambda self: self._graph._builder.get_context_name(self._index))
    outer_context = property(lambda self: context_of(self._graph, self._graph._builder.get_outer_context(self._index)))

    def Enter(self):
        self._graph._inside += 1
        self._graph._builder.enter_context(self._index)

    def Exit(self):
        self._graph._inside -= 1
        self._graph._builder.exit_context(self._index)

    def ExitResult(self, tensors):
        for tensor in tensors:
            self._graph._builder.leave_context_value(self._index, tensor._output)

    def AddValue(self, value):
        first = self._graph._builder.get_n_nodes()
        _, inside = errors.build(self._graph._builder.add_context_value, self._index, value._output)
        self._graph._note_made(first)
        return self._graph._tensor(inside)

    def GetWhileContext(self):
        context = self
        while context is not None and not context.IsWhileContext():
            context = context.outer_context
        return context

    def IsWhileContext(self):
        return isinstance(self, WhileContext)

    def IsCondContext(self):
        return isinstance(self, CondContext)

    def _to_message(self, message, export_scope):
        if export_scope is not None and not self.name.startswith(export_scope):
            return None
        data = errors.build(self._graph._builder.context_to_bytes, self._index, export_scope)
        return message.FromString(data.get_data())

    def __str__(self):
        return self.name


def _imported(definition, is_loop, import_scope):
    graph = get_default_graph()
    try:
        index = graph._builder.import_context(GLib.Bytes.new(definition.SerializeToString()), is_loop, import_scope)
    except GLib.Error as error:
        raise KeyError(error.message) from None
    return context_of(graph, index)


def _check_whole(loop):
    """A loop that was refused half-way stays in its collection but has no definition; TensorFlow finds no name then."""
    if not (loop.pivot_name and loop.pivot_for_pred_name and loop.pivot_for_body_name):
        raise AttributeError("'NoneType' object has no attribute 'name'")
    for nested in loop.nested_contexts:
        if nested.HasField("while_ctxt"):
            _check_whole(nested.while_ctxt)


class CondContext(ControlFlowContext):
    """One side of a cond."""

    def __init__(self, pred=None, pivot=None, branch=None, name="cond_text", graph=None, index=None):
        if index is None:
            graph = get_default_graph()
            index = graph._builder.add_branch(pred._output, pivot._output, branch, name)
        super().__init__(graph, index)

    def _parts(self):
        return self._graph._builder.get_branch(self._index)

    pred = property(lambda self: self._graph._tensor(self._parts()[0]))
    pivot = property(lambda self: self._graph._tensor(self._parts()[2]))
    branch = property(lambda self: self._parts()[1])

    def branch_output(self, value):
        """What the branch gives for a tensor, also one from outside."""
        first = self._graph._builder.get_n_nodes()
        _, inside = errors.build(self._graph._builder.add_branch_output, self._index,
                                 _read(self._graph, value, "Switch"))
        self._graph._note_made(first)
        return self._graph._tensor(inside)

    def to_proto(self, export_scope=None):
        return self._to_message(proto.CondContextDef, export_scope)

    @staticmethod
    def from_proto(context_def, import_scope=None):
        return _imported(context_def, False, import_scope)


class WhileContext(ControlFlowContext):
    """A loop."""

    def __init__(self, maximum_iterations=None, parallel_iterations=10, back_prop=True, swap_memory=False,
                 name="while_context", graph=None, index=None):
        if index is None:
            if not isinstance(parallel_iterations, int) or parallel_iterations <= 0:
                raise ValueError("`parallel_iterations` must be a positive integer: %s" % parallel_iterations)
            graph = get_default_graph()
            index = graph._builder.add_loop(
                graph_lib.OUTPUT_NONE if getattr(maximum_iterations, "graph", None) is not graph else maximum_iterations._output,
                parallel_iterations, bool(back_prop), bool(swap_memory), name)
        super().__init__(graph, index)

    def _named(self, field):
        name = getattr(self._to_message(proto.WhileContextDef, None), field)
        return self._graph.as_graph_element(name) if name else None

    pivot = property(lambda self: self._named("pivot_name"))
    maximum_iterations = property(lambda self: self._named("maximum_iterations_name"))
    parallel_iterations = property(lambda self: self.to_proto().parallel_iterations)
    back_prop = property(lambda self: self.to_proto().back_prop)
    swap_memory = property(lambda self: self.to_proto().swap_memory)
    loop_exits = property(lambda self: [self._graph.as_graph_element(n) for n in self.to_proto().loop_exit_names])
    loop_enters = property(lambda self: [self._graph.as_graph_element(n) for n in self.to_proto().loop_enter_names])

    def _step(self, function, *arguments):
        first = self._graph._builder.get_n_nodes()
        found = errors.build(function, self._index, *arguments)
        self._graph._note_made(first)
        return [self._graph._tensor(output) for output in found]

    def begin(self, variables, shapes):
        """The loop's variables as its condition reads them."""
        for value in shapes:
            self._graph._builder.add_loop_invariant(self._index, value)
        return self._step(self._graph._builder.begin_loop, _read_each(self._graph, variables, "Enter"))

    def condition(self, pred):
        """The loop's variables as its body reads them."""
        return self._step(self._graph._builder.add_loop_condition, _read(self._graph, pred, "LoopCond"))

    def end(self, variables):
        """What the loop leaves, from what its variables are next."""
        return self._step(self._graph._builder.end_loop, _read_each(self._graph, variables, "NextIteration"))

    def to_proto(self, export_scope=None):
        definition = self._to_message(proto.WhileContextDef, export_scope)
        if definition is not None:
            _check_whole(definition)
        return definition

    @staticmethod
    def from_proto(context_def, import_scope=None):
        return _imported(context_def, True, import_scope)


def context_of(graph, index):
    """The context of that number, None for 0."""
    if index == 0:
        return None
    found = graph._contexts.get(index)
    if found is None:
        kind = WhileContext if graph._builder.is_loop(index) else CondContext
        found = kind(graph=graph, index=index)
    return found
