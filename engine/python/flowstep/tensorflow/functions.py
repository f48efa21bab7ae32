# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Functions of a graph's library: Python functions made into FunctionDefs (those of datasets, and tf.Defun)."""

import functools
import inspect
import re

from . import array_ops, errors, graph as graph_lib, ops, proto, scope
from ._engine import Flow, GLib
from .func_graph import FuncGraph
from .graph import Tensor

_RANDOM = {"RandomUniform", "RandomUniformInt", "RandomStandardNormal", "ParameterizedTruncatedNormal",
           "TruncatedNormal", "RandomShuffle", "Multinomial", "RandomGamma", "RandomGammaGrad", "RandomPoisson",
           "RandomPoissonV2"}
STATEFUL = 1


def function_name(function):
    """What a function's library name is made of."""
    if not callable(function):
        raise ValueError("Argument must be callable")
    while isinstance(function, functools.partial):
        function = function.func
    if inspect.ismethod(function):
        return "%s.%s" % (type(function.__self__).__name__, function.__func__.__name__)
    name = getattr(function, "__name__", None)
    return name if name is not None else type(function).__name__


# -- ops that have to run, in the order they were made

def _is_stateful(graph, op):
    return graph._builder.get_node_flags(op._index) & STATEFUL and op.type not in _RANDOM


def order_effects(graph, first, returned):
    """What changes something runs, one after the other; what is returned waits for all of it."""
    must_run, last = [], {}
    for op in graph.get_operations()[first:]:
        before = []
        stateful = _is_stateful(graph, op)
        if stateful:
            must_run.append(op)
        resources = []
        for tensor in op.inputs:
            if tensor.dtype.name != "resource" or tensor in resources:
                continue
            resources.append(tensor)
            if tensor in last:
                before.append(last[tensor])
            last[tensor] = op
        if stateful and not resources:
            if None in last:
                op._add_control_input(last[None])
            last[None] = op
        op._add_control_inputs(before)
    for tensor in returned:
        tensor.op._add_control_inputs([op for op in must_run if op is not tensor.op])
    return must_run


# -- FunctionDefs

def _normalized(name):
    """An argument's name: lower case, nothing but letters, digits and underscores."""
    name = re.sub("[^a-z0-9]", "_", name.lower())
    first = re.search("[a-z]", name)
    return name[first.start():] if first else "unknown"


class _Names:
    """Names used so far; a name that is taken gets a number."""

    def __init__(self):
        self._used, self._next = set(), {}

    def take(self, name, normalize=True):
        name = _normalized(name) if normalize else name
        candidate = name
        while candidate in self._used:
            number = self._next.get(name, 0)
            self._next[name] = number + 1
            candidate = "%s_%d" % (name, number)
        self._used.add(candidate)
        return candidate


def output_names(node, library=None):
    """For each output of a NodeDef its name in a FunctionDef: argument and number within it."""
    result = []
    if library is not None and node.op in library:
        return ["%s:0" % arg.name for arg in library[node.op].definition.signature.output_arg]
    for arg in ops.op_info(node.op).outputs:
        count = 1
        if arg.is_list:
            count = node.attr[arg.number_attr].i if arg.number_attr else len(node.attr[arg.type_list_attr].list.type)
        result.extend("%s:%d" % (arg.name, i) for i in range(count))
    return result


def _slots(op):
    return output_names(op.node_def, op.graph._functions)


def _body_node(op, body, names, of_tensor, with_shapes):
    node = body.node_def.add()
    source = op.node_def
    node.CopyFrom(source)
    node.name = names[op]
    del node.input[:]
    node.input.extend(of_tensor(t) for t in op.inputs)
    for control in sorted(op.control_inputs, key=lambda c: c.name):
        if control in names:
            node.input.append("^" + names[control])
    if op.outputs and with_shapes:
        node.attr["_output_shapes"].list.shape.extend(t.shape.as_proto() for t in op.outputs)


def _output_tensor_name(tensor, args, names):
    if tensor in args:
        return args[tensor]
    return "%s:%s" % (names[tensor.op], _slots(tensor.op)[tensor.value_index])


