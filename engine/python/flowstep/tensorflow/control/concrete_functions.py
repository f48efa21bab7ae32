# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Functions of certain arguments, as tf.function and tf.wrap_function make them: a graph, calls of it and their gradients."""

from .. import nest
from ..differentiation import gradient_rules, gradients
from ..framework import graph as graph_lib
from ..framework import ops, proto, tensor_shape
from ..framework.graph import Operation, Tensor, get_default_graph
from ..framework.structure import TensorSpec
from ..operators import array_ops
from ..saving import importer
from ..state import scope, variables
from . import bodies, func_graph, functions
from .func_graph import FuncGraph

# TF: of the Python process (its devices, and that others may be taken), and of calls that give nothing (no rewriting).
_CONFIG = b"\n\x07\n\x03GPU\x10\x00\n\x07\n\x03CPU\x10\x012\x02J\x008\x01"
_UNREWRITTEN = b"R\x05R\x03\x98\x01\x01"


# -- tracing

def _placeholder(graph, value, name):
    """What stands for an argument: a tensor for a tensor, the variable itself with its handle as an argument."""
    if isinstance(value, variables.ResourceVariable):
        graph.capture(value.handle, name=name)
        return value
    if not isinstance(value, (Tensor, TensorSpec)):
        return value
    if isinstance(value, TensorSpec) and value.name:
        name = value.name
    made = ops.apply_op("Placeholder", dtype=value.dtype.base_dtype, shape=value.shape, name=name or "placeholder")
    if isinstance(value, Tensor):
        func_graph.copy_handle_data(value, made)
    return made


def _arguments(graph, values, names):
    return [nest.map_structure(lambda v, name=name: _placeholder(graph, v, name), value, expand_composites=True)
            for value, name in zip(values, names)]


def _result(value, function, in_order):
    """What a function gave, as a tensor."""
    from . import control_flow
    if value is None or control_flow.is_tensor_array(value):
        return value
    if isinstance(value, Operation):
        with graph_lib.control_dependencies([value]):
            value = array_ops.identity(ops.constant(0, name="Const"))
    try:
        value = ops.convert_to_tensor(value)
    except (ValueError, TypeError):
        raise TypeError("To be compatible with tf.contrib.eager.defun, Python functions must return zero or more Tensors; in "
                        "compilation of %s, found return value of type %s, which is not a Tensor." %
                        (str(function), type(value))) from None
    return array_ops.identity(value) if in_order else value


def _inputs(graph, given):
    """Tensors and the handles of variables that were given, then what was captured."""
    explicit = []
    for value in nest.flatten(given, True):
        if isinstance(value, variables.ResourceVariable):
            explicit.append(graph.capture(value.handle))
        elif isinstance(value, Tensor):
            explicit.append(value)
    return explicit, [inner for _, inner in graph.captures if not any(inner is e for e in explicit)]


def trace(name, function, args, kwargs, arg_names, call, in_order=True, collections=None):
    """A FuncGraph of call (function, ...) of the arguments, whose effects happen in order."""
    graph = FuncGraph(name, collections)
    graph.orders_effects = in_order
    with graph.as_default():
        current = scope.get_variable_scope()
        use_resource = current.use_resource
        current.set_use_resource(True)
        try:
            given = _arguments(graph, args, arg_names)
            keywords = dict(zip(sorted(kwargs), _arguments(graph, [kwargs[k] for k in sorted(kwargs)], sorted(kwargs))))
            result = call(function, *given, **keywords)
            result = nest.map_structure(lambda v: _result(v, function, in_order), result, expand_composites=True)
        finally:
            current.set_use_resource(use_resource)
        graph.structured_outputs = result
        graph.outputs.extend(graph.capture(t) for t in bodies.flatten(result))
        graph.explicit_inputs, captured = _inputs(graph, (given, keywords))
        graph.inputs = graph.explicit_inputs + captured
        if in_order:
            graph.control_outputs.extend(functions.order_effects(graph, 0, graph.outputs))
    return graph


# -- functions of the library

class _Definition:
    """A graph as a function of the library, under a name of its own."""

    def __init__(self, name, graph, attrs):
        self.graph, self.outputs = graph, list(graph.outputs)
        definition = functions.to_function_def(graph, name, graph.inputs, self.outputs, graph.control_outputs)
        for key, value in attrs.items():
            definition.attr[key].CopyFrom(value)
        self.name, self.definition = name, definition
        self._function = functions.Function(name, definition, graph)
        self.is_stateful = bodies.is_stateful(graph)

    def add_to_graph(self, graph):
        self._function.add_to_graph(graph)

    def call(self, args):
        """The op that calls it."""
        self.add_to_graph(get_default_graph())
        with graph_lib.control_dependencies(self.graph.control_captures):
            op = ops.make_op("StatefulPartitionedCall" if self.is_stateful else "PartitionedCall", args=args,
                             Tout=[t.dtype.base_dtype for t in self.outputs], f=self.name,
                             config_proto=_CONFIG if self.outputs else _UNREWRITTEN, executor_type="",
                             name=None if self.outputs else "PartitionedFunctionCall")
        self.describe(op)
        return op

    def describe(self, op):
        for inner, outer in zip(self.outputs, op.outputs):
            outer.set_shape(inner.shape)
            func_graph.copy_handle_data(inner, outer)


