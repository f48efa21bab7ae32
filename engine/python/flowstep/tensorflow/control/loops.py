# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""while_loop, and what is made of it: map_fn, foldl, foldr, scan."""

import contextlib

from .. import dtypes, nest
from ..framework import graph as graph_lib, ops, tensor_shape
from ..framework._engine import shape as engine_shape
from ..framework.graph import GraphKeys, name_scope
from ..operators import array_ops, math_ops, sparse
from ..state import scope
from . import contexts, control_flow
from .tensor_array import TensorArray


def invariant(var, shape=None):
    """The shapes that a loop variable keeps to: one, or one for each of its parts."""
    from ..framework import composite_specs, structure
    if nest.is_composite(var):
        return [part.shape for part in composite_specs.of_loop_variable(var, shape)._component_specs]
    if isinstance(var, TensorArray):
        return var.flow.shape if shape is None else shape
    if shape is None:
        return var.shape
    if isinstance(shape, structure.TypeSpec) and not (isinstance(shape, structure.TensorSpec) and var.dtype == shape.dtype):
        raise TypeError("%s %r is not compatible with %r" %
                        ("TensorSpec" if isinstance(shape, structure.TensorSpec) else "TypeSpec", shape, var))
    return getattr(shape, "shape", shape)


def _as_loop_variable(value):
    return value if nest.is_composite(value) else ops.convert_to_tensor(value)


def _refuse_foreign(context, variables):
    """TF: a variable of another graph enters and is merged in that graph, where the loop is not. A function's body makes
    an argument of it."""
    foreign = [v for v in variables if v.graph is not context.graph]
    if not foreign or hasattr(context.graph, "capture"):
        return
    enters = [ops.apply_op("Enter", data=v, frame_name=context.name) for v in foreign]
    merge = ops.make_op("Merge", inputs=[enters[0]] * 2)
    raise ValueError("Cannot use '%s' as input to '%s' because '%s' is in a while loop. See info log for more details." %
                     (enters[0].op.name, merge.name, enters[0].op.name))


def _with_summaries(body, given):
    """What the body gives, after the summaries that it writes; outside the loop nothing can wait for them."""
    before = len(graph_lib.get_collection(GraphKeys._SUMMARY_COLLECTION))
    result = body(*given)
    if len(graph_lib.get_collection(GraphKeys._SUMMARY_COLLECTION)) == before:
        return result
    written = graph_lib.get_collection_ref(GraphKeys._SUMMARY_COLLECTION)
    made, written[before:] = written[before:], []
    if not nest.is_sequence_or_composite(result):
        result = [result]
    with graph_lib.control_dependencies(made):
        return nest.map_structure(lambda v: v if isinstance(v, TensorArray) else array_ops.identity(v), result,
                                  expand_composites=True)


def _build(context, pred, body, original, variables, shapes):
    """(what the body gave, what the loop leaves)."""
    _refuse_foreign(context, variables)
    flat = nest.flatten(original, True)

    def packed(tensors):
        return nest.pack_sequence_as(original, control_flow.convert_flows_to_tensorarrays(flat, tensors), True)

    merges = context.begin(variables, [engine_shape(None if s.dims is None else s.as_list()) for s in shapes])
    tested = ops.convert_to_tensor(pred(*packed(merges)), name="Const")
    if tested.dtype.base_dtype != dtypes.bool:
        raise TypeError("Input 'input' of 'LoopCond' Op has type %s that does not match expected type of bool." %
                        tested.dtype.base_dtype.name)
    inside = context.condition(tested)
    given = packed(inside)
    result = _with_summaries(body, given)
    if not nest.is_sequence_or_composite(result):
        result = [result]
    nest.assert_same_structure(list(given), list(result), expand_composites=True)
    tensors = [ops.convert_to_tensor(control_flow.convert_tensorarray_to_flow(v)) for v in nest.flatten(result, True)]
    if len(tensors) != len(merges):
        raise ValueError("Number of inputs and outputs of body must match loop_vars: %d, %d" % (len(merges), len(tensors)))
    return result, context.end(tensors)


def _run(context, pred, body, loop_vars, invariants, return_same_structure):
    variables = [_as_loop_variable(control_flow.convert_tensorarray_to_flow(v)) for v in nest.flatten(loop_vars)]
    if invariants is None:
        invariants = [invariant(v) for v in variables]
    shapes = [tensor_shape.as_shape(s) for i in nest.flatten(invariants)
              for s in (i if isinstance(i, list) else [i])]
    try:
        context.Enter()
        result, exits = _build(context, pred, body, loop_vars, nest.flatten(variables, True), shapes)
    finally:
        context.Exit()
    left = control_flow.convert_flows_to_tensorarrays(nest.flatten(result, True), exits)
    packed = nest.pack_sequence_as(result, left, True)
    if return_same_structure:
        return packed
    return packed[0] if len(exits) == 1 else packed


