# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""cond and switch_case as one op each whose branches are functions, and their gradients."""

from .. import dtypes, nest
from ..differentiation import gradient_rules, gradients
from ..framework import attrs as attrs_lib, ops, tensor_shape
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import IndexedSlices, apply_op
from ..operators import array_ops, math_ops
from . import bodies

_COND, _CASE = "cond", "case"


def cond(pred, true_fn, false_fn, name="cond"):
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool", pred)
    with name_scope(name or "cond") as scope:
        names = [bodies.unique_name(scope, "true"), bodies.unique_name(scope, "false")]
        pred = ops.convert_to_tensor(pred)
        if pred.shape.ndims is None or pred.shape.ndims > 0:
            pred = array_ops.squeeze(pred)
        graphs = [bodies.trace_body(bodies.BodyGraph(n), f, stand_in=pred) for n, f in zip(names, (true_fn, false_fn))]
        _check_captures(_COND, graphs)
        return _build(_COND, pred, graphs, [g.external_captures for g in graphs], scope)


def switch_case(branch_index, branch_fns, name="indexed_case"):
    """What the function of that number gives."""
    if isinstance(branch_index, int):
        raise TypeError("branch_index must not be a Python int", branch_index)
    with name_scope(name) as scope:
        names = [bodies.unique_name(scope, "branch%d" % b) for b in range(len(branch_fns))]
        branch_index = ops.convert_to_tensor(branch_index, name="branch_index")
        graphs = [bodies.trace_body(bodies.BodyGraph(n), f, stand_in=branch_index) for n, f in zip(names, branch_fns)]
        _check_captures(_CASE, graphs)
        return _build(_CASE, branch_index, graphs, [g.external_captures for g in graphs], scope)


def _branch_name(kind, i):
    return ("true_fn", "false_fn")[i] if kind == _COND else "branch %d" % i


def _check_captures(kind, graphs):
    for i, graph in enumerate(graphs):
        for tensor in graph.external_captures:
            if tensor.graph in graphs:
                raise ValueError("Tensor %s in %s is accessed from %s." % (
                    tensor.name, _branch_name(kind, graphs.index(tensor.graph)), _branch_name(kind, i)))


# -- making branches alike

def _refuse_outputs(kind, graphs, at, why):
    first, other = ("true_fn", "false_fn") if kind == _COND else ("branches[0]", "branches[%d]" % at)
    raise TypeError("%s and %s arguments to %s must have the same number, type, and overall structure of return values.\n\n"
                    "%s output: %s\n%s output: %s\n\nError details:\n%s" % (
                        first, other, "tf.cond" if kind == _COND else "tf.switch_case", first, graphs[0].structured_outputs,
                        other, graphs[at].structured_outputs, why))


def _check_outputs(kind, graphs):
    counts = [len(nest.flatten(graph.structured_outputs)) for graph in graphs]
    if len(set(counts)) != 1:
        raise AssertionError(counts)
    for at, graph in enumerate(graphs[1:], 1):
        try:
            nest.assert_same_structure(graphs[0].structured_outputs, graph.structured_outputs, expand_composites=True)
        except (ValueError, TypeError) as error:
            _refuse_outputs(kind, graphs, at, str(error))
        if len(graphs[0].outputs) != len(graph.outputs):
            raise ValueError("Lengths of branch outputs of %s must match.\nlen(graphs[0].outputs): %d\n"
                             "len(graphs[%d].outputs): %d\n" % (kind, len(graphs[0].outputs), at, len(graph.outputs)))
        for a, b in zip(graphs[0].outputs, graph.outputs):
            if a.dtype != b.dtype:
                _refuse_outputs(kind, graphs, at, "%s and %s have different types" % (a, b))


def _match_row_indices(kind, graphs):
    """Indices of rows are int64 where branches differ."""
    structures = [nest.flatten(g.structured_outputs) for g in graphs]
    if len({len(s) for s in structures}) != 1:
        return
    at, indices = 0, []
    for leaves in zip(*structures):
        are_rows = [isinstance(leaf, IndexedSlices) for leaf in leaves]
        if len(set(are_rows)) != 1:
            raise TypeError("Cannot reconcile tf.%s %d-th outputs:\n  branches returned: %s" % (
                "cond" if kind == _COND else "switch_case", structures[0].index(leaves[0]), leaves))
        if are_rows[0]:
            indices.append(at + 1)
        at += len(nest.flatten(leaves[0], True)) if nest.is_sequence_or_composite(leaves[0]) else 1
    for i in indices:
        if len({g.outputs[i].dtype for g in graphs}) == 1:
            continue
        for graph in graphs:
            if graph.outputs[i].dtype == dtypes.int32:
                with graph.as_default():
                    graph.outputs[i] = math_ops.cast(graph.outputs[i], dtypes.int64)
    if indices:
        for graph in graphs:
            graph.structured_outputs = nest.pack_sequence_as(graph.structured_outputs, graph.outputs, True)