def _named(kind, name):
    return "__%s_%s_%s" % (kind, name, graph_lib.uid())


def _text(key, value):
    return {key: proto.AttrValue(s=value.encode())}


class _Gradient:
    """How calls of a function are differentiated: they give more, which another function takes back."""

    def __init__(self, graph, attrs):
        self._graph, self._attrs, self._n_outputs = graph, attrs, len(graph.outputs)
        self._pairs, self._name = {}, None

    @property
    def name(self):
        """The gradient's type, of which calls say that they are."""
        if self._name is None:
            self._name = "PartitionedCall-%s" % graph_lib.uid()
            gradient_rules.add_own([self._name], self._rule)
        return self._name

    def _pair(self, count):
        if count not in self._pairs:
            self._pairs[count] = self._made(count)
        return self._pairs[count]

    def _made(self, count):
        forward = self._graph
        wanted = [t for t in forward.outputs[:count] if gradients.is_trainable(t)]
        specs = [TensorSpec(t.shape, t.dtype.base_dtype) for t in wanted]

        def back(_, *grad_ys):
            return gradients.gradients_of_body(wanted, forward.inputs, list(grad_ys), forward)
        with forward.as_default():
            backward = trace(_named("backward", forward.name), None, specs, {}, [None] * len(specs), back)
            known = list(forward.outputs)
            for outer in backward.external_captures:
                if outer.graph is forward and not any(outer is t for t in known):
                    known.append(outer)
        forward.outputs[:] = known
        name = _named("forward", forward.name)
        behind = ConcreteFunction(backward, dict(self._attrs, **_text("forward_function_name", name)))
        front = _Definition(name, forward, dict(self._attrs, **_text("backward_function_name", behind.text_name)))
        return front, behind

    def _rule(self, op, *grads):
        front, behind = self._pair(len(grads))
        if not behind.outputs:
            return [None] * len(op.inputs)
        front.add_to_graph(op.graph)
        op._set_attr("f", proto.AttrValue(func=proto.NameAttrList(name=front.name)))
        bodies.give_more_outputs(op, "Tout", front.outputs)
        front.describe(op)
        outside = dict(zip(self._graph.outputs, op.outputs))
        captured = [outside.get(t, t) for t in behind.captured_inputs]
        given = []
        for grad, output in zip(grads, self._graph.outputs):
            if gradients.is_trainable(output):
                given.append(array_ops.zeros_like(output) if grad is None else grad)
        made = behind._call_flat(given, captured)
        return made if isinstance(made, (list, tuple)) else [made]


