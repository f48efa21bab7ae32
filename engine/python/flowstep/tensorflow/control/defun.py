# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.Defun: Python functions that become functions of the graph's library, called by nodes of their names."""

import inspect

from .. import dtypes, errors
from ..differentiation import gradient_rules
from ..framework import attrs as attrs_lib, graph as graph_lib, op_summary, ops, proto
from ..framework._engine import Flow
from ..framework.graph import Graph, Tensor, get_default_graph
from ..state import scope as scope_lib, variables
from . import function_hash, functions
from .func_graph import copy_handle_data

_TYPE_NAMES = {
    "float16": "f16", "float32": "f32", "float64": "f64", "int32": "i32", "uint8": "i8", "uint16": "u16", "uint32": "u32",
    "uint64": "u64", "int16": "i16", "int8": "i8", "string": "s", "complex64": "c64", "complex128": "c128", "int64": "i64",
    "bool": "b", "qint8": "qi8", "quint8": "qu8", "qint16": "qi16", "quint16": "qu16", "qint32": "qi32", "bfloat16": "b16",
}


class DefunGraph(Graph):
    """The body of a Defun in the making: what it reads of other graphs becomes an argument, or is copied."""

    building_function = True

    def __init__(self, name, defined):
        super().__init__()
        self.name, self.inputs, self.outputs = name, [], []
        self.outer_graph = get_default_graph()
        self._creators = self.outer_graph._creators
        self._scope, self._defined, self._captured = scope_lib.get_variable_scope(), defined, {}
        self.extra_inputs, self.extra_args, self.extra_vars = [], [], []

    def getvar(self, getter, name, shape=None, dtype=None, initializer=None, reuse=None, trainable=True, collections=None,
               use_resource=None, **_):
        """Variables are made in the graph around."""
        with self.outer_graph.as_default():
            made = self._scope.get_variable(scope_lib._store(), name, shape=shape, dtype=dtype, initializer=initializer,
                                            reuse=reuse, trainable=trainable, collections=collections,
                                            use_resource=use_resource)
            self.extra_vars.append(made)
            if isinstance(made, variables.ResourceVariable) and self._defined._resources_by_value:
                return made.value()
            return made

    def capture(self, tensor, name=None):
        if tensor.graph is self:
            return tensor
        if tensor not in self._captured:
            self._captured[tensor] = self._copied(tensor) if self._defined._by_value else self._argument(tensor, name)
        return self._captured[tensor]

    def stand_in(self, tensor):
        return self._captured[tensor] if tensor in self._captured else super().stand_in(tensor)

    def _argument(self, tensor, name):
        self.extra_inputs.append(tensor)
        with self.as_default(), self.control_dependencies(None):
            inner = ops.apply_op("Placeholder", dtype=tensor.dtype.base_dtype, shape=tensor.shape, name=name)
        copy_handle_data(tensor, inner)
        self.inputs.append(inner)
        self.extra_args.append(inner)
        return inner

    def _copied(self, tensor):
        op = tensor.op
        flags = op.graph._builder.get_node_flags(op._index)
        if flags & functions.STATEFUL and op not in self._defined._whitelist:
            raise ValueError("Cannot capture a stateful node (name:%s, type:%s) by value." % (op.name, op.type))
        if op.type in ("Placeholder", "PlaceholderV2"):
            raise ValueError("Cannot capture a placeholder (name:%s, type:%s) by value." % (op.name, op.type))
        # What it reads is copied again each time, whatever was copied before.
        inputs = [self._copied(x) for x in op.inputs]
        attr_list = Flow.AttrList.new()
        for key, value in op.node_def.attr.items():
            attr_list.set(key, attrs_lib.from_message(value))
        with self.as_default():
            made = super()._add(op.type, inputs, attr_list, op.name)
        for outer, inner in zip(op.outputs, made.outputs):
            self._captured[outer] = inner
        return made.outputs[tensor.value_index]

    def _add(self, op_type, inputs, attr_list, name):
        return super()._add(op_type, [self.capture(t) for t in inputs], attr_list, name)


def _kwargs_attrs(function_name, noinline=None, compiled=None, separate_compiled_gradients=None, **others):
    """What was said of a function or a call beside its arguments."""
    found = {}
    if noinline is not None:
        found["_noinline"] = proto.AttrValue(b=bool(noinline))
    found["_disable_call_shape_inference"] = proto.AttrValue(b=True)
    if compiled is not None:
        found["_XlaCompile"] = proto.AttrValue(b=bool(compiled))
        found["_XlaSeparateCompiledGradients"] = proto.AttrValue(b=bool(separate_compiled_gradients))
        found["_XlaScope"] = proto.AttrValue(s=("function_%s" % function_name).encode())
    for key in list(others):
        value = others[key]
        if key.startswith("experimental_"):
            kind = "b" if isinstance(value, bool) else "i" if isinstance(value, int) else "f" if isinstance(value, float) else "s"
        elif key in ("_implements", "_reference"):
            kind = "s"
        else:
            continue
        del others[key]
        if kind == "s" and not isinstance(value, str):
            raise ValueError("Unsupported attribute type for %s with type %s" % (key, type(value)))
        found[key] = proto.AttrValue(**{kind: value.encode() if kind == "s" else value})
    if others:
        raise ValueError("Unknown keyword arguments: %s" % others.keys())
    return found


