# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Bodies of control flow version 2: graphs of Python functions and of FunctionDefs, and the ops that call them."""

from .. import nest
from ..framework import attrs as attrs_lib, graph as graph_lib, ops, proto
from ..framework._engine import Flow, shape as engine_shape
from ..framework.graph import PRODUCER, Operation, get_default_graph
from ..operators import array_ops
from ..saving import importer
from ..state import scope
from . import func_graph, functions
from .func_graph import FuncGraph


def unique_name(scope_name, what):
    return ("%s%s_%d" % (scope_name, what, graph_lib.uid())).replace("/", "_")


def unique_grad_name(forward_name):
    return "%s_grad_%s" % (forward_name, graph_lib.uid())


class BodyGraph(FuncGraph):
    """A branch, a condition or a loop's body: collections are those of the graph around it."""

    def __init__(self, name, shares_collections=True):
        outer = get_default_graph()
        super().__init__(name, outer._collections if shares_collections else None)
        self.orders_effects = getattr(outer, "orders_effects", False)


def flatten(structure):
    """The tensors of what a body gives; of a TensorArray its flow."""
    from . import control_flow
    return [control_flow.convert_tensorarray_to_flow(leaf) for leaf in nest.flatten(structure, True) if leaf is not None]


def pack(structure, tensors):
    """The structure with tensors for its leaves; for a TensorArray its flow."""
    from . import control_flow
    leaves = nest.flatten(structure, True)
    return nest.pack_sequence_as(structure, control_flow.convert_flows_to_tensorarrays(leaves, list(tensors)),
                                 expand_composites=True)


def _settled(value, stand_in, name):
    """What a body's function gave, as a tensor."""
    from . import control_flow
    if value is None or control_flow.is_tensor_array(value):
        return value
    if stand_in is not None and isinstance(value, Operation):
        with graph_lib.control_dependencies([value]):
            return array_ops.identity(stand_in)
    try:
        return ops.convert_to_tensor(value)
    except (ValueError, TypeError):
        raise TypeError("To be compatible with tf.contrib.eager.defun, Python functions must return zero or more Tensors; in "
                        "compilation of %s, found return value of type %s, which is not a Tensor." %
                        (str(name), type(value))) from None


def _returned(value):
    from . import control_flow
    if value is None:
        return None
    if control_flow.is_tensor_array(value):
        return value.identity()
    return array_ops.identity(value)


def trace_body(graph, function, arguments=(), stand_in=None):
    """Fills a graph with what a Python function makes. Arguments are (dtype, shape, name) each, name None for none; a
    function that gives an operation gives stand_in after it."""
    with graph.as_default():
        current = scope.get_variable_scope()
        use_resource = current.use_resource
        current.set_use_resource(True)
        try:
            given = [ops.apply_op("Placeholder", dtype=dtype, shape=shape, name=name) for dtype, shape, name in arguments]
            graph.inputs = list(given)
            result = function(*given)
            result = nest.map_structure(lambda v: _settled(v, stand_in, function), result, expand_composites=True)
            if graph.orders_effects:
                result = nest.map_structure(_returned, result, expand_composites=True)
        finally:
            current.set_use_resource(use_resource)
        graph.inputs = given + graph.internal_captures
        graph.structured_outputs = result
        graph.outputs.extend(graph.capture(t) for t in flatten(result))
        if graph.orders_effects:
            graph.control_outputs.extend(functions.order_effects(graph, 0, graph.outputs))
    return graph


def _output_names(node, library):
    """For each output of a NodeDef its name in a FunctionDef: argument and number within it."""
    if node.op in library:
        return ["%s:0" % arg.name for arg in library[node.op].definition.signature.output_arg]
    result = []
    for arg in ops.op_info(node.op).outputs:
        count = 1
        if arg.is_list:
            count = node.attr[arg.number_attr].i if arg.number_attr else len(node.attr[arg.type_list_attr].list.type)
        result.extend("%s:%d" % (arg.name, i) for i in range(count))
    return result


def _body_graph_def(definition, input_shapes, library):
    """(GraphDef, flat names of a FunctionDef's tensors)."""
    result, flat = proto.GraphDef(), {}
    result.versions.producer = PRODUCER
    for arg, shape in zip(definition.signature.input_arg, input_shapes):
        node = result.node.add(name=arg.name, op="Placeholder")
        node.attr["dtype"].type = arg.type
        node.attr["shape"].shape.CopyFrom(shape.as_proto())
        flat[arg.name], flat["^" + arg.name] = arg.name + ":0", "^" + arg.name
    for node in definition.node_def:
        result.node.add().CopyFrom(node)
    for node in definition.node_def:
        for slot, name in enumerate(_output_names(node, library)):
            flat["%s:%s" % (node.name, name)] = "%s:%d" % (node.name, slot)
        flat["^" + node.name] = "^" + node.name
    for node in result.node:
        node.input[:] = [flat[text] for text in node.input]
        # TF: a function keeps no shapes; they are inferred again, with nothing known of variables.
        node.attr.pop("_output_shapes", None)
    return result, flat


