# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What the layers of tf.contrib.layers share: named outputs, collections of variables, renaming getters."""

import collections
import functools

from ..control import control_flow
from ..framework import graph as graph_lib, ops, tensor_shape
from ..framework.graph import Tensor
from ..state import partitioned_variables, variables
from . import model_variables

NCHW, NHWC, NCDHW, NDHWC = "NCHW", "NHWC", "NCDHW", "NDHWC"


NamedOutputs = collections.namedtuple("NamedOutputs", ["name", "outputs"])


def append_tensor_alias(tensor, alias):
    alias = alias[:-1] if alias.endswith("/") else alias
    if not hasattr(tensor, "aliases"):
        tensor.aliases = []
    tensor.aliases.append(alias)
    return tensor


def collect_named_outputs(collections_, alias, outputs):
    """Puts outputs into the collections, under the scope's name."""
    if collections_:
        append_tensor_alias(outputs, alias)
        graph_lib.add_to_collections(collections_, outputs)
    return outputs


def get_tensor_aliases(tensor):
    if hasattr(tensor, "aliases"):
        return tensor.aliases
    return [tensor.op.name if tensor.name.endswith(":0") else tensor.name]


def gather_tensors_aliases(tensors):
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def convert_collection_to_dict(collection, clear_collection=False):
    result = collections.OrderedDict((alias, tensor) for tensor in graph_lib.get_collection(collection)
                                     for alias in get_tensor_aliases(tensor))
    if clear_collection:
        graph_lib.get_default_graph().clear_collection(collection)
    return result


def constant_value(value, dtype=None):
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if not isinstance(value, (Tensor, variables.Variable)):
        return value
    if dtype and value.dtype != dtype:
        raise ValueError("It has the wrong type %s instead of %s" % (value.dtype, dtype))
    return None if isinstance(value, variables.Variable) else ops.constant_value(value)


def smart_cond(pred, fn1, fn2, name=None):
    value = constant_value(pred)
    if value is None:
        return control_flow.cond(pred, fn1, fn2, name=name)
    return static_cond(value, fn1, fn2)


def static_cond(pred, fn1, fn2):
    for function, which in ((fn1, "fn1"), (fn2, "fn2")):
        if not callable(function):
            raise TypeError("%s must be callable." % which)
    return fn1() if pred else fn2()


def get_variable_collections(variables_collections, name):
    return variables_collections.get(name) if isinstance(variables_collections, dict) else variables_collections


def _dimension(shape, dim, min_rank):
    if shape.dims is None:
        raise ValueError("dims of shape must be known but is None")
    if len(shape.dims) < min_rank:
        raise ValueError("rank of shape must be at least %d not: %d" % (min_rank, len(shape.dims)))
    value = shape.dims[dim].value
    if value is None:
        raise ValueError("dimension %d of shape must be known but is None: %s" % (dim, shape))
    return value


def channel_dimension(shape, data_format, min_rank=1):
    return _dimension(shape, 1 if data_format == "channels_first" else -1, min_rank)


def last_dimension(shape, min_rank=1):
    return _dimension(shape, -1, min_rank)


def two_element_tuple(value):
    if isinstance(value, (list, tuple)):
        if len(value) != 2:
            raise ValueError("Must be a list with 2 elements: %s" % value)
        return int(value[0]), int(value[1])
    if isinstance(value, int):
        return value, value
    if isinstance(value, tensor_shape.TensorShape) and len(value) == 2:
        return value[0], value[1]
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n, value):
    if int(n) < 1 or int(n) != n:
        raise ValueError("n must be a positive integer")
    try:
        values = (int(value),) * n
    except (TypeError, ValueError):
        if len(value) != n:
            raise ValueError("Expected sequence of %d positive integers, but received %r" % (n, value)) from None
        values = tuple(int(x) for x in value)
    for x in values:
        if x < 1:
            raise ValueError("expected positive integer, but received %d" % x)
    return values


def check_format(data_format, allowed):
    if data_format not in allowed:
        raise ValueError("data_format has to be either %s or %s." % allowed)


def keras_format(data_format):
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


# -- variables of a tf.layers layer under contrib's names

def model_variable_getter(getter, name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True,
                          collections=None, caching_device=None, partitioner=None, rename=None, use_resource=None,
                          synchronization=None, aggregation=None, **_):
    parts = name.split("/")
    if rename and parts[-1] in rename:
        name = "/".join(parts[:-1] + [rename[parts[-1]]])
    return model_variables.model_variable(
        name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, collections=collections,
        trainable=trainable, caching_device=caching_device, partitioner=partitioner, custom_getter=getter,
        use_resource=use_resource, synchronization=synchronization, aggregation=aggregation)


def build_variable_getter(rename=None):
    return functools.partial(model_variable_getter, rename=rename)


def add_to_collections(variable, collections_set, name):
    parts = list(variable) if isinstance(variable, partitioned_variables.PartitionedVariable) else [variable]
    for collection in get_variable_collections(collections_set, name) or []:
        for part in parts:
            if part not in graph_lib.get_collection(collection):
                graph_lib.add_to_collection(collection, part)


def finish(outputs, scope_name, normalizer_fn, normalizer_params, activation_fn, outputs_collections):
    """Normalizer, activation and the collections of outputs."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return collect_named_outputs(outputs_collections, scope_name, outputs)