class DefinedFunction:
    """A Python function for arguments of certain types."""

    def __init__(self, func, argnames, input_types, func_name=None, grad_func=None, python_grad_func=None, out_names=None,
                 shape_func=None, capture_by_value=False, whitelisted_stateful_ops=None, capture_resource_var_by_value=True,
                 **kwargs):
        self._func, self._func_name, self._grad_func = func, func_name, grad_func
        self._python_grad_func, self._out_names, self._shape_func = python_grad_func, out_names, shape_func
        self._by_value, self._whitelist = capture_by_value, whitelisted_stateful_ops or set()
        self._resources_by_value, self._kwargs = capture_resource_var_by_value, kwargs
        self._types = [dtypes.as_dtype(t) for t in input_types]
        self._names = [argnames[i] if i < len(argnames) else "arg%d" % i for i in range(len(self._types))]
        self._definition = self.graph = None
        device_functions = get_default_graph()._device_functions
        self._caller_device = device_functions[-1] if device_functions else None

    declared_input_types = property(lambda self: self._types)
    python_grad_func = property(lambda self: self._python_grad_func)
    grad_func_name = property(lambda self: self._grad_func.name if self._grad_func else None)

    @property
    def name(self):
        self._make()
        return self._func_name

    @property
    def definition(self):
        self._make()
        return self._definition

    @property
    def captured_inputs(self):
        self._make()
        return self.graph.extra_inputs

    @property
    def stateful_ops(self):
        self._make()
        return [(op.name, op.type) for op in self.graph.get_operations()
                if self.graph._builder.get_node_flags(op._index) & functions.STATEFUL]

    def set_grad_func(self, grad_func):
        self._grad_func = grad_func

    def _traced(self):
        name = self._func_name or functions.function_name(self._func)
        graph = DefunGraph(name, self)
        around = graph.outer_graph._collections
        for key in scope_lib.SHARED_KEYS:
            graph._collections[key] = around.setdefault(key, [])
        with graph.as_default(), graph_lib.device(self._caller_device):
            for arg_name, kind in zip(self._names, self._types):
                graph.inputs.append(ops.apply_op("Placeholder", dtype=kind, shape=None, name=arg_name))
            with scope_lib.variable_scope("", custom_getter=graph.getvar):
                outputs = self._func(*graph.inputs)
            outputs = [] if outputs is None else outputs if isinstance(outputs, (list, tuple)) else (outputs,)
            if any(t is None for t in outputs):
                raise ValueError("Function %s can not return None." % name)
            outputs = [ops.convert_to_tensor(t) for t in outputs]
            graph.outputs = [graph.capture(t) for t in outputs]
        return graph

    def _make(self):
        if self._definition is not None:
            return
        self.graph = graph = self._traced()
        base = self._func_name
        if base is None:
            base = functions.function_name(self._func)
            if self._grad_func:
                base += "_%s" % self._grad_func.name
        made = functions.to_function_def(graph, "", graph.inputs, graph.outputs, output_names=self._out_names,
                                         with_shapes=False)
        if self._func.__doc__:
            made.signature.description = self._func.__doc__
        if self._func_name is None:
            self._func_name = "%s_%s" % (base, function_hash.hash_text(made))
        made.signature.name = self._func_name
        for key, value in _kwargs_attrs(base, **self._kwargs).items():
            made.attr[key].CopyFrom(value)
        self._definition = made

    def add_to_graph(self, graph):
        self._make()
        known = graph._functions.get(self.name)
        # With a function came those that it calls.
        for inner in self.graph._functions.values() if known is None else ():
            inner.add_to_graph(graph)
        if self._grad_func and self._python_grad_func is not None:
            raise ValueError("Gradient defined twice for function %s" % self.name)
        if isinstance(known, DefinedFunction) and known is not self and known._definition != self._definition:
            raise errors.InvalidArgumentError(None, None, "Cannot add function '%s' because a different function with the same "
                                              "name already exists." % self.name)
        if self._grad_func:
            self._grad_func.add_to_graph(graph)
        functions.add_definition(graph, self.name, self._definition, self, self.grad_func_name)

    def __call__(self, *args, **kwargs):
        graph = get_default_graph()
        self.add_to_graph(graph)
        inputs = [ops.convert_to_tensor(x) for x in args] + self.captured_inputs
        return call(graph, self, inputs, **kwargs)


class ImportedFunction:
    """A function of a file's library."""

    python_grad_func = _shape_func = None

    def __init__(self, definition, gradient):
        self.name, self.definition, self.grad_func_name = definition.signature.name, definition, gradient

    def add_to_graph(self, graph):
        functions.add_definition(graph, self.name, self.definition, self, self.grad_func_name)


