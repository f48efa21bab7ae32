# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Gradients of While: a loop that goes back, reading what the forward loop laid up in lists."""

from .. import dtypes
from ..differentiation import gradient_rules, gradients
from ..framework import attrs as attrs_lib, ops, tensor_shape
from ..framework.ops import IndexedSlices, apply_op
from ..operators import array_ops
from . import bodies, lists, while_v2
from .func_graph import FuncGraph

# The counter, the limit and the number of iterations come before the gradients.
_N_OWN = 3


class _GradBody(FuncGraph):
    """The gradient of a loop's body. Of what changes in the loop it reads a list, one value an iteration."""

    def __init__(self, name, cond_graph, body_graph, limit, op):
        super().__init__(name)
        self.orders_effects = True
        self.new_lists, self.left = [], {}
        self._cond_graph, self._forward, self._limit, self._loop = cond_graph, body_graph, limit, op
        self._forward_inputs, self._forward_outputs = list(body_graph.inputs), list(body_graph.outputs)
        self._indirect, self._allowed = {}, False

    def is_invariant(self, tensor):
        return tensor in self._forward_inputs and tensor in self._forward_outputs

    def capture_outer(self, tensor):
        """Captures what is not of the body."""
        self._allowed = True
        try:
            return self.capture(tensor)
        finally:
            self._allowed = False

    def capture(self, tensor, name=None):
        if not self._allowed and tensor.graph is not self and tensor.graph is not self._forward:
            raise ValueError("Attempting to capture tensor %s which is not in the forward graph but in %s." %
                             (tensor, getattr(tensor.graph, "name", "Base")))
        return super().capture(tensor, name)

    def _capture_helper(self, tensor, name):
        if tensor.graph is not self._forward:
            return super()._capture_helper(tensor, name)
        while tensor.op.type == "Identity":
            tensor = tensor.op.inputs[0]
        found = self._indirect.get(tensor)
        if found is None:
            found = self._lead_in(tensor, name)
        return found

    def _lead_in(self, tensor, name):
        forward = self._forward
        if tensor in forward.inputs and tensor in forward.outputs:
            found = super()._capture_helper(tensor, name)
            self.left[found] = found
        elif tensor.op.type == "Const":
            found = ops.constant(ops.constant_value(tensor), dtype=tensor.dtype)
        elif tensor.dtype == dtypes.resource:
            outer = self._loop.inputs[bodies.resource_input(tensor, forward)]
            found = self.capture_outer(outer)
        elif self.is_invariant(tensor):
            return super()._capture_helper(tensor, name)
        else:
            list_inside = super()._capture_helper(self._accumulator(tensor), name)
            self.left[list_inside], found = lists.pop_back(list_inside, tensor.dtype)
        self._indirect[tensor] = found
        return found

    def _accumulator(self, tensor):
        """What the forward body gives as the list of all values of a tensor."""
        known = while_v2.accumulator_of(tensor)
        if known is not None:
            return known
        outer = self._forward.outer_graph
        with outer.as_default(), outer.control_dependencies(None):
            made = lists.empty(tensor.shape, tensor.dtype, self._limit,
                               ("%s/accumulator" % tensor.name).replace(":", "_"))
        self.new_lists.append(made)
        with self._forward.as_default():
            accumulator = lists.push_back(made, tensor)
        self._forward.outputs.append(accumulator)
        with self._cond_graph.as_default():
            self._cond_graph.capture(made)
        return accumulator


def _is_trainable(tensor):
    if not gradients.is_trainable(tensor):
        return False
    if tensor.op.type == "TensorListPopBack" and tensor.value_index == 0:
        return gradients.is_trainable_dtype(tensor.op.get_attr("element_dtype"))
    return True


def _first_gradient(grad, inside, output):
    """The gradient that an output of the loop begins with."""
    if not _is_trainable(inside):
        return None
    if grad is None and output.dtype in (dtypes.resource, dtypes.variant):
        if output.dtype == dtypes.resource:
            return array_ops.zeros(apply_op("VariableShape", input=output))
        return array_ops.zeros_like(output)
    return grad


def _body_graph(op, attr):
    shapes = [tensor_shape.TensorShape(s) for s in op.get_attr("output_shapes")]
    definition = bodies.definition_of(op.graph, op.get_attr(attr).name)
    with op.graph.as_default():
        return bodies.graph_of_definition(definition, shapes)


def _trace_body(op, cond_graph, body_graph, ys, xs, grads):
    limit, total = op.inputs[1], op.outputs[0]
    name = bodies.unique_grad_name(body_graph.name)
    counter = ops.constant(0, dtype=total.dtype, name="grad_counter")
    given = [counter, limit, total] + grads
    flat = bodies.flatten(given)

    def step(counter_arg, limit_arg, total_arg, *grad_args):
        results = gradients.gradients_of_body(ys, xs, bodies.pack(grads, grad_args), body_graph, unconnected="zero")
        return [counter_arg + 1, limit_arg, total_arg] + results

    graph = _GradBody(name, cond_graph, body_graph, limit, op)
    bodies.trace_body(graph, step, [(t.dtype.base_dtype, t.shape, None) for t in flat])
    for outer, inner in graph.captures:
        if inner in graph.left:
            output = graph.left[inner]
        elif inner.dtype == dtypes.resource or graph.is_invariant(outer):
            output = inner
        else:
            raise ValueError("Tensor %s which captures %s is in list of internal_captures but is not a resource, is not in "
                             "popped_tensor_lists and does not capture a loop invariant." % (inner, outer))
        graph.outputs.append(output)
        graph.structured_outputs.append(output)
    return graph, flat