def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, back_prop=True, swap_memory=False,
               name=None, maximum_iterations=None, return_same_structure=False):
    """Repeats body while cond is true; gives the loop variables as they are then."""
    if not callable(cond):
        raise TypeError("cond must be callable.")
    if not callable(body):
        raise TypeError("body must be callable.")
    if parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    from . import functional
    if functional.is_version_2():
        return functional.while_loop(cond, body, loop_vars, shape_invariants, parallel_iterations, maximum_iterations, name,
                                     return_same_structure, back_prop)
    with name_scope(name, "while", [v for v in nest.flatten(loop_vars, True) if v is not None]):
        if not loop_vars:
            raise ValueError("No loop variables provided")
        if maximum_iterations is not None:
            maximum_iterations = ops.convert_to_tensor(maximum_iterations, name="maximum_iterations")
            if maximum_iterations.shape.ndims != 0:
                raise ValueError("maximum_iterations must be a scalar, saw shape: %s" % maximum_iterations.shape)
            counter = ops.constant(0, dtype=maximum_iterations.dtype, name="iteration_counter")
            cond, body, loop_vars = _limited(cond, body, loop_vars, maximum_iterations, counter, return_same_structure)
        if shape_invariants is not None:
            if maximum_iterations is not None:
                shape_invariants = (tensor_shape.TensorShape([]), shape_invariants)
            nest.assert_same_structure(loop_vars, shape_invariants)
            flat = [control_flow.convert_tensorarray_to_flow(v) for v in nest.flatten(loop_vars)]
            shape_invariants = [invariant(v, s) for v, s in zip(flat, nest.flatten(shape_invariants))]
            if not all(isinstance(s, (tensor_shape.TensorShape, list)) for s in shape_invariants):
                raise ValueError("`shapes` must be a (possibly nested) list of shapes.")
        context = contexts.WhileContext(maximum_iterations, parallel_iterations, back_prop, swap_memory)
        if context.outer_context is None:
            graph_lib.add_to_collection(GraphKeys.WHILE_CONTEXT, context)
        result = _run(context, cond, body, loop_vars, shape_invariants, return_same_structure)
        return result[1] if maximum_iterations is not None else result


def _limited(cond, body, loop_vars, limit, counter, return_same_structure):
    """The same loop with a counter as its first variable."""
    if len(loop_vars) == 1 and not return_same_structure:
        return (lambda i, lv: math_ops.logical_and(i < limit, cond(lv)), lambda i, lv: (i + 1, body(lv)),
                (counter, loop_vars[0]))
    return (lambda i, lv: math_ops.logical_and(i < limit, cond(*lv)), lambda i, lv: (i + 1, body(*lv)),
            (counter, loop_vars))


# -- over the first dimension

@contextlib.contextmanager
def _cached_variables():
    """Variables of the function are read once, where the loop is."""
    current = scope.get_variable_scope()
    given = current.caching_device is not None
    if not given:
        current.set_caching_device(lambda op: op.device)
    try:
        yield
    finally:
        if not given:
            current.set_caching_device(None)


def _length(tensor):
    """How many there are along the first dimension, a number where that is known."""
    return tensor_shape.dimension_value(tensor.shape[0]) or array_ops.shape(tensor)[0]


def _check_elements(elems):
    rank = elems[0].shape.ndims
    if rank is not None and rank < 1:
        if len(elems) == 1:
            raise ValueError("elems must be a 1+ dimensional Tensor, not a scalar")
        raise ValueError("elements in elems must be 1+ dimensional Tensors, not scalars")


def _unstacked(elem, n):
    return TensorArray(elem.dtype, size=n, dynamic_size=False, infer_shape=True).unstack(elem)


def _set_length(results, elems):
    count = tensor_shape.Dimension(None)
    for elem in elems:
        count = count.merge_with(elem.shape.with_rank_at_least(1)[0])
    for result in results:
        result.set_shape(tensor_shape.TensorShape([count]).concatenate(result.shape[1:]))