def add_library(graph, library):
    """Puts a file's functions into a graph's library."""
    gradients = {g.function_name: g.gradient_func for g in library.gradient}
    for definition in library.function:
        ImportedFunction(definition, gradients.get(definition.signature.name)).add_to_graph(graph)


def call(graph, defined, inputs, name=None, **kwargs):
    """A node that calls a function."""
    signature = defined.definition.signature
    if len(inputs) != len(signature.input_arg):
        raise ValueError("Expected number of arguments: %d, received: %d" % (len(signature.input_arg), len(inputs)))
    for arg, value in zip(signature.input_arg, inputs):
        op_summary.check_argument(signature, arg, value, graph, name or signature.name)
    attr_list = Flow.AttrList.new()
    for key, value in _kwargs_attrs(signature.name, **kwargs).items():
        attr_list.set(key, attrs_lib.from_message(value))
    if defined.python_grad_func is not None:
        gradient_rules.add_called(graph, signature.name, _gradient)
    op = graph._add(signature.name, inputs, attr_list, name or signature.name)
    graph._memo.setdefault("called functions", {})[op._index] = defined
    if defined._shape_func is not None:
        shapes = defined._shape_func(op)
        if len(shapes) != len(op.outputs):
            raise ValueError("shape_func produced %d shapes for %d outputs" % (len(shapes), len(op.outputs)))
        for tensor, shape in zip(op.outputs, shapes):
            tensor.set_shape(shape)
    return (op.outputs[0] if len(op.outputs) == 1 else tuple(op.outputs)) if op.outputs else op


def _gradient(op, *grads):
    """Of a call: what Python says of it."""
    defined = op.graph._memo.get("called functions", {}).get(op._index) or op.graph._functions.get(op.type)
    if defined is None or defined.python_grad_func is None:
        raise LookupError("No gradient defined for operation '%s' (op type: %s)" % (op.name, op.type))
    return defined.python_grad_func(op, *grads)


class OverloadedFunction:
    """A Python function for arguments of any type: one function of the library for each."""

    def __init__(self, func, argnames, func_name=None, grad_func=None, python_grad_func=None, out_names=None, **kwargs):
        self._func, self._argnames, self._func_name, self._grad_func = func, argnames, func_name, grad_func
        self._python_grad_func, self._out_names, self._kwargs, self._overload = python_grad_func, out_names, kwargs, {}

    def instantiate(self, input_types):
        key = "".join(_TYPE_NAMES[dtypes.as_dtype(t).base_dtype.name] for t in input_types)
        defined = self._overload.get(key)
        if defined is None:
            name = None if self._func_name is None else "%s_%s" % (self._func_name, key)
            defined = DefinedFunction(self._func, self._argnames, input_types, name, None, self._python_grad_func,
                                      out_names=self._out_names, **self._kwargs)
            results = [dtypes.as_dtype(arg.type) for arg in defined.definition.signature.output_arg]
            if self._grad_func:
                defined._grad_func = self._grad_func.instantiate(list(input_types) + results)
            self._overload[key] = defined
        return defined

    def __call__(self, *args, **kwargs):
        args = [x if isinstance(x, Tensor) else ops.convert_to_tensor(x) for x in args]
        return self.instantiate([x.dtype for x in args])(*args, **kwargs)


class Defun:
    """@Defun(types...): the function that is decorated becomes one of the library of the graphs that call it."""

    def __init__(self, *input_types, **kwargs):
        self._types = input_types
        self._func_name = kwargs.pop("func_name", None)
        self._grad_func, self._python_grad_func = kwargs.pop("grad_func", None), kwargs.pop("python_grad_func", None)
        self._out_names, self._kwargs = kwargs.pop("out_names", None), kwargs

    def __call__(self, func):
        if not callable(func):
            raise ValueError("function %s must be callable" % func)
        spec = inspect.getfullargspec(func)
        if spec.varkw or spec.defaults:
            raise ValueError("function with argument defaults or keywords arguments are not supported. {} has defaults {} and "
                             "keywords {}.".format(func, spec.defaults, spec.varkw))
        names, fewest = spec.args, len(spec.args)
        most = 1000000 if spec.varargs else fewest
        if inspect.ismethod(func):
            fewest, names = fewest - 1, names[1:]
        settings = (self._func_name, self._grad_func, self._python_grad_func)
        if self._types:
            if not fewest <= len(self._types) <= most:
                raise ValueError("The function has fewer arguments than the number of specified input types.")
            return DefinedFunction(func, names, self._types, *settings, out_names=self._out_names, **self._kwargs)
        if fewest == most == 0:
            return DefinedFunction(func, [], [], *settings, out_names=self._out_names, **self._kwargs)
        return OverloadedFunction(func, names, *settings, out_names=self._out_names, **self._kwargs)


def _current(attribute):
    graph = get_default_graph()
    return getattr(graph, attribute) if isinstance(graph, DefunGraph) else []


def get_extra_vars():
    return _current("extra_vars")


def get_extra_inputs():
    return _current("extra_inputs")


def get_extra_args():
    return _current("extra_args")