def _rewrite(op, cond_graph, body_graph, new_lists):
    """Lets the forward loop fill the lists that its gradient reads."""
    cond_graph.name += "_rewritten"
    body_graph.name += "_rewritten"
    bodies.set_attr(op, "cond", attrs_lib.FUNC, False, bodies.create_function(cond_graph))
    bodies.set_attr(op, "body", attrs_lib.FUNC, False, bodies.create_function(body_graph))
    first = len(op.outputs)
    for made in new_lists:
        op.graph._builder.append_input(op._index, made._output)
    bodies.set_outputs_of(op, "T", body_graph)
    while_v2.copy_handles(body_graph.outputs[first:], op.outputs[first:])


def _outer_inputs(op, body_graph, graph):
    found = []
    for tensor in graph.external_captures:
        if tensor.graph is body_graph and tensor in body_graph.outputs:
            tensor = op.outputs[body_graph.outputs.index(tensor)]
        found.append(tensor)
    return found


# -- rows

def _dense_output(graph, rows):
    with graph.as_default():
        made = ops.convert_to_tensor(rows)
    at = next(i for i, out in enumerate(graph.structured_outputs) if out is rows)
    graph.structured_outputs[at] = made
    graph.outputs = bodies.flatten(graph.structured_outputs)


def _first_rows(rows, resource):
    """No rows, which the loop begins with."""
    if rows.values.shape.is_fully_defined():
        shape = [0] + rows.values.shape.as_list()[1:]
    else:
        known = apply_op("VariableShape", input=resource)
        shape = array_ops.concat([[0], known[1:]], 0)
    values = array_ops.zeros(shape, dtype=rows.values.dtype, name="values_init")
    indices = ops.constant([], rows.indices.dtype, name="indices_init")
    return IndexedSlices(values, indices, apply_op("VariableShape", input=resource, name="shape_init"))


def _joined_to(old, argument):
    """The sum that an output was, begun with another argument."""
    joined = old.op.inputs[0].op if old.op.type == "Identity" else old.op
    parts = list(joined.inputs[:-1])
    return array_ops.concat([argument] + parts[1:], 0)


def _rows_as_argument(graph, rows, resource, loop_vars):
    """Rows of a variable are joined over the iterations, never made dense."""
    first = _first_rows(rows, resource)
    parts = [first.values, first.indices, first.dense_shape]
    with graph.as_default():
        inside = [graph.capture_outer(t) for t in parts]
        for part, argument in zip(parts, inside):
            del graph._captures[part]
            graph.inputs.remove(argument)
        made = IndexedSlices(_joined_to(rows.values, inside[0]), _joined_to(rows.indices, inside[1]), inside[2])
    flat_at = graph.outputs.index(rows.values)
    at = next(i for i, out in enumerate(graph.structured_outputs) if out is rows)
    graph.structured_outputs[at] = made
    graph.outputs = bodies.flatten(graph.structured_outputs)
    graph.inputs = graph.inputs[:flat_at] + inside + graph.inputs[flat_at + 1:]
    return loop_vars[:flat_at] + parts + loop_vars[flat_at + 1:]


def _settle_rows(op, grads, graph, loop_vars):
    with_grads = [t for g, t in zip(grads, op.inputs) if g is not None]
    for forward, output in zip(with_grads, list(graph.structured_outputs[_N_OWN:])):
        if not isinstance(output, IndexedSlices):
            continue
        if forward.dtype == dtypes.resource:
            loop_vars = _rows_as_argument(graph, output, forward, loop_vars)
        else:
            _dense_output(graph, output)
    return loop_vars


# -- the rule

def _structured(outputs, grads, graph):
    results, at = [], _N_OWN
    structures = iter(graph.structured_outputs[_N_OWN:])
    for grad in grads:
        if grad is None:
            results.append(None)
            continue
        if isinstance(next(structures), IndexedSlices):
            results.append(IndexedSlices(outputs[at], outputs[at + 1], outputs[at + 2]))
            at += 3
        else:
            results.append(outputs[at])
            at += 1
    return results


def _while_gradient(op, *grads):
    cond_graph, body_graph = _body_graph(op, "cond"), _body_graph(op, "body")
    n_params = len(body_graph.outputs)
    try:
        n_original = op.get_attr("_num_original_outputs")
    except ValueError:
        n_original = len(op.outputs)
    grads = [_first_gradient(*each) for each in zip(grads[:n_original], body_graph.outputs, op.outputs)]
    grads += [None] * (len(op.outputs) - n_original)
    wanted = [each for each in zip(body_graph.outputs[:n_params], body_graph.inputs, grads) if each[2] is not None]
    graph, given = _trace_body(op, cond_graph, body_graph, *([each[i] for each in wanted] for i in range(3)))
    if graph.new_lists:
        _rewrite(op, cond_graph, body_graph, graph.new_lists)
    while_v2.set_n_original(op, len(op.outputs))
    loop_vars = _settle_rows(op, grads, graph, given + _outer_inputs(op, body_graph, graph))
    name = bodies.unique_grad_name(op.get_attr("cond").name)
    grad_cond = FuncGraph(name)
    grad_cond.orders_effects = True
    bodies.trace_body(grad_cond, lambda counter, _, total, *rest: counter < total,
                      [(t.dtype.base_dtype, t.shape, None) for t in loop_vars])
    made = ops.make_op("While", input=loop_vars, cond=bodies.create_function(grad_cond), body=bodies.create_function(graph),
                       output_shapes=[t.shape for t in graph.outputs], parallel_iterations=op.get_attr("parallel_iterations"),
                       name="%s_grad" % op.name)
    while_v2.copy_handles(graph.outputs, made.outputs)
    return _structured(bodies.lowered(made.outputs), grads, graph)


gradient_rules.add_own(("While", "StatelessWhile"), _while_gradient)
