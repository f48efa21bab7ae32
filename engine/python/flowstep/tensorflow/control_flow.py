# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""group, tuple, with_dependencies and conditions."""

from . import array_ops, dtypes, graph as graph_lib, ops
from .graph import Operation, Tensor, name_scope
from .ops import IndexedSlices, apply_op


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
                raise TypeError("Expected tf.group() expected Tensor objects not None with type '%s'" % type(item))
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


def Assert(condition, data, summarize=None, name=None):
    """An op that fails where the condition does not hold; data that may be elsewhere waits behind a cond."""
    with name_scope(name, "Assert", [condition, data]):
        tensors = ops.convert_n_to_tensor(data)
        if all(t.dtype in (dtypes.string, dtypes.int32) for t in tensors):
            return ops.make_op("Assert", condition=condition, data=data, summarize=summarize, name="Assert")
        condition = ops.convert_to_tensor(condition, name="Condition")
        guarded = cond(condition, no_op,  # noqa: F821
                       lambda: ops.make_op("Assert", condition=condition, data=data, summarize=summarize, name="Assert"),
                       name="AssertGuard")
        return guarded.op
