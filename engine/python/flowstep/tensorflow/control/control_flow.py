# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""group, tuple, with_dependencies and conditions."""

import collections
import functools

from .. import dtypes, nest
from ..framework import graph as graph_lib, ops
from ..framework.graph import GraphKeys, Operation, Tensor, name_scope
from ..framework.ops import IndexedSlices, apply_op
from ..operators import array_ops
from . import contexts, tensor_array


def no_op(name=None):
    return ops.make_op("NoOp", name=name)


def _op_of(item):
    if isinstance(item, Operation):
        return item
    return item.op


def _flatten(items):
    for item in items:
        if isinstance(item, (list, tuple)):
            yield from _flatten(item)
        else:
            yield item


def group(*inputs, name=None):
    with name_scope(name, "group_deps", list(_flatten(inputs))) as name:
        if not inputs:
            return no_op(name=name)
        by_device = {}
        for item in _flatten(inputs):
            if not hasattr(item, "device"):
                raise TypeError("Expected tf.group() expected Tensor arguments not '%s' with type '%s'" % (item, type(item)))
            op = _op_of(item)
            by_device.setdefault(op.device, []).append(op)
        if len(by_device) == 1:
            (device, deps), = by_device.items()
            with graph_lib.control_dependencies(deps):
                if device:
                    with graph_lib.device(device):
                        return no_op(name=name)
                return no_op(name=name)
        all_deps = []
        for device in sorted(by_device):
            with graph_lib.control_dependencies(by_device[device]):
                with graph_lib.device(device) if device else _nothing():
                    all_deps.append(no_op())
        with graph_lib.control_dependencies(all_deps):
            return no_op(name=name)


def _nothing():
    import contextlib
    return contextlib.nullcontext()


def with_dependencies(dependencies, output_tensor, name=None):
    with name_scope(name, "control_dependency", list(dependencies) + [output_tensor]) as name:
        with graph_lib.colocate_with(output_tensor):
            with graph_lib.control_dependencies(dependencies):
                output_tensor = ops.internal_convert_to_tensor_or_indexed_slices(output_tensor)
                if isinstance(output_tensor, IndexedSlices):
                    return IndexedSlices(array_ops.identity(output_tensor.values, name=name), output_tensor.indices,
                                         output_tensor.dense_shape)
                return array_ops.identity(output_tensor, name=name)


def gated(tensors, name=None, control_inputs=None):
    with name_scope(name, "tuple", [t for t in tensors if t is not None]) as name:
        tensors = [t if isinstance(t, (Operation, Tensor, IndexedSlices)) or t is None
                   else ops.convert_to_tensor(t) for t in tensors]
        gating = [t if isinstance(t, Operation) else t.op for t in tensors if t is not None]
        for c in control_inputs or []:
            gating.append(_op_of(c))
        gating = sorted(set(gating), key=lambda op: op._id)
        if not gating:
            raise ValueError("Must have at least one Tensor: %s" % tensors)
        gate = group(*gating)
        result = []
        for t in tensors:
            if isinstance(t, (Tensor, IndexedSlices)):
                result.append(with_dependencies([gate], t))
            elif isinstance(t, Operation):
                with graph_lib.control_dependencies([gate]):
                    result.append(no_op())
            else:
                result.append(None)
        return result


# -- branches

def switch(data, pred, dtype=None, name=None):
    """(what comes out where pred is false, where it is true)."""
    with name_scope(name, "Switch", [data, pred]) as name:
        data = ops.internal_convert_to_tensor_or_composite(data, dtype=dtype, name="data", as_ref=True)
        pred = ops.convert_to_tensor(pred, name="pred")
        if isinstance(data, Tensor):
            return apply_op("Switch", data=data, pred=pred, name=name)
        parts = [apply_op("Switch", data=t, pred=pred) for t in nest.flatten(data, True)]
        return tuple(nest.pack_sequence_as(data, [p[side] for p in parts], True) for side in (0, 1))


