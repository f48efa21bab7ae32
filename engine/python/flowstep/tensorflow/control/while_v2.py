# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""while_loop as one op whose condition and body are functions."""

from .. import dtypes, nest
from ..framework import ops, tensor_shape
from ..framework._engine import Flow
from ..framework.graph import Tensor, control_dependencies, name_scope
from ..operators import array_ops, math_ops
from . import bodies, control_flow, lists
from .loops import invariant

# The counter and the limit come before what the script's own loop variables are.
N_OWN = 2


def _as_variables(structure):
    flows = nest.map_structure(control_flow.convert_tensorarray_to_flow, structure)
    return [v if nest.is_composite(v) else ops.convert_to_tensor(v) for v in nest.flatten(flows)]


def _shapes(variables, structure, invariants):
    if invariants is None:
        given = [invariant(v) for v in variables]
    else:
        nest.assert_same_structure(structure, invariants)
        given = [invariant(v, s) for v, s in zip(variables, nest.flatten(invariants))]
    return [tensor_shape.as_shape(s) for shapes in given for s in (shapes if isinstance(shapes, list) else [shapes])]


def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, maximum_iterations=None, name=None,
               return_same_structure=True, back_prop=True):
    original = loop_vars

    def packed(values):
        return bodies.pack(original, values)

    variables = _as_variables(loop_vars)
    shapes = _shapes(variables, loop_vars, shape_invariants)
    flat = nest.flatten(variables, True)
    with name_scope(name or "while") as scope:
        cond_name, body_name = bodies.unique_name(scope, "cond"), bodies.unique_name(scope, "body")
        limit = ops.convert_to_tensor(-1 if maximum_iterations is None else maximum_iterations, dtype=dtypes.int32,
                                      name="maximum_iterations")
        counter = ops.constant(0, limit.dtype if maximum_iterations is not None else None, name="loop_counter")
        arguments = [(t.dtype, t.shape, t.op.name) for t in (counter, limit)]
        arguments += [(t.dtype, s, None) for t, s in zip(flat, shapes)]

        def goes_on(i, limit_arg, *values):
            pred = cond(*packed(values))
            if isinstance(pred, Tensor) and (pred.shape.ndims is None or pred.shape.ndims > 0):
                pred = array_ops.squeeze(pred)
            return pred if maximum_iterations is None else math_ops.logical_and(i < limit_arg, pred)

        cond_graph = bodies.trace_body(bodies.BodyGraph(cond_name), goes_on, arguments)
        body_graph = bodies.BodyGraph(body_name)

        def step(i, limit_arg, *values):
            # What the condition reads of outside comes first, in the same order.
            for tensor in cond_graph.external_captures:
                body_graph.capture(tensor)
            result = body(*packed(values))
            if not nest.is_sequence_or_composite(result):
                result = [result]
            nest.assert_same_structure(list(result), list(original), expand_composites=True)
            return [i + 1, limit_arg] + [control_flow.convert_tensorarray_to_flow(v) for v in nest.flatten(list(result))]

        bodies.trace_body(body_graph, step, arguments)
        given = [counter, limit] + flat + body_graph.external_captures
        body_graph.outputs.extend(body_graph.internal_captures)
        with cond_graph.as_default():
            for tensor in body_graph.external_captures:
                cond_graph.capture(tensor)
        n_original = len(body_graph.outputs)
        _check_shapes(body_graph, given, shapes)
        if back_prop and bodies.gives_all():
            given += _give_all(cond_graph, body_graph, maximum_iterations)
        _check_types(body_graph, given)
        made = _make(cond_graph, body_graph, given, shapes, parallel_iterations, scope, n_original)
        outputs = bodies.lowered(made.outputs)
    result = packed(outputs[N_OWN:N_OWN + len(flat)])
    return result if return_same_structure or len(nest.flatten(result, True)) != 1 else nest.flatten(result, True)[0]


def _is_within(shape, wanted):
    """Whether whatever has the one shape has the other, wider one."""
    if wanted.ndims is None:
        return True
    return shape.ndims == wanted.ndims and all(b is None or a == b for a, b in zip(shape.as_list(), wanted.as_list()))


def _intermediates(graph):
    """What a gradient of the body could read."""
    return [t for op in graph.get_operations() if op.type not in ("Identity", "MutexLock") for t in op.outputs
            if t is not graph.inputs[0] and t.dtype != dtypes.resource and accumulator_of(t) is None
            and t not in graph.internal_captures]


def accumulator_of(tensor):
    """The list that a body gives with a tensor at its end, where it has one already."""
    graph = tensor.graph
    for consumer in tensor.consumers():
        if consumer.type != "TensorListPushBack" or consumer.inputs[0] not in graph.inputs:
            continue
        output = consumer.outputs[0]
        if output not in graph.outputs:
            readers = output.consumers()
            if not readers or readers[0].type != "Identity" or readers[0].outputs[0] not in graph.outputs:
                continue
            output = readers[0].outputs[0]
        if graph.outputs.index(output) == graph.inputs.index(consumer.inputs[0]):
            return output
    return None


def _give_all(cond_graph, body_graph, limit):
    """The lists that the body fills with all of its values."""
    made = []
    for tensor in _intermediates(body_graph):
        values = lists.empty(tensor.shape, tensor.dtype, limit)
        made.append(values)
        with cond_graph.as_default():
            cond_graph.capture(values)
        with body_graph.as_default():
            body_graph.outputs.append(lists.push_back(values, tensor))
    return made


def _check_shapes(graph, given, shapes):
    for out, shape, value in zip(graph.outputs[N_OWN:], shapes, given[N_OWN:]):
        if not _is_within(out.shape, shape):
            raise ValueError("Input tensor '%s' enters the loop with shape %s, but has shape %s after one iteration. To allow "
                             "the shape to vary across iterations, use the `shape_invariants` argument of tf.while_loop to "
                             "specify a less-specific shape." % (value.name, shape, out.shape))


def _check_types(graph, given):
    for inside, out, value in zip(graph.inputs, graph.outputs, given):
        if inside.dtype != out.dtype:
            raise TypeError("Loop var {} enters the loop with type {} but has type {} after 1 iteration.".format(
                value.name, inside.dtype, out.dtype))


def _make(cond_graph, body_graph, given, shapes, parallel_iterations, name, n_original):
    output_shapes = [t.shape for t in body_graph.outputs]
    output_shapes[N_OWN:N_OWN + len(shapes)] = shapes
    with control_dependencies(bodies.control_captures(cond_graph, body_graph)):
        made = ops.make_op("While", input=given, cond=bodies.create_function(cond_graph),
                           body=bodies.create_function(body_graph), output_shapes=output_shapes,
                           parallel_iterations=parallel_iterations, name=name)
    set_n_original(made, n_original)
    copy_handles(body_graph.outputs, made.outputs)
    return made


def set_n_original(op, n):
    """How many outputs of a loop are not there for its gradient alone."""
    op.graph._builder.set_attr(op._index, "_num_original_outputs", Flow.Attr.new_int(n))


def copy_handles(sources, targets):
    for source, target in zip(sources, targets):
        bodies.copy_handle_data(source, target)