class ConcreteFunction:
    """A function that was traced: called, it is one op."""

    def __init__(self, graph, attrs=None, signature=None, arg_keywords=None, n_positional=None):
        self._func_graph, self._signature = graph, signature
        self._arg_keywords, self._num_positional_args = arg_keywords, n_positional
        self._captured_inputs = [outer for outer, inner in graph.captures
                                 if not any(inner is e for e in graph.explicit_inputs)]
        attrs = attrs or {}
        self._definition = _Definition(_named("inference", graph.name), graph, attrs)
        self._gradient = _Gradient(graph, attrs)

    name = property(lambda self: self._definition.name.encode())
    text_name = property(lambda self: self._definition.name)
    graph = property(lambda self: self._func_graph)
    inputs = property(lambda self: self._func_graph.inputs)
    outputs = property(lambda self: self._func_graph.outputs)
    structured_outputs = property(lambda self: self._func_graph.structured_outputs)
    captured_inputs = property(lambda self: self._captured_inputs)
    function_def = property(lambda self: self._definition.definition)

    @property
    def output_shapes(self):
        return nest.map_structure(lambda x: getattr(x, "shape", tensor_shape.unknown_shape()), self.structured_outputs)

    @property
    def output_dtypes(self):
        return nest.map_structure(lambda x: None if x is None else x.dtype, self.structured_outputs)

    def add_to_graph(self, g=None):
        self._definition.add_to_graph(g or get_default_graph())

    def __call__(self, *args, **kwargs):
        if self._arg_keywords is None:
            if kwargs:
                raise NotImplementedError("Keyword arguments not supported when calling a wrap_function-decorated function.")
            return self._call_flat(args, self.captured_inputs)
        return self._call_flat(self._ordered(list(args), kwargs), self.captured_inputs)

    def _ordered(self, args, kwargs):
        if len(args) > self._num_positional_args:
            raise TypeError("Expected at most {} positional arguments (and the rest keywords, of {}), got {}. When calling a "
                            "concrete function, positional arguments may not be bound to Tensors within nested "
                            "structures.".format(self._num_positional_args, self._arg_keywords, tuple(args)))
        given = len(args)
        for keyword in self._arg_keywords[given:]:
            if keyword not in kwargs:
                known = list(self._arg_keywords[:len(args)]) + list(kwargs)
                raise TypeError("Expected argument names {} but got values for {}. Missing: {}.".format(
                    list(self._arg_keywords), known, list(set(self._arg_keywords) - set(known))))
            args.append(kwargs.pop(keyword))
        for key in kwargs:
            if key in self._arg_keywords[:given]:
                raise TypeError("Got two values for keyword '{}'.".format(key))
            raise TypeError("Keyword arguments {} unknown. Expected {}.".format(list(kwargs), list(self._arg_keywords)))
        return args

    def filtered_call(self, args, kwargs):
        """Called with what it was traced for: of that only tensors and variables count."""
        flat = nest.flatten((args, kwargs), True)
        return self._call_flat([v for v in flat if isinstance(v, (Tensor, variables.ResourceVariable))], self.captured_inputs)

    def _tensor(self, i, value):
        if isinstance(value, variables.ResourceVariable):
            return value.handle
        if isinstance(value, Tensor):
            expected = self.inputs[i].shape
            if not expected.is_compatible_with(value.shape):
                word = "'{}'".format(self._arg_keywords[i]) if self._arg_keywords else "with index {}".format(i)
                raise ValueError("The argument {} (value {}) is not compatible with the shape this function was traced with. "
                                 "Expected shape {}, but got shape {}.\n\nIf you called get_concrete_function, you may need "
                                 "to pass a tf.TensorSpec(..., shape=...) with a less specific shape, having None on axes "
                                 "which can vary.".format(word, value, expected, value.shape))
            return value
        if self._signature is not None and isinstance(self._signature[i], TensorSpec):
            return ops.convert_to_tensor(value, self._signature[i].dtype)
        raise ValueError("All inputs to `ConcreteFunction`s must be Tensors; on invocation of %s, the %d-th input (%s) was not "
                         "a Tensor." % (self._func_graph.name, i, str(value)))

    def _call_flat(self, args, captured):
        given = []
        for i, value in enumerate(args):
            tensor = self._tensor(i, value)
            if not (isinstance(value, variables.ResourceVariable) and any(tensor is t for t in given)):
                given.append(tensor)
        name = self._gradient.name
        with get_default_graph().gradient_override_map({"PartitionedCall": name, "StatefulPartitionedCall": name}):
            op = self._definition.call(given + list(captured))
        if not op.outputs:
            return op
        if self.structured_outputs is None:
            return op.outputs
        made = iter(op.outputs)
        leaves = [None if o is None else next(made) for o in nest.flatten(self.structured_outputs, True)]
        return nest.pack_sequence_as(self.structured_outputs, leaves, expand_composites=True)


# -- tf.wrap_function

class WrappedFunction(ConcreteFunction):
    """A function of TensorFlow 1, whose variables are made once."""

    def __init__(self, graph, signature):
        super().__init__(graph, signature=signature)

    def prune(self, feeds, fetches, name=None, input_signature=None):
        """The function of what was fed and fetched within this one."""
        given = [self.graph.as_graph_element(t) for t in nest.flatten(feeds, True)]
        if not all(isinstance(t, Tensor) for t in given):
            raise ValueError("Feeds must be tensors.")
        given = [t for t in given if not any(t is c for c in self.graph.internal_captures)]
        wanted = nest.map_structure(self.graph.as_graph_element, fetches)
        for t in given + nest.flatten(wanted):
            if t.graph is not self.graph:
                raise ValueError("Can only prune function whose feeds and fetches are from this graph (%s). Input %s is from "
                                 "graph %s" % (self.graph, t, t.graph))
        return WrappedFunction(self._pruned(given, wanted, name or "pruned"), None)

    def _pruned(self, given, wanted, name):
        from ..saving import graph_defs
        with get_default_graph().as_default():
            graph = FuncGraph(name, {})
        tensors = nest.flatten(wanted)
        needed = given + self.graph.internal_captures + tensors
        part = graph_defs.extract_sub_graph(self.graph.as_graph_def(), sorted({getattr(t, "op", t).name for t in needed}))
        with graph.as_default():
            importer.import_graph_def(part, name="")

        def inside(t):
            return graph.get_tensor_by_name(t.name) if isinstance(t, Tensor) else graph.get_operation_by_name(t.name)
        pairs = [(outer, inside(inner)) for outer, inner in self.graph.captures]
        for outer, inner in pairs:
            func_graph.copy_handle_data(outer, inner)
        graph.reset_captures(pairs)
        graph.explicit_inputs = [inside(t) for t in given]
        graph.inputs = graph.explicit_inputs + graph.internal_captures
        graph.outputs.extend(inside(t) for t in tensors if isinstance(t, Tensor))
        graph.control_outputs.extend(inside(t) for t in tensors if not isinstance(t, Tensor))
        graph.structured_outputs = nest.map_structure(lambda t: inside(t) if isinstance(t, Tensor) else None, wanted)
        return graph


def wrap_function(fn, signature, name=None):
    """A function of the library of fn, for arguments like those of the signature."""
    specs = list(signature)
    graph = trace("wrapped_function" + ("" if name is None else "_" + name), fn, specs, {}, [None] * len(specs),
                  lambda f, *arguments: f(*arguments), in_order=False, collections={})
    return WrappedFunction(graph, nest.flatten(signature))