def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False, infer_shape=True,
           name=None):
    """fn of each part of elems along the first dimension, stacked."""
    if not callable(fn):
        raise TypeError("fn must be callable.")
    if isinstance(elems, sparse.SparseTensor):
        raise TypeError("To perform a map on the values of a sparse tensor use either  SparseTensor(input.indices, "
                        "fn(input.values), input.dense_shape) or  SparseTensor(input.indices, map_fn(fn, input.values), "
                        "input.dense_shape)")
    given = nest.flatten(elems)

    def pack(values):
        return nest.pack_sequence_as(elems, values)

    with name_scope(name, "map", given), _cached_variables():
        flat = [ops.convert_to_tensor(e, name="elem") for e in given]
        dtype = dtype or pack([e.dtype for e in flat])
        _check_elements(flat)
        n = _length(flat[0])
        arrays = [TensorArray(e.dtype, size=n, dynamic_size=False, infer_shape=True) for e in flat]
        arrays = [a.unstack(e) for a, e in zip(arrays, flat)]
        i = ops.constant(0)
        results = [TensorArray(d, size=n, dynamic_size=False, infer_shape=infer_shape) for d in nest.flatten(dtype)]

        def compute(i, results):
            made = fn(pack([a.read(i) for a in arrays]))
            nest.assert_same_structure(dtype or elems, made)
            results = [r.write(i, v) for r, v in zip(results, nest.flatten(made))]
            return i + 1, results

        _, results = while_loop(lambda i, _: i < n, compute, (i, results), parallel_iterations=parallel_iterations or 10,
                                back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=n)
        stacked = [r.stack() for r in results]
        _set_length(stacked, flat)
        return nest.pack_sequence_as(dtype, stacked)


def _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, backwards):
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with name_scope(name, "foldr" if backwards else "foldl", nest.flatten(elems)), _cached_variables():
        flat = [ops.convert_to_tensor(e, name="elem") for e in nest.flatten(elems)]
        n = _length(flat[0])
        arrays = nest.map_structure(lambda e: _unstacked(e, n), elems)
        if initializer is not None:
            a, i = initializer, n if backwards else ops.constant(0)
        elif backwards:
            i = n - 1
            a = nest.map_structure(lambda e: e.read(i), arrays)
        else:
            a = nest.map_structure(lambda e: e.read(0), arrays)
            i = ops.constant(1)

        def at(i):
            return nest.map_structure(lambda e: e.read(i), arrays)

        def forwards(i, a):
            a = fn(a, at(i))
            return [i + 1, a]

        def backwards_step(i, a):
            i -= 1
            return [i, fn(a, at(i))]

        _, result = while_loop((lambda i, a: i > 0) if backwards else (lambda i, a: i < n),
                               backwards_step if backwards else forwards, [i, a],
                               parallel_iterations=parallel_iterations, back_prop=back_prop, swap_memory=swap_memory,
                               maximum_iterations=n)
        return result


def foldl(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """fn of what came so far and each part of elems in turn."""
    return _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, False)


def foldr(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """As foldl, from the last part to the first."""
    return _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, True)


def scan(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, infer_shape=True,
         reverse=False, name=None):
    """As foldl, but gives what came at every step, stacked."""
    if not callable(fn):
        raise TypeError("fn must be callable.")
    structure = elems if initializer is None else initializer
    given = nest.flatten(elems)
    with name_scope(name, "scan", given), _cached_variables():
        flat = [ops.convert_to_tensor(e, name="elem") for e in given]
        n = _length(flat[0])
        arrays = [TensorArray(e.dtype, size=n, dynamic_size=False, element_shape=e.shape[1:], infer_shape=True)
                  for e in flat]
        arrays = [a.unstack(e) for a, e in zip(arrays, flat)]
        if initializer is None:
            first = [a.read(n - 1 if reverse else 0) for a in arrays]
        else:
            first = [ops.convert_to_tensor(v) for v in nest.flatten(initializer)]
        results = [TensorArray(v.dtype, size=n, element_shape=v.shape if infer_shape else None, dynamic_size=False,
                               infer_shape=infer_shape) for v in first]
        if initializer is None:
            results = [r.write(n - 1 if reverse else 0, v) for r, v in zip(results, first)]

        def compute(i, so_far, results):
            part = nest.pack_sequence_as(elems, [a.read(i) for a in arrays])
            made = fn(nest.pack_sequence_as(structure, so_far), part)
            nest.assert_same_structure(structure, made)
            made = nest.flatten(made)
            results = [r.write(i, v) for r, v in zip(results, made)]
            return i - 1 if reverse else i + 1, made, results

        i = 1 if initializer is None else 0
        _, _, results = while_loop((lambda i, _1, _2: i >= 0) if reverse else (lambda i, _1, _2: i < n), compute,
                                   (n - 1 - i if reverse else i, first, results),
                                   parallel_iterations=parallel_iterations, back_prop=back_prop, swap_memory=swap_memory,
                                   maximum_iterations=n)
        stacked = [r.stack() for r in results]
        _set_length(stacked, flat)
        return nest.pack_sequence_as(structure, stacked)