def merge(inputs, name=None):
    """(the value of the input that is there, its index)."""
    if any(i is None for i in inputs):
        raise ValueError("At least one of the merge inputs is None: %s" % inputs)
    with name_scope(name, "Merge", inputs) as name:
        inputs = [ops.internal_convert_to_tensor_or_composite(i, as_ref=True) for i in inputs]
        if all(isinstance(v, Tensor) for v in inputs):
            ref = all(v.dtype._is_ref_dtype for v in inputs)
            return apply_op("RefMerge" if ref else "Merge", inputs=inputs, name=name)
        if all(isinstance(v, (IndexedSlices, Tensor)) for v in inputs):
            inputs = _as_indexed_slices_list(inputs)
        for v in inputs[1:]:
            nest.assert_same_structure(inputs[0], v, expand_composites=True)
        found = [apply_op("Merge", inputs=list(parts)) for parts in zip(*[nest.flatten(v, True) for v in inputs])]
        return nest.pack_sequence_as(inputs[0], [f[0] for f in found], True), found[0][1]


def _as_indexed_slices(value):
    if isinstance(value, IndexedSlices):
        return value
    from ..operators import math_ops
    shape = array_ops.shape_internal(value, optimize=False)
    return IndexedSlices(value, math_ops.range(0, shape[0]), shape)


def _as_indexed_slices_list(inputs):
    outputs = [_as_indexed_slices(i) for i in inputs]
    with_int32 = [o.indices for o in outputs if o.indices.dtype == dtypes.int32]
    if not with_int32 or len(with_int32) == len(outputs):
        return outputs
    from ..operators import math_ops
    return [IndexedSlices(o.values, math_ops.cast(o.indices, dtypes.int64), o.dense_shape)
            if o.indices.dtype == dtypes.int32 else o for o in outputs]


def is_tensor_array(value):
    return isinstance(value, tensor_array.TensorArray)


def convert_tensorarray_to_flow(value):
    return value.flow if is_tensor_array(value) else value


def convert_flows_to_tensorarrays(originals, values):
    if len(originals) != len(values):
        raise ValueError("Lengths of original Tensor list and new list do not match: %d vs. %d" %
                         (len(originals), len(values)))
    return [tensor_array.build_ta_with_new_flow(o, v) if isinstance(o, tensor_array.TensorArray) else v
            for o, v in zip(originals, values)]


def _unpack_if_singleton(value):
    return value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value


def _build_branch(context, function):
    """What the function gave, and that as outputs of its branch."""
    original = function()
    if original is None:
        return None, None

    def build(value):
        if isinstance(value, Operation):
            return with_dependencies([value], context.pivot)
        return context.branch_output(ops.convert_to_tensor(convert_tensorarray_to_flow(value)))

    result = nest.map_structure(build, original, expand_composites=True)
    return original, result if isinstance(result, (list, tuple)) else [result]


def _in_branch(pred, pivot, branch, function, function_name):
    context = contexts.CondContext(pred, pivot, branch)
    try:
        context.Enter()
        original, result = _build_branch(context, function)
        if original is None:
            raise ValueError("%s must have a return value." % function_name)
        context.ExitResult(nest.flatten(result, True))
    finally:
        context.Exit()
    return context, original, result


def _cast_indices(a, b):
    if isinstance(a, IndexedSlices) and isinstance(b, IndexedSlices) and a.indices.dtype != b.indices.dtype:
        from ..operators import math_ops
        a._indices, b._indices = math_ops.cast(a.indices, dtypes.int64), math_ops.cast(b.indices, dtypes.int64)


def _check_branches(true, false, true_result, false_result):
    try:
        nest.assert_same_structure(true, false, expand_composites=True)
        return
    except (TypeError, ValueError):
        pass
    # Rows by indices of two types may be all that differs.
    nest.map_structure(_cast_indices, true, false)
    nest.map_structure(_cast_indices, true_result, false_result)
    try:
        nest.assert_same_structure(true, false, expand_composites=True)
    except TypeError as error:
        raise TypeError("Incompatible return types of true_fn and false_fn: {}".format(error)) from None
    except ValueError as error:
        raise ValueError("Incompatible return values of true_fn and false_fn: {}".format(error)) from None


def _branch_functions(true_fn, false_fn, fn1, fn2):
    found = []
    for function, old, name, old_name in ((true_fn, fn1, "true_fn", "fn1"), (false_fn, fn2, "false_fn", "fn2")):
        if old is not None:
            if function is not None:
                raise TypeError("cond(): %s and %s may not be set simultaneously." % (name, old_name))
            function = old
        elif function is None:
            raise TypeError("cond(): %s argument required" % name)
        found.append(function)
    for function, name in zip(found, ("true_fn", "false_fn")):
        if not callable(function):
            raise TypeError("%s must be callable." % name)
    return found


