# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.gradients over the builder's rules."""

from . import array_ops, dtypes, gradient_rules, ops, variables
from ._engine import Flow, GLib
from .graph import script_stack
from .ops import IndexedSlices

_NONE = (1 << 64) - 1
GATE, COLOCATE, TREE, ACCUMULATE = 1, 2, 4, 8


# What rules raise, by the code the engine gives it.
_KINDS = {12: LookupError, 9: NotImplementedError}


class AggregationMethod:
    ADD_N = DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


class UnconnectedGradients:
    NONE, ZERO = "none", "zero"


def _as_list(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def _source(x):
    """What is differentiated by: a variable's own op, not a reading of it."""
    if isinstance(x, variables.ResourceVariable):
        return x.handle
    if isinstance(x, variables.RefVariable):
        return x._variable
    return ops.internal_convert_to_tensor(x, name="x", as_ref=True)


def _check_start(y, given):
    """Whether that may be what differentiating y begins with."""
    if given is None:
        if y.dtype.is_complex:
            raise TypeError("Gradients of complex tensors must set grad_ys (y.dtype = %r)" % y.dtype)
        if not (y.dtype.is_floating or y.dtype.is_integer or y.dtype == dtypes.variant or y.dtype == dtypes.resource):
            raise TypeError("Tensor %s with type %s must be numeric to obtain a default gradient" % (y, y.dtype.name))
        return
    given = ops.internal_convert_to_tensor_or_indexed_slices(given, name="grad_y")
    if (y.dtype.is_floating or y.dtype.is_integer) and not (given.dtype.is_floating or given.dtype.is_integer):
        raise TypeError("Gradient type %s generated for real or integer-valued tensor %s with type %s must be real or "
                        "integer" % (given.dtype.name, y, y.dtype.name))
    if y.dtype.is_complex and not given.dtype.is_complex:
        raise TypeError("Gradient type %s generated for complex-valued tensor %s with type %s must be real" %
                        (given.dtype.name, y, y.dtype.name))


def gradients(ys, xs, grad_ys=None, name="gradients", colocate_gradients_with_ops=False, gate_gradients=False,
              aggregation_method=None, stop_gradients=None, unconnected_gradients="none"):
    ys, xs = _as_list(ys), _as_list(xs)
    graph = ops.graph_of(ys + xs)
    ys = [ops.convert_to_tensor(y, name="y") for y in ys]
    sources = [_source(x) for x in xs]
    grad_ys = [None] * len(ys) if grad_ys is None else _as_list(grad_ys)
    if len(grad_ys) != len(ys):
        raise ValueError("Passed %d grad_ys for %d ys" % (len(grad_ys), len(ys)))
    for y, given in zip(ys, grad_ys):
        _check_start(y, given)
    given = [_NONE if g is None else ops.convert_to_tensor(g)._output for g in grad_ys]
    stops = [_source(s).op._index for s in _as_list(stop_gradients or [])]
    flags = (GATE if gate_gradients else 0) | (COLOCATE if colocate_gradients_with_ops else 0)
    if aggregation_method not in (None, 0, 1, 2):
        raise ValueError("Invalid aggregation_method specified %s." % aggregation_method)
    flags |= {1: TREE, 2: ACCUMULATE}.get(aggregation_method, 0)
    first = graph._builder.get_n_nodes()
    gradient_rules.offer(graph)
    try:
        found = graph._builder.add_gradients(
            [y._output for y in ys], given if any(g != _NONE for g in given) else [], [s._output for s in sources], stops,
            name, Flow.GradientFlags(flags))
    except GLib.Error as error:
        gradient_rules.raise_own(graph)
        kind = TypeError if error.message.startswith("Second-order gradient") else _KINDS.get(error.code, ValueError)
        raise kind(error.message) from None
    stack = script_stack()
    for index in range(first, graph._builder.get_n_nodes()):
        graph._stacks[index] = stack
    results = []
    for i, x in enumerate(xs):
        values, indices, shape = found[3 * i:3 * i + 3]
        if values == _NONE:
            results.append(array_ops.zeros_like(x) if str(unconnected_gradients) == "zero" else None)
        elif indices == _NONE:
            results.append(graph._tensor(values))
        else:
            results.append(IndexedSlices(graph._tensor(values), graph._tensor(indices), graph._tensor(shape)))
    return results


def hessians(ys, xs, name="hessians", colocate_gradients_with_ops=False, gate_gradients=False, aggregation_method=None):
    from . import loops, tensor_array
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