def _match_inputs(graphs, inputs):
    """Gives all branches the same arguments, and what these are."""
    given = []
    for branch in inputs:
        given.extend(t for t in branch if not any(t is g for g in given))
    for graph, branch in zip(graphs, inputs):
        known = dict(zip(branch, graph.inputs))
        graph.inputs = []
        for tensor in given:
            if tensor not in known:
                with graph.as_default():
                    known[tensor] = array_ops.placeholder(tensor.dtype.base_dtype, shape=tensor.shape)
            graph.inputs.append(known[tensor])
        graph.reset_captures(zip(given, graph.inputs))
    return given


def _match_rows(kind, graphs):
    """Where one branch gives rows of a tensor, all do."""
    outputs = [g.structured_outputs for g in graphs]
    for i, branch in enumerate(zip(*outputs)):
        if len({type(out) for out in branch}) == 1 or not any(isinstance(out, IndexedSlices) for out in branch):
            continue
        for graph, results in zip(graphs, outputs):
            if not isinstance(results[i], IndexedSlices):
                with graph.as_default():
                    results[i] = _as_rows(results[i])
    for graph, results in zip(graphs, outputs):
        graph.structured_outputs, graph.outputs = results, bodies.flatten(results)


def _as_rows(tensor):
    """All rows of a tensor."""
    shape = array_ops.shape_internal(tensor, optimize=True)
    return IndexedSlices(tensor, math_ops.range(0, shape[0]), shape)


# -- the op

def _joint_shape(shapes):
    """What all of them are."""
    if any(s.ndims is None or s.ndims != shapes[0].ndims for s in shapes):
        return tensor_shape.unknown_shape()
    return tensor_shape.TensorShape([dims[0] if len(set(dims)) == 1 else None for dims in zip(*(s.as_list() for s in shapes))])


def _intermediates(graph):
    return [t for op in graph.get_operations() for t in op.outputs
            if t not in graph.inputs and t not in graph.outputs and t.dtype != dtypes.resource and op.type != "MutexLock"]


def _give_all(kind, graphs):
    """More outputs: all values of a branch, as options."""
    options = []
    for graph in graphs:
        inside = _intermediates(graph)
        with graph.as_default():
            options.append([apply_op("OptionalFromValue", components=[t]) for t in inside])
    _extend_outputs(kind, graphs, options)


def _extend_outputs(kind, graphs, options):
    n = max(len(o) for o in options)
    for graph, given in zip(graphs, options):
        with graph.as_default():
            graph.outputs.extend(given + [apply_op("OptionalNone") for _ in range(n - len(given))])
    _check_outputs(kind, graphs)


def _build(kind, selector, graphs, inputs, name=None, of_gradient=False):
    _match_row_indices(kind, graphs)
    _check_outputs(kind, graphs)
    given = _match_inputs(graphs, inputs)
    n_outputs = len(graphs[0].outputs)
    if kind == _COND and not of_gradient and bodies.gives_all():
        _give_all(kind, graphs)
    shapes = [_joint_shape([t.shape for t in outputs]) for outputs in zip(*(g.outputs for g in graphs))]
    types = [t.dtype for t in graphs[0].outputs]
    with control_dependencies(bodies.control_captures(*graphs)):
        if kind == _COND:
            made = ops.make_op("If" if bodies.is_stateful(*graphs) else "StatelessIf", cond=selector, input=given, Tout=types,
                               then_branch=bodies.create_function(graphs[0]), else_branch=bodies.create_function(graphs[1]),
                               output_shapes=shapes, name=name)
        else:
            made = ops.make_op("Case", branch_index=selector, input=given, Tout=types,
                               branches=[bodies.create_function(g) for g in graphs], output_shapes=shapes, name=name)
    if not made.outputs:
        return made
    tensors = bodies.lowered(made.outputs)
    made.graph.prevent_fetching(made)
    return bodies.pack(graphs[0].structured_outputs, tensors[:n_outputs])


# -- gradients

