# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Functions of a graph's library: Python functions made into FunctionDefs (those of datasets, and tf.Defun)."""

import inspect

from .. import errors
from ..framework import converted, graph as graph_lib, ops, proto
from ..framework._engine import GLib
from ..framework.graph import Tensor
from ..operators import array_ops
from ..state import scope
from .func_graph import FuncGraph

_RANDOM = {"RandomUniform", "RandomUniformInt", "RandomStandardNormal", "ParameterizedTruncatedNormal",
           "TruncatedNormal", "RandomShuffle", "Multinomial", "RandomGamma", "RandomGammaGrad", "RandomPoisson",
           "RandomPoissonV2"}
STATEFUL = 1


# TF: functions of its own that are defined by another name than they are called by.
_DEFINED_AS = {
    ("framework.ops", "constant"): "constant_v1", ("framework.ops", "mul"): "multiply", ("framework.ops", "sub"): "subtract",
    ("operators.math_ops", "linspace"): "lin_space",
    ("operators.parsing", "decode_raw"): "decode_raw_v1", ("operators.ragged_strings", "bytes_split"): "string_bytes_split",
    ("operators.ragged_strings", "split"): "strings_split_v1", ("operators.random_ops", "random_categorical"): "categorical",
    ("operators.script_ops", "py_function"): "eager_py_func", ("operators.string_ops", "length"): "string_length",
    ("operators.string_ops", "to_hash_bucket"): "string_to_hash_bucket_v1",
    ("operators.string_ops", "to_number"): "string_to_number_v1"}
_DEFINED_AS.update({("operators.math_ops", "reduce_" + what): "reduce_%s_v1" % what
                    for what in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")})
_PACKAGE = __name__.rpartition("control.")[0]


def function_name(function):
    """What a function's library name is made of."""
    if not callable(function):
        raise ValueError("Argument must be callable")
    if inspect.ismethod(function):
        return "%s.%s" % (type(function.__self__).__name__, function.__func__.__name__)
    if not inspect.isfunction(function):
        return str(type(function))
    name = function.__name__
    return _DEFINED_AS.get((function.__module__[len(_PACKAGE):], name), name) if converted.is_own(function) else name


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

def to_function_def(graph, name, inputs, outputs, must_run=(), output_names=None, with_shapes=True):
    """The FunctionDef of a graph: its inputs are arguments, the rest is the body."""
    try:
        library = graph._builder.to_function(name, [t._output for t in inputs], [t._output for t in outputs], output_names,
                                             [op._index for op in must_run], with_shapes)
    except GLib.Error as error:
        raise errors.of(error) from None
    return proto.GraphDef.FromString(library.get_data()).library.function[0]


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
                args.append(ops.apply_op("Placeholder", dtype=dtype, shape=shape, name=arg_name))
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