def graph_of_definition(definition, input_shapes):
    """A FuncGraph of a function of the default graph's library."""
    outer = get_default_graph()
    graph = FuncGraph(definition.signature.name)
    for name, function in outer._functions.items():
        functions.add_definition(graph, name, function.definition, function)
    graph_def, flat = _body_graph_def(definition, input_shapes, graph._functions)
    with graph.as_default():
        importer.import_graph_def(graph_def, name="")
    graph.inputs = [graph.get_tensor_by_name(flat[a.name]) for a in definition.signature.input_arg]
    graph.outputs = [graph.get_tensor_by_name(flat[definition.ret[a.name]]) for a in definition.signature.output_arg]
    graph.control_outputs = [graph.get_operation_by_name(definition.control_ret[name])
                             for name in definition.signature.control_output]
    return graph


def definition_of(graph, name):
    """The FunctionDef of that name, of the graph's library."""
    return graph._functions[name].definition


def create_function(graph):
    """Puts a graph as a function of its name into the library of the graph around it."""
    definition = functions.to_function_def(graph, graph.name, graph.inputs, graph.outputs, graph.control_outputs)
    functions.Function(graph.name, definition, graph).add_to_graph(graph.outer_graph)
    return graph.name


def is_stateful(*graphs):
    """Whether any op of them keeps or changes something."""
    return any(graph._builder.get_node_flags(op._index) & functions.STATEFUL for graph in graphs
               for op in graph.get_operations())


def control_captures(*graphs):
    return [op for graph in graphs for op in graph.control_captures]


def set_attr(op, name, kind, is_list, value):
    op.graph._builder.set_attr(op._index, name, attrs_lib.from_python(kind, is_list, value))


def set_outputs_of(op, name, graph):
    """The op's outputs are those of that graph's from now on; it had the first of them."""
    set_attr(op, "output_shapes", attrs_lib.SHAPE, True, [t.shape for t in graph.outputs])
    give_more_outputs(op, name, graph.outputs)


def give_more_outputs(op, name, outputs):
    """The op's outputs are of the types of those from now on; it had the first of them."""
    set_attr(op, name, attrs_lib.TYPE, True, [t.dtype.base_dtype for t in outputs])
    for tensor in outputs[len(op.outputs):]:
        dims = tensor._dims
        op.graph._builder.append_output(op._index, tensor.dtype.base_dtype.as_datatype_enum,
                                        engine_shape(None if dims is None else [-1 if d is None else d for d in dims]))
        op._note_output()


def lowered(tensors):
    """What reads an op that calls functions: its outputs, each of which is pruned on its own."""
    op = tensors[0].op
    op.graph._builder.set_attr(op._index, "_lower_using_switch_merge", Flow.Attr.new_bool(True))
    return [array_ops.identity(t) for t in tensors]


def resource_input(tensor, graph):
    """The number of the argument that a resource in a body comes from."""
    nodes = {op.name: op.node_def for op in graph.get_operations()}
    return _resource_input(tensor.name, [t.name for t in graph.inputs], nodes, graph._functions)


def _resource_input(name, input_names, nodes, library):
    while name not in input_names:
        # A graph's node tells its inputs without the number where that is 0.
        if name + ":0" in input_names:
            return input_names.index(name + ":0")
        parts = name.split(":")
        op_name, slot = parts[0], int(parts[-1]) if len(parts) > 1 else 0
        node = nodes[op_name]
        if node.op == "While":
            name = node.input[slot]
        elif node.op in ("PartitionedCall", "StatefulPartitionedCall"):
            definition = library[node.attr["f"].func.name].definition
            returned = definition.ret[definition.signature.output_arg[slot].name]
            name = node.input[_resource_input(returned, [a.name for a in definition.signature.input_arg],
                                              {n.name: n for n in definition.node_def}, library)]
        else:
            raise ValueError("Taking gradient of a while loop which creates a resource in its body is not supported: %s" %
                             op_name)
    return input_names.index(name)


def gives_all():
    """Whether an op gives all values of its bodies at once, for a gradient that may be wanted."""
    from ..learning import layers_base
    from . import functional
    if functional.intermediates["all"] is not None:
        return functional.intermediates["all"]
    graph = get_default_graph()
    while isinstance(graph, BodyGraph):
        graph = graph.outer_graph
    return layers_base.is_in_call() and not isinstance(graph, FuncGraph)


copy_handle_data = func_graph.copy_handle_data