class _GradGraph(bodies.BodyGraph):
    """The gradient of a branch: what it reads of the branch comes out of it as an optional value."""

    def __init__(self, name, forward):
        super().__init__(name)
        self.orders_effects = True
        self.needs_rewrite = False
        self.optionals = {}
        self._forward, self._indirect = forward, {}

    def _capture_helper(self, tensor, name):
        forward = self._forward
        if tensor.graph is not forward or tensor in forward.inputs or tensor in forward.outputs:
            return super()._capture_helper(tensor, name)
        found = self._indirect.get(tensor)
        if found is None:
            if tensor.dtype == dtypes.resource:
                found = super()._capture_helper(forward.inputs[bodies.resource_input(tensor, forward)], name)
            else:
                if tensor not in self.optionals:
                    self.optionals[tensor] = self._wrapped(tensor)
                inside = super()._capture_helper(self.optionals[tensor], name)
                found = apply_op("OptionalGetValue", optional=inside, output_types=[tensor.dtype.base_dtype],
                                 output_shapes=[tensor.shape])[0]
            self._indirect[tensor] = found
        return found

    def _wrapped(self, tensor):
        for consumer in tensor.consumers():
            if consumer.type == "OptionalFromValue" and consumer.outputs[0] in self._forward.outputs:
                return consumer.outputs[0]
        self.needs_rewrite = True
        with self._forward.as_default():
            return apply_op("OptionalFromValue", components=[tensor])


def _branch_graph(op, name):
    inputs = op.inputs[1:]
    definition = bodies.definition_of(op.graph, name)
    with op.graph.as_default():
        graph = bodies.graph_of_definition(definition, [t.shape for t in inputs])
    for outer, inner in zip(inputs, graph.inputs):
        bodies.copy_handle_data(outer, inner)
    graph.reset_captures(zip(inputs, graph.inputs))
    return graph


def _differentiate(graph, grads):
    """The gradients of a branch's outputs by its arguments; runs inside their graph."""
    wanted = [(y, g) for y, g in zip(graph.outputs, grads) if gradients.is_trainable(y)]
    results = gradients.gradients_of_body([y for y, _ in wanted], graph.inputs, [g for _, g in wanted], graph)
    for i, argument in enumerate(graph.inputs):
        if results[i] is None:
            if argument.dtype == dtypes.resource:
                shape = apply_op("VariableShape", input=argument)
                results[i] = array_ops.zeros(shape, dtype=gradients.handle_dtype(argument))
            else:
                results[i] = array_ops.zeros_like(argument)
    return results


def _outer_inputs(op, graph, grad_graph):
    """What a gradient's arguments are outside: outputs or inputs of the forward op where they stand for its body's."""
    found = []
    for tensor in grad_graph.external_captures:
        if tensor.graph is graph:
            if tensor in graph.outputs:
                tensor = op.outputs[graph.outputs.index(tensor)]
            elif tensor in graph.internal_captures:
                tensor = graph.external_captures[graph.internal_captures.index(tensor)]
            else:
                raise ValueError("Could not find external tensor capture %s in captures or outputs" % tensor)
        found.append(tensor)
    return found


def _rewrite(kind, op, graphs, grad_graphs):
    """Lets the forward op give what its gradient reads."""
    _extend_outputs(kind, graphs, [list(g.optionals.values()) for g in grad_graphs])
    for graph in graphs:
        graph.name += "_rewritten"
    if kind == _COND:
        for attr, graph in zip(("then_branch", "else_branch"), graphs):
            bodies.set_attr(op, attr, attrs_lib.FUNC, False, bodies.create_function(graph))
    else:
        bodies.set_attr(op, "branches", attrs_lib.FUNC, True, [bodies.create_function(g) for g in graphs])
    bodies.set_outputs_of(op, "Tout", graphs[0])


def _gradient(kind, op, names, grads, name):
    graphs = [_branch_graph(op, n) for n in names]
    grad_graphs = []
    for graph in graphs:
        grad_name = bodies.unique_grad_name(graph.name)
        grad_graphs.append(bodies.trace_body(_GradGraph(grad_name, graph), lambda g=graph: _differentiate(g, grads)))
    if any(g.needs_rewrite for g in grad_graphs):
        _rewrite(kind, op, graphs, grad_graphs)
    inputs = [_outer_inputs(op, graph, grad_graph) for graph, grad_graph in zip(graphs, grad_graphs)]
    _match_rows(kind, grad_graphs)
    return [None] + _build(kind, op.inputs[0], grad_graphs, inputs, name, of_gradient=True)


def _if_gradient(op, *grads):
    return _gradient(_COND, op, [op.get_attr("then_branch").name, op.get_attr("else_branch").name], grads, None)


def _case_gradient(op, *grads):
    return _gradient(_CASE, op, [f.name for f in op.get_attr("branches")], grads, "gradient")


gradient_rules.add_own(("If", "StatelessIf"), _if_gradient)
gradient_rules.add_own(("Case",), _case_gradient)
