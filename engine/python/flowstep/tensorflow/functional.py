# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""cond and while_loop as one op each whose branches, condition and body are functions: control flow, version 2."""

from . import array_ops, dtypes, functions, graph as graph_lib, math_ops, nest, ops, tensor_shape
from ._engine import Flow
from .graph import Operation, get_default_graph, name_scope

_enabled = [False]


def enable_control_flow_v2():
    _enabled[0] = True


def disable_control_flow_v2():
    _enabled[0] = False


def control_flow_v2_enabled():
    return _enabled[0]


def _function_name(scope, what):
    return ("%s%s_%d" % (scope, what, graph_lib.uid())).replace("/", "_")


def _body(name, function, arguments, stand_in=None):
    """A FuncGraph of the function, and the structure that it gave."""
    graph = functions.FuncGraph(name)
    with graph.as_default():
        placeholders = []
        for tensor, argument_name, shape in arguments:
            placeholder = ops.apply_op("Placeholder", dtype=tensor.dtype.base_dtype, shape=shape, name=argument_name)
            placeholders.append(placeholder)
        graph.inputs = list(placeholders)
        result = function(*placeholders)

        def settled(value):
            if isinstance(value, Operation):
                with graph.control_dependencies([value]):
                    return array_ops.identity(graph.capture(stand_in))
            return graph.capture(ops.convert_to_tensor(value))

        result = nest.map_structure(settled, result, expand_composites=True)
        graph.outputs = nest.flatten(result, True)
        graph.must_run = functions._order_effects(graph, 0, [])
    return graph, result


def _finish(graph, captured):
    """The function of a graph whose last arguments are those outer tensors, in that order."""
    arguments = [t for t in graph.inputs if t not in [inner for _, inner in graph.captures]]
    graph.inputs = arguments + [graph.capture(t) for t in captured]
    definition = functions.to_function_def(graph, graph.name, graph.inputs, graph.outputs, graph.must_run)
    made = functions.Function(graph.name, definition, graph)
    made.add_to_graph(get_default_graph())
    return graph.name


def _captured(*graphs):
    found = []
    for graph in graphs:
        found.extend(t for t in graph.captured_inputs if not any(t is f for f in found))
    return found


def _lowered(tensors):
    op = tensors[0].op
    op.graph._builder.set_attr(op._index, "_lower_using_switch_merge", Flow.Attr.new_bool(True))
    return [array_ops.identity(t) for t in tensors]


def _is_stateful(graph):
    return bool(graph.must_run)


def cond(pred, true_fn, false_fn, name=None):
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool", pred)
    with name_scope(name or "cond") as scope:
        true_name, false_name = _function_name(scope, "true"), _function_name(scope, "false")
        pred = ops.convert_to_tensor(pred)
        if pred.shape.ndims is None or pred.shape.ndims > 0:
            pred = array_ops.squeeze(pred)
        true, true_result = _body(true_name, true_fn, [], pred)
        false, false_result = _body(false_name, false_fn, [], pred)
        nest.assert_same_structure(true_result, false_result, expand_composites=True)
        captured = _captured(true, false)
        shapes = [a.shape if a.shape.ndims is not None and a.shape.as_list() == (b.shape.as_list() if b.shape.ndims is not None
                                                                                 else None)
                  else tensor_shape.unknown_shape() for a, b in zip(true.outputs, false.outputs)]
        made = ops.make_op("If" if _is_stateful(true) or _is_stateful(false) else "StatelessIf", cond=pred, input=captured,
                           Tout=[t.dtype for t in true.outputs], then_branch=_finish(true, captured),
                           else_branch=_finish(false, captured), output_shapes=shapes, name=scope)
        outputs = _lowered(made.outputs) if made.outputs else []
        packed = nest.pack_sequence_as(true_result, outputs, expand_composites=True)
        return packed[0] if isinstance(packed, (list, tuple)) and len(packed) == 1 else packed


def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, maximum_iterations=None, name=None,
               return_same_structure=False):
    structure = loop_vars
    flat = [ops.convert_to_tensor(v) for v in nest.flatten(loop_vars, True)]
    shapes = [t.shape for t in flat] if shape_invariants is None else \
        [tensor_shape.as_shape(s) for s in nest.flatten(shape_invariants)]
    with name_scope(name or "while") as scope:
        cond_name, body_name = _function_name(scope, "cond"), _function_name(scope, "body")
        limit = ops.convert_to_tensor(-1 if maximum_iterations is None else maximum_iterations, dtype=dtypes.int32,
                                      name="maximum_iterations")
        counter = ops.constant(0, dtypes.int32, name="loop_counter")
        scalar = tensor_shape.TensorShape([])
        arguments = [(counter, "loop_counter", scalar), (limit, "maximum_iterations", scalar)]
        arguments += [(t, t.op.name, s) for t, s in zip(flat, shapes)]

        def packed(values):
            return nest.pack_sequence_as(structure, values, expand_composites=True)

        def goes_on(i, limit_arg, *values):
            pred = ops.convert_to_tensor(cond(*packed(list(values))))
            if maximum_iterations is None:
                return pred
            return math_ops.logical_and(math_ops.less(i, limit_arg), pred)

        def step(i, limit_arg, *values):
            result = body(*packed(list(values)))
            if not nest.is_sequence_or_composite(result):
                result = [result]
            nest.assert_same_structure(list(structure), list(result), expand_composites=True)
            return [i + 1, limit_arg] + nest.flatten(result, True)

        cond_graph, _ = _body(cond_name, goes_on, arguments)
        body_graph, _ = _body(body_name, step, arguments)
        captured = _captured(body_graph, cond_graph)
        body_graph.outputs += [body_graph.capture(t) for t in captured]
        given = [counter, limit] + flat + captured
        made = ops.make_op("While", input=given,
                           cond=_finish(cond_graph, captured),
                           body=_finish(body_graph, captured),
                           output_shapes=[scalar, scalar] + shapes + [t.shape for t in captured],
                           parallel_iterations=parallel_iterations, name=scope)
        made.graph._builder.set_attr(made._index, "_num_original_outputs", Flow.Attr.new_int(len(made.outputs)))
        outputs = _lowered(made.outputs)[2:2 + len(flat)]
        result = packed(outputs)
        return result if return_same_structure or len(flat) != 1 else outputs[0]
