# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.function: a Python function as a function of the graph's library, one for each kind of arguments."""

import functools
import inspect
import types
import weakref

import numpy as np

from .. import nest
from ..framework import converted, graph as graph_lib, ops, proto
from ..framework.graph import Tensor, get_default_graph
from ..framework.structure import TensorSpec
from ..state.variables import Variable
from . import concrete_functions, lifted_variables
from .concrete_functions import ConcreteFunction


class FunctionSpec:
    """Which arguments a function has, and of which types they are where that was said."""

    def __init__(self, function, input_signature):
        self.fullargspec = inspect.getfullargspec(function)
        is_method = inspect.ismethod(function)
        self.arg_names, self.vararg_name = self.fullargspec.args[is_method:], self.fullargspec.varargs
        defaults = self.fullargspec.defaults or ()
        first = len(self.arg_names) - len(defaults)
        self._defaults = {first + i: value for i, value in enumerate(defaults)}
        self.input_signature = None
        if input_signature is None:
            return
        if self.fullargspec.kwonlyargs:
            raise ValueError("Cannot define a TensorFlow function from a Python function with keyword arguments when "
                             "input_signature is provided.")
        if not isinstance(input_signature, (tuple, list)):
            raise TypeError("input_signature must be either a tuple or a list, received " + str(type(input_signature)))
        self.input_signature = tuple(input_signature)

    def _check_signature(self, args, kwargs):
        most = len(self.input_signature)
        if len(args) > most:
            raise TypeError("When input_signature is provided, only pass arguments covered by it. Received %d argument(s)." %
                            len(args))
        for key in kwargs:
            if key not in self.arg_names:
                raise TypeError("Function got an unexpected keyword argument %s" % key)
            if self.arg_names.index(key) >= most:
                raise TypeError("When input_signature is provided, only pass arguments covered by it. Received argument %s." %
                                key)

    def canonical(self, args, kwargs):
        """(arguments by place, by name): by place where the function has a place for them, defaults filled in."""
        if self.input_signature is not None:
            self._check_signature(args, kwargs)
        placed = {i: value for i, value in self._defaults.items() if i >= len(args)}
        rest = {}
        for key, value in kwargs.items():
            if key in self.arg_names:
                placed[self.arg_names.index(key)] = value
            else:
                rest[key] = value
        inputs = tuple(args) + tuple(placed[i] for i in sorted(placed))
        if self.input_signature is None:
            return nest.map_structure(_of_numpy, inputs, expand_composites=True), rest
        return self._converted(inputs), {}

    def _told(self, what, inputs):
        return "%s:\n  inputs: (\n    %s)\n  input_signature: (\n    %s)" % (
            what, ",\n    ".join(str(i) for i in inputs), ",\n    ".join(str(i) for i in self.input_signature))

    def _converted(self, inputs):
        specs = nest.flatten(self.input_signature, True)
        try:
            flat = nest.flatten_up_to(self.input_signature, inputs[:len(self.input_signature)])
        except (ValueError, TypeError):
            raise ValueError(self._told("Structure of Python function inputs does not match input_signature", inputs)) from None
        made = []
        for spec, value in zip(specs, flat):
            if isinstance(spec, TensorSpec) and not isinstance(value, (Tensor, TensorSpec)):
                try:
                    value = ops.convert_to_tensor(value, preferred_dtype=spec.dtype)
                except ValueError:
                    raise ValueError(self._told("When input_signature is provided, all inputs to the Python function must be "
                                                "convertible to tensors", inputs)) from None
            made.append(value)
        if any(not spec.is_compatible_with(value) for spec, value in zip(specs, made)):
            raise ValueError(self._told("Python inputs incompatible with input_signature", inputs))
        return nest.pack_sequence_as(self.input_signature, made, expand_composites=True)


def _of_numpy(value):
    return ops.constant(value) if isinstance(value, np.ndarray) else value


def _key(value):
    """What arguments have to have in common for one trace."""
    if isinstance(value, Tensor):
        shape = value.shape
        return "tensor", value.dtype, None if shape.ndims is None else tuple(shape.as_list())
    if isinstance(value, TensorSpec):
        return "tensor", value.dtype, None if value.shape.ndims is None else tuple(value.shape.as_list())
    if isinstance(value, Variable):
        return "variable", id(value)
    try:
        hash(value)
        return type(value), value
    except TypeError:
        return type(value), id(value)


def _structure(value):
    """The form of an argument, without its leaves."""
    if isinstance(value, dict):
        return "dict", tuple((key, _structure(value[key])) for key in sorted(value))
    return (type(value).__name__, tuple(_structure(v) for v in value)) if isinstance(value, (list, tuple)) else None


