# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Functions of the script as ops (tf.py_func, tf.numpy_function): they run here, where the script runs."""

import threading
import traceback
import weakref

import numpy as np

from .. import dtypes, errors
from ..differentiation import gradient_rules, gradients as gradients_lib
from ..framework._engine import to_numpy, to_tensor
from ..framework.graph import Graph, control_dependencies, get_default_graph
from ..framework.ops import constant, convert_to_tensor, make_op
from . import array_ops

_lock, _functions, _next = threading.Lock(), weakref.WeakValueDictionary(), [0]
_local = threading.local()


class _Kept:
    """A function that lives as long as the graph that calls it."""

    def __init__(self, function):
        self.function = function


def _register(function):
    kept = _Kept(function)
    with _lock:
        token = "pyfunc_%d" % _next[0]
        _next[0] += 1
        # TF: registered weakly, which not every callable allows (a numpy.ufunc does not).
        weakref.ref(function)
        _functions[token] = kept
    graph = get_default_graph()
    while getattr(graph, "outer_graph", None) is not None:
        graph = graph.outer_graph
    graph._memo.setdefault("script functions", []).append(kept)
    return token


def py_func(func, inp, Tout, stateful=True, name=None):
    if not callable(func):
        raise ValueError("Expected func to be callable, got func of type {}".format(type(func)))
    return _calling("PyFunc" if stateful else "PyFuncStateless", func, inp, Tout, name)


def _calling(op_type, func, inp, Tout, name):
    """The outputs of an op that calls the function; where it has none the op, if that is there for its effects."""
    many = isinstance(Tout, (list, tuple))
    made = make_op(op_type, input=list(inp) if isinstance(inp, tuple) else inp, token=_register(func),
                   Tout=list(Tout) if many else [Tout], name=name)
    if not made.outputs and op_type != "PyFuncStateless":
        return made
    return list(made.outputs) if many else made.outputs[0]


def py_function(func, inp, Tout, name=None):
    """A function of tensors that have values: ops in it are done at once, in a graph of its own."""
    kinds = list(Tout) if isinstance(Tout, (list, tuple)) else [Tout]
    return _calling("EagerPyFunc", _AtOnce(func, kinds), inp, Tout, name)


class _ValueGraph(Graph):
    """A graph whose tensors know their values: numpy(), and what is true."""

    def __init__(self):
        super().__init__()
        self.session = None

    def value(self, tensor):
        from ..sessions.session import Session
        if self.session is None:
            self.session = Session(graph=self)
        return self.session.run(tensor)


class _AtOnce:
    """A function whose ops are done when it is called, and their gradient, as of the last call."""

    def __init__(self, func, kinds):
        self._func, self._kinds, self._last = func, kinds, None

    def __call__(self, *values):
        graph = _ValueGraph()
        with graph.as_default():
            inputs = [constant(value) for value in values]
            found = self._func(*inputs)
            found = list(found) if isinstance(found, (list, tuple)) else [] if found is None else [found]
            outputs = [convert_to_tensor(value, dtype=kind) for value, kind in zip(found, self._kinds)]
        self._last = graph, inputs, outputs
        return [graph.value(tensor) for tensor in outputs]

    def gradient(self, *given):
        graph, inputs, outputs = self._last
        with graph.as_default():
            made = gradients_lib.gradients(outputs, inputs, grad_ys=[constant(value) for value in given])
            made = [array_ops.zeros_like(x) if g is None else convert_to_tensor(g) for g, x in zip(made, inputs)]
        return [graph.value(tensor) for tensor in made]


def _gradient_of_eager(op, *given):
    function = _functions[op.get_attr("token").decode()].function
    with control_dependencies(op.outputs):
        return _calling("EagerPyFunc", function.gradient, given, [tensor.dtype for tensor in op.inputs], None)


gradient_rules.add_own(("EagerPyFunc",), _gradient_of_eager)


def numpy_function(func, inp, Tout, name=None):
    return py_func(func, inp, Tout, stateful=True, name=name)


def convert(value, dtype=None):
    """An array of what a function gave."""
    array = np.asarray(value, dtype=dtype, order="C")
    if array.dtype.kind == "U" and array is value:
        # TF: what is an array of text already becomes ASCII.
        return array.astype(np.bytes_).astype(object)
    if array.dtype.kind == "U":
        return np.array([str(v).encode("utf-8") for v in array.ravel()], object).reshape(array.shape)
    if array.dtype.kind == "S":
        return array.astype(object)
    return array


_CODES = ((StopIteration, errors.OUT_OF_RANGE), ((ValueError, TypeError), errors.INVALID_ARGUMENT),
          (MemoryError, errors.RESOURCE_EXHAUSTED), (NotImplementedError, errors.UNIMPLEMENTED))


def _values(tensor):
    array = to_numpy(tensor)
    if array.ndim == 0:
        return array.item() if array.dtype == object else array[()]
    return array


def is_called():
    """Whether this thread is in a function that an op has called: the engine waits for it."""
    return getattr(_local, "depth", 0) > 0


def _stack(error):
    """The stack as TensorFlow tells it: a line apart, and without the marks that later Pythons put below them."""
    lines = "".join(part + "\n" for part in traceback.format_exception(type(error), error, error.__traceback__)).split("\n")
    return "\n".join(line for line in lines if not line.strip() or line.strip("\t ~^"))


def answer(call, _=None):
    """Runs the function that a call asks for; what it raises becomes the op's error."""
    kept = _functions.get(call.get_token())
    _local.depth = getattr(_local, "depth", 0) + 1
    try:
        if kept is None:
            raise ValueError("callback %s is not found" % call.get_token())
        result = kept.function(*[_values(t) for t in call.dup_inputs()])
        result = list(result) if isinstance(result, (tuple, list)) else [] if result is None else [result]
        if len(result) != call.get_n_outputs():
            call.fail(errors.INVALID_ARGUMENT, "%s returns %d values, but expects to see %d values." % (
                call.get_token(), len(result), call.get_n_outputs()))
            return
        for value in result:
            array = convert(value)
            if array.dtype.kind == "V" and array.dtype.names:
                call.fail(errors.INTERNAL, "Unsupported numpy data type")
                return
            if array.dtype == object and not all(isinstance(v, (str, bytes)) for v in array.ravel()):
                call.fail(errors.INTERNAL, "Unsupported object type %s" % type(array.ravel()[0]).__name__)
                return
            kind = dtypes.string if array.dtype == object else dtypes.as_dtype(array.dtype)
            call.add_output(to_tensor(np.array(array), kind))
    except Exception as error:
        code = next((c for kinds, c in _CODES if isinstance(error, kinds)), errors.UNKNOWN)
        text = "%s: %s\n%s" % (type(error).__name__, error, _stack(error))
        call.fail(code, text)
    finally:
        _local.depth -= 1


def attach(engine):
    """Lets a session's ops reach this interpreter."""
    engine.set_script(answer, None)