def cond(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None):
    """What true_fn gives where pred is true, else what false_fn gives."""
    true_fn, false_fn = _branch_functions(true_fn, false_fn, fn1, fn2)
    from . import functional
    if functional.is_version_2():
        return functional.cond(pred, true_fn, false_fn, name)
    with name_scope(name, "cond", [pred]):
        if isinstance(pred, bool):
            raise TypeError("pred must not be a Python bool")
        p_false, p_true = switch(pred, pred)
        pivot_true = array_ops.identity(p_true, name="switch_t")
        pivot_false = array_ops.identity(p_false, name="switch_f")
        pred = array_ops.identity(pred, name="pred_id")
        for tensor in (p_true, pivot_true, pivot_false, pred):
            tensor.graph.prevent_fetching(tensor.op)
        context_true, original_true, result_true = _in_branch(pred, pivot_true, 1, true_fn, "true_fn")
        context_false, original_false, result_false = _in_branch(pred, pivot_false, 0, false_fn, "false_fn")
        if not strict:
            original_true, original_false = _unpack_if_singleton(original_true), _unpack_if_singleton(original_false)
        _check_branches(original_true, original_false, result_true, result_false)
        if not result_true:
            raise ValueError("true_fn and false_fn must return at least one result.")
        pairs = list(zip(nest.flatten(result_false, True), nest.flatten(result_true, True)))
        for y, x in pairs:
            if x.dtype.base_dtype != y.dtype.base_dtype:
                raise ValueError("Outputs of true_fn and false_fn must have the same type: %s, %s" %
                                 (x.dtype.name, y.dtype.name))
        merges = [merge(pair)[0] for pair in pairs]
        merges = convert_flows_to_tensorarrays(nest.flatten(original_true, True), merges)
        if context_true.outer_context is None:
            graph_lib.add_to_collection(GraphKeys.COND_CONTEXT, context_true)
            graph_lib.add_to_collection(GraphKeys.COND_CONTEXT, context_false)
        merges = nest.pack_sequence_as(original_true, merges, expand_composites=True)
        return merges if strict else _unpack_if_singleton(merges)


def smart_constant_value(pred):
    """The bool that pred is already while the graph is made, or None."""
    if isinstance(pred, Tensor):
        value = ops.constant_value(pred)
        if value is None:
            folded = pred.graph._builder.dup_constant(pred._output)
            value = None if folded is None else ops.to_numpy(folded)
        return None if value is None else bool(value)
    if isinstance(pred, bool):
        return pred
    if pred in (0, 1):
        return bool(pred)
    raise TypeError("`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: %s" % type(pred))


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """One of the functions where pred is known, else cond()."""
    if not callable(true_fn):
        raise TypeError("`true_fn` must be callable.")
    if not callable(false_fn):
        raise TypeError("`false_fn` must be callable.")
    value = smart_constant_value(pred)
    if value is not None:
        return true_fn() if value else false_fn()
    return cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)


def Assert(condition, data, summarize=None, name=None):
    """An operation that fails, showing data, where condition is false."""
    with name_scope(name, "Assert", [condition, data]):
        tensors = ops.convert_n_to_tensor(data)
        if all(t.dtype in (dtypes.string, dtypes.int32) for t in tensors):
            return apply_op("Assert", condition=condition, data=data, summarize=summarize, name="Assert")
        condition = ops.convert_to_tensor(condition, name="Condition")
        return cond(condition, no_op, lambda: apply_op("Assert", condition=condition, data=data, summarize=summarize,
                                                       name="Assert"), name="AssertGuard").op


# -- one of several

def _assert_at_most_n_true(predicates, n, msg):
    from ..operators import math_ops
    stacked = array_ops.stack(predicates, name="preds_c")
    count = math_ops.reduce_sum(math_ops.cast(stacked, dtypes.int32), name="num_true_conds")
    condition = math_ops.less_equal(count, ops.constant(n, name="n_true_conds"))
    names = ", ".join(getattr(p, "name", "?") for p in predicates)
    return Assert(condition, ["%s: more than %d conditions (%s) evaluated as True:" % (msg, n, names), stacked],
                  summarize=len(predicates))


