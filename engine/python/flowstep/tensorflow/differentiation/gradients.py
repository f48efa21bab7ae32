# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.gradients over the builder's rules."""

import contextlib

from .. import dtypes
from ..framework import graph as graph_lib, ops
from ..framework._engine import Flow, GLib
from ..framework.graph import Tensor, get_default_graph
from ..framework.ops import IndexedSlices
from ..operators import array_ops
from ..state import variables
from . import gradient_rules
from .gradient_rules import FOREIGN

_NONE = (1 << 64) - 1
_OTHER = 1 << 30
GATE, COLOCATE, TREE, ACCUMULATE = 1, 2, 4, 8


# What rules raise, by the code the engine gives it.
_KINDS = {12: LookupError, 9: NotImplementedError}
# What Python's own errors begin with.
_WORDS = {"Second-order gradient": TypeError, "Incompatible types: <": TypeError, "'NoneType' object": AttributeError}


def _kind_of(error):
    return next((kind for words, kind in _WORDS.items() if error.message.startswith(words)),
                _KINDS.get(error.code, ValueError))


class AggregationMethod:
    ADD_N = DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


class UnconnectedGradients:
    NONE, ZERO = "none", "zero"


def _as_list(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def _source(x, name=None):
    """What is differentiated by: a variable's own op, not a reading of it."""
    if isinstance(x, variables.ResourceVariable):
        return x.handle
    if isinstance(x, variables.RefVariable):
        return x._variable
    return ops.internal_convert_to_tensor(x, name=name, as_ref=True)


def _check_start(y, given):
    """Whether that may be what differentiating y begins with."""
    if given is None:
        if y.dtype.is_complex:
            raise TypeError("Gradients of complex tensors must set grad_ys (y.dtype = %r)" % y.dtype)
        if not (y.dtype.is_floating or y.dtype.is_integer or y.dtype == dtypes.variant or y.dtype == dtypes.resource):
            raise TypeError("Expected %s, got 1 of type 'int' instead." % y.dtype.name)
        return
    if (y.dtype.is_floating or y.dtype.is_integer) and not (given.dtype.is_floating or given.dtype.is_integer):
        raise TypeError("Gradient type %s generated for real or integer-valued tensor %s with type %s must be real or "
                        "integer" % (given.dtype.name, y, y.dtype.name))
    if y.dtype.is_complex and not given.dtype.is_complex:
        raise TypeError("Gradient type %s generated for complex-valued tensor %s with type %s must be real" %
                        (given.dtype.name, y, y.dtype.name))


def is_trainable_dtype(dtype):
    return dtype.base_dtype.name in ("float16", "float32", "float64", "complex64", "complex128", "resource", "variant")


def is_trainable(tensor):
    """Whether gradients go through a tensor."""
    return is_trainable_dtype(tensor.dtype)


def handle_dtype(tensor):
    """What zeros for a tensor are made of; for a resource what its variable has."""
    if tensor.dtype != dtypes.resource:
        return tensor.dtype.base_dtype
    known = tensor.graph._builder.get_handle_dtype(tensor._output)
    return dtypes.as_dtype(known) if known else dtypes.float32


def gradients(ys, xs, grad_ys=None, name="gradients", colocate_gradients_with_ops=False, gate_gradients=False,
              aggregation_method=None, stop_gradients=None, unconnected_gradients="none"):
    ys, xs = _as_list(ys), _as_list(xs)
    stop_gradients = [] if stop_gradients is None else _as_list(stop_gradients)
    graph = ops.graph_of(ys + xs)
    flags = (GATE if gate_gradients else 0) | (COLOCATE if colocate_gradients_with_ops else 0)
    with _taking_scope(name):
        if any(x is None for x in ys + xs):
            raise AttributeError("'NoneType' object has no attribute 'op'")
        if aggregation_method not in (None, 0, 1, 2):
            raise ValueError("Invalid aggregation_method specified %s." % aggregation_method)
    flags |= {1: TREE, 2: ACCUMULATE}.get(aggregation_method, 0)
    return _differentiate(graph, _outside(graph, ys + xs), ys, xs, grad_ys, name, flags, stop_gradients, unconnected_gradients)


def _outside(graph, tensors):
    """The graph that all of them are in where that is not the one that is built, as when a function asks for gradients of
    what stands around it."""
    graphs = {tensor.graph for tensor in tensors if isinstance(tensor, Tensor)}
    return graphs.pop() if len(graphs) == 1 and graph not in graphs else None


def gradients_of_body(ys, xs, grad_ys, source, unconnected="none"):
    """The gradients of what is in the graph source, made in the default graph."""
    return _differentiate(get_default_graph(), source, ys, xs, grad_ys, "gradients", 0, [], unconnected)


class _Outputs:
    """Tensors as the builder knows them while it differentiates, those of other graphs by number."""

    def __init__(self, graph, source):
        self._graph, self._source, self._others = graph, source, []

    def of(self, tensor):
        if tensor.graph is self._graph:
            return tensor._output
        self._others.append(tensor)
        return (FOREIGN | _OTHER | len(self._others) - 1) << 32

    def parts_of(self, grad):
        if grad is None:
            return [_NONE] * 3
        if not isinstance(grad, IndexedSlices):
            return [self.of(grad), _NONE, _NONE]
        return [self.of(grad.values), self.of(grad.indices), self.of(grad.dense_shape)]

    def capture(self, _, output, *rest):
        node = output >> 32
        try:
            with self._graph.as_default():
                tensor = self._others[node & ~(FOREIGN | _OTHER)] if node & _OTHER else \
                    self._source._tensor(output ^ FOREIGN << 32)
                return self._graph.capture(tensor)._output
        except BaseException as error:
            self._graph._rule_error = error
            return _NONE


@contextlib.contextmanager
def _differentiating(graph, source, outputs):
    """While it is open, what is differentiated in graph is of source."""
    before = graph.__dict__.get("_differentiated")

    def point_at(other):
        graph._differentiated = other
        if other is None:
            graph._builder.set_source(None, None)
        else:
            graph._builder.set_source(other[0]._builder, other[1].capture)

    if source is None and before is None:
        yield
        return
    point_at(None if source is None else (source, outputs))
    try:
        yield
    finally:
        point_at(before)


@contextlib.contextmanager
def _taking_scope(name):
    """TF: refuses within the scope, whose name is taken from then on."""
    try:
        yield
    except (AttributeError, TypeError, ValueError):
        with graph_lib.name_scope(name, "gradients"):
            pass
        raise


def _converted(ys, xs, grad_ys, scope):
    """What is differentiated, by what, and what that begins with, as tensors."""
    ys = [ops.convert_to_tensor(y, name="y_%d" % i) for i, y in enumerate(ys)]
    sources = [_source(x, "x_%d" % i) for i, x in enumerate(xs)]
    if len(grad_ys) != len(ys):
        with graph_lib.name_scope(scope, "gradients"):
            raise ValueError("Passed %d grad_ys for %d ys" % (len(grad_ys), len(ys)))
    made = [g if g is None else ops.internal_convert_to_tensor_or_indexed_slices(g, name="grad_y_%d" % i)
            for i, g in enumerate(grad_ys)]
    for y, given in zip(ys, made):
        try:
            _check_start(y, given)
        except TypeError:
            # TF: refuses within the scope, whose name is taken from then on.
            with graph_lib.name_scope(scope, "gradients"):
                if given is None and not y.dtype.is_complex:
                    array_ops.shape(y)
            raise
    return ys, sources, made


def _differentiate(graph, source, ys, xs, grad_ys, name, flags, stop_gradients, unconnected):
    if str(getattr(unconnected, "value", unconnected)) not in ("none", "zero"):
        raise ValueError("Unknown value for unconnected_gradients: %r" % unconnected)
    grad_ys = [None] * len(ys) if grad_ys is None else _as_list(grad_ys)
    if all(isinstance(t, (Tensor, variables.Variable, IndexedSlices)) for t in ys + xs + [g for g in grad_ys if g is not None]):
        ys, sources, grad_ys = _converted(ys, xs, grad_ys, name)
    else:
        # What has to be made of them is made in the scope.
        with graph_lib.name_scope(name, "gradients") as name:
            ys, sources, grad_ys = _converted(ys, xs, grad_ys, name)
    found = [x if source is not None else graph.stand_in(x) for x in sources]
    known = [x for x in found if x is not None]
    outputs = _Outputs(graph, source)
    given = [part for g in grad_ys for part in outputs.parts_of(g)] if any(g is not None for g in grad_ys) else []
    stops = [_source(s).op._index for s in stop_gradients]
    first = graph._builder.get_n_nodes()
    gradient_rules.offer(graph, source)
    try:
        with _differentiating(graph, source, outputs):
            made = graph._builder.add_gradients([y._output for y in ys], given, [x._output for x in known], stops, name,
                                                Flow.GradientFlags(flags))
            made = [None if m == _NONE else gradient_rules.tensor_of(graph, m) for m in made]
    except GLib.Error as error:
        gradient_rules.raise_own(graph)
        raise _kind_of(error)(error.message) from None
    graph._note_made(first)
    results, made = [], iter(made)
    for x, stand_in in zip(sources, found):
        values, indices, shape = (None, None, None) if stand_in is None else (next(made), next(made), next(made))
        if values is None:
            results.append(_unconnected(x) if unconnected in ("zero", UnconnectedGradients.ZERO) else None)
        else:
            results.append(values if indices is None else IndexedSlices(values, indices, shape))
    return results


def _unconnected(x):
    if x.dtype == dtypes.resource:
        own = next((v for v in variables.global_variables() + variables.local_variables() if getattr(v, "handle", None) is x), None)
        shape = ops.apply_op("VariableShape", input=x) if own is None or not own.shape.is_fully_defined() else \
            ops.constant(own.shape.as_list(), dtypes.int32)
        return array_ops.zeros(shape, dtype=handle_dtype(x))
    return array_ops.zeros_like(x, dtype=x.dtype.base_dtype)


def hessians(ys, xs, name="hessians", colocate_gradients_with_ops=False, gate_gradients=False, aggregation_method=None):
    from ..control import loops, tensor_array
    xs = _as_list(xs)
    options = dict(colocate_gradients_with_ops=colocate_gradients_with_ops, gate_gradients=gate_gradients,
                   aggregation_method=aggregation_method)
    results = []
    for gradient, x in zip(gradients(ys, xs, **options), xs):
        gradient = array_ops.reshape(gradient, [-1])
        n = array_ops.size(x)
        first = [ops.constant(0, dtypes.int32), tensor_array.TensorArray(x.dtype, n)]
        _, rows = loops.while_loop(
            lambda j, _: j < n,
            lambda j, result: (j + 1, result.write(j, gradients(gradient[j], x)[0])), first)
        shape = array_ops.shape(x)
        results.append(array_ops.reshape(rows.stack(), array_ops.concat((shape, shape), 0)))
    return results
