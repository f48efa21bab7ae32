# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Small functions of tf.contrib.framework: names of scopes, shapes of labels, what is deprecated."""

import functools
import re

from .. import nest
from ..control import control_flow
from ..framework import structure, tensor_shape
from ..framework.graph import name_scope
from ..framework.ops import apply_op, convert_to_tensor
from ..operators import array_ops, check_ops, linalg, math_ops, script_ops, sparse
from ..state import variables

argsort, sort, TensorSpec = linalg.argsort, linalg.sort, structure.TensorSpec
convert_to_tensor_or_sparse_tensor = sparse.convert_to_tensor_or_sparse_tensor


def prepend_name_scope(name, import_scope):
    if not import_scope:
        return name
    import_scope = import_scope[:-1] if import_scope.endswith("/") else import_scope
    return re.sub(r"([\^]|loc:@|^)(.*)", r"\1" + import_scope + r"/\2", name, count=1)


def strip_name_scope(name, export_scope):
    if not export_scope:
        return name
    export_scope = export_scope[:-1] if export_scope.endswith("/") else export_scope
    return re.sub(r"([\^]|loc:@|^)" + export_scope + r"[\/]+(.*)", r"\1\2", name, count=1)


def get_placeholders(graph):
    return [value for op in graph.get_operations() if op.type == "Placeholder" for value in op.values()]


def assert_scalar_int(tensor, name=None):
    with name_scope(name, "assert_scalar_int", [tensor]) as scope:
        tensor = convert_to_tensor(tensor)
        if not tensor.dtype.base_dtype.is_integer:
            raise ValueError("Expected integer type for %s, received type: %s." % (tensor.name, tensor.dtype))
        return check_ops.assert_scalar(tensor, name=scope)


def reduce_sum_n(tensors, name=None):
    if not tensors:
        raise ValueError("No tensors provided.")
    with name_scope(name, "reduce_sum_n", tensors) as scope:
        sums = [math_ops.reduce_sum(t, name="%s/sum" % t.op.name) for t in tensors]
        return sums[0] if len(sums) == 1 else math_ops.add_n(sums, name=scope)


def remove_squeezable_dimensions(predictions, labels, name=None):
    with name_scope(name, "remove_squeezable_dimensions", [predictions, labels]):
        predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
        ranks = predictions.shape.ndims, labels.shape.ndims
        if None not in ranks:
            if ranks[0] - ranks[1] == -1:
                labels = array_ops.squeeze(labels, [-1])
            elif ranks[0] - ranks[1] == 1:
                predictions = array_ops.squeeze(predictions, [-1])
            return predictions, labels
        rank = array_ops.rank(predictions)
        difference = rank - array_ops.rank(labels)

        def squeezed(value, known, wanted):
            if known is not None and not value.shape.dims[-1].is_compatible_with(1):
                return value
            return control_flow.cond(math_ops.equal(wanted, difference), lambda: array_ops.squeeze(value, [-1]), lambda: value)
        predictions = squeezed(predictions, ranks[0], 1)
        return predictions, squeezed(labels, ranks[1], -1)


def _unchanged(*_, **__):
    """What marks functions as deprecated says nothing here."""
    return lambda function: functools.wraps(function)(lambda *a, **k: function(*a, **k))


def deprecated(date, instructions, warn_once=True):
    return _unchanged()


def _of_function(output_types, output_shapes):
    """(types, shapes) in a row."""
    kinds = nest.flatten(output_types)
    if output_shapes is None:
        return kinds, [None] * len(kinds)
    return kinds, nest.flatten_up_to(output_types, output_shapes)


def py_func(func, args=(), kwargs=None, output_types=None, output_shapes=None, stateful=True, name=None):
    """tf.py_func whose arguments and results are of any structure."""
    kwargs = {} if kwargs is None else kwargs
    for what, given, kinds in (("args", args, (list, tuple)), ("kwargs", kwargs, dict)):
        if not isinstance(given, kinds):
            raise TypeError("%s must be %s and not %s. args: %s" % (what, "a list" if what == "args" else "a dict",
                                                                    type(given), given))
    given = {"args": args, "kwargs": kwargs}

    def called(*values):
        packed = nest.pack_sequence_as(given, list(values))
        results = func(*packed["args"], **packed["kwargs"])
        return nest.flatten_up_to(output_types, results) if nest.is_sequence(output_types) else results

    kinds, shapes = _of_function(output_types, output_shapes)
    made = script_ops.py_func(called, nest.flatten(given), kinds if nest.is_sequence(output_types) else output_types,
                              stateful=stateful, name=name)
    for tensor, shape in zip(nest.flatten(made), shapes):
        tensor.set_shape(tensor_shape.as_shape(shape))
    return nest.pack_sequence_as(output_types, nest.flatten(made)) if nest.is_sequence(output_types) else made


def deprecated_args(date, instructions, *deprecated_arg_names_or_tuples, **kwargs):
    return _unchanged()


def deprecated_arg_values(date, instructions, warn_once=True, **deprecated_kwargs):
    return _unchanged()


def zero_initializer(ref, use_locking=True, name="zero_initializer"):
    if isinstance(ref, variables.ResourceVariable):
        return apply_op("ZeroVarInitializer", var=ref.handle, shape=ref.shape, dtype=ref.dtype, name=name)
    return apply_op("ZeroInitializer", ref=ref, name=name)


NAMES = """argsort sort py_func TensorSpec convert_to_tensor_or_sparse_tensor prepend_name_scope strip_name_scope get_placeholders
    assert_scalar_int reduce_sum_n remove_squeezable_dimensions deprecated deprecated_args deprecated_arg_values
    zero_initializer""".split()