class _Traces:
    """The traces of a Python function, in each graph those of different arguments."""

    def __init__(self, function, name, spec, autograph, creator, attrs):
        self._function, self._name, self._spec, self._autograph = function, name, spec, autograph
        self._creator, self._attrs, self._cache, self.before_first = creator, attrs, {}, None

    def _call(self, function, *args, **kwargs):
        with variables_made_by(self._creator):
            if self._autograph and not converted.is_own(function):
                return converted.call(function, *args, **kwargs)
            return function(*args, **kwargs)

    def get(self, args, kwargs):
        """(the trace, arguments by place, by name)."""
        args, kwargs = self._spec.canonical(args, kwargs)
        with graph_lib.init_scope():
            outermost = get_default_graph()
        if self._spec.input_signature is not None:
            args, seen = self._spec.input_signature, args
        else:
            seen = args
        key = (id(outermost), tuple(_key(v) for v in nest.flatten((args, kwargs), True)), _structure((args, kwargs)))
        if key not in self._cache:
            before, self.before_first = self.before_first, None
            if before is not None:
                before()
            # The graph is kept, so that no other one has its number.
            self._cache[key] = (self._traced(args, kwargs), outermost)
        return self._cache[key][0], seen, kwargs

    def _traced(self, args, kwargs):
        names = list(self._spec.arg_names[:len(args)])
        names += ["%s_%d" % (self._spec.vararg_name, i) for i in range(len(args) - len(names))]
        graph = concrete_functions.trace(self._name, self._function, args, kwargs, names, self._call)
        keywords = [t.op.name for t in graph.explicit_inputs]
        n_positional = len([v for v in nest.flatten(args, True) if isinstance(v, (Tensor, TensorSpec, Variable))])
        return ConcreteFunction(graph, self._attrs, arg_keywords=keywords, n_positional=n_positional)

    def __call__(self, args, kwargs):
        traced, args, kwargs = self.get(args, kwargs)
        return traced.filtered_call(args, kwargs)


def variables_made_by(creator):
    from ..state import scope
    return scope.variable_creator_scope(creator)


def _refuse_variables(next_creator, **kwargs):
    raise ValueError("tf.function-decorated function tried to create variables on non-first call.")


class Function:
    """What tf.function makes of a Python function."""

    def __init__(self, python_function, name, input_signature=None, autograph=True, experimental_compile=None):
        self._python_function, self._name, self._autograph = python_function, name, autograph
        self._spec, self._signature = FunctionSpec(python_function, input_signature), input_signature
        self._attrs = {} if experimental_compile is None else {"_XlaCompile": proto.AttrValue(b=bool(experimental_compile))}
        self._created, self._first, self._others = [], None, None
        self._bound = weakref.WeakKeyDictionary()
        functools.update_wrapper(self, python_function)

    python_function = property(lambda self: self._python_function)
    input_signature = property(lambda self: self._spec.input_signature)
    function_spec = property(lambda self: self._spec)

    def _traces(self, creator):
        return _Traces(self._python_function, self._name, self._spec, self._autograph, creator, self._attrs)

    def _create(self, next_creator, **kwargs):
        """Variables are those of the graph around, of the first trace alone."""
        self._created.append(lifted_variables.make(**kwargs))
        return self._created[-1]

    def _begin(self, args, kwargs):
        self._first = self._traces(self._create)
        self._first.before_first = graph_lib.uid   # TF: of a graph for initial values, which stays empty
        # TF: where there is a signature the trace is of that, whatever the call is given.
        traced = self._first.get(args, kwargs)[0] if self.input_signature is None else \
            self._first.get(self.input_signature, {})[0]
        self._others = self._traces(_refuse_variables)
        return traced

    def _note_initialization(self):
        """TF: the variables that were made are given values by a function, which in a graph has none to give."""
        with graph_lib.init_scope():
            graph = concrete_functions.trace("initialize_variables", None, (), {}, (), lambda _: None)
            ConcreteFunction(graph).filtered_call((), {})

    def __call__(self, *args, **kwargs):
        if _eagerly[0]:
            return self._python_function(*args, **kwargs)
        if self._created:
            return self._others(args, kwargs)
        if self._first is not None:
            result = self._first(args, kwargs)
            if self._created:
                raise ValueError("Creating variables on a non-first call to a function decorated with tf.function.")
            return result
        traced = self._begin(args, kwargs)
        if self._created:
            self._note_initialization()
            return self._others(args, kwargs)
        return traced.filtered_call(*self._spec.canonical(args, kwargs))

    def get_concrete_function(self, *args, **kwargs):
        if self.input_signature is not None and not args and not kwargs:
            args = self.input_signature
        if self._first is None:
            self._begin(args, kwargs)
            self._note_initialization()
        return (self._others if self._created else self._first).get(args, kwargs)[0]

    def __get__(self, instance, owner):
        if instance is None:
            return self
        if instance not in self._bound:
            method = types.MethodType(self._python_function, instance)
            self._bound[instance] = Function(method, self._name, self._signature, self._autograph)
        return self._bound[instance]


# Whether functions are called as they are.
_eagerly = [False]


def experimental_run_functions_eagerly(run_eagerly):
    """Functions are called as they are, so that what they make stands in the graph itself."""
    _eagerly[0] = bool(run_eagerly)


def _check_signature(signature):
    if not all(isinstance(spec, TensorSpec) for spec in nest.flatten(signature, True)):
        raise TypeError("Invalid input_signature %s; input_signature must be a possibly nested sequence of TensorSpec "
                        "objects." % (signature,))


def function(func=None, input_signature=None, autograph=True, experimental_autograph_options=None,
             experimental_relax_shapes=False, experimental_compile=None):
    """@tf.function: calls of the function become ops that call one of the graph's library."""
    if input_signature is not None:
        _check_signature(input_signature)

    def decorated(inner):
        return Function(inner, getattr(inner, "__name__", "function"), input_signature, autograph, experimental_compile)
    return decorated if func is None else decorated(func)