def to_function_def(graph, name, inputs, outputs, must_run=(), output_names=None, attrs=None, with_shapes=True):
    """The FunctionDef of a graph: its inputs are arguments, the rest is the body."""
    result = proto.FunctionDef()
    result.signature.name = name
    taken, args, names = _Names(), {}, {}
    output_args = [taken.take(output_names[i] if output_names else t.op.name) for i, t in enumerate(outputs)]
    for i, tensor in enumerate(inputs):
        args[tensor] = taken.take(tensor.op.name)
        result.signature.input_arg.add(name=args[tensor], type=tensor.dtype.base_dtype.as_datatype_enum)
        specified = tensor.op.node_def.attr.get("_user_specified_name")
        if specified is not None:
            result.arg_attr[i].attr["_user_specified_name"].s = specified.s
    input_ops = {t.op for t in inputs}
    for op in graph.get_operations():
        if op not in input_ops:
            names[op] = taken.take(op.name, False)
    for op in names:
        _body_node(op, result, names, lambda t: _output_tensor_name(t, args, names), with_shapes)
    for arg, tensor in zip(output_args, outputs):
        result.signature.output_arg.add(name=arg, type=tensor.dtype.base_dtype.as_datatype_enum)
        result.ret[arg] = _output_tensor_name(tensor, args, names)
    for op in sorted(must_run, key=lambda o: o._id):
        key = names[op]
        result.signature.control_output.append(key)
        result.control_ret[key] = names[op]
    if any(_is_stateful(graph, op) or op.type in _RANDOM for op in names):
        result.signature.is_stateful = True
    if with_shapes:
        result.attr["_input_shapes"].list.shape.extend(t.shape.as_proto() for t in inputs)
    for key, value in (attrs or {}).items():
        result.attr[key].CopyFrom(value)
    return result


class Function:
    """A function that was made, and what of the graphs around it it reads."""

    def __init__(self, name, definition, graph):
        self.name, self.definition, self.graph = name, definition, graph

    captured_inputs = property(lambda self: self.graph.captured_inputs)

    def add_to_graph(self, graph):
        """Puts it, and what it calls, into a graph's library."""
        add_definition(graph, self.name, self.definition, self)
        for name, inner in self.graph._functions.items():
            add_definition(graph, name, inner.definition, inner)


def add_definition(graph, name, definition, function, gradient=None):
    if name in graph._functions:
        return
    message = proto.GraphDef()
    message.library.function.append(definition)
    if gradient is not None:
        message.library.gradient.add(function_name=name, gradient_func=gradient)
    errors.build(graph._builder.add_library, GLib.Bytes.new(message.SerializeToString()))
    graph._functions[name] = function


def trace(function, name, specs, arg_names=None):
    """A Function of a Python function that takes tensors and gives a list of them."""
    graph = FuncGraph(name)
    graph.orders_effects = True
    with graph.as_default():
        current = scope.get_variable_scope()
        use_resource = current.use_resource
        current.set_use_resource(True)
        try:
            args = []
            for i, (dtype, shape) in enumerate(specs):
                arg_name = arg_names[i] if arg_names else "args_%d" % i
                arg = ops.apply_op("Placeholder", dtype=dtype, shape=shape, name=arg_name)
                arg.op._set_attr("_user_specified_name", Flow.Attr.new_string(arg_name, -1))
                args.append(arg)
            graph.inputs = list(args)
            outputs = [array_ops.identity(graph.capture(_tensor(t))) for t in function(*args)]
        finally:
            current.set_use_resource(use_resource)
        must_run = order_effects(graph, 0, outputs)
        graph.inputs = args + [inner for _, inner in graph.captures]
        graph.outputs = outputs
    full_name = "__inference_%s_%d" % (name, graph_lib.uid())
    return Function(full_name, to_function_def(graph, full_name, graph.inputs, outputs, must_run), graph)


def _tensor(value):
    return value if isinstance(value, Tensor) else ops.convert_to_tensor(value)