def _last_as_default(predicates, actions):
    k = len(predicates) - 1
    predicate, action = predicates[k], actions[k]

    def default():
        data = ("Input error: None of conditions evaluated as True:", array_ops.stack(predicates, name="preds_c"))
        others = "Implementation error: selected default action #%d was called, but some of other predicates are True: " % k
        with graph_lib.control_dependencies([_assert_at_most_n_true(predicates[:k], n=0, msg=others),
                                             Assert(predicate, data=data)]):
            return action()

    return default, predicates[:k], actions[:k]


def _predicates_and_actions(pairs, allow_python):
    if not isinstance(pairs, (list, tuple, dict)):
        raise TypeError("fns must be a list, tuple, or dict")
    if isinstance(pairs, collections.OrderedDict):
        pairs = list(pairs.items())
    elif isinstance(pairs, dict):
        pairs = sorted(pairs.items(), key=lambda item: item[0].name)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple")
        pred, function = pair
        if isinstance(pred, Tensor):
            if pred.dtype != dtypes.bool:
                raise TypeError("pred must be Tensor of type bool: %s" % pred.name)
        elif not allow_python:
            raise TypeError("pred must be a Tensor, got: %s" % pred)
        elif not isinstance(pred, bool):
            raise TypeError("pred must be a Tensor or bool, got: %s" % pred)
        if not callable(function):
            raise TypeError("fn for pred %s must be callable." % pred.name)
    return zip(*pairs)


def _case(cond_function, pairs, default, exclusive, name, allow_python=False, **options):
    predicates, actions = _predicates_and_actions(pairs, allow_python)
    with name_scope(name, "case", list(_flatten([predicates]))):
        if default is None:
            default, predicates, actions = _last_as_default(predicates, actions)
        function = default
        for predicate, action in reversed(list(zip(predicates, actions))):
            function = functools.partial(cond_function, predicate, true_fn=action, false_fn=function, **options)
        if exclusive:
            with graph_lib.control_dependencies([
                    _assert_at_most_n_true(predicates, n=1, msg="Input error: exclusive=True")]):
                return function()
        return function()


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """What the function of the first true predicate gives, else default's."""
    return _case(cond, pred_fn_pairs, default, exclusive, name, strict=strict)


def smart_case(pred_fn_pairs, default=None, exclusive=False, name="smart_case"):
    return _case(smart_cond, pred_fn_pairs, default, exclusive, name, allow_python=True)


def _indexed_branches(branch_fns, default, branch_index):
    """The functions of switch_case in order, the default last."""
    if not isinstance(branch_index, Tensor):
        raise TypeError("branch_index must a Tensor, got {}".format(type(branch_index)))
    if not branch_index.dtype.is_integer:
        raise TypeError("branch_index must an integer Tensor, got {}".format(branch_index.dtype))
    if not branch_fns:
        raise ValueError("Must provide at least one item in branch_fns")
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError("branch_fns must be a list, tuple, or dict")
    pairs = list(branch_fns.items() if isinstance(branch_fns, dict) else branch_fns)
    if all(callable(function) for function in pairs):
        pairs = list(enumerate(pairs))
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in branch_fns must be a 2-tuple")
        if not isinstance(pair[0], int):
            raise TypeError("key must be a Python `int`, got {}".format(type(pair[0])))
        if not callable(pair[1]):
            raise TypeError("fn for key {} must be callable.".format(pair[0]))
    keys = [key for key, _ in pairs]
    if min(keys) < 0 or max(keys) >= len(keys) or len(set(keys)) != len(keys):
        raise ValueError("branch indices (keys) must form contiguous range of [0 to {}) but found {{{}}}".format(
            len(keys), ",".join(map(str, sorted(keys)))))
    functions = [function for _, function in sorted(pairs, key=lambda pair: pair[0])]
    return functions if default is None else functions + [default]


def switch_case(branch_index, branch_fns, default=None, name="switch_case"):
    """What the function of that number gives, the last one's where there is none of that number."""
    functions = _indexed_branches(branch_fns, default, branch_index)
    from . import cond_v2
    with name_scope(name, "case", [branch_index]):
        return cond_v2.switch_case(branch_index, functions)
